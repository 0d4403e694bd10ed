package rules

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/by/kubectl"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/source"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// situation is one finding and what it was found in.
type situation struct {
	*testing.T
	lint.Example
	*lint.Finding
	plan *merge.Plan
}

// way is how a fix is followed that has certain words. follow reports whether that
// can be done to the situation.
type way struct {
	name    string
	pattern *regexp.Regexp
	follow  func(s *situation, words []string) bool
}

const target = `(\S+/[^\s),]+(?: -n [a-z0-9-]+)?)`

var ways = []way{
	{"kubectl delete", regexp.MustCompile(`kubectl (?:delete|wait --for=delete) ` + target), func(s *situation, words []string) bool {
		if strings.Contains(s.Fix, "remove it from the selector") && !s.changeConfig(edit.Remove(s.Path)) {
			return false
		}
		return s.changeLive(words[1], func(tree.Object) tree.Object { return nil })
	}},
	{"kubectl patch --type=json", regexp.MustCompile(`kubectl patch ` + target + ` --type=json -p '\[(?:\{"op":"test"[^}]*\},)*\{"op":"remove","path":"(.*)"\}\]'`), func(s *situation, words []string) bool {
		return s.changeLive(words[1], func(live tree.Object) tree.Object {
			from := live
			if strings.Contains(s.Fix, "after the apply, remove") {
				from = s.outcome().Result
			}
			return s.patched(live, removed(from, words[2]))
		})
	}},
	{"kubectl patch --type=merge", regexp.MustCompile(`kubectl patch ` + target + ` --type=merge -p '(.*)'`), func(s *situation, words []string) bool {
		var patch tree.Object
		if err := json.Unmarshal([]byte(words[2]), &patch); err != nil {
			s.Fatal(err)
		}
		return s.changeLive(words[1], func(live tree.Object) tree.Object { return s.patched(live, merged(live, patch)) })
	}},
	{"kubectl apply edit-last-applied", regexp.MustCompile(`remove (\S+) from last-applied[^:(]*[:(] ?kubectl apply edit-last-applied ` + target + `(\), then from the manifest)?`), func(s *situation, words []string) bool {
		if (words[3] != "" || strings.Contains(s.Fix, " and the null from the manifest")) && !s.changeConfig(edit.Remove(s.Path)) {
			return false
		}
		left := s.Path
		if named, err := fieldpath.Parse(words[1]); err == nil && len(named) < len(left) && left.HasPrefix(named) {
			left = named
		}
		return s.changeLive(words[2], func(live tree.Object) tree.Object {
			last, err := source.Decode(tree.String(live, "metadata", "annotations", rehearsal.LastAppliedKey))
			if err != nil {
				s.Fatal(err)
			}
			text, _ := json.Marshal(left.Without(last))
			tree.Set(live, string(text), "metadata", "annotations", rehearsal.LastAppliedKey)
			return live
		})
	}},
	{"--force-conflicts", regexp.MustCompile(`with --force-conflicts`), func(s *situation, _ []string) bool {
		s.Args += " --force-conflicts"
		return strings.Contains(s.Args, "--server-side")
	}},
	{"once without --server-side", regexp.MustCompile(`apply once without --server-side`), func(s *situation, _ []string) bool {
		s.Args = regexp.MustCompile(`--server-side|--force-conflicts|--field-manager=\S+`).ReplaceAllString(s.Args, "")
		return true
	}},
	{"--server-side", regexp.MustCompile(`^apply (?:it )?with --server-side|: --server-side(?: (--field-manager=\S+))?`), func(s *situation, words []string) bool {
		s.alone()
		s.Args += " --server-side " + words[1]
		return true
	}},
	{"--field-manager", regexp.MustCompile(`apply with (--field-manager=\S+), as before`), func(s *situation, words []string) bool {
		s.Args += " " + words[1]
		return true
	}},
	{"-n or none", regexp.MustCompile(`apply it without -n or with -n ([^,]+),`), func(s *situation, words []string) bool {
		s.Args += " -n " + words[1]
		return s.alone()
	}},
	{"-l", regexp.MustCompile(`prune with -l (\S+),`), func(s *situation, words []string) bool {
		s.Args = strings.ReplaceAll(s.Args, "--all", "") + " -l " + words[1]
		return true
	}},
	{"the whole set", regexp.MustCompile(`apply the whole set.*kubectl apply (-R -f \.)`), func(s *situation, _ []string) bool {
		s.Manifest += "\n---\n" + s.Elsewhere
		return true
	}},
	{"--prune-allowlist", regexp.MustCompile(`--prune-allowlist, and delete it by hand|with --prune-allowlist`), func(s *situation, _ []string) bool {
		s.Args = regexp.MustCompile(`--prune-allowlist \S+`).ReplaceAllString(s.Args, "") + " " + s.allowlist()
		return true
	}},
	{"delete by hand", regexp.MustCompile(`^(?:.*, or )?delete it by hand`), func(s *situation, _ []string) bool {
		return s.changeLive(cmp.Or(s.LiveObject, s.Object), func(tree.Object) tree.Object { return nil })
	}},
	{"live value into the manifest", regexp.MustCompile(`^put the live value into the manifest to keep it(?:$|;| *, or)|^to keep the live value, set .*in the manifest(?:$|;)|^to keep (it|them), add .* to the list in the manifest$|^add it back to the manifest|^add replicas: \d+ back`), func(s *situation, _ []string) bool {
		o := s.outcome()
		live, ok := s.Path.Find(o.Before)
		return ok && s.changeConfig(edit.Set(s.Path, live))
	}},
	{"keep the live value", regexp.MustCompile(`^set volumeClaimTemplates to those of the live object|^keep (?:restricted|baseline|Retain|what the live \w+ has|the annotation|the live value)`), func(s *situation, _ []string) bool {
		o := s.outcome()
		if o == nil || len(s.Suggested()) > 0 {
			return false // the edits are followed
		}
		live, ok := s.Path.Find(o.Before)
		if !ok {
			return s.changeConfig(edit.Remove(s.Path))
		}
		return s.changeConfig(edit.Set(s.Path, live))
	}},
	{"namespace in all objects", regexp.MustCompile(`^set metadata.namespace in all objects`), func(s *situation, _ []string) bool {
		return s.changeAll(func(o tree.Object) {
			if tree.String(o, "metadata", "namespace") == "" {
				tree.Set(o, "default", "metadata", "namespace")
			}
		})
	}},
	{"labels of -l", regexp.MustCompile(`^give it the label`), func(s *situation, _ []string) bool {
		_, after, _ := strings.Cut(s.Args+" ", "-l ")
		label, _, _ := strings.Cut(after, " ")
		key, value, ok := strings.Cut(label, "=")
		return ok && s.changeConfig(edit.Set(fieldpath.New("metadata", "labels", key), value))
	}},
	{"labels of the selector", regexp.MustCompile(`^(?:label the pod template as the selector says|give the template the labels of the selector)`), func(s *situation, _ []string) bool {
		o := s.manifest()
		if o == nil {
			return false
		}
		at, labels := fieldpath.New("spec", "template", "metadata", "labels"), tree.Map(o.Tree, "spec", "selector", "matchLabels")
		if o.Kind.Kind == "ReplicationController" {
			labels = tree.Map(o.Tree, "spec", "selector")
		}
		var edits []edit.Edit
		for _, key := range tree.Keys(labels) {
			edits = append(edits, edit.Set(at.Child(key), labels[key]))
		}
		for _, x := range tree.List(o.Tree, "spec", "selector", "matchExpressions") {
			key, values := tree.String(x, "key"), tree.List(x, "values")
			switch tree.String(x, "operator") {
			case "Exists":
				edits = append(edits, edit.Set(at.Child(key), "a"))
			case "In":
				edits = append(edits, edit.Set(at.Child(key), values[0]))
			}
		}
		return len(edits) > 0 && s.changeConfig(edits...)
	}},
	{"no longer paused", regexp.MustCompile(`set spec.paused to false in the manifest`), func(s *situation, _ []string) bool {
		return s.changeConfig(edit.Set(fieldpath.New("spec", "paused"), false))
	}},
	{"strategy Recreate", regexp.MustCompile(`^use the strategy Recreate`), func(s *situation, _ []string) bool {
		return s.changeConfig(edit.Set(fieldpath.New("spec", "strategy"), tree.Object{"type": "Recreate"}))
	}},
	{"no surge", regexp.MustCompile(`set maxSurge: 0 and maxUnavailable: 1 under spec.strategy.rollingUpdate`), func(s *situation, _ []string) bool {
		rolling := tree.Object{"maxSurge": int64(0), "maxUnavailable": int64(1)}
		return s.changeConfig(edit.Set(fieldpath.New("spec", "strategy"), tree.Object{"rollingUpdate": rolling}))
	}},
	{"raise the quota", regexp.MustCompile(`raise (\S+) of the quota`), func(s *situation, words []string) bool {
		quota := regexp.MustCompile(`gets stuck: (\S+/ResourceQuota/\S+) allows`).FindStringSubmatch(s.Message)
		if quota == nil {
			return false
		}
		return s.changeLive(quota[1], func(live tree.Object) tree.Object {
			tree.Set(live, "1Ti", "spec", "hard", words[1])
			tree.Set(live, "1Ti", "status", "hard", words[1])
			return live
		})
	}},
	{"remove the field that is unknown", regexp.MustCompile(`or remove the field$`), func(s *situation, _ []string) bool {
		return s.changeConfig(edit.Remove(s.Path))
	}},
	{"live value, not the other source", regexp.MustCompile(`and leave out the other source`), func(s *situation, _ []string) bool {
		live, _ := s.Path.Find(s.outcome().Before)
		other := map[string]string{"value": "valueFrom", "valueFrom": "value"}[s.Path[len(s.Path)-1].Field]
		return s.changeConfig(edit.Set(s.Path, live), edit.Remove(s.Path[:len(s.Path)-1].Child(other)))
	}},
	{"remove the field", regexp.MustCompile(`^remove (?:the field|it|replicas|the label)(?: from the manifest|,|$)`), func(s *situation, _ []string) bool {
		return s.changeConfig(edit.Remove(s.Path))
	}},
}

// outcome is that of the object that the finding is about, nil if there is none.
func (s *situation) outcome() *rehearsal.Outcome {
	for _, o := range s.plan.Outcomes {
		if o.Identity().String() == s.Object {
			return o
		}
	}
	return nil
}

// manifest is what the finding is about, nil if that is not a manifest.
func (s *situation) manifest() *manifest.Object {
	if o := s.outcome(); o != nil {
		return o.Manifest
	}
	set := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(s.Manifest)})
	for _, o := range set.Objects {
		id := o.ID()
		if placed := (manifest.Identity{Group: id.Group, Kind: id.Kind, Namespace: "default", Name: id.Name}); id.String() == s.Object || placed.String() == s.Object {
			return o
		}
	}
	return nil
}

// alone leaves out all manifests but the one that the finding is about.
func (s *situation) alone() bool {
	o := s.manifest()
	if o == nil {
		return false
	}
	s.Manifest = yamltext.YAML(o.Tree)
	return true
}

// changeAll changes every manifest.
func (s *situation) changeAll(change func(o tree.Object)) bool {
	var b strings.Builder
	for _, o := range manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(s.Manifest)}).Objects {
		change(o.Tree)
		b.WriteString("---\n" + yamltext.YAML(o.Tree))
	}
	s.Manifest = b.String()
	return true
}

// changeConfig makes edits of the object that the finding is about.
func (s *situation) changeConfig(edits ...edit.Edit) bool {
	o := s.manifest()
	if o == nil || len(s.Path) == 0 {
		return false
	}
	x := proposal{s.Finding, o, edits}
	if x.possible() != nil {
		return false
	}
	s.Manifest = edited(s.T, s.Manifest, x)
	return true
}

// changeLive changes the live object that is named as kubectl or a finding names it,
// or deletes it if change returns nil. It reports whether there is one.
func (s *situation) changeLive(target string, change func(live tree.Object) tree.Object) (found bool) {
	var b strings.Builder
	stream := source.NewStream("live.yaml", s.Example.Live)
	for stream.Next() {
		objects := []any{stream.Value}
		if items, ok := tree.Map(stream.Value)["items"].([]any); ok && len(items) > 0 {
			objects = items
		}
		for _, v := range objects {
			live, ok := v.(tree.Object)
			if !ok {
				continue
			}
			if o := objectOf(live); lint.Target(o).String() == target || o.ID().String() == target {
				found = true
				if live = change(live); live == nil {
					continue
				}
			}
			b.WriteString("---\n" + yamltext.YAML(live))
		}
	}
	s.Example.Live = b.String()
	return found
}

// objectOf is a live object as the commands name it.
func objectOf(live tree.Object) *manifest.Object {
	set := manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(yamltext.YAML(live))})
	for o := range set.Objects() {
		return o
	}
	return &manifest.Object{}
}

// patched is what kubectl patch leaves of a live object.
func (s *situation) patched(live, changed tree.Object) tree.Object {
	r := kubectl.Requests{Run: merge.NewRehearsal(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: &manifest.Set{}, Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(s.Example.Live)})}}})}
	stored, rejection := r.Write(objectOf(live), live, changed, "kubectl-patch")
	if rejection != nil {
		s.Errorf("%s: kubectl patch is rejected: %s", s.Fix, rejection.Text().Unmasked())
	}
	return stored
}

// removed is an object without the value at a JSON pointer.
func removed(live tree.Object, pointer string) tree.Object {
	var p fieldpath.Path
	var v any = live
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if list, ok := v.([]any); ok {
			var i int
			fmt.Sscan(part, &i)
			p, v = p.Item(i), list[i]
		} else {
			p, v = p.Child(part), tree.Map(v)[part]
		}
	}
	return tree.Map(p.Without(live))
}

// merged is an object after a JSON merge patch.
func merged(v, patch tree.Object) tree.Object {
	v = tree.CopyObject(v)
	for key, to := range patch {
		switch inner, ok := to.(tree.Object); {
		case to == nil:
			delete(v, key)
		case ok:
			v[key] = merged(tree.Map(v, key), inner)
		default:
			v[key] = to
		}
	}
	return v
}

// allowlist names the kinds of the manifests, but for those that the finding says
// to leave out.
func (s *situation) allowlist() string {
	flags := []string{"--prune-allowlist core/v1/ConfigMap"}
	for _, o := range s.plan.Outcomes {
		if strings.Contains(s.Fix, "keep its kind out") && strings.Contains(s.Object, o.Kind.Kind) || strings.HasSuffix(s.Fix, "without "+o.Kind.Kind) {
			continue
		}
		group := o.Kind.Group
		if group == "" {
			group = "core"
		}
		flag := "--prune-allowlist " + group + "/" + o.Kind.Version + "/" + o.Kind.Kind
		if !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return strings.Join(flags, " ")
}
