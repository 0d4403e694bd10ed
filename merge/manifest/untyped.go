package manifest

import (
	"strings"

	"threeway/merge/schema"
	"threeway/merge/tree"
)

// typedLists are files with a list that names no kind
// (github.com/replicatedhq/troubleshoot pkg/collect/cluster_resources.go crdsV1).
var typedLists = []struct {
	file string
	list schema.Kind
}{
	{"/cluster-resources/custom-resource-definitions.json", schema.Kind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinitionList"}},
}

// typedList returns the kind of the list in a file, by its name; nil if unknown.
func typedList(file string) *schema.Kind {
	for i := range typedLists {
		if strings.HasSuffix(strings.ReplaceAll("/"+file, "\\", "/"), typedLists[i].file) {
			return &typedLists[i].list
		}
	}
	return nil
}

// giveKind sets the kind of a list that names none, if its file tells it.
func giveKind(file string, document any) {
	list, ok := document.(tree.Object)
	if !ok || tree.Has(list, "kind") || !isNested(list) {
		return
	}
	if kind := typedList(file); kind != nil {
		list["apiVersion"], list["kind"] = kind.APIVersion(), kind.Kind
	}
}
