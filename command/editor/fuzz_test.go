package editor

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzFraming reads messages from any bytes: it ends, takes no more memory than a message
// may have, and reads what is whole.
func FuzzFraming(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"))
	f.Add([]byte("content-length:5\r\nContent-Type: x\r\n\r\nhelloContent-Length: 4\r\n\r\nnull"))
	f.Add([]byte("Content-Length: -1\r\n\r\n"))
	f.Add([]byte("Content-Length: 99999999999999999999\n\n"))
	f.Add([]byte("Content-Length: 5000\r\n\r\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bufio.NewReader(strings.NewReader(string(data)))
		codec := framing{most: 1000, skipped: func(error) {}, broken: func(error) {}}
		for range data {
			var message json.RawMessage
			if codec.ReadObject(r, &message) != nil {
				break
			}
			if len(message) > 1000 || !json.Valid(message) {
				t.Fatalf("read %q", message)
			}
		}
		whole := "Content-Length: 9\r\n\r\n{\"a\": 1}\n"
		var message json.RawMessage
		if err := codec.ReadObject(bufio.NewReader(strings.NewReader(whole)), &message); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzDocuments types any edit into any text. Positions stay in the text, and what is
// rehearsed in place of a text that cannot be read has its lines where it says.
func FuzzDocuments(f *testing.F) {
	const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n# é 😀\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"
	f.Add(good, "x: [", 2, 3, 2, 3)
	f.Add(good, "", 0, 0, 9, 9)
	f.Add("a\r\nb\rc\n", "😀", 1, 0, 0, 4)
	f.Add(good, "---\n", 5, 0, 5, 0)
	f.Fuzz(func(t *testing.T, text, insert string, line, character, toLine, toCharacter int) {
		if !utf8.ValidString(text) || !utf8.ValidString(insert) || len(text)+len(insert) > 4000 {
			return // JSON has no other texts
		}
		bound := func(n int) int { return max(0, min(n, 100)) }
		d := document{text: text}
		d.apply(change{Range: &span{position{bound(line), bound(character)}, position{bound(toLine), bound(toCharacter)}}, Text: insert})
		if !utf8.ValidString(d.text) || !strings.Contains(d.text, insert) {
			t.Fatalf("%q becomes %q", text, d.text)
		}
		if e := smallest(text, d.text); true {
			other := document{text: text}
			if !strings.Contains(text, "\r") {
				if other.apply(change{Range: &e.Range, Text: e.NewText}); other.text != d.text {
					t.Fatalf("from %q to %q: %+v makes %q", text, d.text, e, other.text)
				}
			}
		}
		u := readableOf("a.yaml", d.text, text)
		if u.own() {
			return
		}
		used, now := strings.Split(u.used, "\n"), strings.Split(d.text, "\n")
		if len(u.lines) < len(used)-1 || len(u.lines) > len(used) {
			t.Fatalf("%d lines are placed of %d: %q", len(u.lines), len(used), u.used)
		}
		for i := range u.lines {
			if at, ok := u.line(i); ok && (at >= len(now) || strings.TrimRight(now[at], "\r") != strings.TrimRight(used[i], "\r")) {
				t.Fatalf("line %d of %q is not line %d of %q", i, u.used, at, d.text)
			}
		}
	})
}
