package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"threeway/lint/trial"
	"threeway/merge/text/visible"
)

// TrialOptions say how to report how tests of rules went.
type TrialOptions struct {
	// Verbose lists the tests that pass too.
	Verbose bool
	// Paint colours text; nil leaves it as it is.
	Paint func(Style, string) string
}

// Trials are the writers of how tests of rules went, by format.
var Trials = map[string]func(io.Writer, []*trial.Result, TrialOptions) error{"text": trialText, "json": trialJSON, "junit": trialJUnit}

// trialText writes for each test that fails what was wanted, with -, and what was
// found, with +.
func trialText(w io.Writer, results []*trial.Result, opts TrialOptions) error {
	out, paint := bufio.NewWriter(w), Options{Paint: opts.Paint}.paint
	for _, r := range results {
		place := fmt.Sprintf("%s:%d:", visible.Joined(r.File), r.Line)
		switch {
		case !r.Passed():
			fmt.Fprintf(out, "%s %s: %s\n", paint(Place, place), paint(ErrorWord, "failed"), visible.Joined(r.Name))
		case opts.Verbose:
			fmt.Fprintf(out, "%s passed: %s\n", paint(Place, place), visible.Joined(r.Name))
		}
		for _, line := range trialLines(r) {
			fmt.Fprintf(out, "   %s\n", visible.Joined(line))
		}
	}
	return out.Flush()
}

// trialLines say why a test fails.
func trialLines(r *trial.Result) []string {
	if r.Broken != "" {
		return []string{r.Broken}
	}
	var lines []string
	all := func(sign string, f trial.Finding) {
		for _, k := range f.Keys() {
			if k.Value != "" {
				lines = append(lines, sign+" "+k.Name+": "+k.Value)
			}
		}
	}
	for _, p := range r.Different {
		lines = append(lines, p.Want.Rule+": another finding than the test wants")
		lines = append(lines, pairLines(p)...)
	}
	for _, f := range r.Missing {
		lines = append(lines, f.Rule+": no finding, and the test wants one")
		all("-", f)
	}
	for _, f := range r.Unexpected {
		lines = append(lines, f.Rule+": a finding that the test does not want")
		all("+", f)
	}
	return lines
}

// pairLines have - and + where the finding is not the one that is wanted.
func pairLines(p trial.Pair) (lines []string) {
	for i, want := range p.Want.Keys() {
		got := p.Got.Keys()[i].Value
		if want.Value != "" && want.Value != got {
			lines = append(lines, "- "+want.Name+": "+want.Value, "+ "+want.Name+": "+cmp.Or(got, "none"))
		} else if got != "" {
			lines = append(lines, "  "+want.Name+": "+got)
		}
	}
	return lines
}

type jsonTrials struct {
	SchemaVersion int         `json:"schemaVersion"`
	Passed        int         `json:"passed"`
	Failed        int         `json:"failed"`
	Tests         []jsonTrial `json:"tests"`
}

type jsonTrial struct {
	File       string          `json:"file"`
	Line       int             `json:"line"`
	Name       string          `json:"name"`
	Passed     bool            `json:"passed"`
	Error      string          `json:"error,omitempty"`
	Different  []jsonTrialPair `json:"different,omitempty"`
	Missing    []jsonTried     `json:"missing,omitempty"`
	Unexpected []jsonTried     `json:"unexpected,omitempty"`
}

type jsonTrialPair struct {
	Want jsonTried `json:"want"`
	Got  jsonTried `json:"got"`
}

type jsonTried struct {
	Rule     string `json:"rule"`
	Object   string `json:"object,omitempty"`
	Severity string `json:"severity,omitempty"`
	Message  string `json:"message,omitempty"`
}

func tried(f trial.Finding) jsonTried {
	return jsonTried{f.Rule, f.Object, f.Severity, f.Message}
}

func trialJSON(w io.Writer, results []*trial.Result, _ TrialOptions) error {
	doc := jsonTrials{SchemaVersion: SchemaVersion, Tests: []jsonTrial{}}
	for _, r := range results {
		t := jsonTrial{File: r.File, Line: r.Line, Name: r.Name, Passed: r.Passed(), Error: r.Broken}
		if t.Passed {
			doc.Passed++
		} else {
			doc.Failed++
		}
		for _, p := range r.Different {
			t.Different = append(t.Different, jsonTrialPair{tried(p.Want), tried(p.Got)})
		}
		for _, f := range r.Missing {
			t.Missing = append(t.Missing, tried(f))
		}
		for _, f := range r.Unexpected {
			t.Unexpected = append(t.Unexpected, tried(f))
		}
		doc.Tests = append(doc.Tests, t)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// trialJUnit writes a test suite for each file with tests. A test of which nothing
// can be compared is an error.
func trialJUnit(w io.Writer, results []*trial.Result, _ TrialOptions) error {
	out := junitSuites{Name: "threeway rules test"}
	for _, r := range results {
		if n := len(out.Suites); n == 0 || out.Suites[n-1].Name != clean(r.File) {
			out.Suites = append(out.Suites, junitSuite{Name: clean(r.File)})
		}
		s := &out.Suites[len(out.Suites)-1]
		c := junitCase{Name: clean(r.Name), ClassName: clean(r.File)}
		lines := trialLines(r)
		switch {
		case r.Passed():
		case r.Broken != "":
			c.Error = &junitReason{Message: clean(r.Broken), Text: clean(fmt.Sprintf("%s:%d", r.File, r.Line))}
			s.Errors++
			out.Errors++
		default:
			c.Failure = &junitReason{Message: clean(lines[0]), Text: clean(fmt.Sprintf("%s:%d\n%s", r.File, r.Line, strings.Join(lines, "\n")))}
			s.Failures++
			out.Failures++
		}
		s.Tests++
		out.Tests++
		s.Cases = append(s.Cases, c)
	}
	return writeXML(w, out)
}
