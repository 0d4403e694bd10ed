package settings

import (
	"fmt"
	"net/url"
	"slices"

	"strings"

	"go.yaml.in/yaml/v3"

	"threeway/merge/disk"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// field is a key of a mapping: how its value is read, and what the schema says
// of it.
type field struct {
	name, doc string
	form      tree.Object
	read      func(*yaml.Node)
}

// reader keeps the first error.
type reader struct {
	file  string
	rules []string // that settings may name
	from  Texts    // nil for the disk
	err   error
}

func newReader(file string, rules []string) *reader {
	return &reader{file: file, rules: rules}
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s:%d:%d: %s", r.file, n.Line, n.Column, fmt.Sprintf(format, args...))
	}
}

// mapping reads a mapping whose keys are known.
func (r *reader) mapping(n *yaml.Node, where string, fields []field) {
	seen := map[string]bool{}
	r.entries(n, where, func(key, value *yaml.Node) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key.Value })
		switch {
		case i < 0:
			names := make([]string, 0, len(fields))
			for _, f := range fields {
				names = append(names, f.name)
			}
			slices.Sort(names)
			r.fail(key, "unknown key %q%s; %sknown: %s", key.Value, inside(where), phrase.Meant(key.Value, names), strings.Join(names, ", "))
		case seen[key.Value]:
			r.fail(key, "key %q is set twice", key.Value)
		default:
			seen[key.Value] = true
			fields[i].read(value)
		}
	})
}

func inside(where string) string {
	if where == "" {
		return ""
	}
	return " in " + where
}

func (r *reader) entries(n *yaml.Node, where string, each func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s must be a mapping", name(where))
		return
	}
	for i := 0; i+1 < len(n.Content) && r.err == nil; i += 2 {
		each(n.Content[i], n.Content[i+1])
	}
}

// items reads each item of a list; must says that it has to be one.
func (r *reader) items(n *yaml.Node, must string, each func(item *yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "%s", must)
		return
	}
	for _, item := range n.Content {
		each(item)
	}
}

func name(where string) string {
	if where == "" {
		return "the file"
	}
	return where
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		r.fail(n, "a string is expected here")
	}
	return n.Value
}

func (r *reader) texts(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		form := ""
		if n.Kind == yaml.ScalarNode && n.Value != "" {
			form = ": [" + n.Value + "]"
		}
		r.fail(n, "a list of strings is expected here%s", form)
		return nil
	}
	var list []string
	for _, item := range n.Content {
		list = append(list, r.text(item))
	}
	return list
}

// path is a text that names something in the project of the file, as it is written.
// beside finds it.
func (r *reader) path(n *yaml.Node) string {
	name := r.text(n)
	if r.err == nil && name != "-" && !disk.Inside(beside(r.file, name), r.file) {
		r.fail(n, "%s is outside of the repository, and settings may come from a change of others; pass it with a flag, or move it into the repository", name)
	}
	return name
}

func (r *reader) paths(n *yaml.Node) []string {
	list := r.texts(n)
	for _, item := range n.Content[:len(list)] {
		r.path(item)
	}
	return list
}

func (r *reader) oneOf(n *yaml.Node, values ...string) string {
	v := r.text(n)
	if r.err == nil && !slices.Contains(values, v) {
		r.fail(n, "%v", phrase.Unknown("value", v, values))
	}
	return v
}

// address is the address of a page. Reports and editors make links of it, which must open
// a page and nothing else.
func (r *reader) address(n *yaml.Node) string {
	text := r.text(n)
	u, err := url.Parse(text)
	if r.err == nil && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.String() != text) {
		r.fail(n, "%q is not the address of a site; write one like https://docs.example.com/threeway/", text)
	}
	return text
}

// textField is a field that holds a text, addressField one that holds the address of a
// page, pathField one that holds a path, textsField one that holds a list of them, and choiceField one that holds one of a few words.
func (r *reader) textField(name, doc string, into *string) field {
	return field{name, doc, textForm(), func(n *yaml.Node) { *into = r.text(n) }}
}

func (r *reader) addressField(name, doc string, into *string) field {
	return field{name, doc, textForm(), func(n *yaml.Node) { *into = r.address(n) }}
}

func (r *reader) pathField(name, doc string, into *string) field {
	return field{name, doc, textForm(), func(n *yaml.Node) { *into = r.path(n) }}
}

func (r *reader) textsField(name, doc string, into *[]string) field {
	return field{name, doc, tree.Object{"type": "array", "items": textForm()}, func(n *yaml.Node) { *into = r.texts(n) }}
}

func (r *reader) choiceField(name, doc string, set func(string), values ...string) field {
	return field{name, doc, choiceForm(values), func(n *yaml.Node) { set(r.oneOf(n, values...)) }}
}

func textForm() tree.Object { return tree.Object{"type": "string", "minLength": int64(1)} }

func choiceForm(values []string) tree.Object {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return tree.Object{"enum": list}
}

// Unknown is the error of a value that is none of those that a flag, a command or a setting knows.
func Unknown(what, value string, known []string) error { return phrase.Unknown(what, value, known) }
