package editor

import (
	"testing"
	"unicode/utf8"
)

// FuzzTyping completes at any place of any text: the word that is replaced is around the
// place, on its line, and is that of the text.
func FuzzTyping(f *testing.F) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: é😀}\nspec:\n  containers:\n  - name: a\n    im\n---\nkind: [\n"
	for line := range 10 {
		f.Add(pod, line, 6)
		f.Add(pod, line, 0)
	}
	f.Add("{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"na\": 1}}", 0, 51)
	f.Add("apiVersion: v1\r\nkind: Pod\r\nmetadata: {name: a}\r\nspec:\r\n  \r\n", 4, 2)
	f.Add("apiVersion: v1\r\nkind: Pod\r\nmetadata: {name: a}\r\nspec:\r\n  \r", 53, 2)
	f.Fuzz(func(t *testing.T, text string, line, character int) {
		if !utf8.ValidString(text) || len(text) > 2000 || line < 0 || line > 2000 || character < 0 {
			return
		}
		p := positionOf(text, offset(text, position{line, character}))
		w, ok := typedAt("a.yaml", text, p)
		if !ok {
			return
		}
		if w.at.Start.compare(p) > 0 || p.compare(w.at.End) > 0 {
			t.Fatalf("the word at %v of %q is at %v", p, text, w.at)
		}
		if got := text[offset(text, w.at.Start):offset(text, w.at.End)]; got != w.word {
			t.Fatalf("the word is %q, and at its place is %q", w.word, got)
		}
	})
}
