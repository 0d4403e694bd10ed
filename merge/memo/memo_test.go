package memo

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestFoundOnce: of many who ask at the same time, one finds out and all get the answer.
func TestFoundOnce(t *testing.T) {
	var table Table[string, int]
	var types Types
	var value Value[int]
	type other int
	var calls [4]atomic.Int32
	find := func(i, answer int) func() int {
		return func() int { calls[i].Add(1); return answer }
	}
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			if a, b := table.Get("a", find(0, 1)), table.Get("b", find(1, 2)); a != 1 || b != 2 {
				t.Errorf("of the keys: %d, %d", a, b)
			}
			if is := value.Get(find(2, 3)); is != 3 {
				t.Errorf("of the value: %d", is)
			}
			if a, b := Of(&types, find(3, 4)), Of(&types, func() other { return 5 }); a != 4 || b != 5 {
				t.Errorf("of the types: %d, %d", a, b)
			}
		})
	}
	wait.Wait()
	for i := range calls {
		if n := calls[i].Load(); n != 1 {
			t.Errorf("%d was found out %d times", i, n)
		}
	}
}

// TestNothingFound: nil is an answer like others, and a panic is one for all who ask.
func TestNothingFound(t *testing.T) {
	var errors Table[int, error]
	calls := 0
	for range 2 {
		if err := errors.Get(1, func() error { calls++; return nil }); err != nil || calls != 1 {
			t.Errorf("%v after %d calls", err, calls)
		}
		func() {
			defer func() {
				if p := recover(); p != "broken" {
					t.Errorf("panicked with %v", p)
				}
			}()
			errors.Get(2, func() error { panic("broken") })
		}()
	}
}
