package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/tree"
)

var narrowMergeKey = &lint.Rule{
	ID:    "narrow-merge-key",
	Title: "a merge treats two items as one and loses one",
	Text: "Two items of a list differ only in a field that a client-side apply does not compare, such as port 53 with TCP and with UDP: it " +
		"merges ports by their number. After the merge one of them is gone.",
	Why:      "kubectl reports success, and the Service or container has one port fewer than the manifest.",
	Fix:      "Apply with --server-side, which compares both fields; or replace the whole list with kubectl replace.",
	Links:    []string{issue + "39188", issue + "103544", issue + "108148", issue + "62366"},
	Severity: lint.Error,
	Needs:    lint.Live | lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, list := range o.Lists() {
				f := list.Field
				if !list.Merges() || len(f.ListKeys) < 2 {
					continue
				}
				path := o.Keyed(list.Path, o.Manifest.Tree)
				after, _ := o.Find(path, o.Result)
				items, _ := after.([]any)
				shared, same := counts(list.Items, f.MergeKey), map[string]int{}
				for _, item := range list.Items {
					same[keyText(list, item)]++
				}
				for i, item := range list.Items {
					if same[keyText(list, item)] == 1 && shared[valueOf(item, f.MergeKey)] > 1 && !present(items, item, f.ListKeys) {
						p.Report(o, lint.Report{
							Path:    path.Item(i),
							Message: fmt.Sprintf("%s is lost in the merge: a client-side apply compares the items of %s by %s only", lint.Value(item), path, f.MergeKey),
							Ways: []lint.Way{{Words: "apply with --server-side" + onceForced, First: lint.ServerOnly,
								Instead: "give each of them other keys, or remove one: with --server-side too, WHY"}},
						})
					}
				}
			}
		}
	},
}

// present reports whether a list has an item with the same keys; one that is
// absent is left to the server's default.
func present(items []any, item any, keys []string) bool {
	for _, x := range items {
		same := true
		for _, key := range keys {
			want, ok := tree.Get(item, key)
			same = same && (!ok || tree.Equal(tree.Map(x)[key], want))
		}
		if same {
			return true
		}
	}
	return false
}
