package textdiff

import (
	"math/rand/v2"
	"testing"
)

// FuzzUnified: the hunks of two texts make the one the other, and the other way
// round, and there are none between equal texts.
func FuzzUnified(f *testing.F) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		a := randomLines(r, r.IntN(40), 1+r.IntN(15))
		f.Add(join(r, a), join(r, edit(r, a, r.IntN(6), 9)), uint8(randomContext(r)))
	}
	f.Add("a\r\n\x00", "\xff\n\n", uint8(1))
	f.Fuzz(func(t *testing.T, old, new string, context uint8) {
		hunks := Unified(old, new, int(context))
		if got := apply(old, hunks); got != new {
			t.Errorf("%q becomes %q, want %q", old, got, new)
		}
		if got := apply(new, Unified(new, old, int(context))); got != old {
			t.Errorf("%q goes back to %q, want %q", new, got, old)
		}
		if (len(hunks) == 0) != (old == new) {
			t.Errorf("%d hunks between %q and %q", len(hunks), old, new)
		}
		for _, h := range hunks {
			for i, spans := range h.Words() {
				for _, s := range spans {
					if s.Start < 0 || s.Start > s.End || s.End > len(h.Lines[i].Text) {
						t.Errorf("%q: the words %v are not in the line", h.Lines[i].Text, s)
					}
				}
			}
		}
	})
}
