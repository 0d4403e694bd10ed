package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var immutableFieldChange = &lint.Rule{
	ID:    "immutable-field-change",
	Title: "a field that cannot be changed would be",
	Text: "The apply would change a field that the API server keeps as it was when the object was made: most of a StatefulSet's spec, " +
		"a Job's template, a claim's spec, a Service's clusterIP, roleRef, a Secret's type, data marked immutable.",
	Why:      "The whole object is rejected; what else the config changes in it is not applied either.",
	Fix:      "Keep the live value. If it must change, delete and recreate the object, or create it under a new name.",
	Bad:      lint.Example{Applied: statefulSet(""), Config: strings.Replace(statefulSet(""), "serviceName: db", "serviceName: database", 1)},
	Good:     lint.Example{Applied: statefulSet(""), Config: statefulSet("")},
	NearMiss: lint.Example{Applied: statefulSet(""), Config: statefulSet("\n  replicas: 3")},
	Links:    []string{issue + "41015", issue + "58007", issue + "24040", "https://github.com/GoogleContainerTools/skaffold/issues/7309"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if o.Live == nil || !speaksOfImmutable(f) || f.Path.HasPrefix(fieldpath.New("spec", "selector")) && !o.Is("Job.batch") {
			return nil
		}
		path := changedBelow(o, f.Path)
		fix := "keep the live value, or delete the object and apply again"
		switch {
		case o.Is("Job.batch"):
			fix = "delete the Job and apply again, or give it a new name: kubectl delete job " + o.Config.Name
		case o.Is("StatefulSet.apps"):
			fix = "keep the live value; or kubectl delete statefulset " + o.Config.Name + " --cascade=orphan and apply again, which keeps the pods"
		case o.Is("PersistentVolumeClaim"):
			fix = "keep the live value; a claim's data is deleted with it, so copy it to a new claim instead"
		case o.Is("RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io"):
			fix = "keep the live roleRef, or make a new binding and delete the old one: the rights are gone in between"
		}
		return &lint.Report{
			Path: path, Message: path.String() + " cannot be changed; apply is rejected: " + firstLine(f.Detail),
			LivePath: path, Fix: fix,
		}
	},
}

// speaksOfImmutable knows the words in which the server's validations say that
// a field must stay as it is (pkg/apis/*/validation).
func speaksOfImmutable(f lint.Fault) bool {
	for _, words := range []string{
		"field is immutable", "cannot change roleRef", "may not change once set", "is immutable", "updates to statefulset spec for fields other than",
		"may not be changed", "pod updates may not change fields other than", "are immutable", "cannot be changed",
	} {
		if strings.Contains(f.Detail, words) {
			return true
		}
	}
	return false
}

// changedBelow narrows a path such as spec down to the single field that
// differs, as long as there is only one.
func changedBelow(o *lint.Object, p fieldpath.Path) fieldpath.Path {
	old, ok := p.Find(o.Before)
	merged, ok2 := p.Find(o.Merged())
	if !ok || !ok2 {
		return p
	}
	for {
		x, y := tree.Map(old), tree.Map(merged)
		if x == nil || y == nil {
			return p
		}
		var differing []string
		for key := range y {
			if _, set := fieldpath.Path(p).Child(key).Find(o.Config.Tree); set && !tree.Equal(x[key], y[key]) {
				differing = append(differing, key)
			}
		}
		if len(differing) != 1 {
			return p
		}
		p = p.Child(differing[0])
		old, merged = x[differing[0]], y[differing[0]]
	}
}
