package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"threeway/lint"
)

// GitHub writes workflow commands, which become annotations of a pull request.
// What a manifest holds must not become a command of its own: see
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
func GitHub(w io.Writer, r *lint.Result, opts Options) error {
	out := bufio.NewWriter(w)
	for _, f := range opts.listed(r) {
		at := f.At()
		command := map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning"}[f.Severity]
		if command == "" {
			command = "notice"
		}
		text := message(f)
		for _, d := range details(f) {
			text += "\n" + d[0] + ": " + d[1]
		}
		fmt.Fprintf(out, "::%s file=%s,line=%d,col=%d,endColumn=%d,title=%s::%s\n", command,
			property(at.File), at.Line, at.Column, at.Column+max(at.Width, 1), property(f.Rule.ID), data(text))
	}
	return out.Flush()
}

// data escapes the message of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab writes a Code Quality report. Its fingerprints must be distinct, so
// that those of equal findings are numbered.
func GitLab(w io.Writer, r *lint.Result, opts Options) error {
	issues, seen := []gitlabIssue{}, map[string]int{}
	for _, f := range opts.listed(r) {
		print := f.Fingerprint()
		if seen[print]++; seen[print] > 1 {
			print = fmt.Sprintf("%s-%d", print, seen[print])
		}
		severity := map[lint.Severity]string{lint.Error: "critical", lint.Warning: "minor"}[f.Severity]
		if severity == "" {
			severity = "info"
		}
		text := message(f)
		if f.Fix != "" {
			text += "; fix: " + f.Fix
		}
		path := strings.TrimPrefix(filepath.ToSlash(f.At().File), "./")
		issues = append(issues, gitlabIssue{text, f.Rule.ID, print, severity, gitlabLocation{path, gitlabLines{f.At().Line}}})
	}
	return writeJSON(w, issues)
}
