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
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failure   *junitFailure `xml:"failure,omitempty"`
	Skipped   *junitSkipped `xml:"skipped,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// JUnit writes a test suite for each file, in which every finding is a failure
// and every suppressed one a skipped test.
func JUnit(w io.Writer, r *lint.Result, opts Options) error {
	out := junitSuites{Name: "threeway lint"}
	for _, f := range byFile(append(r.Findings[:len(r.Findings):len(r.Findings)], r.Suppressed...)) {
		s := junitSuite{Name: clean(f.name)}
		for _, x := range f.findings {
			c := junitCase{Name: clean(fmt.Sprintf("%s %s line %d", x.Rule.ID, x.Object, x.At().Line)), ClassName: clean(f.name)}
			if x.Suppressed != "" {
				c.Skipped = &junitSkipped{clean(x.Suppressed)}
				s.Skipped++
			} else {
				c.Failure = &junitFailure{clean(message(x)), x.Severity.String(), clean(plain(x))}
				s.Failures++
			}
			s.Tests++
			s.Cases = append(s.Cases, c)
		}
		out.Tests, out.Failures = out.Tests+s.Tests, out.Failures+s.Failures
		out.Suites = append(out.Suites, s)
	}
	if out.Suites == nil {
		// A suite without tests reads as a run that did not happen.
		out.Tests = 1
		out.Suites = []junitSuite{{Name: "threeway lint", Tests: 1, Cases: []junitCase{{Name: "no findings", ClassName: "threeway"}}}}
	}
	return writeXML(w, out)
}

type checkstyle struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// Checkstyle writes the XML of checkstyle.
func Checkstyle(w io.Writer, r *lint.Result, opts Options) error {
	out := checkstyle{Version: "4.3"}
	for _, f := range byFile(opts.listed(r)) {
		file := checkstyleFile{Name: clean(f.name)}
		for _, x := range f.findings {
			text := message(x)
			if x.Fix != "" {
				text += "; fix: " + x.Fix
			}
			file.Errors = append(file.Errors, checkstyleError{x.At().Line, x.At().Column, x.Severity.String(), clean(text), "threeway." + x.Rule.ID})
		}
		out.Files = append(out.Files, file)
	}
	return writeXML(w, out)
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

type fileFindings struct {
	name     string
	findings []*lint.Finding
}

// byFile groups findings by file, in the order in which the files first come.
func byFile(findings []*lint.Finding) []fileFindings {
	var files []fileFindings
	index := map[string]int{}
	for _, f := range findings {
		i, ok := index[f.At().File]
		if !ok {
			i = len(files)
			index[f.At().File] = i
			files = append(files, fileFindings{name: f.At().File})
		}
		files[i].findings = append(files[i].findings, f)
	}
	return files
}

// plain is a finding as lines of text.
func plain(f *lint.Finding) string {
	text := fmt.Sprintf("%s:%d:%d: %s: %s [%s]", f.At().File, f.At().Line, f.At().Column, f.Severity, message(f), f.Rule.ID)
	for _, d := range details(f) {
		text += "\n" + d[0] + ": " + d[1]
	}
	return text
}
