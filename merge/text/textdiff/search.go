package textdiff

import "math"

// search is Myers' search for a shortest script, from both ends at once ("An
// O(ND) Difference Algorithm and its Variations", section 4.2), as gnulib's
// diffseq.h does it. A point (x, y) is before line x of old and line y of new;
// its diagonal is x-y.
type search struct {
	a, b     *side
	forward  []int // by diagonal: the largest x reached from the start
	backward []int // the smallest x reached from the end
	zero     int   // index of diagonal 0
	patience int   // give up on a shortest script after so many steps
}

// box is a part of the two texts to compare.
type box struct{ x0, x1, y0, y1 int }

// window is the current range of diagonals.
type window struct{ lo, hi int }

// split is a point that divides a box, and for each part whether its shortest
// script must be found at any cost.
type split struct {
	x, y                int
	firstAll, secondAll bool
}

func newSearch(a, b *side) *search {
	diagonals := len(a.kept) + len(b.kept) + 3
	reach := make([]int, 2*diagonals)
	return &search{
		a: a, b: b,
		forward: reach[:diagonals], backward: reach[diagonals:],
		zero:     len(b.kept) + 1,
		patience: max(4096, 1<<(log2(diagonals)/2+1)),
	}
}

// run marks the lines that change.
func (s *search) run() { s.compare(box{0, len(s.a.kept), 0, len(s.b.kept)}, false) }

func (s *search) compare(r box, all bool) {
	xs, ys := s.a.kept, s.b.kept
	for r.x0 < r.x1 && r.y0 < r.y1 && xs[r.x0] == ys[r.y0] {
		r.x0++
		r.y0++
	}
	for r.x0 < r.x1 && r.y0 < r.y1 && xs[r.x1-1] == ys[r.y1-1] {
		r.x1--
		r.y1--
	}
	switch {
	case r.x0 == r.x1:
		for _, line := range s.b.line[r.y0:r.y1] {
			s.b.set(int(line), true)
		}
	case r.y0 == r.y1:
		for _, line := range s.a.line[r.x0:r.x1] {
			s.a.set(int(line), true)
		}
	default:
		cut := s.middle(r, all)
		s.compare(box{r.x0, cut.x, r.y0, cut.y}, cut.firstAll)
		s.compare(box{cut.x, r.x1, cut.y, r.y1}, cut.secondAll)
	}
}

// middle finds a point in the middle of a shortest script, or, when that takes
// too long, the furthest point so far.
func (s *search) middle(r box, all bool) split {
	first, last := r.x0-r.y0, r.x1-r.y1
	f, b := window{first, first}, window{last, last}
	odd := (first-last)&1 != 0
	s.forward[s.zero+first] = r.x0
	s.backward[s.zero+last] = r.x1
	for steps := 1; ; steps++ {
		s.widen(&f, r, s.forward, -1)
		if p, met := s.stepForward(r, f, b, odd); met {
			return p
		}
		s.widen(&b, r, s.backward, math.MaxInt)
		if p, met := s.stepBackward(r, f, b, !odd); met {
			return p
		}
		if !all && steps >= s.patience {
			return s.giveUp(r, f, b)
		}
	}
}

// widen adds a diagonal at each end of the window or, at the edge of the box,
// removes one: each step uses only every other diagonal.
func (s *search) widen(w *window, r box, reach []int, nowhere int) {
	if w.lo > r.x0-r.y1 {
		w.lo--
		reach[s.zero+w.lo-1] = nowhere
	} else {
		w.lo++
	}
	if w.hi < r.x1-r.y0 {
		w.hi++
		reach[s.zero+w.hi+1] = nowhere
	} else {
		w.hi--
	}
}

func (s *search) stepForward(r box, f, b window, meet bool) (split, bool) {
	xs, ys := s.a.kept, s.b.kept
	for d := f.hi; d >= f.lo; d -= 2 {
		x := max(s.forward[s.zero+d-1]+1, s.forward[s.zero+d+1])
		y := x - d
		for x < r.x1 && y < r.y1 && xs[x] == ys[y] {
			x++
			y++
		}
		s.forward[s.zero+d] = x
		if meet && b.lo <= d && d <= b.hi && s.backward[s.zero+d] <= x {
			return split{x, y, true, true}, true
		}
	}
	return split{}, false
}

func (s *search) stepBackward(r box, f, b window, meet bool) (split, bool) {
	xs, ys := s.a.kept, s.b.kept
	for d := b.hi; d >= b.lo; d -= 2 {
		x := min(s.backward[s.zero+d-1], s.backward[s.zero+d+1]-1)
		y := x - d
		for r.x0 < x && r.y0 < y && xs[x-1] == ys[y-1] {
			x--
			y--
		}
		s.backward[s.zero+d] = x
		if meet && f.lo <= d && d <= f.hi && x <= s.forward[s.zero+d] {
			return split{x, y, true, true}, true
		}
	}
	return split{}, false
}

// giveUp returns the point that is furthest from its end.
func (s *search) giveUp(r box, f, b window) split {
	var fx, bx int
	furthest := -1
	for d := f.hi; d >= f.lo; d -= 2 {
		x := min(s.forward[s.zero+d], r.x1, r.y1+d)
		if sum := 2*x - d; furthest < sum {
			furthest, fx = sum, x
		}
	}
	nearest := math.MaxInt
	for d := b.hi; d >= b.lo; d -= 2 {
		x := max(s.backward[s.zero+d], r.x0, r.y0+d)
		if sum := 2*x - d; sum < nearest {
			nearest, bx = sum, x
		}
	}
	if r.x1+r.y1-nearest < furthest-(r.x0+r.y0) {
		return split{fx, furthest - fx, true, false}
	}
	return split{bx, nearest - bx, false, true}
}
