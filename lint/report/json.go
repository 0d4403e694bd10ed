package report

import (
	"encoding/json"
	"io"

	"threeway/lint"
)

// SchemaVersion is that of the JSON report.
const SchemaVersion = 1

type jsonReport struct {
	SchemaVersion int           `json:"schemaVersion"`
	Counts        jsonCounts    `json:"counts"`
	Findings      []jsonFinding `json:"findings"`
	Skipped       []jsonSkipped `json:"skipped,omitempty"`
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
	Rule        string    `json:"rule"`
	Severity    string    `json:"severity"`
	Message     string    `json:"message"`
	Object      string    `json:"object,omitempty"`
	Path        string    `json:"path,omitempty"`
	File        string    `json:"file"`
	Line        int       `json:"line"`
	Column      int       `json:"column"`
	Live        *jsonLive `json:"live,omitempty"`
	Notes       []string  `json:"notes,omitempty"`
	Fix         string    `json:"fix,omitempty"`
	Fingerprint string    `json:"fingerprint"`
	Suppressed  string    `json:"suppressed,omitempty"`
}

type jsonLive struct {
	Object string `json:"object"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Value  string `json:"value,omitempty"`
}

type jsonSkipped struct {
	Rules []string `json:"rules"`
	Why   string   `json:"why"`
}

// JSON writes all findings with counts, so that nobody has to read exit codes.
func JSON(w io.Writer, r *lint.Result, opts Options) error {
	out := jsonReport{
		SchemaVersion: SchemaVersion,
		Counts:        jsonCounts{r.Objects, r.Count(lint.Error), r.Count(lint.Warning), r.Count(lint.Info), len(r.Suppressed), r.Known},
		Findings:      []jsonFinding{},
	}
	for _, f := range opts.listed(r) {
		at := f.At()
		j := jsonFinding{
			Rule: f.Rule.ID, Severity: f.Severity.String(), Message: f.Message, Object: f.Object, Path: f.Path.String(),
			File: at.File, Line: at.Line, Column: at.Column,
			Notes: f.Notes, Fix: f.Fix, Fingerprint: f.Fingerprint(), Suppressed: f.Suppressed,
		}
		if f.LiveAt.File != "" {
			j.Live = &jsonLive{f.LiveObject, f.LiveAt.File, f.LiveAt.Line, f.LiveAt.Column, f.Live}
		}
		out.Findings = append(out.Findings, j)
	}
	for _, s := range r.Skipped {
		out.Skipped = append(out.Skipped, jsonSkipped(s))
	}
	return writeJSON(w, out)
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
