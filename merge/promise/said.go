// Package promise holds the predicted result of an apply against what the person who applies
// expects of it: what the manifest says is in the result (Said). It goes by values alone, so
// it holds for every kind; why a promise is broken is the Cause.
package promise

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// Cause says why a value or an item of a manifest is not in the result.
type Cause uint8

// The causes. Where nothing else is known it is Unkept.
const (
	Unkept Cause = iota
	// LiveTwice: the live list has several items with the merge key of the one in the manifest,
	// and the patch that deletes one of them deletes all.
	LiveTwice
	// Narrow: another item of the manifest has the same merge key, and differs in another key
	// of the list.
	Narrow
	// Unstored: the server does not store it in a new object either.
	Unstored
	// InStringData: stringData of a Secret has the same key with another value.
	InStringData
	// Directive: the manifest has a directive of patches, which a manifest cannot give.
	Directive
)

// Broken is a value, or an item of a list, that the manifest has and the result does not.
type Broken struct {
	// Path leads to it in the manifest, and in the other trees: items of lists that merge
	// are selected by their keys.
	Path  fieldpath.Path
	Cause Cause
	// Live is how many live items have the merge key, of LiveTwice, and Key its name, of Narrow too.
	Live int
	Key  string
}

// Said lists what the manifest of an accepted object says that is not in the result: neither
// the value, nor what the server stores in its place, such as a quantity in its canonical
// spelling or nothing for a zero. Nulls, what only servers set, what unknown fields hold and
// what policies change are left out. The list is shared by all who ask.
func Said(o *rehearsal.Outcome) []Broken {
	return keptOf(o).broken
}

// kept is what is kept of a manifest: exact if it has nothing but values, and all are kept word
// for word.
type kept struct {
	broken []Broken
	exact  bool
}

func keptOf(o *rehearsal.Outcome) kept {
	return rehearsal.Remember(o, func() kept {
		if o.Result == nil || o.Skipped != "" || o.Action == rehearsal.Rejected {
			return kept{}
		}
		s := &said{o: o, root: schema.Lookup(o.Kind), quick: true}
		config, both := intoData(o.Target(), o.Kind)
		s.object(s.root, sides{said: config, result: o.Result})
		if s.broken == nil {
			return kept{broken: both, exact: both == nil && !s.removes && !s.inexact}
		}
		s.broken, s.quick = both, false
		return kept{broken: s.inFull(config)}
	})
}

// inFull walks the manifest with what the server reads in it, and with a new object beside it.
func (s *said) inFull(config tree.Object) []Broken {
	o := s.o
	first := sides{said: config, result: o.Result, typed: config}
	if s.root != nil {
		if typed, _, ok := kube.Typed(config, o.Kind, minor(o)); ok {
			first.typed = typed
		}
	}
	switch {
	case s.root == nil && s.removes && o.Run != nil: // with the nulls that its schema allows
		first.fresh = o.Run.Completed(o.Kind, config)
	case o.Fresh != nil:
		if fresh := o.Fresh(); fresh != nil {
			first.fresh = fresh
		}
	}
	s.object(s.root, first)
	for i, b := range s.broken {
		if plain := slices.Concat(fieldpath.New("stringData"), b.Path[1:]); b.Path[0].Field == "data" && !o.Has(b.Path, o.Target()) && o.Has(plain, o.Target()) {
			s.broken[i].Path = plain
		}
	}
	return slices.DeleteFunc(s.broken, func(b Broken) bool {
		said, _ := o.Find(b.Path, o.Target())
		return mutated(o, b.Path) || said == any("") && slices.ContainsFunc(Gone(o), func(g Staying) bool { return g.Path.Equal(b.Path) })
	})
}

// mutated reports whether a policy has changed a field.
func mutated(o *rehearsal.Outcome, p fieldpath.Path) bool {
	return slices.ContainsFunc(o.Mutations, func(m kube.Mutation) bool {
		x, was := p.Find(m.Before)
		y, is := p.Find(m.After)
		return was != is || !tree.Equal(x, y)
	})
}

// absent stands for a value that is not there.
type absent struct{}

// sides are one value in the manifest, as the server reads it there, in the result, and in a
// new object.
type sides struct{ said, typed, result, fresh any }

func (v sides) child(key string) sides {
	return sides{v.said.(tree.Object)[key], get(v.typed, key), get(v.result, key), get(v.fresh, key)}
}

func get(v any, key string) any {
	if x, ok := tree.Get(v, key); ok {
		return x
	}
	return absent{}
}

// said walks a manifest and its result.
type said struct {
	o       *rehearsal.Outcome
	root    *schema.Type
	path    fieldpath.Path
	quick   bool // the first difference, of whatever sort, ends the walk
	removes bool // it has a null, or a directive
	inexact bool // it has an empty map that the result lacks, or a list or map that is sent as a whole
	broken  []Broken
}

func (s *said) object(t *schema.Type, v sides) {
	from := len(s.broken)
	for _, key := range tree.Keys(v.said.(tree.Object)) {
		if s.quick && s.broken != nil {
			return
		}
		if s.root != nil && strings.HasPrefix(key, "$") {
			s.removes = true // a directive
			continue
		}
		s.path = append(s.path, fieldpath.Step{Field: key})
		if len(s.path) > 3 || !rehearsal.ServerOwned(s.path) && !exported(s.path) {
			below, f := t.Child(key)
			s.value(below, f, v.child(key))
		}
		s.path = s.path[:len(s.path)-1]
	}
	if _, stored := v.result.(tree.Object); !stored && len(s.broken) > from && len(s.path) > 0 {
		b := s.broken[from]
		b.Path = slices.Clone(s.path)
		s.broken = append(s.broken[:from], b)
	}
}

// exported reports whether an annotation is one in which old versions of autoscalers showed
// what newer ones have fields for: exports have it, and the server leaves it out.
func exported(p fieldpath.Path) bool {
	return len(p) == 3 && p[1].Field == "annotations" && strings.HasPrefix(p[2].Field, "autoscaling.alpha.kubernetes.io/")
}

func (s *said) value(t *schema.Type, f *schema.Field, v sides) {
	switch x := v.said.(type) {
	case nil:
		s.removes = true
		// A create keeps null where the schema allows it; a patch with null removes the value, and
		// the default comes back.
		if _, lacks := v.result.(absent); (s.quick || v.fresh == nil) && v.result != nil && !lacks && s.root == nil {
			s.add(Broken{Cause: Unkept})
		}
		return
	case tree.Object:
		if len(x) == 0 || tree.Equal(v.said, v.result) {
			m, is := v.result.(tree.Object)
			s.inexact = s.inexact || !is || len(m) > len(x) && atomic(t, f)
			return
		}
		s.inexact = s.inexact || atomic(t, f)
		if t != nil && (t.Form == schema.SchemaOrBool || t.Form == schema.SchemaOrArray || t.Form == schema.SchemaOrStrings) {
			t = t.Elem
		}
		if t == nil || t.Form == schema.Struct || t.Form == schema.Map {
			s.object(t, v)
			return
		}
	case []any:
		s.inexact = s.inexact || keysOf(f) != nil && f.Keyless(x)
		_, isList := v.result.([]any)
		if _, lacks := v.result.(absent); isList || lacks {
			if !tree.Equal(v.said, v.result) {
				s.list(t, f, v, x)
			}
			return
		}
	}
	if !s.stored(v) {
		s.add(Broken{Cause: s.cause(v)})
	}
}

// atomic reports whether a map is sent as a whole.
func atomic(t *schema.Type, f *schema.Field) bool {
	return t != nil && t.MapType == "atomic" || f != nil && f.MapType == "atomic"
}

func (s *said) add(b Broken) {
	for _, dropped := range s.o.Dropped {
		if path := s.o.Keyed(dropped.Path, s.o.Target()); path.Holds(s.path) || dropped.Path.Overlaps(s.path) {
			return
		}
	}
	b.Path = slices.Clone(s.path)
	s.broken = append(s.broken, b)
}

// stored reports whether the result has a value, or what the server makes of it.
func (s *said) stored(v sides) bool {
	switch _, isAbsent := v.result.(absent); {
	case tree.Equal(v.said, v.result), !isAbsent && Covers(v.result, v.typed):
		return true
	case s.quick:
		return false
	case zero(v.said):
		return isAbsent || tree.Equal(v.result, v.fresh)
	}
	return token.IsRedacted(v.result) || token.IsRedacted(v.said)
}

// zero reports whether a server may take a value for none.
func zero(v any) bool {
	switch v := v.(type) {
	case nil, absent:
		return true
	case bool:
		return !v
	case string:
		return v == "" || v == "0"
	case int64:
		return v == 0
	case float64:
		return v == 0
	case tree.Object:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// cause tells a value that is lost from one that the server never stores.
func (s *said) cause(v sides) Cause {
	if _, unread := v.typed.(absent); !s.quick && (unread || !Covers(v.fresh, v.said) && !Covers(v.fresh, v.typed)) {
		return Unstored
	}
	return Unkept
}

// Covers reports whether v has all that part has: a server adds defaults.
func Covers(v, part any) bool {
	switch part := part.(type) {
	case tree.Object:
		m, ok := v.(tree.Object)
		for key, x := range part {
			if y, has := m[key]; x != nil && !zero(x) && (!ok || !has || !Covers(y, x)) {
				return false
			}
		}
		return ok
	case []any:
		l, ok := v.([]any)
		if !ok || len(l) != len(part) {
			return false
		}
		for i := range part {
			if !Covers(l[i], part[i]) {
				return false
			}
		}
		return true
	}
	return tree.Equal(v, part)
}

// intoData is the manifest of a Secret with its stringData in data, as the server stores it,
// and the values of data that stringData overwrites.
func intoData(config tree.Object, k schema.Kind) (out tree.Object, overwritten []Broken) {
	plain := tree.Map(config, "stringData")
	if len(plain) == 0 || k.GroupKind() != "Secret" {
		return config, nil
	}
	data := maps.Clone(tree.Map(config, "data"))
	if data == nil {
		data = tree.Object{}
	}
	for _, key := range tree.Keys(plain) {
		text, is := plain[key].(string)
		if !is {
			continue // a null says nothing
		}
		value := base64.StdEncoding.EncodeToString([]byte(text))
		if was := data[key]; was != nil && was != any(value) {
			overwritten = append(overwritten, Broken{Path: fieldpath.New("data", key), Cause: InStringData})
		}
		data[key] = value
	}
	out = maps.Clone(config)
	delete(out, "stringData")
	out["data"] = data
	return out, overwritten
}

func minor(o *rehearsal.Outcome) int {
	if o.Run == nil {
		return rehearsal.DefaultMinor
	}
	return o.Run.Minor
}
