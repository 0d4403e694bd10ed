package browser

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSeeing looks at the page on a screen and a phone, light and dark: nothing is
// wider than the screen, and axe-core finds nothing that some cannot read or use.
func TestSeeing(t *testing.T) {
	var checks string
	if *axe != "" {
		data, err := os.ReadFile(*axe)
		if err != nil {
			t.Fatal(err)
		}
		checks = string(data)
	}
	for _, s := range []screen{{"1280-light", 1280, 900, false}, {"1280-dark", 1280, 900, true}, {"400-light", 400, 850, false}, {"400-dark", 400, 850, true}} {
		p := open(t, s, "")
		look := func(what string) {
			t.Helper()
			if wide := eval[int](p, "document.documentElement.scrollWidth"); wide > int(s.width) {
				t.Errorf("%s, %s: %d pixels wide", s.name, what, wide)
			}
			p.picture(s.name + "-" + what)
			if checks == "" {
				return
			}
			eval[bool](p, checks+"\ntrue")
			p.do(chromedp.Evaluate[chromedp.Void](`window.axed = undefined; axe.run().then((r) => { window.axed = r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target + ": " + n.failureSummary)); })`))
			p.wait("axe-core", "window.axed !== undefined")
			for _, bad := range eval[[]string](p, "window.axed") {
				t.Errorf("%s, %s: %s", s.name, what, bad)
			}
		}
		look("first")
		eval[bool](p, `(document.getElementById("answer").scrollIntoView(), true)`)
		look("answer")
		for _, view := range []string{"diff", "patch", "text"} {
			p.answers(`document.getElementById("tab-` + view + `").click()`)
			look(view)
		}
		p.answers(`document.getElementById("tab-review").click()`)
		p.answers(`const s = document.getElementById("example"); s.value = "selector-change"; s.dispatchEvent(new Event("change"))`)
		look("rejected")
		p.answers(`const m = document.getElementById("manifest"); m.value += "  a: [\n"; m.dispatchEvent(new Event("input"))`)
		eval[bool](p, `(scrollTo(0, 0), true)`)
		look("mistake")
	}
}
