package openapi

import (
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Document validates a document of a manifest as kubectl does before it sends it; a v1 List item
// by item. defined returns the CustomResourceDefinition of a kind, nil if the cluster has none.
func Document(document tree.Object, minor int, defined func(schema.Kind) tree.Object) []fault.Fault {
	model := func(k schema.Kind) *Model {
		if d := defined(k); d != nil {
			return Custom(d, k, minor)
		}
		if r, ok := schema.Builtin(k); ok && r.In(minor) && r.OnByDefault() {
			return Builtin(k, minor)
		}
		return Machinery(k)
	}
	k := schema.ParseKind(tree.String(document, "apiVersion"), tree.String(document, "kind"))
	if k == (schema.Kind{Version: "v1", Kind: "List"}) {
		return itemFaults(tree.List(document, "items"), model)
	}
	m := model(k)
	switch item, isList := strings.CutSuffix(k.Kind, "List"); {
	case m != nil && defined(k) != nil:
		return nil // a custom kind of that name, which the server validates
	case m == nil && isList:
		if m = model(schema.Kind{Group: k.Group, Version: k.Version, Kind: item}); m != nil {
			m = ListOf(m)
		}
	}
	if m == nil {
		return nil
	}
	return Validate(document, k.Kind, m)
}

func itemFaults(items []any, model func(schema.Kind) *Model) []fault.Fault {
	var faults []fault.Fault
	for i, item := range items {
		at, obj := fieldpath.New("items").Item(i), tree.Map(item)
		if words := schema.KindErrors(item); len(words) > 0 {
			for _, text := range words {
				faults = append(faults, fault.Fault{Code: fault.Invalid, Path: at, Text: fault.Words("%s", text)})
			}
			continue
		}
		kind := schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind"))
		m := model(kind)
		if m == nil {
			continue // kubectl skips what the document does not describe
		}
		for _, f := range Validate(obj, kind.Kind, m) {
			f.Path = at.Join(f.Path)
			faults = append(faults, f)
		}
	}
	return faults
}
