package report

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/text/visible"
)

// What GitHub takes: annotations of one kind from one step, and UTF-16 code
// units of a message (actions/runner ExecutionContext.cs).
const (
	mostAnnotations = 10
	longestMessage  = 4096
)

// GitHub writes workflow commands, which become annotations of a pull request,
// the worst first. GitHub shows ten of a kind from one step: if there are more,
// the tenth says how many, and they follow as lines of the log. What a manifest
// holds must not become a command of its own: see
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
func GitHub(w io.Writer, r *lint.Result, opts Options) error {
	out := bufio.NewWriter(w)
	var kinds = []string{"error", "warning", "notice"}
	if text, _ := opts.headline(r); text != "" {
		kind := "notice"
		if r.Gaps.Fails() {
			kind = "error"
		}
		fmt.Fprintf(out, "::%s title=threeway::%s\n", kind, data(text))
	}
	byKind := map[string][]entry{}
	for _, e := range opts.entries(r) {
		byKind[annotation(e)] = append(byKind[annotation(e)], e)
	}
	for _, kind := range kinds {
		list, more := byKind[kind], []entry(nil)
		if len(list) > mostAnnotations {
			list, more = list[:mostAnnotations-1], list[mostAnnotations-1:]
		}
		for _, e := range list {
			place, said := fmt.Sprintf("file=%s,line=%d,col=%d,endColumn=%d,", property(opts.inRepository(e.file)), e.line, e.column, e.endColumn), append([]string{e.message}, e.lines...)
			if _, was := opts.before(e.file); was {
				place, said = "", append(said, "at: "+e.place())
			}
			fmt.Fprintf(out, "::%s %stitle=%s::%s\n", kind, place, property(e.rule), data(cut(strings.Join(said, "\n"))))
		}
		if more != nil {
			fmt.Fprintf(out, "::%s title=threeway::%s; see the log of this step\n", kind, plural(len(more), "more "+kind))
		}
		for _, e := range more[:min(len(more), mostFindings)] {
			// ##[ begins a command of the old kind anywhere in a line.
			fmt.Fprintf(out, "%s\n", strings.ReplaceAll(kind+": "+e.head(), "##[", "## ["))
		}
		notListed(out, len(more)-mostFindings)
	}
	return out.Flush()
}

// annotation is GitHub's word for a severity.
func annotation(e entry) string {
	switch {
	case e.silenced != "" || e.severity == lint.Info:
		return "notice"
	case e.severity == lint.Error:
		return "error"
	}
	return "warning"
}

// cut shortens a message to what GitHub takes.
func cut(s string) string {
	n := 0
	for i, r := range s {
		n++
		if r > 0xffff {
			n++
		}
		if n > longestMessage-1 && i < len(s) {
			return s[:i] + "…"
		}
	}
	return s
}

// data escapes the message of a workflow command, and what would act in the log.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\n", "%0A").Replace(visible.Text(s))
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

// GitLab writes a Code Quality report:
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format.
// It has room for issues only, so that the plan line is the first of them. A merge
// request shows it if the plan of its target has another one.
func GitLab(w io.Writer, r *lint.Result, opts Options) error {
	issues := []gitlabIssue{}
	text, incomplete := opts.headline(r)
	file, line, severity := ".", 1, "info"
	if r.Gaps.Fails() {
		severity = "critical"
	}
	var at *manifest.Object
	if opts.Digest != nil {
		if at = opts.Digest.FirstChange(); at != nil {
			file, line = opts.inRepository(at.Place(nil).File), at.Place(nil).Line
		}
	}
	if at != nil || incomplete {
		issues = append(issues, gitlabIssue{text, "plan", fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:32], severity, gitlabLocation{file, gitlabLines{line}}})
	}
	for _, e := range opts.entries(r) {
		said, at := append([]string{e.message}, e.lines...), gitlabLocation{opts.inRepository(e.file), gitlabLines{e.line}}
		if file, was := opts.before(e.file); was {
			said, at = append(said, "at: "+e.place()), gitlabLocation{opts.inRepository(file), gitlabLines{1}}
		}
		issues = append(issues, gitlabIssue{strings.Join(said, "; "), e.rule, e.print, gitlabSeverity(e), at})
	}
	return writeJSON(w, issues)
}

// gitlabSeverity is one of info, minor, major, critical, blocker.
func gitlabSeverity(e entry) string {
	switch {
	case e.unread:
		return "blocker"
	case e.silenced != "" || e.severity == lint.Info:
		return "info"
	case e.severity == lint.Error:
		return "critical"
	}
	return "minor"
}
