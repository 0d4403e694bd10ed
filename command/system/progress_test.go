package system

import (
	"bytes"
	"io"
	"testing"
)

// TestProgress: the line goes before anything else is written, and does not come back
// after the result.
func TestProgress(t *testing.T) {
	var terminal bytes.Buffer
	p := &progress{to: &terminal}
	messages, result := NewScreen(&terminal, false), &Stdout{Writer: NewScreen(&terminal, false)}
	before(messages, p.erase)
	before(result, p.end)
	p.draw("", 80)
	p.draw("rehearsing 1 of 20 objects", 80)
	p.draw("rehearsing 1 of 20 objects", 80)
	_, _ = io.WriteString(messages, "note: x\n")
	p.draw("rehearsing 2 of 20 objects", 11)
	_, _ = io.WriteString(result, "diff\n")
	p.draw("rehearsing 3 of 20 objects", 80)
	want := erased + "rehearsing 1 of 20 objects" + erased + "note: x\n" + erased + "rehearsing" + erased + "diff\n"
	if terminal.String() != want {
		t.Errorf("%q, want %q", terminal.String(), want)
	}
}
