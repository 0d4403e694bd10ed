package tables

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Call is one call of a function that a test of upstream makes.
type Call struct {
	Test  string            // the test function
	Func  string            // the function it calls
	On    json.RawMessage   // what the method is called on; null if it is not data
	Args  []json.RawMessage // the arguments before the call; null for one that is not data
	Index int               // among the calls of its test

	// Results are what the function returned.
	Results []json.RawMessage
}

// String names the call: TestPrune#3.
func (c Call) String() string { return fmt.Sprintf("%s#%d", c.Test, c.Index) }

// Harvest is a package of upstream, the functions whose calls its tests make
// are recorded, and Go source that says how their arguments become data.
type Harvest struct {
	Package string
	// Functions are declared in the package; a method has its type in front:
	// Validator.Validate.
	Functions []string
	// Imports and Encode are source: the import specs that Encode needs, and the
	// cases of a type switch over an argument "v" that return data.
	Imports, Encode string
	// Helpers is source of functions that Encode needs.
	Helpers string
	// Tests is a regular expression that chooses tests; all if empty.
	Tests string
	// Callers are other packages whose tests run as well.
	Callers []string
	// Published says that the tests read what Kubernetes publishes as OpenAPI.
	Published bool
}

// Calls runs the tests and returns what they call, in order. The test fails
// where the package cannot be instrumented or compiled; it makes no difference
// whether upstream's tests pass.
func (h Harvest) Calls(t *testing.T) []Call {
	t.Helper()
	dir := t.TempDir()
	upstream, modfile, err := find(h.Package, dir)
	if err != nil {
		t.Fatalf("%s: %v", h.Package, err)
	}
	if h.Published {
		if err := upstream.published(); err != nil {
			t.Fatalf("%s: %v", h.Package, err)
		}
	}
	overlay, err := h.overlay(upstream, dir)
	if err != nil {
		t.Fatalf("%s: %v", h.Package, err)
	}
	out := filepath.Join(dir, "calls.jsonl")
	args := []string{"test", "-modfile", modfile, "-vet=off", "-count=1", "-p=1", "-parallel=1", "-overlay", overlay, "-run", h.Tests, h.Package}
	cmd := exec.Command("go", append(args, h.Callers...)...)
	cmd.Env = append(os.Environ(), recordTo+"="+out)
	said, runErr := cmd.CombinedOutput()
	if runErr != nil {
		t.Logf("%s: upstream's own tests: %v\n%s", h.Package, runErr, tail(said))
	}
	calls, err := readCalls(out)
	if err != nil || len(calls) == 0 {
		t.Fatalf("%s: no calls recorded: %v", h.Package, err)
	}
	return calls
}

const recordTo = "THREEWAY_RECORD_CALLS"

func tail(text []byte) string {
	const most = 2000
	return string(text[max(0, len(text)-most):])
}

func readCalls(file string) ([]Call, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var calls []Call
	numbers := map[string]int{}
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) == 0 && err != nil {
			return calls, nil
		}
		var c Call
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, err
		}
		c.Test = c.Test[strings.LastIndex(c.Test, ".")+1:]
		c.Index = numbers[c.Test]
		numbers[c.Test]++
		calls = append(calls, c)
	}
}
