package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// written is a file of objects: workloads of a kind and an image in some namespaces.
func written(t *testing.T, image string, workloads ...string) string {
	t.Helper()
	var b strings.Builder
	for _, w := range workloads {
		kind, namespace, _ := strings.Cut(w, "/")
		kind, replicas, counted := strings.Cut(kind, "*")
		spec := ""
		if counted {
			spec = "replicas: " + replicas + ", "
		}
		fmt.Fprintf(&b, "---\n{apiVersion: apps/v1, kind: %s, metadata: {name: agent, namespace: %s}, spec: {%sselector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: agent, image: %s}]}}}}\n", kind, namespace, spec, image)
	}
	file := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestStarts: the phrases of the plan about pods that start find the objects that start them.
func TestStarts(t *testing.T) {
	p := open(t, review(t, "-f", written(t, "agent:1", "Deployment*2/a", "Deployment*0/b", "Deployment*1/c", "DaemonSet/d"), "--empty-cluster"), desktop)
	found := strings.Join(eval[[]string](p, `[...document.querySelectorAll(".plan .phrase")].map((e) => {
		e.click();
		return e.textContent + ": " + document.querySelector(".status").textContent;
	})`), "; ")
	for _, want := range []string{"starts 3 pods: 2 of 4 objects", "starts the pods of 1 DaemonSet: 1 of 4 objects"} {
		if !strings.Contains(found, want) {
			t.Errorf("no %q in %s", want, found)
		}
	}
}

// TestEqualChanges: what changes in several objects is shown once, on the page and on paper,
// where the text of what is created is left out, and said to be.
func TestEqualChanges(t *testing.T) {
	var workloads []string
	for i := range 12 {
		workloads = append(workloads, fmt.Sprintf("Deployment*1/team-%02d", i))
	}
	p := open(t, review(t, "-f", written(t, "agent:2", append(workloads, "DaemonSet/new")...), "--base", written(t, "agent:1", workloads...)), desktop)
	if n := p.number(".change"); n != 2 {
		t.Errorf("%d changes, want one of 12 objects and one of 1", n)
	}
	p.want("the same", p.text(".change details summary"), "same change in 11 more objects")
	p.do(chromedp.Click(chromedp.CSS(".change details summary")))
	p.do(chromedp.Click(chromedp.CSS(".change details a:nth-of-type(3)")))
	p.want("one of them", eval[string](p, `new URLSearchParams(location.hash.slice(1)).get("o")`), "team-03/Deployment.apps/agent")
	printed := eval[string](p, `(dispatchEvent(new Event("beforeprint")), document.getElementById("print").textContent)`)
	for text, times := range map[string]int{"agent:2": 1, "The same change in 11 more objects: team-01/Deployment.apps/agent": 1, "+ new/DaemonSet.apps/agent": 1, "kind: DaemonSet": 0, "Not printed: the text of 1 created object": 1} {
		if n := strings.Count(printed, text); n != times {
			t.Errorf("%q is printed %d times, want %d", text, n, times)
		}
	}
	if n := p.number("#print button.more"); n != 0 {
		t.Errorf("%d buttons on paper", n)
	}
}

// TestClustersAreNamed: the page of several clusters says of each what was rehearsed against what.
func TestClustersAreNamed(t *testing.T) {
	p := open(t, review(t, "-f", written(t, "agent:2", "Deployment*1/a"), "--live", "eu="+written(t, "agent:1", "Deployment*1/a"), "--live", "us="+written(t, "agent:1", "Deployment*2/a")), desktop)
	if text := p.text("main"); !strings.Contains(text, "eu: objects.yaml against objects.yaml") || !strings.Contains(text, "us: objects.yaml against objects.yaml") {
		t.Errorf("the page does not say what the clusters are: %s", text)
	}
}

// TestOverlaysTellOnce: what is wrong in a file that several overlays have is told once, with the
// objects that it is about, and the table names each object without the namespace of its overlay.
func TestOverlaysTellOnce(t *testing.T) {
	dir := t.TempDir()
	settings := filepath.Join(dir, "settings.yaml")
	for _, name := range []string{"dev", "prod"} {
		if err := os.Rename(written(t, "agent:1", "Deployment*0/"+name), filepath.Join(dir, name+".yaml")); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(settings, []byte("version: 1\nmanifests: {dev: [dev.yaml], prod: [prod.yaml]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, review(t, "-c", settings, "--live", written(t, "agent:1", "Deployment*2/dev", "Deployment*2/prod")), desktop)
	text := p.text("main")
	if n := strings.Count(text, "scales from 2 pods to 0"); n != 1 {
		t.Errorf("the scale is told %d times: %s", n, text)
	}
	if n := p.number(".by-cluster tbody tr"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
	p.want("the row", p.text(".by-cluster tbody th"), "Deployment.apps/agent")
}
