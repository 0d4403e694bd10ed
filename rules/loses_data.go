package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/tree"
)

var losesData = &lint.Rule{
	ID:    "loses-data",
	Title: "data is deleted, or left behind in a volume",
	Text: "Apply makes pods use another claim for a volume, or a directory that is deleted with the pod; it lets a volume be deleted with its claim; " +
		"or it lets the claims of a StatefulSet be deleted, at once if it also lowers the replicas.",
	Why: "The pods that start next find an empty volume, or the data is deleted with the claim. Applying the old manifests does not bring it " +
		"back.",
	Fix: "Copy the data first. Keep the reclaim and retention policies at Retain for data that must outlive its claim.",
	Links: []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming",
		"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention"},
	Severity: lint.Warning,
	Effect:   impact.LosesData,
	Needs:    lint.Live,
	Since:    "0.10",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, loss := range losses(o) {
				if !departed(p, o, loss.path) {
					p.Report(o, lint.Report{Path: loss.path, LivePath: loss.path, Message: loss.text, Fix: loss.fix, Severity: loss.severity})
				}
			}
		}
	},
}

// loss is one way in which data is lost.
type loss struct {
	path      fieldpath.Path
	text, fix string
	severity  lint.Severity
}

func losses(o *lint.Object) []loss {
	switch {
	case o.Is("PersistentVolume"):
		path := fieldpath.New("spec", "persistentVolumeReclaimPolicy")
		if nowDeletes(o, path) {
			return []loss{{path, "the volume and its data are deleted with its claim from now on; today they are kept", "keep Retain", lint.Unset}}
		}
	case o.Is("StatefulSet.apps"):
		return append(otherVolumes(o), lessRetention(o)...)
	}
	return otherVolumes(o)
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
			list = append(list, loss{path, fmt.Sprintf("volume %s uses claim %s from now on: the data stays in claim %s, and the pods no longer see it", name, now, claim), "copy the data first, or keep claim " + claim, lint.Unset})
		case tree.Has(v, "emptyDir"):
			list = append(list, loss{path, fmt.Sprintf("volume %s becomes an emptyDir, which is deleted with its pod: the data stays in claim %s, and the pods no longer see it", name, claim), "keep claim " + claim, lint.Unset})
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

// lessRetention is what becomes of the claims of a StatefulSet.
func lessRetention(o *lint.Object) (list []loss) {
	if len(tree.List(o.Result, "spec", "volumeClaimTemplates")) == 0 {
		return nil
	}
	policy := fieldpath.New("spec", "persistentVolumeClaimRetentionPolicy")
	if path := policy.Child("whenDeleted"); nowDeletes(o, path) {
		list = append(list, loss{path, "the claims and their data are deleted with the StatefulSet from now on; today they are kept", "keep Retain", lint.Unset})
	}
	was, _ := tree.Int(o.Before, "spec", "replicas")
	now, _ := tree.Int(o.Result, "spec", "replicas")
	deletes := tree.String(o.Result, "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled") == "Delete"
	path := policy.Child("whenScaled")
	switch {
	case deletes && now < was:
		list = append(list, loss{fieldpath.New("spec", "replicas"), fmt.Sprintf("the StatefulSet is scaled from %d to %d, and the claims of the others are deleted with their data (whenScaled: Delete)", was, now),
			"keep the replicas, or set whenScaled: Retain first", lint.Error})
	case nowDeletes(o, path):
		list = append(list, loss{path, "the claims and their data are deleted when the StatefulSet is scaled down from now on; today they are kept", "keep Retain", lint.Unset})
	}
	return list
}
