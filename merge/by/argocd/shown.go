package argocd

import (
	"fmt"
	"strings"

	"threeway/merge/by/argocd/compare"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// SyncStatus is Argo CD's word for an object.
type Status string

// The words. NoStatus is that of an object which Argo CD does not compare, such as the
// Namespace that it creates.
const (
	Synced        Status = "Synced"
	OutOfSync     Status = "OutOfSync"
	UnknownStatus Status = "Unknown"
	NoStatus      Status = ""
)

// Shown is what Argo CD shows of an object: its status, and the live object and its
// prediction, normalized. Both are nil where there is nothing to compare with.
type Shown struct {
	Status Status
	compare.Shown
}

// Shows is what Argo CD shows of an object before the sync.
func (app *Application) Shows(o *rehearsal.Outcome) Shown {
	return rehearsal.Remember(o, func() Shown {
		switch {
		case o.Manifest.Origin.File == app.namespaceFile():
			return Shown{}
		case o.Before == nil:
			return Shown{Status: OutOfSync, Shown: compare.Shown{Predicted: tree.WithoutManagedFields(of(o).marked)}}
		}
		return app.comparing(o, o.Before)
	})
}

// afterwards is Shown after the sync.
type afterwards Shown

// Leaves is what Argo CD shows of an object after the sync, if that succeeds.
func (app *Application) Leaves(o *rehearsal.Outcome) Shown {
	return Shown(rehearsal.Remember(o, func() afterwards {
		if o.Result == nil || o.Manifest.Origin.File == app.namespaceFile() {
			return afterwards{}
		}
		return afterwards(app.comparing(o, o.Stored()))
	}))
}

func (app *Application) comparing(o *rehearsal.Outcome, live tree.Object) Shown {
	s := of(o).comparison.Of(compare.Objects{ID: o.Identity(), Kind: o.Kind, Target: of(o).marked, Live: live})
	switch {
	case !s.Failed.Empty():
		return Shown{UnknownStatus, s}
	case s.Synced:
		return Shown{Synced, s}
	}
	return Shown{OutOfSync, s}
}

// inSync reports whether Argo CD sees no difference between the manifest and the live
// object.
func (app *Application) inSync(o *rehearsal.Outcome) bool { return app.Shows(o).Status == Synced }

// Unseen are the fields of an object that the sync changes and that Argo CD does not
// show, but for those that tell who has written it.
func (app *Application) Unseen(o *rehearsal.Outcome) (unseen []fieldpath.Path) {
	s := app.Shows(o)
	if o.Action != rehearsal.Configured || o.Recreated || s.Status == NoStatus || s.Status == UnknownStatus {
		return nil
	}
	seen := compare.Differences(s.Live, s.Predicted)
	for _, p := range compare.Differences(bare(o.Before), bare(o.Result)) {
		if !compare.Covered(p, seen) {
			unseen = append(unseen, p)
		}
	}
	return unseen
}

// differs says where Argo CD's own diff is not what the sync does.
func (app *Application) differs(done rehearsal.Results) (notes []string) {
	var synced, partly, stays []string
	for _, o := range done.Outcomes {
		before, after := app.Shows(o), app.Leaves(o)
		if before.Status == UnknownStatus {
			return []string{fmt.Sprintf("Argo CD cannot compare %s, so it shows the whole Application as Unknown: %s", o.Identity(), before.Failed)}
		}
		switch unseen := app.Unseen(o); {
		case len(unseen) > 0 && before.Status == Synced:
			synced = append(synced, named(o, unseen))
		case len(unseen) > 0:
			partly = append(partly, named(o, unseen))
		}
		if after.Status == OutOfSync {
			stays = append(stays, named(o, compare.Differences(after.Live, after.Predicted)))
		}
	}
	note := func(names []string, format string) {
		if len(names) > 0 {
			notes = append(notes, fmt.Sprintf(format, phrase.Abbreviated(names, 3)))
		}
	}
	note(synced, "this sync changes what Argo CD shows as Synced: %s")
	note(partly, "this sync changes more than Argo CD shows: %s")
	note(stays, "Argo CD shows OutOfSync after every sync: %s")
	return notes
}

// named is an object with the first of its fields.
func named(o *rehearsal.Outcome, fields []fieldpath.Path) string {
	const most = 3
	var texts []string
	for _, p := range fields[:min(len(fields), most)] {
		texts = append(texts, p.String())
	}
	if more := len(fields) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s (%s)", o.Identity(), strings.Join(texts, ", "))
}

// bare is an object without what every apply may change.
func bare(o tree.Object) tree.Object {
	o = tree.CopyObject(tree.WithoutManagedFields(o))
	tree.Delete(o, "metadata", "annotations", rehearsal.LastAppliedKey)
	if a := tree.Map(o, "metadata", "annotations"); a != nil && len(a) == 0 {
		tree.Delete(o, "metadata", "annotations")
	}
	for _, field := range []string{"generation", "resourceVersion"} {
		tree.Delete(o, "metadata", field)
	}
	return o
}

// comparison is how Argo CD compares the objects of the Application.
func (app *Application) comparison(r *rehearsal.Run) *compare.Comparison {
	return &compare.Comparison{App: app.Application, Server: r.Server, ServerSide: app.Options.Has("ServerSideApply=true") || r.ServerSide != nil}
}

// As is the outcome with what is shown of the object.
func (app *Application) As(o *rehearsal.Outcome, s Shown) *rehearsal.Outcome {
	shown := o.Showing(of(o).marked, s.Live, s.Predicted)
	switch {
	case s.Live == nil:
		shown.Action = rehearsal.Created
	case s.Status == OutOfSync:
		shown.Action = rehearsal.Configured
	}
	return shown
}
