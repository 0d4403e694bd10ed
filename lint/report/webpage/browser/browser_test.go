// Package browser holds the page of threeway review -o html against a real
// Chromium. It is a module of its own, so that what drives the browser reaches
// no other one; the tests of package webpage run it where there is a Chromium.
package browser

import (
	"context"
	"flag"
	"fmt"
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
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "folder for pictures of the pages")

// root is the top of threeway's own module.
const root = "../../../.."

// threeway is the program, built anew, and chromium one browser for all tests.
var (
	threeway string
	chromium context.Context
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "threeway-browser-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	threeway = filepath.Join(dir, "threeway")
	build := exec.Command("go", "build", "-o", threeway, ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
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

// review writes a report with the arguments and returns its file.
func review(t *testing.T, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	cmd := exec.Command(threeway, append([]string{"review", "-q", "--fail-on", "never", "-o", "html=" + file}, args...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("threeway %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out)
	}
	return file
}

// tab is a page in the browser, and what went wrong in it.
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

var desktop = screen{"desktop", 1440, 900, false}

// open loads a file and fails the test at its end if the page made a request,
// wrote to the console, threw an error or broke its own policy.
func open(t *testing.T, file string, s screen) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium)
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancelTime)
	p := &tab{Context: ctx, t: t}
	t.Cleanup(p.check)
	address := "file://" + file
	if err := chromedp.Listen(p, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; strings.SplitN(url, "#", 2)[0] != address && !strings.HasPrefix(url, "data:image/svg+xml,") {
				p.trouble("request: %s", url)
			}
		case *runtime.EventConsoleAPICalled:
			p.trouble("console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			p.trouble("exception: %s %s", e.ExceptionDetails.Text, e.ExceptionDetails.Exception.Description)
		case *log.EventEntryAdded:
			p.trouble("log: %s: %s", e.Entry.Source, e.Entry.Text)
		}
	}); err != nil {
		t.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	p.show(s)
	p.do(chromedp.Navigate(address))
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

// text is the text of the first element that matches, as it is seen.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

func (p *tab) number(selector string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

// key presses keys one after the other, as somebody at a keyboard.
func (p *tab) keys(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// picture keeps a picture of what is seen, if pictures are wanted.
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
