// Package warnings holds what the API server says of requests that it
// accepts all the same: WarningsOnCreate and WarningsOnUpdate of the
// strategies in pkg/registry of Kubernetes, and the deprecation of API
// versions, in its order and its words, worked out on plain trees.
//
// Rules are named like their kinds, and the table of kinds in merge/kube/internal/server
// points to them; there is one file per noun. Where the server goes through a map in random order, texts come in
// the order of the keys.
//
// The rules are those of Kubernetes 1.37; one that came later than the simulated
// minor asks its row of merge/kube/internal/minors.
package warnings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/format"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Request is an object that has passed validation: decoded, defaulted and
// prepared by its kind's strategy.
type Request struct {
	Kind   schema.Kind
	Object tree.Object
	Old    tree.Object // nil on create
	Minor  int         // of the simulated server, e.g. 36
}

// Rules are those of one kind: they add what there is to say of a request.
type Rules func(w *texts, r Request)

// For returns what the strategy of the kind, whose rules are given, warns of,
// in its order.
//
// Source: BeforeCreate and BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest, which ask for it after validation.
func For(r Request, rules Rules) []fault.Warning {
	w := texts{minor: r.Minor}
	if rules != nil {
		rules(&w, r)
	}
	return w.about(r.Object)
}

// texts collects the warnings of a server of 1.minor.
type texts struct {
	minor int
	said  []warned
	once  map[string]bool // the texts of said
	// whole are their characters, and cut those of their beginnings, which the server
	// sends instead when there are too many.
	whole, cut int
}

// warned is a warning and the field that it is about, as the server writes its path; ""
// if it is about none.
type warned struct{ field, text string }

// say adds a warning, which the server sends once
// (AddWarning of k8s.io/apiserver/pkg/endpoints/filters/warning.go).
func (w *texts) say(field, format string, args ...any) {
	if w.full() {
		return
	}
	text := fmt.Sprintf(format, args...)
	if w.once[text] {
		return
	}
	if w.once == nil {
		w.once = map[string]bool{}
	}
	w.once[text] = true
	w.said = append(w.said, warned{field, text})
	length := utf8.RuneCountInString(text)
	w.whole, w.cut = w.whole+length, w.cut+min(length, 256)
}

// full reports whether the server leaves out all further warnings: it sends 4,096
// characters in one response, and the beginnings of the texts if they are longer.
func (w *texts) full() bool { return w.whole > 4096 && w.cut >= 4096 }

// at adds a warning that begins with its field.
func (w *texts) at(p *field.Path, format string, args ...any) {
	w.say(p.String(), "%s: %s", p, fmt.Sprintf(format, args...))
}

// annotation is the field of an annotation.
func annotation(key string) string { return field.NewPath("metadata", "annotations").Key(key).String() }

// about are the warnings, with their places in an object.
func (w *texts) about(obj tree.Object) []fault.Warning {
	list := make([]fault.Warning, len(w.said))
	for i, s := range w.said {
		list[i].Text = fault.Words("%s", s.text)
		if s.field != "" {
			list[i].Path = fieldpath.ParseIn(s.field, obj)
		}
	}
	return list
}

// name warns of a name that is no DNS label, though use becomes of it.
func (w *texts) name(obj tree.Object, use string) {
	faults := content.IsDNS1123Label(tree.String(obj, "metadata", "name"))
	for i, f := range faults {
		// k8s.io/apimachinery/pkg/util/validation counts characters.
		faults[i] = strings.Replace(f, "63 bytes", "63 characters", 1)
	}
	if len(faults) > 0 {
		w.say("metadata.name", "metadata.name: this is used in %s, which can result in surprising behavior; a DNS label is recommended: %v", use, faults)
	}
}

// fractional warns of amounts of bytes with a fraction.
func (w *texts) fractional(amounts tree.Object, p *field.Path, names ...string) {
	for _, name := range names {
		text := tree.String(amounts, name)
		q, err := format.Quantity(text)
		_, whole := q.AsScale(0)
		if !minors.WholeAmounts.In(w.minor) {
			whole = q.MilliValue()%1000 == 0
		}
		if err == nil && !whole {
			w.at(p.Key(name), "fractional byte value %q is invalid, must be an integer", text)
		}
	}
}

// note is what there is to say of a field, an annotation or a label.
type note struct{ key, text string }

// annotations warns of those that the notes name.
func (w *texts) annotations(metadata tree.Object, p *field.Path, notes []note) {
	for _, n := range notes {
		if _, ok := tree.Map(metadata, "annotations")[n.key]; ok {
			w.at(p.Child("metadata", "annotations").Key(n.key), "%s", n.text)
		}
	}
}

// recounted reports whether the update raised metadata.generation.
func recounted(r Request) bool {
	is, _ := tree.Int(r.Object, "metadata", "generation")
	was, _ := tree.Int(r.Old, "metadata", "generation")
	return is != was
}

// sorted are the keys of an object.
func sorted(m tree.Object) []string { return slices.Sorted(maps.Keys(m)) }
