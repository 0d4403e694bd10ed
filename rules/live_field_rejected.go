package rules

import (
	"cmp"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var liveFieldRejected = &lint.Rule{
	ID:     "live-field-rejected",
	Former: []string{"env-value-source-switch", "merge-sets-two-of-one", "service-type-leaves-dependents", "strategy-change-keeps-defaults"},
	Title:  "a live field makes a valid manifest fail",
	Text: "The manifest alone is valid, but the API server rejects the update, because the live object keeps a field that the manifest does not set. The finding names the fewest fields that must go: the other source of an env var or a volume, a " +
		"rollingUpdate that the server defaulted, an item that has the same name.",
	Why: "Apply removes only fields in last-applied, so a default, or a field that another manager set, stays next to the new one, and " +
		"the server rejects the whole object.",
	Fix: "Set the live field to null in the manifest, once; apply then clears it. In a server-side apply, or a custom resource, the null " +
		"has no effect: remove the field by hand.",
	Repair: "Adds the null where that is enough, unless the apply is server-side.",
	Links: []string{declarative + "#default-field-values", issue + "46861", issue + "35134", issue + "78607", issue + "48285", issue + "33766",
		issue + "97797", issue + "24198", "https://github.com/kubernetes/kubectl/issues/221"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		live := o.Blocking()
		if live == nil {
			return nil
		}
		r := &lint.Report{Path: f.Path, LivePath: live[0], Message: "apply is rejected because of " + named(live) + ", which only the live object has" +
			writtenBy(o, live) + ": " + firstLine(cmp.Or(f.Detail, f.Text))}
		if f.Path == nil || !o.Has(f.Path, o.Manifest.Tree) {
			r.Path = live[0]
		}
		r.Ways, r.Edits = freeing(o, live)
		return r
	},
}

// writtenBy names the managers of some live fields, "" if there are none.
func writtenBy(o *lint.Object, paths []fieldpath.Path) string {
	var names []string
	for _, p := range paths {
		names = append(names, otherOwners(o, p)...)
	}
	if names == nil {
		return ""
	}
	slices.Sort(names)
	return " (set by " + strings.Join(slices.Compact(names), ", ") + ")"
}

// freeing tells how to get rid of live fields that stay in the way of what the manifest sets, and
// edits the manifest where that is enough. A null does it in a client-side apply; a
// server-side one ignores nulls.
func freeing(o *lint.Object, live []fieldpath.Path) (ways []lint.Way, edits []edit.Edit) {
	nullable := o.PatchType == rehearsal.StrategicMerge
	var words []string
	for _, p := range live {
		words = append(words, "'"+p[len(p)-1].Field+": null' under "+p[:len(p)-1].String())
		edits = append(edits, edit.Set(p, nil))
		in := len(p) - 1 // the item that it is in, or its parent
		for in > 1 && p[in-1].Keys == nil && !o.Has(p[:in], o.Manifest.Tree) {
			in--
		}
		nullable = nullable && p[len(p)-1].Keys == nil && o.Has(p[:in], o.Manifest.Tree)
	}
	them := "it"
	if len(live) > 1 {
		them = "them"
	}
	if nullable {
		return []lint.Way{{Words: "add " + strings.Join(words, " and ") + ", once; the apply then clears " + them}}, edits
	}
	if o.ServerSide != nil && !slices.ContainsFunc(live, func(p fieldpath.Path) bool { return !o.Has(p, o.LastApplied()) }) {
		ways = append(ways, lint.Way{Words: "apply once without --server-side; a client-side apply removes fields that an earlier one set", First: lint.ClientFirst})
	}
	if manager := appliedBy(o); manager != "" && o.ServerSide == nil && o.PatchType != rehearsal.Apply {
		ways = append(ways, lint.Way{Words: "apply as before, here and with kubectl: " + serverSideFlags(manager), First: lint.ServerOnly})
	}
	by, stays := removal(o, live)
	if stays != "" {
		return append(ways, byHand(o, live...)), nil
	}
	return append(ways, by...), nil
}

// byHand changes in one patch what the manifest sets and the live fields beside it, unless they stay all
// the same.
func byHand(o *lint.Object, live ...fieldpath.Path) lint.Way {
	parent := live[0][:len(live[0])-1]
	config, _ := o.Find(parent, o.Manifest.Tree)
	fields, steps, edits := tree.Object{}, []string{}, []edit.Edit{}
	for _, key := range tree.Keys(tree.Map(config)) {
		now, _ := o.Find(parent.Child(key), o.Before)
		if v := tree.Map(config)[key]; !tree.Compound(v) {
			if fields[key] = v; !tree.Equal(v, now) {
				steps = append(steps, "set "+parent.Child(key).String()+" to "+lint.Value(v))
				edits = append(edits, edit.Set(parent.Child(key), v))
			}
		}
	}
	patchable := !o.Is("Secret") && !slices.ContainsFunc(parent, func(s fieldpath.Step) bool { return s.Keys != nil || s.IsIndex })
	for _, p := range live {
		last := p[len(p)-1]
		inSet := len(last.Keys) == 1 && last.Keys[0].Name == ""
		patchable = patchable && (last.Keys == nil || inSet) && len(p) == len(live[0]) && p.HasPrefix(parent)
		fields[last.Field], steps, edits = nil, append(steps, "remove "+p.String()), append(edits, edit.Remove(p))
	}
	if left, err := edit.Object(o.Live.Tree, edits); err == nil && slices.ContainsFunc(live, func(p fieldpath.Path) bool {
		_, stays := p.Find(o.Run.Server.Update(o.Kind, o.Live.Tree, left).Object)
		return stays
	}) {
		return lint.Way{Words: "correct the manifest: the server keeps " + named(live)}
	}
	w := lint.Way{Words: "in one kubectl edit, once, " + strings.Join(steps, " and ") + "; then apply"}
	if o.Is("Secret") {
		w.Words = "remove " + named(live) + " in kubectl edit, once; then apply"
	}
	if !patchable {
		return w
	}
	var patch any = fields
	if list, is := config.([]any); is { // a set, as a whole
		patch = list
	}
	for n := range parent {
		patch = tree.Object{parent[len(parent)-1-n].Field: patch}
	}
	w.Instead, w.Words, w.Paths = w.Words, "change them by hand, together, once, then apply: ", []fieldpath.Path{parent}
	w.Commands = []string{shell.Line("kubectl patch", o.Target(), shell.Option("--type=merge"), shell.JSON("-p", patch))}
	return w
}

// strategyLeftover is the rollingUpdate of the live object that the config does
// not mention while it asks for another type, and that the server refuses
// beside that type; nil if there is none.
func strategyLeftover(o *lint.Object) fieldpath.Path {
	strategy := rolloutPath(o.Kind)
	if strategy == nil || o.Is("DaemonSet.apps") {
		return nil
	}
	leftover := strategy.Child("rollingUpdate")
	_, mentioned := o.Find(leftover, o.Manifest.Tree)
	typ := tree.String(o.Manifest.Tree, "spec", strategy[1].Field, "type")
	if mentioned && o.PatchType != rehearsal.Apply || has(o.Manifest.Tree, leftover) || !has(o.Before, leftover) || typ == "" || typ == "RollingUpdate" {
		return nil
	}
	return leftover
}
