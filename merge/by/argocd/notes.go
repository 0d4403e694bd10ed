package argocd

import (
	"fmt"
	"slices"

	"threeway/merge/applier/argocd"
	"threeway/merge/gap"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// failing is the wave in which the sync fails, because the server rejects an object
// then; nil if it does not.
func (app *Application) failing(done rehearsal.Results) *int {
	var wave *int
	for _, o := range done.Outcomes {
		if at := app.waves[o.Manifest]; o.Action == rehearsal.Rejected && (wave == nil || at < *wave) {
			wave = &at
		}
	}
	return wave
}

// unknown counts the objects of which Argo CD does not find the kind, so that it does
// nothing at all (gitops-engine/pkg/sync/sync_context.go getSyncTasks).
func (app *Application) unknown(done rehearsal.Results) int {
	return len(done.Named(func(o *rehearsal.Outcome) bool {
		return o.Unserved && !app.Options.Has(skipDryRun) && !argocd.OptionsOf(o.Manifest.Tree).Has(skipDryRun)
	}))
}

// unread counts the objects that are not applied because the user may not get them, so that the
// dry run of the whole sync fails.
func unread(done rehearsal.Results) int { return len(done.Named((*rehearsal.Outcome).Unread)) }

const skipDryRun = "SkipDryRunOnMissingResource=true"

// notes say what Argo CD does besides, and what the rehearsal leaves out.
func (app *Application) notes(done rehearsal.Results) (notes []string) {
	unknown, unseen, fails := app.unknown(done), unread(done), app.failing(done)
	switch {
	case unknown > 0:
		notes = append(notes, fmt.Sprintf("Argo CD rejects the whole sync before it changes anything, because of %s of a kind that the cluster does not serve",
			phrase.Count(unknown, "object")))
	case unseen > 0:
		notes = append(notes, fmt.Sprintf("Argo CD rejects the whole sync before it changes anything, because its dry run may not get %s", phrase.Count(unseen, "object")))
	case fails != nil:
		notes = append(notes, app.failure(done, *fails))
	}
	if waves := app.count(done); waves > 1 {
		notes = append(notes, fmt.Sprintf("the sync has %d waves, each of which waits until the objects of the one before are healthy", waves))
	}
	if names := done.Named(func(o *rehearsal.Outcome) bool { return of(o).reconciled }); names != nil {
		notes = append(notes, "kubectl auth reconcile, which Argo CD runs first, has changed what is then rejected: "+phrase.Abbreviated(names, 3))
	}
	if names := done.Named(func(o *rehearsal.Outcome) bool { return o.Recreated && o.Action != rehearsal.Rejected }); names != nil {
		notes = append(notes, fmt.Sprintf("Force=true deletes and creates again what the server would reject: %s", phrase.Abbreviated(names, 3)))
	}
	if text := done.Gone("Argo CD"); text != "" {
		notes = append(notes, text)
	}
	if len(app.twice) > 0 {
		notes = append(notes, fmt.Sprintf("defined twice, and Argo CD applies only the last: %s", phrase.Abbreviated(app.twice, 3)))
	}
	return append(notes, app.differs(done)...)
}

// Undoes: self-heal syncs the objects that are OutOfSync, which those are not that
// differ only where Argo CD does not compare (controller/appcontroller.go autoSync).
func (app *Application) Undoes() (notes []string) {
	if app.SelfHeal {
		notes = []string{fmt.Sprintf("Application %s has self-heal: Argo CD undoes a change in the cluster as soon as it makes an object OutOfSync", app)}
	} else {
		notes = []string{fmt.Sprintf("Application %s has no self-heal: Argo CD undoes a change in the cluster at the next sync, not before", app)}
	}
	return notes
}

// failure says what happens besides when the sync fails in a wave.
func (app *Application) failure(done rehearsal.Results, wave int) string {
	later := 0
	for _, o := range done.Outcomes {
		if o.Action != rehearsal.Rejected && o.Action != rehearsal.Unchanged && app.waves[o.Manifest] > wave {
			later++
		}
	}
	if later == 0 {
		return "the sync fails; what it has changed until then stays"
	}
	return fmt.Sprintf("the sync fails in wave %d, and what it has changed until then stays; of later waves %s, as if it did not fail, and %s not applied",
		wave, phrase.Count(later, "object is shown", "objects are shown"), map[bool]string{true: "is", false: "are"}[later == 1])
}

// count is the number of waves.
func (app *Application) count(done rehearsal.Results) int {
	waves := map[int]bool{}
	for _, o := range done.Set {
		waves[app.waves[o.Manifest]] = true
	}
	return len(waves)
}

// gaps are the hooks that a sync makes, by phase, and what cannot be evaluated.
func (app *Application) gaps(done rehearsal.Results) []gap.Gap {
	gaps := rehearsal.Unrehearsed(argocd.Phases(app.Hooks))
	if text := app.Unread(done); text != "" {
		gaps = append(gaps, gap.Gap{Code: gap.Unrehearsed, Needs: "paths that can be evaluated in ignoreDifferences", Note: text})
	}
	return gaps
}

// Unread is the line about expressions that cannot be evaluated; "" if there are none
// that count.
func (app *Application) Unread(done rehearsal.Results) string {
	var list []string
	for _, ig := range app.Ignored {
		if slices.ContainsFunc(done.Set, func(o rehearsal.Planned) bool { return ig.Matches(o.Manifest.ID()) }) {
			list = append(list, ig.Unread...)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("not evaluated in ignoreDifferences, so these fields count as compared: %s; paths with fields, [] and select(.a == \"b\") are", phrase.Abbreviated(phrase.Distinct(list), 3))
}

// leftBehind is the line about objects that a sync without pruning leaves; "" if there
// are none.
func (app *Application) leftBehind(r *prune.Result) string {
	var names []string
	for _, c := range r.Candidates {
		if c.Fate == prune.Pruned {
			names = append(names, c.Live.ID().String())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of Application %s in no manifest, and this sync does not prune: %s; --prune shows what pruning deletes",
		phrase.Count(len(names), "live object"), fmt.Sprintf("%s %s", app, map[bool]string{true: "is", false: "are"}[len(names) == 1]), phrase.Abbreviated(names, 3))
}
