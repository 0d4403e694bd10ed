package mask

import (
	"encoding/json"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// copier finds copies of known values in an object: of those of the run, and of those
// that the object hides itself.
type copier struct {
	own, run *Known
	short    *forms            // own values that count in annotations only; nil if there are none
	with     func(Form) string // what stands for a copy
	masked   bool              // what is masked already counts
}

// local is what finds copies in the object that has the values.
func (p *Policy) local(values []*Spot) *copier {
	c := &copier{with: masked}
	if p != nil {
		c.run = p.Known
	}
	for _, s := range values {
		eachText(s.Value(), func(text string) {
			if s.Base64 {
				text = s.Text()
			}
			if token.Find(text) != "" || tree.String(s.Of, "metadata", "name") == text || tree.String(s.Of, "metadata", "namespace") == text {
				return
			}
			if c.own == nil {
				c.own = NewKnown()
			}
			c.own.Add(text, "")
			if text = strings.TrimSpace(text); len(text) >= shortest && !distinctive(text) && !isCommon(text) {
				if c.short == nil {
					c.short = newForms()
				}
				c.short.add(text, Form{Value: text})
			}
		})
	}
	return c
}

// shortest is the length from which a value counts in the annotations of its Secret.
const shortest = 5

func masked(Form) string { return Value }

// Copies returns what replaces the copies of the values in the object that has them, in
// its annotations above all. It must be asked for before the values are replaced.
func (f *Found) Copies(with func(Form) string) (replace func(tree.Object)) {
	c := (*Policy)(nil).local(f.Spots)
	c.with = with
	own := map[int][]*Spot{} // by the item of a list
	for _, s := range f.Spots {
		if len(s.Path) > 1 && s.Path[0].Field == "items" && s.Path[1].IsIndex {
			own[s.Path[1].Index] = append(own[s.Path[1].Index], s)
		}
	}
	short := map[int]*forms{}
	for i, spots := range own {
		short[i] = (*Policy)(nil).local(spots).short
	}
	return func(o tree.Object) {
		if items := tree.List(o, "items"); items != nil && strings.HasSuffix(tree.String(o, "kind"), "List") {
			for i, item := range items {
				of := *c
				of.short = short[i]
				of.replaceIn(tree.Map(item))
			}
			return
		}
		c.replaceIn(o)
	}
}

// replaceIn replaces the copies in an object, and removes what managedFields repeat.
func (c *copier) replaceIn(o tree.Object) {
	for _, s := range c.find(o) {
		s.Set(s.instead)
	}
	c.forget(o)
}

// knows reports whether an object has a copy of a value of the run.
func (p *Policy) knows(o tree.Object) bool {
	return p != nil && !p.Known.Empty() && len((&copier{run: p.Known, with: masked}).find(o)) > 0
}

// Learn finds the hidden values of an object. What it returns makes them known, and the
// names of the object public; of several objects it must be called for one after the other.
func (p *Policy) Learn(o tree.Object) (learn func()) {
	named := o
	var list []addition
	if p.onlyData(o) {
		for _, value := range tree.Map(o, "data") {
			list = append(list, additions(decoded(Text(value)), "")...)
		}
	} else {
		found := p.Find(o)
		if len(found.Spots) > 0 {
			named = (&Policy{Env: p.Env, Kinds: p.Kinds}).Object(o) // a hidden value may be a name
		}
		for _, s := range found.Spots {
			if s.Whole {
				list = append(list, additions(s.Text(), "")...)
				continue
			}
			eachText(s.Value(), func(text string) { list = append(list, additions(text, "")...) })
		}
	}
	return func() {
		p.Known.PublishNames(named)
		for _, a := range list {
			p.Known.add(a)
		}
	}
}

// onlyData reports whether an object is a Secret that hides its data and nothing else, as
// most in a snapshot.
func (p *Policy) onlyData(o tree.Object) bool {
	if !IsSecret(o) || !isCore(o) || len(p.Kinds) > 0 || tree.Has(o, "metadata", "annotations") {
		return false
	}
	for field, value := range o {
		if field != "data" && sealed.hides(field, value) {
			return false
		}
	}
	for field, value := range tree.Map(o, "metadata") {
		if sealed.hidesInMetadata(field, value) {
			return false
		}
	}
	return true
}

// copies are the copies in an object of the values of the run, and of its own, and what
// is masked already.
func (p *Policy) copies(o tree.Object, own []*Spot) []*Spot {
	c := p.local(own)
	c.masked = true
	return c.find(o)
}

// identity are fields that name the object that has them, at its top or in its metadata.
var identity = map[string]bool{"apiVersion": true, "kind": true, "name": true, "namespace": true, "uid": true, "resourceVersion": true, "creationTimestamp": true, "managedFields": true}

// find returns the texts of an object with copies, and what stands for each.
func (c *copier) find(o tree.Object) (spots []*Spot) {
	if !c.mayStandIn(o) {
		return nil
	}
	f := &finder{found: &Found{}, root: 0, of: o}
	var in func(v any, here step, holder any)
	in = func(v any, here step, holder any) {
		switch v.(type) {
		case int64, json.Number:
			v = Text(v)
		}
		switch v := v.(type) {
		case string:
			last := len(f.steps) - 1
			annotation := last > 0 && f.steps[last-1].key == "metadata" && f.steps[last].key == "annotations"
			if text, hidden := c.replace(v, annotation, CopiesObject(here.key)); hidden {
				f.spot(holder, here).instead = text
			}
		case tree.Object:
			f.in(here, func() {
				for key := range f.keys(v) {
					if !identity[key] || len(f.steps) > 1 || here.key != "metadata" {
						in(v[key], step{key: key}, v)
					}
				}
			})
		case []any:
			f.in(here, func() {
				for i, item := range v {
					in(item, step{list: true, index: i, item: item}, v)
				}
			})
		}
	}
	for key := range f.keys(o) {
		if !identity[key] {
			in(o[key], step{key: key}, o)
		}
	}
	return f.found.Spots
}

// mayStandIn reports whether there can be a copy in a value, which in most there cannot.
func (c *copier) mayStandIn(v any) bool {
	switch v := v.(type) {
	case string:
		return c.own.In(v) || c.run.In(v) || c.masked && strings.Contains(v, Value) || c.short.in(v, nil)
	case int64, json.Number:
		return c.mayStandIn(Text(v))
	case tree.Object:
		for _, x := range v {
			if c.mayStandIn(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, c.mayStandIn)
	}
	return false
}

// EachCopy replaces the copies of known values in the texts of an object, and removes
// what managedFields repeat of them. It changes the object.
func EachCopy(k *Known, o tree.Object, with func(Form) string) {
	(&copier{run: k, with: with}).replaceIn(o)
}

// replace replaces the copies in a text. In an annotation a short one hides it all; one that has a
// version of the object does not say by chance what stands in the names there, only in annotations.
func (c *copier) replace(text string, annotation, version bool) (masked string, hidden bool) {
	for _, k := range []*Known{c.own, c.run} {
		replaced, n := k.Replace(text, c.with)
		text, hidden = replaced, hidden || n > 0
	}
	if c.masked && strings.Contains(text, Value) {
		return text, true
	}
	if !annotation || !c.short.in(text, nil) {
		return text, hidden
	}
	t := inner{content: text, json: true}
	if version {
		t.objects = parseJSON(text)
	}
	if t.objects == nil || tree.Map(t.objects[0]) == nil {
		return c.with(Form{Value: text}), true
	}
	within := c.find(tree.Map(t.objects[0]))
	if within == nil {
		return text, hidden
	}
	for _, s := range within {
		s.Set(s.instead)
	}
	return t.encoded(), true
}

// forget removes from managedFields the items of lists that repeat known values:
// values of sets, and keys.
func (c *copier) forget(o tree.Object) {
	for _, entry := range tree.List(o, "metadata", "managedFields") {
		c.forgetIn(tree.Map(entry, "fieldsV1"))
	}
}

func (c *copier) forgetIn(fields tree.Object) {
	for name, below := range fields {
		if _, hidden := c.replace(name, false, false); hidden && (strings.HasPrefix(name, "k:") || strings.HasPrefix(name, "v:")) {
			delete(fields, name)
			continue
		}
		c.forgetIn(tree.Map(below))
	}
}

// inPath is the length of a path before the first key of a list or value of a set that
// has a secret value.
func (c *copier) inPath(path fieldpath.Path, p *Policy) int {
	for i, step := range path {
		for _, k := range step.Keys {
			text := Text(k.Value)
			name, _, assigned := strings.Cut(text, "=")
			if _, hidden := c.replace(text, false, false); hidden || k.Name == "" && assigned && p.HidesEnv(name) {
				return i
			}
		}
	}
	return len(path)
}

// eachText calls f with all texts and numbers in a value.
func eachText(v any, f func(string)) {
	switch v := v.(type) {
	case tree.Object:
		for _, x := range v {
			eachText(x, f)
		}
	case []any:
		for _, x := range v {
			eachText(x, f)
		}
	case nil, bool:
	default:
		f(Text(v))
	}
}
