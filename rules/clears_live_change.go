package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/by/helm"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var clearsLiveChange = &lint.Rule{
	ID:    "clears-live-change",
	Title: "removing a field also discards a change in the cluster",
	Text: "Last-applied has a field, or a map or list that contains it, and the manifest does not; another manager has set the live value since. " +
		"Apply removes it. For spec.replicas see replicas-drop-to-one.",
	Why: "You remove a field from the manifest to hand it over, for example to an autoscaler. But while last-applied has the field, apply " +
		"removes it, whichever manager set it last, and the server sets its default.",
	Fix: "Hand the field over in three steps: the other manager sets it; kubectl apply edit-last-applied removes it there; then remove it from " +
		"the manifest and apply. threeway handover prints these steps and rehearses them. If you want to discard the live value, there is nothing to do.",
	Links: []string{declarative + "#how-to-change-ownership-of-a-field-between-the-configuration-file-and-direct-imperative-writers",
		declarative + "#how-apply-calculates-differences-and-merges-changes", issue + "67135"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.LastApplied | lint.ManagedFields | lint.ClientSide,
	Decides: func(o *lint.Object) bool {
		return slices.ContainsFunc(o.Changes(), func(c explain.Change) bool {
			last, _ := o.Find(c.Path, o.LastApplied())
			live, _ := o.Find(c.Path, o.Before)
			return leaves(o, c) && !tree.Equal(live, last)
		})
	},
	Since: "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, c := range o.Changes() {
				writers := managersSince(o, c)
				if writers == nil || stopsProtecting(p, o, c.Path) {
					continue
				}
				p.Report(o, lint.Report{
					Path: c.Path, LivePath: c.Path,
					Message: fmt.Sprintf("%s was removed from the manifest: apply removes the live value, which %s has set since", c.Path, strings.Join(writers, ", ")),
					Ways:    []lint.Way{keepingLive(o, c.Path)},
				})
			}
		}
	},
}

// keepingLive says how the live value of a field that has left the manifest stays:
// what has left it, which may be a parent of the field, leaves last-applied first.
// An env var whose source the manifest replaces cannot have both.
func keepingLive(o *lint.Object, p fieldpath.Path) lint.Way {
	if variable, _ := o.Find(p[:len(p)-1], o.Manifest.Tree); tree.Has(variable, "value") || tree.Has(variable, "valueFrom") {
		return lint.Way{Words: "put the live value into the manifest to keep it, and leave out the other source"}
	}
	if helm.Of(o.Outcome) != nil {
		return lint.Way{Words: "put the live value into the chart's values to keep it: Helm has no way to leave a field of the last release to another manager"}
	}
	left, what := leftConfig(o, p), "the live value"
	if live, _ := o.Find(left, o.Before); len(tree.Map(live))-len(left[len(left)-1].Keys) > 1 {
		what += " and all that is beside it"
	}
	return lint.Way{
		Words:    "to keep " + what + ", remove " + left.String() + " from last-applied first: ",
		Commands: o.Forgetting(), Forget: []fieldpath.Path{left},
		Instead: "to keep " + what + ", put it into the manifest",
	}
}

// managersSince names who has set the field that a change clears, if that is
// another manager than the one that applied it.
func managersSince(o *lint.Object, c explain.Change) (writers []string) {
	if !leaves(o, c) || systemMetadata(c.Path) || filledIn(o, c.Path) || dropsToOne(o, c.Path) {
		return nil
	}
	for _, w := range o.OwnersOf(c.Path) {
		switch {
		case oldApplier(w.Manager) || w.Operation == "Apply" || w.Manager == o.By.Claim().Manager():
			return nil
		case w.Subresource != "status" && !slices.Contains(writers, w.Manager):
			writers = append(writers, w.Manager)
		}
	}
	return writers
}

// leaves reports whether a change is that a field has left the manifest.
func leaves(o *lint.Object, c explain.Change) bool {
	return (c.Reason == explain.Cleared || c.Reason == explain.Defaulted) && leftConfig(o, c.Path) != nil
}

// leftConfig is the field, or the outermost parent of it, that last-applied has and
// the manifest does not; nil if there is none.
func leftConfig(o *lint.Object, p fieldpath.Path) fieldpath.Path {
	for n := 1; n <= len(p); n++ {
		_, applied := o.Find(p[:n], o.LastApplied())
		if _, kept := o.Find(p[:n], o.Manifest.Tree); !kept {
			if applied {
				return p[:n]
			}
			return nil
		}
	}
	return nil
}
