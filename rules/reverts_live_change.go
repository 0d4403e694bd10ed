package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/applier"
	"threeway/merge/by/argocd"
	"threeway/merge/by/helm"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/promise"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var revertsLiveChange = &lint.Rule{
	ID:       "reverts-live-change",
	Title:    "apply undoes a change made in the cluster",
	Text:     "The manifest still has the last-applied value, but the live value differs: it was changed in the cluster.",
	Why:      "Apply resets the value without a message. If the change was an emergency fix, or was made by a controller, it is lost.",
	Fix:      "To keep the live value, set it in the manifest; if a controller owns the field, hand the field over and remove it from the manifest.",
	Links:    []string{declarative + "#how-to-update-objects", issue + "40626", issue + "78607"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.LastApplied,
	Decides: func(o *lint.Object) bool {
		return slices.ContainsFunc(o.Changes(), func(c explain.Change) bool {
			return !systemMetadata(c.Path) && (c.InOld != c.InNew || !tree.Equal(c.Old, c.New))
		})
	},
	Since: "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			gone := map[string]bool{}
			for _, c := range o.Changes() {
				if !reverts(o, c) || takenByForce(o, c.Path) || isFlapping(p, o, c.Path) || autoscaled(p, o, c.Path) || overwrittenThoughIgnored(o, c.Path) {
					continue
				}
				if c.InOld {
					reportRevert(p, o, c)
				} else if at := firstAbsent(o, o.Before, c.Path); !gone[at.String()] {
					gone[at.String()] = true
					reportReturn(p, o, at)
				}
			}
		}
	},
}

// reverts reports whether config and last-applied agree on the field of a
// change, so that it was live that moved.
func reverts(o *lint.Object, c explain.Change) bool {
	switch c.Reason {
	case explain.Undone, explain.Set, explain.Added, explain.ReplacedList:
	default:
		return false
	}
	if filledIn(o, c.Path) || slices.ContainsFunc(o.Missing(), func(b promise.Broken) bool { return b.Path.Holds(c.Path) }) {
		return false // or the result is not what the manifest says
	}
	config, ok := o.Find(c.Path, o.Manifest.Tree)
	last, ok2 := o.Find(c.Path, o.LastApplied())
	return ok && ok2 && config != nil && tree.Equal(config, last) && !(c.InOld && tree.Equal(c.Old, last))
}

// autoscaled reports whether a change is one of replicas that an autoscaler sets:
// replicas-with-autoscaler reports it.
func autoscaled(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	_, runs := workload(o)
	return runs && path.Equal(fieldpath.New("spec", "replicas")) && scalerOf(p, o) != nil
}

// reportRevert reports a field that the apply sets back.
func reportRevert(p *lint.Pass, o *lint.Object, c explain.Change) {
	path, from, to := narrowed(c.Path, c.Old, c.New)
	live, config := lint.Contrast(from, to)
	who := otherOwners(o, c.Path)
	r := lint.Report{
		Path: path, LivePath: path, Live: live,
		Message: fmt.Sprintf("apply resets %s from %s to %s, undoing a change %s", path, live, config, changedBy(who)),
		Fix:     "to keep the live value, set it in " + o.Where(),
	}
	_, r.Suggested = keeping(o, []fieldpath.Path{path})
	if controller(who) {
		r.Ways = []lint.Way{handOver(o, c.Path).Behind("to leave the field to " + strings.Join(who, ", ") + ", ")}
	}
	p.Report(o, r)
}

// reportReturn reports a field or a block that was removed from the live object.
func reportReturn(p *lint.Pass, o *lint.Object, at fieldpath.Path) {
	p.Report(o, lint.Report{
		Path: at, LivePath: at[:len(at)-1], Live: "removed",
		Message: fmt.Sprintf("apply adds %s again; it was removed from the live object after the last apply", at),
		Fix:     "remove it from the manifest if you do not want it",
	})
}

// narrowed follows a change down to the one place below it that differs, as
// long as there is only one.
func narrowed(p fieldpath.Path, old, now any) (fieldpath.Path, any, any) {
	for {
		steps := differences(old, now)
		if len(steps) != 1 {
			return p, old, now
		}
		x, ok := steps[0].Find(old)
		y, ok2 := steps[0].Find(now)
		if !ok || !ok2 {
			return p, old, now
		}
		p, old, now = p.Join(steps[0]), x, y
	}
}

// otherOwners names who owns a field besides kubectl apply.
func otherOwners(o *lint.Object, path fieldpath.Path) []string {
	var names []string
	for _, w := range o.OwnersOf(path) {
		if w.Manager != applier.KubectlManager && w.Manager != o.By.Claim().Manager() && w.Subresource != "status" && !slices.Contains(names, w.Manager) {
			names = append(names, w.Manager)
		}
	}
	return names
}

// changedBy says who made a change, as far as managedFields tells.
func changedBy(names []string) string {
	if names == nil {
		return "since the last apply"
	}
	return "by " + strings.Join(names, ", ")
}

// controller reports whether none of the managers is a person with kubectl.
func controller(managers []string) bool {
	return managers != nil && !slices.ContainsFunc(managers, imperative)
}

// handOver tells how a field is left to another writer (the documentation's
// "changing the owner of a field").
func handOver(o *lint.Object, path fieldpath.Path) lint.Way {
	words := func(text string) lint.Way { return lint.Way{Words: text} }
	by := o.By.Claim()
	own := slices.ContainsFunc(o.OwnersOf(path), func(w owners.Entry) bool { return w.Manager == by.Manager() })
	app, byArgo := o.By.(*argocd.Application)
	switch {
	case by.Program != applier.Kubectl && o.Applier != "" && !own:
		return lint.Way{Words: "remove it from the manifest: the field stays, because " + by.Manager() + " no longer owns it", Edits: []edit.Edit{edit.Remove(path)}}
	case byArgo:
		return words("add it to ignoreDifferences of " + app.Claim().By() + ", and RespectIgnoreDifferences=true to the sync options")
	case by.Program != applier.Kubectl && o.Applier != "":
		return words("make sure that it owns the field before you remove it from the manifest")
	}
	if o.ServerSide != nil {
		return words("make sure that it owns the field before you remove it from the manifest (" + shell.Line("threeway handover", shell.Operand(path.String()), shell.Option("--server-side")) + ")")
	}
	if helm.Of(o.Outcome) != nil {
		return words("put the live value into the chart's values: once a chart has rendered a field, Helm removes it when the chart no longer does")
	}
	return leavingOut(o, "it", path)
}

// leavingOut says how a client-side apply comes to leave a field alone.
func leavingOut(o *lint.Object, field string, path fieldpath.Path) lint.Way {
	return lint.Way{
		Words: "remove " + field + " from last-applied first (", Commands: o.Forgetting(), Then: "), then from the manifest",
		Forget: []fieldpath.Path{path}, Edits: []edit.Edit{edit.Remove(path)},
	}
}
