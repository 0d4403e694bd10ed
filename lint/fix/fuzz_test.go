package fix

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// FuzzRepair makes any edit in any file. It is refused, or the file reads as
// intended, nothing outside of the replacements has changed and no comment is
// lost.
func FuzzRepair(f *testing.F) {
	archives, _ := filepath.Glob("../../merge/*/testdata/*.txtar")
	more, _ := filepath.Glob("../../merge/*/testdata/*/*.txtar")
	for i, name := range append(archives, more...) {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data, uint8(i), uint16(i), "a")
		}
	}
	for i := range 40 {
		f.Add([]byte(configMap("a")+"---\n"+strings.ReplaceAll(configMap("b"), "\n", "\r\n")), uint8(i), uint16(i*7), "it's: #1")
	}
	for i := range uint16(400) {
		f.Add([]byte(odd), uint8(i), i*7, "a")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, kind uint8, place uint16, text string) {
		name := filepath.Join(dir, "a.yaml")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		set := manifest.Read(manifest.Options{Paths: []string{name}})
		if len(set.Objects) == 0 {
			return
		}
		o := set.Objects[int(place)%len(set.Objects)]
		paths := pathsOf(o.Tree, nil)
		e := someEdit(kind, paths[int(place/7)%len(paths)], text)
		if len(e.Path) > 0 && slices.Contains([]string{"apiVersion", "kind", "metadata", "items"}, e.Path[0].Field) {
			return // kubectl may not take it for the same object any more
		}
		want, err := edit.Object(o.Tree, []edit.Edit{e})
		if err != nil {
			return
		}
		x := New(nil).file(name)
		list, err := x.replace(o, []edit.Edit{e})
		if err != nil {
			return
		}
		after := x.apply(list)
		if !x.as(after, map[*manifest.Object][]edit.Edit{x.now(o): {e}}) {
			return
		}
		now := read(after)
		if len(now.Objects) != len(set.Objects) {
			t.Fatalf("%d objects, not %d: %q", len(now.Objects), len(set.Objects), after)
		}
		for i := range set.Objects {
			intended := set.Objects[i].Tree
			if set.Objects[i] == o {
				intended = want
			}
			if !tree.Equal(any(now.Objects[i].Tree), any(intended)) {
				t.Fatalf("object %d is not as intended: %q", i, after)
			}
		}
		// The parser forgets some comments, before or after.
		left := comments(after)
		for _, c := range comments(data) {
			if i := slices.Index(left, c); i >= 0 {
				left = slices.Delete(left, i, i+1)
			} else if bytes.Count(after, []byte(c)) < bytes.Count(data, []byte(c)) {
				t.Fatalf("the comment %q is lost: %q", c, after)
			}
		}
		checkOutside(t, string(data), string(after), list)
	})
}

// odd is a manifest with all that the text of one may have.
const odd = `--- # the first
# of all
apiVersion: v1 # one
kind: ConfigMap
metadata:   {name: a , labels: {a: b, "c": 'd'} }   # two

data: # three

  # four
  a:   |- # five
    # not six
      text
   # six

  b: >+
    folded

    text


  c: plain
   text # seven
  "d" : "double \
    quoted" # eight
  'e''s': 'single
    quoted'
  f: &anchor
    - 1 # nine
    -   2
    -
      x: y
      # ten
    - - 3
      - 4
    # eleven
  g: *anchor
  h: {
    a: b, # twelve
    c: [1, 2, # thirteen
      3], d
  }
  i:
  - a: 1
    b: 2
    # fourteen
  # fifteen
  -   c: !!str 3
      d: ~
  -
  j:
  k: ""
# sixteen
  l: http://a/#b
  8080: x # seventeen
  yes: no
...
# eighteen
`

func someEdit(kind uint8, p fieldpath.Path, text string) edit.Edit {
	switch kind % 9 {
	case 0, 1:
		return edit.Remove(p)
	case 2:
		return edit.Rename(p, text)
	case 3:
		return edit.Set(p, text)
	case 4:
		return edit.Set(p.Child(text), int64(kind))
	case 5:
		return edit.Set(p.Child(text, "x"), tree.Object{"a": []any{text, int64(1), tree.Object{"c": text, "d": nil}}, "b": tree.Object{}})
	case 6:
		return edit.Append(p, text)
	case 7:
		return edit.Append(p, tree.Object{"a": text, "b": []any{text, int64(1)}})
	}
	return edit.Set(p, tree.Object{text: []any{}, "y": tree.Object{"z": text}})
}

// pathsOf lists the paths of a tree, with that of its root.
func pathsOf(v any, at fieldpath.Path) []fieldpath.Path {
	list := []fieldpath.Path{at}
	switch v := v.(type) {
	case map[string]any:
		var keys []string
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			list = append(list, pathsOf(v[k], at.Child(k))...)
		}
	case []any:
		for i, x := range v {
			list = append(list, pathsOf(x, at.Item(i))...)
		}
	}
	return list
}

// comments lists the comment lines of all documents, sorted, as the parser
// has them.
func comments(data []byte) (list []string) {
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	for {
		var n yaml.Node
		if d.Decode(&n) != nil {
			break
		}
		collect(&n, &list)
	}
	slices.Sort(list)
	return list
}

func collect(n *yaml.Node, list *[]string) {
	for _, c := range []string{n.HeadComment, n.LineComment, n.FootComment} {
		for line := range strings.Lines(c) {
			if line = strings.TrimSpace(line); line != "" {
				*list = append(*list, line)
			}
		}
	}
	for _, child := range n.Content {
		collect(child, list)
	}
}

// checkOutside compares what is before the first replacement and after the last
// one.
func checkOutside(t *testing.T, before, after string, list []lint.Replacement) {
	t.Helper()
	lines := strings.SplitAfter(before, "\n")
	head := strings.Join(lines[:min(list[0].Start.Line-1, len(lines))], "")
	tail := strings.Join(lines[min(list[len(list)-1].End.Line, len(lines)):], "")
	if !strings.HasPrefix(after, strings.TrimRight(head, "\r\n")) || !strings.HasSuffix(after, tail) {
		t.Errorf("%q does not keep %q and %q", after, head, tail)
	}
}
