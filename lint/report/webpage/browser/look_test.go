package browser

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// faint lists texts whose colour is too near to the one behind them: below 4.5
// to 1, the limit of WCAG 2.2 for text of this size.
const faint = `(() => {
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	const known = new Map();
	const rgb = (css, under) => {
		const key = css + under;
		if (!known.has(key)) known.set(key, draw(css, under));
		return known.get(key);
	};
	const draw = (css, under) => {
		canvas.fillStyle = under ? "rgb(" + under.join(" ") + ")" : "white";
		canvas.fillRect(0, 0, 1, 1);
		canvas.fillStyle = css;
		canvas.fillRect(0, 0, 1, 1);
		return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
	};
	const light = (c) => {
		const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = (e) => {
		const all = [];
		for (; e; e = e.parentElement) all.unshift(getComputedStyle(e).backgroundColor);
		return all.reduce((under, css) => rgb(css, under), getComputedStyle(document.documentElement).colorScheme === "dark" ? [0, 0, 0] : [255, 255, 255]);
	};
	const bad = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement, box = e.getBoundingClientRect();
		if (!walk.currentNode.data.trim() || !box.width || e.closest("script, noscript, .for-reader, :disabled, #print") || getComputedStyle(e).visibility === "hidden") continue;
		const under = behind(e), [a, b] = [light(rgb(getComputedStyle(e).color, under)), light(under)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) bad.add(e.tagName + "." + e.className + ": " + walk.currentNode.data.trim().slice(0, 30) + " " + ratio.toFixed(2));
	}
	return [...bad];
})()`

// nameless lists what can be used and has no name, and landmarks that are not
// there once.
const nameless = `(() => {
	const bad = [];
	for (const e of document.querySelectorAll("button, a, input, select, summary, [role=listbox], [role=tab], [role=tabpanel], table, dialog, nav")) {
		if (e.closest("#print") || !e.getClientRects().length) continue;
		const name = e.getAttribute("aria-label") ?? (document.getElementById(e.getAttribute("aria-labelledby"))?.textContent || e.textContent);
		if (!name.trim()) bad.push("no name: " + e.outerHTML.slice(0, 80));
	}
	for (const [what, n] of Object.entries({ main: 1, nav: 1, header: 1, h1: 1, "[role=search]": 1, "[role=status]": 1 })) {
		if (document.querySelectorAll("body > " + what + ", nav " + what + ", header " + what).length !== n) bad.push(what + " is not there " + n + " time");
	}
	const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter((h) => h.getClientRects().length).map((h) => Number(h.tagName[1]));
	levels.forEach((l, i) => { if (i && l > levels[i - 1] + 1) bad.push("a heading of level " + l + " follows one of " + levels[i - 1]); });
	const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
	for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) bad.push("two elements have the id " + id);
	for (const e of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-activedescendant]")) {
		for (const a of ["aria-controls", "aria-labelledby", "aria-activedescendant"]) {
			if (e.hasAttribute(a) && !document.getElementById(e.getAttribute(a))) bad.push(a + " names nothing: " + e.getAttribute(a));
		}
	}
	for (const t of document.querySelectorAll("main table:not(.source)")) if (!t.querySelector("thead [role=columnheader]")) bad.push("a table without heads: " + t.className);
	for (const e of document.querySelectorAll("[role=listbox]")) if (e.getClientRects().length && !e.querySelector("[role=option]")) bad.push("a list without options");
	for (const e of document.querySelectorAll("main *")) {
		const scrolls = e.scrollHeight > e.clientHeight + 1 && ["auto", "scroll"].includes(getComputedStyle(e).overflowY);
		if (scrolls && e.tabIndex < 0 && !e.querySelector("a, button, [tabindex='0']")) bad.push("no key scrolls " + e.className);
	}
	const odd = document.querySelector("main").innerText.match(/\[object \w+\]|\bundefined\b|\bNaN\b/);
	if (odd) bad.push("not a text: " + odd[0]);
	return bad;
})()`

// TestSeeing goes through all views, on a screen and a phone, light and dark, and
// looks for texts that are hard to read, for what cannot be read aloud, and for
// what is wider than the screen.
func TestSeeing(t *testing.T) {
	file, pruned := review(t, shop...), review(t, pruning...)
	for _, s := range []screen{{"light", 1440, 900, false}, {"dark", 1440, 900, true}, {"phone", 390, 844, false}, {"dark phone", 390, 844, true}} {
		p := open(t, file, s)
		look := func(p *tab, what string) {
			t.Helper()
			for _, bad := range append(eval[[]string](p, faint), eval[[]string](p, nameless)...) {
				t.Errorf("%s, %s: %s", s.name, what, bad)
			}
			if wide := eval[int](p, `Math.max(document.documentElement.scrollWidth, document.querySelector("main").scrollWidth)`); wide > int(s.width) {
				t.Errorf("%s, %s: %d pixels wide", s.name, what, wide)
			}
		}
		look(p, "overview")
		for range 8 {
			p.keys("j", "1", "a", "e")
			look(p, p.text("#heading")+" fields")
			eval[bool](p, `(document.querySelectorAll("main details").forEach((d) => { d.open = true; }), true)`)
			look(p, "findings")
			p.keys("2")
			look(p, p.text("#heading")+" diff")
			p.keys("u", "3")
			eval[bool](p, `(document.querySelectorAll("#panel details").forEach((d) => { d.open = true; }), true)`)
			look(p, "owners")
			p.keys("4")
			look(p, "patch")
			p.keys("1", "a")
		}
		p.keys("?")
		look(p, "help")
		if s.width < 700 {
			eval[bool](p, `(document.querySelector("dialog").close(), document.querySelector(".back").click(), true)`)
			look(p, "list")
		}
		p = open(t, pruned, s)
		look(p, "prune")
		p.keys("/", "~")
		look(p, "nothing found")
	}
}

func TestThemes(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	background := func() string { return eval[string](p, `getComputedStyle(document.body).backgroundColor`) }
	p.want("light", background(), "rgb(255, 255, 255)")
	p.show(screen{"dark", 1440, 900, true})
	p.want("as the system", background(), "rgb(16, 20, 24)")
	p.keys("t")
	p.want("light in spite of the system", background(), "rgb(255, 255, 255)")
	p.keys("t")
	p.show(desktop)
	p.want("dark in spite of the system", background(), "rgb(16, 20, 24)")
	p.keys("t")
	p.want("as the system again", background(), "rgb(255, 255, 255)")
}

// TestPrint prints, and looks at what was laid out for it.
func TestPrint(t *testing.T) {
	p := open(t, review(t, shop...), screen{"dark", 1440, 900, true})
	eval[bool](p, `(addEventListener("beforeprint", () => { window.printed = document.getElementById("print").textContent; window.background = getComputedStyle(document.body).colorScheme; }), true)`)
	pdf, err := chromedp.Run(p, chromedp.PrintToPDF(chromedp.PDFPrintBackground(), chromedp.PDFPreferCSSPageSize()))
	if err != nil {
		t.Fatal(err)
	}
	if pages := bytes.Count(pdf, []byte("/Type /Page\n")); pages < 2 || pages > 12 {
		t.Errorf("%d pages", pages)
	}
	if *pictures != "" {
		if err := os.WriteFile(filepath.Join(*pictures, "print.pdf"), pdf, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text := eval[string](p, "window.printed")
	for _, want := range []string{verdict, "! shop/Deployment.apps/api", "spec.selector differs", "± shop/Deployment.apps/web", "minReadySeconds", "cleared", "+ shop/ConfigMap/hostile"} {
		if !strings.Contains(text, want) {
			t.Errorf("what is printed has no %q", want)
		}
	}
	if strings.Contains(text, "shop/ConfigMap/quiet") {
		t.Error("what does not change is printed")
	}
	if n := p.number("#print"); n != 0 {
		t.Error("what was printed is still in the page")
	}
	p.keys("j")
	p.want("afterwards", p.text("#heading"), "! rejected api")
}
