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
	"threeway/merge/manifest"
)

// TestArchives plays the stories in testdata/stories/RULE.txtar, the files of
// each in a folder of its own: config.yaml and, as an example of the rule has
// them, applied.yaml, live.yaml, elsewhere.yaml, kustomization.yaml and args.
// What the rule says about a story, with the places, and what its edits make of
// the config, is in want, which -update writes. A story may hold many objects,
// those that are not reported too.
func TestArchives(t *testing.T) {
	for _, r := range All() {
		name := filepath.Join("testdata", "stories", r.ID+".txtar")
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
					want := telling(t, r, archive, slug)
					after.Files = append(after.Files, txtar.File{Name: slug + "/want", Data: []byte(want)})
				}
			}
			compare(t, name, string(txtar.Format(after)))
		})
	}
}

// telling is what a rule says about one story of an archive.
func telling(t *testing.T, r *lint.Rule, archive *txtar.Archive, slug string) string {
	t.Helper()
	var e lint.Example
	for _, f := range archive.Files {
		text := string(f.Data)
		switch strings.TrimPrefix(f.Name, slug+"/") {
		case "config.yaml":
			e.Config = text
		case "applied.yaml":
			e.Applied = text
		case "live.yaml":
			e.Live = text
		case "elsewhere.yaml":
			e.Elsewhere = text
		case "kustomization.yaml":
			e.Kustomization = text
		case "args":
			e.Args = text
		}
	}
	found := of(r, lintExample(t, e, ""))
	var b strings.Builder
	b.WriteString(text(t, found, report.Options{}))
	changes, refused := fix.New(t.TempDir(), manifest.Stdin, nil).All(found.Findings)
	for _, x := range refused {
		fmt.Fprintf(&b, "not repaired: %v\n", x.Why)
	}
	for _, c := range changes {
		fmt.Fprintf(&b, "%s is then:\n%s", c.File, c.New)
	}
	return b.String()
}
