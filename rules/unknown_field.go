package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var unknownField = &lint.Rule{
	ID:    "unknown-field",
	Title: "the server does not know a field",
	Text: "The schema of the kind has no such field: it has a typo, is in the wrong place, or is from a newer version. kubectl's " +
		"validation rejects the object; with --validate=warn or ignore the field is dropped.",
	Why:      "The setting has no effect.",
	Fix:      "Correct the name or the indentation, or remove the field.",
	Repair:   "Renames the field if a field that is not set has almost the same name (one letter, or another case) and accepts the value; removes a directive of patches, of $patch: delete with its item.",
	Links:    []string{"https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation", issue + "63113"},
	Severity: lint.Warning,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.UnknownField || len(f.Path) == 0 { // of an empty name
			return nil
		}
		r := unknown(o, f.Path, f.Supported)
		r.Message += "apply is rejected"
		if o.Before != nil && r.Edits == nil {
			r.Suggested, r.Likely = asLive(o), true
		}
		for _, other := range o.Faults() {
			if len(r.Edits) > 0 && other.Code == fault.UnknownField && len(other.Path) > 0 && !other.Path.Equal(f.Path) {
				r.Edits = append(r.Edits, unknown(o, other.Path, other.Supported).Edits...)
			}
		}
		return r
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			for _, c := range o.Changes() {
				if c.Reason == explain.Dropped {
					r := unknown(o, c.Path, nil)
					r.Message += "it is dropped, and the manifest differs from the live object forever"
					p.Report(o, *r)
				}
			}
		}
	},
}

// unknown is what there is to say of an unknown field; others are those that a custom resource may have beside it.
func unknown(o *lint.Object, p fieldpath.Path, others []string) *lint.Report {
	r := &lint.Report{Path: p, Message: "unknown field " + p.String() + ": ", Fix: "correct the name or the indentation, or remove the field"}
	if directive := p[len(p)-1].Field; strings.HasPrefix(directive, "$") {
		what, at := "it", p
		if v, _ := o.Find(p, o.Manifest.Tree); v == any("delete") && len(p) > 1 && p[len(p)-2].Field == "" {
			what, at = "the item", p[:len(p)-1]
		}
		r.Fix, r.Edits = "remove "+what+": "+directive+" is for patches, of kubectl patch and kustomize", []edit.Edit{edit.Remove(at)}
	} else if name := phrase.Nearest(p[len(p)-1].Field, slices.Concat(others, builtinFields(o, p))); name != "" {
		r.Fix, r.Edits = "rename it to "+name, []edit.Edit{edit.Rename(p, name)}
	}
	return r
}

// builtinFields are those of a built-in kind that could stand in place of one, for its value and
// for every minor; nil for other kinds.
func builtinFields(o *lint.Object, p fieldpath.Path) (found []string) {
	parent, name := p[:len(p)-1], p[len(p)-1].Field
	t := typeAt(o.Schema, parent)
	v, _ := o.Find(parent, o.Manifest.Tree)
	siblings, ok := v.(tree.Object)
	if !ok || t == nil || t.Form != schema.Struct {
		return nil
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if _, set := siblings[f.Name]; !set && f.In(rehearsal.OldestMinor) && f.In(rehearsal.DefaultMinor) && acceptsValue(f.Type, siblings[name]) {
			found = append(found, f.Name)
		}
	}
	return found
}

// typeAt is the type of a field, nil if the schema does not have it.
func typeAt(t *schema.Type, p fieldpath.Path) *schema.Type {
	for _, s := range p {
		switch {
		case t == nil:
			return nil
		case t.Form != schema.Struct:
			t = t.Elem
		case t.Field(s.Field) != nil:
			t = t.Field(s.Field).Type
		default:
			return nil
		}
	}
	return t
}

// acceptsValue reports whether a value is of a type's form.
func acceptsValue(t *schema.Type, v any) bool {
	switch v.(type) {
	case tree.Object:
		return t.Form == schema.Struct || t.Form == schema.Map
	case []any:
		return t.Form == schema.List
	case bool:
		return t.Form == schema.Bool
	case int64:
		return t.Form == schema.Int || t.Form == schema.IntOrString || t.Form == schema.Quantity
	case string:
		return t.Form == schema.String || t.Form == schema.IntOrString || t.Form == schema.Quantity
	}
	return false
}
