package rules

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var losesData = &lint.Rule{
	ID:    "loses-data",
	Title: "data is deleted, or left behind in a volume",
	Text: "Apply makes pods use another claim for a volume, or a directory that is deleted with the pod; unmounts a volume that outlives " +
		"the pod, or takes files of a ConfigMap or Secret from a container; lets a volume be deleted with its claim; or lets the claims of a StatefulSet be deleted, at once if it also lowers the " +
		"replicas.",
	Why: "The next pods find an empty volume, or the data is deleted with the claim. Applying the old manifests does not bring it back.",
	Fix: "Copy the data first. Keep the reclaim and retention policies at Retain for data that must outlive its claim.",
	Links: []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming",
		"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention"},
	Severity: lint.Warning,
	Effect:   impact.LosesData,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range p.Accepted() {
			reportLostFiles(p, c, o)
			for _, loss := range losses(o) {
				if departed(p, o, loss.path) {
					continue
				}
				r := lint.Report{Path: loss.path, LivePath: loss.path, Message: loss.text, Fix: loss.fix, Severity: loss.severity, Effect: loss.effect}
				for _, at := range slices.Sorted(maps.Keys(o.Overwritten())) {
					d := o.Overwritten()[at]
					if by := otherOwners(o, d.Path); d.InOld && loss.path.Holds(d.Path) && by != nil {
						r.Notes = []string{"the live volume was changed " + changedBy(by, d.Since) + ", after the last apply"}
					}
				}
				p.Report(o, r)
			}
		}
	},
}

// loss is one way in which data is lost.
type loss struct {
	path      fieldpath.Path
	text, fix string
	severity  lint.Severity
	effect    impact.Effect
}

func losses(o *lint.Object) []loss {
	switch {
	case o.Is("PersistentVolume"):
		path := fieldpath.New("spec", "persistentVolumeReclaimPolicy")
		if nowDeletes(o, path) {
			return []loss{{path, "the volume and its data are deleted with its claim from now on; today they are kept", "keep Retain", lint.Unset, ""}}
		}
	case o.Is("StatefulSet.apps"):
		return slices.Concat(otherVolumes(o), movedMounts(o), lessRetention(o))
	}
	return append(otherVolumes(o), movedMounts(o)...)
}

// nowDeletes reports whether a policy was Retain and is Delete.
func nowDeletes(o *lint.Object, policy fieldpath.Path) bool {
	was, _ := o.Find(policy, o.Before)
	now, _ := o.Find(policy, o.Result)
	return was == "Retain" && now == "Delete"
}

// otherVolumes are the volumes of pods that are another claim than before, or no
// claim any more. One that the containers no longer mount is not.
func otherVolumes(o *lint.Object) (list []loss) {
	at, before := podSpec(o.Kind, o.Before)
	_, after := podSpec(o.Kind, o.Result)
	had := map[string]string{}
	for _, v := range tree.List(before, "volumes") {
		had[tree.String(v, "name")] = tree.String(v, "persistentVolumeClaim", "claimName")
	}
	for i, v := range tree.List(after, "volumes") {
		name := tree.String(v, "name")
		claim, now := had[name], tree.String(v, "persistentVolumeClaim", "claimName")
		path := o.Keyed(at.Child("volumes").Item(i), o.Result)
		switch {
		case claim == "" || claim == now || !mounts(before, name) || !mounts(after, name):
		case now != "":
			list = append(list, loss{path, fmt.Sprintf("volume %s uses claim %s from now on: the data stays in claim %s, and the pods no longer see it", name, now, claim), "copy the data first, or keep claim " + claim, lint.Unset, ""})
		case tree.Has(v, "emptyDir"):
			list = append(list, loss{path, fmt.Sprintf("volume %s becomes an emptyDir, which is deleted with its pod: the data stays in claim %s, and the pods no longer see it", name, claim), "keep claim " + claim, lint.Unset, ""})
		}
	}
	return list
}

// mounts reports whether a container of a pod mounts a volume.
func mounts(spec tree.Object, volume string) bool {
	for _, c := range containers(nil, spec) {
		for _, m := range tree.List(c.tree, "volumeMounts") {
			if tree.String(m, "name") == volume {
				return true
			}
		}
	}
	return false
}

// mount is a volume that outlives its pod, as a container has it mounted.
type mount struct {
	volume, source string // source is "" of other volumes
	path, dir      string
}

// movedMounts are the paths of containers where the volume that outlived the pod, or the
// directory of it, is another one after the apply, or none.
func movedMounts(o *lint.Object) (list []loss) {
	at, after := podSpec(o.Kind, o.Result)
	_, before := podSpec(o.Kind, o.Before)
	if before == nil || tree.Equal(before, after) {
		return nil
	}
	was, is := lastingVolumes(o.Before, before), lastingVolumes(o.Result, after)
	old := map[string]container{}
	for _, c := range containers(fieldpath.New(), before) {
		old[c.path[0].Field+c.name] = c
	}
	for _, c := range containers(at, after) {
		now, places := map[string]mount{}, map[string]string{}
		for _, m := range mountsOf(c.tree, is) {
			now[m.path] = m
			places[m.source+directory(m.dir)] = m.path
		}
		for _, m := range mountsOf(old[c.path[len(at)].Field+c.name].tree, was) {
			if m.source == "" {
				continue
			}
			text := fmt.Sprintf("container %s ", c.name)
			l := loss{path: o.Keyed(c.path, o.Result).Child("volumeMounts"), fix: "move the data first, or mount " + m.source + " at " + m.path + " as before"}
			switch there, found := mountedAt(now, m.path); {
			case !found:
				l.text = text + "has nothing mounted at " + m.path + " any more: what it writes there is lost when it restarts, and the data stays in " + m.source
				if place := places[m.source+directory(m.dir)]; place != "" {
					l.text += ", which is at " + place
				}
				l.effect = impact.None // the program may have moved with it
			case there.source == m.source && there.dir == m.dir, there.volume == m.volume && there.source != m.source:
				continue // the volume itself is another one
			case there.source == m.source:
				l.text = fmt.Sprintf("%ssees %s of %s at %s, not %s: the data stays there", text, directory(there.dir), m.source, m.path, directory(m.dir))
			default:
				l.text = fmt.Sprintf("%ssees volume %s at %s from now on: the data stays in %s", text, there.volume, m.path, m.source)
			}
			list = append(list, l)
		}
	}
	return list
}

func directory(dir string) string {
	if dir == "." {
		return "the top"
	}
	return "directory " + dir
}

// mountedAt is what is mounted at a path, or at the nearest directory above it: dir is that of
// the path.
func mountedAt(mounts map[string]mount, at string) (m mount, found bool) {
	for above := at; ; above = path.Dir(above) {
		if m, found = mounts[above]; found {
			m.dir = path.Join(m.dir, strings.TrimPrefix(at, above))
			return m, true
		}
		if above == "/" || above == "." {
			return mount{}, false
		}
	}
}

// mountsOf are those of a container, with the sources of the volumes that outlive the pod.
func mountsOf(c tree.Object, lasting map[string]string) (list []mount) {
	for _, m := range tree.List(c, "volumeMounts") {
		name := tree.String(m, "name")
		dir := path.Clean(cmp.Or(tree.String(m, "subPath"), tree.String(m, "subPathExpr"), "."))
		list = append(list, mount{name, lasting[name], path.Clean(tree.String(m, "mountPath")), dir})
	}
	return list
}

// lastingVolumes are the sources of volumes that outlive their pod, by the name of the volume.
func lastingVolumes(obj, spec tree.Object) map[string]string {
	lasting := map[string]string{}
	for _, v := range tree.List(spec, "volumes") {
		name := tree.String(v, "name")
		for source, of := range tree.Map(v) {
			switch source {
			case "name", "emptyDir", "configMap", "secret", "projected", "downwardAPI", "ephemeral", "image", "gitRepo":
			case "persistentVolumeClaim":
				lasting[name] = "claim " + tree.String(of, "claimName")
			case "hostPath":
				lasting[name] = "host path " + tree.String(of, "path")
			default:
				lasting[name] = source + " volume " + name
			}
		}
	}
	for _, t := range tree.List(obj, "spec", "volumeClaimTemplates") {
		lasting[tree.String(t, "metadata", "name")] = "the claim of template " + tree.String(t, "metadata", "name")
	}
	return lasting
}

// lessRetention is what becomes of the claims of a StatefulSet.
func lessRetention(o *lint.Object) (list []loss) {
	if len(tree.List(o.Result, "spec", "volumeClaimTemplates")) == 0 {
		return nil
	}
	policy := fieldpath.New("spec", "persistentVolumeClaimRetentionPolicy")
	if path := policy.Child("whenDeleted"); nowDeletes(o, path) {
		list = append(list, loss{path, "the claims and their data are deleted with the StatefulSet from now on; today they are kept", "keep Retain", lint.Unset, ""})
	}
	was, _ := tree.Int(o.Before, "spec", "replicas")
	now, _ := tree.Int(o.Result, "spec", "replicas")
	deletes := tree.String(o.Result, "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled") == "Delete"
	path := policy.Child("whenScaled")
	switch {
	case deletes && now < was:
		list = append(list, loss{fieldpath.New("spec", "replicas"), fmt.Sprintf("the StatefulSet is scaled from %d to %d, and the claims of the others are deleted with their data (whenScaled: Delete)", was, now),
			"keep the replicas, or set whenScaled: Retain first", lint.Error, ""})
	case nowDeletes(o, path):
		list = append(list, loss{path, "the claims and their data are deleted when the StatefulSet is scaled down from now on; today they are kept", "keep Retain", lint.Unset, ""})
	}
	return list
}
