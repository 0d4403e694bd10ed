package report

import (
	"encoding/xml"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge/manifest"
)

// element is what a format says of an element: the attributes that it must and
// may have, and the elements in it.
type element struct{ must, may, inside []string }

// junitFormat is what surefire-test-report.xsd of Maven and junit-10.xsd of
// Jenkins' xunit plugin both allow; testsuites is the latter's alone.
var junitFormat = map[string]element{
	"":           {inside: []string{"testsuites"}},
	"testsuites": {may: []string{"name", "time", "tests", "failures", "errors"}, inside: []string{"testsuite"}},
	"testsuite":  {must: []string{"name", "tests", "errors", "skipped", "failures"}, may: []string{"time"}, inside: []string{"testcase"}},
	"testcase":   {must: []string{"name", "time"}, may: []string{"classname"}, inside: []string{"failure", "skipped", "error"}},
	"failure":    {must: []string{"type"}, may: []string{"message"}},
	"error":      {must: []string{"type"}, may: []string{"message"}},
	"skipped":    {may: []string{"message"}},
}

// readXML holds a report against its format, and returns the attributes of
// every element by name.
func readXML(t *testing.T, format map[string]element, text string) map[string][]map[string]string {
	t.Helper()
	all, open := map[string][]map[string]string{}, []string{""}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name, parent := token.Name.Local, open[len(open)-1]
			if !slices.Contains(format[parent].inside, name) {
				t.Errorf("<%s> in <%s>", name, parent)
			}
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Name.Local] = a.Value
			}
			for _, must := range format[name].must {
				if _, ok := attributes[must]; !ok {
					t.Errorf("<%s> without %s", name, must)
				}
			}
			for a := range maps.Keys(attributes) {
				if !slices.Contains(format[name].must, a) && !slices.Contains(format[name].may, a) {
					t.Errorf("<%s %s>", name, a)
				}
			}
			all[name], open = append(all[name], attributes), append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}

func TestJUnit(t *testing.T) {
	r := several(t)
	got := readXML(t, junitFormat, renderWith(t, "junit", r, Options{FailOn: lint.Error}))
	for name, want := range map[string]int{"testsuite": 2, "testcase": 5, "failure": 1, "error": 1, "skipped": 3} {
		if n := len(got[name]); n != want {
			t.Errorf("%d <%s>, want %d", n, name, want)
		}
	}
	sum := map[string]int{}
	for _, s := range got["testsuite"] {
		for _, count := range []string{"tests", "failures", "errors"} {
			n, err := strconv.Atoi(s[count])
			if err != nil {
				t.Error(err)
			}
			sum[count] += n
		}
	}
	for count, n := range sum {
		if got["testsuites"][0][count] != strconv.Itoa(n) {
			t.Errorf("%s are %s in all, but %d by suite", count, got["testsuites"][0][count], n)
		}
	}
	if all := readXML(t, junitFormat, renderWith(t, "junit", r, Options{})); len(all["failure"]) != 3 {
		t.Errorf("%d failures where everything fails", len(all["failure"]))
	}
	if none := readXML(t, junitFormat, render(t, "junit", &lint.Result{})); len(none["testcase"]) != 1 || none["testsuites"][0]["failures"] != "0" {
		t.Errorf("without findings: %v", none)
	}
}

// TestXMLHoldsAnyText: what XML cannot hold is dropped, the rest comes back.
func TestXMLHoldsAnyText(t *testing.T) {
	for _, e := range readXML(t, junitFormat, render(t, "junit", result(t)))["failure"] {
		if !strings.Contains(e["message"], `<script>]]>&"'`) {
			t.Errorf("%q", e["message"])
		}
	}
}

// several is an error, a warning, an info, a suppressed warning, and a file
// that cannot be read.
func several(t *testing.T) *lint.Result {
	t.Helper()
	r := result(t)
	change := func(s lint.Severity) *lint.Finding {
		f := *r.Findings[0]
		f.Severity, f.Message = s, s.String()
		return &f
	}
	r.Findings = append(r.Findings, change(lint.Warning), change(lint.Info))
	r.Suppressed = []*lint.Finding{change(lint.Warning)}
	r.Suppressed[0].Suppressed, r.Suppressed[0].InSource = evil, true
	r.Problems = []manifest.Problem{{File: "b.yaml", Line: 3, Column: 2, Text: "cannot be read"}}
	return r
}
