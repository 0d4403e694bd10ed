package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var stopsBeingWritable = &lint.Rule{
	ID:     "stops-being-writable",
	Former: []string{"crd-rejects-objects"},
	Title:  "objects can no longer be written",
	Text: "The apply changes or prunes an admission policy, its binding or its parameter, a CustomResourceDefinition, a LimitRange, or the " +
		"labels of a Namespace by which policies select, and after it the API server rejects every update of live objects that it " +
		"accepts before, or the next apply of the same manifests. Also reported: values of objects that a new schema does not allow.",
	Why: "Nothing fails yet. Later a controller, an autoscaler or a person writes the objects, and is rejected: finalizers are not removed, status and scale no longer change. Only a policy whose expression reads oldObject can exempt stored objects. A definition " +
		"lets unchanged values pass (validation ratcheting), but for rules and required fields at the top of the schema, and rules that " +
		"compare with oldSelf.",
	Fix: "Correct the objects first; or let a policy warn (validationActions: [Warn, Audit]) until nothing violates it, and give new required fields a default.",
	Links: []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting",
		"https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#validation-actions"},
	Severity: lint.Warning,
	Effect:   impact.Locks,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		for _, t := range p.Impact().Tightenings() {
			reportDenied(p, t.By, t.Reached, t.Updates, lint.Report{
				Message: phrase.Count(len(t.Updates), "live object can no longer be updated, even without a change: ", "live objects can no longer be updated, even without a change: "),
				Fix:     "correct the objects first, or what the server then asks of them",
			})
			reportDenied(p, t.By, t.Reached, t.Applies, lint.Report{
				Message: "the next apply of these manifests is rejected for " + phrase.Count(len(t.Applies), "object: ", "objects: "),
				Effect:  impact.Blocks, Fix: "correct the manifests first, or what the server then asks of them",
			})
		}
		definitionChanges(p, func(o *lint.Object, change *definitionChange) {
			if change.rejects != nil {
				kind := tree.String(o.Result, "spec", "names", "kind")
				p.Report(o, lint.Report{
					Path: fieldpath.New("spec", "versions"), Effect: impact.None,
					Message: fmt.Sprintf("the new schema does not allow what %s: writes that change these fields, or fields beside a required one, are rejected", havingIt(change.counted(change.rejects, kind), len(change.rejects))),
					Notes:   notesOf(change.rejects),
					Fix:     "correct the objects first, or give new required fields a default",
				})
			}
		})
	},
}

// reportDenied reports what an object, which is pruned or changes, makes the server reject, with
// the first texts of the server.
func reportDenied(p *lint.Pass, by *manifest.Object, reached int, denied []rehearsal.Denied, r lint.Report) {
	if len(denied) == 0 {
		return
	}
	names := make([]string, len(denied))
	for i, one := range denied {
		if names[i] = one.Object.ID().String(); i < 5 {
			r.Notes = append(r.Notes, one.Object.At()+": "+names[i]+": "+firstLine(p.Told(one.Object, one.Why)))
		}
	}
	if more := len(denied) - 5; more > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("and %d more", more))
	}
	if reached > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("not all of the %d objects that it decides over were looked at", reached))
	}
	r.Message, r.Count = r.Message+phrase.Some(names), len(denied)
	if m, inSet := clusterOf(p).set[by.ID()]; inSet {
		o := m.Object()
		if o.Before != nil {
			r.Path = decides[by.Kind.GroupKind()]
		}
		p.Report(o, r)
		return
	}
	p.ReportAt(by, r)
}

// decides are the fields with which objects decide over others.
var decides = map[string]fieldpath.Path{
	"CustomResourceDefinition.apiextensions.k8s.io": fieldpath.New("spec", "versions"),
	"LimitRange":    fieldpath.New("spec", "limits"),
	"Namespace":     fieldpath.New("metadata", "labels"),
	"ResourceQuota": fieldpath.New("spec", "hard"),
	"ValidatingAdmissionPolicy.admissionregistration.k8s.io":        fieldpath.New("spec"),
	"ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io": fieldpath.New("spec"),
	"MutatingAdmissionPolicy.admissionregistration.k8s.io":          fieldpath.New("spec"),
	"MutatingAdmissionPolicyBinding.admissionregistration.k8s.io":   fieldpath.New("spec"),
}
