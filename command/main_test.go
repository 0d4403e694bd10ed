package command

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the man page and the picture of the terminal")

// TestMain lets tests run this binary as threeway.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // most tests run the program within the test's process, thousands of times
	testscript.Main(m, map[string]func(){"threeway": func() { os.Exit(Main("", "")) }})
}
