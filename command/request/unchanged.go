package request

import (
	"bytes"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/command/system"
	"threeway/merge/disk"
)

// leaveUnchanged finds the overlays that are made of the same files at the revision, where the
// cluster counts as having what it makes: of several, they are not rendered. One that takes
// more than files of the repository is rendered only if it was typed.
func (v *Resolver) leaveUnchanged(r *Request, at *system.Revision) {
	if r.Staged || len(r.Live)+len(r.Clusters) > 0 && r.Survey == nil {
		return
	}
	several := len(r.Base) > 0 && r.Overlays() && slices.Contains([]string{"diff", "review"}, v.Command.Name)
	var kept []string
	for _, dir := range r.Kustomize {
		now := kustomize.Read(disk.Files{}, filepath.ToSlash(dir))
		fails := now.Unconfined()
		switch {
		case len(now.Roots) == 0, fails == "" && !several, fails != "" && r.KustomizeTyped, !unchanged(at, now, fails == "") || r.Refilled(v.Context.Context, dir, now.Names()...):
			kept = append(kept, dir)
		case fails != "":
			r.Others = append(r.Others, dir+" is not rendered: its kustomization "+fails+"; it does not change")
		default:
			r.Unchanged, kept = append(r.Unchanged, dir), append(kept, dir)
		}
	}
	r.Kustomize = kept
}

// unchanged reports whether a kustomization of the disk has the files that it has at a revision.
// Those that it names here are all if they are all here; else whatever lies below its
// directories may be read, too.
func unchanged(at *system.Revision, now *kustomize.Kustomization, all bool) bool {
	for _, root := range now.Roots {
		for _, name := range KustomizationFiles {
			if file := path.Join(root.Dir, name); file != root.File && at.HasFile(at.At(file)) {
				return false
			}
		}
	}
	if slices.ContainsFunc(now.Names(), func(name string) bool { return !at.Same(name) }) {
		return false
	}
	return all || !now.Beyond && sameFiles(at, at.At(now.Dir), now.Dir) && !slices.ContainsFunc(now.Dirs(), func(dir string) bool { return changed(at, dir) })
}

// SameKustomization reports whether a kustomization of a revision is made of the same files,
// texts and values of Flux as one on the disk.
func (r *Inputs) SameKustomization(ctx context.Context, tree *system.Revision, at, dir string) bool {
	return sameFiles(tree, at, dir) && !r.Refilled(ctx, dir, kustomize.Read(disk.Files{}, filepath.ToSlash(dir)).Names()...)
}

// Refilled reports whether Flux puts other values into files than at the start of the change.
// place is the path of the file, or of the directory that is rendered from them.
func (r *Inputs) Refilled(ctx context.Context, place string, files ...string) bool {
	filled := func(file string) bool {
		text, _ := disk.Files{}.Read(file)
		return bytes.Contains(text, []byte("${"))
	}
	return r.Variables != nil && slices.ContainsFunc(files, filled) && r.Variables.differ(ctx, r.Limits, strings.TrimPrefix(r.Start, GitBase), place)
}

func sameFiles(tree *system.Revision, at, dir string) bool {
	now, then := kustomize.Read(disk.Files{}, filepath.ToSlash(filepath.Clean(dir))).Names(), kustomize.Read(tree, at).Names()
	if len(now) != len(then) {
		return false
	}
	for i, name := range then {
		if tree.At(now[i]) != name || !tree.Same(now[i]) {
			return false
		}
	}
	return true
}
