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
	page := reviewOf(t, "5000")
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

// reviewOf is a review of so many objects.
func reviewOf(t *testing.T, objects string) string {
	t.Helper()
	dir := t.TempDir()
	config, live := filepath.Join(dir, "config"), filepath.Join(dir, "live.json")
	for _, args := range [][]string{{"-o", live}, {"-manifests", objects, "-o", config}} {
		cmd := exec.Command("go", append([]string{"run", "./fixtures/cluster", "-objects", objects, "-applied"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
		}
	}
	return review(t, "-R", "-f", config, "--live", live)
}

// TestPaint opens reviews of 100 and of 500 objects and logs when the first thing is seen.
// Hardly more elements are drawn: how many objects there are does not delay it.
func TestPaint(t *testing.T) {
	drawn := map[string]int{}
	for _, n := range []string{"100", "500"} {
		p := open(t, reviewOf(t, n), desktop)
		p.wait("document.querySelector('.status')?.innerText === '" + n + " objects' && performance.getEntriesByName('first-contentful-paint').length > 0")
		drawn[n] = p.number("body *:not(script)")
		t.Logf("%s objects: %d elements, seen after %.0f ms, the list after %.0f", n, drawn[n],
			eval[float64](p, "performance.getEntriesByName('first-contentful-paint')[0].startTime"), eval[float64](p, "performance.getEntriesByName('list')[0].startTime"))
	}
	if drawn["500"] > drawn["100"]*3/2 || drawn["500"] > 1500 {
		t.Errorf("drawn are %v elements", drawn)
	}
}
