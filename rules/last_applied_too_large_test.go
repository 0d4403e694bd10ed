package rules

import (
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge/rehearsal"
)

// TestLastAppliedTooLarge plays sizes at the limits, which no file should hold.
func TestLastAppliedTooLarge(t *testing.T) {
	const tooLarge = "the manifest is too large for the last-applied annotation"
	for name, c := range map[string]struct {
		annotation string
		size       int
		want       []string // parts of the messages
	}{
		"a config that is too large for the annotation": {"a: b", 262000, []string{tooLarge}},
		"a config that just fits":                       {"a: b", 261000, nil},
		"annotations that just fit without it":          {"a: " + strings.Repeat("x", 262143), 1, []string{tooLarge}},
		"annotations that are too large without it":     {"a: " + strings.Repeat("x", 262144), 1, nil},
		"a pasted annotation does not count":            {rehearsal.LastAppliedKey + ": " + strings.Repeat("x", 262144), 262000, []string{tooLarge, "kubectl's own annotation"}},
	} {
		t.Run(name, func(t *testing.T) {
			config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: board, namespace: shop, annotations: {" + c.annotation + "}}\ndata: {a: " + strings.Repeat("x", c.size) + "}\n"
			found := findingsOf(lastAppliedTooLarge, lintExample(t, lint.Example{Manifest: config}, "")).Findings
			if len(found) != len(c.want) {
				t.Fatalf("%d findings, want %q", len(found), c.want)
			}
			for i, f := range found {
				if text := f.Message + "\n" + strings.Join(f.Notes, "\n"); !strings.Contains(text, c.want[i]) {
					t.Errorf("not expected: %s", text)
				}
			}
		})
	}
}
