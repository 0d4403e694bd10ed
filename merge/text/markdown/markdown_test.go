package markdown

import (
	"strings"
	"testing"
)

// TestFencedForGitLab: after GitLab's deletion of carriage returns no line closes the
// fence or is a quick action.
func TestFencedForGitLab(t *testing.T) {
	for _, s := range []string{"x\n``\r``\n\r/approve\n", "```\n/merge", "\r/approve", "`\r``\r\n/a", "\x1b[31m", "\u202e"} {
		lines := strings.Split(strings.ReplaceAll(string(Fenced("", s)), "\r", ""), "\n")
		fence := lines[0]
		for i, line := range lines[1:] {
			if strings.HasPrefix(line, "/") || strings.HasPrefix(strings.TrimSpace(line), fence) != (i == len(lines)-3) {
				t.Errorf("%q: line %q", s, line)
			}
		}
		if strings.ContainsAny(string(Fenced("", s)), "\r\x1b\u202e") {
			t.Errorf("%q: characters that act", s)
		}
	}
}

// TestFenced: no line of a block of code is a command for a bot, and no fence
// ends before the text does.
func TestFenced(t *testing.T) {
	for text, want := range map[string]string{
		"/merge":                "```\n /merge\n```\n",
		"a\n/close\n```\n/lgtm": "````\na\n /close\n```\n /lgtm\n````\n",
		" /a\nb/c":              "```\n /a\nb/c\n```\n",
	} {
		if got := string(Fenced("", text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got := Escape("by @team/x in #12"); got != `by @&#8203;team/x in \#&#8203;12` {
		t.Errorf("got %q", got)
	}
}
