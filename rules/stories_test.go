package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/lint"
	"threeway/lint/fix"
	"threeway/lint/report"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// TestStories plays testdata/RULE/stories.txtar: what the examples of a rule
// have no room for. Each story is a folder with config.yaml and, as an example
// has them, applied.yaml, live.yaml, elsewhere.yaml, kustomization.yaml and args.
// What the rule finds, with the places, and what its edits make of the config, is in
// want, which -update writes: nothing if the rule is silent. How a report shows it is in
// want.txt, once for each rule.
func TestStories(t *testing.T) {
	for _, r := range All() {
		name := filepath.Join("testdata", r.ID, "stories.txtar")
		data, err := os.ReadFile(filepath.Join(home, name))
		if os.IsNotExist(err) {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			archive := txtar.Parse(data)
			after := &txtar.Archive{Comment: archive.Comment}
			for i, f := range archive.Files {
				slug, file, _ := strings.Cut(f.Name, "/")
				if file != "want" {
					after.Files = append(after.Files, f)
				}
				if i+1 == len(archive.Files) || !strings.HasPrefix(archive.Files[i+1].Name, slug+"/") {
					after.Files = append(after.Files, txtar.File{Name: slug + "/want", Data: []byte(reportOf(t, r, story(archive, slug)))})
				}
			}
			compare(t, name, string(txtar.Format(after)))
		})
	}
}

// story is one example of an archive.
func story(archive *txtar.Archive, slug string) lint.Example {
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	return example(func(file string) string { return files[slug+"/"+file] })
}

// reportOf is what a rule says about an example, and what --fix makes of it. Each finding has a
// fix, unless it is the server's message, which may say all.
func reportOf(t *testing.T, r *lint.Rule, e lint.Example) string {
	t.Helper()
	found := findingsOf(r, lintExample(t, e, ""))
	var b strings.Builder
	for _, f := range found.Findings {
		at := f.At()
		if f.Fix == "" && !r.Fallback || at.File == "" || at.Line < 1 || at.Column < 1 {
			t.Errorf("no fix or no place: %s", f.Message)
		}
		said, details := report.Words(f)
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", at.File, at.Line, at.Column, f.Severity, said)
		for _, line := range details {
			if line != "fix: "+f.Fix {
				b.WriteString("   " + line + "\n")
			}
		}
	}
	for _, f := range found.Findings {
		source, _ := f.Edits()
		for _, e := range f.Suggested() {
			then, err := edit.Object(source.Tree, []edit.Edit{e})
			if v, has := e.Path.Find(then); err != nil {
				t.Errorf("%s: %v", e.Path, err)
			} else if has {
				fmt.Fprintf(&b, "suggested: %s: %s\n", e.Path, tree.Flow(v))
			} else {
				fmt.Fprintf(&b, "suggested: without %s\n", e.Path)
			}
		}
	}
	changes, refused := fix.New(nil).All(found.Findings)
	for _, x := range refused {
		fmt.Fprintf(&b, "not repaired: %v\n", x.Why)
	}
	for _, c := range changes {
		fmt.Fprintf(&b, "%s is then:\n%s", c.File, c.New)
	}
	return b.String()
}
