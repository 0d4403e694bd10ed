package browser

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// names are the objects in the list, from the top.
func (p *tab) names() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll("#objects [role=option] .name")].map((e) => e.firstChild.textContent).join(" ")`)
}

// want compares what is seen with what should be.
func (p *tab) want(what, got, want string) {
	p.t.Helper()
	if got != want {
		p.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// wait polls until a condition in the page holds.
func (p *tab) wait(condition string) {
	p.t.Helper()
	if _, err := chromedp.Run(p, chromedp.Poll[bool](condition)); err != nil {
		p.t.Fatalf("wait for %s: %v", condition, err)
	}
}

// list waits until the list has the objects; a search takes a moment.
func (p *tab) list(what, want string) {
	p.t.Helper()
	for range 100 {
		if p.names() == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.want(what, p.names(), want)
}

// verdict is the first thing that the page of shop says.
const verdict = "✕ Not safe to apply: 1 to fix, incomplete: 2 kinds are not in the snapshot, 6 to decide"

// objectsOf are how many objects a phrase of the plan names, and how many it finds.
var objectsOf = regexp.MustCompile(`^(?:(\d+) (?:created|changed|rejected)|\w+ \((\d+)\)|.*): ([1-9]\d*) of 8 objects$`)

func TestOverview(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	p.want("heading", p.text("#heading"), verdict)
	p.list("list", "api web keys settings api hostile web quiet")
	for _, chip := range []string{"1 rejected", "3 changed", "3 created", "1 unchanged", "1 error", "1 info"} {
		if !strings.Contains(p.text(".totals"), chip) {
			t.Errorf("no %q among the totals: %q", chip, p.text(".totals"))
		}
	}
	p.do(chromedp.Click(chromedp.CSS(".chip.tone-stop")))
	p.list("list", "api")
	p.want("status", p.text(".status"), "1 of 8 objects")
	p.do(chromedp.Click(chromedp.CSS("#clear")))
	for _, phrase := range eval[[]string](p, `[...document.querySelectorAll(".plan .phrase")].map((e) => {
			e.click();
			return e.textContent + ": " + document.querySelector(".status").textContent;
		})`) {
		if m := objectsOf.FindStringSubmatch(phrase); m == nil || m[1] != "" && m[1] != m[3] || m[2] != "" && m[2] != m[3] {
			t.Errorf("the phrase has other objects: %s", phrase)
		}
	}
	p.do(chromedp.Click(chromedp.CSS("#clear")))
	p.do(chromedp.Click(chromedp.CSS(".group-of .found-list a")))
	p.want("object", p.text("#heading"), "! rejected api")
	p.want("focus", eval[string](p, `document.activeElement.tagName`), "SUMMARY")
}

func TestSearch(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	for _, c := range []struct{ typed, names string }{
		{"settings", "keys settings quiet"},
		{"location /metrics", "settings"},
		{"JAEGER", "web"},
		{"spec.minReadySeconds", "web"},
		{"kind:Deployment", "api web"},
		{"kind:deployment kind:secret", "api web keys"},
		{"kind:Deployment action:rejected", "api"},
		{"-kind:Deployment is:changed", "keys settings api hostile web"},
		{"reason:cleared", "web settings"},
		{"rule:selector-change", "api"},
		{"severity:info", "web"},
		{"manager:kube-*", "web"},
		{"file:*/settings.yaml", "keys settings quiet"},
		{"ns:shop name:web", "web web"},
		{"ns:elsewhere", ""},
		{"-settings", "api web api hostile web"},
		{"name:[", ""},
		{"", "api web keys settings api hostile web quiet"},
	} {
		eval[bool](p, `(document.getElementById("search").value = "", true)`)
		p.do(chromedp.SendKeys(chromedp.CSS("#search"), c.typed+" "))
		p.list(c.typed, c.names)
	}
	p.wait(`document.querySelector("select[data-key=kind] option").textContent === "Kind" && document.querySelectorAll("select[data-key=kind] option").length === 6`)
	p.want("choices", eval[string](p, `[...document.querySelectorAll("select[data-key=kind] option")].map((e) => e.textContent).join(", ")`),
		"Kind, ConfigMap (3), Deployment (2), HorizontalPodAutoscaler (1), Secret (1), Service (1)")
	for _, choice := range []struct{ key, value, names string }{
		{"kind", "ConfigMap", "settings hostile quiet"}, {"action", "created", "hostile"}, {"kind", "", "api hostile web"}, {"reason", "defaulted", "api web"},
	} {
		eval[bool](p, `(() => {
			const select = document.querySelector("select[data-key=`+choice.key+`]");
			select.value = "`+choice.value+`" ? "=`+choice.value+`" : "*";
			return select.dispatchEvent(new Event("change"));
		})()`)
		p.list(choice.key+" "+choice.value, choice.names)
		p.wait(`decodeURIComponent(location.hash).includes(document.getElementById("search").value.split(" ")[0])`)
	}
	p.want("search", eval[string](p, `document.getElementById("search").value`), "action:created reason:defaulted")
}

// TestKeyboard goes through a review without a mouse.
func TestKeyboard(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	p.keys("j", "j")
	p.want("second object", p.text("#heading"), "± changed web")
	p.keys("n", "n", kb.Enter)
	p.want("why of minReadySeconds", strings.Join(strings.Fields(p.text(".explained")), " "),
		"field spec.minReadySeconds copy why cleared removed from the manifest owner kubectl-client-side-apply (Update, 2026-10-01T09:00:00Z) finding ▲ warning: spec.minReadySeconds is removed from the manifest: apply clears it (5); a new pod counts as available as soon as it is ready")
	p.keys(kb.Enter)
	p.want("closed", p.text(".explained"), "")
	p.keys("e")
	if n := p.number(".explained"); n < 10 {
		t.Errorf("%d fields are explained", n)
	}
	p.keys("a")
	folded := p.number(".fold")
	p.keys("a")
	if folded != 0 || p.number(".fold") == 0 {
		t.Errorf("all fields: %d folds, and %d otherwise", folded, p.number(".fold"))
	}
	p.keys("2")
	p.want("tab", p.text("[role=tab][aria-selected=true]"), "Diff")
	p.keys("u")
	p.want("split", eval[string](p, `document.querySelector(".diff").className`), "diff split")
	p.keys(kb.ArrowRight)
	p.want("next tab", p.text("[role=tab][aria-selected=true]"), "Owners")
	p.keys("?")
	p.want("help", eval[string](p, `String(document.querySelector("dialog").open)`), "true")
	p.keys(kb.Escape)
	p.want("help", eval[string](p, `String(document.querySelector("dialog").open)`), "false")
	p.keys("/", "k", "e", "y", "s")
	p.list("typed", "keys")
	p.keys(kb.Enter, kb.ArrowDown, kb.Enter)
	p.want("object", p.text("#heading"), "± changed keys")
	p.want("focus", eval[string](p, `document.activeElement.id`), "heading")
	p.keys("o")
	p.want("overview", p.text("#heading"), verdict)
	// Tab reaches everything, from the link that skips the list.
	eval[bool](p, `(document.querySelector(".skip").focus(), true)`)
	var reached []string
	for range 60 { // each danger before the chips has a place
		p.keys(kb.Tab)
		reached = append(reached, eval[string](p, `document.activeElement.id || document.activeElement.className || document.activeElement.tagName`))
	}
	for _, want := range []string{"search", "objects", "chip tone-stop"} {
		if !slices.Contains(reached, want) {
			t.Errorf("Tab does not reach %s, but %q", want, reached)
		}
	}
}

// TestFocus: what had the focus keeps it, or passes it on to what is nearest.
func TestFocus(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	focused := func() string {
		return eval[string](p, `document.activeElement.dataset.path ?? (document.activeElement.id || document.activeElement.textContent)`)
	}
	p.keys("j", "j", "n", "n")
	field := focused()
	p.keys("a")
	p.want("after all fields", focused(), field)
	p.keys("a", kb.Enter, kb.Enter)
	p.want("after the why is closed", focused(), field)
	p.keys("?", kb.Escape)
	p.want("after the help", focused(), field)
	p.keys("j")
	p.want("in the next object", focused(), "heading")
	p.keys("k", "2")
	p.want("in another view", focused(), "tab-diff")
	eval[bool](p, `(document.querySelector(".tabs .toggle").focus(), document.querySelector(".tabs .toggle").click(), true)`)
	p.want("after side by side", focused(), "Side by side")
	p.keys("n")
	p.want("the first change side by side", eval[string](p, `document.activeElement.innerText.replace(/\s+/g, " ").trim()`), "4 + added annotations:")
	p.keys("u")
	p.want("after the line is gone", focused(), "heading")
	p.keys("/", "~")
	p.want("that nothing matches", p.text("nav .empty"), "No object matches.")
	p.want("the list that is empty", eval[string](p, `String(document.getElementById("objects").checkVisibility())`), "false")
	eval[bool](p, `(document.getElementById("clear").click(), true)`)
	p.want("after the search is cleared", focused(), "search")
	p.list("the list again", "api web keys settings api hostile web quiet")
	p.show(screen{"phone", 390, 844, false})
	eval[bool](p, `(document.querySelector("#objects [role=option]").click(), document.querySelector(".back").click(), true)`)
	p.want("back in the list of a phone", focused(), "objects")
}

// TestFields reads the four versions off the table.
func TestFields(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	p.keys("j", "j")
	row := func(path string) string {
		return eval[string](p, `(() => {
			const row = document.querySelector('button.key[data-path="`+path+`"]').closest("tr");
			return [...row.cells].slice(1).map((c) => c.innerText.replace("absent", "").trim().replaceAll("\n", " ")).join(" | ");
		})()`)
	}
	for path, want := range map[string]string{
		"spec.minReadySeconds": "5 | · | 5 | · | cleared▲ 1 warning",
		"spec.replicas":        "· | live, result: 6 | kept",
		"spec.template.spec.containers[name=web].args":                   "last-applied = live; manifest = result - --port=8080 − removed - --log=debug + added - --log=info + added - --trace | replaced-list",
		"spec.template.spec.containers[name=web].image":                  "= live | = result | registry.example.com/shop/web:2.3.1 | registry.example.com/shop/web:2.4.0 | set",
		"spec.template.spec.containers[name=web].env[name=LOG].value":    "info | debug | info | debug | set",
		"spec.template.spec.containers[name=web].env[name=CACHE].value":  "· | live, result: redis:6379 | kept",
		"spec.template.spec.containers[name=web].env[name=OLD]":          `value: "1" | · | value: "1" | · | cleared`,
		"spec.template.spec.containers[name=web].resources.requests.cpu": `500m | 1000m | 500m | "1" | set`,
		"spec.template.spec.tolerations[0].key":                          "gpu | spot | gpu | spot | ",
	} {
		p.want(path, row(path), want)
	}
	p.want("words that differ", eval[string](p, `[...document.querySelector('button.key[data-path$="image"]').closest("tr").querySelectorAll("mark")].map((e) => e.textContent).join(" ")`), "3.1 4.0")
	// The colour goes with the word.
	if eval[bool](p, `getComputedStyle(document.querySelector(".pill.tone-del")).color === getComputedStyle(document.querySelector(".pill.tone-set")).color`) {
		t.Error("cleared and set have the same colour")
	}
	p.do(chromedp.Click(chromedp.CSS("tr.fold button")))
	if focus := eval[string](p, `document.activeElement.className`); focus != "key" {
		t.Errorf("after a fold is opened the focus is on %q", focus)
	}
	p.keys("k")
	p.want("of a rejected object", row("spec.selector.matchLabels.tier"), "· | backend | · | ")
}

// TestViewed ticks an object, and finds the tick after the page was loaded again.
func TestViewed(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	p.keys("j", "j", "v")
	p.want("of the list", p.text(".status"), "8 objects, 1 of 7 viewed")
	p.want("ticked", p.text(".object.viewed .name"), "web\n, Changed, viewed")
	p.do(chromedp.Reload())
	p.wait(`document.querySelector(".object.viewed") !== null`)
	p.want("after the page was loaded again", p.text(".status"), "8 objects, 1 of 7 viewed")
	p.want("the toggle", p.text(".crumbs .toggle[aria-pressed=true]"), "Viewed")
	p.keys("v")
	p.want("no more", p.text(".status"), "8 objects")
}

// TestLinks opens what a link says: a field, a line, a finding, and what is not there.
func TestLinks(t *testing.T) {
	file := review(t, shop...)
	p := open(t, file, desktop)
	link := func(at string) { eval[bool](p, `(location.hash = `+"`"+at+"`"+`, true)`) }
	link("#o=shop/Deployment.apps/web&v=fields&at=spec.minReadySeconds")
	p.wait(`document.querySelector("tr.target + tr.explained") !== null`)
	p.want("field", eval[string](p, `document.querySelector("tr.target .key").dataset.path`), "spec.minReadySeconds")
	link("#o=shop/Deployment.apps/web&v=diff&at=L10")
	p.wait(`document.querySelector("tr.line.target") !== null`)
	p.want("line", strings.Join(strings.Fields(p.text("tr.target .code")), " "), "minReadySeconds: 5")
	link("#o=shop/Deployment.apps/web&v=diff&at=cleared-setting+spec.minReadySeconds")
	p.wait(`document.activeElement.closest("[data-finding]") !== null`)
	link("#o=shop/Deployment.apps/gone")
	p.wait(`document.querySelector(".missing") !== null`)
	p.want("what is not there", p.text(".missing"), "The link leads to shop/Deployment.apps/gone, which is not in this report.")
}

// TestDiff looks at the lines, the words that changed, and what stands at them.
func TestDiff(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	p.keys("j", "j", "2")
	if !strings.Contains(p.text("tr.tone-del"), "minReadySeconds: 5") {
		t.Errorf("first removed line: %q", p.text("tr.tone-del"))
	}
	eval[bool](p, `(document.querySelector("#panel tr:last-child").scrollIntoView(), document.getElementById("panel").scrollIntoView(), true)`)
	p.want("the header stays in sight", eval[string](p, `String(document.querySelector("header").getBoundingClientRect().top)`), "0")
	p.want("words", eval[string](p, `[...document.querySelectorAll(".diff mark")].slice(0, 4).map((e) => e.textContent).join(" ")`), `debug info "1" debug`)
	p.want("finding at its line", eval[string](p, `document.querySelector(".found").previousElementSibling.innerText.replace(/\s+/g, " ").trim()`), "10 − removed minReadySeconds: 5 cleared")
	lines := p.number(".diff tr.line")
	p.keys("u")
	if n := p.number(".diff tr.line"); n >= lines || p.number(".diff td.code") != 2*n {
		t.Errorf("%d lines side by side, %d unified", n, lines)
	}
	p.show(screen{"phone", 390, 844, false})
	p.want("on a phone", eval[string](p, `document.querySelector(".diff").className`), "diff unified")
	if wide := eval[int](p, `document.querySelector("main").scrollWidth`); wide > 390 {
		t.Errorf("the page is %d pixels wide on a phone", wide)
	}
}

// TestPruneTree follows what a deletion takes along.
func TestPruneTree(t *testing.T) {
	p := open(t, review(t, pruning...), desktop)
	tree := eval[string](p, `[...document.querySelectorAll(".roots code, .roots a")].map((e) => {
		let depth = 0;
		for (let a = e.closest("ul").parentElement.closest("ul"); a; a = a.parentElement.closest("ul")) depth++;
		return "  ".repeat(depth) + e.textContent;
	}).join("\n")`)
	for _, want := range []string{
		"shop/PersistentVolumeClaim/cache\n  PersistentVolume/pv-cache\n",
		"shop/Deployment.apps/legacy\n  shop/ReplicaSet.apps/legacy-7d9c\n    shop/Pod/legacy-7d9c-x2k4d\n    shop/Pod/legacy-7d9c-q9v7b\n  shop/ReplicaSet.apps/legacy-5b8f\n    shop/Pod/",
	} {
		if !strings.Contains(tree, want) {
			t.Errorf("the tree lacks\n%sit is\n%s", want, tree)
		}
	}
	p.do(chromedp.Click(chromedp.CSS(".roots a")))
	p.want("object", p.text("#heading"), "− pruned cache")
}

// TestAddress opens what the address says, and goes back.
func TestAddress(t *testing.T) {
	file := review(t, shop...)
	p := open(t, file, desktop)
	p.keys("j", "j", "3")
	hash := eval[string](p, "location.hash")
	p.do(chromedp.NavigateBack())
	p.want("one back, where the walk began", p.text("#heading"), verdict)
	q := open(t, file, desktop)
	eval[bool](q, `(location.hash = "`+hash+`&q=kind:Deployment", true)`)
	q.wait(`document.getElementById("heading").textContent.includes("web")`)
	q.want("tab", q.text("[role=tab][aria-selected=true]"), "Owners")
	q.list("list", "api web")
}
