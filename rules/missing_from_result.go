package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/promise"
	"threeway/merge/text/edit"
)

var missingFromResult = &lint.Rule{
	ID:     "missing-from-result",
	Former: []string{"narrow-merge-key"},
	Title:  "the result lacks what the manifest says",
	Text: "The manifest has a value or an item of a list, and the object does not have it after the apply. An error if the merge loses it: " +
		"an item that is live twice by its merge key, or two items, such as port 53 with TCP and with UDP, that a client-side apply takes for one. " +
		"A warning if the server never stores it.",
	Why: "kubectl reports success, and the object has one variable, port or setting fewer than the manifest.",
	Fix: "Apply with --server-side, which compares all keys of an item; or apply a second time, which adds what the first one lost.",
	Links: []string{issue + "39188", issue + "103544", issue + "108148", issue + "62366", issue + "58477", issue + "91670",
		"https://github.com/kubernetes/kubectl/issues/1750"},
	Severity: lint.Error,
	Effect:   impact.Misses,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, b := range o.Missing() {
				p.Report(o, missing(o, b))
			}
		}
	},
}

// onceForced ends the advice to apply server-side what was applied client-side: the fields
// of that apply conflict where the manifest changes them.
const onceForced = "; once with --force-conflicts if it conflicts with kubectl-client-side-apply"

// missing says of a value or an item that the result lacks why.
func missing(o *lint.Object, b promise.Broken) lint.Report {
	r := lint.Report{Path: b.Path, LivePath: b.Path}
	list := b.Path[:len(b.Path)-1]
	said, has := o.Find(b.Path, o.Manifest.Tree)
	stored, isStored := o.Find(b.Path, o.Result)
	value, now := lint.Contrast(said, stored)
	switch b.Cause {
	case promise.Narrow:
		r.LivePath = nil
		r.Message = fmt.Sprintf("%s is lost in the merge: a client-side apply compares the items of %s by %s only", lint.Value(said), list, b.Key)
		r.Ways = []lint.Way{{Words: "apply with --server-side" + onceForced, First: lint.ServerOnly,
			Instead: "give each of them other keys, or remove one: with --server-side too, WHY"}}
	case promise.LiveTwice:
		r.LivePath = list
		r.Message = fmt.Sprintf("apply removes %s, which the manifest has: %d live items have this %s, and a merge removes by the key", b.Path, b.Live, b.Key)
		r.Ways = []lint.Way{
			{Words: "apply once with --server-side --force-conflicts, which keeps it", First: lint.ServerFirst},
			{Words: "apply twice: until then it is gone", First: lint.SameFirst, Instead: "apply it by itself afterwards, and look that it is there"},
		}
	case promise.Directive:
		r.Severity = lint.Warning
		r.Message = fmt.Sprintf("%s has $patch: delete, which is for patches: apply does not delete the item", b.Path)
		r.Fix = "remove the item from the manifest"
	case promise.InStringData:
		r.Severity = lint.Warning
		r.Message = fmt.Sprintf("%s is not stored: stringData has the same key with another value, which is stored instead", b.Path)
		r.LivePath, r.Fix = nil, "remove it from data or from stringData"
	default:
		verb := "apply loses"
		if b.Cause == promise.Unstored {
			r.Severity, verb = lint.Warning, "the server does not store"
		}
		r.Message = fmt.Sprintf("%s %s, which the manifest has", verb, b.Path)
		if isStored {
			r.Message = fmt.Sprintf("%s %s %s: the result has %s", verb, b.Path, value, now)
		}
		r.Fix = "remove it from the manifest, or set what is stored"
		if b.Cause == promise.Unkept && (said != nil || !has) {
			r.Fix, r.Ways = "", []lint.Way{
				{Words: "apply with --server-side" + onceForced, First: lint.ServerOnly},
				{Words: "apply twice: until then it is missing", First: lint.SameFirst, Instead: "remove it from the manifest if the server has no use for it"},
			}
		}
	}
	says, effect := nextOf(o, b.Path)
	r.Message += says
	if effect == impact.Blocks {
		r.Fix, r.Ways = "", []lint.Way{{Words: "remove it from the manifest", Edits: []edit.Edit{edit.Remove(b.Path)}, Instead: "correct the manifest: removed, WHY"}}
	}
	return r
}

// nextOf says what the same apply once more does to a field that the result lacks.
func nextOf(o *lint.Object, path fieldpath.Path) (says string, effect impact.Effect) {
	next, changes := o.Again()
	switch {
	case next == nil:
	case next.Rejection != nil:
		if f := next.Faults()[0]; o.Keyed(f.Path, next.Before).Meets(path) {
			return "; the next apply of the same manifest is rejected: " + firstLine(f.Text), impact.Blocks
		}
	case slices.ContainsFunc(changes, path.Overlaps) && o.Has(path, next.Result):
		return "; the next apply adds it again", ""
	}
	return "", ""
}
