package docs_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// uncertain are words that say that something is not known.
var uncertain = regexp.MustCompile(`\b(assum(ed|ing)|may be wrong|(is|are) unknown|not rendered|cannot be (determined|known)|not looked at|(is|are|were|was) not read)\b`)

// explained are the files with such a text that is neither an error, which ends the run, nor
// the text of a gap.
var explained = map[string]string{
	"merge/base.go":                 "the base that stands in for the cluster is named by each run with it, and is no-snapshot for the guard",
	"merge/explain/why.go":          "the reason of one field, which changes nothing",
	"merge/former.go":               "beside the gap of the file that cannot be read",
	"merge/gaps.go":                 "becomes the note of gaps",
	"merge/impact/setting/area.go":  "a change that a person is asked about: touches-controller",
	"merge/impact/setting/areas.go": "the same",
	"merge/impact/words.go":         "the way back, which counts as not-restored",
	"merge/manifest/advice.go":      "a problem of a file, which is a gap",
	"merge/manifest/document.go":    "the same",
	"merge/manifest/gather.go":      "why a file of a dump is skipped",
	"merge/notes.go":                "the objects are unseen changes, which a person is asked about",
	"merge/rehearsal/redacted.go":   "the note of a gap",
	"merge/rehearsal/applier.go":    "the same",
	"merge/pruning.go":              "the same",
	"merge/manifest/sops/sops.go":   "the same",
	"merge/show/drift.go":           "drift counts what it cannot judge in its summary and exit code",
	"merge/show/ownerless.go":       "beside the gap noOwners, or of drift",
	"merge/snapshot/gap.go":         "what snapshot check reports",
	"merge/by/imperative/line.go":   "why a command line is unknown to the guard",
	"lint/gate_apply.go":            "why a fix is not offered",
	"merge/workflow/recipe.go":      "why no steps are offered",
	"merge/workflow/recipe_walk.go": "why no steps are offered",
	"lint/guard/reason.go":          "the reason no-snapshot",
	"rules/own/own.go":              "a finding about the object",
	"command/snapshot/check.go":     "what snapshot check reports",
	"command/inputs/kustomize.go":   "an overlay that the change does not touch",
	"lint/report/overlays.go":       "an overlay that the change does not touch",
	"command/request/trust.go":      "an export that is no part of the change, which the guard asks about",
	"command/owners.go":             "owners reports what is owned, and nothing is applied",
}

// TestWhatIsUnknownIsAGap: a text that says that something is not known belongs to a gap.Gap, so
// that review and guard count it, or stands in a file that is explained above.
func TestWhatIsUnknownIsAGap(t *testing.T) {
	found := map[string]bool{}
	eachSource(t, func(file string, parsed *ast.File) {
		if strings.HasPrefix(file, "merge/kube/") || strings.HasPrefix(file, "merge/gap/") {
			return
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr: // an error
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Errorf" || f.Sel.Name == "New") {
					return false
				}
			case *ast.CompositeLit:
				if typ, ok := n.Type.(*ast.SelectorExpr); ok && typ.Sel.Name == "Gap" {
					return false
				}
			case *ast.BasicLit:
				if n.Kind == token.STRING && !strings.Contains(n.Value, "\n") && uncertain.MatchString(n.Value) {
					if found[file] = true; explained[file] == "" {
						t.Errorf("%s: %.150s says that something is not known: make it a gap.Gap, or explain it here", fset.Position(n.Pos()), n.Value)
					}
				}
			}
			return true
		})
	})
	for file := range explained {
		if !found[file] {
			t.Errorf("%s is explained, and says nothing of the kind", file)
		}
	}
}
