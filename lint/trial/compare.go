package trial

// compare gives each wanted finding one that is found, as many as possible. Of
// the others, those of the same rule are shown beside each other.
func (r *Result) compare(found []Finding) {
	taken := match(r.Want, found)
	var missing []Finding
	for i, w := range r.Want {
		if taken[i] < 0 {
			missing = append(missing, w)
		}
	}
	left := make([]bool, len(found))
	for j := range found {
		left[j] = true
	}
	for _, j := range taken {
		if j >= 0 {
			left[j] = false
		}
	}
	for _, w := range missing {
		other := -1
		for j, f := range found {
			if left[j] && f.Rule == w.Rule {
				other = j
				break
			}
		}
		if other < 0 {
			r.Missing = append(r.Missing, w)
			continue
		}
		left[other] = false
		r.Different = append(r.Different, Pair{w, found[other]})
	}
	for j, f := range found {
		if left[j] {
			r.Unexpected = append(r.Unexpected, f)
		}
	}
}

// match is for each wanted finding the index of the one that is found, -1 if none
// is left: a greatest matching, by augmenting paths, since a finding can fit what
// several wants leave open.
func match(want, found []Finding) []int {
	taken, by := make([]int, len(want)), make([]int, len(found))
	for j := range by {
		by[j] = -1
	}
	var give func(i int, seen []bool) bool
	give = func(i int, seen []bool) bool {
		for j, f := range found {
			if seen[j] || !want[i].fits(f) {
				continue
			}
			seen[j] = true
			if by[j] < 0 || give(by[j], seen) {
				by[j], taken[i] = i, j
				return true
			}
		}
		return false
	}
	for i := range want {
		taken[i] = -1
		give(i, make([]bool, len(found)))
	}
	return taken
}

// fits reports whether a finding is what is wanted.
func (f Finding) fits(got Finding) bool {
	if f.Rule != got.Rule {
		return false
	}
	keys := got.Keys()
	for i, k := range f.Keys() {
		if k.Value != "" && k.Value != keys[i].Value {
			return false
		}
	}
	return true
}
