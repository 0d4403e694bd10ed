package textdiff

// slide moves each run of changes in s as far down as equal lines allow, so
// that runs join if possible, and then back up to a run of changes in the other
// text if it passed one (shift_boundaries).
func slide(s, other *side) {
	n := len(s.class)
	for i, j := 0, 0; ; {
		// j is the line of the other text that corresponds to i
		for i < n && !s.changed(i) {
			for other.changed(j) {
				j++
			}
			i, j = i+1, j+1
		}
		if i == n {
			return
		}
		r := run{s, other, i, i, j}
		for s.changed(r.end) {
			r.end++
		}
		for other.changed(r.across) {
			r.across++
		}
		r.move()
		i, j = r.end, r.across
	}
}

// run is a run of changed lines, and the corresponding end in the other text.
type run struct {
	s, other           *side
	start, end, across int
}

func (r *run) move() {
	var facing int
	for {
		length := r.end - r.start
		for r.start > 0 && r.s.class[r.start-1] == r.s.class[r.end-1] {
			r.up()
			for r.s.changed(r.start - 1) {
				r.start--
			}
		}
		facing = len(r.s.class)
		if r.other.changed(r.across - 1) {
			facing = r.end
		}
		for r.end < len(r.s.class) && r.s.class[r.start] == r.s.class[r.end] {
			if r.down() {
				facing = r.end
			}
		}
		if length == r.end-r.start {
			break
		}
	}
	for facing < r.end {
		r.up()
	}
}

// up moves the run one line up.
func (r *run) up() {
	r.start--
	r.end--
	r.s.set(r.start, true)
	r.s.set(r.end, false)
	r.across--
	for r.other.changed(r.across) {
		r.across--
	}
}

// down moves the run one line down and joins it with a following run. It
// reports whether the run now ends opposite changes in the other text.
func (r *run) down() (faces bool) {
	r.s.set(r.start, false)
	r.s.set(r.end, true)
	r.start++
	r.end++
	for r.s.changed(r.end) {
		r.end++
	}
	r.across++
	for r.other.changed(r.across) {
		r.across++
		faces = true
	}
	return faces
}
