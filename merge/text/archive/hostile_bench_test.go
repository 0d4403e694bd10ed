//go:build unix

package archive

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// BenchmarkHostile: what the archives cost. Each has to end in little time and memory:
// go test ./merge/text/archive -run XXX -bench Hostile -benchtime 1x
func BenchmarkHostile(b *testing.B) {
	for _, a := range hostileArchives {
		b.Run(a.name, func(b *testing.B) {
			data := a.make(1000)
			runtime.GC()
			var peak atomic.Uint64
			done := make(chan bool)
			before := heap()
			go func() {
				for {
					select {
					case <-done:
						return
					case <-time.After(5 * time.Millisecond):
						now := heap()
						peak.Store(max(peak.Load(), now-min(now, before)))
					}
				}
			}()
			from := cpu()
			b.ResetTimer()
			var err error
			for range b.N {
				err = drain(data)
			}
			b.StopTimer()
			b.ReportMetric((cpu()-from).Seconds()/float64(b.N), "cpu-s/op")
			close(done)
			checkHostile(b, a, err)
			b.ReportMetric(float64(len(data))/1e3, "kB")
			b.ReportMetric(float64(peak.Load())/(1<<20), "peak-MiB")
		})
	}
}

func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func cpu() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
