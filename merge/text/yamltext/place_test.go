package yamltext

import (
	"math/rand/v2"
	"strings"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

func TestPlaces(t *testing.T) {
	text, root := DecodedPlaces(tree.Object{
		"data": tree.Object{"a.conf": "one\n\ttwo \n\nthree\n", "b": "x"},
		"list": []any{
			tree.Object{"name": "web", "args": []any{"--first", "--second"}},
			tree.Object{"name": "log", "text": strings.Repeat("a long sentence ", 12)},
			[]any{"nested", int64(2)},
		},
		"z": nil,
	})
	lines := strings.Split(text, "\n")
	for path, want := range map[string]string{
		"data":                    "data:",
		"data.b":                  "  b: x",
		"data[a.conf]":            "  a.conf: |",
		"list[name=web]":          "- args:",
		"list[name=web].args":     "- args:",
		"list[name=web].args[1]":  "  - --second",
		"list[name=web].name":     "  name: web",
		"list[1].text":            "  text: '" + strings.Repeat("a long sentence ", 12) + "'",
		"list[2][1]":              "  - 2",
		"z":                       `z: null`,
		"data.none":               "data:",
		"list[name=none].x":       "list:",
		"list[name=web].args[=x]": "- args:",
	} {
		p, err := fieldpath.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		at, exact := root.Find(p)
		if got := lines[at.Line-1]; got != want {
			t.Errorf("%s is on line %d, %q, want %q", path, at.Line, got, want)
		}
		if exact != !strings.Contains(path, "none") && !strings.Contains(path, "=x") {
			t.Errorf("%s: exact is %v", path, exact)
		}
	}
}

// TestPlacesOfAnything: whatever the object is, the
// keys that need no quotes stand where they are said to stand.
func TestPlacesOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var value func(depth int) any
	value = func(depth int) any {
		switch n := r.IntN(4); {
		case n == 0 && depth > 0:
			list := []any{}
			for range r.IntN(4) {
				list = append(list, value(depth-1))
			}
			return list
		case n < 3 && depth > 0:
			o := tree.Object{}
			for range r.IntN(4) {
				o["key"+string(rune('a'+r.IntN(20)))] = value(depth - 1)
			}
			return o
		}
		return randomString(r)
	}
	for range 500 {
		o := tree.Object{"top": value(5)}
		text, root := DecodedPlaces(o)
		lines := strings.Split(text, "\n")
		var check func(p *Place)
		check = func(p *Place) {
			for key, f := range p.fields {
				if line := strings.TrimLeft(lines[f.Line-1], "- "); !strings.HasPrefix(line, key+":") {
					t.Fatalf("%s is not on line %d of\n%s", key, f.Line, text)
				}
				check(f)
			}
			for _, item := range p.items {
				if !strings.HasPrefix(strings.TrimLeft(lines[item.Line-1], " "), "-") {
					t.Fatalf("no item is on line %d of\n%s", item.Line, text)
				}
				check(item)
			}
		}
		check(root)
	}
}

// TestDecoded: what has several lines is a block of them, and no two texts are the same.
func TestDecoded(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\tb \n":       "k: |\n  a\n  \tb \n",
		"a\n\tb \n ":      "k: |-\n  a\n  \tb \n   \n",
		" a\n\n b\t":      "k: |2-\n   a\n\n   b\t\n",
		"a\r\n b":         `k: "a\r\n b"` + "\n",
		"\n":              "k: |2+\n\n",
		"a \n" + "\u2028": `k: "a \n\L"` + "\n",
	} {
		if got := Decoded(tree.Object{"k": text}); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	seen := map[string]string{}
	for _, x := range []string{"", " ", "\n", "\t"} {
		for _, y := range []string{"a", " a", "a ", "\ta", "a\n", "a\n\n"} {
			for _, z := range []string{"", "\n", "\n ", "\nb", "\n\tb", "\n\n"} {
				s := x + y + z
				if got := Decoded(tree.Object{"k": s}); seen[got] != "" && seen[got] != s {
					t.Errorf("%q and %q are both %q", seen[got], s, got)
				} else {
					seen[got] = s
				}
			}
		}
	}
}
