package rules

import (
	"slices"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/lint/fix"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// repaired is the config that --fix makes of a rule's example. It must be rid
// of the finding without another one in its place, and of the bad example it
// must be the good one.
func repaired(t *testing.T, r *lint.Rule) string {
	t.Helper()
	examples := Examples(r)
	e := examples.Repairable
	if e.Manifest == "" {
		e = examples.Bad
	}
	before := lintExample(t, e, "")
	changes, refused := fix.New(nil).All(findingsOf(r, before).Findings)
	for _, x := range refused {
		t.Errorf("not repaired: %v", x.Why)
	}
	if len(changes) != 1 || changes[0].File != "config.yaml" {
		t.Fatalf("%d files are changed", len(changes))
	}
	e.Manifest = string(changes[0].New)
	after := lintExample(t, e, "")
	for _, f := range findingsOf(r, after).Findings {
		if _, edits := f.Edits(); len(edits) > 0 || examples.Repairable.Manifest == "" {
			t.Errorf("after the repair: %s", f.Message)
		}
	}
	for _, f := range after.Findings {
		// A null that clears something is what explicit-null is about, and of an
		// object that is no longer rejected there is more to say.
		if f.Severity >= findingsOf(r, before).Findings[0].Severity && f.Rule != explicitNull && len(findingsOf(f.Rule, before).Findings) == 0 {
			t.Errorf("the repair makes for a new finding: %s [%s]", f.Message, f.Rule.ID)
		}
	}
	if examples.Repairable.Manifest == "" && !slices.EqualFunc(objects(t, e.Manifest), objects(t, examples.Good.Manifest), tree.Equal) {
		t.Error("the repaired bad example is not the good one")
	}
	return e.Manifest
}

// TestRepairs: rules with edits say so, and those that say so have some.
func TestRepairs(t *testing.T) {
	for _, r := range All() {
		for _, e := range []lint.Example{Examples(r).Bad, Examples(r).Repairable} {
			if e.Manifest == "" {
				continue
			}
			for _, f := range findingsOf(r, lintExample(t, e, "")).Findings {
				if _, edits := f.Edits(); len(edits) > 0 && r.Repair == "" {
					t.Errorf("%s repairs what it finds, and does not say how", r.ID)
				}
			}
		}
	}
}

// objects are the trees of a config's objects.
func objects(t *testing.T, config string) (list []any) {
	t.Helper()
	set := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(config)})
	if err := manifest.Err(set.Problems); err != nil {
		t.Fatal(err)
	}
	for _, o := range set.Objects {
		list = append(list, any(o.Tree))
	}
	return list
}

// annotate gives the objects of a config that findings are about an annotation.
func annotate(t *testing.T, config string, findings []*lint.Finding, key, value string) string {
	t.Helper()
	parts := strings.SplitAfter(config, "---\n")
	for i, text := range parts {
		if !slices.ContainsFunc(findings, func(f *lint.Finding) bool { o, _ := f.Edits(); return o.Origin.Document == i+1 }) {
			continue
		}
		list, err := edit.Text(strings.TrimSuffix(text, "---\n"), []edit.Edit{edit.Set(fieldpath.New("metadata", "annotations", key), value)})
		if err != nil {
			t.Fatal(err)
		}
		parts[i] = edit.Apply(text, list)
	}
	return strings.Join(parts, "")
}
