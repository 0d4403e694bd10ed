// Package browser holds the playground against a real Chromium and against the
// command line. It is a module of its own, so that what drives the browser
// reaches no other one.
package browser

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var (
	program  = flag.String("threeway", "", "a binary that is built already")
	site     = flag.String("site", "", "folder with a playground that is built already")
	pictures = flag.String("pictures", "", "folder for pictures of the page")
	axe      = flag.String("axe", "", "file axe.min.js of axe-core, which looks for what cannot be read by all")
)

// root is the top of threeway's own module.
const root = "../../.."

// address is where the playground is, threeway the program, and chromium one
// browser for all tests.
var (
	address  string
	threeway string
	chromium context.Context
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "threeway-playground-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	var commands [][]string
	if threeway = *program; threeway == "" {
		threeway = filepath.Join(dir, "threeway")
		commands = append(commands, []string{"go", "build", "-o", threeway, "."})
	}
	if *site == "" {
		*site = filepath.Join(dir, "site")
		commands = append(commands, []string{"site/playground/build", *site})
	}
	for _, args := range commands {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n%s", strings.Join(args, " "), err, out)
			return 1
		}
	}
	server := httptest.NewServer(http.FileServer(http.Dir(*site)))
	defer server.Close()
	address = server.URL + "/"
	// The flags keep the browser from calling its maker. The last ones let it
	// run as root, as in a container.
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.NoSandbox, chromedp.DisableGPU)
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	defer cancel()
	var stop context.CancelFunc
	chromium, stop = chromedp.NewContext(alloc)
	defer stop()
	if err := chromedp.Do(chromium); err != nil {
		fmt.Fprintln(os.Stderr, "start chromium:", err)
		return 1
	}
	return m.Run()
}

// tab is the playground in the browser, and what went wrong in it.
type tab struct {
	context.Context
	t *testing.T

	mu       sync.Mutex
	troubles []string
}

// screen is what a page is shown on.
type screen struct {
	name          string
	width, height int64
	dark          bool
}

var desktop = screen{"1280", 1280, 900, false}

// heard keeps what the worker tells the page.
const heard = `window.heard = []; window.Worker = class extends Worker {
	constructor(...args) { super(...args); this.addEventListener("message", (e) => heard.push(e.data)); }
};`

// open loads the playground and waits for its first answer. The test fails at its
// end if the page asked another server, wrote to the console, threw an error or
// broke its own policy.
func open(t *testing.T, s screen, fragment string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium)
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancelTime)
	p := &tab{Context: ctx, t: t}
	t.Cleanup(p.check)
	if err := chromedp.Listen(p, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; !strings.HasPrefix(url, address) && !strings.HasPrefix(url, "data:image/svg+xml,") {
				p.trouble("request: %s", url)
			}
		case *runtime.EventConsoleAPICalled:
			p.trouble("console: %s %v", e.Type, e.Args)
		case *runtime.EventExceptionThrown:
			p.trouble("exception: %s %s", e.ExceptionDetails.Text, e.ExceptionDetails.Exception.Description)
		case *log.EventEntryAdded:
			p.trouble("log: %s: %s", e.Entry.Source, e.Entry.Text)
		}
	}); err != nil {
		t.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: heard})
	p.show(s)
	p.do(chromedp.Navigate(address + fragment))
	p.wait("the first answer", "Number(document.body.dataset.answers) > 0")
	return p
}

// show lays the page out for another screen.
func (p *tab) show(s screen) {
	p.t.Helper()
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.width < 700})
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// call sends a command of the DevTools protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	r, err := chromedp.Call(p, command, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

func (p *tab) trouble(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.troubles = append(p.troubles, fmt.Sprintf(format, args...))
}

func (p *tab) check() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range p.troubles {
		p.t.Error(text)
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// eval runs a script in the page, in which the Content-Security-Policy has no
// say, and returns its value.
func eval[T any](p *tab, script string) T {
	p.t.Helper()
	v, err := chromedp.Run(p, chromedp.Evaluate[T](script))
	if err != nil {
		p.t.Fatalf("%v: %s", err, script)
	}
	return v
}

// wait waits until a script says true.
func (p *tab) wait(what, script string) {
	p.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !eval[bool](p, script); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited two minutes for %s; the page says: %s", what, p.text("#answer"))
		}
	}
}

// answers runs a script and waits for the answer to what it has changed.
func (p *tab) answers(script string) {
	p.t.Helper()
	before := eval[int](p, fmt.Sprintf("(() => { const n = Number(document.body.dataset.answers); %s; return n; })()", script))
	p.wait("an answer", fmt.Sprintf("Number(document.body.dataset.answers) > %d", before))
}

// text is the text of the first element that matches, as it is seen.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

// picture keeps a picture of the whole page, if pictures are wanted.
func (p *tab) picture(name string) {
	p.t.Helper()
	if *pictures == "" {
		return
	}
	png, err := chromedp.Run(p, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name+".png"), png, 0o666); err != nil {
		p.t.Fatal(err)
	}
}
