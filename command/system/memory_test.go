package system

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"

	"threeway/merge/parallel"
)

// TestCollectSeldom: while pieces make garbage beside what they keep, the heap never has more
// than its spare memory at a pause, and what they keep stays.
func TestCollectSeldom(t *testing.T) {
	defer func(before int) {
		parallel.Collect = nil
		debug.SetGCPercent(before)
	}(debug.SetGCPercent(100))
	PaceGC()
	const pieces, kept = 2000, 64 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	keep := make([][]byte, pieces)
	parallel.Cores(2).Do(pieces, func(i int) {
		for range 8 {
			keep[i] = make([]byte, kept)
		}
		if i%100 == 0 {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			for most.Load() < now.HeapAlloc && !most.CompareAndSwap(most.Load(), now.HeapAlloc) {
			}
		}
	})
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(keep)
	if after.NumForcedGC == before.NumForcedGC {
		t.Error("nothing was collected at a pause")
	}
	if limit := uint64(before.HeapAlloc + pieces*kept + maxSpare + 2*pausesPerLook*8*kept); most.Load() > limit {
		t.Errorf("the heap had %d bytes, more than %d", most.Load(), limit)
	}
}
