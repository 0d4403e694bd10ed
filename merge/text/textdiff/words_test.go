package textdiff

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mark puts [ ] around the spans.
func mark(line string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(line[at:s.Start] + "[" + line[s.Start:s.End] + "]")
		at = s.End
	}
	return b.String() + line[at:]
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ old, new string }{
		{"image: nginx:1.[14]", "image: nginx:1.[16]"},
		{"        image: registry.k8s.io/[metrics-server/metrics-server]:v0.[6].4", "        image: registry.k8s.io/[coredns]:v0.[7].4"},
		{"replicas: [2]", "replicas: [10]"},
		{"args: --v=2", "args: --v=2[ --wide]"},
		{"a: [old value here]", "a: [new thing there]"},
		{"- --flag=[one,]two,three", "- --flag=two,three"},
		{"größe: [zwölf]", "größe: [elf]"},
		{"same", "same"},
		{"nothing", "alike"},
		{"", "new"},
		{"{}", "[]"},
		{"x: '*** ([before])'", "x: '*** ([after])'"},
	} {
		clean := strings.NewReplacer("[", "", "]", "")
		old, new := clean.Replace(c.old), clean.Replace(c.new)
		if old == "{}" {
			new = c.new
		}
		o, n := Words(old, new)
		if got := mark(old, o); got != c.old {
			t.Errorf("old: %s\nwant %s", got, c.old)
		}
		if got := mark(new, n); got != c.new {
			t.Errorf("new: %s\nwant %s", got, c.new)
		}
	}
}

// What is outside the spans reads the same in both lines, and spans are whole
// tokens in order that do not touch.
func TestWordsLeaveTheSameRest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	alphabet := []string{"a", "bc", "d1", " ", "  ", ":", "/", ".", "-", "é", "日本", "\"", "\xff"}
	line := func() string {
		var b strings.Builder
		for range r.IntN(20) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		return b.String()
	}
	rest := func(line string, spans []Span) string {
		var b strings.Builder
		at := 0
		for _, s := range spans {
			b.WriteString(line[at:s.Start])
			at = s.End
		}
		return b.String() + line[at:]
	}
	boundaries := func(line string) []int {
		at := []int{0}
		for _, t := range tokens(line) {
			at = append(at, at[len(at)-1]+len(t))
		}
		return at
	}
	for range 20000 {
		old, new := line(), line()
		o, n := Words(old, new)
		if o == nil && n == nil {
			continue
		}
		if a, b := rest(old, o), rest(new, n); a != b || a == "" {
			t.Fatalf("%q %q: the rest differs", mark(old, o), mark(new, n))
		}
		for _, side := range []struct {
			line  string
			spans []Span
		}{{old, o}, {new, n}} {
			last := -1
			for _, s := range side.spans {
				ends := boundaries(side.line)
				if s.Start <= last || s.End <= s.Start || !slices.Contains(ends, s.Start) || !slices.Contains(ends, s.End) {
					t.Fatalf("%q: bad span %v in %v", side.line, s, side.spans)
				}
				last = s.End
			}
		}
	}
}

func TestWordsOfLongLinesAreQuickAndTheSame(t *testing.T) {
	a := strings.Repeat(`{"name":"x","value":"1"},`, 8000)
	b := "start " + strings.Repeat(`{"key":"y","item":"2"},`, 8000) + " end"
	o, n := Words(a, b)
	o2, n2 := Words(a, b)
	if !slices.Equal(o, o2) || !slices.Equal(n, n2) {
		t.Error("two runs differ")
	}
}

func TestHunkWordsPairsLines(t *testing.T) {
	old := "spec:\n  image: a/b:1\n  name: x\n  port: 80\nend: 1\n"
	new := "spec:\n  image: a/b:2\n  extra: true\n  name: y\nend: 1\n"
	h := Unified(old, new, 3)[0]
	var got strings.Builder
	for i, spans := range h.Words() {
		got.WriteString(string(h.Lines[i].Kind) + mark(h.Lines[i].Text, spans) + "\n")
	}
	want := ` spec:
-  image: a/b:[1]
-  name: [x]
-  port: 80
+  image: a/b:[2]
+  extra: true
+  name: [y]
 end: 1
`
	if got.String() != want {
		t.Errorf("%s", got.String())
	}
}

func BenchmarkWords(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Words("        image: registry.k8s.io/metrics-server/metrics-server:v0.6.4", "        image: registry.k8s.io/metrics-server/metrics-server:v0.7.2")
	}
}
