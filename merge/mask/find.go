package mask

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// Found are the hidden values of an object.
type Found struct {
	Spots []*Spot
	texts []*inner
	// forget are hidden fields of which managedFields may repeat values.
	forget []Spot
}

// Find returns the hidden values of an object and everything in it. After they have
// been replaced, Settle makes the rest of the object follow.
func (p *Policy) Find(o tree.Object) *Found { return p.find(o, p.as(false, o), false) }

// as is what an object, or a version of it that does not say its kind, hides.
type as struct {
	form     form
	declared []fieldpath.Path
}

// as is what versions of an object hide. Inside another it may be a reference.
func (p *Policy) as(inside bool, versions ...tree.Object) (a as) {
	for _, o := range versions {
		a.form = max(a.form, formOf(o, inside))
		for _, path := range p.declared(o) {
			if !slices.ContainsFunc(a.declared, path.Equal) {
				a.declared = append(a.declared, path)
			}
		}
	}
	return a
}

// find is Find for an object of which is known what it hides. Of one that first is
// asked for, it finds at most a few.
func (p *Policy) find(o tree.Object, what as, first bool) *Found {
	if what.form == public && len(what.declared) == 0 && p.Idle() && !mayHide(o) {
		return &Found{}
	}
	f := &finder{p: p, first: first, found: &Found{}}
	f.object(o, what)
	return f.found
}

// mayHide reports whether a value can have something to hide without a policy, which most
// cannot.
func mayHide(v any) bool {
	switch v := v.(type) {
	case string:
		return mayMention(v)
	case tree.Object:
		if kind, isObject := v["kind"].(string); isObject && (nearSecret(kind) || len(kind) > 4 && nearSecret(kind[:len(kind)-4]) || hasData(v)) || patchesSecret(v) || v["secretGenerator"] != nil {
			return true
		}
		for _, x := range v {
			if mayHide(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, mayHide)
	}
	return false
}

// Settle writes the texts that have objects inside again, and removes what
// managedFields repeat of the values.
func (f *Found) Settle() {
	for _, s := range f.forget {
		owners.Forget(s.Of, s.Field)
	}
	for _, s := range f.Spots {
		if !s.Copied {
			owners.Forget(s.Of, s.Field)
		}
	}
	for _, t := range slices.Backward(f.texts) {
		t.holder.Set(t.encoded())
	}
}

// finder walks through an object.
type finder struct {
	p     *Policy
	first bool // one spot is enough
	found *Found
	seen  map[string]*Spot

	steps    []step
	path     int // how many of the steps are in the path; -1: all
	root     int // how many lead to of
	of       tree.Object
	nested   int  // how many texts are around
	inScript bool // a variable there is no value
	within   int  // how many Secrets are around, whose annotations may have copies without a kind
}

// step leads to a field or to an item of a list.
type step struct {
	key   string
	index int
	item  any
	list  bool
}

func (f *finder) done() bool { return f.first && len(f.found.Spots) > 0 }

// in runs below with one more step.
func (f *finder) in(s step, below func()) {
	f.steps = append(f.steps, s)
	below()
	f.steps = f.steps[:len(f.steps)-1]
}

// keys yields the keys of an object, sorted where the order matters.
func (f *finder) keys(m tree.Object) iter.Seq[string] {
	if f.first {
		return maps.Keys(m)
	}
	return slices.Values(tree.Keys(m))
}

// spot adds the value of a key or, in a list, of an item.
func (f *finder) spot(in any, s step) *Spot {
	here := f.at(in, s)
	if f.seen[here.id] != nil {
		return f.seen[here.id]
	}
	if text, ok := here.Value().(string); ok && f.inScript && standIn.FindString(text) == text && text != "" {
		return here
	}
	if f.seen == nil {
		f.seen = map[string]*Spot{}
	}
	f.seen[here.id] = here
	f.found.Spots = append(f.found.Spots, here)
	return here
}

// at is the spot of a value.
func (f *finder) at(in any, s step) *Spot {
	here := &Spot{in: in, Key: s.key, index: s.index, Copied: f.nested > 0, Of: f.of}
	steps := append(slices.Clip(f.steps), s)
	var name, id strings.Builder
	for i, s := range steps {
		id.WriteString("." + s.key + "[" + strconv.Itoa(s.index))
		switch {
		case s.list && tree.String(s.item, "name") != "":
			name.WriteString("[" + tree.String(s.item, "name") + "]")
		case s.list:
			name.WriteString("[" + strconv.Itoa(s.index) + "]")
		default:
			name.WriteString("." + s.key)
			if i >= f.root {
				here.Field = here.Field.Child(s.key)
			}
		}
		switch {
		case f.nested > 0 && i >= f.path:
		case s.list:
			here.Path = here.Path.Item(s.index)
		default:
			here.Path = here.Path.Child(s.key)
		}
	}
	here.name, here.id = name.String(), id.String()
	return here
}

// object finds what an object hides, and what is in it.
func (f *finder) object(o tree.Object, what as) {
	of, root := f.of, f.root
	f.of, f.root = o, len(f.steps)
	for key := range f.keys(o) {
		if what.form.hides(key, o[key]) {
			f.secrets(o, key)
		}
	}
	for _, field := range what.declared {
		f.found.forget = append(f.found.forget, Spot{Of: o, Field: field})
		f.declared(o, field)
	}
	if kind := tree.String(o, "kind"); strings.HasSuffix(strings.ToLower(kind), "list") && nearSecret(kind[:len(kind)-4]) {
		f.items(o)
	}
	f.in(step{key: "metadata"}, func() { f.metadata(tree.Map(o, "metadata"), what) })
	f.below(o, what.form)
	f.of, f.root = of, root
}

// secrets adds the values of a field of a Secret.
func (f *finder) secrets(o tree.Object, field string) {
	from := len(f.found.Spots)
	f.values(o, field)
	for _, s := range f.found.Spots[from:] {
		s.Whole, s.Base64 = true, field == "data"
	}
}

// items finds what is in the items of a SecretList, which may have no kind.
func (f *finder) items(o tree.Object) {
	f.in(step{key: "items"}, func() {
		for i, item := range tree.List(o, "items") {
			if m, ok := item.(tree.Object); ok && tree.String(m, "kind") == "" {
				f.in(step{list: true, index: i, item: item}, func() {
					f.object(m, as{max(sealed, formOf(m, false)), f.p.declared(tree.Object{"apiVersion": "v1", "kind": "Secret"})})
				})
			}
		}
	})
}

// metadata finds what is in the metadata of an object of a form.
func (f *finder) metadata(m tree.Object, what as) {
	for key := range f.keys(m) {
		if what.form.hidesInMetadata(key, m[key]) {
			f.secrets(m, key)
		}
	}
	for _, field := range []string{"labels", "annotations"} {
		if values, ok := m[field].(tree.Object); ok {
			f.in(step{key: field}, func() {
				for key := range f.keys(values) {
					f.label(values, key, what, field == "annotations")
				}
			})
		}
	}
}

// label finds what is in a label or an annotation. An annotation with a copy of the
// object is a version of it; if it cannot be parsed, it is hidden as a whole.
func (f *finder) label(values tree.Object, key string, what as, annotation bool) {
	here := step{key: key}
	content, isText := values[key].(string)
	hides := what.form != public || len(what.declared) > 0 || f.p != nil && len(f.p.Env) > 0
	switch {
	case f.done() || values[key] == nil:
	case !isText:
		if what.form != public {
			f.values(values, key)
		}
	case annotation && hides && (CopiesObject(key) || looksLikeJSON(content) || what.form != public && setsData(content)):
		f.text(values, here, content, what)
	default:
		f.text(values, here, content, as{})
	}
}

// below finds what is in the fields of an object that are not hidden themselves.
func (f *finder) below(o tree.Object, form form) {
	if f.done() {
		return
	}
	if f.p != nil && len(f.p.Env) > 0 {
		f.named(o)
	}
	patch := patchesSecret(o)
	for key := range f.keys(o) {
		if f.done() {
			return
		}
		if patch && key == "patch" {
			f.spot(o, step{key: key})
			continue
		}
		switch v := o[key].(type) {
		case string:
			f.text(o, step{key: key}, v, as{})
		case tree.Object, []any:
			if form.hides(key, v) {
				continue
			}
			if key == "secretGenerator" {
				f.generated(o)
			}
			f.in(step{key: key}, func() { f.value(v) })
		}
	}
}

// value finds what is in an object or a list inside an object.
func (f *finder) value(v any) {
	switch v := v.(type) {
	case tree.Object:
		_, hasKind := v["kind"].(string)
		switch {
		case hasKind:
			f.object(v, f.p.as(f.within == 0, v))
		case f.within > 0 && hasData(v):
			f.object(v, as{form: holder})
		default:
			f.below(v, public)
		}
	case []any:
		for i, item := range v {
			if f.done() {
				return
			}
			here := step{list: true, index: i, item: item}
			if text, ok := item.(string); ok {
				f.text(v, here, text, as{})
				continue
			}
			f.in(here, func() { f.value(item) })
		}
	}
}

// values adds the values of the object in a field, or the field itself if it is not
// an object.
func (f *finder) values(o tree.Object, key string) {
	inside, isObject := o[key].(tree.Object)
	if !isObject {
		if o[key] != nil && !f.done() {
			f.spot(o, step{key: key})
		}
		return
	}
	f.in(step{key: key}, func() {
		for k := range f.keys(inside) {
			if v := inside[k]; v != nil && !isDirective(k, v) {
				f.spot(inside, step{key: k})
			}
		}
	})
}

// declared adds the values in a declared field of an object. If the manifest has
// something unexpected on the way, that is hidden.
func (f *finder) declared(o tree.Object, field fieldpath.Path) {
	key := field[0].Field
	if len(field) == 1 {
		for k := range f.keys(o) {
			// A directive of a strategic merge patch repeats what is in a list.
			if k == key || strings.HasPrefix(k, "$") && strings.HasSuffix(k, "/"+key) {
				f.values(o, k)
			}
		}
		return
	}
	switch inside := o[key].(type) {
	case nil:
	case tree.Object:
		f.in(step{key: key}, func() { f.declared(inside, field[1:]) })
	case []any:
		if slices.ContainsFunc(inside, func(item any) bool { return tree.Map(item) == nil }) {
			f.spot(o, step{key: key})
			return
		}
		f.in(step{key: key}, func() {
			for i, item := range inside {
				f.in(step{list: true, index: i, item: item}, func() { f.declared(tree.Map(item), field[1:]) })
			}
		})
	default:
		f.spot(o, step{key: key})
	}
}
