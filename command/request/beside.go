package request

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"threeway/command/kustomize"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// changedBeside finds the files that the change adds or edits below the kustomizations that are
// rendered, and that none of them names: whether something else applies them is unknown.
func (v *Resolver) changedBeside(r *Request, start *system.Revision) {
	if r.Trusted != nil { // those of directories that nothing renders
		r.Unnamed = r.Trusted.Unnamed
	}
	if r.Staged {
		return // a hook is told which files it skips
	}
	dirs, named := map[string]bool{}, map[string]bool{}
	for _, dir := range r.Kustomize {
		k := kustomize.Read(v.disk, filepath.ToSlash(dir))
		for _, root := range k.Roots {
			dirs[root.Dir] = dirs[root.Dir] || k.Broken == "" // else which files it names is unknown, and a gap
		}
		for _, name := range k.Names() {
			named[name] = true
		}
	}
	isBelow := func(dir string) bool {
		up := path.Dir(dir)
		for ; up != path.Dir(up) && !dirs[up]; up = path.Dir(up) {
		}
		return up != path.Dir(up)
	}
	read, passed := system.WithinAny(r.Present()), system.WithinAny(r.NotManifests)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		if !dirs[dir] || isBelow(dir) || !disk.Inside(filepath.FromSlash(dir), r.Settings.File) {
			continue
		}
		_ = filepath.WalkDir(filepath.FromSlash(dir)+"/", func(file string, d fs.DirEntry, err error) error {
			name := path.Clean(filepath.ToSlash(file))
			switch {
			case err != nil:
			case d.IsDir() && (d.Name() == ".git" || v.file.Excludes(file)):
				return fs.SkipDir
			case d.IsDir() || !manifest.IsManifest(name) || named[name] || v.file.Excludes(file) || read(file) && !passed(file) || start.Same(file) || !applies(name):
			case !slices.Contains(r.Unnamed, name):
				r.Unnamed = append(slices.Clone(r.Unnamed), name)
			}
			return nil
		})
	}
}
