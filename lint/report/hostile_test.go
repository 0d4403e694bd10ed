package report

import (
	"strings"
	"testing"
)

// TestFencedForGitLab: after GitLab's deletion of carriage returns no line closes the
// fence or is a quick action.
func TestFencedForGitLab(t *testing.T) {
	for _, s := range []string{"x\n``\r``\n\r/approve\n", "```\n/merge", "\r/approve", "`\r``\r\n/a", "\x1b[31m", "\u202e"} {
		lines := strings.Split(strings.ReplaceAll(fenced("", s), "\r", ""), "\n")
		fence := lines[0]
		for i, line := range lines[1:] {
			if strings.HasPrefix(line, "/") || strings.HasPrefix(strings.TrimSpace(line), fence) != (i == len(lines)-3) {
				t.Errorf("%q: line %q", s, line)
			}
		}
		if strings.ContainsAny(fenced("", s), "\r\x1b\u202e") {
			t.Errorf("%q: characters that act", s)
		}
	}
}
