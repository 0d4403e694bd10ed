package rehearsal

import (
	"fmt"
	"strings"

	"threeway/merge/gap"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// WithMarks is a manifest with labels and annotations added. Those of the manifest
// that are null become empty, and all of them are dropped where one is no string
// (apimachinery pkg/apis/meta/v1/unstructured GetLabels).
func WithMarks(config tree.Object, labels, annotations map[string]string) tree.Object {
	obj, metadata := tree.Shallow(config), tree.Shallow(tree.Map(config, "metadata"))
	for field, marks := range map[string]map[string]string{"labels": labels, "annotations": annotations} {
		if len(marks) == 0 {
			continue
		}
		all := tree.Object{}
		for key, v := range tree.Map(metadata, field) {
			text, isText := v.(string)
			if !isText && v != nil {
				clear(all)
				break
			}
			all[key] = text
		}
		for key, v := range marks {
			all[key] = v
		}
		metadata[field] = all
	}
	obj["metadata"] = metadata
	return obj
}

// Unrehearsed are the gaps of hooks, each with the phase that it belongs to.
func Unrehearsed(hooks []string) (gaps []gap.Gap) {
	for _, hook := range hooks {
		gaps = append(gaps, gap.Gap{
			Code: gap.Unrehearsed, Needs: "what the hook " + hook + " changes",
			Note: fmt.Sprintf("%s not rehearsed, and what it changes is unknown: %s", phrase.Count(len(hooks), "hook is", "hooks are"), strings.Join(hooks, ", ")),
		})
	}
	return gaps
}
