package command

import (
	"bytes"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"

	"threeway/command/request"
	"threeway/command/system"
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
	// paths are those that were typed; none for all.
	paths []string
}

// Places are where the manifests are: files, if these were typed.
func (s *sight) Places() []string { return s.typed(s.Manifests, s.Surveyed.Places) }

// Exports are where the snapshots are.
func (s *sight) Exports() []string { return s.typed(s.Snapshots, s.Surveyed.Exports) }

func (s *sight) typed(files []string, all func() []string) (list []string) {
	for _, p := range s.paths {
		if slices.Contains(files, filepath.ToSlash(system.Relative(p))) {
			list = append(list, filepath.ToSlash(p))
		}
	}
	if len(list) < len(files) {
		return all()
	}
	return list
}

// look sees what is below a directory. It goes by the beginnings of files, and
// decodes none but kustomizations.
func look(roots ...string) (*sight, error) {
	s := &sight{}
	entries, looked, root := 0, 0, ""
	see := func(file string, d fs.DirEntry, err error) error {
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
	}
	for _, root = range roots {
		if err := filepath.WalkDir(root, see); err != nil {
			return nil, err
		}
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
