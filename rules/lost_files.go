package rules

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// file is a key of a ConfigMap or Secret that a volume has as a file, or a container as the path: all keys
// of one that is not known have no key, and the path of their directory.
type file struct {
	source            manifest.Identity
	key, volume, path string
}

// filesIn are the files in the volumes of a pod, by volume, with paths below the volume, as the sources
// are in a state of the cluster.
func filesIn(namespace string, spec tree.Object, in func(manifest.Identity) tree.Object) map[string][]file {
	volumes := map[string][]file{}
	for _, v := range tree.List(spec, "volumes") {
		name := tree.String(v, "name")
		for _, s := range append([]any{v}, tree.List(v, "projected", "sources")...) {
			for _, kind := range []string{"ConfigMap", "Secret"} {
				from := tree.Map(s, strings.ToLower(kind[:1])+kind[1:])
				if from == nil {
					continue
				}
				id := manifest.Identity{Kind: kind, Namespace: namespace, Name: tree.String(from, "name") + tree.String(from, "secretName")}
				source, list := in(id), []file{{id, "", name, "."}}
				if source != nil {
					list = nil
					for _, key := range slices.Concat(tree.Keys(tree.Map(source, "data")), tree.Keys(tree.Map(source, "binaryData"))) {
						list = append(list, file{id, key, name, key})
					}
				}
				if items := tree.List(from, "items"); items != nil {
					all := list
					list = nil
					for _, item := range items {
						f := file{id, tree.String(item, "key"), name, path.Clean(tree.String(item, "path"))}
						if source == nil || slices.ContainsFunc(all, func(k file) bool { return k.key == f.key }) {
							list = append(list, f)
						}
					}
				}
				volumes[name] = append(volumes[name], list...)
			}
		}
	}
	return volumes
}

// filesOf are the files of volumes in a container, by path. In the directories that are unknown there
// may be others.
func filesOf(of tree.Object, volumes map[string][]file) (files map[string]file, unknown map[string]bool) {
	files, unknown = map[string]file{}, map[string]bool{}
	for _, m := range tree.List(of, "volumeMounts") {
		at, part := path.Clean(tree.String(m, "mountPath")), path.Clean(tree.String(m, "subPath"))
		list, hasFiles := volumes[tree.String(m, "name")]
		unknown[at] = !hasFiles || tree.Has(m, "subPathExpr")
		for _, f := range list {
			below, in := strings.CutPrefix(f.path+"/", part+"/")
			if part == "." {
				below, in = f.path, true
			}
			if in && !unknown[at] || f.key == "" {
				f.path = path.Join(at, below)
				unknown[at] = unknown[at] || f.key == ""
				files[path.Join(at, below, map[bool]string{true: "all of " + f.source.String()}[f.key == ""])] = f
			}
		}
	}
	return files, unknown
}

// reportLostFiles reports the files that a container had from ConfigMaps and Secrets, and has no more.
func reportLostFiles(p *lint.Pass, c *cluster, o *lint.Object) {
	at, after := podSpec(o.Kind, o.Result)
	_, before := podSpec(o.Kind, o.Before)
	was := filesIn(o.Manifest.Namespace, before, c.before)
	if len(was) == 0 {
		return
	}
	is := filesIn(o.Manifest.Namespace, after, c.after)
	if tree.Equal(before, after) && maps.EqualFunc(was, is, slices.Equal[[]file]) {
		return
	}
	old := map[string]container{}
	for _, one := range containers(fieldpath.New(), before) {
		old[one.path[0].Field+one.name] = one
	}
	for _, one := range containers(at, after) {
		had, _ := filesOf(old[one.path[len(at)].Field+one.name].tree, was)
		has, unknown := filesOf(one.tree, is)
		maps.DeleteFunc(unknown, func(_ string, is bool) bool { return !is })
		gone := map[string][]file{}
		for _, place := range slices.Sorted(maps.Keys(had)) {
			f := had[place]
			hidden := false
			for dir := range unknown {
				hidden = hidden || strings.HasPrefix(f.path+"/", dir+"/")
			}
			if _, stays := has[place]; !stays && !hidden {
				gone[f.source.String()] = append(gone[f.source.String()], f)
			}
		}
		for _, source := range slices.Sorted(maps.Keys(gone)) {
			on, r := lostFiles(c, o, one, gone[source], has, is)
			p.Report(on, r)
		}
	}
}

// lostFiles says which files of one source a container has no more, and why, of the object that takes
// them away.
func lostFiles(c *cluster, o *lint.Object, one container, gone []file, has map[string]file, volumes map[string][]file) (*lint.Object, lint.Report) {
	f := gone[0]
	on, name, who, them := o, f.source.Kind+" "+f.source.Name, "container "+one.name, map[bool]string{true: "it", false: "them"}[len(gone) == 1]
	var paths []string
	for _, f := range gone {
		paths = append(paths, f.path+map[bool]string{true: " (all of " + name + ")"}[f.key == ""])
	}
	r := lint.Report{Path: o.Keyed(one.path, o.Result).Child("volumeMounts"), Effect: impact.None, Fix: "restore what the program still reads"}
	says, after := name+" is no longer mounted", c.after(f.source)
	same := func(other file) bool { return other.source == f.source && other.key == f.key }
	places := slices.Sorted(maps.Keys(has))
	moved := slices.IndexFunc(places, func(place string) bool { return same(has[place]) })
	switch member, inSet := c.set[f.source]; {
	case inSet && after != nil && !tree.Has(after, "data", f.key) && !tree.Has(after, "binaryData", f.key):
		on, who, r.Path = member.Object(), o.Identity().String()+": "+who, fieldpath.New("data")
		says = name + " no longer has the " + map[bool]string{true: "key", false: "keys"}[len(gone) == 1]
	case moved >= 0:
		says = f.key + " of " + name + " is at " + has[places[moved]].path
	case !mounts(tree.Object{"containers": []any{map[string]any(one.tree)}}, f.volume):
	case slices.ContainsFunc(volumes[f.volume], same):
		says = "only a part of volume " + f.volume + " is mounted"
	default:
		says = "volume " + f.volume + " no longer has " + them
		at, spec := podSpec(o.Kind, o.Result)
		for i, v := range tree.List(spec, "volumes") {
			if tree.String(v, "name") == f.volume {
				r.Path = o.Keyed(at.Child("volumes").Item(i), o.Result)
			}
		}
	}
	r.LivePath, r.Message = r.Path, fmt.Sprintf("%s no longer finds %s: %s", who, phrase.Abbreviated(paths, 4), says)
	return on, r
}
