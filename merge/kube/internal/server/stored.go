package server

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/tree"
)

// stored are the objects of a kind as the manifests so far leave them: the live ones,
// and those that earlier manifests made or replaced. They come and go one by one, so that
// it takes n objects and n that ask for them n·log n steps.
type stored struct {
	live  map[string]bool // the namespaces whose live objects are in
	made  int             // how many of World.Made are in
	named map[[2]string]tree.Object
	ranks map[rank]*ranking
}

// rank is what objects of a namespace are compared by.
type rank struct{ namespace, by string }

// ranking has, by name of what is compared, the objects, the first that counts first.
type ranking struct {
	names  []string // sorted
	places map[string][]place
}

// place is an object in a ranking: those with less come first, then the newest, then by
// name; of one object the last part.
type place struct {
	amount resource.Quantity
	since  string
	object tree.Object
	part   int
	value  any
}

func (p place) compare(other place) int {
	a, b := fullName(p.object), fullName(other.object)
	return cmp.Or(p.amount.Cmp(other.amount), -strings.Compare(p.since, other.since), slices.Compare(a[:], b[:]), other.part-p.part)
}

// first is the object that counts, and what of it; no place if there is none.
func (r *ranking) first(name string) place {
	if r == nil || len(r.places[name]) == 0 {
		return place{}
	}
	return r.places[name][0]
}

// bounded are the names of what is compared.
func (r *ranking) bounded() []string {
	if r == nil {
		return nil
	}
	return r.names
}

// ask looks at the objects of a kind in a namespace.
func (c *cluster) ask(groupKind, namespace string, look func(*stored)) {
	c.asking.Lock()
	defer c.asking.Unlock()
	s := c.standing[groupKind]
	if s == nil {
		s = &stored{live: map[string]bool{}, named: map[[2]string]tree.Object{}, ranks: map[rank]*ranking{}}
		if c.standing == nil {
			c.standing = map[string]*stored{}
		}
		c.standing[groupKind] = s
	}
	if !s.live[namespace] {
		s.live[namespace] = true
		for _, o := range c.ObjectsIn(groupKind, namespace) {
			if s.named[fullName(o)] == nil {
				s.put(groupKind, o)
			}
		}
	}
	made := c.Made(groupKind)
	for _, o := range made[s.made:] {
		s.put(groupKind, o)
	}
	s.made = len(made)
	look(s)
}

// put adds an object, which replaces that of its name.
func (s *stored) put(groupKind string, o tree.Object) {
	if old := s.named[fullName(o)]; old != nil {
		places(groupKind, old, func(by, name string, p place) {
			r := s.ranks[rank{fullName(o)[0], by}]
			if i, found := slices.BinarySearchFunc(r.places[name], p, place.compare); found {
				r.places[name] = slices.Delete(r.places[name], i, i+1)
			}
		})
	}
	s.named[fullName(o)] = o
	places(groupKind, o, func(by, name string, p place) {
		at := rank{fullName(o)[0], by}
		if s.ranks[at] == nil {
			s.ranks[at] = &ranking{places: map[string][]place{}}
		}
		r := s.ranks[at]
		if i, known := slices.BinarySearch(r.names, name); !known {
			r.names = slices.Insert(r.names, i, name)
		}
		i, _ := slices.BinarySearchFunc(r.places[name], p, place.compare)
		r.places[name] = slices.Insert(r.places[name], i, p)
	})
}

// places says what an object is compared by.
func places(groupKind string, o tree.Object, in func(by, name string, p place)) {
	switch groupKind {
	case priorityClasses: // with several defaults the lowest one counts
		if value, _ := tree.Int(o, "value"); tree.Bool(o, "globalDefault") {
			in("default", "", place{amount: *resource.NewQuantity(value, resource.DecimalSI), object: o})
		}
	case storageClasses, ingressClasses: // the newest; one without a time is made by the same apply
		if tree.String(o, "metadata", "annotations", defaultClass[groupKind]) == "true" {
			in("default", "", place{since: cmp.Or(tree.String(o, "metadata", "creationTimestamp"), "now"), object: o}) // after every digit
		}
	case limitRanges:
		for i, item := range tree.List(o, "spec", "limits") {
			for _, field := range []string{"default", "defaultRequest", "min", "max", ratio} {
				for name, value := range tree.Map(item, field) {
					p := place{object: o, part: i, value: value}
					if field == "min" || field == "max" || field == ratio {
						p.amount, _ = quantity(tree.Map(item, field), name)
					}
					if field == "min" {
						p.amount.Neg()
					}
					in(field+" "+tree.String(item, "type"), name, p)
				}
			}
		}
	}
}

// find is the object of a name; nil if there is none.
func (c *cluster) find(groupKind, namespace, name string) (found tree.Object) {
	c.ask(groupKind, namespace, func(s *stored) { found = s.named[[2]string{namespace, name}] })
	return found
}

// byDefault is the object that counts of those marked as default; nil if there is none.
func (c *cluster) byDefault(groupKind string) (found tree.Object) {
	c.ask(groupKind, "", func(s *stored) { found = s.ranks[rank{"", "default"}].first("").object })
	return found
}
