package schema

import (
	"encoding/json"
	"fmt"

	"threeway/merge/memo"
)

// Step is one step of what upstream's tags declare of a value: a check, or what
// contains checks. They are in the order of upstream's generator.
type Step struct {
	Field  string   `json:"f"` // the steps are of the field of that JSON name
	Type   string   `json:"t"` // those of the type follow
	Check  string   `json:"c"` // a function of apimachinery pkg/api/validate; without all three a group of steps
	Stage  string   `json:"m"` // Alpha, Beta, or nothing
	Number int64    `json:"n"` // an argument of the check, as the next three
	Names  []string `json:"a"` // members, values or field names, in JSON
	Fields []string `json:"k"` // Go names of fields: keys of items, members, discriminator
	Whole  bool     `json:"w"` // items are the same if they are equal
	Equal  bool     `json:"u"` // the steps of equal old values are left out
	First  bool     `json:"e"` // if it fails, the steps after the next Stop are left out
	Quiet  bool     `json:"q"` // it is no error if it fails
	Stop   bool     `json:"x"`
	Steps  []Step   `json:"s"` // of the field, of the group, of each item
	Rules  []Rule   `json:"r"`
}

// Rule are the steps for one value of a discriminator.
type Rule struct {
	Value string `json:"v"`
	Steps []Step `json:"s"`
}

// The stages of checks: Alpha ones never show, Beta ones take the place of
// handwritten ones.
const (
	Alpha = "a"
	Beta  = "b"
)

// Declared returns what the tags of a type declare in Kubernetes 1.minor and show in
// its answers.
func Declared(typ string, minor int) []Step {
	const first = 37
	for ; minor >= first; minor-- {
		if all := declared(minor); all != nil {
			return all[typ]
		}
	}
	return nil
}

// declarations are the entries of minors.
var declarations memo.Table[int, map[string][]Step]

func declared(minor int) map[string][]Step {
	return declarations.Get(minor, func() (all map[string][]Step) {
		if text := read(fmt.Sprint("declared/", minor)); text != "" {
			if err := json.Unmarshal([]byte(text), &all); err != nil {
				panic("merge/kube/schema: tables.zip: " + err.Error())
			}
		}
		return all
	})
}

// Versioned wraps a tree of a type so that it marshals to the JSON of the type.
func Versioned(t *Type, v any) any { return versionedValue{t, v} }

type versionedValue struct {
	typ  *Type
	tree any
}

// MarshalJSON implements [json.Marshaler].
func (v versionedValue) MarshalJSON() ([]byte, error) {
	p := printer{minor: usual}
	p.value(v.typ, v.typ, v.tree)
	return p.Bytes(), p.err
}
