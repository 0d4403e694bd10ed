package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/owners"
	"threeway/merge/text/phrase"
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
			var items []string
			for _, i := range lost {
				item := lint.Value(tree.List(c.Old)[i])
				if strings.Contains(item, "***") {
					item = "the item"
				}
				items = append(items, item)
			}
			by := ""
			if who := otherOwners(o, c.Path); who != nil {
				by = " (set by " + strings.Join(who, ", ") + ")"
			}
			r := lint.Report{
				Path: c.Path, LivePath: c.Path.Item(lost[0]), Live: items[0],
				Message: fmt.Sprintf("apply replaces the list %s and removes an item that only the live object has%s", c.Path, by),
				Fix:     "to keep it, add " + items[0] + " to the list in " + o.Where(),
			}
			if n := len(lost); n > 1 {
				r.Message = fmt.Sprintf("apply replaces the list %s and removes %d items that only the live object has%s", c.Path, n, by)
				r.Fix = "to keep them, add " + phrase.Some(items) + " to the list in " + o.Where()
			}
			p.Report(o, r)
		}
	}
}

// lostItems are the places of the live items that a change of a list removes and
// that neither the manifest nor last-applied has.
func lostItems(o *lint.Object, c explain.Change) []int {
	if _, isList := c.Old.([]any); c.Reason != explain.ReplacedList || !isList || reverts(o, c) || filledIn(o, c.Path) || opensAt(o, c.Path) {
		return nil
	}
	return o.OnlyLive(c.Path)
}
