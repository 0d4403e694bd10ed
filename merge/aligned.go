package merge

import (
	"encoding/json"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/serverside"
	"threeway/merge/tree"
)

// Aligned is an object in its four versions, field by field: as it was applied
// last, as it is to be applied, as it is live, and as it would be.
type Aligned struct {
	// Fields are in the order of a walk: what is in a field comes after it.
	// Those that only the server writes are left out.
	Fields []Field
	// Owners are the entries of the live object's managedFields.
	Owners []Owner
}

// Field is a field in the four versions.
type Field struct {
	Path                       fieldpath.Path
	Last, Config, Live, Result Version
	// Owners are indexes of Aligned.Owners.
	Owners []int
}

// Version is the value of a field in one version of the object.
type Version struct {
	Value any
	There bool
	// Parts says that the value is an object or a list of which the parts follow
	// as fields of their own.
	Parts bool
}

// Aligned aligns the versions of the object. A rejected one has no result.
func (o *Outcome) Aligned() Aligned {
	a := &aligner{itemKeys: map[string]map[string]any{}}
	var c claims
	for _, e := range tree.List(o.Before, "metadata", "managedFields") {
		a.Owners = append(a.Owners, serverside.ReadOwner(e))
		c = append(c, tree.Map(e, "fieldsV1"))
	}
	s := schema.Lookup(o.Kind)
	for _, key := range sortedKeys(o.lastApplied, o.Config.Tree, o.Before, o.Result) {
		if key != "apiVersion" && key != "kind" {
			a.field(fieldpath.New(key), s, sides{
				last: of(o.lastApplied, key), config: of(o.Config.Tree, key), live: of(o.Before, key), result: of(o.Result, key),
			}, c.field(key))
		}
	}
	return a.Aligned
}

type aligner struct {
	Aligned
	itemKeys map[string]map[string]any // of managedFields, decoded
}

func (a *aligner) field(path fieldpath.Path, parent *schema.Type, s sides, c claims) {
	if !serverOwned(path) {
		t, f := fieldType(parent, path[len(path)-1].Field)
		a.value(path, t, f, s, c)
	}
}

// value adds a field and then what is in it.
func (a *aligner) value(path fieldpath.Path, t *schema.Type, f *schema.Field, s sides, c claims) {
	inObject := s.any(isObject)
	inList := !inObject && s.any(isMany) && (f != nil && f.Merge || s.any(hasParts))
	version := func(v value) Version {
		return Version{v.v, v.ok, inObject && isObject(v.v) || inList && isMany(v.v)}
	}
	a.Fields = append(a.Fields, Field{
		Path: path, Last: version(s.last), Config: version(s.config), Live: version(s.live), Result: version(s.result), Owners: c.owners(),
	})
	switch {
	case inObject:
		last, config, live, result := tree.Map(s.last.v), tree.Map(s.config.v), tree.Map(s.live.v), tree.Map(s.result.v)
		for _, key := range sortedKeys(last, config, live, result) {
			a.field(path.Child(key), t, sides{last: of(last, key), config: of(config, key), live: of(live, key), result: of(result, key)}, c.field(key))
		}
	case inList:
		a.list(path, t, f, s, c)
	}
}

func isObject(v any) bool { return len(tree.Map(v)) > 0 }

func isMany(v any) bool { return len(tree.List(v)) > 0 }

// hasParts reports whether a list has more than scalars in it. One of scalars
// is read better as a whole.
func hasParts(v any) bool {
	return slices.ContainsFunc(tree.List(v), func(x any) bool {
		switch x.(type) {
		case map[string]any, []any:
			return true
		}
		return false
	})
}

// list aligns the items of a list by their merge key or value, or, if it does
// not merge, by number.
func (a *aligner) list(path fieldpath.Path, t *schema.Type, f *schema.Field, s sides, c claims) {
	var elem *schema.Type
	if t != nil {
		elem = t.Elem
	}
	last, config, live, result := tree.List(s.last.v), tree.List(s.config.v), tree.List(s.live.v), tree.List(s.result.v)
	lists := [][]any{result, live, config, last}
	if f == nil || !f.Merge || slices.ContainsFunc(lists, func(l []any) bool { return ambiguous(l, f.MergeKey) }) {
		for i := range max(len(last), len(config), len(live), len(result)) {
			a.value(path.Item(i), elem, nil, sides{last: itemAt(last, i), config: itemAt(config, i), live: itemAt(live, i), result: itemAt(result, i)}, c.whole())
		}
		return
	}
	seen := map[string]bool{}
	for _, list := range lists {
		for _, x := range list {
			key := itemKey(x, f.MergeKey)
			if seen[key.Text()] {
				continue
			}
			seen[key.Text()] = true
			sub := sides{
				last: named(last, f.MergeKey, key), config: named(config, f.MergeKey, key),
				live: named(live, f.MergeKey, key), result: named(result, f.MergeKey, key),
			}
			a.value(path.Select(key), elem, nil, sub, c.item(key, a.itemKeys))
		}
	}
}

// ambiguous reports whether items of a list lack the merge key or share it.
func ambiguous(list []any, mergeKey string) bool {
	seen := map[string]bool{}
	for _, x := range list {
		key := itemKey(x, mergeKey)
		if key.Value == nil || seen[key.Text()] {
			return true
		}
		seen[key.Text()] = true
	}
	return false
}

// named finds the item that a path means, in which "80" and 80 are the same.
func named(list []any, mergeKey string, key fieldpath.Key) value {
	for _, x := range list {
		if itemKey(x, mergeKey).Text() == key.Text() {
			return value{x, true}
		}
	}
	return value{}
}

func itemAt(list []any, i int) value {
	if i < 0 || i >= len(list) {
		return value{}
	}
	return value{list[i], true}
}

// any reports whether one of the versions is so.
func (s sides) any(is func(v any) bool) bool {
	return is(s.last.v) || is(s.config.v) || is(s.live.v) || is(s.result.v)
}

// claims are what each owner has of a field, in the FieldsV1 format: nil if it
// has nothing of it, empty if it has it as a whole.
type claims []tree.Object

// owners are the indexes of those that own the field itself.
func (c claims) owners() (list []int) {
	for i, fields := range c {
		if _, self := fields["."]; self || fields != nil && len(fields) == 0 {
			list = append(list, i)
		}
	}
	return list
}

// below are the claims on a part of the field. A field that is owned as a whole
// is owned with all its parts.
func (c claims) below(part func(fields tree.Object) tree.Object) claims {
	list := make(claims, len(c))
	for i, fields := range c {
		if list[i] = fields; len(fields) > 0 {
			list[i] = part(fields)
		}
	}
	return list
}

func (c claims) field(key string) claims {
	return c.below(func(fields tree.Object) tree.Object { return tree.Map(fields, "f:"+key) })
}

func (c claims) whole() claims { return c.below(func(tree.Object) tree.Object { return nil }) }

// item are the claims on an item of a list. Their keys may be more than the
// merge key. What is decoded of them is kept for the next item.
func (c claims) item(key fieldpath.Key, decoded map[string]map[string]any) claims {
	return c.below(func(fields tree.Object) tree.Object {
		best := ""
		for name := range fields {
			if claimsItem(name, key, decoded) && (best == "" || name < best) {
				best = name
			}
		}
		return tree.Map(fields, best)
	})
}

// claimsItem reports whether a step in the FieldsV1 format is that of an item.
func claimsItem(step string, key fieldpath.Key, decoded map[string]map[string]any) bool {
	kind, text, _ := strings.Cut(step, ":")
	switch {
	case kind == "v" && key.Name == "":
		var have any
		return json.Unmarshal([]byte(text), &have) == nil && sameScalar(have, key.Value)
	case kind != "k" || key.Name == "":
		return false
	}
	have, known := decoded[text]
	if !known {
		_ = json.Unmarshal([]byte(text), &have) // what is no object claims no item
		decoded[text] = have
	}
	v, ok := have[key.Name]
	return ok && sameScalar(v, key.Value)
}

// sameScalar compares a value of plain JSON with one of an object.
func sameScalar(decoded, v any) bool {
	if n, ok := decoded.(float64); ok {
		decoded = int64(n)
	}
	return decoded == v
}

// sortedKeys are the keys of all the maps.
func sortedKeys(maps ...tree.Object) []string {
	var keys []string
	for _, m := range maps {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
