package report

import (
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge/text/columns"
)

// TestTextFitsTheTerminal: prose is folded, the caret stays below the key, and
// what is to be copied stays in one piece.
func TestTextFitsTheTerminal(t *testing.T) {
	r := result(t)
	f := r.Findings[0]
	f.Message = strings.Repeat("word ", 30)
	f.Notes = []string{strings.Repeat("note ", 30)}
	f.Fix = "kubectl delete configmap a -n shop " + strings.Repeat("--flag ", 20)
	text := renderWith(t, "text", r, Options{Width: 60})
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		if columns.Width(line) > 60 && !strings.HasPrefix(line, "   fix   kubectl ") {
			t.Errorf("line %d has %d columns: %q", i, columns.Width(line), line)
		}
	}
	unbroken := strings.Join(strings.Fields(renderWith(t, "text", r, Options{})), " ")
	for width := range 60 { // down to less than a place, or a word
		if got := strings.Join(strings.Fields(renderWith(t, "text", r, Options{Width: width})), " "); width > 0 && !strings.HasPrefix(got, unbroken[:strings.Index(unbroken, " [")]) {
			t.Errorf("%d columns: %.200s", width, got)
		}
	}
	if len(lines) < 8 || !strings.HasPrefix(lines[1], "    word") || !strings.Contains(text, "\n         note note") {
		t.Errorf("%s", text)
	}
}

// TestFit: lines break between words, and a command stays whole.
func TestFit(t *testing.T) {
	for text, want := range map[string]string{
		"   fix   correct the name or the indentation, or remove the field":               "   fix   correct the name or the\n         indentation, or remove the\n         field",
		"   fix   keep it; or delete it: kubectl delete job/migrate -n shop":              "   fix   keep it; or delete it:\n         kubectl delete job/migrate -n shop",
		"   fix   kubectl edit deployment/api -n shop":                                    "   fix   kubectl edit deployment/api -n shop",
		"   fix   leave it (kubectl apply edit-last-applied service/api), then remove":    "   fix   leave it\n         (kubectl apply edit-last-applied service/api),\n         then remove",
		`   fix   by hand: kubectl patch a/b -p '{"a": (1; 2)}'; then apply what it says`: "   fix   by hand:\n         kubectl patch a/b -p '{\"a\": (1; 2)}';\n         then apply what it says",
		"   fix   short: kubectl get a":                                                   "   fix   short: kubectl get a",
		"    spec.rules: − a, then one more word of it":                                   "    spec.rules: − a, then one more\n      word of it",
		"\x1b[31m!\x1b[0m Deployment web: 37 columns":                                     "\x1b[31m!\x1b[0m Deployment web: 37 columns",
		"   |\n12 | a: a line of the source, which is cut where it ends":                  "   |\n12 | a: a line of the source, which …",
	} {
		if got := (Options{Width: 37}).fit(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestSnippet: the caret is below the place whatever is before it.
func TestSnippet(t *testing.T) {
	long := strings.Repeat("x: y, ", 60)
	for name, c := range map[string]struct {
		source string
		key    string
		widest int
	}{
		"plain":          {"  key: value", "key:", 160},
		"tab":            {"a:\tkey: value", "key:", 160},
		"wide":           {"{説明: 日本語, key: value}", "key:", 160},
		"combining":      {"{u\u0308: u\u0308, key: value}", "key:", 160},
		"control":        {"\x07\x1b[1m key: value", "key:", 160},
		"far right":      {long + "key: value", "key:", 60},
		"before a lot":   {"key: " + long, "key:", 60},
		"amid a lot":     {long + "key: " + long, "key:", 60},
		"amid wide text": {strings.Repeat("日本語 ", 40) + "key: " + strings.Repeat("日本語 ", 40), "key:", 60},
		"a long key":     {long + strings.Repeat("k", 90) + ": v", strings.Repeat("k", 90) + ":", 60},
	} {
		at := lint.Position{Source: c.source, Column: len([]rune(c.source[:strings.Index(c.source, c.key)])) + 1, Width: len([]rune(c.key))}
		before, key, after := split(at, c.widest)
		if n := columns.Width(before + key + after); n > c.widest {
			t.Errorf("%s: %d columns", name, n)
		}
		if !strings.HasPrefix(c.key, key) || key == "" || strings.ContainsAny(before+key+after, "\t\x07\x1b") {
			t.Errorf("%s: %q, %q, %q", name, before, key, after)
		}
	}
}
