package browser

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// question is the state of the page, in the words of its own JSON.
type question struct {
	ID          string `json:"id"`
	Manifest    string `json:"manifest"`
	Live        string `json:"live"`
	LastApplied string `json:"lastApplied"`
}

// TestExamples: every view of every example is byte for byte what the command
// line prints about the same files.
func TestExamples(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(*site, "playground", "examples.json"))
	if err != nil {
		t.Fatal(err)
	}
	var examples []question
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	p := open(t, desktop, "")
	compared := 0
	for _, e := range examples {
		p.answers(fmt.Sprintf(`heard.length = 0; const s = document.getElementById("example"); s.value = %q; s.dispatchEvent(new Event("change"))`, e.ID))
		for _, view := range []string{"diff", "patch", "text", "review"} {
			p.answers(fmt.Sprintf(`document.getElementById("tab-%s").click()`, view))
		}
		dir := t.TempDir()
		for name, text := range map[string]string{"manifest.yaml": e.Manifest, "live.yaml": e.Live, "last-applied.yaml": e.LastApplied} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		type answer struct{ Command, Out, Err string }
		heard := eval[[]struct{ Answer *answer }](p, "heard.filter((h) => h.answer)")
		seen := map[string]bool{}
		for _, h := range heard {
			if seen[h.Answer.Command] {
				continue
			}
			seen[h.Answer.Command] = true
			var out, errs strings.Builder
			cmd := exec.Command(threeway, strings.Fields(h.Answer.Command)[1:]...)
			cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
			_ = cmd.Run() // how it ends is in what it says
			printed := out.String()
			if strings.HasSuffix(h.Answer.Command, " -o html") || strings.Contains(h.Answer.Command, " -o html ") {
				printed = strings.Join(slices.Collect(sheets(printed)), "\n")
			}
			if h.Answer.Out != printed || h.Answer.Err != errs.String() {
				t.Errorf("%s: %s\nthe page:\n%s%s\nthe command line:\n%s%s", e.ID, h.Answer.Command, h.Answer.Out, h.Answer.Err, printed, errs.String())
			}
			compared++
		}
		if len(seen) != 6 {
			t.Errorf("%s: %d commands were run, not 6", e.ID, len(seen))
		}
	}
	t.Logf("%d examples, %d answers compared", len(examples), compared)
}

// sheets are the objects in a page of review.
func sheets(page string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(page) {
			if _, sheet, is := strings.Cut(line, `id="part-`); is {
				_, sheet, _ = strings.Cut(sheet, ">")
				sheet, _, _ = strings.Cut(sheet, "</script>")
				if !yield(sheet) {
					return
				}
			}
		}
	}
}

// TestFirstScreen: the three ways and the result of each field, and why, are on the first screen.
func TestFirstScreen(t *testing.T) {
	p := open(t, screen{"small", 1280, 800, false}, "")
	got := eval[[]string](p, `[...document.querySelectorAll("#shown tr")].filter((e) => e.getBoundingClientRect().bottom <= innerHeight).map((e) => [...e.children].map((c) => c.textContent).join(" | "))`)
	want := []string{
		"Field | Last-applied | Manifest | Live | Result | Why",
		"spec.minReadySeconds | 5 | –absent | 5 | –absent | cleared removed from the manifest",
		"spec.replicas | –absent | –absent | 2 | 2 | kept in neither the manifest nor last-applied; kept (kubectl)",
		"spec.template.spec.containers[name=nginx].image | nginx:1.14.2 | nginx:1.16.1 | nginx:1.14.2 | nginx:1.16.1 | set changed in the manifest",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the first screen has the rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestResult: of every example, each field that the result has and live has not is
// marked at its line, with its reason.
func TestResult(t *testing.T) {
	p := open(t, desktop, "")
	ids := eval[[]string](p, `[...document.querySelectorAll("#example optgroup option")].map((o) => o.value)`)
	for _, id := range ids {
		p.answers(fmt.Sprintf(`heard.length = 0; const s = document.getElementById("example"); s.value = %q; s.dispatchEvent(new Event("change"))`, id))
		missing := eval[[]string](p, `(() => {
			const review = JSON.parse(heard.find((h) => h.answer?.command.startsWith("threeway review")).answer.out || '{"diff": {"objects": []}}');
			const marked = new Set([...document.querySelectorAll("#result .line[title]")].map((e) => e.title + " " + e.querySelector(".pill").textContent));
			return review.diff.objects.filter((o) => o.action !== "rejected").flatMap((o) => o.changes ?? []).filter((c) => c.new !== undefined)
				.map((c) => c.path + ": " + c.explanation + " " + c.reason).filter((c) => !marked.has(c));
		})()`)
		if len(missing) > 0 {
			t.Errorf("%s: not marked: %q", id, missing)
		}
	}
}

// TestTour goes through the tour to its end.
func TestTour(t *testing.T) {
	p := open(t, desktop, "")
	p.answers(`document.getElementById("tour").click()`)
	for i := 1; i <= 5; i++ {
		if got := p.text("#steps p"); !strings.HasPrefix(got, fmt.Sprintf("%d of 5", i)) {
			t.Fatalf("step %d says %q", i, got)
		}
		if i < 5 {
			p.answers(`document.querySelector("#steps button").click()`)
		}
	}
	eval[bool](p, `(document.querySelector("#steps button").click(), true)`)
	if eval[bool](p, `document.getElementById("steps").checkVisibility()`) {
		t.Error("the tour has no end")
	}
	p.answers(`const s = document.getElementById("example"); s.value = ""; s.dispatchEvent(new Event("change"))`)
	if got := eval[string](p, `["manifest", "live", "lastApplied"].map((id) => document.getElementById(id).value).join("")`) + p.text("#about"); !strings.HasPrefix(got, "Paste your manifest") || p.text("#headline") != "Nothing to apply yet" || p.text("#result") != "" {
		t.Errorf("one's own begins with %q", got)
	}
}

// TestSkip: the link to the answer leads there, and leaves what was typed.
func TestSkip(t *testing.T) {
	p := open(t, desktop, "")
	p.answers(`const m = document.getElementById("manifest"); m.value = "# mine\n" + m.value; m.dispatchEvent(new Event("input"))`)
	eval[bool](p, `(document.querySelector(".skip").click(), true)`)
	p.wait("the answer", `document.activeElement.id === "answer"`)
	if got := eval[string](p, `document.getElementById("manifest").value`); !strings.HasPrefix(got, "# mine") {
		t.Errorf("the manifest is now %q", got)
	}
}

// TestTyping: answers follow the keys, a mistake is shown at its place while the
// last good answer stays, and the page is quick.
func TestTyping(t *testing.T) {
	p := open(t, desktop, "")
	t.Logf("the page shows an answer after %.0f ms; the program has answered after %.0f ms", eval[float64](p, "Number(document.body.dataset.shown)"), eval[float64](p, "Number(document.body.dataset.first)"))
	if got := p.text("#headline"); !strings.Contains(got, "1 changed") {
		t.Errorf("the headline says %q", got)
	}
	var took []float64
	p.answers(`document.getElementById("manifest").focus(); document.getElementById("manifest").setSelectionRange(0, 0); document.execCommand("insertText", false, "#\n")`)
	p.answers(`document.execCommand("insertText", false, "}")`)
	if got := p.text("#manifest-mistakes"); !strings.Contains(got, "Line 2, column") {
		t.Errorf("the pane says %q", got)
	}
	if !eval[bool](p, `document.getElementById("last").classList.contains("stale") && document.querySelector("#shown table") !== null`) {
		t.Error("the last good answer is not shown as such")
	}
	p.answers(`document.execCommand("delete")`)
	if eval[bool](p, `document.getElementById("last").classList.contains("stale")`) || p.text("#manifest-mistakes") != "" {
		t.Error("the mistake is still shown after it is mended")
	}
	p.answers(`document.execCommand("insertText", false, "# \n"); document.getElementById("manifest").setSelectionRange(3, 3)`)
	for i := range 60 {
		p.answers(fmt.Sprintf(`document.execCommand("insertText", false, %q)`, string(rune('a'+i%26))))
		took = append(took, eval[float64](p, "Number(document.body.dataset.took)"))
	}
	slices.Sort(took)
	t.Logf("answer after a key: p50 %.0f ms, p95 %.0f ms, longest %.0f ms", took[len(took)/2], took[len(took)*95/100], took[len(took)-1])
}

// TestLink: a link brings another browser to the same state.
func TestLink(t *testing.T) {
	p := open(t, desktop, "")
	p.answers(`const m = document.getElementById("manifest"); m.value = m.value.replace("1.16.1", "9.9.9 # ä€😀"); m.dispatchEvent(new Event("input"))`)
	p.answers(`document.getElementById("how").value = "--server-side"; document.getElementById("how").dispatchEvent(new Event("change"))`)
	eval[bool](p, `(document.getElementById("link").click(), true)`)
	p.wait("the link", `location.hash.startsWith("#s=")`)
	state := `JSON.stringify(["manifest", "live", "lastApplied", "flags", "how"].map((id) => document.getElementById(id).value))`
	want, fragment := eval[string](p, state), eval[string](p, "location.hash")
	other := open(t, desktop, fragment)
	if got := eval[string](other, state); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := open(t, desktop, "#example=strategy-recreate").text("#about"); !strings.Contains(got, "RollingUpdate") && !strings.Contains(got, "rollingUpdate") {
		t.Errorf("the example says %q", got)
	}
	if got := open(t, desktop, "#s=nonsense").text("#about"); !strings.Contains(got, "damaged") {
		t.Errorf("a damaged link says %q", got)
	}
}

// TestKeys: the page can be used with a keyboard alone, in the order in which it is
// read.
func TestKeys(t *testing.T) {
	p := open(t, desktop, "")
	var order []string
	for range 18 {
		p.do(chromedp.KeyEvent(kb.Tab))
		order = append(order, eval[string](p, `document.activeElement.id || document.activeElement.textContent`))
	}
	want := "Skip to the answer,What it does,Install,Rules,A sample review,中文,theme,example,how,flags,tour,link,lastApplied,live,manifest,result,tab-review,shown"
	if got := strings.Join(order, ","); !strings.HasPrefix(got, want) {
		t.Errorf("the tab key goes to %s", got)
	}
	eval[bool](p, `(document.getElementById("tab-review").focus(), true)`)
	before := eval[int](p, "Number(document.body.dataset.answers)")
	p.do(chromedp.KeyEvent(kb.ArrowRight))
	p.wait("an answer", fmt.Sprintf("Number(document.body.dataset.answers) > %d", before))
	if got := eval[string](p, "document.activeElement.id"); got != "tab-diff" {
		t.Errorf("the arrow leads to %s", got)
	}
	if got := p.text("#shown"); !strings.Contains(got, "image: nginx:1.16.1") {
		t.Errorf("the difference is %q", got)
	}
}
