package redact

import (
	"bytes"
	"io"
	"slices"

	"threeway/merge/mask"
)

// Leftover is a place outside of Secrets that still has a value that was
// replaced elsewhere.
type Leftover struct {
	Line int
	// Where names the value: shop/Secret/db data.password.
	Where string
}

// Leftovers finds replaced values that the text of a dump still contains, in
// plain text or an encoding. It does not search for short values and common words,
// which would be found everywhere, nor for certificates, which are public.
func (r *Redactor) Leftovers(text io.Reader) ([]Leftover, error) {
	if r.seen.Empty() {
		return nil, nil
	}
	var found []Leftover
	longest := r.seen.Longest()
	buffer := make([]byte, 0, max(minBuffer, 2*(longest+2)))
	line, counted, at := 1, 0, 0 // line is that of the byte at counted
	for ended := false; !ended; {
		n, err := io.ReadFull(text, buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		stop := len(buffer) - longest - 1
		if ended = err == io.EOF || err == io.ErrUnexpectedEOF; ended {
			stop = len(buffer) - mask.MinLength + 1
		} else if err != nil {
			return nil, err
		}
		for ; at < stop; at++ {
			if f, length := mask.FormAt(r.seen, buffer, at); length > 0 {
				line, counted = line+bytes.Count(buffer[counted:at], lineBreak), at
				found = append(found, Leftover{line, f.Where})
				at += length - 1
			}
		}
		from := max(at-1, 0) // the byte before a value counts, too
		line += bytes.Count(buffer[min(counted, from):from], lineBreak)
		buffer = buffer[:copy(buffer, buffer[from:])]
		at, counted = at-from, 0
	}
	return slices.Compact(found), nil
}

var lineBreak = []byte("\n")

// minBuffer is how much of a text is searched at a time.
const minBuffer = 1 << 20
