package custom

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// uniqueLists checks that lists that are sets have no item twice, and those
// that are maps no key (pkg/apiserver/schema/listtype).
func uniqueLists(path *field.Path, x any, s schema) field.ErrorList {
	if s == nil {
		return nil
	}
	var errs field.ErrorList
	switch x := x.(type) {
	case map[string]any:
		for _, name := range tree.Keys(x) {
			sub, how := s.field(name)
			errs = append(errs, uniqueLists(step(path, name, how), x[name], sub)...)
		}
	case []any:
		switch s.text(listType) {
		case "set":
			errs = uniqueItems(path, x, x)
		case "map":
			errs = uniqueKeys(path, x, s.texts("x-kubernetes-list-map-keys"))
		}
		for i, v := range x {
			errs = append(errs, uniqueLists(path.Index(i), v, s.items())...)
		}
	}
	return errs
}

func uniqueKeys(path *field.Path, x []any, names []string) field.ErrorList {
	keys := make([]any, len(x))
	for i, item := range x {
		m, ok := item.(map[string]any)
		if item != nil && !ok {
			return field.ErrorList{field.Invalid(path.Index(i), item, "must be an object for an array of list-type map")}
		}
		key := tree.Object{}
		for _, name := range names {
			if v, ok := m[name]; ok {
				key[name] = v
			}
		}
		keys[i] = key
	}
	return uniqueItems(path, x, keys)
}

// uniqueItems reports each of the items that repeats an earlier one, once.
func uniqueItems(path *field.Path, x, items []any) field.ErrorList {
	if len(x) < 2 {
		return nil
	}
	var errs field.ErrorList
	seen := map[any]int{}
	for i, item := range items {
		id := item
		if !isScalar(item) && item != nil {
			text, err := json.Marshal(item)
			if err != nil {
				return field.ErrorList{field.Invalid(path.Index(i), item, "internal error")}
			}
			id = jsonText(text)
		}
		if seen[id]++; seen[id] == 2 {
			errs = append(errs, field.Duplicate(path.Index(i), item))
		}
	}
	return errs
}

// jsonText is the identity of a list or object among scalars.
type jsonText string
