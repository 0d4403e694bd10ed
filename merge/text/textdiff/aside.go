package textdiff

import "math/bits"

// What happens to a line before the search.
const (
	keep     = iota
	perhaps  // it matches so many lines that it may confuse the search
	setApart // it matches no line
)

// setAside marks lines as changed before the search: those that match nothing
// in the other text, and those near them that match too many lines
// (discard_confusing_lines).
func setAside(a, b *side) {
	fate := make([]byte, len(a.class)+len(b.class))
	judge(a, b, fate[:len(a.class)])
	judge(b, a, fate[len(a.class):])
}

func judge(s, other *side, fate []byte) {
	many := int32(5)
	if n := len(s.class); n >= 64 {
		many <<= log2(n)/2 - 3
	}
	for i, c := range s.class {
		switch n := other.matches[c]; {
		case n == 0:
			fate[i] = setApart
		case n > many:
			fate[i] = perhaps
		}
	}
	settle(fate)
	n := 0
	for i, f := range fate {
		if f == keep {
			s.kept[n], s.line[n] = s.class[i], int32(i)
			n++
		} else {
			s.set(i, true)
		}
	}
	s.kept, s.line = s.kept[:n], s.line[:n]
}

// settle decides about the unsure lines: they are set apart if they are within
// a run whose ends match nothing, and are few and scattered there.
func settle(fate []byte) {
	for i := 0; i < len(fate); i++ {
		if fate[i] == perhaps {
			fate[i] = keep
		}
		if fate[i] != setApart {
			continue
		}
		end := i
		for end < len(fate) && fate[end] != keep {
			end++
		}
		for fate[end-1] == perhaps {
			end--
			fate[end] = keep
		}
		run := fate[i:end]
		settleRun(run)
		i = end - 1
	}
}

func settleRun(run []byte) {
	unsure := 0
	for _, f := range run {
		if f == perhaps {
			unsure++
		}
	}
	if unsure == 0 {
		return
	}
	if unsure > len(run)/4 {
		for i := range run {
			keepUnsure(run, i)
		}
		return
	}
	keepBlocks(run)
	keepNearEnd(len(run), func(i int) *byte { return &run[i] })
	keepNearEnd(len(run), func(i int) *byte { return &run[len(run)-1-i] })
}

func keepUnsure(run []byte, i int) {
	if run[i] == perhaps {
		run[i] = keep
	}
}

// keepBlocks keeps the unsure lines if many of them follow each other (about
// the square root of a quarter of the run, plus one).
func keepBlocks(run []byte) {
	enough := 2
	if len(run) >= 4 {
		enough = 1<<(log2(len(run))/2-1) + 1
	}
	for i := 0; i < len(run); i++ {
		end := i
		for end < len(run) && run[end] == perhaps {
			end++
		}
		if end-i >= enough {
			for j := i; j < end; j++ {
				run[j] = keep
			}
		}
		i = max(i, end-1)
	}
}

// keepNearEnd keeps the unsure lines at an end of the run, up to three sure
// ones in a row or a sure one eight lines in.
func keepNearEnd(n int, at func(int) *byte) {
	row := 0
	for i := 0; i < n && row < 3; i++ {
		switch f := at(i); {
		case *f == setApart && i >= 8:
			return
		case *f == setApart:
			row++
		default:
			*f = keep
			row = 0
		}
	}
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }
