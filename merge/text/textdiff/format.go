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
