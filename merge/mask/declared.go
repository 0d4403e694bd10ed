package mask

import (
	"maps"
	"slices"
	"strconv"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// Holds reports whether one of the objects has something to hide: Secrets have,
// even if they are empty.
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
		for _, copied := range p.copies(o) {
			if copied == nil || p.Holds(copied) {
				return true
			}
		}
	}
	return false
}

// items are the objects in a List: kubectl refuses some whole, and tells of them as
// of one object. Those of a SecretList need no kind of their own. What is not an
// object stands as nil.
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

// Hidden are the paths of what holds values, or repeats them, sorted.
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

// Object returns o as it may be shown. What has nothing to hide is shared
// with o, and o itself is returned if it has nothing at all.
func (p *Policy) Object(o tree.Object) tree.Object {
	_, o = p.Pair(nil, o)
	return o
}

// As is Object of what may not say of itself what it is: a version of the
// object given.
func (p *Policy) As(of, o tree.Object) tree.Object {
	if IsSecret(of) || IsSecret(o) {
		return asSecret(o)
	}
	_, o = p.pair(nil, o, p.Declared(of))
	return o
}

// Pair returns two versions of an object as they may be shown side by side;
// either may be nil. Values that differ between the two become Before and
// After.
func (p *Policy) Pair(from, to tree.Object) (tree.Object, tree.Object) {
	if IsSecret(from) || IsSecret(to) {
		return hide(from, to, isCore(from) || isCore(to))
	}
	return p.pair(from, to, either(p.Declared(from), p.Declared(to)))
}

// either joins the declared fields of two versions.
func either(a, b []fieldpath.Path) []fieldpath.Path {
	joined := slices.Clone(a)
	for _, path := range b {
		if !slices.ContainsFunc(a, path.Equal) {
			joined = append(joined, path)
		}
	}
	return joined
}

// Patch returns a merge patch of an object, strategic or not, as it may be
// shown. That a value is removed (null) stays visible, and so do directives.
func (p *Policy) Patch(patch, of tree.Object) tree.Object {
	if IsSecret(of) {
		return patchOfSecret(patch, of)
	}
	_, patch = p.pair(nil, patch, p.Declared(of))
	return patch
}

// pair masks two versions of an object that is no Secret, in copies.
func (p *Policy) pair(from, to tree.Object, declared []fieldpath.Path) (tree.Object, tree.Object) {
	secret := repeatsSecret(from) || repeatsSecret(to)
	idle := p == nil || len(p.Env) == 0 && len(declared) == 0
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

// named are the values of an object by names that are the same in its other
// version. Things of the same name are counted.
func (p *Policy) named(o tree.Object, declared []fieldpath.Path) map[string]Spot {
	spots, count := map[string]Spot{}, map[string]int{}
	p.walk(o, declared, func(s Spot) bool {
		count[s.name]++
		spots[s.name+"#"+strconv.Itoa(count[s.name])] = s
		return true
	})
	return spots
}

// copies are the copies of an object in its annotations, nil where one does not
// read as such.
func (p *Policy) copies(o tree.Object) map[string]tree.Object {
	if p.Idle() {
		return nil
	}
	list := map[string]tree.Object{}
	for key, text := range tree.Map(o, "metadata", "annotations") {
		if copied := parse(text); copied != nil || key == lastApplied || slices.Contains(packed, key) {
			list[key] = copied
		}
	}
	return list
}

// hideCopies masks the copies of two versions in their annotations.
func (p *Policy) hideCopies(from, to tree.Object, declared []fieldpath.Path) {
	a, b := tree.Map(from, "metadata", "annotations"), tree.Map(to, "metadata", "annotations")
	x, y := p.copies(from), p.copies(to)
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

// Path is the path of a field as it may be shown. The values of sets and the keys
// of lists are part of a path: it ends before the first one in a field that is
// hidden for the kind of the object.
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

// Forget drops what managedFields say of the items of lists in the fields that
// are hidden for the kind of an object: values of sets, and keys. It changes o.
func (p *Policy) Forget(o tree.Object) {
	for _, field := range p.Declared(o) {
		owners.Forget(o, field)
	}
}
