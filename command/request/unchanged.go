package request

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/command/system"
	"threeway/merge/disk"
)

// current are the files of the repository now: those of the disk, or of git's index.
type current struct {
	kustomize.Files
	// then are those of the start of the change, and index is nil for the disk.
	then  kustomize.Files
	index *system.Revision
	// at is a path among the files, top one of them from the top of the repository, and same
	// reports whether one is as it was at the start of the change.
	at, top func(file string) string
	same    func(file string) bool
}

// current are the files that a run reads, compared with those of a revision.
func (r *Inputs) current(ctx context.Context, start *system.Revision) *current {
	if r.Staged {
		if index, err := system.RevisionAt(ctx, r.Limits, system.Index, r.Directory); err == nil {
			return &current{kustomize.Remember(index), kustomize.Remember(start), index, index.At, path.Clean, func(file string) bool { return start.SameAs(index, file) }}
		}
	}
	slashed := func(file string) string { return filepath.ToSlash(filepath.Clean(file)) }
	return &current{kustomize.Remember(disk.Files{}), kustomize.Remember(start), nil, slashed, start.At, start.Same}
}

// leaveUnchanged finds the overlays that are made of the same files at the revision, where the
// cluster counts as having what it makes: they are not rendered by what is about the change,
// unless one was typed alone. One that takes more than files of the repository is rendered
// only if it was typed.
func (v *Resolver) leaveUnchanged(r *Request, start *system.Revision) {
	if len(r.Live)+len(r.Clusters) > 0 && r.Survey == nil {
		return
	}
	files := r.current(v.Context.Context, start)
	if files.index == nil {
		same := map[string]bool{}
		files.Files, files.same = v.disk, func(file string) bool {
			is, known := same[file]
			if !known {
				is = start.Same(file)
				same[file] = is
			}
			return is
		}
	}
	several := len(r.Base) > 0 && r.Overlays() && (r.Staged || slices.Contains([]string{"diff", "guard", "review"}, v.Command.Name))
	for _, dir := range r.Kustomize {
		now := kustomize.Read(files.Files, files.at(dir))
		fails := now.Unconfined()
		if fails == "" && !several || fails != "" && r.KustomizeTyped || !r.unchanged(v.Context.Context, files, start, now) {
			continue
		}
		if fails != "" {
			r.Failing = append(r.Failing, Failing{dir, fails})
		}
		r.Unchanged = append(r.Unchanged, dir)
	}
}

// Failing is an overlay that cannot be rendered, and why.
type Failing struct{ Dir, Why string }

// LeavesUnchanged reports whether the change leaves the overlay in a directory as it is.
func (r *Inputs) LeavesUnchanged(ctx context.Context, dir string) bool {
	if r.AtStart == nil {
		return false
	}
	files := r.current(ctx, r.AtStart)
	return r.unchanged(ctx, files, r.AtStart, kustomize.Read(files.Files, files.at(dir)))
}

// unchanged reports whether a kustomization has the files that it has at a revision, with the
// values of Flux. Those that it names are all if they are all there; else whatever lies below
// its directories may be read, too.
func (r *Inputs) unchanged(ctx context.Context, files *current, start *system.Revision, now *kustomize.Kustomization) bool {
	for _, root := range now.Roots {
		for _, name := range KustomizationFiles {
			if file := path.Join(root.Dir, name); file != root.File && start.HasFile(files.top(file)) {
				return false
			}
		}
	}
	if len(now.Roots) == 0 || slices.ContainsFunc(now.Names(), func(name string) bool { return !files.same(name) }) || r.refilled(ctx, files, now.Dir, now.Names()) {
		return false
	}
	if now.Unconfined() == "" {
		return true
	}
	same := files.sameFiles(files.top(now.Dir), now.Dir)
	if now.Beyond == "" && now.Broken == "" && len(now.Misspelt)+len(now.Programs) == 0 {
		return same // it names what is elsewhere, and no other files
	}
	dirs := now.Dirs()
	if now.Beyond != "" {
		dirs = append(dirs, now.Beyond)
	}
	return same && !slices.ContainsFunc(dirs, func(dir string) bool { return files.differs(start, dir, nil) })
}

// differs reports whether a directory has other files than at a revision; those that but is true of
// do not count, and nil is true of none.
func (c *current) differs(start *system.Revision, dir string, but func(file string) bool) bool {
	return c.changed(start, dir, but) || c.adds(start, dir, but)
}

// adds reports whether a directory has files that it does not have at a revision, as differs does.
func (c *current) adds(start *system.Revision, dir string, but func(file string) bool) bool {
	isNew := func(name string) bool { return !start.HasFile(name) && !start.IsDir(name) }
	if c.index != nil {
		within := strings.TrimPrefix(c.top(dir)+"/", "./")
		return slices.ContainsFunc(c.index.Paths(), func(name string) bool {
			return strings.HasPrefix(name, within) && isNew(name) && (but == nil || !but(name))
		})
	}
	some := false
	_ = filepath.WalkDir(filepath.FromSlash(dir), func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.IsDir() && isNew(c.top(file)) && (but == nil || !but(file)):
			some = true
			return fs.SkipAll
		}
		return nil
	})
	return some
}

// changed reports whether a directory has no files at a revision, or has not all of them as there.
func (c *current) changed(start *system.Revision, dir string, but func(file string) bool) bool {
	within, some := strings.TrimPrefix(c.top(dir)+"/", "./"), false
	for _, name := range start.Paths() {
		if below, is := strings.CutPrefix(name, within); is {
			if some = true; !c.same(path.Join(dir, below)) && (but == nil || !but(path.Join(dir, below))) {
				return true
			}
		}
	}
	return !some
}

// sameFiles reports whether a kustomization of a revision is made of the same files and texts
// as one now.
func (c *current) sameFiles(at, dir string) bool {
	now, then := kustomize.Read(c.Files, dir).Names(), kustomize.Read(c.then, at).Names()
	return slices.EqualFunc(now, then, func(name, before string) bool { return c.top(name) == before && c.same(name) })
}

// SameKustomization reports whether a kustomization of the start of the change is made of the
// same files, texts and values of Flux as one now.
func (r *Inputs) SameKustomization(ctx context.Context, start *system.Revision, at, dir string) bool {
	files := r.current(ctx, start)
	dir = files.at(dir)
	return files.sameFiles(at, dir) && !r.refilled(ctx, files, dir, kustomize.Read(files.Files, dir).Names())
}

// OfChange reports whether the run is about a change, and not about all that an apply does: with
// a base, before a commit, and where a revision was named that is trusted.
func (r *Inputs) OfChange() bool {
	return len(r.Base) > 0 || r.Staged || r.Trusted != nil && !r.Trusted.Assumed
}

// SameAsStart reports whether a file, or a link that leads nowhere, is as it was at the start of
// the change, which must be known.
func (r *Inputs) SameAsStart(ctx context.Context, file string) bool {
	files := r.current(ctx, r.AtStart)
	return files.same(files.at(file))
}

// Refilled reports whether Flux puts other values into a file of the disk than at the start of
// the change.
func (r *Inputs) Refilled(ctx context.Context, file string) bool {
	return r.refilled(ctx, r.current(ctx, r.AtStart), filepath.ToSlash(file), []string{filepath.ToSlash(file)})
}

// refilled is Refilled for files, of which place is the only one, or the directory that they are
// rendered for.
func (r *Inputs) refilled(ctx context.Context, files *current, place string, names []string) bool {
	filled := func(name string) bool {
		text, _ := files.Read(name)
		return bytes.Contains(text, []byte("${"))
	}
	revision := ""
	if files.index != nil {
		revision = system.Index
	}
	return r.Variables != nil && slices.ContainsFunc(names, filled) &&
		r.Variables.differ(ctx, r.Limits, revision, strings.TrimPrefix(r.Start, GitBase), files.top(place))
}
