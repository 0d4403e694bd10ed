package server

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"threeway/merge/tree"
)

var (
	count = flag.Int("objects", 200_000, "how many objects TestGenerated makes")
	seed  = flag.Uint64("seed", 1, "where its random numbers start")
	only  = flag.String("only", "", "make objects of this kind, or only this object: apps/v1.Deployment or apps/v1.Deployment:17")
	show  = flag.Int("show", 1, "how many differences of a kind to show before leaving it")
)

// difference says where we and upstream differ on an object, "" if nowhere.
func difference(k *kind, obj tree.Object, patched bool, counts *tally) string {
	got, want := ourNormal(k, tree.CopyObject(obj), patched), upstreamNormal(k, tree.CopyObject(obj), patched)
	counts.add(want)
	if agree(got, want) {
		return ""
	}
	// Upstream walks maps in random order, so it may fail at another value.
	for i := 0; want.err != "" && i < 50; i++ {
		if agree(got, upstreamNormal(k, tree.CopyObject(obj), patched)) {
			return ""
		}
	}
	return fmt.Sprintf("ours\n\t%v\nupstream\n\t%v", got, want)
}

// agree holds our outcome against upstream's. Where upstream panics, a server
// answers with an error that says nothing; anything but a panic will do.
func agree(ours, upstream outcome) bool {
	return upstream.panicked && !ours.panicked || !ours.panicked && ours.equal(upstream)
}

// tally counts what upstream gave.
type tally struct{ objects, unknown, errors, panics atomic.Int64 }

func (t *tally) add(o outcome) {
	switch {
	case t == nil:
	case o.panicked:
		t.panics.Add(1)
	case o.err != "":
		t.errors.Add(1)
	case o.unknown != nil:
		t.unknown.Add(1)
	default:
		t.objects.Add(1)
	}
}

func TestGenerated(t *testing.T) {
	chosen, number, single := strings.Cut(*only, ":")
	var selected []*kind
	for _, k := range kinds() {
		if chosen == "" || k.String() == chosen {
			selected = append(selected, k)
		}
	}
	if len(selected) == 0 {
		t.Fatalf("no kind %s", chosen)
	}
	each, first := (*count+len(selected)-1)/len(selected), 0
	if single {
		first, _ = strconv.Atoi(number)
		each = first + 1
	}
	began := time.Now()
	var counts tally
	var next, done, differing atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(selected); n = int(next.Add(1)) - 1 {
				k, shown := selected[n], 0
				for i := first; i < each && shown < *show; i++ {
					obj, patched := made(k, *seed, i)
					done.Add(1)
					if difference(k, obj, patched, &counts) != "" {
						shown++
						differing.Add(1)
						obj = smaller(k, obj, patched)
						t.Errorf("go test -run TestGenerated -seed %d -only %s:%d (patched: %v)\n%s\n%s", *seed, k, i, patched, encode(obj), difference(k, obj, patched, nil))
					}
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d objects of %d kinds: %d differences in %v; upstream read %d, found unknown fields in %d, refused %d, panicked over %d",
		done.Load(), len(selected), differing.Load(), time.Since(began).Round(time.Millisecond),
		counts.objects.Load(), counts.unknown.Load(), counts.errors.Load(), counts.panics.Load())
}
