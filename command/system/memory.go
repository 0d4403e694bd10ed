package system

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// firstGCBytes is how much memory a run may allocate before the first garbage
// collection; Go's default is firstHeap. Most runs end before that.
const (
	firstGCBytes = 64 << 20
	firstHeap    = 4 << 20
)

// spare is how much memory a run may use in addition to its live heap, to
// collect garbage less often: up to three times the live heap, but not more
// than a share of the machine's memory between minSpare and maxSpare, unless that is less than
// leastSpare percent of the live heap.
const (
	spare      = 3
	share      = 64
	minSpare   = 96 << 20
	maxSpare   = 256 << 20
	leastSpare = 50
)

// PaceGC makes the garbage collector run less often than by default. A run is short, so most
// garbage never needs to be collected; collecting took two fifths of the time of lint.
func PaceGC() {
	debug.SetGCPercent(100 * firstGCBytes / firstHeap)
	watchCollector(&sentinel{most: mostSpare("/proc/meminfo", "/sys/fs/cgroup/memory.max")})
}

// sentinel is unreachable from the start, and found so by each collection: it is too large to be
// part of a block that others keep.
type sentinel struct {
	most uint64
	_    [16]byte
}

// mostSpare is a share of the least memory that files tell, on one line or in kB; that of a large
// machine where none does.
func mostSpare(files ...string) uint64 {
	memory := uint64(share * maxSpare)
	for _, file := range files {
		data, _ := os.ReadFile(file)
		first, _, _ := strings.Cut(string(data), "\n")
		text, kilo := strings.CutSuffix(first, " kB")
		n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimPrefix(text, "MemTotal:")), 10, 64)
		if kilo {
			n <<= 10
		}
		if err == nil {
			memory = min(memory, n)
		}
	}
	return max(minSpare, memory/share)
}

// percent is the spare memory in percent of the live heap, of which most may be used.
func percent(live, most uint64) int {
	return int(max(leastSpare, min(100*spare, 100*most/max(live, 1))))
}

// watchCollector adjusts the pace after each collection. It notices one by the
// finalizer of an unreachable object.
func watchCollector(s *sentinel) {
	runtime.SetFinalizer(s, func(s *sentinel) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(percent(live[0].Value.Uint64(), s.most))
		watchCollector(s)
	})
}
