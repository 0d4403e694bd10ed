package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unwanted are words that CONTRIBUTING.md replaces by plainer ones, or spells
// differently.
var unwanted = regexp.MustCompile(`(?i)\b(nobody|somebody|bites|comes? to rest|anew|for ever|is lacking|nothing is lacking|cannot be told|colours?|coloured|honours?|honoured|behaviours?|judgements?|licence|` +
	`config (files?|sets?|objects?)|pass(es|ed) over|in clear|takes? along|goes by|comes by|for want of|in spite of|likewise|as ever|be it|is a must|gives? way|held against|no telling|in another way|by another rule|other rights|or no longer (do|does|is|are|be)|at another time|hand-written, because|each (overlay|of them) for itself|nothing tells)\b`)

// riddles are words that make a comment hard to read for those whose first language
// is another one.
var riddles = regexp.MustCompile(`(?i)\b(nobody|somebody|anybody|whoever|can(not)? be told|no telling|for want of|in spite of|as ever|be it|none comes|takes? along|likewise)\b`)

// exact are the folders with texts of kubectl and the API server, which stay as
// they are, and those that are not part of the program.
var exact = []string{"fixtures", "merge/kube/conformance", "merge/kube/schema/generate", "merge/kube/internal/server", "merge/kube/internal/serverside", "merge/kube/internal/strategic"}

// TestWords holds the texts of the program and the pages to the word list of
// CONTRIBUTING.md.
func TestWords(t *testing.T) {
	texts := 0
	check := func(where, text string) {
		texts++
		if word := unwanted.FindString(text); word != "" {
			t.Errorf("%s: %q is on the word list of CONTRIBUTING.md: %s", where, word, text)
		}
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			for _, dir := range exact {
				if path == filepath.FromSlash(dir) {
					return filepath.SkipDir
				}
			}
			return nil
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			checkSource(t, path, check)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pagesOf(t), "README.md", "action.yml") {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			check(page, line)
		}
	}
	if texts < 5000 {
		t.Errorf("only %d texts were found", texts)
	}
}

// checkSource checks the strings of a file that are sentences, those with a space,
// and its comments.
func checkSource(t *testing.T, path string, check func(where, text string)) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING && strings.Contains(s.Value, " ") {
			check(files.Position(s.Pos()).String(), s.Value)
		}
		return true
	})
	for _, c := range file.Comments {
		if word := riddles.FindString(c.Text()); word != "" {
			t.Errorf("%s: %q makes a comment hard to read: %s", files.Position(c.Pos()), word, c.Text())
		}
	}
}
