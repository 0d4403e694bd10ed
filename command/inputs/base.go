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
	set, notes, err := readBase(ctx, r, opts.Manifests, std)
	if err != nil {
		return opts, err
	}
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
	opts.Base.Lacking = append(opts.Base.Lacking, notes...)
	return opts, nil
}

// readBase reads the configs at the base. A path that is not there is an error;
// what cannot be read in a file is a problem of the set, since kubectl applied
// the rest. The notes say what was skipped, and which paths of -f the revision has
// nothing at.
func readBase(ctx context.Context, r *request.Inputs, now *manifest.Set, std system.Streams) (set *manifest.Set, notes []string, err error) {
	paths := r.Base
	revision, inGit := strings.CutPrefix(paths[0], request.GitBase)
	if !inGit {
		if len(paths) == 1 && len(r.Kustomize) == 1 && request.KustomizationOf(paths[0]) != "" {
			old := *r
			old.Kustomize = paths
			set, _, _, err = kustomized(ctx, &old, "", std)
			return set, nil, err
		}
		set, found := manifest.ReadAnywhere(manifest.Options{Paths: request.Split(paths), Recursive: r.Recursive, Stdin: std.In, Limits: r.Limits})
		for _, p := range set.Problems {
			if p.File == "" && p.Severity == manifest.Error {
				return nil, nil, fmt.Errorf("--base: %s; a branch or a commit is written %sNAME", p.Text, request.GitBase)
			}
		}
		for _, note := range GatheredNotes(&manifest.Snapshot{Gathered: found}, r.Verbose) {
			notes = append(notes, "--base "+note)
		}
		return set, notes, nil
	}
	if len(paths) > 1 {
		return nil, nil, fmt.Errorf("--base %s is already the whole base; remove the other --base flags", paths[0])
	}
	set, _, notes, err = readAt(ctx, r, now, revision, std)
	return set, notes, err
}

// readAt reads the manifests as they were at a revision, those that were in other files than
// now, too, without what is the same now: files, and directories that are rendered. The notes
// say which paths it has nothing of.
func readAt(ctx context.Context, r *request.Inputs, now *manifest.Set, revision string, std system.Streams) (set *manifest.Set, same, notes []string, err error) {
	name, except := request.GitBase+revision, r.NotManifests
	if r.Survey != nil {
		except = r.NotAtStart
	}
	files, problems, absent, err := system.FilesAt(ctx, r.Limits, revision, r.Files, r.Recursive, except)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("--base %s: %w", name, err)
	}
	if len(r.Base) == 0 {
		files = slices.DeleteFunc(files, func(f manifest.File) bool {
			here, unchanged := sameNow(ctx, r, f)
			if unchanged {
				same = append(same, here)
			}
			return unchanged
		})
	}
	set = readTexts(r, files)
	set.Problems = append(problems, set.Problems...)
	if name == r.Start {
		withoutUnreadBefore(ctx, r, set, func(file string) string { return r.AtStart.Here(strings.TrimPrefix(file, r.AtStart.Name(""))) })
	}
	if err := substitute(ctx, r, revision, set); err != nil {
		return nil, nil, nil, err
	}
	rendered, unchanged, unknown, err := kustomized(ctx, r, revision, std)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("--base %s: %w", name, err)
	}
	same = append(same, unchanged...)
	set.Add(rendered)
	new := unmoved(r, now, set)
	for _, p := range append(absent, unknown...) {
		within := system.WithinAny([]string{p})
		if !slices.ContainsFunc(new, func(o *manifest.Object) bool { return within(o.Origin.File) || within(o.At()) }) && len(now.Objects) > 0 {
			continue
		}
		if p == r.Part { // which the note of a set begins with
			notes = append(notes, "no manifests at "+name+"; all objects count as new")
			continue
		}
		notes = append(notes, fmt.Sprintf("%s has no manifests at %s; all its objects count as new", p, name))
	}
	return set, same, notes, nil
}

// unmoved adds to the manifests of the revision the objects of files that are gone, if they
// are in other files now. It returns the objects that the revision does not have.
func unmoved(r *request.Inputs, now, then *manifest.Set) []*manifest.Object {
	had := map[manifest.Identity]bool{}
	for _, o := range then.Objects {
		had[o.ID()] = true
	}
	isNew := func(o *manifest.Object) bool { return !had[o.ID()] }
	if r.AtStart != nil && slices.ContainsFunc(now.Objects, isNew) {
		for _, o := range manifest.ReadFiles(request.GoneFiles(r.AtStart), r.Limits).Objects {
			if isNew(o) && slices.ContainsFunc(now.Objects, func(other *manifest.Object) bool { return other.ID() == o.ID() }) {
				then.Objects, had[o.ID()] = append(then.Objects, o), true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(now.Objects), func(o *manifest.Object) bool { return !isNew(o) })
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
	set, same, _, err := readAt(ctx, &quiet, now, strings.TrimPrefix(r.Start, request.GitBase), std)
	switch {
	case err != nil && r.Trusted == nil:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.Start, err)
	}
	Learn(r, set.Objects)
	hooks.compare(withoutHooks(r, set), same)
	return &merge.Former{Name: r.Start, Same: same, Objects: set.Objects, Problems: set.Problems, Aside: r.OfChange()}, nil
}
