package textdiff

import "strconv"

// NoNewline is the line that diff prints after a line without a newline.
const NoNewline = `\ No newline at end of file`

// Header returns the hunk's first line: "@@ -1,5 +1,6 @@".
func (h Hunk) Header() string {
	b := append(make([]byte, 0, 32), "@@ -"...)
	b = appendRange(b, h.OldStart, h.OldCount)
	b = append(b, " +"...)
	b = appendRange(b, h.NewStart, h.NewCount)
	return string(append(b, " @@"...))
}

func appendRange(b []byte, start, count int) []byte {
	b = strconv.AppendInt(b, int64(start), 10)
	if count == 1 {
		return b
	}
	return strconv.AppendInt(append(b, ','), int64(count), 10)
}

// Format prints a unified diff: "--- " and the old file's label, "+++ " and the
// new file's, then the hunks. A label is a name, or a name, a tab and a time.
// Without hunks it prints nothing.
func Format(oldLabel, newLabel string, hunks []Hunk) string {
	if len(hunks) == 0 {
		return ""
	}
	size := len(oldLabel) + len(newLabel) + 10
	for _, h := range hunks {
		size += 48
		for _, l := range h.Lines {
			size += len(l.Text) + 2
		}
	}
	b := make([]byte, 0, size+2*len(NoNewline)+2)
	b = append(append(append(b, "--- "...), oldLabel...), '\n')
	b = append(append(append(b, "+++ "...), newLabel...), '\n')
	for _, h := range hunks {
		b = append(append(b, h.Header()...), '\n')
		for _, l := range h.Lines {
			b = append(append(append(b, byte(l.Kind)), l.Text...), '\n')
			if l.NoEOL {
				b = append(append(b, NoNewline...), '\n')
			}
		}
	}
	return string(b)
}
