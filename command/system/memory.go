package system

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// firstGCBytes is how much memory a run may allocate before the first garbage
// collection; Go's default is firstHeap. Most runs end before that.
const (
	firstGCBytes = 64 << 20
	firstHeap    = 4 << 20
)

// spare is how much memory a run may use in addition to its live heap, to
// collect garbage less often: up to three times the live heap, but not more
// than minSpare, or than the live heap up to maxSpare, unless that is less than leastSpare
// percent of the live heap.
const (
	spare      = 3
	minSpare   = 96 << 20
	maxSpare   = 256 << 20
	leastSpare = 50
)

// PaceGC makes the garbage collector run less often than by default. A run is short, so most
// garbage never needs to be collected; collecting took two fifths of the time of lint.
func PaceGC() {
	debug.SetGCPercent(100 * firstGCBytes / firstHeap)
	watchCollector(&struct{ _ [16]byte }{})
}

// percent is the spare memory in percent of the live heap.
func percent(live uint64) int {
	return int(max(leastSpare, min(100*spare, 100*max(minSpare, min(live, maxSpare))/max(live, 1))))
}

// watchCollector adjusts the pace after each collection. It notices one by the
// finalizer of an unreachable object.
func watchCollector(sentinel *struct{ _ [16]byte }) {
	runtime.SetFinalizer(sentinel, func(sentinel *struct{ _ [16]byte }) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(percent(live[0].Value.Uint64()))
		watchCollector(sentinel)
	})
}
