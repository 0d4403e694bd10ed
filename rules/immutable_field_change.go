package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/server/validation"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var immutableFieldChange = &lint.Rule{
	ID:    "immutable-field-change",
	Title: "an immutable field would change",
	Text: "Apply would change a field that the API server does not allow you to change after creation: most of a StatefulSet's spec, a Job's " +
		"template, a claim's spec, a Service's clusterIP, roleRef, a Secret's type, data marked immutable.",
	Why:      "The server rejects the whole object, with all its other changes.",
	Fix:      "Keep the live value. If it must change, delete and recreate the object, or create it under a new name.",
	Links:    []string{issue + "41015", issue + "58007", issue + "24040", "https://github.com/GoogleContainerTools/skaffold/issues/7309"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
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
		fix := keep + "; or delete the object, then apply again: " + shell.Line("kubectl delete", o.Target())
		switch {
		case o.Is("Job.batch"):
			fix, edits = "give the Job a new name; or delete it, then apply again: "+shell.Line("kubectl delete", o.Target()), nil
		case o.Is("StatefulSet.apps"):
			fix = keep + "; or delete the object but not its pods, then apply again: " + shell.Line("kubectl delete", o.Target(), shell.Option("--cascade=orphan"))
		case o.Is("Pod"):
			fix, edits = "delete the object, then apply again: "+shell.Line("kubectl delete", o.Target()), nil
		case o.Is("PersistentVolume"):
			fix = keep + "; or create a volume under a new name"
		case o.Is("PersistentVolumeClaim"):
			fix = keep + "; or create a claim under a new name and copy the data before you delete this one"
		case o.Is("RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io"):
			fix = "keep the live roleRef; or create a binding under a new name, and delete this one afterwards"
		}
		return &lint.Report{
			Path: path, Message: named(changed) + " cannot be " + done(o, changed) + "; apply is rejected: " + firstLine(f.Detail),
			LivePath: path, Fix: fix, Suggested: edits,
		}
	},
}

// done is what the apply does to the fields: it adds, removes or changes them.
func done(o *lint.Object, fields []fieldpath.Path) string {
	lacks := func(obj tree.Object) bool {
		return !slices.ContainsFunc(fields, func(path fieldpath.Path) bool { return has(obj, path) })
	}
	switch {
	case lacks(o.Before):
		return "added"
	case lacks(o.Merged()):
		return "removed"
	}
	return "changed"
}

// changedBelow narrows a path such as spec down to the fields that differ, as
// deep as they have a single parent. It leaves out those that may be changed.
func changedBelow(o *lint.Object, f lint.Fault) []fieldpath.Path {
	p := f.Path
	if parent := p[:len(p)-1]; p[len(p)-1].Field == "persistentvolumesource" { // the server's name for all of them
		p = parent
	}
	named := len(p)
	old, ok := p.Find(o.Before)
	merged, ok2 := p.Find(o.Merged())
	if !ok || !ok2 {
		return []fieldpath.Path{p}
	}
	for {
		steps := slices.DeleteFunc(differences(old, merged), func(s fieldpath.Path) bool {
			// What the manifest has never had, the server completes again.
			_, is := s.Find(merged)
			return !is && !has(o.LastApplied(), p.Join(s)) && !has(o.LastApplied(), o.InConfig(p.Join(s)))
		})
		if fixed := slices.DeleteFunc(slices.Clone(steps), func(s fieldpath.Path) bool { return mayChange(o, f, s) }); len(p) == named && len(fixed) > 0 {
			steps = fixed
		}
		if len(steps) == 0 {
			return []fieldpath.Path{p}
		}
		if len(steps) > 1 {
			var all []fieldpath.Path
			for _, s := range steps {
				all = append(all, o.InConfig(p.Join(s)))
			}
			return all
		}
		old, _ = steps[0].Find(old)
		merged, _ = steps[0].Find(merged)
		p = o.InConfig(p.Join(steps[0]))
		if p[len(p)-1].Keys != nil && !has(o.Before, p) {
			return []fieldpath.Path{p} // a new item
		}
	}
}

// mayChange reports whether the server lets a field of the spec change that a fault is
// about.
func mayChange(o *lint.Object, f lint.Fault, s fieldpath.Path) bool {
	switch spec := f.Path.Equal(fieldpath.New("spec")); {
	case f.Path[len(f.Path)-1].Field == "persistentvolumesource":
		return !validation.Alternative(s.String())
	case spec && o.Is("StatefulSet.apps"):
		return slices.Contains(validation.StatefulSetUpdates, s.String())
	case spec && o.Is("PersistentVolumeClaim"):
		return s.String() == "resources" || s.String() == "volumeAttributesClassName"
	}
	return false
}
