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

// TestLink: a link opens a page and nothing else, and does not end before its address.
func TestLink(t *testing.T) {
	for address, want := range map[string]Text{
		"https://x/a":                "[a\\_b](<https://x/a>)",
		"https://x/>) [y](https://z": "[a\\_b](<https://x/%3E%29%20%5By%5D%28https://z>)",
		"javascript:alert(1)":        "a\\_b",
		"command:x":                  "a\\_b",
		"https://x/\n/approve":       "a\\_b",
	} {
		if got := Link("a_b", address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
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
	for text, linked := range map[string]bool{"shop/a>": true, "shop/>": false} {
		if got := linking([]rune(text[:len(text)-1]), []rune(">")); got != linked {
			t.Errorf("%q is a project of GitLab: %v", text, got)
		}
	}
	if got := Escape("by @team/x in #12"); got != `by @&#8203;team/x in \#&#8203;12` {
		t.Errorf("got %q", got)
	}
}
