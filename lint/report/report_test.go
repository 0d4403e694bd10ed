package report

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// evil is what a manifest may hold to break out of a format.
const evil = "x\n::error file=a::b\r<script>]]>&\"'`|@team [a](b) %0A\x01 \u2028"

var hostile = &lint.Rule{ID: "hostile", Title: "a title", Text: "a text", Why: "why", Fix: "fix", Severity: lint.Error,
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			p.Report(o, lint.Report{Path: fieldpath.New("data", "key"), Message: "found " + tree.String(o.Manifest.Tree, "data", "key"), Notes: []string{evil}, Fix: evil})
		}
	}}

func result(t *testing.T) *lint.Result {
	t.Helper()
	opts := evilOptions(t)
	plan, err := merge.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	r := lint.Run([]*lint.Rule{hostile}, lint.Input{Plan: plan, Options: opts}, lint.Options{})
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, %v", len(r.Findings), plan.Problems)
	}
	return r
}

// evilOptions read one ConfigMap that holds the evil text.
func evilOptions(t *testing.T) merge.Options {
	t.Helper()
	t.Chdir(t.TempDir())
	value, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\ndata:\n  key: " + string(value) + "\n"
	if err := os.WriteFile("a,b: c.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"a,b: c.yaml"}})}}}
}

func render(t *testing.T, format string, r *lint.Result) string {
	t.Helper()
	return renderWith(t, format, r, Options{})
}

func renderWith(t *testing.T, format string, r *lint.Result, opts Options) string {
	t.Helper()
	var b bytes.Buffer
	opts.Version = "v1"
	if err := Findings[format](&b, r, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTextStaysOnItsLines: a value cannot make up a finding of its own.
func TestTextStaysOnItsLines(t *testing.T) {
	got := render(t, "text", result(t))
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 6 || strings.ContainsAny(got, "\r\x01\u2028") {
		t.Errorf("%q", lines)
	}
	if !strings.HasPrefix(lines[0], "a,b: c.yaml:5:3: error: ConfigMap shop/a: found x ::error") || !strings.HasSuffix(lines[0], "[hostile]") {
		t.Errorf("%q", lines[0])
	}
	if lines[3] != "  |   ^~~~" {
		t.Errorf("the caret line is %q", lines[3])
	}
}

func TestJSON(t *testing.T) {
	var report struct {
		SchemaVersion int
		Counts        struct{ Objects, Error, Warning, Info, Suppressed int }
		Findings      []struct {
			Rule, File, Object, Path, Fingerprint string
			Line, Column                          int
		}
		Suppressed []struct {
			Suppression struct {
				InSource bool
				Reason   string
			}
		}
		Problems []struct{ File, Severity string }
	}
	if err := json.Unmarshal([]byte(render(t, "json", several(t))), &report); err != nil {
		t.Fatal(err)
	}
	if f := report.Findings[0]; report.SchemaVersion != 1 || len(report.Findings) != 3 || f.Rule != "hostile" || f.Path != "data.key" || f.Line != 5 || f.Column != 3 {
		t.Errorf("%+v", report)
	}
	if c := report.Counts; c.Objects != 1 || c.Error != 2 || // a finding, and a file that cannot be read
		c.Warning != 1 || c.Info != 1 || c.Suppressed != 1 {
		t.Errorf("%+v", c)
	}
	if s := report.Suppressed; len(s) != 1 || !s[0].Suppression.InSource || s[0].Suppression.Reason != evil {
		t.Errorf("%+v", s)
	}
	if p := report.Problems; len(p) != 1 || p[0].File != "b.yaml" || p[0].Severity != "error" {
		t.Errorf("%+v", p)
	}
}
