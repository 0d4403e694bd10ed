package command

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"threeway/fixtures/breadth"
)

// browsers are the names under which Chromium is installed.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"}

// TestBrowser runs the tests of the review's page in Chromium, where there is
// one. WANT_CHROMIUM says that there must be.
func TestBrowser(t *testing.T) {
	if !breadth.All() {
		t.Skip("it takes a minute: WANT_CHROMIUM=1, which .ci/run does")
	}
	t.Parallel()
	installed := func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	}
	if !slices.ContainsFunc(browsers, installed) {
		if os.Getenv("WANT_CHROMIUM") != "" {
			t.Fatal("there is no Chromium")
		}
		t.Skip("there is no Chromium")
	}
	if out, err := exec.Command("go", "-C", "../lint/report/webpage/browser", "test", "./...").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
