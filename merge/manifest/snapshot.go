package manifest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threeway/merge/schema"
)

// Snapshot is a dump of the objects of a cluster.
type Snapshot struct {
	Set
	byID       map[Identity]*Object
	kinds      map[schema.Kind]bool
	namespaces map[string]bool
	// scopes holds, by kind without version, whether objects have a namespace.
	scopes map[schema.Kind]bool
}

// ReadSnapshot reads what `kubectl get -o yaml` or `-o json` printed, any
// number of files and Lists. Objects are taken as they are: managedFields
// stay, kubectl's validation of config is left out, Lists may nest. Of an
// object that is there twice the one read last counts, with a Warning.
func ReadSnapshot(opts Options) *Snapshot {
	set, lists := read(opts, true)
	s := &Snapshot{
		Set:        *set,
		byID:       make(map[Identity]*Object, len(set.Objects)),
		kinds:      map[schema.Kind]bool{},
		namespaces: map[string]bool{},
		scopes:     map[schema.Kind]bool{},
	}
	for _, kind := range lists {
		if item, ok := strings.CutSuffix(kind.Kind, "List"); ok && item != "" {
			s.kinds[schema.Kind{Group: kind.Group, Version: kind.Version, Kind: item}] = true
		}
	}
	s.index()
	return s
}

// index fills the maps, dropping from Objects those that a later one replaces.
func (s *Snapshot) index() {
	for _, o := range s.Objects {
		id := o.ID()
		s.kinds[o.Kind] = true
		s.scopes[schema.Kind{Group: o.Kind.Group, Kind: o.Kind.Kind}] = o.Namespace != ""
		if o.Namespace != "" {
			s.namespaces[o.Namespace] = true
		}
		if first := s.byID[id]; first != nil {
			s.Problems = append(s.Problems, o.problem(Warning, nil, "%s is in the snapshot twice, first in %s; this one counts", id, first.at()))
		}
		s.byID[id] = o
	}
	if len(s.byID) < len(s.Objects) {
		s.Objects = slices.DeleteFunc(s.Objects, func(o *Object) bool { return s.byID[o.ID()] != o })
	}
}

// at is file:line of the object.
func (o *Object) at() string {
	line, _, _ := o.Position(nil)
	return fmt.Sprintf("%s:%d", o.Origin.File, line)
}

// Find returns the live object, or nil if the snapshot has none.
func (s *Snapshot) Find(id Identity) *Object { return s.byID[id] }

// Kinds lists the kinds that the snapshot covers: those of its objects, and of
// its lists (DeploymentList) even where empty.
func (s *Snapshot) Kinds() []schema.Kind {
	return slices.SortedFunc(maps.Keys(s.kinds), func(a, b schema.Kind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Version, b.Version))
	})
}

// Namespaces lists the namespaces that its objects are in.
func (s *Snapshot) Namespaces() []string { return slices.Sorted(maps.Keys(s.namespaces)) }

// Covers reports whether the snapshot holds objects, or an empty list, of the
// kind in any version. Of a kind that it does not cover, an object's absence
// says nothing.
func (s *Snapshot) Covers(group, kind string) bool {
	for k := range s.kinds {
		if k.Group == group && k.Kind == kind {
			return true
		}
	}
	return false
}

// Scope tells by its objects whether a kind is namespaced; known is false if
// it has none of the group and kind.
func (s *Snapshot) Scope(kind schema.Kind) (namespaced, known bool) {
	namespaced, known = s.scopes[schema.Kind{Group: kind.Group, Kind: kind.Kind}]
	return namespaced, known
}

// With returns the snapshot with objects in place of those of the same
// identity, and without those that are gone. Problems were told already.
func (s *Snapshot) With(objects []*Object, gone map[Identity]bool) *Snapshot {
	next := &Snapshot{byID: map[Identity]*Object{}, kinds: maps.Clone(s.kinds), namespaces: map[string]bool{}, scopes: maps.Clone(s.scopes)}
	if next.kinds == nil {
		next.kinds, next.scopes = map[schema.Kind]bool{}, map[schema.Kind]bool{}
	}
	now := make(map[Identity]*Object, len(objects))
	for _, o := range objects {
		now[o.ID()] = o
	}
	for _, o := range s.Objects {
		id := o.ID()
		if replaced := now[id]; replaced != nil {
			o = replaced
			delete(now, id)
		}
		if !gone[id] {
			next.Objects = append(next.Objects, o)
		}
	}
	for _, o := range objects {
		if now[o.ID()] == o {
			next.Objects = append(next.Objects, o)
		}
	}
	next.index()
	return next
}
