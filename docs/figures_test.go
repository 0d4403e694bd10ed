package docs_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write the table of figures into docs/internals/tested.md")

// figure is what a command answered on a day, of a commit.
type figure struct {
	ID, What, Figure, Command, Date, Commit string
}

func figures(t *testing.T) []figure {
	t.Helper()
	data, err := os.ReadFile("docs/internals/figures.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []figure
	if err := yaml.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFigures: the page of figures has those that are stored, and each names a
// command that there is.
func TestFigures(t *testing.T) {
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[m[1]] = true
	}
	functions := testFunctions(t)
	table := "| what | figure |\n|---|---|\n"
	for _, f := range figures(t) {
		for _, empty := range []string{f.ID, f.What, f.Figure, f.Command, f.Date, f.Commit} {
			if empty == "" {
				t.Errorf("%+v: an entry is empty", f)
			}
		}
		for _, m := range regexp.MustCompile(`make ([a-z-]+)`).FindAllStringSubmatch(f.Command, -1) {
			if !targets[m[1]] {
				t.Errorf("%s: the Makefile has no target %s", f.ID, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`-run '?([\w()|]+)`).FindAllStringSubmatch(f.Command, -1) {
			if pattern := regexp.MustCompile(m[1]); !slices.ContainsFunc(functions, pattern.MatchString) {
				t.Errorf("%s: no test is called %s", f.ID, m[1])
			}
		}
		table += fmt.Sprintf("| <a id=%q></a>%s | %s |\n", f.ID, f.What, f.Figure)
	}
	const page, begin, end = "docs/internals/tested.md", "<!-- figures.yaml -->\n", "<!-- end -->"
	text := read(t, page)
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the figures", page)
	}
	want := before + begin + "\n" + table + "\n" + end + after
	if text == want {
		return
	}
	if !*update {
		t.Fatalf("%s differs from figures.yaml: go test ./docs -run TestFigures -update", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCitedFigures: each number in the words of a link to a figure is one of it.
func TestCitedFigures(t *testing.T) {
	stored := map[string]string{}
	for _, f := range figures(t) {
		stored[f.ID] = f.Figure + " " + f.What
	}
	number := regexp.MustCompile(`\d[\d,./]*`)
	cited := 0
	for _, page := range append(pagesOf(t), "README.md", "README.zh-CN.md", "CONTRIBUTING.md", "SECURITY.md") {
		for _, m := range regexp.MustCompile(`\[([^\]]+)\]\((?:[\w/.]*tested\.md)?#([\w-]+)\)`).FindAllStringSubmatch(read(t, page), -1) {
			figure, ok := stored[m[2]]
			if !ok {
				continue
			}
			cited++
			known := number.FindAllString(figure, -1)
			for _, n := range number.FindAllString(m[1], -1) {
				if !slices.Contains(known, n) {
					t.Errorf("%s: %q is not in the figure %s: %s", page, n, m[2], figure)
				}
			}
		}
	}
	if cited == 0 {
		t.Error("no page cites a figure")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// testFunctions are the names of all test functions, those of nested modules too.
func testFunctions(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(file string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(read(t, file), -1) {
			names = append(names, m[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
