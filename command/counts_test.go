package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// counted are the objects of a plan by what happens to them, in the words of the plan line.
type counted map[string]int

var countWord = regexp.MustCompile(`(\d+) (created|changed|configured|rejected|pruned)\b`)

// countsOf reads the counts of a sentence.
func countsOf(t *testing.T, text, begins string) counted {
	t.Helper()
	at := strings.Index(text, begins)
	if at < 0 {
		t.Fatalf("no %q in\n%s", begins, text)
	}
	line, _, _ := strings.Cut(text[at:], "\n")
	n := counted{}
	for _, m := range countWord.FindAllStringSubmatch(line, -1) {
		word := strings.Replace(m[2], "configured", "changed", 1)
		if _, is := n[word]; !is {
			var k int
			fmt.Sscan(m[1], &k)
			n[word] = k
		}
	}
	return n
}

// TestOneCount: every format says the same of how many objects are created, changed,
// rejected and pruned, in every mode, and the page lists as many.
func TestOneCount(t *testing.T) {
	const shop = "../lint/report/webpage/browser/testdata/shop/"
	for _, mode := range []string{"", "--server-side", "--server-side --force-conflicts", "--prune=all", "--validate=ignore", "--kubernetes-version 1.33"} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		args := append(strings.Fields("threeway review -f "+shop+"config --live "+shop+"live.json"), strings.Fields(mode)...)
		for _, format := range []string{"text", "json", "markdown", "html", "junit", "sarif"} {
			args = append(args, "-o", format+"="+at(format))
		}
		var out, said bytes.Buffer
		Run(context.Background(), args, strings.NewReader(""), &out, &said)
		var answer struct {
			Plan struct{ Counts counted }
			Lint struct{ Findings []struct{ Suppression any } }
		}
		if err := json.Unmarshal([]byte(load(t, at("json"))), &answer); err != nil {
			t.Fatalf("%s: %v: %s", mode, err, said.String())
		}
		want := answer.Plan.Counts
		for word, n := range want {
			if n == 0 {
				delete(want, word)
			}
		}
		if want["changed"] == 0 || mode == "" && want["created"]*want["rejected"] == 0 {
			t.Fatalf("%q: the plan shows nothing: %v", mode, want)
		}
		page := load(t, at("html"))
		_, index, _ := strings.Cut(page, `id="index">`)
		index, _, _ = strings.Cut(index, "</script>")
		var shown struct {
			Plan    struct{ Line string }
			Objects []struct {
				Action  string
				Differs bool
			}
			Findings []any
		}
		if err := json.Unmarshal([]byte(index), &shown); err != nil {
			t.Fatal(err)
		}
		listed := counted{}
		for _, o := range shown.Objects {
			switch {
			case o.Action == "configured" && o.Differs:
				listed["changed"]++
			case o.Action == "created" || o.Action == "rejected" || o.Action == "pruned":
				listed[o.Action]++
			}
		}
		for where, got := range map[string]counted{
			"the text":                    countsOf(t, load(t, at("text")), "Plan: "),
			"the comment":                 countsOf(t, strings.ReplaceAll(load(t, at("markdown")), `\`, ""), "**Plan: "),
			"the sentence of the comment": countsOf(t, load(t, at("markdown")), "objects: "),
			"the line at the end":         countsOf(t, said.String(), "objects: "),
			"the plan of the page":        countsOf(t, shown.Plan.Line, "Plan: "),
			"the list of the page":        listed,
			"junit":                       countsOf(t, load(t, at("junit")), "Plan: "),
		} {
			if !maps.Equal(got, want) {
				t.Errorf("%q: %s counts %v, the plan %v", mode, where, got, want)
			}
		}
		if n := strings.Count(load(t, at("sarif")), `"ruleId"`); n != len(answer.Lint.Findings) || len(shown.Findings) != n {
			t.Errorf("%q: %d findings in JSON, %d in SARIF, %d in the page", mode, len(answer.Lint.Findings), n, len(shown.Findings))
		}
	}
}
