package system

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestSpareMemory(t *testing.T) {
	for live, want := range map[uint64]int{0: 300, 32 << 20: 300, 64 << 20: 150, 96 << 20: 100, 192 << 20: 50, 4 << 30: 50} {
		if got := percent(live, minSpare); got != want {
			t.Errorf("a live heap of %d bytes may have %d %% more, want %d", live, got, want)
		}
	}
}

// TestMostSpare: the machine and the container that a run is in bound what it may use, and nothing
// else does.
func TestMostSpare(t *testing.T) {
	dir := t.TempDir()
	for i, test := range []struct {
		machine, container string
		want               uint64
	}{
		{"MemTotal:       24576000 kB\nMemFree: 1 kB\n", "max\n", maxSpare},
		{"MemTotal:        8388608 kB\nMemFree: 1 kB\n", "max\n", 128 << 20},
		{"MemTotal:       24576000 kB\n", "2147483648\n", minSpare},
		{"", "", maxSpare},
	} {
		machine, container := filepath.Join(dir, "meminfo"), filepath.Join(dir, "memory.max")
		for file, text := range map[string]string{machine: test.machine, container: test.container} {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := mostSpare(machine, container, filepath.Join(dir, "none")); got != test.want {
			t.Errorf("%d: got %d, want %d", i, got, test.want)
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
