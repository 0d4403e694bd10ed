package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"threeway/lint"
)

type object = map[string]any

// SARIF writes SARIF 2.1.0: every rule with its help, every finding with its
// place, the object as logical location, and a fingerprint without lines.
func SARIF(w io.Writer, r *lint.Result, opts Options) error {
	results := []any{}
	for _, f := range append(slices.Clip(r.Findings), r.Suppressed...) {
		results = append(results, sarifResult(f, opts))
	}
	rules := []any{}
	for _, rule := range opts.Rules {
		rules = append(rules, sarifRule(rule))
	}
	driver := object{"name": "threeway", "rules": rules}
	if opts.Version != "" {
		driver["version"] = opts.Version
	}
	return writeJSON(w, object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs":    []any{object{"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}},
	})
}

func sarifRule(r *lint.Rule) object {
	o := object{
		"id":                   r.ID,
		"name":                 r.ID,
		"shortDescription":     object{"text": r.Title},
		"fullDescription":      object{"text": r.Text},
		"help":                 object{"text": r.Text + "\n\n" + r.Why + "\n\n" + r.Fix, "markdown": Page(r, 3)},
		"defaultConfiguration": object{"level": level(r.Severity), "enabled": !r.OptIn},
	}
	if len(r.Links) > 0 {
		o["helpUri"] = r.Links[0]
	}
	return o
}

func sarifResult(f *lint.Finding, opts Options) object {
	at := f.At()
	text := f.Message
	for _, d := range details(f) {
		text += "\n" + d[0] + ": " + d[1]
	}
	location := object{"physicalLocation": object{
		"artifactLocation": object{"uri": uri(at.File)},
		"region":           object{"startLine": at.Line, "startColumn": at.Column, "endColumn": at.Column + max(at.Width, 1)},
	}}
	if f.Object != "" {
		location["logicalLocations"] = []any{object{"fullyQualifiedName": f.Object, "kind": "object"}}
	}
	result := object{
		"ruleId":              f.Rule.ID,
		"level":               level(f.Severity),
		"message":             object{"text": text},
		"locations":           []any{location},
		"partialFingerprints": object{"threeway/v1": f.Fingerprint()},
	}
	if i := slices.Index(opts.Rules, f.Rule); i >= 0 {
		result["ruleIndex"] = i
	}
	if f.LiveAt.File != "" {
		result["relatedLocations"] = []any{object{
			"message": object{"text": "live: " + f.LiveObject},
			"physicalLocation": object{
				"artifactLocation": object{"uri": uri(f.LiveAt.File)},
				"region":           object{"startLine": f.LiveAt.Line, "startColumn": f.LiveAt.Column},
			},
		}}
	}
	if f.Suppressed != "" {
		result["suppressions"] = []any{object{"kind": "inSource", "justification": f.Suppressed}}
	}
	return result
}

func level(s lint.Severity) string {
	switch s {
	case lint.Error:
		return "error"
	case lint.Warning:
		return "warning"
	}
	return "note"
}

// uri is a file name as a relative reference.
func uri(file string) string {
	file = filepath.ToSlash(filepath.Clean(file))
	if strings.HasPrefix(file, "/") {
		return (&url.URL{Scheme: "file", Path: file}).String()
	}
	return (&url.URL{Path: file}).String()
}
