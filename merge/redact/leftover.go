package redact

import (
	"bytes"
	"encoding/base64"
	"io"
	"slices"
	"strings"
)

// Leftover is a place outside of Secrets that still has a value that was
// replaced elsewhere.
type Leftover struct {
	Line int
	// Where names the value: shop/Secret/db data.password.
	Where string
}

// Leftovers finds replaced values that the text of a dump still contains, in
// plain text or base64. It does not search for short values and plain words,
// which would be found everywhere, nor for certificates, which are public.
func (r *Redactor) Leftovers(text io.Reader) ([]Leftover, error) {
	s := r.search()
	buffer := make([]byte, 0, max(minBuffer, 2*(s.longest+2)))
	line, counted, at := 1, 0, 0 // line is that of the byte at counted
	for ended := false; !ended; {
		n, err := io.ReadFull(text, buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		stop := len(buffer) - s.longest - 1
		if ended = err == io.EOF || err == io.ErrUnexpectedEOF; ended {
			stop = len(buffer) - least + 1
		} else if err != nil {
			return nil, err
		}
		for ; at < stop; at++ {
			if !s.begins[pair(buffer, at)] {
				continue
			}
			for _, o := range s.forms[string(buffer[at:at+least])] {
				if end := at + len(o.value); end <= len(buffer) && string(buffer[at:end]) == o.value && standsAlone(buffer, at, end) {
					line, counted = line+bytes.Count(buffer[counted:at], lineBreak), at
					s.found = append(s.found, Leftover{line, o.where})
				}
			}
		}
		from := max(at-1, 0) // the byte before a value counts, too
		line += bytes.Count(buffer[min(counted, from):from], lineBreak)
		buffer = buffer[:copy(buffer, buffer[from:])]
		at, counted = at-from, 0
	}
	return slices.Compact(s.found), nil
}

var lineBreak = []byte("\n")

// minBuffer is how much of a text is searched at a time.
const minBuffer = 1 << 20

// search is what is searched for, and what was found.
type search struct {
	forms   map[string][]original // by their first bytes
	begins  *[1 << 16]bool        // by the first two bytes
	longest int
	found   []Leftover
}

func (r *Redactor) search() search {
	s := search{forms: map[string][]original{}, begins: new([1 << 16]bool), longest: least}
	searched := map[string]bool{}
	for _, o := range r.seen {
		if searched[o.value] || !telling(o.value) {
			continue
		}
		searched[o.value] = true
		for _, form := range []string{o.value, base64.StdEncoding.EncodeToString([]byte(o.value))} {
			s.forms[form[:least]] = append(s.forms[form[:least]], original{form, o.where})
			s.begins[pair([]byte(form[:2]), 0)] = true
			s.longest = max(s.longest, len(form))
		}
	}
	return s
}

func pair(s []byte, at int) uint16 { return uint16(s[at])<<8 | uint16(s[at+1]) }

// least is the minimum length of a value that is searched for.
const least = 8

// telling reports whether a value is unlikely to occur by chance.
func telling(value string) bool {
	if len(value) < least || strings.HasPrefix(value, "-----BEGIN CERTIFICATE-----") {
		return false
	}
	return len(value) >= 16 || strings.ContainsFunc(value, func(c rune) bool { return !isLetter(c) })
}

func isLetter(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// standsAlone reports whether a part of a text is not inside a longer word.
func standsAlone(text []byte, start, end int) bool {
	return !(start > 0 && isWordByte(text[start-1])) && !(end < len(text) && isWordByte(text[end]))
}

func isWordByte(c byte) bool { return isLetter(rune(c)) || c >= '0' && c <= '9' }
