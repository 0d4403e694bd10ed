package explain

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Aligned is an object in its four versions, field by field: as it was applied
// last, as it is to be applied, as it is live, and as it would be.
type Aligned struct {
	// Fields are in the order of a walk: what is in a field comes after it.
	// Those that only the server writes are left out.
	Fields []Field
	// Owners are the entries of the live object's managedFields.
	Owners []owners.Owner
}

// Field is a field in the four versions.
type Field struct {
	Path                         fieldpath.Path
	Last, Manifest, Live, Result Version
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

// Align aligns the versions of the object. A rejected one has no result.
func Align(o *rehearsal.Outcome) Aligned {
	a := &aligner{}
	var c claims
	for _, e := range owners.Read(o.Before) {
		a.Owners = append(a.Owners, e.Owner)
		c = append(c, e.All())
	}
	s := schema.Lookup(o.Kind)
	for _, key := range sortedKeys(o.Original, o.Manifest.Tree, o.Before, o.Result) {
		if key != "apiVersion" && key != "kind" {
			a.field(fieldpath.New(key), s, sides{
				last: of(o.Original, key), config: of(o.Manifest.Tree, key), live: of(o.Before, key), result: of(o.Result, key),
			}, c.step(fieldpath.Step{Field: key}))
		}
	}
	return a.Aligned
}

type aligner struct{ Aligned }

// deepest is how deep a field is divided into its parts: each has a path, which is as
// long as the field is deep.
const deepest = 64

func (a *aligner) field(path fieldpath.Path, parent *schema.Type, s sides, c claims) {
	if !rehearsal.ServerOwned(path) {
		t, f := parent.Child(path[len(path)-1].Field)
		a.value(path, t, f, s, c)
	}
}

// value adds a field and then what is in it.
func (a *aligner) value(path fieldpath.Path, t *schema.Type, f *schema.Field, s sides, c claims) {
	divides := len(path) < deepest
	inObject := divides && s.any(isObject)
	inList := divides && !inObject && s.any(isMany) && (f != nil && f.Merge || s.any(hasParts))
	version := func(v value) Version {
		return Version{v.v, v.ok, inObject && isObject(v.v) || inList && isMany(v.v)}
	}
	a.Fields = append(a.Fields, Field{
		Path: path, Last: version(s.last), Manifest: version(s.config), Live: version(s.live), Result: version(s.result), Owners: c.owners(),
	})
	switch {
	case inObject:
		last, config, live, result := tree.Map(s.last.v), tree.Map(s.config.v), tree.Map(s.live.v), tree.Map(s.result.v)
		for _, key := range sortedKeys(last, config, live, result) {
			a.field(path.Child(key), t, sides{last: of(last, key), config: of(config, key), live: of(live, key), result: of(result, key)}, c.step(fieldpath.Step{Field: key}))
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
	return slices.ContainsFunc(tree.List(v), tree.Compound)
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
			a.value(path.Item(i), elem, nil, sides{last: itemAt(last, i), config: itemAt(config, i), live: itemAt(live, i), result: itemAt(result, i)}, c.step(fieldpath.Step{Index: i, IsIndex: true}))
		}
		return
	}
	seen := map[string]bool{}
	lastBy, configBy, liveBy, resultBy := byKey(last, f.MergeKey), byKey(config, f.MergeKey), byKey(live, f.MergeKey), byKey(result, f.MergeKey)
	for _, list := range lists {
		for _, x := range list {
			key := itemKey(x, f.MergeKey)
			text := key.Text()
			if seen[text] {
				continue
			}
			seen[text] = true
			sub := sides{last: lastBy[text], config: configBy[text], live: liveBy[text], result: resultBy[text]}
			a.value(path.Select(key), elem, nil, sub, c.step(fieldpath.Step{Keys: []fieldpath.Key{key}}))
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

// byKey are the items of a list by what a path calls them, in which "80" and 80 are the
// same.
func byKey(list []any, mergeKey string) map[string]value {
	by := make(map[string]value, len(list))
	for _, x := range list {
		by[itemKey(x, mergeKey).Text()] = value{x, true}
	}
	return by
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

// claims are what each owner has of a field.
type claims []owners.Part

// owners are the indexes of those that own the field itself.
func (c claims) owners() (list []int) {
	for i, part := range c {
		if part.Itself() {
			list = append(list, i)
		}
	}
	return list
}

// step are the claims on what is one step below the field.
func (c claims) step(s fieldpath.Step) claims {
	list := make(claims, len(c))
	for i, part := range c {
		list[i] = part.Step(s)
	}
	return list
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
