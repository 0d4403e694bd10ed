package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var immutableFieldChange = &lint.Rule{
	ID:    "immutable-field-change",
	Title: "an immutable field would change",
	Text: "Apply would change a field that cannot change after creation: most of a StatefulSet's spec, a Job's template, a claim's spec, a " +
		"Service's clusterIP, roleRef, a Secret's type, data marked immutable.",
	Why:      "The server rejects the whole object, with all its other changes.",
	Fix:      "Keep the live value. If it must change, follow the steps of the remedy. Where none are known, delete the object and apply again.",
	Links:    []string{issue + "41015", issue + "58007", issue + "24040", "https://github.com/GoogleContainerTools/skaffold/issues/7309"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if o.Live == nil || f.Code != fault.Immutable || selectorOnly(o, []fieldpath.Path{f.Path}) {
			return nil
		}
		if f.Path.HasPrefix(fieldpath.New("metadata")) {
			return nil // server-metadata-in-config
		}
		changed := changedBelow(o, f)
		path := changed[0]
		if selectorOnly(o, changed) {
			return nil // selector-change's
		}
		keep, edits := keeping(o, changed)
		if slices.ContainsFunc(changed, func(path fieldpath.Path) bool { return path.HasPrefix(fieldpath.New("spec", "selector")) }) {
			edits = nil // the labels of the template go with it
		}
		fix, ways := keep, []lint.Way{{Words: "delete the object, then apply again: ", Commands: []string{shell.Line("kubectl delete", o.Target())}}}
		switch {
		case o.Is("Job.batch"):
			fix, edits, ways = "give the Job a new name", nil, nil
		case o.Is("StatefulSet.apps", "PersistentVolumeClaim"):
			ways = nil
		case o.Is("Pod"):
			fix, edits, ways[0].Instead = "", nil, "delete the object, then apply again"
		case o.Is("CustomResourceDefinition.apiextensions.k8s.io"):
			fix, ways = keep+": deleting the definition would delete all its objects", nil
		case o.Is("VolumeAttachment.storage.k8s.io"):
			fix, ways = keep+": deleting the object would detach the volume", nil
		case o.Is("Service"):
			ways[0].Words = "delete the object, which frees its addresses, then apply again: "
		case o.Is("PersistentVolume"):
			fix, ways = keep+"; or create a volume under a new name", nil
		case o.Is("RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io"):
			fix, ways = "keep the live roleRef", nil
		}
		return &lint.Report{
			Path: path, Message: named(changed) + " cannot be " + done(o, changed) + "; apply is rejected: " + firstLine(f.Detail),
			LivePath: path, Fix: fix, Ways: ways, Suggested: edits, Likely: true,
		}
	},
}

// done is what the apply does to the fields: it adds, removes or changes them.
func done(o *lint.Object, fields []fieldpath.Path) string {
	lacks := func(obj tree.Object) bool {
		return !slices.ContainsFunc(fields, func(path fieldpath.Path) bool {
			return has(obj, path) || path[0].Field == "stringData" && has(obj, fieldpath.New("data").Join(path[1:]))
		})
	}
	switch {
	case lacks(o.Before):
		return "added"
	case lacks(o.Manifest.Tree) && lacks(o.Merged()):
		return "removed"
	}
	return "changed"
}

// changedBelow are the fields that a fault is about, without those that may be changed.
func changedBelow(o *lint.Object, f lint.Fault) []fieldpath.Path {
	fixed := slices.DeleteFunc(slices.Clone(f.Changed), func(path fieldpath.Path) bool { return mayChange(o, f, path) })
	switch {
	case len(fixed) > 0:
		return fixed
	case len(f.Changed) > 0:
		return f.Changed
	}
	return []fieldpath.Path{f.Path}
}

// mayChange reports whether the server lets a field of the spec change that a fault is
// about.
func mayChange(o *lint.Object, f lint.Fault, path fieldpath.Path) bool {
	if len(path) < 2 {
		return false
	}
	name, last := path[1].Field, path[len(path)-1].Field
	switch spec := f.Path.Equal(fieldpath.New("spec")); {
	case f.Path[len(f.Path)-1].Field == "persistentvolumesource":
		return !kube.Alternative(name)
	case spec && o.Is("StatefulSet.apps"):
		return slices.Contains(kube.StatefulSetUpdates, name)
	case spec && o.Is("PersistentVolumeClaim") && tree.String(o.Before, "status", "phase") == "Bound":
		return path.HasPrefix(fieldpath.New("spec", "resources", "requests", "storage")) || name == "volumeAttributesClassName"
	case spec && o.Is("Pod"):
		return last == "image" && len(path) == 4 || name == "activeDeadlineSeconds"
	}
	return false
}
