package docs_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// answers are those of go list, by its arguments.
var answers = map[string][]string{}

// goDoc is what go doc says of a package, a line each.
func goDoc(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "doc", "-all", pkg).Output()
	if err != nil {
		t.Fatalf("go doc %s: %v", pkg, err)
	}
	return strings.Split(string(out), "\n")
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	asked := strings.Join(args, " ")
	if answers[asked] == nil {
		out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
		if err != nil {
			t.Fatalf("go list %s: %v", asked, err)
		}
		answers[asked] = strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	return answers[asked]
}

// ownImports lists the packages of the program with those that they import, both
// without "threeway/". What is for tests is left out.
func ownImports(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	for _, line := range goList(t, "-f", `{{if .GoFiles}}{{.ImportPath}} {{join .Imports " "}}{{end}}`, "./...") {
		pkg, all, _ := strings.Cut(line, " ")
		if strings.HasPrefix(pkg, "threeway/fixtures") {
			continue
		}
		own := []string{}
		for _, imported := range strings.Fields(all) {
			if strings.HasPrefix(imported, "threeway/fixtures") {
				t.Errorf("%s imports %s, which is for tests", pkg, imported)
			} else if strings.HasPrefix(imported, "threeway/") {
				own = append(own, strings.TrimPrefix(imported, "threeway/"))
			} else if strings.HasPrefix(pkg, "threeway/merge") || strings.HasPrefix(pkg, "threeway/lint") || pkg == "threeway/rules" {
				if strings.Contains(imported, "/cli") || strings.HasSuffix(imported, "/color") || imported == "os/exec" || imported == "flag" {
					t.Errorf("%s imports %s: command line, colours and programs belong to the commands", pkg, imported)
				}
			}
		}
		imports[strings.TrimPrefix(pkg, "threeway/")] = own
	}
	return imports
}

// layers say what the compiler cannot: packages that begin with one text import none, of the
// program, that begins with another. What is below merge/kube/internal the compiler keeps there.
var layers = []struct{ of, never, why string }{
	{"merge/kube", "merge/mask merge/redact merge/manifest merge/text merge/disk merge/rehearsal merge/by merge/applier", "the mirror reads no files, and knows no plan and no secrets"},
	{"merge/manifest merge/text merge/disk", "merge/kube/internal merge/rehearsal", "reading knows no server"},
	{"merge/rehearsal merge/by merge/prune merge/snapshot", "merge/show merge/impact merge/explain", "a plan knows no report"},
	{"merge", "lint rules command", "what is below the rules knows none"},
	{"lint rules", "command", "nothing below the commands knows them"},
}

// below reports whether a package is one of a list of folders, or below one.
func below(pkg, folders string) bool {
	return slices.ContainsFunc(strings.Fields(folders), func(f string) bool { return pkg == f || strings.HasPrefix(pkg, f+"/") })
}

// TestImports also keeps the house low: no chain of imports is longer than floors, and
// there are no more than arrows of them.
func TestImports(t *testing.T) {
	const floors, arrows = 25, 660
	imports, drawn := ownImports(t), 0
	for pkg, own := range imports {
		for _, layer := range layers {
			for _, imported := range own {
				if below(pkg, layer.of) && below(imported, layer.never) && !below(imported, layer.of) {
					t.Errorf("%s imports %s: %s", pkg, imported, layer.why)
				}
			}
		}
		drawn += len(own)
		if at := floorOf(pkg, imports); at > floors {
			t.Errorf("%s stands on floor %d, above %d", pkg, at, floors)
		}
	}
	if drawn > arrows {
		t.Errorf("%d imports, more than %d", drawn, arrows)
	}
}

// floorOf is one more than the highest floor of what a package imports.
func floorOf(pkg string, imports map[string][]string) int {
	at := 0
	for _, imported := range imports[pkg] {
		at = max(at, floorOf(imported, imports))
	}
	return at + 1
}

// TestDoor: merge/kube is all that the program calls of the mirror, and stays small enough to be
// read at once.
func TestDoor(t *testing.T) {
	const most = 50
	exported := 0
	for _, line := range goDoc(t, "./merge/kube") {
		if regexp.MustCompile(`^(func|type|var|const) [A-Z]`).MatchString(line) || regexp.MustCompile(`^\t[A-Z]\w* += `).MatchString(line) {
			exported++
		}
	}
	if exported > most || exported < most/2 {
		t.Errorf("merge/kube exports %d names, more than %d", exported, most)
	}
}

// TestDrawing holds the drawing in docs/internals/architecture.md to the imports; -update draws it.
func TestDrawing(t *testing.T) {
	const name = "docs/internals/architecture.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	imports, doc := ownImports(t), map[string]string{}
	for _, line := range goList(t, "-f", "{{.ImportPath}} {{.Doc}}", "./...") {
		pkg, synopsis, _ := strings.Cut(strings.TrimPrefix(line, "threeway/"), " ")
		doc[pkg] = regexp.MustCompile(`^(Package|Command) \w+ |[:;(].*$|\.$`).ReplaceAllString(synopsis, "")
	}
	packages := slices.SortedFunc(maps.Keys(imports), func(a, b string) int {
		return cmp.Or(cmp.Compare(floorOf(b, imports), floorOf(a, imports)), cmp.Compare(a, b))
	})
	var drawing strings.Builder
	for _, pkg := range packages {
		fmt.Fprintf(&drawing, "%2d %s: %s\n", floorOf(pkg, imports), pkg, doc[pkg])
	}
	before, after, _ := strings.Cut(string(data), "\n## The packages\n")
	text, after, _ := strings.Cut(after, "\n```\n")
	old, rest, _ := strings.Cut(after, "```\n")
	if old == drawing.String() {
		return
	}
	if !*update {
		t.Fatalf("%s does not list the packages as they are: go test ./docs -run TestDrawing -update", name)
	}
	page := before + "\n## The packages\n" + text + "\n```\n" + drawing.String() + "```\n" + rest
	if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestValuesAreShownInFewPlaces: a text that quotes values of objects is printed
// without them, but where it is known whether they must be masked: in a view of
// an outcome and in a fault of lint.
func TestValuesAreShownInFewPlaces(t *testing.T) {
	allowed := []string{"lint/fault.go", "merge/show/view.go",
		"rules/own/own.go", // made of trees that are masked
		"merge/pruning.go", // what the flags say of an ApplySet
		"merge/kube/internal/serverside/typeerror.go"} // the text of an error, which becomes a fault.Text again
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

// TestFilesAreOpenedInOnePlace: what is read by name is read by merge/disk, which
// refuses links that lead out of the repository.
func TestFilesAreOpenedInOnePlace(t *testing.T) {
	callsOnlyIn(t, `\bos\.(Open|ReadFile|ReadDir|DirFS|OpenRoot|OpenInRoot)\(`, map[string]string{
		"command/adopt.go":              "whether the directory to write to is empty",
		"command/inputs/secrets.go":     "the file with the key, which only a flag names",
		"command/system/file.go":        "directories to write to, whose links disk.Real has followed",
		"lint/fix/locate.go":            "the file to write to, whose links disk.Real has followed",
		"lint/fix/repaired.go":          "the same",
		"merge/manifest/source_file.go": "a file that was opened before",
		"merge/manifest/window.go":      "the same",
		"merge/disk/disk.go":            "the place",
	})
}

// TestFilesAreWrittenInOnePlace: what is written goes through Destination of command/system,
// which refuses links that lead out of the repository or into .git. That each command which
// writes does so is tried by TestLinksOut of command.
func TestFilesAreWrittenInOnePlace(t *testing.T) {
	callsOnlyIn(t, `\bos\.(WriteFile|Create|CreateTemp|OpenFile|Rename|Mkdir|MkdirAll|MkdirTemp|Remove|RemoveAll|Chmod|Chown|Symlink|Link|Truncate|CopyFS)\(`, map[string]string{
		"command/system/file.go": "the place",
	})
}

// callsOnlyIn looks for calls in the files of the program; allowed has the files that may have
// some, and why.
func callsOnlyIn(t *testing.T, calls string, allowed map[string]string) {
	t.Helper()
	call, found := regexp.MustCompile(calls), map[string]bool{}
	for _, pkg := range goList(t, "-deps", "-f", `{{if not .Standard}}{{.ImportPath}}{{end}}`, ".") {
		dir, own := strings.CutPrefix(pkg, "threeway/")
		if !own {
			continue
		}
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if file = filepath.ToSlash(file); strings.HasSuffix(file, "_test.go") || !call.Match(data) {
				continue
			}
			if found[file] = true; allowed[file] == "" {
				t.Errorf("%s has %s by itself; leave that to another package, or say here why not", file, call.Find(data))
			}
		}
	}
	for file := range allowed {
		if !found[file] {
			t.Errorf("%s has none of these calls, and is listed", file)
		}
	}
}

func TestDependenciesAreExplained(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("docs/internals/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1)
	if len(direct) == 0 {
		t.Fatal("no direct dependencies found in go.mod")
	}
	for _, m := range direct {
		if !bytes.Contains(doc, []byte("`"+m[1]+"`")) {
			t.Errorf("docs/internals/dependencies.md gives no reason for %s", m[1])
		}
	}
}

// TestFiles looks at every file of the repository: none depends on the folder
// with the reference material, which is not part of it, and Go files stay
// short enough to be read at once.
func TestFiles(t *testing.T) {
	const longest = 600
	outside := []string{"shared" + "/cases", "shared" + "/reference", "shared" + "/seeds", "shared" + "/realcluster", "tmp" + "/cases"}
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || path == "bin" || path == "dist") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, folder := range outside {
			if bytes.Contains(data, []byte(folder)) {
				t.Errorf("%s names the folder with the reference material", path)
			}
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
