package inputs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// fromBase puts the configs of --base in place of a snapshot.
func fromBase(ctx context.Context, r *request.Inputs, std system.Streams, opts merge.Options, hooks *hooks) (merge.Options, error) {
	paths := r.Base
	if len(paths) == 0 {
		return opts, nil
	}
	const known = "--base replaces the snapshot and cannot be combined with --%s; remove one of them"
	switch {
	case len(r.Live) > 0:
		return opts, fmt.Errorf(known, "live")
	case len(r.LastApplied) > 0:
		return opts, fmt.Errorf(known, "last-applied")
	case r.EmptyCluster:
		return opts, fmt.Errorf(known, "empty-cluster")
	}
	b, err := readBase(ctx, r, opts.Manifests, std)
	if err != nil {
		return opts, err
	}
	set := b.set
	r.AllowEmpty = r.AllowEmpty || b.moves
	opts.Gaps.Add(b.gaps...)
	Learn(r, set.Objects)
	hooks.compare(withoutHooks(r, set), nil)
	if len(set.Objects) == 0 && !strings.HasPrefix(paths[0], request.GitBase) && !r.AllowEmpty {
		if err := manifest.Err(set.Problems); err != nil {
			return opts, fmt.Errorf("no objects in --base: %w", err)
		}
		return opts, fmt.Errorf("no objects in --base %s: check the path", strings.Join(paths, ","))
	}
	if h, ok := r.By.(*request.Helm); ok && h.Chart != "" && strings.HasPrefix(paths[0], request.GitBase) {
		revision := strings.TrimPrefix(paths[0], request.GitBase)
		rendered, err := release{h}.renderAt(ctx, r, revision, std, opts)
		if err != nil {
			rendered = &manifest.Set{Problems: []manifest.Problem{notRendered(revision, h.Chart, err)}}
		}
		set.Add(rendered)
	}
	opts, err = opts.From(set, strings.Join(paths, ", "))
	if err != nil {
		return opts, fmt.Errorf("--base %s: %v", strings.Join(paths, ","), err)
	}
	opts.Base.Lacking = append(opts.Base.Lacking, b.notes...)
	return opts, nil
}

// readBase reads the configs at the base. A path that is not there is an error;
// what cannot be read in a file is a problem of the set, since kubectl applied
// the rest.
func readBase(ctx context.Context, r *request.Inputs, now *manifest.Set, std system.Streams) (*before, error) {
	paths := r.Base
	revision, inGit := strings.CutPrefix(paths[0], request.GitBase)
	if !inGit {
		if len(paths) == 1 && len(r.Kustomize) == 1 && request.KustomizationOf(paths[0]) != "" {
			old := *r
			old.Kustomize = paths
			set, _, _, err := kustomized(ctx, &old, "", std)
			return &before{set: set}, err
		}
		set, found := manifest.ReadAnywhere(manifest.Options{Paths: request.Split(paths), Recursive: r.Recursive, Stdin: std.In, Limits: r.Limits})
		for _, p := range set.Problems {
			if p.File == "" && p.Severity == manifest.Error {
				return nil, fmt.Errorf("--base: %s; a branch or a commit is written %sNAME", p.Text, request.GitBase)
			}
		}
		b := &before{set: set}
		for _, note := range GatheredNotes(&manifest.Snapshot{Gathered: found}, r.Verbose) {
			b.notes = append(b.notes, "--base "+note)
		}
		return b, nil
	}
	if len(paths) > 1 {
		return nil, fmt.Errorf("--base %s is already the whole base; remove the other --base flags", paths[0])
	}
	return readAt(ctx, r, now, revision, std)
}

// readAt reads the manifests as they were at a revision, those that were in other files than
// now, too.
func readAt(ctx context.Context, r *request.Inputs, now *manifest.Set, revision string, std system.Streams) (*before, error) {
	b, absent, err := setAt(ctx, r, revision, std)
	if err != nil {
		return nil, err
	}
	name, new := request.GitBase+revision, b.unmoved(ctx, r, now, revision)
	for _, dir := range r.Kustomize {
		if old := r.Renamed[dir]; old != "" && r.Part != "" {
			b.assume(r, old, b.set.Objects)
		}
	}
	for _, p := range absent {
		within := system.WithinAny([]string{p})
		if !slices.ContainsFunc(new, func(o *manifest.Object) bool { return within(o.Origin.File) || within(o.At()) }) && len(now.Objects)+len(now.Problems) > 0 {
			continue
		}
		if p == r.Part { // which the note of a set begins with
			b.notes = append(b.notes, "no manifests at "+name+"; all objects count as new")
			continue
		}
		b.notes = append(b.notes, fmt.Sprintf("%s has no manifests at %s; all its objects count as new", p, name))
	}
	return b, nil
}

// setAt reads the manifests that the paths had at a revision, without what is the same now: files,
// and directories that are rendered. absent are the paths that it has nothing of.
func setAt(ctx context.Context, r *request.Inputs, revision string, std system.Streams) (b *before, absent []string, err error) {
	name, except := request.GitBase+revision, r.NotManifests
	if r.Survey != nil {
		except = r.NotAtStart
	}
	files, problems, absent, err := system.FilesAt(ctx, r.Limits, revision, r.Files, r.Recursive, except)
	if err != nil {
		return nil, nil, fmt.Errorf("--base %s: %w", name, err)
	}
	b = &before{}
	if len(r.Base) == 0 {
		files = slices.DeleteFunc(files, func(f manifest.File) bool {
			here, unchanged := sameNow(ctx, r, f)
			if unchanged {
				b.same = append(b.same, here)
			}
			return unchanged
		})
	}
	b.set = readTexts(r, files)
	b.set.Problems = append(problems, b.set.Problems...)
	if name == r.Start {
		withoutUnreadBefore(ctx, r, b.set, func(file string) string { return r.AtStart.Here(strings.TrimPrefix(file, r.AtStart.Name(""))) })
	}
	if err := substitute(ctx, r, revision, b.set); err != nil {
		return nil, nil, err
	}
	rendered, unchanged, unknown, err := kustomized(ctx, r, revision, std)
	if err != nil {
		return nil, nil, fmt.Errorf("--base %s: %w", name, err)
	}
	b.same = append(b.same, unchanged...)
	b.set.Add(rendered)
	return b, append(absent, unknown...), nil
}

// sameNow reports whether a file of the revision is among the manifests as it was, and where.
func sameNow(ctx context.Context, r *request.Inputs, f manifest.File) (here string, same bool) {
	here = r.AtStart.Here(strings.TrimPrefix(f.Name, r.AtStart.Name("")))
	if r.Staged || r.Instead != nil || !system.WithinAny(r.Present())(here) || belowLink(r, here) {
		return here, false
	}
	now, err := disk.ReadFile(here)
	return here, err == nil && bytes.Equal(now, f.Data) && !r.Refilled(ctx, here)
}

// belowLink reports whether a file is in a directory of the manifests that is a link: kubectl does
// not read below it.
func belowLink(r *request.Inputs, file string) bool {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir) && !slices.ContainsFunc(r.Present(), func(p string) bool { return system.Within(p, dir) }); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// former are the manifests of the commit that the change starts from, where a snapshot tells
// what is live; nil if there is no such commit.
func former(ctx context.Context, r *request.Inputs, now *manifest.Set, hooks *hooks, std system.Streams) (*merge.Former, error) {
	if r.Start == "" || len(r.Base) > 0 {
		return nil, nil
	}
	quiet := *r
	quiet.Quiet = true
	b, err := readAt(ctx, &quiet, now, strings.TrimPrefix(r.Start, request.GitBase), std)
	switch {
	case err != nil && r.Trusted == nil:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.Start, err)
	}
	r.AllowEmpty = r.AllowEmpty || b.moves
	Learn(r, b.set.Objects)
	hooks.compare(withoutHooks(r, b.set), b.same)
	return &merge.Former{Name: r.Start, Same: b.same, Objects: b.set.Objects, Problems: b.set.Problems, Aside: r.OfChange()}, nil
}
