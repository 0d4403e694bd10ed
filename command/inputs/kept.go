package inputs

import (
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"threeway/merge/manifest"
)

// Kept keeps the exports that the runs of a server have read, until their files change:
// reading one takes longer than all else. The zero value has none.
type Kept struct {
	mutex sync.Mutex
	kept  map[string]keptSnapshot // by the paths
}

type keptSnapshot struct {
	state    string
	snapshot *manifest.Snapshot
}

// Read is manifest.ReadSnapshot.
func (s *Kept) Read(opts manifest.Options) *manifest.Snapshot {
	if len(opts.Paths) == 0 {
		return manifest.ReadSnapshot(opts)
	}
	paths, state := strings.Join(opts.Paths, "\x00"), stateOf(opts)
	if opts.Takes != nil {
		paths += "\x00\x00"
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if have, ok := s.kept[paths]; ok && have.state == state {
		return have.snapshot
	}
	if s.kept == nil {
		s.kept = map[string]keptSnapshot{}
	}
	delete(s.kept, paths) // before the next takes memory
	next := keptSnapshot{state, manifest.ReadSnapshot(opts)}
	s.kept[paths] = next
	return next.snapshot
}

// Forget reads everything again when it is next needed.
func (s *Kept) Forget() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.kept = nil
}

// seed is that of this process, so that no text can be made to have the sum of another.
var seed = maphash.MakeSeed()

// stateOf has the size and the time of every file at or below the paths; of what is not read
// from the disk, the sum.
func stateOf(opts manifest.Options) string {
	var b strings.Builder
	for _, path := range opts.Paths {
		if opts.From != nil {
			if files, ok, _ := opts.From(path); ok {
				for _, f := range files {
					fmt.Fprintf(&b, "%s %d %x\n", f.Name, len(f.Data), maphash.Bytes(seed, f.Data))
				}
				continue
			}
		}
		_ = filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				fmt.Fprintf(&b, "%s %v\n", file, err)
				return nil
			}
			info, err := os.Stat(file) // behind a link
			if err == nil && !info.IsDir() {
				fmt.Fprintf(&b, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return b.String()
}
