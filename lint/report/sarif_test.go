package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"threeway/lint"
)

type sarifLog struct {
	Version string
	Runs    []struct {
		ColumnKind         string
		OriginalURIBaseIDs map[string]any
		Tool               struct {
			Driver struct {
				Rules []struct {
					ID            string
					DeprecatedIDs []string
					Help          struct{ Text, Markdown string }
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct {
				Level   string
				Message struct{ Text string }
			}
		}
		Results []struct {
			RuleID              string
			RuleIndex           int
			Level               string
			Message             struct{ Text string }
			PartialFingerprints map[string]string
			Locations           []sarifPlace
			RelatedLocations    []sarifPlace
			Suppressions        []struct{ Kind, Justification string }
		}
	}
}

type sarifPlace struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI, URIBaseID string }
		Region           struct{ StartLine, StartColumn, EndColumn int }
	}
	LogicalLocations []struct{ FullyQualifiedName string }
}

func readSARIF(t *testing.T, r *lint.Result, opts Options) sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(renderWith(t, "sarif", r, opts)), &log); err != nil {
		t.Fatal(err)
	}
	return log
}

// TestSARIF looks at what the schema cannot know. Schemas are checked where
// there are more reports: in threeway/rules and in the command's own tests.
func TestSARIF(t *testing.T) {
	r := several(t)
	r.Findings[0].LiveAt, r.Findings[0].LiveObject = lint.Position{File: "../live.yaml", Line: 7, Column: 2}, "shop/ConfigMap/a"
	r.Findings = append(r.Findings, r.Findings[0])
	run := readSARIF(t, r, Options{Directory: "sub"}).Runs[0]
	if run.ColumnKind != "utf16CodeUnits" || run.OriginalURIBaseIDs["%SRCROOT%"] == nil || len(run.Results) != 4 {
		t.Errorf("%+v", run)
	}
	if rule := run.Tool.Driver.Rules[0]; rule.ID != "hostile" || rule.Help.Text == "" || rule.Help.Markdown == "" {
		t.Errorf("%+v", rule)
	}
	x := run.Results[0]
	if at := x.Locations[0]; x.RuleID != "hostile" || x.RuleIndex != 0 || x.Level != "error" ||
		at.PhysicalLocation.ArtifactLocation.URI != "sub/a,b:%20c.yaml" || at.PhysicalLocation.ArtifactLocation.URIBaseID != "%SRCROOT%" ||
		at.PhysicalLocation.Region.StartLine != 5 || at.LogicalLocations[0].FullyQualifiedName != "shop/ConfigMap/a" {
		t.Errorf("%+v", x)
	}
	if at := x.RelatedLocations[0].PhysicalLocation; at.ArtifactLocation.URI != "live.yaml" || at.Region.StartLine != 7 {
		t.Errorf("%+v", at)
	}
	if a, b := x.PartialFingerprints["threeway/v1"], run.Results[3].PartialFingerprints["threeway/v1"]; a == "" || a == b {
		t.Errorf("the fingerprints of two findings are %q and %q", a, b)
	}
	if strings.ContainsAny(x.Message.Text, "\r\x01") || strings.Contains(x.Message.Text, "](") {
		t.Errorf("the message is %q", x.Message.Text)
	}
	if i := run.Invocations[0]; i.ExecutionSuccessful || len(i.ToolExecutionNotifications) != 1 || i.ToolExecutionNotifications[0].Level != "error" {
		t.Errorf("%+v", i)
	}
}

// TestSARIFIsBounded: GitHub keeps the worst findings of a run, and rejects one that has many
// more.
func TestSARIFIsBounded(t *testing.T) {
	r := several(t)
	for range mostResults {
		info := *r.Findings[0]
		info.Severity = lint.Info
		r.Findings = append([]*lint.Finding{&info}, r.Findings...)
	}
	run := readSARIF(t, r, Options{}).Runs[0]
	errors := 0
	for _, x := range run.Results {
		if x.Level == "error" {
			errors++
		}
	}
	if len(run.Results) != mostResults || errors != 1 {
		t.Errorf("%d results, %d errors", len(run.Results), errors)
	}
	notes := run.Invocations[0].ToolExecutionNotifications
	if last := notes[len(notes)-1]; last.Level != "warning" || !strings.HasSuffix(last.Message.Text, " more findings; -o json has all") {
		t.Errorf("%+v", notes)
	}
}

// TestSARIFRenamed: who reads the report can tell that a rule had another ID.
func TestSARIFRenamed(t *testing.T) {
	r := several(t)
	renamed := *r.Findings[0].Rule
	renamed.Former = []string{"old-name"}
	r.Findings[0].Rule = &renamed
	if rule := readSARIF(t, r, Options{}).Runs[0].Tool.Driver.Rules[0]; !slices.Equal(rule.DeprecatedIDs, []string{"old-name"}) {
		t.Errorf("%+v", rule)
	}
}

// TestSARIFSuppressed: GitHub would show what is suppressed, so it is there
// only for those who ask.
func TestSARIFSuppressed(t *testing.T) {
	r := several(t)
	external := *r.Suppressed[0]
	external.InSource = false
	r.Suppressed = append(r.Suppressed, &external)
	results := readSARIF(t, r, Options{ShowSuppressed: true}).Runs[0].Results
	if len(results) != 5 {
		t.Fatalf("%d results", len(results))
	}
	for i, kind := range []string{"", "", "", "inSource", "external"} {
		switch s := results[i].Suppressions; {
		case kind == "" && s != nil, kind != "" && (len(s) != 1 || s[0].Kind != kind || s[0].Justification != evil):
			t.Errorf("result %d: %+v", i, s)
		}
	}
}
