package parallel

import (
	"fmt"
	"strconv"
	"sync/atomic"
)

// Progress is how far a run is, for a person who waits for it. A nil Progress counts
// nothing.
type Progress struct{ now atomic.Pointer[step] }

// step is a part of a run that takes long with much input: so many of what is done.
type step struct {
	doing, what string
	of          int // 0 if that is not known
	done        atomic.Int64
}

// Files begins to read so many files with manifests.
func (p *Progress) Files(n int) {
	p.begin(&step{doing: "reading", what: "files with manifests", of: n})
}

// Snapshot begins to read the objects of a snapshot.
func (p *Progress) Snapshot() { p.begin(&step{doing: "reading the snapshot,", what: "objects"}) }

// Objects begins to rehearse so many objects.
func (p *Progress) Objects(n int) { p.begin(&step{doing: "rehearsing", what: "objects", of: n}) }

// Rules begins to check so many rules.
func (p *Progress) Rules(n int) { p.begin(&step{doing: "checking", what: "rules", of: n}) }

// Reports begins to write so many reports to files.
func (p *Progress) Reports(n int) { p.begin(&step{doing: "writing", what: "reports", of: n}) }

// End is the end of what takes long: what comes is short, or another program's.
func (p *Progress) End() { p.begin(nil) }

func (p *Progress) begin(s *step) {
	if p != nil {
		p.now.Store(s)
	}
}

// Add counts pieces that are done.
func (p *Progress) Add(n int) {
	if p == nil {
		return
	}
	if s := p.now.Load(); s != nil {
		s.done.Add(int64(n))
	}
}

// String says how far the run is, rehearsing 420 of 1,040 objects; "" before what takes
// long, and after its end.
func (p *Progress) String() string {
	s := p.now.Load()
	switch {
	case s == nil:
		return ""
	case s.of == 0:
		return fmt.Sprintf("%s %s %s", s.doing, grouped(int(s.done.Load())), s.what)
	}
	return fmt.Sprintf("%s %s of %s %s", s.doing, grouped(int(s.done.Load())), grouped(s.of), s.what)
}

// grouped writes a number with a comma between each three digits.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
