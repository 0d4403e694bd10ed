package system

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"threeway/merge/parallel"
)

// firstGCBytes is how much memory a run may allocate before the first garbage
// collection; Go's default is firstHeap. Most runs end before that.
const (
	firstGCBytes = 64 << 20
	firstHeap    = 4 << 20
)

// spare is how much memory a run may use in addition to its live heap, to
// collect garbage less often: up to three times the live heap, but not more
// than maxSpare, unless that is less than leastSpare percent of the live heap.
const (
	spare      = 3
	maxSpare   = 96 << 20
	leastSpare = 50
)

// slackPercent is how many percent of the live heap a run may use besides if it comes to no pause.
const slackPercent = 50

// pausesPerLook is how many pauses of a run there are for each look at its heap, which takes a
// microsecond.
const pausesPerLook = 16

// PaceGC makes the garbage collector run less often than by default, and between
// pieces of work rather than beside them. A run is short, so most garbage never needs to
// be collected; collecting took two fifths of the time of lint.
func PaceGC() {
	debug.SetGCPercent(100 * firstGCBytes / firstHeap)
	watchCollector(&struct{ _ [16]byte }{})
	parallel.Collect = collectWhenDue()
}

// collectWhenDue returns what is to be done at each pause.
func collectWhenDue() func() {
	var pauses atomic.Int64
	var collecting sync.Mutex
	return func() {
		if pauses.Add(1)%pausesPerLook != 0 || !due() {
			return
		}
		collecting.Lock()
		defer collecting.Unlock()
		if due() {
			runtime.GC()
		}
	}
}

// due reports whether the heap has its spare memory in use.
func due() bool {
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	live, used := heap[0].Value.Uint64(), heap[1].Value.Uint64()
	return used > firstGCBytes && used > live+live*percent(live)/100
}

// percent is the spare memory in percent of the live heap.
func percent(live uint64) uint64 {
	return max(leastSpare, min(100*spare, 100*maxSpare/max(live, 1)))
}

// watchCollector adjusts the pace of the collector that runs beside the work, for what
// has no pauses, after each collection. It notices one by the
// finalizer of an unreachable object.
func watchCollector(sentinel *struct{ _ [16]byte }) {
	runtime.SetFinalizer(sentinel, func(sentinel *struct{ _ [16]byte }) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(int(percent(live[0].Value.Uint64()) + slackPercent))
		watchCollector(sentinel)
	})
}
