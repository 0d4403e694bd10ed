package command

import (
	"bytes"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"

	"threeway/command/request"
	"threeway/merge/disk"
)

// A look at a directory reads the beginning of so many files, and lists so many
// entries, that it is over in a moment.
const (
	mostLooked  = 500
	mostEntries = 10_000
	beginning   = 16 << 10
)

// sight is what a look at a directory sees, with slashes.
type sight struct {
	request.Surveyed
	// partial says that there is more.
	partial bool
}

// look sees what is below a directory. It goes by the beginnings of files, and
// decodes none but kustomizations.
func look(root string) (*sight, error) {
	s := &sight{}
	entries, looked := 0, 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		entries++
		switch {
		case err != nil && file == root:
			return err
		case err != nil:
			return nil // what cannot be read is not seen
		case d.IsDir() && file != root && request.Passed(d.Name()):
			return fs.SkipDir
		case entries > mostEntries || looked >= mostLooked:
			s.partial = true
			return fs.SkipAll
		case s.Holds(file) && d.Type().IsRegular():
			looked++
			s.read(file)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Settle(disk.Files{})
	return s, nil
}

var (
	// object and exported are lines of files with objects, and with live ones.
	object   = regexp.MustCompile(`(?m)(^|[{,])\s*(- )?"?apiVersion"?:\s*["']?[a-z]`)
	liveOnly = regexp.MustCompile(`(?m)(^|[{,])\s*"?(uid|managedFields|resourceVersion|selfLink)"?:`)
)

// read puts a file where it belongs by its beginning.
func (s *sight) read(file string) {
	f, err := disk.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, beginning))
	switch {
	case err != nil || !object.Match(text) || !bytes.Contains(text, []byte("kind")):
	default:
		s.Sort(file, liveOnly.Match(text))
	}
}
