package tree

import (
	"hash/maphash"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Pooled replaces subtrees of own by equal ones that are already in the pool: objects that are
// made from one template differ in little, and so do the manifest and the live object. own must
// not be shared, and the subtrees must not change afterwards. The metadata
// stay apart, since a namespace is written into them, and what managers own, of which
// there is one of each already. No two objects have the annotations that kubectl writes.
func Pooled(own Object) {
	if trees.Add(1) <= few {
		return
	}
	for key, v := range own {
		if key != "metadata" {
			own[key] = Part(v)
		}
	}
	metadata := Map(own, "metadata")
	for key, v := range metadata {
		if key != "managedFields" && !Has(v, LastApplied) {
			metadata[key] = Part(v)
		}
	}
}

// Part is Pooled for a part of a tree.
func Part(own any) any {
	part, _ := pooled(own)
	return part
}

const (
	// few are so many trees that keeping parts apart is faster.
	few = 1000
	// poolSize is how many parts are remembered, those that were seen last, and so many
	// texts of at least longText bytes.
	poolSize = 1 << 15
	longText = 256
)

var (
	trees atomic.Int64 // that Pooled was called for
	parts [64]pool[any]
	texts [64]pool[string]
	seed  = maphash.MakeSeed()
)

// pool has the parts of some hashes.
type pool[T any] struct {
	sync.Mutex
	seen [poolSize / 64]struct {
		hash uint64
		part T
	}
}

// first returns the part that was seen before, if it is equal, or else own.
func first[T any](pools *[64]pool[T], hash uint64, own T, equal func(a, b T) bool) T {
	room := &pools[hash%64]
	room.Lock()
	defer room.Unlock()
	last := &room.seen[hash/64%(poolSize/64)]
	if last.hash == hash && equal(last.part, own) {
		return last.part
	}
	last.hash, last.part = hash, own
	return own
}

// pooled returns a part, or the one that is equal, with its hash.
func pooled(own any) (part any, hash uint64) {
	switch v := own.(type) {
	case map[string]any:
		for key, x := range v {
			y, h := pooled(x)
			if !sameMemory(x, y) {
				v[key] = y
			}
			hash += mix(maphash.String(seed, key), h) // in any order
		}
	case []any:
		for i, x := range v {
			y, h := pooled(x)
			if !sameMemory(x, y) {
				v[i] = y
			}
			hash = mix(hash+1, h)
		}
	case string:
		if hash = maphash.String(seed, v); len(v) >= longText {
			own = first(&texts, hash, v, func(a, b string) bool { return a == b })
		}
		return own, hash
	case int64:
		return own, uint64(v)
	case float64:
		return own, math.Float64bits(v)
	case bool:
		if v {
			return own, 1
		}
		return own, 2
	default:
		return own, 3
	}
	return first(&parts, hash, own, alike), hash
}

// sameMemory reports whether a value is kept as it was.
func sameMemory(was, now any) bool {
	text, isText := was.(string)
	return isText && unsafe.StringData(text) == unsafe.StringData(now.(string)) || !isText && (!Compound(was) || Same(was, now))
}

func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^bits.RotateLeft64(a, 32)|1)
	return high ^ low + a
}

// alike reports whether two parts have the same values, and of parts the very same.
func alike(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for key, x := range a {
			if y, has := b[key]; !has || !Same(x, y) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for i, x := range a {
			if !Same(x, b[i]) {
				return false
			}
		}
		return true
	}
	return false
}
