package docs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTrust: each line of the table in docs/trust.md is held by tests that exist, and
// each flag that names a file and each variable that the program reads has a line.
func TestTrust(t *testing.T) {
	page, err := os.ReadFile("docs/trust.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n|---|---|---|---|\n")
	inputs, rows := "", 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 {
			t.Errorf("not four cells: %s", line)
			continue
		}
		rows++
		inputs += cells[0] + "\n"
		tests := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1)
		if len(tests) == 0 || strings.TrimSpace(cells[1]) == "" || strings.TrimSpace(cells[2]) == "" {
			t.Errorf("nothing holds: %s", line)
		}
		for _, m := range tests {
			file, name, isTest := strings.Cut(m[1], ":")
			if strings.HasSuffix(file, ".txtar") {
				file = filepath.Join("command/testdata/script", file)
			}
			data, err := os.ReadFile(file)
			if err != nil || isTest && !strings.Contains(string(data), "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("there is no test %s", m[1])
			}
		}
	}
	if rows == 0 {
		t.Fatal("there is no table")
	}
	flag := regexp.MustCompile("Name: \"([a-z-]+)\"[^\n]*?`[^`:\n]*(?:FILE|PATH|DIR)[^`:\n]*`")
	variable := regexp.MustCompile(`os\.(?:Getenv|LookupEnv)\((?:"([A-Z_]+)"|keyVariable)\)`)
	found := map[string]bool{}
	for _, pkg := range goList(t, "-deps", "-f", `{{if not .Standard}}{{.ImportPath}}{{end}}`, ".") {
		dir, own := strings.CutPrefix(pkg, "threeway/")
		files, _ := filepath.Glob(dir + "/*.go")
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil || !own || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range flag.FindAllStringSubmatch(string(data), -1) {
				found["`--"+m[1]+"`"] = true
			}
			for _, m := range variable.FindAllStringSubmatch(string(data), -1) {
				if m[1] == "" {
					m[1] = "THREEWAY_KEY"
				}
				found["`"+m[1]+"`"] = true
			}
		}
	}
	if !found["`--live`"] || !found["`KUBECTL_EXTERNAL_DIFF`"] {
		t.Fatalf("flags and variables are not found: %v", found)
	}
	for name := range found {
		if !strings.Contains(inputs, name) {
			t.Errorf("docs/trust.md does not say who writes %s", name)
		}
	}
}

// TestEditorWorkspace: a workspace that is not trusted starts no program.
func TestEditorWorkspace(t *testing.T) {
	var extension struct {
		Capabilities struct {
			UntrustedWorkspaces struct{ Supported any }
		}
		Contributes struct {
			Configuration struct {
				Properties map[string]struct{ Scope string }
			}
		}
	}
	data, err := os.ReadFile("command/editor/vscode/package.json")
	if err == nil {
		err = json.Unmarshal(data, &extension)
	}
	if err != nil {
		t.Fatal(err)
	}
	if extension.Capabilities.UntrustedWorkspaces.Supported != false {
		t.Error("the extension runs in workspaces that are not trusted")
	}
	for _, name := range []string{"threeway.path", "threeway.arguments"} {
		if scope := extension.Contributes.Configuration.Properties[name].Scope; !strings.HasPrefix(scope, "machine") {
			t.Errorf("%s has the scope %q", name, scope)
		}
	}
}
