package docs_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// levels are the packages from the ground up: one may import those of its own
// level and of the levels before it. What ends in "/..." stands for the
// packages below it too.
var levels = [][]string{
	{"threeway/merge/tree", "threeway/merge/fieldpath", "threeway/merge/fault", "threeway/merge/parallel", "threeway/merge/text/...",
		"threeway/merge/schema", "threeway/merge/manifest", "threeway/merge/selector", "threeway/merge/mask", "threeway/merge/owners", "threeway/merge/redact"},
	{"threeway/merge/strategic", "threeway/merge/serverside", "threeway/merge/server/...", "threeway/merge/prune", "threeway/merge/snapshot",
		"threeway/merge/openapi"},
	{"threeway/merge"},
	{"threeway/merge/explain"},
	{"threeway/merge/workflow"},
	{"threeway/merge/report", "threeway/lint/...", "threeway/rules/..."},
	{"threeway/command/...", "threeway/fixtures/..."},
	{"threeway", "threeway/docs"},
}

func levelOf(pkg string) int {
	return slices.IndexFunc(levels, func(level []string) bool {
		return slices.ContainsFunc(level, func(p string) bool {
			root, subtree := strings.CutSuffix(p, "/...")
			return pkg == root || subtree && strings.HasPrefix(pkg, root+"/")
		})
	})
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestImportsPointOneWay(t *testing.T) {
	for _, line := range goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...") {
		pkg, imports, _ := strings.Cut(line, " ")
		own := levelOf(pkg)
		if own < 0 {
			t.Errorf("%s is on no level; say in this test where it stands", pkg)
			continue
		}
		for _, imported := range strings.Fields(imports) {
			switch {
			case strings.HasPrefix(imported, "threeway/fixtures") && !strings.HasPrefix(pkg, "threeway/fixtures"):
				t.Errorf("%s imports %s, which is for tests", pkg, imported)
			case strings.HasPrefix(imported, "threeway/"):
				if levelOf(imported) > own {
					t.Errorf("%s imports %s, which stands above it", pkg, imported)
				}
			case strings.HasPrefix(pkg, "threeway/merge") && (strings.Contains(imported, "/cli") || strings.HasSuffix(imported, "/color") || imported == "os/exec"):
				t.Errorf("%s imports %s: command line, colours and programs are the commands'", pkg, imported)
			}
		}
	}
}

// TestValuesAreShownInFewPlaces: a text that quotes values of objects is printed
// without them, but where it is known whether they must be masked: in a view of
// an outcome and in a fault of lint.
func TestValuesAreShownInFewPlaces(t *testing.T) {
	allowed := []string{"lint/fault.go", "merge/report/view.go",
		"merge/serverside/typeerror.go"} // the text of an error, which becomes a fault.Text again
	call := regexp.MustCompile(`\.(Unmasked|MaskedIf)\b`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "merge/fault/") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if call.Match(data) && !slices.Contains(allowed, path) {
			t.Errorf("%s shows values of objects in a text; use its String, which masks them", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOffline: a program without these packages cannot open a connection.
func TestOffline(t *testing.T) {
	deps := goList(t, "-deps", ".")
	for _, pkg := range []string{"net", "net/http", "crypto/tls", "plugin"} {
		if slices.Contains(deps, pkg) {
			t.Errorf("threeway links %s", pkg)
		}
	}
}

func TestDependenciesAreExplained(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1)
	if len(direct) == 0 {
		t.Fatal("no direct dependencies found in go.mod")
	}
	for _, m := range direct {
		if !bytes.Contains(doc, []byte("`"+m[1]+"`")) {
			t.Errorf("docs/dependencies.md gives no reason for %s", m[1])
		}
	}
}

// TestFiles looks at every file of the repository: none depends on the folder
// with the reference material, which is not part of it, and Go files stay
// short enough to be read at once.
func TestFiles(t *testing.T) {
	const longest = 400
	outside := regexp.MustCompile(`shared` + `/(cases|reference|seeds|realcluster)|tmp` + `/cases`)
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if outside.Match(data) {
			t.Errorf("%s names the folder with the reference material", path)
		}
		lines := bytes.Count(data, []byte("\n"))
		if filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") && lines > longest && !generated.Match(data) {
			t.Errorf("%s has %d lines, more than %d", path, lines, longest)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
