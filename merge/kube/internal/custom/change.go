package custom

import "threeway/merge/tree"

// change is a value of an update beside the old one it corresponds to. nil is
// a value that corresponds to none
// (CorrelatedObject in k8s.io/apiserver pkg/cel/common/equality.go).
type change struct {
	new, old any
	schema   schema
	// items are those of old by their keys, once one was asked for.
	items byKeys
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
	return &change{new: n, old: o, schema: sub}
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
	if c.items.items == nil {
		c.items = itemsByKeys(c.schema, before)
	}
	old := c.items.same(now[i])
	if old == nil {
		return nil
	}
	return &change{new: now[i], old: old, schema: items}
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

// byKeys are the items of a list by the values of its keys.
type byKeys struct {
	keys  []string
	items map[any]any
}

// itemsByKeys takes the first item of each value of the keys; none of a list
// without keys.
func itemsByKeys(list schema, items []any) byKeys {
	b := byKeys{items: map[any]any{}}
	if list.text("type") != "array" || list.text("x-kubernetes-list-type") != "map" {
		return b
	}
	b.keys = list.texts("x-kubernetes-list-map-keys")
	for _, item := range items {
		if id := b.id(item); id != nil && b.items[id] == nil {
			b.items[id] = item
		}
	}
	return b
}

// same returns the item that has the same keys as x, nil if there is none.
func (b byKeys) same(x any) any { return b.items[b.id(x)] }

// id is equal for items that have the same keys; nil if one is lacking.
func (b byKeys) id(item any) any {
	type values struct{ before, value any }
	var id any
	for _, key := range b.keys {
		value, has := tree.Get(item, key)
		if !has || !isScalar(value) {
			return nil
		}
		id = values{id, value}
	}
	return id
}

func isScalar(x any) bool {
	switch x.(type) {
	case nil, []any, map[string]any:
		return false
	}
	return true
}
