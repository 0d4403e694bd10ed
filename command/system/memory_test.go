package system

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestSpareMemory(t *testing.T) {
	for live, want := range map[uint64]int{0: 300, 32 << 20: 300, 64 << 20: 150, 96 << 20: 100, 192 << 20: 100, 320 << 20: 80, 4 << 30: 50} {
		if got := percent(live); got != want {
			t.Errorf("a live heap of %d bytes may have %d %% more, want %d", live, got, want)
		}
	}
}

// TestPaceFollowsTheHeap: each collection sets the pace for the next one by what is live.
func TestPaceFollowsTheHeap(t *testing.T) {
	before := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(before)
	paced := func(want int) {
		t.Helper()
		got := 0
		for range 1000 {
			runtime.GC()
			got = debug.SetGCPercent(-1)
			if debug.SetGCPercent(got); got == want {
				return
			}
			time.Sleep(time.Millisecond) // finalizers run beside
		}
		t.Errorf("the pace is %d, want %d", got, want)
	}
	PaceGC()
	paced(300)
	live := make([]byte, 2*maxSpare)
	paced(50)
	runtime.KeepAlive(live)
}
