package custom

import "threeway/merge/tree"

// change is a value of an update beside the old one it corresponds to. nil is
// a value that corresponds to none
// (CorrelatedObject in k8s.io/apiserver pkg/cel/common/equality.go).
type change struct {
	new, old any
	schema   schema
}

// key returns the field name of an object, nil unless both sides have it and
// the schema knows it.
func (c *change) key(name string) *change {
	if c == nil {
		return nil
	}
	now, isObject := c.new.(map[string]any)
	before, wasObject := c.old.(map[string]any)
	if !isObject || !wasObject {
		return nil
	}
	n, is := now[name]
	o, was := before[name]
	sub, _ := c.schema.field(name)
	if !is || !was || sub == nil {
		return nil
	}
	return &change{n, o, sub}
}

// property is key, but takes no account of the root's apiVersion and kind,
// whose changes conversion hides.
func (c *change) property(path, name string) *change {
	if path == "" && (name == "apiVersion" || name == "kind") {
		return nil
	}
	return c.key(name)
}

// index returns the item i of a list, nil unless the list's items have keys
// and the old list has one with the same keys.
func (c *change) index(i int) *change {
	if c == nil {
		return nil
	}
	now, _ := c.new.([]any)
	before, _ := c.old.([]any)
	items := c.schema.items()
	if i >= len(now) || items == nil {
		return nil
	}
	old := sameKeys(c.schema, before, now[i])
	if old == nil {
		return nil
	}
	return &change{now[i], old, items}
}

// unchanged reports whether the value is what it was. Fields that the schema
// does not know count as changed.
func (c *change) unchanged() bool {
	if c == nil {
		return false
	}
	switch now := c.new.(type) {
	case []any:
		before, ok := c.old.([]any)
		if !ok || len(now) != len(before) {
			return false
		}
		if c.schema.text("x-kubernetes-list-type") != "map" {
			return tree.Equal(now, before)
		}
		for i := range now {
			if !c.index(i).unchanged() {
				return false
			}
		}
		return true
	case map[string]any:
		before, ok := c.old.(map[string]any)
		if !ok || len(now) != len(before) {
			return false
		}
		for name := range now {
			if !c.key(name).unchanged() {
				return false
			}
		}
		return true
	}
	return tree.Equal(c.new, c.old)
}

// sameKeys returns the first of items, a list with keys, that has the same
// keys as x, nil if there is none.
func sameKeys(list schema, items []any, x any) any {
	if list.text("type") != "array" || list.text("x-kubernetes-list-type") != "map" {
		return nil
	}
	keys := list.texts("x-kubernetes-list-map-keys")
	if len(keys) == 0 {
		return nil
	}
	for _, item := range items {
		if haveSameKeys(keys, item, x) {
			return item
		}
	}
	return nil
}

func haveSameKeys(keys []string, a, b any) bool {
	for _, key := range keys {
		x, inA := tree.Get(a, key)
		y, inB := tree.Get(b, key)
		if !inA || !inB || !isScalar(x) || !tree.Equal(x, y) {
			return false
		}
	}
	return true
}

func isScalar(x any) bool {
	switch x.(type) {
	case nil, []any, map[string]any:
		return false
	}
	return true
}
