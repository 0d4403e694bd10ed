package system

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// unspoiled is how much memory a run may allocate before the first garbage
// collection; Go's default is firstHeap. Most runs end before that.
const (
	unspoiled = 64 << 20
	firstHeap = 4 << 20
)

// spare is how much memory a run may use in addition to its live heap, to
// collect garbage less often: up to three times the live heap, but not more
// than maxSpare, unless that is less than half of the live heap.
const (
	spare    = 3
	maxSpare = 96 << 20
)

// CollectSeldom makes the garbage collector run less often than by default. A
// run is short, so most garbage never needs to be collected; collecting took
// two fifths of the time of lint.
func CollectSeldom() {
	debug.SetGCPercent(100 * unspoiled / firstHeap)
	watchCollector(&struct{ _ [16]byte }{})
}

// watchCollector adjusts the pace after each collection. It notices one by the
// finalizer of an unreachable object.
func watchCollector(sentinel *struct{ _ [16]byte }) {
	runtime.SetFinalizer(sentinel, func(sentinel *struct{ _ [16]byte }) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		used := max(live[0].Value.Uint64(), 1)
		debug.SetGCPercent(int(max(50, min(100*spare, 100*maxSpare/used))))
		watchCollector(sentinel)
	})
}
