package system

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// unspoiled is how much memory a run takes before garbage is collected for the
// first time; by itself Go begins at firstHeap. Most runs end before.
const (
	unspoiled = 64 << 20
	firstHeap = 4 << 20
)

// spare is how much memory a run may take beside what it uses, to collect
// garbage less often: up to three times what is in use, but not over maxSpare
// unless that is in use already.
const (
	spare    = 3
	maxSpare = 96 << 20
)

// CollectSeldom makes the collector of garbage wait longer than it does by
// itself. A run is short, so that most of what it leaves need never be
// collected: that took two fifths of the time of lint.
func CollectSeldom() {
	debug.SetGCPercent(100 * unspoiled / firstHeap)
	watchCollector(&struct{ _ [16]byte }{})
}

// watchCollector sets the pace anew after each collection, which is when an
// object that nothing refers to is finalized.
func watchCollector(sentinel *struct{ _ [16]byte }) {
	runtime.SetFinalizer(sentinel, func(sentinel *struct{ _ [16]byte }) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		used := max(live[0].Value.Uint64(), 1)
		debug.SetGCPercent(int(max(100, min(100*spare, 100*maxSpare/used))))
		watchCollector(sentinel)
	})
}
