package textdiff

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
