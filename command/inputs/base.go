package inputs

import (
	"context"
	"fmt"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/manifest"
)

// fromBase puts the configs of --base in place of a snapshot.
func fromBase(ctx context.Context, r *request.Inputs, std system.Streams, opts merge.Options) (merge.Options, error) {
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
	set, notes, err := readBase(ctx, r, std)
	if err != nil {
		return opts, err
	}
	Learn(r, set.Objects)
	if len(set.Objects) == 0 && !strings.HasPrefix(paths[0], request.GitBase) && !r.AllowEmpty {
		if err := manifest.Err(set.Problems); err != nil {
			return opts, fmt.Errorf("no objects in --base: %w", err)
		}
		return opts, fmt.Errorf("no objects in --base %s: check the path", strings.Join(paths, ","))
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
func readBase(ctx context.Context, r *request.Inputs, std system.Streams) (set *manifest.Set, notes []string, err error) {
	paths := r.Base
	revision, inGit := strings.CutPrefix(paths[0], request.GitBase)
	if !inGit {
		if len(paths) == 1 && len(r.Kustomize) == 1 && request.KustomizationOf(paths[0]) != "" {
			old := *r
			old.Kustomize = paths
			set, _, err = kustomized(ctx, &old, "", std)
			return set, nil, err
		}
		set, found := manifest.ReadAnywhere(manifest.Options{Paths: request.Split(paths), Recursive: r.Recursive, Stdin: std.In, Limits: r.Limits})
		for _, p := range set.Problems {
			if p.File == "" && p.Severity == manifest.Error {
				if !r.Recursive && strings.Contains(p.Text, "recognized file extensions") {
					p.Text += "; pass -R to read the directories in it"
				}
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
	files, absent, err := system.FilesAt(ctx, r.Limits, revision, r.Files, r.Recursive, r.NotManifests)
	if err != nil {
		return nil, nil, fmt.Errorf("%v", fmt.Errorf("--base %s: %w", paths[0], err))
	}
	set = manifest.ReadFiles(files, r.Limits)
	rendered, unknown, err := kustomized(ctx, r, revision, std)
	if err != nil {
		return nil, nil, fmt.Errorf("--base %s: %w", paths[0], err)
	}
	set.Add(rendered)
	for _, p := range append(absent, unknown...) {
		notes = append(notes, fmt.Sprintf("%s has no manifests at %s; all its objects count as new", p, paths[0]))
	}
	return set, notes, nil
}
