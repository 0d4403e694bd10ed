package textdiff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		context        int
		want           string
	}{
		{"equal", "a\n", "a\n", 3, ""},
		{"created", "", "a\nb\n", 3, "--- o\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"deleted", "a\n", "", 3, "--- o\n+++ n\n@@ -1 +0,0 @@\n-a\n"},
		{"newline lost", "a\n", "a", 3, "--- o\n+++ n\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"context without newline", "a\nb", "c\nb", 3, "--- o\n+++ n\n@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n"},
		{"no context", "a\nb\nc\n", "a\nc\n", 0, "--- o\n+++ n\n@@ -2 +1,0 @@\n-b\n"},
		{"negative context", "a\nb\nc\n", "a\nc\n", -1, "--- o\n+++ n\n@@ -2 +1,0 @@\n-b\n"},
		{"the later of equal lines is the change", "a\n", "a\na\n", 3, "--- o\n+++ n\n@@ -1 +1,2 @@\n a\n+a\n"},
		{"hunks apart", "1\n2\n3\n4\n5\n", "x\n2\n3\n4\ny\n", 1, "--- o\n+++ n\n@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -4,2 +4,2 @@\n 4\n-5\n+y\n"},
		{"hunks joined", "1\n2\n3\n4\n", "x\n2\n3\ny\n", 1, "--- o\n+++ n\n@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n-4\n+y\n"},
	} {
		if got := Format("o", "n", Unified(c.old, c.new, c.context)); got != c.want {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}

// Read back, the hunks turn one text into the other.
func TestHunksApply(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 3000 {
		a := randomLines(r, r.IntN(40), 1+r.IntN(15))
		old, new := join(r, a), join(r, edit(r, a, r.IntN(6), 9))
		if got := apply(old, Unified(old, new, randomContext(r))); got != new {
			t.Fatalf("%q becomes %q, want %q", old, got, new)
		}
	}
}

func apply(old string, hunks []Hunk) string {
	lines := splitLines(old)
	var b strings.Builder
	at := 0
	for _, h := range hunks {
		start := h.OldStart - 1
		if h.OldCount == 0 {
			start++
		}
		b.WriteString(strings.Join(lines[at:start], ""))
		at = start + h.OldCount
		for _, l := range h.Lines {
			if l.Kind == Removed {
				continue
			}
			b.WriteString(l.Text)
			if !l.NoEOL {
				b.WriteByte('\n')
			}
		}
	}
	return b.String() + strings.Join(lines[at:], "")
}

// schemaText looks like a CRD of so many lines.
func schemaText(lines int) string {
	var b strings.Builder
	for i := 0; i < lines; i += 5 {
		fmt.Fprintf(&b, "            field%d:\n              description: Field %d says what the controller does, and how often it does so,\n                unless it is told otherwise.\n              format: int32\n              type: integer\n", i%700, i)
	}
	return b.String()
}

func BenchmarkUnified(b *testing.B) {
	old := schemaText(5000)
	few := strings.NewReplacer("Field 500 ", "Field 501 ", "Field 4500 ", "Field 4501 ").Replace(old)
	many := strings.ReplaceAll(old, "5 says", "5 tells")
	for _, c := range []struct{ name, old, new string }{
		{"5000lines-2changes", old, few},
		{"5000lines-500changes", old, many},
		{"5000lines-new", "", old},
		{"60lines", schemaText(60), strings.Replace(schemaText(60), "Field 30 ", "Field 31 ", 1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.old) + len(c.new)))
			for b.Loop() {
				Unified(c.old, c.new, 3)
			}
		})
	}
}

// Format prints a unified diff as diff does: the labels of the files, then the hunks;
// nothing without hunks.
func Format(oldLabel, newLabel string, hunks []Hunk) string {
	if len(hunks) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("--- " + oldLabel + "\n+++ " + newLabel + "\n")
	for _, h := range hunks {
		b.WriteString(h.Header() + "\n")
		for _, l := range h.Lines {
			b.WriteString(string(l.Kind) + l.Text + "\n")
			if l.NoEOL {
				b.WriteString(NoNewline + "\n")
			}
		}
	}
	return b.String()
}
