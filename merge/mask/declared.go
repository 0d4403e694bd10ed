package mask

import (
	"maps"
	"slices"
	"strconv"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// Holds reports whether one of the objects has something to hide. A Secret
// always has, even if it is empty.
func (p *Policy) Holds(objects ...tree.Object) bool {
	for _, o := range objects {
		if IsSecret(o) || len(p.Declared(o)) > 0 {
			return true
		}
		for range p.Spots(o) {
			return true
		}
		if p.Holds(items(o)...) {
			return true
		}
		for _, copied := range p.copies(o, p.Declared(o)) {
			if copied == nil || p.Holds(copied) {
				return true
			}
		}
	}
	return false
}

// items returns the objects in a List, because kubectl rejects some Lists as
// one object. The items of a SecretList may have no kind. An item that is not
// an object is nil.
func items(o tree.Object) []tree.Object {
	list := make([]tree.Object, len(tree.List(o, "items")))
	for i, item := range tree.List(o, "items") {
		list[i], _ = item.(tree.Object)
		if list[i] != nil && tree.String(o, "kind") == "SecretList" && tree.String(list[i], "kind") == "" {
			list[i] = maps.Clone(list[i])
			list[i]["kind"] = "Secret"
		}
	}
	return list
}

// Hidden returns the paths of values to hide, and of copies of them, sorted.
func (p *Policy) Hidden(o tree.Object) (paths []fieldpath.Path) {
	if IsSecret(o) {
		for _, field := range hiddenFields(o) {
			paths = append(paths, fieldpath.New(field))
		}
	} else {
		for _, path := range p.Declared(o) {
			if _, has := path.Find(o); has {
				paths = append(paths, path)
			}
		}
		for spot := range p.Spots(o) {
			paths = append(paths, spot.Path)
		}
		for i, item := range items(o) {
			for _, path := range p.Hidden(item) {
				paths = append(paths, fieldpath.New("items").Item(i).Join(path))
			}
		}
	}
	if tree.Has(o, "metadata", "annotations") && p.Holds(o) {
		paths = append(paths, fieldpath.New("metadata", "annotations"))
	}
	return paths
}

// Object returns a masked copy of o. Parts without anything to hide are shared;
// if there is nothing to hide, o itself is returned.
func (p *Policy) Object(o tree.Object) tree.Object {
	_, o = p.Pair(nil, o)
	return o
}

// As is Object for a version of the object of, which may not say its own kind.
func (p *Policy) As(of, o tree.Object) tree.Object {
	if IsSecret(of) || IsSecret(o) {
		return asSecret(o)
	}
	_, o = p.pair(nil, o, p.Declared(of))
	return o
}

// Pair returns masked copies of two versions of an object; either may be nil.
// Values that differ become Before and After.
func (p *Policy) Pair(from, to tree.Object) (tree.Object, tree.Object) {
	if IsSecret(from) || IsSecret(to) {
		return hide(from, to, isCore(from) || isCore(to))
	}
	return p.pair(from, to, either(p.Declared(from), p.Declared(to)))
}

// either returns the declared fields of both versions.
func either(a, b []fieldpath.Path) []fieldpath.Path {
	joined := slices.Clone(a)
	for _, path := range b {
		if !slices.ContainsFunc(a, path.Equal) {
			joined = append(joined, path)
		}
	}
	return joined
}

// Patch returns a masked copy of a merge patch, strategic or not. Removed
// values (null) and directives stay visible.
func (p *Policy) Patch(patch, of tree.Object) tree.Object {
	if IsSecret(of) {
		return patchOfSecret(patch, of)
	}
	_, patch = p.pair(nil, patch, p.Declared(of))
	return patch
}

// pair returns masked copies of two versions of an object that is not a Secret.
func (p *Policy) pair(from, to tree.Object, declared []fieldpath.Path) (tree.Object, tree.Object) {
	secret := repeatsSecret(from) || repeatsSecret(to)
	idle := (p == nil || len(p.Env) == 0) && len(declared) == 0
	if idle && !secret {
		return from, to
	}
	from, to = tree.CopyObject(from), tree.CopyObject(to)
	if secret {
		hideSecretsIn(tree.Map(from, "metadata", "annotations"), tree.Map(to, "metadata", "annotations"))
	}
	if idle {
		return from, to
	}
	p.hideSpots(from, to, declared)
	p.hideCopies(from, to, declared)
	for _, field := range declared {
		owners.Forget(from, field)
		owners.Forget(to, field)
	}
	return from, to
}

// hideSpots masks the values in place.
func (p *Policy) hideSpots(from, to tree.Object, declared []fieldpath.Path) {
	before, after := p.named(from, declared), p.named(to, declared)
	for name, old := range before {
		if now, both := after[name]; both {
			hidePair(old, now)
			delete(after, name)
			continue
		}
		old.In[old.Key] = Value
	}
	for _, now := range after {
		now.In[now.Key] = Value
	}
}

func hidePair(old, now Spot) {
	if tree.Equal(old.In[old.Key], now.In[now.Key]) {
		old.In[old.Key], now.In[now.Key] = Value, Value
	} else {
		old.In[old.Key], now.In[now.Key] = Before, After
	}
}

// named returns the values of an object by names that are the same in both
// versions. Equal names are numbered.
func (p *Policy) named(o tree.Object, declared []fieldpath.Path) map[string]Spot {
	spots, count := map[string]Spot{}, map[string]int{}
	p.walk(o, declared, func(s Spot) bool {
		count[s.name]++
		spots[s.name+"#"+strconv.Itoa(count[s.name])] = s
		return true
	})
	return spots
}

// copies returns the copies of an object in its annotations; nil for one that
// cannot be parsed.
func (p *Policy) copies(o tree.Object, declared []fieldpath.Path) map[string]tree.Object {
	if p.Idle() && len(declared) == 0 {
		return nil
	}
	list := map[string]tree.Object{}
	for key, text := range tree.Map(o, "metadata", "annotations") {
		if copied := parse(text); copied != nil || CopiesObject(key) {
			list[key] = copied
		}
	}
	return list
}

// hideCopies masks the copies in the annotations of two versions.
func (p *Policy) hideCopies(from, to tree.Object, declared []fieldpath.Path) {
	a, b := tree.Map(from, "metadata", "annotations"), tree.Map(to, "metadata", "annotations")
	x, y := p.copies(from, declared), p.copies(to, declared)
	keys := maps.Clone(x)
	maps.Copy(keys, y)
	for key := range keys {
		if x[key] == nil && y[key] == nil {
			hideValue(a, b, key)
			continue
		}
		maskedX, maskedY := p.pair(x[key], y[key], declared)
		if !tree.Equal(maskedX, x[key]) || x[key] == nil {
			replace(a, key, maskedX)
		}
		if !tree.Equal(maskedY, y[key]) || y[key] == nil {
			replace(b, key, maskedY)
		}
	}
}

// Path returns the path of a field without secrets. Values of sets and keys of
// lists are part of a path, so the path ends before the first one that is in a
// hidden field.
func (p *Policy) Path(of tree.Object, path fieldpath.Path) fieldpath.Path {
	for _, field := range p.Declared(of) {
		matched := 0
		for i, step := range path {
			name := !step.IsIndex && step.Keys == nil
			inKey := func(k fieldpath.Key) bool { return matched == len(field) || k.Name == field[matched].Field }
			if matched == len(field) && step.IsIndex || slices.ContainsFunc(step.Keys, inKey) {
				path = path[:i]
				break
			}
			if matched < len(field) && name {
				if step.Field != field[matched].Field {
					break
				}
				matched++
			}
		}
	}
	return path
}

// Forget removes from managedFields the items of lists in hidden fields of the
// object: values of sets, and keys. It changes o.
func (p *Policy) Forget(o tree.Object) {
	for _, field := range p.Declared(o) {
		owners.Forget(o, field)
	}
}
