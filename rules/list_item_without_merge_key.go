package rules

import (
	"threeway/lint"
	"threeway/merge/fault"
)

var listItemWithoutMergeKey = &lint.Rule{
	ID:    "list-item-without-merge-key",
	Title: "a list item has no merge key",
	Text: "An item of a list that merges by key (containers by name, ports by containerPort, volumeMounts by mountPath) does not have that " +
		"key.",
	Why:      "kubectl cannot compute the patch; nothing of the object is applied.",
	Fix:      "Add the key to the item.",
	Links:    []string{"https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md"},
	Severity: lint.Error,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.NoMergeKey {
			return nil
		}
		return &lint.Report{
			Path: f.Path, Message: "the item has no " + f.Key + ", the merge key of its list; kubectl cannot compute the patch",
			Fix: "set " + f.Path.Child(f.Key).String(),
		}
	},
}
