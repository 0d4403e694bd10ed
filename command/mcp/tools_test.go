//go:build !js

package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestCost: a call does not take longer than its limit, reads what it names twice once, and
// does not name thousands of files.
func TestCost(t *testing.T) {
	t.Chdir(t.TempDir())
	release := make(chan bool)
	var last []string
	box := &toolbox{limit: 50 * time.Millisecond, runs: func(_ context.Context, args []string, out, _ io.Writer) int {
		if last = args; strings.Contains(fmt.Sprint(args), "slow") {
			<-release
		}
		fmt.Fprint(out, "{}")
		return 0
	}}
	call := func(arguments string) string {
		answer, failure := box.call(context.Background(), "guard", json.RawMessage(arguments))
		return fmt.Sprint(answer, failure)
	}
	if got := call(`{"manifests":["slow.yaml"]}`); !strings.Contains(got, "no answer within 50ms; name fewer manifests") {
		t.Errorf("a slow run: %s", got)
	}
	close(release)
	box.limit = time.Minute
	if got := call(`{"manifests":["a.yaml","./a.yaml","a.yaml"]}`); strings.Contains(got, "isError:true") || len(last) != 3 {
		t.Errorf("a name that is repeated: %s, %v", got, last)
	}
	if got := call(`{"live":[` + strings.Repeat(`"a",`, mostPaths) + `"b"]}`); !strings.Contains(got, "name their directory") {
		t.Errorf("many names: %s", got)
	}
}
