package merge

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/serverside"
	"threeway/merge/tree"
)

// lastAppliedManager is who kubectl applies the last-applied annotation as
// when it migrates an object.
const lastAppliedManager = "kubectl-last-applied"

// Migration is what a real server-side apply does after the one that a dry run
// shows, of an object that was applied client-side before: it gives what
// client-side apply owns to the manager that applies, and applies once more,
// which removes what the config no longer has.
type Migration struct {
	// Result is the object as it leaves it.
	Result tree.Object
	// Shown tells that the outcome is that of the real apply already.
	Shown bool
	// Removed are the fields that it removes.
	Removed []fieldpath.Path
	// Warnings are kubectl's, of a step that the server refuses; the steps
	// after it are not done.
	Warnings []fault.Warning
	// Rejection is why the server refuses that step.
	Rejection *fault.Rejection
}

// migrate finds out what kubectl does after the apply, nil if nothing
// (kubectl pkg/cmd/apply/apply.go saveLastApplyAnnotationIfNecessary,
// migrateToSSAIfNecessary). Every dry run hides it: its steps build on what
// the one before has stored.
func (r *run) migrate(o *Outcome, request serverside.Request) *Migration {
	m := &Migration{Result: o.Result}
	const retried = "This is non-fatal and will be retried next time you apply. Error: "
	if m.Rejection = r.saveLastApplied(o, m); m.Rejection != nil {
		m.Warnings = []fault.Warning{{Text: fault.Join(fault.Words("failed to migrate %s for Server-Side Apply. %s", LastAppliedKey, retried), m.Rejection.Said()), By: fault.Kubectl}}
		return m
	}
	upgraded, ok := r.server.Upgrade(o.Kind, m.Result, request.Manager, request.Time)
	if !ok {
		if tree.Equal(m.Result, o.Result) {
			return nil
		}
		return m
	}
	m.Result = upgraded
	res := r.server.Apply(o.Kind, upgraded, request)
	if m.Rejection = res.Rejection; m.Rejection != nil {
		m.Warnings = []fault.Warning{{Text: fault.Join(fault.Words("failed to re-apply configuration after performing Server-Side Apply migration. %s", retried), m.Rejection.Said()), By: fault.Kubectl}}
		return m
	}
	m.Result = res.Object
	m.Removed = removed(o.Result, m.Result)
	return m
}

// removed lists the fields that have an owner before and do not exist after,
// each with all that goes with it.
func removed(before, after tree.Object) (paths []fieldpath.Path) {
	for _, f := range owners.Of(before, nil) {
		if _, is := f.Path.Find(before); !is || ServerOwned(f.Path) {
			continue
		}
		for n := range f.Path {
			if _, left := f.Path[:n+1].Find(after); !left {
				if p := f.Path[:n+1]; !slices.ContainsFunc(paths, p.Equal) {
					paths = append(paths, p)
				}
				break
			}
		}
	}
	return paths
}

// saveLastApplied applies the last-applied annotation alone, so that it stays.
// Only kubectl's own manager keeps it in step. It returns the rejection if the
// server does not accept that.
func (r *run) saveLastApplied(o *Outcome, m *Migration) *fault.Rejection {
	text, annotated := tree.Get(o.Result, "metadata", "annotations", LastAppliedKey)
	if r.ServerSide.Manager != DefaultManager || !annotated || serverside.LastAppliedOwned(tree.List(o.Result, "metadata", "managedFields")) {
		return nil
	}
	metadata := tree.Object{"name": o.Config.Name, "annotations": tree.Object{LastAppliedKey: text}}
	if o.Config.Namespace != "" {
		metadata["namespace"] = o.Config.Namespace
	}
	res := r.server.Apply(o.Kind, o.Result, serverside.Request{
		Config:  tree.Object{"apiVersion": o.Kind.APIVersion(), "kind": o.Kind.Kind, "metadata": metadata},
		Manager: lastAppliedManager,
		Time:    r.Live.NewestWrite,
	})
	if res.Rejection == nil {
		m.Result = res.Object
	}
	return res.Rejection
}

// further is the line about what a real apply would do beyond what is shown,
// "" if nothing.
func further(outcomes []*Outcome) string {
	objects, fields := 0, []string(nil)
	for _, o := range outcomes {
		if o.Migration == nil || o.Migration.Shown {
			continue
		}
		objects++
		for _, path := range o.Migration.Removed {
			fields = append(fields, fmt.Sprintf("%s of %s", path, o.Identity()))
		}
	}
	if objects == 0 {
		return ""
	}
	text := fmt.Sprintf("this is the dry run: %s applied client-side before, and a real apply also migrates the ownership of their fields", count(objects, "object was", "objects were"))
	if len(fields) > 0 {
		text += fmt.Sprintf(" and removes %s (%s)", count(len(fields), "more field", "more fields"), abbreviated(fields))
	}
	return text + "; --migrate shows the result"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// abbreviated joins the first few of a list.
func abbreviated(list []string) string {
	const most = 3
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " and " + count(len(list)-most, "other", "others")
	}
	return strings.Join(list, ", ")
}
