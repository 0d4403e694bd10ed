package conformance

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	count = flag.Int("triples", 20_000, "how many triples TestGenerated makes")
	seed  = flag.Uint64("seed", 1, "where its random numbers start")
	only  = flag.String("only", "", "make only this triple, such as apps/v1.Deployment:17")
)

// tally counts what upstream gave, by merge.
type tally struct {
	sync.Mutex
	seen map[string]*[4]int
}

var outcomes = []string{"patches or results", "{}", "errors", "panics"}

func (t *tally) add(merge string, o outcome) {
	if t == nil {
		return
	}
	t.Lock()
	defer t.Unlock()
	n := t.seen[merge]
	if n == nil {
		n = new([4]int)
		t.seen[merge] = n
	}
	switch {
	case o.panicked:
		n[3]++
	case o.err != "":
		n[2]++
	case o.json == "{}":
		n[1]++
	default:
		n[0]++
	}
}

func (t *tally) String() string {
	var b strings.Builder
	for name, n := range t.seen {
		fmt.Fprintf(&b, "\n%-32s", name)
		for i, word := range outcomes {
			fmt.Fprintf(&b, " %d %s,", n[i], word)
		}
	}
	lines := strings.Split(b.String(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// made is the i-th triple of a kind.
func made(k *kind, i int) triple {
	h := fnv.New64a()
	fmt.Fprint(h, k)
	g := &generator{Rand: rand.New(rand.NewPCG(*seed, h.Sum64()+uint64(i)))}
	return g.triple(k)
}

func TestGenerated(t *testing.T) {
	if *only != "" {
		name, number, _ := strings.Cut(*only, ":")
		for _, k := range append(slices.Clone(kinds()), custom) {
			if i, _ := strconv.Atoi(number); k.String() == name {
				t.Logf("%v\n%s", made(k, i), difference(k, made(k, i), nil))
			}
		}
		return
	}
	began := time.Now()
	all := append(slices.Clone(kinds()), custom)
	each := (*count + len(all) - 1) / len(all)
	var next, done, differing atomic.Int64
	counts := &tally{seen: map[string]*[4]int{}}
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(all); n = int(next.Add(1)) - 1 {
				k := all[n]
				for i := 0; i < each && differing.Load() < 20; i++ {
					tr := made(k, i)
					done.Add(1)
					if difference(k, tr, counts) != "" {
						differing.Add(1)
						tr = smaller(k, tr)
						t.Errorf("go test -run TestGenerated -v -seed %d -only %s:%d\n%v\n%s", *seed, k, i, tr, difference(k, tr, nil))
					}
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	t.Logf("%d triples of %d kinds, %d differences, %v, %.0f triples/s", done.Load(), len(all), differing.Load(), took.Round(time.Millisecond), float64(done.Load())/took.Seconds())
	t.Log(counts)
}
