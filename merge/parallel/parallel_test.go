package parallel

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
)

// cores runs a test on one core and on several.
func cores(t *testing.T, test func(t *testing.T, c Cores)) {
	for name, n := range map[string]Cores{"one core": 1, "four cores": 4, "all cores": 0} {
		t.Run(name, func(t *testing.T) { test(t, n) })
	}
}

func TestEachPieceIsDoneOnce(t *testing.T) {
	cores(t, func(t *testing.T, c Cores) {
		for _, n := range []int{0, 1, 2, 3, 100} {
			done := make([]atomic.Int32, n)
			c.Do(n, func(i int) { done[i].Add(1) })
			for i := range done {
				if times := done[i].Load(); times != 1 {
					t.Errorf("piece %d of %d was done %d times", i, n, times)
				}
			}
		}
	})
}

func TestPanicIsTheCallers(t *testing.T) {
	cores(t, func(t *testing.T, c Cores) {
		defer func() {
			if p := recover(); p != "broken" {
				t.Errorf("recovered %v", p)
			}
		}()
		c.Do(10, func(i int) {
			if i == 3 {
				panic("broken")
			}
		})
	})
}

func TestValuesComeInOrderAndNotAllAtOnce(t *testing.T) {
	cores(t, func(t *testing.T, c Cores) {
		var made atomic.Int32
		var got []int
		err := InOrder(c, 1000, func(i int) int { made.Add(1); return i }, func(v int) error {
			if ahead := int(made.Load()) - len(got); ahead > 16*c.Number() {
				t.Fatalf("%d values wait to be used", ahead)
			}
			got = append(got, v)
			return nil
		})
		if err != nil || len(got) != 1000 || !slices.IsSorted(got) {
			t.Errorf("%d values, %v", len(got), err)
		}
	})
}

func TestErrorEndsIt(t *testing.T) {
	cores(t, func(t *testing.T, c Cores) {
		full := errors.New("disk full")
		used := 0
		err := InOrder(c, 1000, func(i int) int { return i }, func(int) error { used++; return full })
		if err != full || used != 1 {
			t.Errorf("%v after %d values", err, used)
		}
	})
}
