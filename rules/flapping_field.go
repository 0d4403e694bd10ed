package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/by/argocd"
	"threeway/merge/by/flux"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var flappingField = &lint.Rule{
	ID:    "flapping-field",
	Title: "an applier and a controller undo each other's value",
	Text: "Helm, Argo CD or Flux sets a field to another value than a controller has written since the applier's last run: the caBundle of " +
		"a webhook, the sidecars in a list that is replaced as a whole, a number that an operator tunes. Changes by a person: " +
		"reverts-live-change, ssa-force-takes-ownership; replicas: replicas-with-autoscaler.",
	Why: "Each run of the applier resets the field, and the controller writes its value again: with self-heal of Argo CD, or at each interval of Flux, forever. Until then a webhook has no valid certificate, or pods are replaced twice.",
	Fix: "Remove the field from the manifest, or have the applier ignore it: ignoreDifferences with RespectIgnoreDifferences=true in Argo " +
		"CD, spec.ignore in a Kustomization of Flux.",
	Links: []string{
		applyPage + "#conflicts",
		"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#respect-ignore-difference-configs",
		"https://cert-manager.io/docs/concepts/ca-injector/",
	},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.OtherApplier,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, f := range flaps(p, o) {
				path, from, to := narrowed(f.Path, f.live, f.applied)
				live, now := lint.Contrast(from, to)
				r := lint.Report{
					Path: path, LivePath: path, Live: live,
					Message: fmt.Sprintf("each %s of %s resets %s to %s, which %s has changed to %s since the last one", o.By.Run(), o.By.Claim().Program, path, now, f.by, live),
					Notes:   againAndAgain(o),
					Ways:    []lint.Way{handOver(o, f.Path).Behind("to leave the field to " + f.by + ", ")},
				}
				if o.Applier != "" {
					r.Suggested = []edit.Edit{edit.Remove(f.Path)}
				}
				p.Report(o, r)
			}
		}
	},
}

// flap is a field that an applier and a controller write in turn.
type flap struct {
	fieldpath.Path
	by            string // manager
	live, applied any
}

// flaps are the fields of an object that the applier resets and that a controller has
// written after the applier's last run.
func flaps(p *lint.Pass, o *lint.Object) []flap {
	if o.By.Claim().IsKubectl() || o.Live == nil || o.Result == nil || o.Recreated {
		return nil
	}
	type list []flap
	return lint.Shared(o, func() (found list) {
		last := ""
		for _, w := range o.Owners() {
			if o.By.Claim().WritesAs(w.Manager) && w.Subresource == "" {
				last = max(last, w.Time) // RFC 3339 in UTC
			}
		}
		for _, w := range o.Owners() {
			if last == "" || w.Time < last || !isController(w.Owner) {
				continue
			}
			for _, f := range w.Leaves() {
				if flap, resets := resetTo(o, f, w.Manager); resets && !autoscaled(p, o, f) && !overwrittenThoughIgnored(o, f) {
					found = append(found, flap)
				}
			}
		}
		return found
	})
}

// resetTo is the change that the applier makes to a field of a manager, if the manifest
// has set it before too. What it had last is known only of client-side applies.
func resetTo(o *lint.Object, f fieldpath.Path, by string) (flap, bool) {
	set, ok := o.Find(f, o.Outcome.Target())
	live, ok2 := o.Find(f, o.Before)
	applied, ok3 := o.Find(f, o.Result)
	if _, block := set.(map[string]any); !ok || !ok2 || !ok3 || block || set == nil || tree.Equal(live, applied) || filledIn(o, f) {
		return flap{}, false
	}
	if o.Applier == "" && o.PatchType != rehearsal.Put && !o.Has(f, o.LastApplied()) {
		return flap{}, false
	}
	return flap{f, by, live, applied}, true
}

// isFlapping reports whether flapping-field speaks of the field.
func isFlapping(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	return slices.ContainsFunc(flaps(p, o), func(f flap) bool { return f.Overlaps(path) })
}

// isController reports whether an owner is a program that writes by itself: no command of
// a person, no browser, and none of the programs that apply manifests.
func isController(w owners.Owner) bool {
	for _, name := range []string{"kubectl", "before-first-apply", "oc", "k9s", "Mozilla", "node-fetch", "unknown"} {
		if w.Manager == name || strings.HasPrefix(w.Manager, name+"-") {
			return false
		}
	}
	return w.Subresource != "status" && !applier.IsManager(w.Manager)
}

// againAndAgain says that an applier resets a field without a new manifest.
func againAndAgain(o *lint.Object) []string {
	switch by := o.By.(type) {
	case *argocd.Application:
		if by.SelfHeal {
			return []string{o.By.Claim().By() + " has self-heal: it syncs whenever the value changes"}
		}
	case *flux.Kustomization:
		if by.Interval != "" && !by.Suspended {
			return []string{o.By.Claim().By() + " is reconciled every " + by.Interval}
		}
	}
	return nil
}
