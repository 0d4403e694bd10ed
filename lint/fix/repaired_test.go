package fix

import (
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// needs is a rule that wants data to have a key as soon as it has another one, and
// the value that it has to have.
func needs(id, other, key, value string) *lint.Rule {
	return &lint.Rule{ID: id, Severity: lint.Warning, Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			path := fieldpath.New("data", key)
			if tree.Has(o.Manifest.Tree, "data", other) && tree.String(o.Manifest.Tree, "data", key) != value {
				p.Report(o, lint.Report{Path: path, Message: id, Edits: []edit.Edit{edit.Set(path, value)}})
			}
		}
	}}
}

// repairAll repairs a.yaml and b.yaml.
func repairAll(t *testing.T, rules ...*lint.Rule) (*Repaired, []Unrepaired, error) {
	t.Helper()
	return Rounds(func(r *Repaired) (*Fixer, []*lint.Finding, error) {
		return New(nil), foundIn(t, manifest.Read(manifest.Options{Paths: []string{"."}, Instead: r.Text}), rules), nil
	})
}

// TestRounds: a repair that brings another finding to light is followed by the next
// one, each file is one change, and nothing is written.
func TestRounds(t *testing.T) {
	t.Chdir(t.TempDir())
	text := strings.Replace(configMap("a"), "{a: b} # é", "{a: b} # é\n  # more", 1)
	write(t, "a.yaml", text)
	write(t, "b.yaml", configMap("b"))
	repaired, refused, err := repairAll(t, needs("one", "a", "c", "1"), needs("two", "c", "d", "2"), needs("three", "d", "e", "3"), bare)
	if err != nil || len(refused) != 0 || len(repaired.Changes) != 2 {
		t.Fatalf("%d changes, %d refused, %v", len(repaired.Changes), len(refused), err)
	}
	for i, was := range []string{text, configMap("b")} {
		c := repaired.Changes[i]
		want := strings.NewReplacer("  uid: x\n", "", "{a: b}", `{a: b, c: "1", d: "2", e: "3"}`).Replace(was)
		if string(c.Old) != was || string(c.New) != want || len(c.Fixed) != 4 || c.Stale() != nil {
			t.Errorf("%d fixed in\n%s%s", len(c.Fixed), c.Old, c.New)
		}
	}
}

// TestEndless: repairs that undo each other end with an error that names them.
func TestEndless(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.yaml", configMap("a"))
	_, _, err := repairAll(t, bare, needs("left", "a", "c", "1"), needs("right", "a", "c", "2"))
	if err == nil || !strings.Contains(err.Error(), "the repairs of left and right undo each other") {
		t.Errorf("%v", err)
	}
}

// TestRefusedAtLast: what is refused because of another repair is tried again after it.
func TestRefusedAtLast(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.yaml", strings.Replace(configMap("a"), "uid: x", "uid: x # ours", 1))
	repaired, refused, err := repairAll(t, bare, needs("one", "a", "c", "1"))
	if err != nil || len(repaired.Changes) != 1 || len(refused) != 1 || refused[0].Finding.Rule != bare {
		t.Errorf("%v, refused: %v", err, refused)
	}
	if !repaired.Changes[0].Fixed[0].Path.Equal(fieldpath.New("data", "c")) {
		t.Errorf("fixed %s", repaired.Changes[0].Fixed[0].Path)
	}
}
