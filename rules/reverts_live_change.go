package rules

import (
	"cmp"
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
	ID:     "reverts-live-change",
	Former: []string{"clears-live-change"},
	Title:  "apply overwrites a change made in the cluster",
	Text: "The live value was changed in the cluster since the last apply, and apply overwrites it: with the manifest's old or new value, " +
		"with the server's default, or with nothing, because the manifest no longer has the field. For spec.replicas see " +
		"replicas-drop-to-one.",
	Why: "An emergency fix, or the value of a controller, is lost without a message. Removing a field from the manifest does not hand it " +
		"over: while last-applied has it, apply removes it, whichever manager set it last.",
	Fix: "To keep the live value, set it in the manifest. To hand it to a controller: the other manager sets it; kubectl apply " +
		"edit-last-applied removes it there; then remove it from the manifest and apply. threeway handover prints these steps and " +
		"rehearses them.",
	Links: []string{declarative + "#how-to-update-objects", declarative + "#how-apply-calculates-differences-and-merges-changes", issue + "40626", issue + "78607",
		declarative + "#how-to-change-ownership-of-a-field-between-the-configuration-file-and-direct-imperative-writers", issue + "67135"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.LastApplied,
	Decides: func(o *lint.Object) bool {
		return slices.ContainsFunc(o.Changes(), func(c explain.Change) bool {
			return !systemMetadata(c.Path) && (c.InOld != c.InNew || !tree.Equal(c.Old, c.New))
		})
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			var list []overwrite
			for _, c := range o.Changes() {
				if d, back, tells := overwrites(p, o, c); tells && (c.InOld || c.InNew && !filledIn(o, c.Path) && !lost(o, c.Path)) {
					list = append(list, overwrite{Change: c, back: back, since: d.Since, by: otherOwners(o, c.Path)})
				}
			}
			for _, w := range wholes(o, list) {
				switch {
				case !w.back && w.InOld:
					reportAnew(p, o, w)
				case w.InOld:
					reportRevert(p, o, w)
				default:
					reportReturn(p, o, w.Path)
				}
			}
		}
	},
}

// overwrite is a change of the apply that overwrites one which managers have made in the cluster; back if it
// sets back what was last applied.
type overwrite struct {
	explain.Change
	back  bool
	since string
	by    []string
	keep  string // "" is what toKeep says
}

// wholes are overwrites with those that are told together as one: what comes back or goes with all that is in
// it, and what comes back in place of what goes, such as one source of a volume for another.
func wholes(o *lint.Object, list []overwrite) (all []overwrite) {
	count, swaps, top := map[string]int{}, map[string][2]tree.Object{}, make([]fieldpath.Path, len(list))
	for i, w := range list {
		if w.InOld && w.InNew {
			continue
		}
		at, from, in := firstAbsent(o, o.Before, w.Path), o.Result, 1
		if w.InOld {
			at, from, in = firstAbsent(o, o.Result, w.Path), o.Before, 0
		}
		top[i] = at
		count[at.String()]++
		if n := len(at) - 1; n > 2 && at[n].Field != "" {
			parent := at[:n].String()
			swap := swaps[parent]
			if swap[in] == nil {
				swap[in] = tree.Object{}
			}
			swap[in][at[n].Field], _ = o.Find(at, from)
			swaps[parent] = swap
		}
	}
	done := map[string]bool{}
	for i, w := range list {
		at := top[i]
		if at == nil {
			all = append(all, w)
			continue
		}
		if swap := swaps[at[:len(at)-1].String()]; swap[0] != nil && swap[1] != nil {
			if w.InNew {
				continue // told with what goes
			}
			if what := asTyped(at, swap[0][at[len(at)-1].Field]); len(swap[0]) == 1 && what != "" {
				w.keep = "to keep the live value, set " + what + " in " + o.Where() + ", in place of " + strings.Join(tree.Keys(swap[1]), ", ")
			}
			at, w.Old, w.New, w.InNew, w.back = at[:len(at)-1], swap[0], swap[1], true, true
		} else if w.InNew || count[at.String()] > 1 {
			w.Old, _ = o.Find(at, o.Before)
		} else {
			at = w.Path
		}
		w.Path = at
		if !done[at.String()] {
			all = append(all, w)
		}
		done[at.String()] = true
	}
	return all
}

// overwrites reports whether this rule tells of a change that the apply overwrites one made in the
// cluster, and whether it sets back what was last applied.
func overwrites(p *lint.Pass, o *lint.Object, c explain.Change) (d explain.Drift, back, tells bool) {
	d, over := o.Overwritten()[c.Path.String()]
	back = reverts(o, c) || over && !d.Anew
	switch {
	case !back && !over, takenByForce(o, c.Path), isFlapping(p, o, c.Path), autoscaled(p, o, c.Path), overwrittenThoughIgnored(o, c.Path), inCollected(o, c.Path),
		slices.ContainsFunc(otherVolumes(o), func(l loss) bool { return l.path.Holds(c.Path) }): // loses-data says it
		return d, back, false
	case !back && c.InOld:
		null := nullOf(o, c)
		return d, back, (null == nil || clearsForType(o, null)) && !systemMetadata(c.Path) && !filledIn(o, c.Path) && !lost(o, c.Path) && !dropsToOne(o, c.Path) && !opensAt(o, c.Path) && len(lostItems(o, c)) == 0
	}
	return d, back, true
}

// reverts reports whether config and last-applied agree on the field of a
// change, so that it was live that moved.
func reverts(o *lint.Object, c explain.Change) bool {
	switch c.Reason {
	case explain.Undone, explain.Set, explain.Added, explain.ReplacedList:
	default:
		return false
	}
	if filledIn(o, c.Path) || lost(o, c.Path) {
		return false
	}
	config, ok := o.Find(c.Path, o.Manifest.Tree)
	last, ok2 := o.Find(c.Path, o.LastApplied())
	return ok && ok2 && config != nil && tree.Equal(config, last) && !(c.InOld && tree.Equal(c.Old, last))
}

// lost reports whether the result lacks what the manifest says at a path: missing-from-result
// tells it.
func lost(o *lint.Object, p fieldpath.Path) bool {
	return slices.ContainsFunc(o.Missing(), func(b promise.Broken) bool { return b.Path.Holds(p) })
}

// reportAnew reports a change in the cluster that the apply overwrites although the manifest does
// not set back what was last applied.
func reportAnew(p *lint.Pass, o *lint.Object, c overwrite) {
	var left fieldpath.Path
	if c.At == nil {
		left = leftConfig(o, c.Path)
	}
	if left != nil && outweighed(p, o, c.Path) {
		return
	}
	path, from, to := narrowed(c.Path, c.Old, c.New)
	live, now := lint.Contrast(from, to)
	r := lint.Report{Path: path, LivePath: path, Live: live, Fix: toKeep(o, path)}
	_, r.Suggested = keeping(o, []fieldpath.Path{path})
	switch {
	case left != nil:
		r.Message = fmt.Sprintf("%s was removed from the manifest: apply removes the live value, which %s", path, setSince(c.by, c.since))
		r.Fix, r.Suggested, r.Ways = "", nil, []lint.Way{keepingLive(o, c.Path)}
	case !c.InNew:
		r.Message = fmt.Sprintf("apply removes %s, which %s", path, setSince(c.by, c.since))
	case c.At != nil:
		if path.Equal(c.Path) {
			r.Path = c.At
		}
		r.Message = fmt.Sprintf("apply overwrites a change %s: %s from %s to %s", changedBy(c.by, c.since), path, live, now)
	default:
		r.Message = fmt.Sprintf("apply overwrites a change %s: %s from %s to %s", changedBy(c.by, c.since), path, live, now)
	}
	if controller(c.by) && left == nil {
		r.Ways = []lint.Way{handOver(o, c.Path).Behind("to leave the field to " + strings.Join(c.by, ", ") + ", ")}
	}
	p.Report(o, r)
}

// setSince says who has set a live value since the last apply.
func setSince(names []string, time string) string {
	if names == nil {
		return "was set in the cluster since"
	}
	return strings.Join(names, ", ") + " has set since" + at(time)
}

// at is a time of a write, "" if none is known.
func at(time string) string {
	if time == "" {
		return ""
	}
	return " (" + time + ")"
}

// autoscaled reports whether a change is one of replicas that an autoscaler sets:
// replicas-with-autoscaler reports it.
func autoscaled(p *lint.Pass, o *lint.Object, path fieldpath.Path) bool {
	_, runs := workload(o)
	return runs && path.Equal(fieldpath.New("spec", "replicas")) && scalerOf(p, o) != nil
}

// reportRevert reports a field that the apply sets back.
func reportRevert(p *lint.Pass, o *lint.Object, c overwrite) {
	path, from, to := narrowed(c.Path, c.Old, c.New)
	live, config := lint.Contrast(from, to)
	r := lint.Report{
		Path: path, LivePath: path, Live: live,
		Message: fmt.Sprintf("apply reverts a change %s: %s from %s to %s", changedBy(c.by, c.since), path, live, config),
		Fix:     cmp.Or(c.keep, toKeep(o, path)),
	}
	_, r.Suggested = keeping(o, []fieldpath.Path{path})
	if controller(c.by) {
		r.Ways = []lint.Way{handOver(o, c.Path).Behind("to leave the field to " + strings.Join(c.by, ", ") + ", ")}
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
		if w.Manager != applier.KubectlManager && w.Manager != o.By.Claim().Manager() && w.Manager != o.Applier && w.Subresource != "status" && !slices.Contains(names, w.Manager) {
			names = append(names, w.Manager)
		}
	}
	return names
}

// changedBy says who made a change, as far as managedFields tells.
func changedBy(names []string, time string) string {
	if names == nil {
		return "since the last apply"
	}
	return "by " + strings.Join(names, ", ") + at(time)
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
		return lint.Way{Words: "remove it from the manifest: the field stays, because " + by.Manager() + " does not own it", Edits: []edit.Edit{edit.Remove(path)}}
	case byArgo:
		return words("add it to ignoreDifferences of " + app.Claim().By() + ", and RespectIgnoreDifferences=true to the sync options")
	case by.Program != applier.Kubectl && o.Applier != "":
		return words("make sure that it owns the field before you remove it from the manifest")
	}
	if o.ServerSide != nil {
		return words("make sure that it owns the field before you remove it from the manifest (" + shell.Line("threeway handover", shell.Operand(path.String()), shell.Option("--server-side")) + ")")
	}
	if helm.Of(o.Outcome) != nil {
		return words("set the live value in the chart's values: if the chart just stops rendering the field, Helm removes it")
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
