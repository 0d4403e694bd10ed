package docs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// licenses are texts by which the license of a module is known.
var licenses = []struct{ name, text string }{
	{"Apache-2.0", "Apache License"},
	{"MPL-2.0", "Mozilla Public License"},
	{"BSD-3-Clause", "may be used to endorse or promote products"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce"},
	{"MIT", "Permission is hereby granted, free of charge"},
}

// TestLicenses: the page for closed networks names the license of each linked module, and
// none of them asks for more than its text.
func TestLicenses(t *testing.T) {
	page, err := os.ReadFile("docs/bank.md")
	if err != nil {
		t.Fatal(err)
	}
	linked := goList(t, "-deps", "-tags", "urfave_cli_no_docs", "-f", `{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}`, ".")
	slices.Sort(linked)
	rows := map[string]string{}
	for _, line := range strings.Split(string(page), "\n") {
		if name, modules, isRow := strings.Cut(strings.Trim(line, "| "), " | "); isRow {
			rows[name] = " " + modules + " "
		}
	}
	for _, line := range slices.Compact(linked) {
		module, dir, ok := strings.Cut(line, " ")
		if !ok {
			continue
		}
		name := licenseOf(t, dir)
		if !strings.Contains(rows[name], "`"+module+"`") {
			t.Errorf("docs/bank.md does not say that %s has the license %q", module, name)
		}
	}
}

// licenseOf are those of the module in a directory.
func licenseOf(t *testing.T, dir string) string {
	t.Helper()
	var found []string
	files, _ := filepath.Glob(filepath.Join(dir, "LICEN[CS]E*"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(string(text)), " ")
		for _, l := range licenses {
			if strings.Contains(words, l.text) && (l.name != "BSD-2-Clause" || !slices.Contains(found, "BSD-3-Clause")) && !slices.Contains(found, l.name) {
				found = append(found, l.name)
			}
		}
	}
	return strings.Join(found, ", ")
}
