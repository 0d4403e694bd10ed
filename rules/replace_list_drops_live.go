package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/owners"
	"threeway/merge/promise"
	"threeway/merge/tree"
)

var replaceListDropsLive = &lint.Rule{
	ID:     "replace-list-drops-live",
	Former: []string{"custom-resource-list-replaced"},
	Title:  "a list is replaced and loses live items",
	Text: "The live object has items in a list that does not merge, such as args, tolerations or any list of a custom resource, that " +
		"neither the manifest nor last-applied has. Without last-applied, the list is another manager's in managedFields.",
	Why: "Apply replaces such a list as a whole, and removes items that an operator or a webhook added.",
	Fix: "Add the item to the manifest, or remove the whole list from it. For a custom resource, use --server-side with a definition that " +
		"marks the list with x-kubernetes-list-type: map.",
	Links: []string{declarative + "#how-different-types-of-fields-are-merged", "https://github.com/kubernetes/website/pull/14149",
		applyPage + "#custom-resources-and-server-side-apply", "https://github.com/kubernetes-sigs/cluster-api/issues/6147"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Run:      replacedLists,
}

// replacedLists reports the lists that lose live items.
func replacedLists(p *lint.Pass) {
	for o := range p.Accepted() {
		for _, c := range o.Changes() {
			if o.LastApplied() == nil && !slices.ContainsFunc(o.OwnersOf(c.Path), func(w owners.Entry) bool { return isController(w.Owner) }) {
				continue // without last-applied only the managers tell what is another's
			}
			lost := lostItems(o, c)
			if len(lost) == 0 {
				continue
			}
			at := c.Path.Item(lost[0])
			r := lint.Report{
				Path: c.Path, LivePath: at, Live: lint.Value(tree.List(c.Old)[lost[0]]),
				Message: fmt.Sprintf("apply replaces the list %s and removes an item that only the live object has", c.Path),
				Fix:     "add the item to " + o.Where() + " to keep it",
			}
			if n := len(lost); n > 1 {
				r.Message = fmt.Sprintf("apply replaces the list %s and removes %d items that only the live object has", c.Path, n)
				r.Fix = "add the items to " + o.Where() + " to keep them"
			}
			p.Report(o, r)
		}
	}
}

// lostItems are the places of the live items that a change of a list removes and
// that neither the manifest nor last-applied has.
func lostItems(o *lint.Object, c explain.Change) []int {
	old, isList := c.Old.([]any)
	if c.Reason != explain.ReplacedList || !isList || reverts(o, c) || filledIn(o, c.Path) {
		return nil
	}
	last, _ := o.Find(c.Path, o.LastApplied())
	config, _ := o.Find(c.Path, o.Manifest.Tree)
	return promise.OnlyIn(old, last, config)
}
