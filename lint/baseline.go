package lint

import (
	"encoding/json"
	"fmt"
	"slices"
)

// baseline is the format of the file: fingerprints, each with a description.
type baseline struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
}

type baselineEntry struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule"`
	Object      string `json:"object"`
	Path        string `json:"path,omitempty"`
}

// WriteBaseline returns the baseline file for findings, which are not reported
// from then on. It has no line numbers, so that moving a finding does not
// change it.
func WriteBaseline(findings []*Finding) ([]byte, error) {
	b := baseline{Version: 1, Findings: []baselineEntry{}}
	for _, f := range findings {
		b.Findings = append(b.Findings, baselineEntry{f.Fingerprint(), f.Rule.ID, f.Object, f.Path.String()})
	}
	slices.SortFunc(b.Findings, func(x, y baselineEntry) int {
		return slices.Compare([]string{x.Rule, x.Object, x.Path, x.Fingerprint}, []string{y.Rule, y.Object, y.Path, y.Fingerprint})
	})
	b.Findings = slices.Compact(b.Findings)
	data, err := json.MarshalIndent(b, "", "  ")
	return append(data, '\n'), err
}

// ReadBaseline reads what WriteBaseline wrote.
func ReadBaseline(data []byte) (map[string]bool, error) {
	var b baseline
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("no baseline: %w", err)
	}
	if b.Version != 1 {
		return nil, fmt.Errorf("the baseline has version %d, and this threeway reads version 1; write it again with -o baseline=FILE", b.Version)
	}
	known := map[string]bool{}
	for _, f := range b.Findings {
		known[f.Fingerprint] = true
	}
	return known, nil
}
