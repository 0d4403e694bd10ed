package system

import (
	"runtime"
	"runtime/debug"
	"testing"

	"threeway/merge/parallel"
)

// TestCollectSeldom: pieces make garbage beside what they keep. The heap never has more than
// its spare memory at a pause, and what they keep stays. Only what is collected at a pause
// counts here: Go's own collector is off, and nothing is allocated beside a collection, so
// that the load of the machine does not matter.
func TestCollectSeldom(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer func() { parallel.Collect = nil }()
	parallel.Collect = collectWhenDue()
	const pieces, kept = 2000, 64 << 10
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most := before.HeapAlloc
	keep := make([][]byte, pieces)
	parallel.Cores(1).Do(pieces, func(i int) {
		for range 8 {
			keep[i] = make([]byte, kept)
			keep[i][0], keep[i][kept-1] = byte(i), byte(i>>8)
		}
		if i%10 == 0 {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
	})
	runtime.ReadMemStats(&after)
	if after.NumForcedGC == before.NumForcedGC {
		t.Error("nothing was collected at a pause")
	}
	if limit := before.HeapAlloc + pieces*kept + maxSpare + 2*pausesPerLook*8*kept; most > limit {
		t.Errorf("the heap had %d bytes, more than %d", most, limit)
	}
	for i := range keep {
		if keep[i][0] != byte(i) || keep[i][kept-1] != byte(i>>8) {
			t.Fatalf("what piece %d kept is gone", i)
		}
	}
}
