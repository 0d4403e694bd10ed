package inputs

import (
	"context"
	"strings"
	"testing"
	"time"

	"threeway/command/system"
)

// TestPolicyCommandEnds: a program that hangs, or leaves one behind that does, is no answer.
func TestPolicyCommandEnds(t *testing.T) {
	defer func(was time.Duration) { mostTime = was }(mostTime)
	mostTime = 200 * time.Millisecond
	for script, want := range map[string]string{"exec sleep 60": "it has not ended after 200ms", "sleep 60 & echo null": "it failed and printed no violation"} {
		q := &question{}
		start := time.Now()
		_, err := q.run(context.Background(), system.Program{Path: "sh", Args: []string{"-c", script}, Patience: 10 * time.Millisecond})
		if err == nil || !strings.Contains(err.Error(), want) || time.Since(start) > 30*time.Second {
			t.Errorf("%s: %v after %v, not %q", script, err, time.Since(start), want)
		}
	}
}
