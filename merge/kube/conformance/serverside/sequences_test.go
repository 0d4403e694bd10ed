package serverside

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"threeway/fixtures/tape"
	ours "threeway/merge/kube/internal/serverside"
	"threeway/merge/tree"
)

var (
	sequences = flag.Int("sequences", 1500, "how many sequences TestSequences runs")
	seed      = flag.Uint64("seed", 1, "the first of the seeds")
)

// TestSequences runs sequences of applies and updates on both sides.
func TestSequences(t *testing.T) {
	all := kinds(t)
	var sum counts
	for n := range *sequences {
		g := &generator{Rand: rand.New(rand.NewPCG(*seed, uint64(n)))}
		g.sequence(t, all[n%len(all)], &sum)
	}
	t.Logf("%d sequences of %d steps, of which %d conflicts and %d errors", *sequences, sum.steps, sum.conflicts, sum.errors-sum.conflicts)
	if *sequences >= 1000 && (sum.conflicts == 0 || sum.errors == sum.conflicts) {
		t.Error("the generator makes no conflicts or no other errors")
	}
}

// FuzzSequences runs the sequence of a kind that data stands for.
func FuzzSequences(f *testing.F) {
	all := kinds(f)
	for i := range all {
		f.Add(tape.Of(uint64(i), 300), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, number uint8) {
		g := &generator{Rand: tape.Rand(data)}
		g.sequence(t, all[int(number)%len(all)], &counts{})
	})
}

// counts are what sequences had.
type counts struct{ steps, conflicts, errors int }

// sequence makes a sequence for a kind and runs it on both sides.
func (g *generator) sequence(t *testing.T, k *kind, sum *counts) {
	s := newSequence(k)
	for range 2 + g.IntN(5) {
		step := g.step(s)
		sum.steps++
		mine, theirs := s.ours(step), s.theirs(step)
		for try := 0; try < 200 && theirs.err != "" && mine != theirs; try++ {
			theirs = s.theirs(step) // which of several errors is random
		}
		sum.conflicts += strings.Count(theirs.err, "Apply failed")
		if theirs.err != "" {
			sum.errors++
		}
		if mine != theirs {
			t.Fatalf("%s\n%s\n%v\nours     %v\nupstream %v", s.kind.Kind, strings.Join(s.log, "\n"), step, mine, theirs)
		}
		s.log = append(s.log, step.String())
	}
}

// sequence is the state of both sides.
type sequence struct {
	kind     *kind
	live     tree.Object
	upstream *unstructured.Unstructured
	log      []string
}

func newSequence(k *kind) *sequence {
	empty := func() tree.Object { return tree.Object{"apiVersion": k.APIVersion(), "kind": k.Kind.Kind} }
	return &sequence{kind: k, live: empty(), upstream: &unstructured.Unstructured{Object: empty()}}
}

// step is one apply, or one update if applied is false.
type step struct {
	applied, force bool
	manager        string
	obj            tree.Object
}

func (s step) String() string {
	word := "update"
	if s.applied {
		word = fmt.Sprintf("apply force=%t", s.force)
	}
	return fmt.Sprintf("%s as %s: %s", word, s.manager, encode(s.obj))
}

func (g *generator) step(s *sequence) step {
	managers := []string{"kubectl", "a", "b"}
	st := step{applied: g.chance(65), force: g.chance(40), manager: managers[g.IntN(len(managers))]}
	if st.applied {
		st.obj = g.config(s.kind)
		if last := g.last; g.chance(30) && len(s.live) > 2 {
			st.obj = withoutEntries(s.live)
			overlay(st.obj, last, g)
		}
		return st
	}
	st.obj = g.updated(s.kind, withoutEntries(s.live))
	return st
}

// outcome is what a step leads to.
type outcome struct{ object, err string }

func (o outcome) String() string { return o.object + "\n         " + o.err }

func (s *sequence) ours(st step) outcome {
	if !st.applied {
		entries := s.kind.manager.Update(s.live, st.obj, true, st.manager, "")
		s.live = tree.CopyObject(st.obj)
		ours.SetEntries(s.live, entries)
		return outcome{object: normal(s.live)}
	}
	obj, entries, err := s.kind.manager.Apply(s.live, ours.Request{Manifest: st.obj, Manager: st.manager, Force: st.force})
	if err != nil {
		return outcome{object: normal(s.live), err: lines(err)}
	}
	s.live = tree.CopyObject(obj)
	ours.SetEntries(s.live, entries)
	return outcome{object: normal(s.live)}
}

func (s *sequence) theirs(st step) outcome {
	obj := &unstructured.Unstructured{Object: tree.CopyObject(st.obj)}
	if !st.applied {
		// UpdateNoErrors, without its log.
		if out, err := s.kind.upstream.Update(s.upstream, obj, st.manager); err == nil {
			obj = out.(*unstructured.Unstructured)
		} else {
			obj.SetManagedFields(nil)
		}
		s.upstream = obj
		return outcome{object: normal(s.upstream.Object)}
	}
	out, err := s.kind.upstream.Apply(s.upstream.DeepCopy(), obj, st.manager, st.force)
	if err != nil {
		return outcome{object: normal(s.upstream.Object), err: lines(err)}
	}
	s.upstream = out.(*unstructured.Unstructured)
	return outcome{object: normal(s.upstream.Object)}
}

// lines is an error with its lines sorted: upstream meets fields in any order.
func lines(err error) string {
	list := strings.Split(err.Error(), "\n")
	sort.Strings(list)
	return strings.Join(list, "\n")
}

// normal is an object as text, its managedFields without times and sorted.
func normal(obj tree.Object) string {
	obj = tree.CopyObject(obj)
	entries := tree.List(obj, "metadata", "managedFields")
	for _, e := range entries {
		delete(e.(map[string]any), "time")
	}
	slices.SortFunc(entries, func(a, b any) int { return strings.Compare(encode(a), encode(b)) })
	return encode(obj)
}

func withoutEntries(obj tree.Object) tree.Object {
	obj = tree.CopyObject(obj)
	tree.Delete(obj, "metadata", "managedFields")
	return obj
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
