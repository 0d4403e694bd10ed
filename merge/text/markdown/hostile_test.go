package markdown_test

import (
	"strings"
	"testing"

	"threeway/fixtures/hostile"
	"threeway/merge/text/markdown"
)

// TestHostile: in each place of a comment a hostile text is text, and the page
// shows nothing else.
func TestHostile(t *testing.T) {
	none := func(string) bool { return false }
	texts := hostile.Names()
	for _, a := range hostile.Names() {
		texts = append(texts, a+"|", `\`+a, `x\|`+a, "$"+a, a+"`", "- "+a)
	}
	for _, s := range texts {
		for place, text := range map[string]markdown.Text{
			"a paragraph": markdown.Escape(s) + "\n", "bold": "**" + markdown.Escape("x"+s+"x") + "** a\n",
			"a cell":       markdown.Head("a", "b") + markdown.Row(markdown.Escape(s), markdown.Escape(s)),
			"code":         "a " + markdown.Code(s) + " b\n",
			"code in cell": markdown.Head("a", "b") + markdown.Row(markdown.Code(s)+"<br>"+markdown.Code(s), markdown.Code(s)),
			"a list":       markdown.Listed([]string{s, "x", s}),
			"a summary":    markdown.Folded("<code>"+markdown.HTML(s)+"</code> "+markdown.HTML(s), markdown.Fenced("yaml", s)),
			"a fence":      markdown.Fenced("diff", s) + "\n" + markdown.Fenced("", "a\n"+s+"\nb"),
		} {
			if faults := hostile.InComment(string(text), none); faults != nil {
				t.Errorf("%.200q in %s: %s\n%.300s", s, place, strings.Join(faults, "; "), text)
			}
		}
	}
}

// TestRow: a text is one cell of a row, whatever it holds.
func TestRow(t *testing.T) {
	for _, s := range append(hostile.Names(), "a|b", `a\|b`, "|", "`|`", "a\n|b") {
		for _, row := range []markdown.Text{markdown.Row(markdown.Escape(s), markdown.Code(s)), markdown.Row(markdown.HTML("x"), markdown.Code(s))} {
			borders, escaped := 0, false
			for _, c := range strings.TrimSuffix(string(row), "\n") {
				if c == '|' && !escaped {
					borders++
				}
				escaped = c == '\\' && !escaped
			}
			if borders != 3 || strings.Count(string(row), "\n") != 1 {
				t.Errorf("%.60q: %d borders in %.200q", s, borders, row)
			}
		}
	}
}
