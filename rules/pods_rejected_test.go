package rules

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/lint"
)

// podForbidden is what kubectl prints of a Pod that admission rejects.
var podForbidden = regexp.MustCompile(`(?m)^Error from server .* pods "(.*?)" is forbidden: (.*)$`)

// TestPodsOfWorkloads holds the findings about workloads to what a real server
// answered to a Pod of each template: it is reported, with the server's words, or
// the Pod was created and nothing is reported. Of a missing account or class
// missing-reference may say it.
func TestPodsOfWorkloads(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS(filepath.Join(home, "../fixtures/admission")), "pods-of-workloads.txtar")
	if err != nil || len(cases) != 1 {
		t.Fatal(len(cases), err)
	}
	c := cases[0]
	workloads, pods := c.Answers[0], c.Answers[1]
	if workloads.Want.Exit != 0 {
		t.Fatalf("the server rejects workloads: %s", workloads.Want.Stderr)
	}
	rejected := map[string]string{}
	for _, m := range podForbidden.FindAllStringSubmatch(pods.Want.Stderr, -1) {
		rejected[m[1]] = m[2]
	}
	found := map[string]string{}
	for _, f := range lintExample(t, lint.Example{Live: workloads.Live, Manifest: c.Files["workloads.yaml"]}, "").Findings {
		if id := f.Rule.ID; id == "pods-rejected" || id == "missing-reference" {
			found[path.Base(f.Object)] = id + ": " + f.Message
		}
	}
	for name, why := range rejected {
		got := found[name]
		if !strings.Contains(got, why) && !strings.HasPrefix(got, "missing-reference") {
			t.Errorf("%s: the server says\n%s\nand the finding\n%s", name, why, got)
		}
	}
	created := strings.Count(pods.Want.Output, " created")
	for name, text := range found {
		if rejected[name] == "" {
			t.Errorf("%s: the Pod is created, and the finding says %s", name, text)
		}
	}
	if len(rejected) < 14 || created < 9 {
		t.Errorf("%d Pods rejected and %d created are too few", len(rejected), created)
	}
}
