package fix

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"threeway/lint"
)

// Repaired are the changes that repairs have made, one for each file. Nothing of
// them is written. The zero value has none.
type Repaired struct {
	Changes []*Change
}

// most is how many rounds of repairs there are. A repair may bring another finding
// to light; no chain of repairs known is longer than three.
const most = 10

// Rounds repairs until there is nothing left to repair. look finds what is wrong
// with the files as they are after the repairs so far, with the Fixer for them.
// What could not be repaired is that of the last look.
func Rounds(look func(*Repaired) (*Fixer, []*lint.Finding, error)) (*Repaired, []Refusal, error) {
	done := &Repaired{}
	var last, before []string
	for range most {
		x, findings, err := look(done)
		if err != nil {
			return nil, nil, err
		}
		x.repaired = done
		changes, refused := x.All(findings)
		if len(changes) == 0 {
			return done, refused, nil
		}
		last, before = done.add(changes), last
	}
	rules := slices.Sorted(slices.Values(append(last, before...)))
	return nil, nil, fmt.Errorf("after %d rounds of repairs there is still something to repair, so nothing is written: the repairs of %s undo each other; pass --disable for one of them", most, strings.Join(slices.Compact(rules), " and "))
}

// add takes over the changes of one more round, and returns the rules that they are of.
func (r *Repaired) add(changes []*Change) []string {
	rules := map[string]bool{}
	for _, c := range changes {
		if was := r.of(c.Target); was != nil {
			was.New, was.Fixed = c.New, append(was.Fixed, c.Fixed...)
		} else {
			r.Changes = append(r.Changes, c)
		}
		for _, f := range c.Fixed {
			rules[f.Rule.ID] = true
		}
	}
	return slices.Sorted(maps.Keys(rules))
}

// Text is what a file holds after the repairs; false if they do not change it.
func (r *Repaired) Text(name string) ([]byte, bool) {
	if len(r.Changes) == 0 {
		return nil, false
	}
	target, err := filepath.EvalSymlinks(name)
	if err == nil {
		target, err = filepath.Abs(target)
	}
	if c := r.of(target); c != nil && err == nil {
		return c.New, true
	}
	return nil, false
}

// text is what the file that a name leads to holds after the repairs, if there
// are any.
func (r *Repaired) text(target string) ([]byte, error) {
	if r != nil {
		if c := r.of(target); c != nil {
			return c.New, nil
		}
	}
	return os.ReadFile(target)
}

func (r *Repaired) of(target string) *Change {
	for _, c := range r.Changes {
		if c.Target == target {
			return c
		}
	}
	return nil
}
