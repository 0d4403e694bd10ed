package manifest

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/mask"
	"threeway/merge/memo"
	"threeway/merge/parallel"
	"threeway/merge/tree"
)

// Snapshot is a dump of the objects of a cluster. Reading indexes it; an object
// is decoded when it is needed.
type Snapshot struct {
	Problems []Problem
	// Entries are in the order in which they were read.
	Entries []*Entry
	// NewestWrite is the newest time in the managedFields of all objects.
	NewestWrite string
	// Gathered says what was read from archives and directories, and what was
	// skipped.
	Gathered []*Gathered
	// Repeated counts the objects that occur more than once in them, but for
	// those that a Velero backup has in several versions.
	Repeated int
	// Server is what `kubectl version -o yaml` or -o json, found in a file, says of
	// the server; zero if there is no such file.
	Server ServerVersion
	// Taken are the files that Options.Takes takes.
	Taken []*Taken

	sources    []*sourceFile
	cores      parallel.Cores
	byID       map[Identity]*Entry
	byKind     map[string][]*Entry // by group and kind
	kinds      map[schema.Kind]bool
	namespaces map[string]bool
	// scopes says for each kind, without version, whether its objects have a
	// namespace.
	scopes  map[schema.Kind]bool
	learned memo.Types
}

// Learned is what find finds out about a snapshot. It is found once for all who ask for the
// same type of answer.
func Learned[T any](s *Snapshot, find func() T) T {
	return memo.Of(&s.learned, find)
}

// ReadSnapshot reads an export: what `kubectl get -o yaml` or `-o json`
// printed, any number of files, Lists, archives and directories with such
// files. Objects are not changed: managedFields stay, kubectl's validation of
// manifests is skipped, Lists may nest. If an object occurs twice, the newer
// state is used; if that is unknown, the one read last, with a Warning.
func ReadSnapshot(opts Options) *Snapshot {
	files, problems := liveFiles(opts)
	if len(problems) > 0 {
		files = nil
	}
	g := &gatherer{opts: opts}
	all := make([]taken, len(files))
	if len(files) > 0 {
		opts.Progress.Snapshot()
	}
	opts.Cores.Do(len(files), func(i int) { all[i] = g.take(files[i]) })
	s := &Snapshot{Problems: problems, kinds: map[schema.Kind]bool{}, cores: opts.Cores}
	folders := map[string]*Gathered{}
	for i, t := range all {
		if path := files[i].folder; path != "" && t.gathered == nil {
			if folders[path] == nil {
				folders[path] = &Gathered{Path: path}
				s.Gathered = append(s.Gathered, folders[path])
			}
			folders[path].add(files[i].name, t)
		} else if t.gathered != nil {
			s.Gathered = append(s.Gathered, t.gathered)
		}
		for _, r := range t.readers {
			s.add(r)
		}
		if t.server != (ServerVersion{}) {
			s.Server = t.server
		}
		if t.file != nil {
			s.Taken = append(s.Taken, t.file)
		}
	}
	s.Gathered = slices.DeleteFunc(s.Gathered, func(g *Gathered) bool { return folders[g.Path] == g && len(g.PassedOver) == 0 && g.Layout == "" })
	s.index()
	return s
}

// add adds the objects of a reader.
func (s *Snapshot) add(r reader) {
	s.Problems = append(s.Problems, r.set.Problems...)
	for _, kind := range r.lists {
		if item, ok := strings.CutSuffix(kind.Kind, "List"); ok && item != "" {
			s.kinds[schema.Kind{Group: kind.Group, Version: kind.Version, Kind: item}] = true
		}
	}
	s.Entries = append(s.Entries, r.index.entries...)
	s.NewestWrite = max(s.NewestWrite, r.index.newest)
	if r.index.source != nil {
		s.sources = append(s.sources, r.index.source)
	}
}

// indexed uses the index of a file if the frames of its Lists are valid. The
// frames are checked like other documents.
func (r *reader) indexed(x fileIndex) bool {
	x.entries = make([]*Entry, 0, len(x.entries))
	for _, p := range x.parts {
		origin, list := Origin{File: x.source.file, Document: p.number, Line: p.place.line}, tree.Object{}
		if p.frame != "" {
			doc, obj, ok := p.decode(x.source.file, x.source.Input)
			lists := len(r.lists)
			if !ok || !r.document(doc, obj) || len(r.set.Problems) > 0 || !p.whole && (len(r.lists) != lists+1 || len(r.set.Objects) > 0) {
				return false
			}
			origin, list = doc.Origin(), obj
		}
		for _, o := range r.set.Objects {
			x.add(o)
		}
		r.set.Objects = nil
		for _, e := range p.entries {
			if e.text.origin = origin; e.text.number > 0 {
				e.text.origin = Origin{File: x.source.file, Document: e.text.number, Line: e.text.line}
			}
			if e.Kind.Kind == "" {
				if e.Kind = kindOf(list); !strings.HasSuffix(e.Kind.Kind, "List") || e.Kind.Kind == "List" {
					return false
				}
				e.Kind.Kind = strings.TrimSuffix(e.Kind.Kind, "List")
			}
		}
		x.entries = append(x.entries, p.entries...)
	}
	x.parts = nil
	r.index = x
	return true
}

// add adds an object that is decoded already.
func (x *fileIndex) add(o *Object) {
	e := newEntry(o.Tree)
	e.object = o
	if mask.IsSecret(o.Tree) {
		unelide(o.Tree)
	}
	x.entries = append(x.entries, e)
	x.newest = max(x.newest, newestWrite(o.Tree))
}

// index fills the maps, dropping entries that a later one replaces.
func (s *Snapshot) index() {
	s.byID, s.byKind = make(map[Identity]*Entry, len(s.Entries)), map[string][]*Entry{}
	s.namespaces, s.scopes = map[string]bool{}, map[schema.Kind]bool{}
	repeated := map[Identity]bool{}
	for _, e := range s.Entries {
		id := e.ID()
		s.kinds[e.Kind] = true
		s.scopes[schema.Kind{Group: e.Kind.Group, Kind: e.Kind.Kind}] = e.Namespace != ""
		if e.Namespace != "" {
			s.namespaces[e.Namespace] = true
		}
		first := s.byID[id]
		switch {
		case first == nil:
		case e.found || e.event || e.comparable(first) && !e.Same(first):
			repeated[id] = true
		case !e.Same(first):
			s.Problems = append(s.Problems, e.Object().problem(Warning, nil, "%s is in the snapshot twice, first in %s; this later one is used", id, first.at()))
		}
		if first == nil || !first.outdates(e) {
			s.byID[id] = e
		}
	}
	for id := range repeated {
		if !s.byID[id].preferred {
			s.Repeated++
		}
	}
	if len(s.byID) < len(s.Entries) {
		s.Entries = slices.DeleteFunc(s.Entries, func(e *Entry) bool { return s.byID[e.ID()] != e })
	}
	s.Entries = slices.DeleteFunc(s.Entries, func(e *Entry) bool {
		if e.deleted {
			delete(s.byID, e.ID())
		}
		return e.deleted
	})
	for _, e := range s.Entries {
		kind := e.Kind.GroupKind()
		s.byKind[kind] = append(s.byKind[kind], e)
	}
}

// Failed returns an error if an object could not be decoded when it was needed,
// because its file has changed since. Results from the snapshot are then
// invalid.
func (s *Snapshot) Failed() error {
	for _, source := range s.sources {
		if err := source.failure(); err != nil {
			return fmt.Errorf("read %s: %w", source.file, err)
		}
	}
	return nil
}

// Objects yields all objects, decoding each.
func (s *Snapshot) Objects() iter.Seq[*Object] { return decoded(s.Entries) }

// OfKind yields the objects of a kind in any version ("Deployment.apps").
func (s *Snapshot) OfKind(groupKind string) iter.Seq[*Object] { return decoded(s.byKind[groupKind]) }

func decoded(entries []*Entry) iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, e := range entries {
			if !yield(e.Object()) {
				return
			}
		}
	}
}

// EntriesOfKind lists the entries of a kind in any version.
func (s *Snapshot) EntriesOfKind(groupKind string) []*Entry { return s.byKind[groupKind] }

// Find returns the live object, or nil if the snapshot has none.
func (s *Snapshot) Find(id Identity) *Object {
	if e := s.byID[id]; e != nil {
		return e.Object()
	}
	return nil
}

// FindEntry is Find without decoding.
func (s *Snapshot) FindEntry(id Identity) *Entry { return s.byID[id] }

// Kinds lists the kinds that the snapshot covers: those of its objects, and of
// its lists (DeploymentList), even empty ones.
func (s *Snapshot) Kinds() []schema.Kind {
	return slices.SortedFunc(maps.Keys(s.kinds), func(a, b schema.Kind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Version, b.Version))
	})
}

// Namespaces lists the namespaces of its objects, sorted.
func (s *Snapshot) Namespaces() []string { return slices.Sorted(maps.Keys(s.namespaces)) }

// Covers reports whether the snapshot has objects of the kind in any version,
// or an empty list of it. If a kind is not covered, an object that is not in
// the snapshot may still be live.
func (s *Snapshot) Covers(group, kind string) bool {
	for k := range s.kinds {
		if k.Group == group && k.Kind == kind {
			return true
		}
	}
	return false
}

// Complete reports whether the snapshot is a dump of every kind, as objects
// show that the server makes and people do not export by hand.
func (s *Snapshot) Complete() bool {
	return !s.Selected() && s.Covers("", "Namespace") && (s.Covers("scheduling.k8s.io", "PriorityClass") || s.Covers("networking.k8s.io", "ServiceCIDR"))
}

// Scope reports whether the objects of a kind have a namespace; known is false
// if the snapshot has no object of the kind.
func (s *Snapshot) Scope(kind schema.Kind) (namespaced, known bool) {
	namespaced, known = s.scopes[schema.Kind{Group: kind.Group, Kind: kind.Kind}]
	return namespaced, known
}

// With returns a copy of the snapshot in which objects replace those of the
// same identity, and those in gone are removed. The copy has no Problems,
// because they were reported already.
func (s *Snapshot) With(objects []*Object, gone map[Identity]bool) *Snapshot {
	next := &Snapshot{kinds: maps.Clone(s.kinds), sources: s.sources, cores: s.cores, NewestWrite: s.NewestWrite, Gathered: s.Gathered}
	if next.kinds == nil {
		next.kinds = map[schema.Kind]bool{}
	}
	now := fileIndex{newest: s.NewestWrite}
	at := make(map[Identity]int, len(objects))
	for i, o := range objects {
		at[o.ID()] = i
		now.add(o)
	}
	for _, e := range s.Entries {
		id := e.ID()
		if i, ok := at[id]; ok {
			e = now.entries[i]
			delete(at, id)
		}
		if !gone[id] {
			next.Entries = append(next.Entries, e)
		}
	}
	for i, e := range now.entries {
		if last, ok := at[e.ID()]; ok && last == i {
			next.Entries = append(next.Entries, e)
		}
	}
	next.NewestWrite = now.newest
	next.index()
	return next
}
