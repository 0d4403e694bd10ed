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

// answers are those of go list, by its arguments.
var answers = map[string][]string{}

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

// rooms are the packages of the program from the ground up, each with those of
// the program that it imports. A package stands below those that import it. An
// import that is not listed is an error, and so is a listed one that is gone.
var rooms = []string{
	"lint/report/webpage:",
	"merge/disk:",
	"merge/fieldpath:",
	"merge/format:",
	"merge/parallel:",
	"merge/selector:",
	"merge/text/archive:",
	"merge/text/columns:",
	"merge/text/textdiff:",
	"merge/text/visible:",
	"merge/tree:",
	"merge/text/markdown: merge/text/visible",
	"merge/text/shell: merge/text/visible",
	"merge/cel/library: merge/format",
	"merge/cel: merge/cel/library",
	"merge/cel/value: merge/format merge/tree",
	"merge/owners: merge/fieldpath merge/tree",
	"merge/schema: merge/tree",
	"merge/text/yamltext: merge/fieldpath merge/tree",
	"merge/impact/setting: merge/fieldpath merge/format merge/schema merge/tree",
	"merge/mask: merge/fieldpath merge/owners merge/schema merge/text/markdown merge/text/yamltext merge/tree",
	"merge/access: merge/tree",
	"merge/server/minors:",
	"merge/server/defaults: merge/format merge/schema merge/server/minors merge/tree",
	"merge/fault: merge/fieldpath merge/mask merge/tree",
	"merge/server/custom/validations: merge/cel merge/cel/value merge/fault merge/tree",
	"merge/text/source: merge/fieldpath merge/mask merge/text/yamltext merge/tree",
	"merge/rehearsal/openapi: merge/fault merge/fieldpath merge/schema merge/tree",
	"merge/manifest: merge/disk merge/fault merge/fieldpath merge/mask merge/parallel merge/schema merge/text/archive merge/text/shell merge/text/source merge/text/visible merge/tree",
	"merge/gap: merge/manifest",
	"merge/server/custom: merge/cel merge/cel/value merge/fault merge/fieldpath merge/format merge/server/custom/validations merge/server/minors merge/tree",
	"merge/serverside: merge/fault merge/fieldpath merge/owners merge/schema merge/tree",
	"merge/strategic: merge/fault merge/schema merge/tree",
	"merge/text/edit: merge/fieldpath merge/text/source merge/text/yamltext merge/tree",
	"command/kustomize: merge/fieldpath merge/manifest merge/tree",
	"command/system: merge/disk merge/manifest merge/parallel merge/text/columns merge/text/visible",
	"merge/applier/argocd: merge/manifest merge/schema merge/text/source merge/tree",
	"merge/applier/helm: merge/manifest merge/text/shell merge/text/source merge/tree",
	"merge/prune: merge/applier/argocd merge/fieldpath merge/manifest merge/schema merge/selector merge/text/shell merge/tree",
	"merge/applier: merge/applier/argocd merge/fieldpath merge/manifest merge/tree",
	"merge/redact: merge/fieldpath merge/manifest merge/mask merge/text/yamltext merge/tree",
	"merge/server/podsecurity: merge/tree",
	"merge/server/policy: merge/cel merge/fault merge/mask merge/schema merge/tree",
	"merge/server/quota: merge/format merge/server/minors merge/tree",
	"merge/server/validation: merge/cel merge/cel/value merge/fault merge/format merge/schema merge/server/custom merge/server/custom/validations merge/server/minors merge/tree",
	"merge/server/warnings: merge/fault merge/fieldpath merge/format merge/mask merge/schema merge/server/custom merge/server/minors merge/tree",
	"merge/server: merge/access merge/fault merge/fieldpath merge/format merge/mask merge/schema merge/server/custom merge/server/defaults merge/server/minors merge/server/podsecurity merge/server/policy merge/server/quota merge/server/validation merge/server/warnings merge/serverside merge/strategic merge/tree",
	"merge/snapshot: merge/applier merge/manifest merge/mask merge/parallel merge/prune merge/schema merge/server/minors merge/text/shell merge/text/yamltext merge/tree",
	"merge/by/argocd/compare: merge/applier/argocd merge/fault merge/fieldpath merge/manifest merge/schema merge/server merge/server/defaults merge/serverside merge/strategic merge/text/source merge/tree",
	"merge/applier/flux: merge/applier merge/manifest merge/schema merge/selector merge/server merge/tree",
	"rules/reference: merge/fieldpath merge/impact/setting merge/manifest merge/schema merge/tree",
	"merge/text/phrase:",
	"merge/rehearsal: merge/applier merge/fault merge/fieldpath merge/manifest merge/mask merge/owners merge/parallel merge/prune merge/redact merge/rehearsal/openapi merge/schema merge/server merge/server/custom merge/server/minors merge/server/policy merge/server/quota merge/server/validation merge/serverside merge/strategic merge/text/phrase merge/text/source merge/tree",
	"merge/by/kubectl: merge/applier merge/fault merge/fieldpath merge/manifest merge/rehearsal merge/schema merge/server/minors merge/serverside merge/strategic merge/text/phrase merge/tree",
	"merge/by/imperative: merge/by/kubectl merge/fault merge/manifest merge/rehearsal merge/schema merge/strategic merge/text/source merge/tree",
	"merge/by/argocd: merge/applier merge/applier/argocd merge/by/argocd/compare merge/by/kubectl merge/fault merge/fieldpath merge/manifest merge/prune merge/rehearsal merge/schema merge/server merge/strategic merge/text/phrase merge/tree",
	"merge/by/helm: merge/applier merge/applier/flux merge/applier/helm merge/by/kubectl merge/fault merge/fieldpath merge/manifest merge/prune merge/rehearsal merge/schema merge/serverside merge/strategic merge/text/phrase merge/text/shell merge/tree",
	"merge/by/flux: merge/applier merge/applier/flux merge/applier/helm merge/by/helm merge/by/kubectl merge/fault merge/fieldpath merge/manifest merge/owners merge/prune merge/rehearsal merge/serverside merge/strategic merge/text/phrase merge/text/shell merge/tree",
	"merge/manifest/sops: merge/fieldpath merge/manifest merge/text/phrase merge/text/shell merge/tree",
	"merge: merge/by/argocd merge/by/kubectl merge/fault merge/fieldpath merge/gap merge/manifest merge/manifest/sops merge/mask merge/owners merge/prune merge/rehearsal merge/schema merge/selector merge/server merge/server/policy merge/snapshot merge/text/phrase merge/tree",
	"merge/impact/upgrade: merge merge/fault merge/fieldpath merge/manifest merge/rehearsal merge/schema merge/tree",
	"merge/explain: merge/applier merge/by/flux merge/by/helm merge/by/kubectl merge/fault merge/fieldpath merge/manifest merge/mask merge/owners merge/rehearsal merge/schema merge/tree",
	"merge/impact: merge merge/by/kubectl merge/explain merge/fieldpath merge/format merge/impact/setting merge/manifest merge/owners merge/rehearsal merge/schema merge/selector merge/server/validation merge/text/phrase merge/tree",
	"lint: merge merge/explain merge/fault merge/fieldpath merge/gap merge/impact merge/impact/upgrade merge/manifest merge/mask merge/owners merge/rehearsal merge/schema merge/text/edit merge/text/shell merge/text/textdiff merge/tree",
	"merge/workflow: merge merge/applier merge/by/kubectl merge/explain merge/fault merge/fieldpath merge/manifest merge/mask merge/owners merge/rehearsal merge/schema merge/text/edit merge/text/phrase merge/text/shell merge/tree",
	"rules/own: lint merge/cel merge/cel/library merge/fieldpath merge/impact/setting merge/manifest merge/owners merge/schema merge/text/visible merge/tree",
	"lint/trial: lint merge merge/manifest merge/rehearsal merge/text/yamltext",
	"lint/fix: lint merge/disk merge/manifest merge/mask merge/text/edit merge/text/source merge/tree",
	"merge/show: merge merge/applier merge/explain merge/fault merge/fieldpath merge/gap merge/impact merge/impact/setting merge/manifest merge/mask merge/owners merge/parallel merge/prune merge/rehearsal merge/schema merge/text/columns merge/text/phrase merge/text/textdiff merge/text/visible merge/text/yamltext merge/tree merge/workflow",
	"lint/guard: lint merge/show",
	"command/settings: lint lint/guard lint/trial merge/applier/helm merge/disk merge/fieldpath merge/mask merge/tree rules/own",
	"lint/report: lint lint/guard lint/report/webpage lint/trial merge merge/manifest merge/parallel merge/rehearsal merge/show merge/text/columns merge/text/markdown merge/text/visible",
	"rules: lint merge/access merge/applier merge/by/argocd merge/by/flux merge/by/helm merge/explain merge/fault merge/fieldpath merge/impact merge/impact/setting merge/impact/upgrade merge/manifest merge/owners merge/prune merge/rehearsal merge/schema merge/selector merge/server/custom merge/server/validation merge/text/edit merge/text/phrase merge/text/shell merge/tree rules/reference",
	"command/editor: lint lint/fix lint/report merge/explain merge/fieldpath merge/impact/setting merge/manifest merge/rehearsal merge/schema merge/show merge/text/edit merge/text/markdown merge/text/visible merge/tree rules/reference",
	"command/request: command/kustomize command/settings command/system lint merge merge/applier merge/applier/flux merge/by/imperative merge/disk merge/manifest merge/mask merge/rehearsal merge/text/source rules rules/own",
	"command/inputs: command/kustomize command/request command/settings command/system lint merge merge/applier merge/applier/argocd merge/applier/flux merge/applier/helm merge/by/argocd merge/by/flux merge/by/helm merge/by/imperative merge/disk merge/explain merge/fieldpath merge/gap merge/manifest merge/manifest/sops merge/mask merge/owners merge/prune merge/redact merge/rehearsal merge/selector merge/snapshot merge/text/phrase merge/text/shell merge/text/visible merge/tree",
	"command/run: command/inputs command/request command/system lint lint/report merge/show",
	"command/config: command/inputs command/request command/run command/settings command/system merge merge/disk merge/manifest merge/owners merge/rehearsal merge/selector merge/snapshot merge/text/visible merge/text/yamltext merge/tree rules",
	"command/diff: command/inputs command/request command/run command/system lint lint/report merge merge/show rules",
	"command/lint: command/inputs command/request command/run command/system lint lint/fix lint/guard lint/report merge merge/disk merge/gap merge/impact/upgrade merge/manifest merge/show merge/text/phrase merge/text/shell rules",
	"command/lsp: command/editor command/inputs command/lint command/request command/run command/settings command/system lint merge/manifest",
	"command/snapshot: command/inputs command/request command/run command/settings command/system merge merge/applier merge/explain merge/manifest merge/redact merge/rehearsal merge/show merge/snapshot merge/text/archive",
	"command/mcp: command/run",
	"command: command/config command/diff command/inputs command/lint command/lsp command/mcp command/request command/run command/settings command/snapshot command/system lint lint/fix lint/report lint/trial merge merge/applier merge/by/argocd merge/by/flux merge/by/helm merge/disk merge/fieldpath merge/manifest merge/mask merge/owners merge/rehearsal merge/selector merge/show merge/text/edit merge/text/phrase merge/text/shell merge/tree merge/workflow rules rules/own",
	"threeway: command",
	"site/playground: command",
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

// TestImports also keeps the house low: no chain of imports is longer than floors, and
// there are no more than arrows of them.
func TestImports(t *testing.T) {
	const floors, arrows = 24, 622
	imports, below := ownImports(t), map[string]bool{}
	floor, drawn := map[string]int{}, 0
	for _, room := range rooms {
		pkg, listed, _ := strings.Cut(room, ":")
		actual, known := imports[pkg]
		if !known {
			t.Errorf("%s is listed, and is no package", pkg)
		}
		if allowed := strings.Fields(listed); !slices.Equal(actual, allowed) {
			t.Errorf("%s imports %v, listed are %v", pkg, actual, allowed)
		}
		for _, imported := range actual {
			if !below[imported] {
				t.Errorf("%s imports %s, which does not stand before it in the list", pkg, imported)
			}
			floor[pkg] = max(floor[pkg], floor[imported])
		}
		drawn += len(actual)
		if floor[pkg]++; floor[pkg] > floors {
			t.Errorf("%s stands on floor %d, above %d", pkg, floor[pkg], floors)
		}
		below[pkg] = true
	}
	if drawn > arrows {
		t.Errorf("%d imports, more than %d", drawn, arrows)
	}
	for pkg := range imports {
		if !below[pkg] {
			t.Errorf("%s is not listed", pkg)
		}
	}
}

// TestDrawing holds the drawing in docs/internals/architecture.md to the imports: each
// package is on one line, and imports only what is on lines below.
func TestDrawing(t *testing.T) {
	page, err := os.ReadFile("docs/internals/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "\n## The packages\n")
	_, drawing, _ := strings.Cut(after, "\n```\n")
	drawing, _, _ = strings.Cut(drawing, "\n```")
	imports, lines := ownImports(t), map[string]int{}
	for i, line := range strings.Split(drawing, "\n") {
		line, _, _ = strings.Cut(line, "#") // what the line has in common
		for _, word := range strings.Fields(line) {
			if _, ok := imports[word]; !ok {
				continue
			}
			if _, twice := lines[word]; twice {
				t.Errorf("%s is drawn twice", word)
			}
			lines[word] = i
		}
	}
	for pkg, own := range imports {
		if _, drawn := lines[pkg]; !drawn {
			t.Errorf("%s is not drawn", pkg)
		}
		for _, imported := range own {
			if lines[imported] <= lines[pkg] {
				t.Errorf("%s imports %s, which is not drawn below it", pkg, imported)
			}
		}
	}
}

// TestValuesAreShownInFewPlaces: a text that quotes values of objects is printed
// without them, but where it is known whether they must be masked: in a view of
// an outcome and in a fault of lint.
func TestValuesAreShownInFewPlaces(t *testing.T) {
	allowed := []string{"lint/fault.go", "merge/show/view.go",
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
	const longest = 400
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
