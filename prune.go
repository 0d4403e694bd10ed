package main

import (
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/selector"
)

// pruneFlags are kubectl's flags of --prune, and our own for its root.
func pruneFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "prune", Category: categoryKubectl, Usage: "show what --prune would delete"},
		&cli.BoolFlag{Name: "all", Category: categoryKubectl, Usage: "prune whatever the labels are"},
		&cli.StringSliceFlag{Name: "prune-allowlist", Category: categoryKubectl, Usage: "`GROUP/VERSION/KIND` to prune instead of the default kinds; repeatable"},
		&cli.StringFlag{Name: "applyset", Category: categoryKubectl, Usage: "prune the members of the ApplySet with the parent `[RESOURCE][.GROUP]/NAME`"},
		&cli.StringFlag{Name: "prune-root", Category: categoryOwn, Usage: "top `DIR` of the whole set; default: that of the repository"},
	}
}

// pruneOptions reads the flags; nil without --prune.
func pruneOptions(c *cli.Context, onDiff bool) (*merge.PruneOptions, error) {
	if !c.Bool("prune") {
		if c.IsSet("applyset") {
			return nil, usageError("--applyset requires --prune")
		}
		return nil, nil
	}
	opts := &merge.PruneOptions{
		All:          c.Bool("all"),
		SelectorText: c.String("selector"),
		Allowlist:    c.StringSlice("prune-allowlist"),
		ApplySet:     c.String("applyset"),
		Elsewhere:    elsewhere(c.String("prune-root"), split(c.StringSlice("filename"))),
	}
	if err := opts.Validate(onDiff, c.Bool("server-side")); err != nil {
		return nil, usageError("%v", err)
	}
	var err error
	if opts.Selector, err = selector.Parse(opts.SelectorText); err != nil {
		return nil, usageError("%v", err)
	}
	return opts, nil
}

// elsewhere returns a reader of the whole set's manifests: those below root, or
// below the top of the repository that the config is in. It is nil if there is
// no such place.
func elsewhere(root string, paths []string) func() *manifest.Set {
	if root == "" && len(paths) > 0 && paths[0] != "-" {
		root = repositoryRoot(paths[0])
	}
	if root == "" {
		return nil
	}
	return func() *manifest.Set {
		return manifest.Read(manifest.Options{Paths: []string{root}, Recursive: true})
	}
}

// repositoryRoot finds the directory above path that holds .git, or "".
func repositoryRoot(path string) string {
	dir, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// coversAny reports whether the snapshot holds any kind that prune looks at.
func coversAny(p *merge.Plan, live *manifest.Snapshot) bool {
	return len(p.Prune.Candidates) > 0 || len(p.Prune.Uncovered) < p.Prune.Looked
}
