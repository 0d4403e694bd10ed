package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/tree"
)

var pruneRefused = &lint.Rule{
	ID:     "prune-refused",
	Former: []string{"prune-empty-input", "prune-with-server-side", "prune-without-selector", "applyset-namespaced-parent", "applyset-parent-invalid"},
	Title:  "kubectl refuses to run with --prune",
	Text: "kubectl refuses the whole run: there is no object to apply; --prune has neither -l nor --all; it is combined with --server-side " +
		"but not with --applyset; the parent of --applyset cannot be used, or is in another namespace; or a manifest has the label that " +
		"--applyset sets itself.",
	Why: "Nothing is applied or pruned. An empty input is often a mistake: a template rendered nothing, or -l has a typo.",
	Fix: "Prune with a label that all your objects and no others have, or with --applyset; for an ApplySet that spans namespaces use a cluster-scoped " +
		"custom resource as the parent.",
	Links:    []string{declarative + "#alternative-kubectl-apply-f-directory-prune", pruneKEP, issue + "40637", issue + "110893", "https://github.com/kubernetes/enhancements/pull/3919"},
	Severity: lint.Error,
	Needs:    lint.Prune,
	Run: func(p *lint.Pass) {
		for _, report := range []func(*lint.Pass){emptyInput, pruneServerSide, noSelection, namespacedParent, badParent, labelInInput, pruneFails} {
			report(p)
		}
	},
}

// emptyInput reports that there is nothing to apply.
func emptyInput(p *lint.Pass) {
	unread := slices.ContainsFunc(p.Plan.Problems, func(x manifest.Problem) bool { return x.Severity == manifest.Error })
	if len(p.Set()) > 0 || unread {
		return
	}
	r := lint.Report{
		Message: "the input has no objects: kubectl --prune refuses to run",
		Fix:     "find out why there is no object; to delete all objects on purpose, use kubectl delete",
	}
	if n := len(p.Options.Manifests.Objects); n > 0 {
		r.Message = "no object of the input matches -l " + p.Options.Prune.SelectorText + ": kubectl --prune refuses to run"
		r.Fix = "correct -l, or give the objects the label"
	}
	p.ReportRun(r)
}

// pruneServerSide reports a prune by label of a server-side apply.
func pruneServerSide(p *lint.Pass) {
	if refused(p, prune.WithSSA) != nil {
		p.ReportRun(lint.Report{
			Message: "--prune by kind and label does not work with --server-side: kubectl refuses to run",
			Fix:     "use --prune --applyset=NAME -n NAMESPACE, or apply client-side",
		})
	}
}

// noSelection reports a prune that selects nothing.
func noSelection(p *lint.Pass) {
	if refused(p, prune.NoSelection) == nil {
		return
	}
	p.ReportRun(lint.Report{Message: "--prune has neither -l nor --all: kubectl refuses to run", Fix: wayToSelect(p)})
}

// wayToSelect is the way to a prune that selects the objects of the set alone.
func wayToSelect(p *lint.Pass) string {
	if label := sharedLabel(p); label != "" {
		return "prune with -l " + label + ", which all objects have, if no other objects have it"
	}
	return "give the objects a label that no others have, and prune with -l"
}

// namespacedParent reports a parent that limits the ApplySet to one namespace.
func namespacedParent(p *lint.Pass) {
	if refused(p, prune.NoNamespace) != nil {
		p.ReportRun(lint.Report{
			Message: "the parent " + p.Plan.ApplySet.Identity().String() + " lives in a namespace, and -n is missing: kubectl refuses to run",
			Fix:     "pass -n with the namespace of the objects",
		})
		return
	}
	if p.Plan.ApplySet == nil || !p.Plan.ApplySet.Namespaced() {
		return
	}
	var others []string
	for o := range p.Objects() {
		if ns := o.Manifest.Namespace; ns != "" && ns != p.Options.Namespace && !slices.Contains(others, ns) {
			others = append(others, ns)
		}
	}
	if len(others) > 0 {
		slices.Sort(others)
		p.ReportRun(lint.Report{
			Message: "the parent " + p.Plan.ApplySet.Identity().String() + " limits the ApplySet to namespace " + p.Options.Namespace + ", but there are objects in " +
				strings.Join(others, ", ") + ": kubectl rejects them and prunes nothing",
			Fix: "use a cluster-scoped custom resource as the parent, or one ApplySet for each namespace",
		})
	}
}

// badParent reports a parent that kubectl does not accept.
func badParent(p *lint.Pass) {
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
}

// labelInInput reports manifests with the label of an ApplySet.
func labelInInput(p *lint.Pass) {
	path := fieldpath.New("metadata", "labels", prune.PartOfLabel)
	for _, r := range p.Plan.Refused {
		if r.Cause == prune.LabelInInput {
			p.ReportAt(r.Object, lint.Report{Path: path, Severity: lint.Error, Message: "the manifest has the label that --applyset sets itself; kubectl refuses to run", Fix: "remove the label"})
		}
	}
}

// pruneFails reports that the prune ends with an error after the apply.
func pruneFails(p *lint.Pass) {
	if text := p.Plan.Prune.Error(); text != "" {
		p.ReportRun(lint.Report{Message: "the prune fails after the apply: " + text, Fix: wayToRights})
	}
}

const wayToRights = "give the user the right by a binding, or apply as one who has it"

// refused finds why kubectl refuses the whole run, if it is for the cause.
func refused(p *lint.Pass, cause prune.Cause) *prune.Refusal {
	for _, r := range p.Plan.Refused {
		if r.Cause == cause {
			return r
		}
	}
	return nil
}

// sharedLabel is a label that all objects of the set have and that looks as if
// it stays, or "".
func sharedLabel(p *lint.Pass) string {
	var shared tree.Object
	for o := range p.Objects() {
		labels := tree.Map(o.Manifest.Tree, "metadata", "labels")
		if shared == nil {
			shared = labels
			continue
		}
		both := tree.Object{}
		for key, value := range shared {
			if labels[key] == value {
				both[key] = value
			}
		}
		shared = both
	}
	for _, key := range tree.Keys(shared) {
		if value, ok := shared[key].(string); ok && mutable(key, value, nil) == "" {
			return key + "=" + value
		}
	}
	return ""
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
	case prune.NotAllowed:
		return wayToRights
	case prune.NotStored:
		return "give --applyset a name and a kind of parent that the server accepts"
	case prune.NoSuchNamespace:
		return "create the namespace before the first run; a Namespace among the manifests comes too late"
	}
	return "correct the annotations of the parent, or give --applyset another name"
}
