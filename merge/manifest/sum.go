package manifest

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"unsafe"

	"threeway/merge/tree"
)

// sumSize is how much of a file is hashed at a time.
const sumSize = 1 << 20

// sum is a digest, or why there is none.
type sum struct {
	of  []byte
	err error
}

// Sum is the digest of all that the snapshot has: of the texts of its files, hashed side by
// side, and of the objects that were decoded when they were read. It is found once.
func (s *Snapshot) Sum() ([]byte, error) {
	found := Learned(s, func() sum {
		var rooms sync.Pool
		whole := sha256.New()
		for _, e := range s.Entries {
			if e.text != nil {
				continue
			}
			data, err := tree.AppendJSON(nil, e.object.Tree)
			if err != nil {
				return sum{err: err}
			}
			whole.Write(append(data, '\n'))
		}
		for _, source := range s.sources {
			blocks := make([]struct {
				of  [sha256.Size]byte
				err error
			}, (source.size+sumSize-1)/sumSize)
			s.cores.Do(len(blocks), func(i int) {
				at := int64(i) * sumSize
				room, _ := rooms.Get().(*[]byte)
				if room == nil {
					room = new([]byte)
				}
				defer rooms.Put(room)
				text, err := source.read(at, min(sumSize, source.size-at), room)
				blocks[i].of, blocks[i].err = sha256.Sum256(unsafe.Slice(unsafe.StringData(text), len(text))), err
			})
			fmt.Fprintf(whole, "%d\n", source.size)
			for _, b := range blocks {
				if b.err != nil {
					return sum{err: fmt.Errorf("read %s: %w", source.file, b.err)}
				}
				whole.Write(b.of[:])
			}
		}
		return sum{of: whole.Sum(nil)}
	})
	return found.of, found.err
}
