package lint

import (
	"strings"

	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Fault is one reason for which an object is rejected.
type Fault struct {
	// Path is the field in the config, empty if the fault names none.
	Path fieldpath.Path
	// Type and Detail are the server's: "Invalid value", "field is immutable".
	// A refusal without single causes has only Text, kubectl's.
	Type, Detail, Text string
	// At is set where reading the file has found the place already.
	At Position
}

// Faults lists why the object is rejected; nil if it is not.
func (o *Object) Faults() []Fault { return o.faults }

// faults reads the refusal. config is the object with its values, even of a
// Secret: only places are taken from it.
func faults(o *Object, config tree.Object, opts merge.Options) []Fault {
	if o.Refusal == nil {
		return nil
	}
	if list := typedFaults(o); list != nil {
		return list
	}
	var list []Fault
	for _, c := range o.Refusal.Causes {
		if c.Field == "patch" {
			// The value quoted is the whole patch or object.
			list = append(list, textFaults(o, config, "patch: "+c.Type+": "+c.Detail, opts)...)
			continue
		}
		list = append(list, Fault{Path: authored(o.InConfig(c.Path()), config), Type: c.Type, Detail: c.Detail, Text: c.Text})
	}
	if list == nil {
		list = textFaults(o, config, Brief(o.Refusal.Text), opts)
	}
	return list
}

// typedFaults reads the errors of a server-side apply about a config that does
// not fit its schema. Each begins with its field:
// .spec.ports[port=80,protocol="TCP"].newkey: field not declared in schema.
func typedFaults(o *Object) []Fault {
	_, text, ok := strings.Cut(o.Refusal.Text, "failed to create typed patch object (")
	_, text, ok2 := strings.Cut(text, "): ")
	if !ok || !ok2 {
		return nil
	}
	var list []Fault
	for line := range strings.Lines(strings.TrimPrefix(text, "errors:\n")) {
		field, detail, ok := strings.Cut(strings.TrimSpace(line), ": ")
		p, err := fieldpath.Parse(strings.TrimPrefix(field, "."))
		if !ok || err != nil || !strings.HasPrefix(field, ".") {
			p, field, detail = nil, "", strings.TrimSpace(line)
		}
		f := Fault{Path: undotted(p, o.Config.Tree), Detail: detail, Text: detail}
		if field != "" {
			f.Text = f.Path.String() + ": " + detail
		}
		list = append(list, f)
	}
	return list
}

// authored is the field that the config has where the server names one that it
// has filled in from that.
func authored(p fieldpath.Path, config tree.Object) fieldpath.Path {
	for _, alias := range []struct{ named, written fieldpath.Path }{
		{fieldpath.New("spec", "clusterIPs").Item(0), fieldpath.New("spec", "clusterIP")},
		{fieldpath.New("data"), fieldpath.New("stringData")},
	} {
		if _, has := p.Find(config); has || !p.HasPrefix(alias.named) {
			continue
		}
		written := alias.written.Join(p[len(alias.named):])
		if _, has := written.Find(config); has {
			return written
		}
	}
	return p
}

// textFaults finds the fields that a message is about.
func textFaults(o *Object, config tree.Object, text string, opts merge.Options) []Fault {
	var list []Fault
	if _, fields, ok := strings.Cut(text, "strict decoding error: "); ok {
		for _, part := range strings.Split(fields, ", ") {
			name, ok := strings.CutPrefix(part, `unknown field "`)
			p, err := fieldpath.Parse(strings.TrimSuffix(name, `"`))
			if !ok || err != nil {
				continue
			}
			if opts.ServerSide == nil {
				p = o.InConfig(undotted(p, o.Merged()))
			}
			list = append(list, Fault{Path: p, Text: part})
		}
	}
	if list == nil {
		return []Fault{{Text: text, Path: unnamed(text, config, o.Schema)}}
	}
	return list
}

// mistyped finds the field that a message of Go's JSON decoder is about:
// "cannot unmarshal string into Go struct field Container.spec.containers.env
// of type []v1.EnvVar". The message does not number list items; it is the
// first one with a value of that type.
func mistyped(text string, root any) fieldpath.Path {
	_, rest, ok := strings.Cut(text, "cannot unmarshal ")
	typ, rest, ok2 := strings.Cut(rest, " into Go struct field ")
	field, _, ok3 := strings.Cut(rest, " of type ")
	_, field, ok4 := strings.Cut(field, ".")
	if !ok || !ok2 || !ok3 || !ok4 {
		return nil
	}
	typ, _, _ = strings.Cut(typ, " ")
	return firstOf(root, nil, strings.Split(field, "."), typ)
}

// firstOf walks down the fields, into every item of the lists on the way.
func firstOf(v any, at fieldpath.Path, fields []string, typ string) fieldpath.Path {
	if list, ok := v.([]any); ok && (len(fields) > 0 || typ != "array") {
		for i, x := range list {
			if p := firstOf(x, at.Item(i), fields, typ); p != nil {
				return p
			}
		}
		return nil
	}
	m, _ := v.(map[string]any)
	if len(fields) == 0 {
		if jsonType(v) == typ {
			return at
		}
		for _, key := range tree.Keys(m) { // a map's values have no field of their own
			if jsonType(m[key]) == typ {
				return at.Child(key)
			}
		}
		return nil
	}
	x, ok := m[fields[0]]
	if !ok {
		return nil
	}
	return firstOf(x, at.Child(fields[0]), fields[1:], typ)
}

// jsonType names the type of a value as Go's JSON decoder does.
func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "bool"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

// undotted puts together the names with dots in them, which the server prints
// without brackets: spec.app.kubernetes.io/name.
func undotted(p fieldpath.Path, v any) fieldpath.Path {
	out := fieldpath.Path{}
	for i := 0; i < len(p); {
		n := 1
		if m, ok := v.(map[string]any); ok && !p[i].IsIndex {
			for name, j := p[i].Field, i+1; m[p[i].Field] == nil && j < len(p) && !p[j].IsIndex; j++ {
				name += "." + p[j].Field
				if _, ok := m[name]; ok {
					n = j + 1 - i
				}
			}
		}
		step := p[i : i+n]
		if n > 1 {
			name := step[0].Field
			for _, s := range step[1:] {
				name += "." + s.Field
			}
			step = fieldpath.New(name)
		}
		out = out.Join(step)
		v, _ = step.Find(v)
		i += n
	}
	return out
}

// Brief is kubectl's message without the patches and objects that it quotes,
// and without the lines that do not name the fault.
func Brief(text string) string {
	if i := strings.LastIndex(text, "\nfor: "); i >= 0 {
		text = text[i+len("\nfor: "):]
	}
	text = strings.TrimPrefix(text, "error: ")
	if _, doing, ok := strings.Cut(text, "error when "); ok {
		if _, message, ok := strings.Cut(doing, `": `); ok {
			text = message // what kubectl was doing with which file is no news
		}
	}
	text, _, _ = strings.Cut(text, "\n\nPlease review the fields above")
	return strings.ReplaceAll(text, "\n", " ")
}

// problemObject makes an outcome of an object that was refused while reading.
func problemObject(p manifest.Problem, in Input) *Object {
	o := newObject(&merge.Outcome{
		Kind: p.Object.Kind, Config: p.Object, Action: merge.Rejected, Refusal: &merge.Refusal{Text: p.Text},
	}, nil, in)
	text := Brief(p.Text)
	if _, message, ok := strings.Cut(text, "unable to decode "); ok {
		_, text, _ = strings.Cut(message, ": ") // which file, the place says
	}
	o.faults = []Fault{{Text: text, Path: mistyped(text, p.Object.Tree), At: Position{File: p.File, Line: p.Line, Column: p.Column}}}
	return o
}
