package mask

import (
	"slices"
	"strconv"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Holds reports whether one of the objects has something to hide. A Secret and a
// declared kind always have, even if they are empty.
func (p *Policy) Holds(objects ...tree.Object) bool {
	for _, o := range objects {
		if o != nil && p.holds(o, p.as(false, o)) {
			return true
		}
	}
	return false
}

func (p *Policy) holds(o tree.Object, what as) bool {
	return what.form != public || len(what.declared) > 0 || len(p.find(o, what, true).Spots) > 0 || p.knows(o)
}

// Hidden returns the paths of values to hide, and of copies of them, in the order
// of the object. What is masked already counts.
func (p *Policy) Hidden(o tree.Object) (paths []fieldpath.Path) {
	found := p.Find(o)
	for _, s := range slices.Concat(found.Spots, p.copies(o, found.Spots)) {
		path := s.Path
		if s.Whole && len(path) > 1 {
			path = path[:len(path)-1] // with the comments between the values
		}
		if len(paths) == 0 || !paths[len(paths)-1].Equal(path) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 && !p.Holds(o) {
		return nil
	}
	if tree.Has(o, "metadata", "annotations") {
		paths = append(paths, fieldpath.New("metadata", "annotations"))
	}
	return paths
}

// Object returns a masked copy of o. If there is nothing to hide, o itself is
// returned.
func (p *Policy) Object(o tree.Object) tree.Object {
	_, o = p.Pair(nil, o)
	return o
}

// As is Object for a version of the object of, which may not say its own kind, or a
// merge patch of it, strategic or not. Removed values (null) and directives stay
// visible.
func (p *Policy) As(of, o tree.Object) tree.Object {
	what := p.as(false, of, o)
	if of != nil && what.form == public {
		// A patch of a Secret inside another object has no kind.
		for _, s := range p.find(of, what, false).Spots {
			if path := names(s.Path); s.Whole && !s.Copied && path[0].Field != "metadata" {
				what.declared = append(what.declared, path)
			}
		}
	}
	_, o = p.pair(nil, o, what)
	return o
}

// names is a path without the items of lists.
func names(path fieldpath.Path) (short fieldpath.Path) {
	for _, step := range path {
		if !step.IsIndex && step.Keys == nil {
			short = short.Child(step.Field)
		}
	}
	return short
}

// Pair returns masked copies of two versions of an object; either may be nil.
// Values that differ become Before and After.
func (p *Policy) Pair(from, to tree.Object) (tree.Object, tree.Object) {
	return p.pair(from, to, p.as(false, from, to))
}

func (p *Policy) pair(from, to tree.Object, what as) (tree.Object, tree.Object) {
	if !(from != nil && p.holds(from, what) || to != nil && p.holds(to, what)) {
		return from, to
	}
	from, to = tree.CopyObject(from), tree.CopyObject(to)
	a, b := p.find(from, what, false), p.find(to, what, false)
	values := slices.Concat(a.Spots, b.Spots)
	secrets := p.local(values)
	hide(a.Spots, b.Spots, func(*Spot) any { return Value })
	a.Settle()
	b.Settle()
	hide(secrets.find(from), secrets.find(to), func(s *Spot) any { return s.instead })
	secrets.forget(from)
	secrets.forget(to)
	return from, to
}

// hide sets the values of two versions of an object to what stands for them, and
// says of those that differ that they do.
func hide(from, to []*Spot, instead func(*Spot) any) {
	olds, news := byName(from), byName(to)
	for name, old := range olds {
		now, both := news[name]
		if !both {
			old.Set(instead(old))
			continue
		}
		x, y := instead(old), instead(now)
		if !tree.Equal(old.Value(), now.Value()) && tree.Equal(x, y) {
			x, y = Text(x)+before, Text(y)+after
		}
		old.Set(x)
		now.Set(y)
		delete(news, name)
	}
	for _, now := range news {
		now.Set(instead(now))
	}
}

// byName returns values by names that are the same in both versions. Equal names are
// numbered.
func byName(spots []*Spot) map[string]*Spot {
	named, count := map[string]*Spot{}, map[string]int{}
	for _, s := range spots {
		count[s.name]++
		named[s.name+"#"+strconv.Itoa(count[s.name])] = s
	}
	return named
}

// Path returns the path of a field without secrets. Values of sets and keys of
// lists are part of a path, so the path ends before the first one that is in a
// hidden field, or has a hidden value.
func (p *Policy) Path(of tree.Object, path fieldpath.Path) fieldpath.Path {
	what := p.as(false, of)
	for _, field := range what.declared {
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
	if !slices.ContainsFunc(path, func(s fieldpath.Step) bool { return s.Keys != nil }) {
		return path
	}
	return path[:p.local(p.find(of, what, false).Spots).inPath(path, p)]
}
