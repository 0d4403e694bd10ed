package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

var ssaForceTakesOwnership = &lint.Rule{
	ID:    "ssa-force-takes-ownership",
	Title: "--force-conflicts takes fields from another manager",
	Text:  "The manifest changes a field that another manager owns, and --force-conflicts takes the field over.",
	Why: "A controller such as an autoscaler or a certificate injector does not notice: it sets its value again, the next apply resets it, " +
		"and so on.",
	Fix:      "Remove the field from the manifest to leave it to its manager.",
	Links:    []string{applyPage + "#conflicts"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, w := range o.Owners() {
				if o.ServerSide.Force && foreignOwner(o, w) {
					reportTaken(p, o, w)
				}
			}
		}
	},
}

// foreignOwner reports whether an entry is of another party: kubectl's own
// earlier applies are none.
func foreignOwner(o *lint.Object, w owners.Entry) bool {
	return w.Manager != o.ServerSide.Manager && w.Manager != "kubectl-client-side-apply" && w.Subresource != "status"
}

// takenByForce reports whether this rule speaks of the field.
func takenByForce(o *lint.Object, path fieldpath.Path) bool {
	return o.ServerSide != nil && o.ServerSide.Force &&
		slices.ContainsFunc(o.OwnersOf(path), func(w owners.Entry) bool { return foreignOwner(o, w) })
}

func reportTaken(p *lint.Pass, o *lint.Object, w owners.Entry) {
	for _, f := range w.Leaves() {
		config, ok := o.Find(f, o.Manifest.Tree)
		old, ok2 := o.Find(f, o.Before)
		after, ok3 := o.Find(f, o.Result)
		if _, block := config.(map[string]any); !ok || !ok2 || !ok3 || block || tree.Equal(old, after) || isFlapping(p, o, f) {
			continue
		}
		path, from, to := narrowed(f, old, after)
		live, now := lint.Contrast(from, to)
		r := lint.Report{
			Path: path, LivePath: path, Live: live,
			Message: fmt.Sprintf("%s takes %s from %s and sets %s to %s", forces(o), f, w.Manager, path, now),
			Fix:     "to keep the live value, set it in " + o.Where(),
		}
		if path.Equal(f) {
			r.Message = fmt.Sprintf("%s takes %s from %s and sets it to %s", forces(o), f, w.Manager, now)
		}
		if !imperative(w.Manager) {
			r.Fix += "; to leave the field to " + w.Manager + ", remove it from the manifest"
		}
		p.Report(o, r)
	}
}

// forces is what takes over fields: the flag, or an applier that always does.
func forces(o *lint.Object) string {
	if program := o.By.Claim().Program; program == applier.ArgoCD || program == applier.Flux {
		return string(program)
	}
	return "--force-conflicts"
}
