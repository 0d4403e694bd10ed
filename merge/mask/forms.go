package mask

import (
	"hash/maphash"
	"slices"
)

// forms are texts that are found in others: by their first bytes, then by the hashes of
// what may follow. A place of a text costs a few steps, and where it is the beginning of
// many forms a step for each of their lengths.
type forms struct {
	seed   maphash.Seed
	start  uint64
	of     map[uint64]Form   // by the hash of their text, of long ones of its beginning
	long   map[uint64][]tail // what follows the beginning, the longest first
	starts map[string]start  // by the first bytes
	begins [4][256]bool      // the first bytes
	maybe  []uint64          // a bit for each hash
}

// start are the forms that begin alike.
type start struct {
	lengths []int // the longest first; up to longest
	inside  bool  // one counts inside longer words, too
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
	seed := maphash.MakeSeed()
	return &forms{seed: seed, start: maphash.String(seed, ""), of: map[uint64]Form{}, long: map[uint64][]tail{}, starts: map[string]start{}}
}

// next is the hash of a text with one more byte (FNV-1a).
func next(hash uint64, b byte) uint64 { return (hash ^ uint64(b)) * 0x100000001b3 }

// mark sets the bit of a hash.
func (s *forms) mark(hash uint64) {
	i := (hash ^ hash>>32) % uint64(64*len(s.maybe))
	s.maybe[i/64] |= 1 << (i % 64)
}

// has is the form of a hash, if there is one.
func (s *forms) has(hash uint64) (f Form, ok bool) {
	i := (hash ^ hash>>32) % uint64(64*len(s.maybe))
	if s.maybe[i/64]&(1<<(i%64)) == 0 {
		return f, false
	}
	f, ok = s.of[hash]
	return f, ok
}

func (s *forms) add(text string, f Form) {
	length, hash := min(len(text), longest), s.start
	for i := range length {
		hash = next(hash, text[i])
	}
	if length < len(text) {
		f.inside = true // as many characters are alike by no chance
		end := tail{text[length:], f}
		at, _ := slices.BinarySearchFunc(s.long[hash], end, func(a, b tail) int { return len(b.text) - len(a.text) })
		s.long[hash] = slices.Insert(s.long[hash], at, end)
	}
	if _, has := s.of[hash]; has {
		return
	}
	s.of[hash] = f
	if 8*len(s.of) > 64*len(s.maybe) {
		s.maybe = make([]uint64, len(s.of))
		for hash := range s.of {
			s.mark(hash)
		}
	}
	s.mark(hash)
	begin := s.starts[text[:shortest]]
	if at, has := slices.BinarySearchFunc(begin.lengths, length, func(a, b int) int { return b - a }); !has {
		begin.lengths = slices.Insert(begin.lengths, at, length)
	}
	begin.inside = begin.inside || f.inside
	s.starts[text[:shortest]] = begin
	for i := range s.begins {
		s.begins[i][text[i]] = true
	}
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
	begin := s.starts[string(text[at:at+shortest])]
	within := at > 0 && isWordByte(text[at-1])
	if len(begin.lengths) == 0 || within && !begin.inside {
		return f, 0
	}
	var hashes [longest + 1]uint64
	hash := s.start
	for i := range min(begin.lengths[0], len(text)-at) {
		hash = next(hash, text[at+i])
		hashes[i+1] = hash
	}
	for _, length := range begin.lengths {
		end := at + length
		if end > len(text) {
			continue
		}
		word := !within && !(end < len(text) && isWordByte(text[end]))
		if !word && !begin.inside {
			continue
		}
		f, ok := s.has(hashes[length])
		if !ok || !word && !f.inside || public.has(f.Value) {
			continue
		}
		if tails := s.long[hashes[length]]; length == longest && tails != nil {
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
