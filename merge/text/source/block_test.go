package source

import (
	"math/rand/v2"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

// texts yields every way to put up to n of the parts one after another.
func texts(n int, parts []string, yield func(string)) {
	var add func(text string, n int)
	add = func(text string, n int) {
		yield(text)
		for _, p := range parts {
			if n > 0 {
				add(text+p, n-1)
			}
		}
	}
	add("", n)
}

// TestSmallDocuments holds the decoder of block YAML against that of all YAML
// on every small document, in go test on a quarter of them: it may give up, but not on the ordinary ones, and
// what it reads is what kubectl reads.
func TestSmallDocuments(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		n                   int
		parts               []string
		taken, told         int // documents and positions, at least
	}{
		{"value", "k: ", "\n", 3, append(strings.Split("a 1 0 . - : # ' \" \\ ~ e [ ] { } , + & * ! % @ ` | > ? = null true \u00a0 \u2028", " "), " "), 16928, 0},
		{"number", "k: ", "\n", 4, strings.Split("1 0 9 . - + e x _", " "), 7377, 0},
		{"spaces", "k: a", "\n", 5, []string{" ", "#", ":", "b", "\n", "'"}, 4797, 14877},
		{"element", "k:\n- ", "\n", 4, []string{"a", "-", " ", ":", "'", "#", "\n", "  "}, 2877, 17030},
		{"key", "", ": v\nz: 1\n", 3, []string{"a", "-", " ", ":", "'", "\"", "#", "?", "1", "~", "[", "&", "*", "!"}, 1382, 7611},
		{"quoted", "k: ", "\n", 5, []string{"'", "''", "a", " ", "\n", "  ", ":", "#"}, 15638, 0},
		{"escaped", "k: \"", "\"\n", 3, []string{"\\", "n", "x41", "u0041", "\"", " ", "\n", "  b", "/", "t", "0", "e"}, 1052, 0},
		{"block", "k:", "\nz: 1\n", 5, []string{" |", " >", "-", "+", "2", " # c", "\n  x", "\n   y", "\n", "\n#", "\n    "}, 25377, 0},
		{"flow", "k: {a: ", "}\n", 4, []string{"b", "-", ",", " ", ":", "[", "]", "{", "}", "\n", "#", "\"", "'"}, 2962, 0},
		{"flow lines", "{", "}\n", 5, []string{"a: ", "b", "\n", "  ", ", ", "'c'", ":", "\"d\\\n\n e\"", "# f\n", "[", "]", "---"}, 7349, 0},
		{"lines", "", "", 4, []string{"a: 1\n", "b:\n", "  c: d\n", "- x\n", "  - y: z\n", "    w: v\n", "# c\n", "\n", "   e\n", "  # d\n",
			"'q': r\n", "a: f\n  g\n", "- - n\n", "---\n", "  -\n"}, 6945, 25194},
	} {
		t.Run(c.name, func(t *testing.T) {
			taken, told, r := 0, 0, rand.New(rand.NewPCG(1, 2))
			texts(c.n, c.parts, func(text string) {
				if !breadth.Has(r.IntN(4), 4) { // the number of a text would choose by its last part
					return
				}
				text = c.before + text + c.after
				if strings.HasPrefix(text, "{") && checkFlow(t, text) {
					taken++
				}
				if !checkBlock(t, text) {
					return
				}
				taken++
				if value, twice, _ := decodeBlock(text, Everything, 0, nil); c.told > 0 {
					told += checkBlockPositions(t, &Document{Text: text, Line: 1, Column: 1, isBlock: !twice}, value)
				}
			})
			if taken < breadth.Of(c.taken, 5) || told < breadth.Of(c.told, 5) {
				t.Errorf("%d documents are read and %d positions told without the general decoder, not %d and %d", taken, told, c.taken, c.told)
			}
		})
	}
}
