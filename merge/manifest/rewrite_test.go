package manifest

import (
	"strings"
	"testing"

	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// twoItems is a List of two items, as kubectl writes it.
func twoItems(first, second string) string {
	return "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n" + first + "- apiVersion: v1\n  kind: B\n" + second + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
}

// swap replaces the strings "old" and "old\n", also in lists.
func swap(by string) func(tree.Object) {
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case tree.Object:
			for k, x := range v {
				v[k] = walk(x)
			}
		case []any:
			for i, x := range v {
				v[i] = walk(x)
			}
		case string:
			if strings.HasPrefix(v, "old") {
				return by + v[len(strings.TrimRight(v, "\n")):]
			}
		}
		return v
	}
	return func(root tree.Object) { walk(root) }
}

func TestRewriteKeepsTheRest(t *testing.T) {
	for _, c := range []struct{ name, text, by, want string }{
		{"nothing to change", "a:   b # c\n", "new", "a:   b # c\n"},
		{"plain", "# first\na:   old   # why\nb: 1\n", "new-value", "# first\na:   new-value   # why\nb: 1\n"},
		{"plain that needs quotes", "a: old\n", "yes", "a: \"yes\"\n"},
		{"flow", "{a: old, b: [old, x]}\n", "new-value", "{a: new-value, b: [new-value, x]}\n"},
		{"single quotes", "a: 'old''s'\nb: c\n", "it's", "a: 'it''s'\nb: c\n"},
		{"double quotes", "a: \"old\\\"x\\\\\" # c\n", "\"q\"", "a: \"\\\"q\\\"\" # c\n"},
		{"quotes over lines", "a: 'old\n  value'\nb: c\n", "new-value", "a: 'new-value'\nb: c\n"},
		{"literal", "a: |\n    old\n    more\n\n# next\nb: |-\n  old\n", "one\n\ntwo", "a: |\n    one\n\n    two\n\n# next\nb: |-\n  one\n\n  two\n"},
		{"literal of what needs escapes", "a: |\n  old\nb: 1\n", "\x01", "a: \"\\u0001\\n\"\nb: 1\n"},
		{"folded", "a: >\n  old\n  value\nb: 1\n", "new", "a: \"new\\n\"\nb: 1\n"},
		{"wide characters before", "é: {ü: \"ä\", o: old}\n", "new-value", "é: {ü: \"ä\", o: new-value}\n"},
		{"several documents", "a: b   # x\n---\na: old\n---\n# end\n", "new-value", "a: b   # x\n---\na: new-value\n---\n# end\n"},
		{"items of a List", twoItems("  a: old # c\n", "  b: |\n    old\n\n    x\n  c: 1\n") + "---\n# more\na: old\n", "new-value",
			twoItems("  a: new-value # c\n", "  b: |\n    new-value\n  c: 1\n") + "---\n# more\na: new-value\n"},
		{"json", "{\"a\": \"old\",\n  \"b\":[ \"old\", 1.50 ]}\n{\"c\":\"x\"}", "a<b", "{\"a\": \"a<b\",\n  \"b\":[ \"a<b\", 1.50 ]}\n{\"c\":\"x\"}"},
		{"json of Go", `{"a":"old \u003cb\u003e"}`, "a<b", `{"a":"a\u003cb"}`},
		{"json with escaped keys", `{"\u0061":"old"}`, "new", `{"\u0061":"new"}`},
	} {
		got, err := Rewrite("f.yaml", []byte(c.text), swap(c.by))
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// Where a place cannot be told the document is written anew, and nothing of the
// old value stays.
func TestRewriteAnew(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"alias", "a: &x old\nb: *x\n", "a: new\nb: new\n"},
		{"merge key", "x: &x {a: old}\nz: {<<: *x}\n", "x:\n  a: new\nz:\n  a: new\n"},
		{"key twice", "a: old1\na: old2\n", "a: new\n"},
		{"key twice in json", `{"a":"old1","a":"old2"}`, "{\n    \"a\": \"new\"\n}"},
		{"tag", "---\na: !!str old\n", "---\na: new\n"},
		{"plain over lines", "a: old\n  value\n", "a: new\n"},
		{"item of a List", twoItems("  # stays\n  a: x\n", "  # goes\n  a: old\n    value\n  b: |\n    x\n\n    y\n"),
			strings.Replace(twoItems("  # stays\n  a: x\n", ""), "- apiVersion: v1\n  kind: B\n", "- a: new\n  apiVersion: v1\n  b: |\n    x\n  \n    y\n  kind: B\n", 1)},
		{"indentation indicator", "a: |2\n    old\n", "a: |2\n    old\n"},
	} {
		got, err := Rewrite("f.yaml", []byte(c.text), swap("new"))
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// A change of anything but strings has no place in the text.
func TestRewriteOfTheShape(t *testing.T) {
	for name, change := range map[string]func(tree.Object){
		"a field gone":           func(o tree.Object) { delete(o, "a") },
		"a field more":           func(o tree.Object) { o["z"] = "new" },
		"an item gone":           func(o tree.Object) { o["l"] = o["l"].([]any)[:1] },
		"an item more":           func(o tree.Object) { o["l"] = append(o["l"].([]any), "new") },
		"a number":               func(o tree.Object) { o["n"] = int64(2) },
		"a string for a number":  func(o tree.Object) { o["n"] = "1" },
		"a number for a string":  func(o tree.Object) { o["a"] = int64(1) },
		"a string for a list":    func(o tree.Object) { o["l"] = "x" },
		"a string for an object": func(o tree.Object) { o["m"] = "x" },
		"a list for an object":   func(o tree.Object) { o["m"] = []any{} },
		"deep down":              func(o tree.Object) { o["m"].(tree.Object)["k"] = true },
	} {
		for _, text := range []string{"a: x # c\nl: [x, y]\nn: 1\nm: {k: x}\n", `{"a":"x", "l":["x","y"], "n":1, "m":{"k":"x"}}`} {
			want := objects("f.yaml", text)[0]
			change(want.(tree.Object))
			got, err := Rewrite("f.yaml", []byte(text), change)
			if value := objects("f.yaml", got)[0]; err != nil || !tree.Equal(value, want) {
				t.Errorf("%s: %v\n%s\nwant %v", name, err, got, want)
			}
		}
	}
}

func TestRewriteOfWhatDoesNotParse(t *testing.T) {
	if got, err := Rewrite("f.yaml", []byte("a: [old\n"), swap("new")); err == nil || !strings.HasPrefix(err.Error(), "f.yaml:") {
		t.Errorf("%q, %v", got, err)
	}
}

// FuzzRewrite: the text that comes out means what was asked for.
func FuzzRewrite(f *testing.F) {
	for _, text := range []string{"a: old\n", "a: |\n  old\n", "- 'old'\n", `{"a":["old"]}`, "a: >-\n  old\n\n  x\n", "? old\n: old\n", "a: \"old\"\n---\nb: old\n", "a: [old,\n old]", twoItems("  a: old\n", "  b: |\n    old\n  c: &x old\n  d: *x\n") + "---\na: old\n"} {
		f.Add(text, "new")
	}
	f.Fuzz(func(t *testing.T, text, by string) {
		by = strings.ToValidUTF8(by, "?")
		if strings.Contains(by, "\u0085") {
			return // a line break of YAML, which sigs.k8s.io/yaml does not keep either
		}
		before := objects("f", text)
		got, err := Rewrite("f", []byte(text), swap(by))
		if err != nil {
			return
		}
		after := objects("f", got)
		if len(before) != len(after) {
			t.Fatalf("%d documents become %d:\n%q\n%q", len(before), len(after), text, got)
		}
		for i, v := range before {
			if o, ok := v.(tree.Object); ok {
				swap(by)(o)
			}
			if !tree.Equal(v, after[i]) {
				t.Fatalf("%q becomes\n%q:\n%v\nwant\n%v", text, got, after[i], v)
			}
		}
	})
}

// objects decodes the documents of a text.
func objects(file, text string) (all []any) {
	s := source.NewStream(file, source.DecodeText([]byte(text)))
	for s.Next() {
		all = append(all, s.Value)
	}
	return all
}
