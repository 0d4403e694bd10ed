package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"threeway/lint"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     int          `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     int    `xml:"time,attr"`
	// Properties of the first suite are those of the run.
	Properties *junitProperties `xml:"properties,omitempty"`
	Cases      []junitCase      `xml:"testcase"`
}

type junitProperties struct {
	Property []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string       `xml:"name,attr"`
	ClassName string       `xml:"classname,attr"`
	Time      int          `xml:"time,attr"`
	Failure   *junitReason `xml:"failure,omitempty"`
	Error     *junitReason `xml:"error,omitempty"`
	Skipped   *junitReason `xml:"skipped,omitempty"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes a test suite for each file, as Surefire and Jenkins describe
// them. A finding from Options.FailOn on is a failed test, another or a
// suppressed one a skipped test, and what keeps input from being read an error.
func JUnit(w io.Writer, r *lint.Result, opts Options) error {
	opts.ShowSuppressed = true
	out := junitSuites{Name: "threeway lint"}
	for _, entries := range byFile(opts.entries(r)) {
		s := junitSuite{Name: clean(entries[0].file)}
		for _, e := range entries {
			c := junitCase{Name: clean(testName(e)), ClassName: clean(e.file)}
			reason := &junitReason{clean(e.message), e.severity.String(), clean(strings.Join(append([]string{e.head()}, e.lines...), "\n"))}
			switch {
			case e.unread:
				c.Error = reason
				s.Errors++
			case e.silenced != "":
				c.Skipped = &junitReason{Message: clean("suppressed: " + e.silenced), Text: reason.Text}
				s.Skipped++
			case e.severity < opts.FailOn:
				c.Skipped = &junitReason{Message: clean(e.severity.String() + ": " + e.message), Text: reason.Text}
				s.Skipped++
			default:
				c.Failure = reason
				s.Failures++
			}
			s.Cases = append(s.Cases, c)
		}
		s.Tests = len(s.Cases)
		out.Tests, out.Failures, out.Errors = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors
		out.Suites = append(out.Suites, s)
	}
	if out.Suites == nil {
		// A suite without tests reads as a run that did not happen.
		out.Tests = 1
		out.Suites = []junitSuite{{Name: "threeway lint", Tests: 1, Cases: []junitCase{{Name: "no findings", ClassName: "threeway"}}}}
	}
	text, incomplete := opts.headline(r)
	if incomplete {
		s := &out.Suites[0]
		s.Cases = append(s.Cases, junitCase{Name: "everything is known", ClassName: "threeway", Skipped: &junitReason{Message: clean(text)}})
		s.Tests, s.Skipped, out.Tests = s.Tests+1, s.Skipped+1, out.Tests+1
	}
	if opts.Digest != nil {
		out.Suites[0].Properties = &junitProperties{[]junitProperty{{"plan", clean(text)}}}
	}
	return writeXML(w, out)
}

func testName(e entry) string {
	if e.object == "" {
		return fmt.Sprintf("%s line %d", e.rule, e.line)
	}
	return fmt.Sprintf("%s %s line %d", e.rule, e.object, e.line)
}

func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// clean drops what XML 1.0 cannot hold; encoding/xml escapes the rest.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}
