package rules

import (
	"fmt"
	"strings"

	"threeway/lint/report"
)

// index is the page of all rules.
func index() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nLook up what a finding means and what to do about it; `threeway explain RULE` prints the same. An error means that the apply fails, or deletes or\n" +
		"loses something. Every example is a test.\n\n<!-- Generated from the rules; do not edit: go test ./rules -update writes it. -->\n\n| rule | severity | needs | `--fix` | |\n|---|---|---|---|---|\n")
	for _, r := range All() {
		severity := r.Severity.String()
		if r.OptIn {
			severity += ", opt-in"
		}
		repairs := ""
		if r.Repair != "" {
			repairs = "yes"
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s | %s |\n", r.ID, r.ID, severity, r.Needs, repairs, r.Title)
	}
	for _, r := range All() {
		b.WriteString("\n")
		for _, id := range r.Former {
			fmt.Fprintf(&b, "<a id=%q></a>\n\n", id)
		}
		b.WriteString(report.Page(r, Examples(r), 2))
	}
	return b.String()
}
