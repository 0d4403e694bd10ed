package report

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"threeway/lint"
)

// TestGitHubCommands: one command, and nothing of the value ends a property.
func TestGitHubCommands(t *testing.T) {
	got := render(t, "github", result(t))
	if strings.Count(got, "\n") != 1 || strings.Contains(got, "\r") {
		t.Fatalf("more than one line: %q", got)
	}
	if want := "::error file=a%2Cb%3A c.yaml,line=5,col=3,endColumn=7,title=hostile::ConfigMap shop/a: found x ::error"; !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
	if !strings.Contains(got, "%250A") {
		t.Errorf("a percent sign of the value is not escaped: %q", got)
	}
	if got := renderWith(t, "github", several(t), Options{Directory: "sub", ShowSuppressed: true}); strings.Count(got, "\n::warning file=sub/a%2Cb%3A c.yaml") != 1 ||
		strings.Count("\n"+got, "\n::error file=sub/") != 2 || strings.Count(got, "\n::notice file=sub/") != 2 {
		t.Errorf("%s", got)
	}
}

// TestGitHubLimits: beyond ten of a kind there are no annotations, and beyond
// 4096 units a message is cut, so both say so.
func TestGitHubLimits(t *testing.T) {
	r := result(t)
	f := *r.Findings[0]
	f.Message = "##[error]x " + strings.Repeat("😀", 3000)
	r.Findings = append([]*lint.Finding{&f}, slices.Repeat(r.Findings, 9)...)
	if got := render(t, "github", r); strings.Count("\n"+got, "\n::error file=") != 10 || strings.Contains(got, "more than") {
		t.Errorf("ten findings: %.500s", got)
	}
	r.Findings = append(r.Findings, &f)
	lines := strings.Split(render(t, "github", r), "\n")
	if !strings.HasPrefix(lines[8], "::error file=") || lines[9] != "::error title=threeway::2 more errors; see the log of this step" ||
		!strings.HasPrefix(lines[10], "error: a,b: c.yaml:5:3: error: ConfigMap shop/a: found x") {
		t.Errorf("%.100q", lines)
	}
	for _, line := range lines[10:] {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Errorf("the log has the command %.100q", line)
		}
	}
	_, message, _ := strings.Cut(strings.TrimPrefix(lines[0], "::"), "::")
	if n := len(utf16.Encode([]rune(message))); n > 4096 || n < 4000 || !strings.HasSuffix(message, "…") {
		t.Errorf("the message has %d units", n)
	}
}

// TestGitLab holds the report against what
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
// wants of it.
func TestGitLab(t *testing.T) {
	var issues []struct {
		Description string
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	r := several(t)
	first := r.Findings[0].Fingerprint()
	r.Findings = append(r.Findings, r.Findings[0])
	if err := json.Unmarshal([]byte(renderWith(t, "gitlab", r, Options{Directory: "sub", ShowSuppressed: true})), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var severities []string
	for _, i := range issues {
		if seen[i.Fingerprint] || i.Fingerprint == "" {
			t.Errorf("the fingerprint %q is not unique", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
		severities = append(severities, i.Severity)
		if i.Description == "" || i.CheckName == "" || !strings.HasPrefix(i.Location.Path, "sub/") || i.Location.Lines.Begin < 1 {
			t.Errorf("%+v", i)
		}
	}
	if want := []string{"blocker", "critical", "minor", "info", "critical", "info"}; !slices.Equal(severities, want) || !seen[first] {
		t.Errorf("%v, want %v", severities, want)
	}
	if got := render(t, "gitlab", &lint.Result{}); got != "[]\n" {
		t.Errorf("without findings: %q", got)
	}
}
