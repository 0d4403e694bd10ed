package browser

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestHostile looks at values that would do harm if the page took them for more
// than text.
func TestHostile(t *testing.T) {
	p := open(t, review(t, shop...), desktop)
	eval[bool](p, `(document.getElementById("search").value = "", true)`)
	p.do(chromedp.SendKeys(chromedp.CSS("#search"), "name:hostile"))
	p.keys(kb.Enter, kb.ArrowDown, kb.Enter)
	for _, view := range []string{"1", "2", "3", "4"} {
		p.keys(view)
		if view == "1" {
			p.keys("a", "e")
		}
		text := p.text("main")
		for _, want := range []string{
			"</script><script>window.hacked = 1; alert(1)</script>", `<img src=x onerror="window.hacked = 2">`, "javascript:window.hacked=3",
			"&lt;b&gt; &amp; &#x3c;", "${window.hacked=4}", "</title></style></textarea><svg onload=window.hacked=6>",
		} {
			if want = map[string]string{"4": jsonText(want)}[view] + map[string]string{"1": want, "2": want}[view]; !strings.Contains(text, want) {
				t.Errorf("view %s does not show %s", view, want)
			}
		}
		if view == "1" && !strings.Contains(text, "adminU+202EU+2066// userU+2069U+2066 onlyU+2069") {
			t.Error("characters that turn text around are not named")
		}
		if strings.ContainsAny(text, "\u202e\u2066\u2069\u200b\u2028\u2029\ufeff\x1b\x07") {
			t.Errorf("view %s shows characters that do not show", view)
		}
	}
	if n := eval[int](p, `document.querySelectorAll("body img, body svg, body iframe, body style, body script:not([type='application/json'])").length`); n != 1 {
		t.Errorf("%d elements that run or load, want only the page's own script", n)
	}
	if n := eval[int](p, `[...document.querySelectorAll("a")].filter((a) => a.getAttribute("href")[0] !== "#").length`); n != 0 {
		t.Errorf("%d links lead away", n)
	}
	p.want("hacked", eval[string](p, `String(window.hacked)`), "undefined")
}

// jsonText is a text as the JSON of a patch has it.
func jsonText(text string) string { return strings.ReplaceAll(text, `"`, `\"`) }

// TestPolicy tries what the page's policy forbids.
func TestPolicy(t *testing.T) {
	file := review(t, shop...)
	p := open(t, file, desktop)
	for what, script := range map[string]string{
		"request":       `fetch("https://example.com/").then(() => "done", (e) => "refused")`,
		"file":          `fetch(location.href).then(() => "done", (e) => "refused")`,
		"image":         `new Promise((r) => { const i = new Image(); i.onload = () => r("done"); i.onerror = () => r("refused"); i.src = "https://example.com/x.png"; })`,
		"script":        `(() => { const s = document.createElement("script"); try { s.textContent = "window.ran = 1"; document.body.append(s); } catch { } return window.ran ? "done" : "refused"; })()`,
		"HTML":          `(() => { try { document.body.innerHTML = "<p>x</p>"; return "done"; } catch { return "refused"; } })()`,
		"style":         `(() => { const s = document.createElement("style"); s.textContent = "body { display: none }"; document.head.append(s); const seen = getComputedStyle(document.body).display; s.remove(); return seen === "none" ? "done" : "refused"; })()`,
		"eval":          `(() => { const f = document.createElement("a"); try { f.setAttribute("onclick", "window.clicked = 1"); f.click(); } catch { } return window.clicked ? "done" : "refused"; })()`,
		"inline styles": `(() => { const p = document.createElement("p"); p.setAttribute("style", "color: red"); document.body.append(p); const c = getComputedStyle(p).color; p.remove(); return c === "rgb(255, 0, 0)" ? "done" : "refused"; })()`,
	} {
		got, err := chromedp.Run(p, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		p.want(what, got, "refused")
	}
	p.mu.Lock()
	if len(p.troubles) == 0 {
		t.Error("the browser reports no violation, so that the other tests could not see one")
	}
	p.troubles = nil
	p.mu.Unlock()
}

// TestSecrets looks for values of Secrets in all of the file.
func TestSecrets(t *testing.T) {
	data, err := os.ReadFile(review(t, shop...))
	if err != nil {
		t.Fatal(err)
	}
	for _, canary := range []string{"canary-of-the-config", "canary-of-last-applied", "canary-of-the-live-one", "canary-that-stays"} {
		for _, text := range []string{canary, base64.StdEncoding.EncodeToString([]byte(canary))} {
			if strings.Contains(string(data), text) {
				t.Errorf("the page has %s", text)
			}
		}
	}
	for _, want := range []string{"*** (before)", "*** (after)", "***"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
