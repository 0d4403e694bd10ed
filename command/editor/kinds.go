package editor

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// fieldsOf offers the fields of a kind, and the values of a field that has only a few, as
// the API server of the cluster's minor knows them.
func (v *view) fieldsOf(t *typing, answer *completions) {
	typ, path := schema.Lookup(t.Kind), t.path
	if len(path) > 0 && path[0].Field == "metadata" {
		typ, path = schema.TypeNamed("meta/v1.ObjectMeta"), path[1:]
	}
	if typ == nil {
		v.definedFields(t, answer)
		return
	}
	for _, step := range path {
		switch {
		case typ == nil:
			return
		case step.IsIndex:
			typ = typ.Elem
		default:
			typ, _ = typ.Child(step.Field)
		}
	}
	switch {
	case typ == nil:
	case typ.Form == schema.Struct && (t.key || t.alone):
		v.fieldNames(t, typ, answer)
	case t.key:
	case typ.Form == schema.Bool && !t.quoted:
		answer.values(t, "true", "false")
	case typ.Form == schema.String:
		answer.values(t, v.membersOf(t)...)
	}
}

// values offers values of a field.
func (a *completions) values(t *typing, values ...string) {
	for _, value := range values {
		a.offer(t, completesValue, value, "", "")
	}
}

// run is the rehearsal, which knows the server; nil if there is none.
func (v *view) run() *rehearsal.Run {
	if outcomes := v.Input.Plan.Outcomes; len(outcomes) > 0 {
		return outcomes[0].Run
	}
	return nil
}

// definedFields is fieldsOf a custom kind, by the schema of its definition.
func (v *view) definedFields(t *typing, answer *completions) {
	run := v.run()
	if run == nil || run.Server.Definition(t.Kind) == nil {
		return
	}
	form, _, err := run.Server.Definition(t.Kind).OpenAPI(t.Kind.Version)
	for _, step := range t.path {
		above := form
		if form = tree.Map(above, "properties", step.Field); step.IsIndex {
			form = tree.Map(above, "items")
		} else if form == nil {
			form = tree.Map(above, "additionalProperties")
		}
	}
	properties := tree.Map(form, "properties")
	switch {
	case err != nil:
	case properties != nil && (t.key || t.alone):
		have := t.siblings()
		for _, name := range tree.Keys(properties) {
			if _, there := have[name]; there || !plainName.MatchString(name) || rehearsal.ServerOwned(t.path.Child(name)) {
				continue
			}
			after, typ := ": ", tree.String(properties, name, "type")
			if typ == "object" || typ == "array" {
				after = ":"
			}
			if slices.Contains(tree.List(form, "required"), any(name)) {
				typ += ", required"
			}
			answer.offer(t, completesField, name, after, typ)
		}
	case t.key:
	case tree.String(form, "type") == "boolean" && !t.quoted:
		answer.values(t, "true", "false")
	default:
		for _, value := range tree.List(form, "enum") {
			if text, ok := value.(string); ok && plainName.MatchString(text) {
				answer.values(t, text)
			}
		}
	}
}

// fieldNames offers the fields of a struct that are not there, and that a manifest may set.
func (v *view) fieldNames(t *typing, typ *schema.Type, answer *completions) {
	have, minor := t.siblings(), v.Input.Plan.Minor
	for i := range typ.Fields {
		f := &typ.Fields[i]
		if _, there := have[f.Name]; there || !f.In(minor) || f.DroppedBy(minor) || rehearsal.ServerOwned(t.path.Child(f.Name)) {
			continue
		}
		after := ": "
		if f.Type.Form <= schema.List {
			after = ":"
		}
		answer.offer(t, completesField, f.Name, after, fieldWords(f, minor))
	}
}

// fieldWords say what a field holds.
func fieldWords(f *schema.Field, minor int) string {
	text := typeWords(f.Type)
	if f.Required(minor) {
		text += ", required"
	}
	if f.Default != "" && !strings.HasPrefix(f.Default, "{") {
		text += ", default " + f.Default
	}
	return text
}

func typeWords(t *schema.Type) string {
	switch t.Form {
	case schema.List:
		return "list of " + typeWords(t.Elem)
	case schema.Map:
		return "map of " + typeWords(t.Elem)
	case schema.Struct:
		return t.Name[strings.LastIndexByte(t.Name, '.')+1:]
	}
	return map[schema.Form]string{schema.String: "text", schema.Bool: "true or false", schema.Int: "number", schema.Float: "number", schema.Bytes: "base64", schema.Quantity: "quantity",
		schema.IntOrString: "number or text", schema.Time: "time", schema.MicroTime: "time", schema.Duration: "duration"}[t.Form]
}

// supported begins the answer of the server to a value that is none of a few.
var supported = regexp.MustCompile(`^supported values: ("[^"]*"(?:, "[^"]*")*)$`)

// membersOf asks the server for the values of a field that has only a few: it lists them when
// it rejects the mark.
func (v *view) membersOf(t *typing) (values []string) {
	run := v.run()
	if run == nil {
		return nil
	}
	no := run.CreateRejection(t.Kind, t.Tree)
	if no == nil {
		return nil
	}
	for _, f := range no.Faults {
		m := supported.FindStringSubmatch(f.Detail.String())
		if m == nil || !f.Path.Equal(t.path) {
			continue
		}
		for _, quoted := range strings.Split(m[1], ", ") {
			if value, err := strconv.Unquote(quoted); err == nil && value != "" {
				values = append(values, value)
			}
		}
		return values
	}
	return nil
}
