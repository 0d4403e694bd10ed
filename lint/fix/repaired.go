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

// Repaired is the result of repairs so far: one change for each file, not yet
// written. The zero value has none.
type Repaired struct {
	Changes []*Change
}

// most is the maximum number of rounds. A repair can reveal another finding; no
// known chain of repairs is longer than three.
const most = 10

// Rounds repairs until there is nothing left to repair. look returns the
// findings in the files as they are after the repairs so far, and a Fixer for
// them. The refusals returned are those of the last round.
func Rounds(look func(*Repaired) (*Fixer, []*lint.Finding, error)) (*Repaired, []Unrepaired, error) {
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
	return nil, nil, fmt.Errorf("after %d rounds of repairs there is still something to repair, so nothing is written: the repairs of %s undo each other; turn one of them off: --rule RULE=off", most, strings.Join(slices.Compact(rules), " and "))
}

// add adds the changes of one more round, and returns the rules whose findings
// they repair.
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

// Text returns the text of a file after the repairs, or false if they do not
// change it.
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

// text returns the text of the file behind a name, after the repairs if there
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
