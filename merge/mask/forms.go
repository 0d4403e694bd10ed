package mask

import (
	"encoding/base64"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// forms are texts that are found in others: by their first bytes, then by the hashes of
// what may follow. A place of a text costs a few steps, and where it is the beginning of
// many forms a step for each of their lengths. How a value is written is found out where a
// text has the beginning of it, since most values have no copy anywhere.
type forms struct {
	seed   uint64
	starts map[begin]*start
	begins [shortest - 1][256]bool // the first bytes
	values []Form                  // of which a form is written when a text has its beginning
}

// begin is how a form begins.
type begin [shortest]byte

// start are the forms that begin alike.
type start struct {
	read    atomic.Bool // nothing waits
	mutex   sync.Mutex
	waiting []int32           // values of which a form begins so
	of      map[uint64]Form   // by the hash of their text, of long ones of its beginning
	long    map[uint64][]tail // what follows the beginning, the longest first
	maybe   []uint64          // a bit for each hash
	lengths []int             // the longest first; up to longest
	inside  bool              // one counts inside longer words, too
}

// tail is the end of a long form.
type tail struct {
	text string
	form Form
}

// longest is the length up to which forms are compared as a whole. Of a longer one the
// beginning is a copy, too.
const longest = 512

func newForms() *forms {
	return &forms{seed: maphash.String(maphash.MakeSeed(), ""), starts: map[begin]*start{}}
}

// at are the forms that begin alike.
func (s *forms) at(with begin) *start {
	here := s.starts[with]
	if here == nil {
		here = &start{}
		s.starts[with] = here
		for i := range s.begins {
			s.begins[i][with[i]] = true
		}
	}
	return here
}

// add adds a text as a form.
func (s *forms) add(text string, f Form) {
	here := s.at(begin([]byte(text[:shortest])))
	here.add(s.seed, text, f)
	here.read.Store(len(here.waiting) == 0)
}

// value adds all forms of a value, which begin so.
func (s *forms) value(f Form, begins []begin) {
	n := int32(len(s.values))
	s.values = append(s.values, f)
	for _, with := range begins {
		here := s.at(with)
		here.waiting = append(here.waiting, n)
		here.read.Store(false)
	}
}

// begins are the beginnings of all forms.
func (f Form) begins() (list []begin) {
	f.written(f.beginning(), func(text string, _ *base64.Encoding) {
		if with := begin([]byte(text[:shortest])); !slices.Contains(list, with) {
			list = append(list, with)
		}
	})
	return list
}

// whole has the forms of what waits, which begin so.
func (s *forms) whole(b *start, with begin) {
	if b.read.Load() {
		return
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, n := range b.waiting {
		f := s.values[n]
		f.written(f.Value, func(text string, encoding *base64.Encoding) {
			if strings.HasPrefix(text, string(with[:])) {
				f.Base64 = encoding
				b.add(s.seed, text, f)
			}
		})
	}
	b.waiting = nil
	b.read.Store(true)
}

// next is the hash of a text with one more byte (FNV-1a).
func next(hash uint64, b byte) uint64 { return (hash ^ uint64(b)) * 0x100000001b3 }

// mark sets the bit of a hash.
func (b *start) mark(hash uint64) {
	i := (hash ^ hash>>32) % uint64(64*len(b.maybe))
	b.maybe[i/64] |= 1 << (i % 64)
}

// has is the form of a hash, if there is one.
func (b *start) has(hash uint64) (f Form, ok bool) {
	i := (hash ^ hash>>32) % uint64(64*len(b.maybe))
	if b.maybe[i/64]&(1<<(i%64)) == 0 {
		return f, false
	}
	f, ok = b.of[hash]
	return f, ok
}

func (b *start) add(hash uint64, text string, f Form) {
	if b.of == nil {
		b.of, b.long = map[uint64]Form{}, map[uint64][]tail{}
	}
	length := min(len(text), longest)
	for i := range length {
		hash = next(hash, text[i])
	}
	if length < len(text) {
		f.inside = true // as many characters are alike by no chance
		end := tail{text[length:], f}
		at, _ := slices.BinarySearchFunc(b.long[hash], end, func(a, b tail) int { return len(b.text) - len(a.text) })
		b.long[hash] = slices.Insert(b.long[hash], at, end)
	}
	if _, has := b.of[hash]; has {
		return
	}
	b.of[hash] = f
	if 8*len(b.of) > 64*len(b.maybe) {
		b.maybe = make([]uint64, len(b.of))
		for hash := range b.of {
			b.mark(hash)
		}
	}
	b.mark(hash)
	if at, has := slices.BinarySearchFunc(b.lengths, length, func(a, b int) int { return b - a }); !has {
		b.lengths = slices.Insert(b.lengths, at, length)
	}
	b.inside = b.inside || f.inside
}

// in reports whether a text has one of the forms.
func (s *forms) in(text string, public publicNames) bool {
	if s == nil {
		return false
	}
	for at := 0; at+shortest <= len(text); at++ {
		if _, length := formAt(s, text, at, public); length > 0 {
			return true
		}
	}
	return false
}

// formAt is the longest form that a text has at a place, unless its value is public.
func formAt[T string | []byte](s *forms, text T, at int, public publicNames) (f Form, length int) {
	if at+shortest > len(text) || !s.begins[0][text[at]] || !s.begins[1][text[at+1]] || !s.begins[2][text[at+2]] || !s.begins[3][text[at+3]] {
		return f, 0
	}
	with := begin([]byte(text[at : at+shortest]))
	here := s.starts[with]
	if here == nil {
		return f, 0
	}
	s.whole(here, with)
	within := at > 0 && isWordByte(text[at-1])
	if len(here.lengths) == 0 || within && !here.inside {
		return f, 0
	}
	var hashes [longest + 1]uint64
	hash := s.seed
	for i := range min(here.lengths[0], len(text)-at) {
		hash = next(hash, text[at+i])
		hashes[i+1] = hash
	}
	for _, length := range here.lengths {
		end := at + length
		if end > len(text) {
			continue
		}
		word := !within && !(end < len(text) && isWordByte(text[end]))
		if !word && !here.inside {
			continue
		}
		f, ok := here.has(hashes[length])
		if !ok || !word && !f.inside || public.has(f.Value) {
			continue
		}
		if tails := here.long[hashes[length]]; length == longest && tails != nil {
			return longAt(tails, text, at, f, public)
		}
		return f, length
	}
	return f, 0
}

// longAt is the longest of the long forms that a text has at a place, or else as much of
// one as it has: then what is there is a value of its own, since the token of the whole
// value would make the two alike.
func longAt[T string | []byte](tails []tail, text T, at int, f Form, public publicNames) (Form, int) {
	rest, most := text[at+longest:], 0
	for _, t := range tails {
		n := 0
		for n < len(t.text) && n < len(rest) && t.text[n] == rest[n] {
			n++
		}
		if n == len(t.text) && !public.has(t.form.Value) {
			return t.form, longest + n
		}
		most = max(most, n)
	}
	if f.Value != string(text[at:at+longest]) || most > 0 { // a value of exactly that length is whole
		f.Value, f.Base64 = string(text[at:at+longest+most]), nil
	}
	return f, longest + most
}
