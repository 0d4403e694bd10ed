package textdiff

import "strings"

// Contrast are two different values as texts to show side by side: of texts of several lines
// those that differ, of what is still longer than width the part that does. … stands for what is
// left out. text is a value on one line; what it makes of different values must differ.
func Contrast(a, b any, text func(any) string, width int) (string, string) {
	head, tail := "", ""
	if s, is := a.(string); is {
		if t, is := b.(string); is && s != t {
			s, t, head, tail = differing(s, t)
			a, b = s, t
		}
	}
	x, y := Apart(text(a), text(b), width)
	return head + x + tail, head + y + tail
}

// differing are the lines of two texts between those that both begin and end with, and what
// stands for these. Beside nothing there is one of them, to see where.
func differing(a, b string) (x, y, head, tail string) {
	s, t := strings.Split(a, "\n"), strings.Split(b, "\n")
	from, same := 0, 0
	for shorter := min(len(s), len(t)); from < shorter && s[from] == t[from]; {
		from++
	}
	for shorter := min(len(s), len(t)) - from; same < shorter && s[len(s)-1-same] == t[len(t)-1-same]; {
		same++
	}
	if min(len(s), len(t)) == from+same {
		if from > 0 {
			from--
		} else {
			same--
		}
	}
	if from > 0 {
		head = "…"
	}
	if strings.Join(s[len(s)-same:], "") != "" { // else they are line breaks
		tail = "…"
	}
	return strings.Join(s[from:len(s)-same], "\n"), strings.Join(t[from:len(t)-same], "\n"), head, tail
}

// Apart cuts two different texts to at most width runes, and at least 5, around the first
// place where they differ, with … for what is left out. They never become the same text;
// those that fit stay whole.
func Apart(a, b string, width int) (string, string) {
	x, y := []rune(a), []rune(b)
	width = max(width, 5)
	if len(x) <= width && len(y) <= width {
		return a, b
	}
	at := 0
	for at < min(len(x), len(y)) && x[at] == y[at] {
		at++
	}
	from := max(0, at-width/3)
	if rest := max(len(x), len(y)) - from; from > 0 && rest < width {
		from = max(0, from-(width-rest)+1) // room is left at the end
	}
	return view(x, from, width), view(y, from, width)
}

// view are width runes of a text, marks for what is left out included.
func view(text []rune, from, width int) string {
	head, tail := "", ""
	if from > 0 {
		head, width = "…", width-1
	}
	end := min(len(text), from+width)
	if end < len(text) {
		end, tail = end-1, "…"
	}
	return head + string(text[min(from, len(text)):max(min(from, len(text)), end)]) + tail
}
