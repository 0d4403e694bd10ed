package report

import (
	"fmt"
	"io"
	"strings"

	"threeway/lint/guard"
	"threeway/merge/text/visible"
)

// Answer writes what the guard answers for a person.
func Answer(w io.Writer, r *guard.Report) error {
	var b strings.Builder
	line := visible.Line
	fmt.Fprintf(&b, "%s: %s\n", r.Verdict, line(r.Text))
	for _, reason := range r.Reasons {
		fmt.Fprintf(&b, "  %s %s", reason.Answer, reason.Code)
		for _, part := range []string{reason.Cluster, reason.Object, at(reason)} {
			if part != "" {
				b.WriteString(" " + line(part))
			}
		}
		fmt.Fprintf(&b, ": %s\n", line(reason.Text))
		if reason.Fix != "" {
			fmt.Fprintf(&b, "    fix: %s\n", line(reason.Fix))
		}
	}
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "  unknown %s: %s\n", m.Code, line(m.Needs))
	}
	for _, e := range r.Edits {
		fmt.Fprintf(&b, "%s edit:\n%s", e.Applicability, e.Patch)
	}
	if r.Next != "" {
		fmt.Fprintf(&b, "next: %s\n", r.Next)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func at(r guard.Reason) string {
	if r.File == "" {
		return ""
	}
	return fmt.Sprintf("(%s:%d)", r.File, r.Line)
}
