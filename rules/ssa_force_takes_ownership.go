package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var ssaForceTakesOwnership = &lint.Rule{
	ID:       "ssa-force-takes-ownership",
	Title:    "a server-side apply takes fields from another manager",
	Text:     "The manifest changes a field that another manager owns, and --force-conflicts takes it over. Also reported, though it is no conflict: a key of stringData that replaces the one of data, and a field that is removed together with its parent.",
	Why:      "A controller such as an autoscaler sets its value again, the next apply overwrites it, and so on.",
	Fix:      "Remove the field from the manifest to leave it to its manager.",
	Links:    []string{applyPage + "#conflicts"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.ServerSide,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, w := range o.Owners() {
				if o.ServerSide.Force && foreignOwner(o, w) {
					reportTaken(p, o, w)
				}
			}
			for _, c := range o.Changes() {
				if who := uncontested(o, c); who != nil {
					_, from, to := narrowed(c.Path, c.Old, c.New)
					live, now := lint.Contrast(from, to)
					r := lint.Report{Path: c.Path, LivePath: c.Path, Live: live, Fix: toKeep(o, c.Path),
						Message: fmt.Sprintf("apply removes %s, which %s owns, without a conflict", c.Path, strings.Join(who, ", "))}
					if c.InNew {
						r.Path, r.Fix = c.At, ""
						r.Ways = []lint.Way{{Words: "remove it from the manifest to keep the live value", Edits: []edit.Edit{edit.Remove(c.At)}, Instead: toKeep(o, c.Path)}}
						r.Message = fmt.Sprintf("apply changes %s from %s to %s without a conflict, overwriting a change by %s", c.Path, live, now, strings.Join(who, ", "))
					}
					p.Report(o, r)
				}
			}
		}
	},
}

// uncontested returns who owns a live field that changes without a conflict, if the one who applies
// does not: they own another path than the manifest sets, or it sets none, or a value in place of a map
// of which they own a part.
func uncontested(o *lint.Object, c explain.Change) (who []string) {
	if !c.InOld || len(o.Mutations) > 0 {
		return nil
	}
	owns := func(w owners.Entry) bool { return w.Owns(c.Path) }
	switch {
	case c.InNew && tree.Map(c.Old) != nil && tree.Map(c.New) == nil:
		owns = func(w owners.Entry) bool {
			return slices.ContainsFunc(w.Leaves(), func(leaf fieldpath.Path) bool { return len(leaf) > len(c.Path) && c.Path.Holds(leaf) })
		}
	case c.InNew && c.At != nil && !c.At.Equal(c.Path), !c.InNew && c.At == nil:
	default:
		return nil
	}
	for _, w := range o.Owners() {
		switch {
		case !owns(w):
		case !foreignOwner(o, w) || w.Owns(lastAppliedPath):
			return nil
		case !slices.Contains(who, w.Manager):
			who = append(who, w.Manager)
		}
	}
	return who
}

var lastAppliedPath = fieldpath.New("metadata", "annotations", rehearsal.LastAppliedKey)

// foreignOwner reports whether an entry is of another party: kubectl's own
// earlier applies are none.
func foreignOwner(o *lint.Object, w owners.Entry) bool {
	return w.Manager != o.ServerSide.Manager && w.Manager != "kubectl-client-side-apply" && w.Subresource != "status"
}

// takenByForce reports whether this rule speaks of the field.
func takenByForce(o *lint.Object, path fieldpath.Path) bool {
	live, _ := o.Find(path, o.Before)
	said, _ := o.Find(path, o.Manifest.Tree)
	if tree.Map(live) != nil && tree.Map(said) == nil {
		return false // what is owned below it is in no manifest
	}
	return o.ServerSide != nil && o.ServerSide.Force &&
		slices.ContainsFunc(o.OwnersOf(path), func(w owners.Entry) bool { return foreignOwner(o, w) })
}

func reportTaken(p *lint.Pass, o *lint.Object, w owners.Entry) {
	for _, f := range w.Leaves() {
		config, ok := o.Find(f, o.Manifest.Tree)
		old, ok2 := o.Find(f, o.Before)
		after, ok3 := o.Find(f, o.Result)
		if !ok || !ok2 || ok3 && tree.Equal(old, after) || tree.Map(config) != nil && tree.Map(old) != nil || isFlapping(p, o, f) || inCollected(o, f) {
			continue
		}
		path, from, to := narrowed(f, old, after)
		live, now := lint.Contrast(from, to)
		r := lint.Report{
			Path: path, LivePath: path, Live: live,
			Message: fmt.Sprintf("%s takes %s from %s and sets %s to %s", forces(o), f, w.Manager, path, now),
			Fix:     toKeep(o, path),
		}
		switch {
		case !ok3:
			r.Message = fmt.Sprintf("%s takes %s from %s and removes it", forces(o), f, w.Manager)
		case path.Equal(f):
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
