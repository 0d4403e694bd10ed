package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// evil is what a manifest may hold to break out of a format.
const evil = "x\n::error file=a::b\r<script>]]>&\"'`|@team [a](b) %0A\x01 \u2028"

var hostile = &lint.Rule{ID: "hostile", Title: "a title", Text: "a text", Why: "why", Fix: "fix", Severity: lint.Error, Since: "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Objects() {
			p.Report(o, lint.Report{Path: fieldpath.New("data", "key"), Message: "found " + tree.String(o.Config.Tree, "data", "key"), Notes: []string{evil}, Fix: evil})
		}
	}}

func result(t *testing.T) *lint.Result {
	t.Helper()
	t.Chdir(t.TempDir())
	value, _ := json.Marshal(evil)
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\ndata:\n\tkey: b\n"
	text = strings.Replace(text, "\tkey: b", "  key: "+string(value), 1)
	if err := os.WriteFile("a,b: c.yaml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opts := merge.Options{Config: manifest.Read(manifest.Options{Paths: []string{"a,b: c.yaml"}})}
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

func render(t *testing.T, format string, r *lint.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := ByName(format)(&b, r, Options{Rules: []*lint.Rule{hostile}, Version: "v1"}); err != nil {
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
	if !strings.HasPrefix(lines[0], "a,b: c.yaml:5:3: error: shop/ConfigMap/a: found x ::error") || !strings.HasSuffix(lines[0], "[hostile]") {
		t.Errorf("%q", lines[0])
	}
	if lines[3] != "  |   ^~~~" {
		t.Errorf("the caret line is %q", lines[3])
	}
}

// TestGitHubCommands: one command, and nothing of the value ends a property.
func TestGitHubCommands(t *testing.T) {
	got := render(t, "github", result(t))
	if strings.Count(got, "\n") != 1 || strings.Contains(got, "\r") {
		t.Fatalf("more than one line: %q", got)
	}
	if want := "::error file=a%2Cb%3A c.yaml,line=5,col=3,endColumn=7,title=hostile::shop/ConfigMap/a: found x ::error"; !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
	if !strings.Contains(got, "%250A") {
		t.Errorf("a percent sign of the value is not escaped: %q", got)
	}
}

func TestXML(t *testing.T) {
	for _, format := range []string{"junit", "checkstyle"} {
		got := render(t, format, result(t))
		d := xml.NewDecoder(strings.NewReader(got))
		for {
			_, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v\n%s", format, err, got)
			}
		}
		if strings.Contains(got, "<script>") || strings.Contains(got, "\x01") {
			t.Errorf("%s: %s", format, got)
		}
	}
	if got := render(t, "junit", &lint.Result{}); !strings.Contains(got, `tests="1" failures="0"`) {
		t.Errorf("without findings: %s", got)
	}
}

func TestMarkdown(t *testing.T) {
	got := render(t, "markdown", result(t))
	for _, bad := range []string{"<script>", "@team", "[a](b)"} {
		for _, line := range strings.Split(got, "\n") {
			if strings.Contains(line, bad) && !strings.HasPrefix(line, "  key: ") {
				t.Errorf("%s is left in %q", bad, line)
			}
		}
	}
	rows := 0
	for _, line := range strings.Split(got, "\n") {
		if strings.HasPrefix(line, "| error") {
			rows++
			if n := strings.Count(line, "|") - strings.Count(line, `\|`); n != 6 {
				t.Errorf("%d borders in %q", n, line)
			}
		}
	}
	if rows != 1 || strings.Count(got, "<details>") != 1 || strings.Count(got, "</details>") != 1 {
		t.Errorf("%s", got)
	}
}

func TestSARIF(t *testing.T) {
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID              string
				RuleIndex           int
				Level               string
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndColumn int }
					}
					LogicalLocations []struct{ FullyQualifiedName string }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(render(t, "sarif", result(t))), &log); err != nil {
		t.Fatal(err)
	}
	x := log.Runs[0].Results[0]
	l := x.Locations[0]
	if log.Version != "2.1.0" || x.RuleID != "hostile" || log.Runs[0].Tool.Driver.Rules[x.RuleIndex].ID != "hostile" || x.Level != "error" || len(x.PartialFingerprints) != 1 {
		t.Errorf("%+v", log)
	}
	if l.PhysicalLocation.ArtifactLocation.URI != "a,b:%20c.yaml" && l.PhysicalLocation.ArtifactLocation.URI != "./a,b:%20c.yaml" ||
		l.PhysicalLocation.Region.StartLine != 5 || l.LogicalLocations[0].FullyQualifiedName != "shop/ConfigMap/a" {
		t.Errorf("%+v", l)
	}
}

func TestJSONAndGitLab(t *testing.T) {
	var report struct {
		SchemaVersion int
		Counts        struct{ Objects, Error int }
		Findings      []struct {
			Rule, File, Object, Path, Fingerprint string
			Line, Column                          int
		}
	}
	r := result(t)
	if err := json.Unmarshal([]byte(render(t, "json", r)), &report); err != nil {
		t.Fatal(err)
	}
	f := report.Findings[0]
	if report.SchemaVersion != 1 || report.Counts.Error != 1 || f.Rule != "hostile" || f.Path != "data.key" || f.Line != 5 || f.Column != 3 {
		t.Errorf("%+v", report)
	}
	var issues []struct {
		Fingerprint, Severity string
		Location              struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	r.Findings = append(r.Findings, r.Findings[0])
	if err := json.Unmarshal([]byte(render(t, "gitlab", r)), &issues); err != nil {
		t.Fatal(err)
	}
	if issues[0].Fingerprint != f.Fingerprint || issues[1].Fingerprint == f.Fingerprint || issues[0].Location.Lines.Begin != 5 || issues[0].Severity != "critical" {
		t.Errorf("%+v", issues)
	}
}

// TestEveryFormat: the names in the message are the ones that work.
func TestEveryFormat(t *testing.T) {
	for _, name := range Formats() {
		if ByName(name) == nil {
			t.Errorf("%s has no writer", name)
		}
	}
	if ByName("yaml") != nil {
		t.Error("yaml has a writer")
	}
}
