package report

import (
	"encoding/json"
	"io"
	"slices"

	"threeway/lint"
	"threeway/merge/show"
)

// SchemaVersion is that of the JSON report; see docs/lint.schema.json.
const SchemaVersion = 1

type jsonReport struct {
	SchemaVersion int           `json:"schemaVersion"`
	Complete      bool          `json:"complete"`
	Unknown       any           `json:"unknown,omitempty"`
	Counts        jsonCounts    `json:"counts"`
	Findings      []jsonFinding `json:"findings"`
	Suppressed    []jsonFinding `json:"suppressed,omitempty"`
	Skipped       []jsonSkipped `json:"skipped,omitempty"`
	Problems      []jsonProblem `json:"problems,omitempty"`
	Notes         []string      `json:"notes,omitempty"`
}

type jsonCounts struct {
	Objects    int `json:"objects"`
	Error      int `json:"error"`
	Warning    int `json:"warning"`
	Info       int `json:"info"`
	Suppressed int `json:"suppressed"`
	Baseline   int `json:"baseline"`
}

type jsonFinding struct {
	Rule        string           `json:"rule"`
	Severity    string           `json:"severity"`
	Message     string           `json:"message"`
	Object      string           `json:"object,omitempty"`
	Path        string           `json:"path,omitempty"`
	File        string           `json:"file"`
	Line        int              `json:"line"`
	Column      int              `json:"column"`
	Template    string           `json:"template,omitempty"`
	Live        *jsonLive        `json:"live,omitempty"`
	Notes       []string         `json:"notes,omitempty"`
	Fix         *jsonFix         `json:"fix,omitempty"`
	Remedy      *jsonRemedy      `json:"remedy,omitempty"`
	Fingerprint string           `json:"fingerprint"`
	Suppression *jsonSuppression `json:"suppression,omitempty"`
}

type jsonLive struct {
	Object string `json:"object"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Value  string `json:"value,omitempty"`
}

type jsonFix struct {
	Text  string     `json:"text"`
	Edits []jsonEdit `json:"edits,omitempty"`
}

type jsonRemedy struct {
	ID    string          `json:"id"`
	Title string          `json:"title"`
	Why   string          `json:"why,omitempty"`
	Steps []show.JSONStep `json:"steps,omitempty"`
}

type jsonEdit struct {
	File        string `json:"file"`
	StartLine   int    `json:"startLine"`
	StartColumn int    `json:"startColumn"`
	EndLine     int    `json:"endLine"`
	EndColumn   int    `json:"endColumn"`
	Text        string `json:"text"`
}

type jsonSuppression struct {
	InSource bool   `json:"inSource"`
	Reason   string `json:"reason"`
}

type jsonSkipped struct {
	Rules []string `json:"rules"`
	Why   string   `json:"why"`
}

type jsonProblem struct {
	Severity string `json:"severity"`
	Text     string `json:"text"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	Template string `json:"template,omitempty"`
}

// JSON writes all findings, the silenced ones apart, with counts, so that
// programs need not read exit codes.
func JSON(w io.Writer, r *lint.Result, opts Options) error { return writeJSON(w, ToJSON(r)) }

// ToJSON is what JSON writes, to be a part of another report.
func ToJSON(r *lint.Result) any {
	out := jsonReport{
		SchemaVersion: SchemaVersion,
		Complete:      r.Gaps == nil && !slices.ContainsFunc(r.Skipped, func(s lint.Skipped) bool { return !s.Elsewhere }),
		Counts:        jsonCounts{r.Objects, r.Count(lint.Error), r.Count(lint.Warning), r.Count(lint.Info), len(r.Suppressed), r.Known},
		Findings:      []jsonFinding{},
		Notes:         r.Notes,
	}
	if r.Gaps != nil {
		out.Unknown = show.GapsJSON(r.Gaps)
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, finding(f))
	}
	for _, f := range r.Suppressed {
		out.Suppressed = append(out.Suppressed, finding(f))
	}
	for _, s := range r.Skipped {
		out.Skipped = append(out.Skipped, jsonSkipped{s.Rules, s.Why})
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, jsonProblem{p.Severity.String(), p.Text, p.File, p.Line, p.Column, p.Template})
	}
	return out
}

func finding(f *lint.Finding) jsonFinding {
	at := f.At()
	j := jsonFinding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Message: f.Message, Object: f.Object, Path: f.Path.String(),
		File: at.File, Line: at.Line, Column: at.Column, Template: at.Template,
		Notes: f.Notes, Fingerprint: f.Fingerprint(),
	}
	if f.Fix != "" {
		j.Fix = &jsonFix{Text: f.Fix}
		for _, r := range f.Replacements {
			j.Fix.Edits = append(j.Fix.Edits, jsonEdit{at.File, r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, r.Text})
		}
	}
	if f.Remedy != nil {
		j.Remedy = &jsonRemedy{ID: f.Remedy.ID, Title: f.Remedy.Title, Why: f.Remedy.Why, Steps: show.StepsJSON(f.Remedy.Steps)}
	}
	if f.LiveAt.File != "" {
		j.Live = &jsonLive{f.LiveObject, f.LiveAt.File, f.LiveAt.Line, f.LiveAt.Column, f.Live}
	}
	if f.Suppressed != "" {
		j.Suppression = &jsonSuppression{f.InSource, f.Suppressed}
	}
	return j
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
