package rules

import (
	"threeway/lint"
	"threeway/merge/prune"
)

var applysetParentInvalid = &lint.Rule{
	ID:    "applyset-parent-invalid",
	Title: "the ApplySet's parent cannot be used",
	Text: "kubectl does not accept the object that --applyset names as a parent: it exists without the label and annotations of a parent, they " +
		"are those of another tool or of another name, or its kind is not allowed. Reported at the parent in the snapshot, otherwise at the first " +
		"object.",
	Why:      "kubectl refuses the whole run, so that it does not take over an object that it did not create. Nothing is applied.",
	Fix:      "Give --applyset a name that no other Secret has. If the parent belongs to another tool, apply with that tool.",
	Links:    []string{pruneKEP, declarative + "#alternative-kubectl-apply-f-directory-prune"},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		refusal := refused(p, prune.BadParent)
		if refusal == nil {
			return
		}
		r := lint.Report{Message: "kubectl refuses to run: " + refusal.Text, Fix: wayToParent(refusal.Parent)}
		if refusal.Object == nil {
			p.ReportRun(r)
			return
		}
		r.Path = refusal.Path
		p.ReportAt(refusal.Object, r)
	},
}

// wayToParent is the way out of kubectl's refusal of a parent.
func wayToParent(what prune.Parent) string {
	switch what {
	case prune.OtherTool:
		return "apply with the tool that created the ApplySet, or give --applyset another name"
	case prune.OtherID:
		return "the parent was copied or renamed: give --applyset another name, or delete the copy"
	case prune.NoToolingName:
		return "an object that is not an ApplySet has this name: give --applyset another one"
	case prune.NoID:
		return "the label was removed: restore it, or give --applyset another name"
	case prune.NotCreated:
		return "create the custom resource first, or use a Secret or ConfigMap, which kubectl creates itself"
	case prune.NotPermitted:
		return "use a Secret or ConfigMap, or label the kind's definition with " + prune.ParentTypeLabel + "=true"
	case prune.UnknownResource:
		return "correct the resource before the slash, or add its definition to the snapshot; without a resource the parent is a Secret"
	case prune.NoSuchNamespace:
		return "create the namespace before the first run; a Namespace among the manifests comes too late"
	}
	return "correct the annotations of the parent, or give --applyset another name"
}
