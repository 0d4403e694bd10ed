package browser

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestLarge opens a review of 5,000 objects and logs, with -v, how long one waits
// in the page. What keeps that short is that only what is in sight is drawn.
func TestLarge(t *testing.T) {
	dir := t.TempDir()
	config, live := filepath.Join(dir, "config"), filepath.Join(dir, "live.json")
	for _, args := range [][]string{{"-o", live}, {"-manifests", "5000", "-o", config}} {
		cmd := exec.Command("go", append([]string{"run", "./fixtures/cluster", "-objects", "5000", "-applied"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	page := review(t, "-R", "-f", config, "--live", live)
	if info, err := os.Stat(page); err != nil || info.Size() > 5<<20 {
		t.Errorf("%v, %d bytes; 4.1 MB when it was first compressed, 21.8 before", err, info.Size())
	}
	p := open(t, page, desktop)
	p.wait("document.querySelector('.status')?.innerText === '5,000 objects' && performance.getEntriesByName('first-contentful-paint').length > 0")
	times := eval[map[string]float64](p, `(() => {
		const wait = {};
		const measure = (name, act) => {
			const start = performance.now();
			act();
			document.body.offsetHeight; // lays out
			wait[name] = performance.now() - start;
		};
		const search = document.getElementById("search");
		const type = (text) => { search.value = text; search.dispatchEvent(new Event("input")); };
		wait["first contentful paint"] = performance.getEntriesByName("first-contentful-paint")[0].startTime;
		wait["list drawn"] = performance.getEntriesByName("list")[0].startTime;
		wait["page loaded"] = performance.timing.loadEventEnd - performance.timing.navigationStart;
		measure("first search", () => type("n"));
		measure("next search", () => type("nginx"));
		measure("search with filters", () => type("kind:Deployment reason:set is:changed"));
		measure("no hit", () => type("no such thing anywhere"));
		measure("all again", () => type(""));
		measure("scroll to the end", () => { document.getElementById("objects").scrollTop = 1e9; document.getElementById("objects").dispatchEvent(new Event("scroll")); });
		measure("open an object", () => document.querySelector("#objects [role=option]").click());
		return wait;
	})()`)
	for _, name := range slices.Sorted(maps.Keys(times)) {
		t.Logf("%s: %.0f ms", name, times[name])
	}
	p.wait("document.querySelector('#panel') !== null")
	if n := p.number("body *:not(script)"); n > 3000 {
		t.Errorf("the page has %d elements; of 5,000 objects only those in sight should be there", n)
	}
}
