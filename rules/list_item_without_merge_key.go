package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var listItemWithoutMergeKey = &lint.Rule{
	ID:       "list-item-without-merge-key",
	Title:    "a list item lacks the key that the list merges by",
	Text:     "An item of a list that merges by key (containers by name, a container's ports by containerPort, volumeMounts by mountPath) has no such key.",
	Why:      "kubectl cannot match the item with a live item, so it cannot compute the patch; nothing of the object is applied.",
	Fix:      "Give the item its key.",
	Links:    []string{"https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md"},
	Severity: lint.Error,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		_, key, ok := strings.Cut(f.Text, "does not contain declared merge key: ")
		if !ok {
			return nil
		}
		key, _, _ = strings.Cut(key, " ")
		path := o.Keyed(keyless(o, key), o.Config.Tree)
		return &lint.Report{
			Path: path, Message: "the item has no " + key + ", the merge key of its list; kubectl cannot compute the patch",
			Fix: "set " + path.Child(key).String(),
		}
	},
}

// keyless finds the first item of a list merging by the key that has none.
func keyless(o *lint.Object, key string) fieldpath.Path {
	for _, list := range o.Lists() {
		if !list.Merges() || list.Field.MergeKey != key {
			continue
		}
		for i, item := range list.Items {
			if m, ok := item.(tree.Object); ok && m[key] == nil {
				return list.Path.Item(i)
			}
		}
	}
	return nil
}
