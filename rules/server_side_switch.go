package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/by/argocd"
	"threeway/merge/by/helm"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var serverSideSwitch = &lint.Rule{
	ID:    "server-side-switch",
	Title: "the switch to server-side apply keeps or removes fields",
	Text: "Helm 4 with --server-side, or Argo CD with ServerSideApply=true, applies an object server-side for the first time, and the " +
		"result is not that of a client-side run: a field that left the manifest stays, because another manager owns it; a field that only a failed revision of Helm set is removed; a default, such as imagePullPolicy, is set again. Conflicts: ssa-conflict.",
	Why: "Server-side apply removes what its manager owns and no longer applies; client-side apply removes what the last manifest had. What the first run after " +
		"the switch keeps, no later run removes.",
	Fix: "Before you switch, remove by hand what you do not want, and add what you want to the manifest. threeway diff with and without " +
		"--server-side shows both results.",
	Links: []string{
		"https://helm.sh/community/hips/hip-0023",
		"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#server-side-apply",
		applyPage + "#migration-between-client-side-and-server-side-apply",
	},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ManagedFields | lint.OtherApplier,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if !switches(o) {
				continue
			}
			before := appliedBefore(p, o)
			if before == nil || before.Result == nil {
				continue
			}
			first := "the first server-side " + o.By.Run() + " "
			kept, gone, set := diverging(p, o, before.Result)
			if len(kept) > 0 {
				by, instead := removal(o, kept)
				p.Report(o, lint.Report{
					Path: kept[0], LivePath: kept[0],
					Message: first + "keeps what a client-side one removes, because " + ownersOf(o, kept) + " owns it: " + named(kept),
					Fix:     instead, Ways: by,
				})
			}
			if len(gone) > 0 {
				p.Report(o, lint.Report{
					Path: gone[0], LivePath: gone[0], Suggested: taken(o, gone),
					Message: first + "removes what a client-side one keeps: " + named(gone),
					Fix:     "add what you want to keep to " + o.Where(),
				})
			}
			if len(set) > 0 {
				p.Report(o, lint.Report{
					Path: set[0], LivePath: set[0],
					Message: first + "changes what a client-side one leaves: " + named(set),
					Fix:     toKeep(o, set[0]),
				})
			}
		}
	},
}

// switches reports whether a server-side apply is the first one of its applier: the last
// revision of a release says so, and the managedFields of an object of Argo CD.
func switches(o *lint.Object) bool {
	if o.Live == nil || o.Applier == "" || o.Recreated {
		return false
	}
	switch by := o.By.(type) {
	case *helm.Release:
		return by.TakeOver && by.Original != nil && by.Rollback == 0
	case *argocd.Application:
		return !owners.Applies(o.Before, by.Claim().Manager()) && o.LastApplied() != nil
	}
	return false
}

// appliedBefore is the outcome of the same run client-side, unmasked, and without sync
// options of the object, which may ask for a server-side apply too.
func appliedBefore(p *lint.Pass, o *lint.Object) *rehearsal.Outcome {
	at := slices.IndexFunc(p.Plan.Outcomes, func(out *rehearsal.Outcome) bool { return out.Identity() == o.Identity() })
	if at < 0 {
		return nil
	}
	type clientSide struct{ *rehearsal.Run }
	rehearse := func() clientSide {
		opts := o.Run.Options
		opts.ServerSide = nil
		return clientSide{rehearsal.Alone(opts)}
	}
	r := clientSide{}
	if p.Plan.Parts != nil {
		r = rehearse()
	} else {
		r = lint.SharedByRun(p, rehearse)
	}
	config := *p.Plan.Outcomes[at].Manifest
	if own := fieldpath.New("metadata", "annotations", "argocd.argoproj.io/sync-options"); has(config.Tree, own) {
		if left, err := edit.Object(config.Tree, []edit.Edit{edit.Remove(own)}); err == nil {
			config.Tree = left
		}
	}
	return r.Object(&config)
}

// diverging are the fields in which the result differs from that of a client-side apply:
// those that stay, those that go, and those with another value. What an apply
// before owns is reported by other rules.
func diverging(p *lint.Pass, o *lint.Object, clientSide tree.Object) (kept, gone, set []fieldpath.Path) {
	left, _ := leftBehind(p, o)
	for _, w := range o.Owners() {
		for _, f := range w.Leaves() {
			before, _ := o.Find(f, o.Before)
			now, is := o.Find(f, o.Result)
			then, was := f.Find(clientSide)
			_, block := before.(map[string]any)
			switch {
			case w.Subresource == "status" || block && is || systemMetadata(f) || byController(o, f) || slices.ContainsFunc(left, f.Equal):
			case is && !was && !oldApplier(w.Manager) && !o.By.Claim().WritesAs(w.Manager):
				kept = append(kept, f)
			case was && !is:
				gone = append(gone, f)
			case is && was && !tree.Equal(now, before) && tree.Equal(then, before):
				set = append(set, f)
			}
		}
	}
	return outermostAbsent(o, clientSide, kept), outermostAbsent(o, o.Result, gone), set
}

// ownersOf names the managers of fields, but those of the applier.
func ownersOf(o *lint.Object, paths []fieldpath.Path) string {
	var names []string
	for _, path := range paths {
		names = append(names, otherOwners(o, path)...)
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", ")
}
