// Package parallel does independent pieces of work side by side. What comes of
// the pieces must not depend on the order in which they are done.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Cores is how many pieces are worked on at a time: 0 for as many as Go uses
// cores (runtime.GOMAXPROCS).
type Cores int

// Number is how many that are, at least 1.
func (c Cores) Number() int {
	if c > 0 {
		return int(c)
	}
	return runtime.GOMAXPROCS(0)
}

// Do calls work with 0 to n-1 and returns when all are done. If one panics, so
// does Do, and not all are done.
func (c Cores) Do(n int, work func(i int)) {
	workers := min(n, c.Number())
	if workers < 2 {
		for i := range n {
			work(i)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	var panicked atomic.Pointer[any]
	for range workers {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.CompareAndSwap(nil, &p)
					next.Store(int64(n))
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	wait.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
}

// InOrder makes n values side by side and hands each to use, one after the
// other and in order. Only a few are made ahead of use. If use returns an
// error, that ends it.
func InOrder[T any](c Cores, n int, produce func(i int) T, use func(T) error) error {
	ahead := 16 * c.Number()
	values := make([]T, min(n, ahead))
	for start := 0; start < n; start += ahead {
		batch := min(ahead, n-start)
		c.Do(batch, func(i int) { values[i] = produce(start + i) })
		for _, v := range values[:batch] {
			if err := use(v); err != nil {
				return err
			}
		}
	}
	return nil
}
