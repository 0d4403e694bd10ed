package edit

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// TestEveryEdit makes every kind of edit at every place of the texts in
// testdata/every, one at a time and then those of two neighbours, and compares
// what is replaced. That the object changes as asked for is checked by Text
// itself; this is about how it looks afterwards, and what is refused.
func TestEveryEdit(t *testing.T) {
	eachArchive(t, "testdata/every/*.txtar", func(t *testing.T, file string, archive *txtar.Archive) {
		in := string(archive.Files[0].Data)
		in = strings.NewReplacer("<CR>", "\r", "<END>\n", "").Replace(in)
		obj, err := source.Decode(in)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		eachEdit(obj, func(name string, edits ...Edit) {
			fmt.Fprintf(&out, "%s: %s\n", name, replaced(in, edits))
		})
		eachPath(obj, nil, func(p fieldpath.Path, _ any) {
			if start, end, ok := Extents(in)(p); ok {
				fmt.Fprintf(&out, "extent %s: %q\n", p, in[start:end])
			}
		})
		if *update {
			archive.Files = append(archive.Files[:1], txtar.File{Name: "out", Data: []byte(out.String())})
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if want := string(archive.Files[1].Data); want != out.String() {
			for i, line := range strings.Split(out.String(), "\n") {
				if lines := strings.Split(want, "\n"); i >= len(lines) || lines[i] != line {
					t.Fatalf("line %d is\n%s\nwant it as in %s", i+1, line, file)
				}
			}
			t.Fatal("less was printed than there is in " + file)
		}
	})
}

// replaced says what edits replace, each time with the line.
func replaced(in string, edits []Edit) string {
	list, err := Text(in, edits)
	if err != nil {
		return "refused: " + err.Error()
	}
	var parts []string
	for _, r := range list {
		line := strings.Count(in[:r.Start], "\n") + 1
		parts = append(parts, fmt.Sprintf("%d:%d %q → %q", line, r.Start-strings.LastIndexByte(in[:r.Start], '\n'), in[r.Start:r.End], r.Text))
	}
	return strings.Join(parts, ", ")
}

func eachEdit(obj tree.Object, visit func(name string, edits ...Edit)) {
	var before fieldpath.Path
	eachPath(obj, nil, func(p fieldpath.Path, v any) {
		visit("remove "+p.String(), Remove(p))
		if len(before) == len(p) && before[:len(p)-1].Equal(p[:len(p)-1]) {
			visit("remove "+before.String()+" and "+p[len(p)-1:].String(), Remove(before), Remove(p))
		}
		before = p
		visit("set "+p.String()+" x: y", Set(p, "x: y"))
		visit("set "+p.String()+" to an object", Set(p, tree.Object{"k": []any{int64(1), tree.Object{"n": "a, b", "o": tree.Object{}}}}))
		if !p[len(p)-1].IsIndex {
			visit("rename "+p.String(), Rename(p, "it's"))
		}
		switch v := v.(type) {
		case map[string]any:
			for _, key := range tree.Keys(v)[:min(1, len(v))] {
				visit("set and remove in "+p.String(), Remove(p.Child(key)), Set(p.Child("m0"), int64(1)))
			}
			for _, key := range []string{"a0", "m0", "z0"} {
				visit("set "+p.Child(key).String(), Set(p.Child(key), true))
			}
			visit("set "+p.Child("m0").Child("deep").String(), Set(p.Child("m0").Child("deep"), []any{"x", nil, tree.Object{"a": "1", "b": []any{}}}))
			visit("set two in "+p.String(), Set(p.Child("z1"), 1.5), Set(p.Child("z0"), "l\nm"))
		case []any:
			visit("append "+p.String(), Append(p, "- x"))
			visit("append two to "+p.String(), Append(p, tree.Object{"name": "n", "value": "it's"}), Append(p, []any{int64(1)}))
			if len(v) > 0 {
				visit("append to and remove from "+p.String(), Append(p, "x"), Remove(p.Item(0)))
			}
		case nil:
			visit("set "+p.Child("k").String(), Set(p.Child("k"), "v"))
		}
	})
}

// eachPath visits what is in v, in order.
func eachPath(v any, p fieldpath.Path, visit func(fieldpath.Path, any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range tree.Keys(v) {
			visit(p.Child(key), v[key])
			eachPath(v[key], p.Child(key), visit)
		}
	case []any:
		for i, x := range v {
			visit(p.Item(i), x)
			eachPath(x, p.Item(i), visit)
		}
	}
}
