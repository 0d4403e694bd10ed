package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/merge/tree"
	"threeway/rules"
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
func pruneOptions(c *cli.Context) (*merge.PruneOptions, error) {
	if !c.Bool("prune") {
		if c.IsSet("applyset") {
			return nil, usageError("--applyset requires --prune")
		}
		return nil, nil
	}
	recorded, err := recordedPrune(c)
	if err != nil {
		return nil, err
	}
	given, root := pruneRoot(c, recorded)
	exports := slices.Concat(c.StringSlice("live"), c.StringSlice("base"))
	opts := &merge.PruneOptions{
		All:          c.Bool("all"),
		SelectorText: c.String("selector"),
		Allowlist:    c.StringSlice("prune-allowlist"),
		ApplySet:     c.String("applyset"),
		Recorded:     recorded,
		Root:         root,
		Guessed:      !given,
		Elsewhere:    elsewhere(root, exports),
		LastFile:     lastFile(root),
	}
	if opts.ApplySet != "" {
		opts.Others = otherSelections(c, root)
	}
	if opts.Selector, err = selector.Parse(opts.SelectorText); err != nil {
		return nil, usageError("%v", err)
	}
	return opts, nil
}

// configFile is the config file that counts, or "".
func configFile(c *cli.Context) string {
	if given := c.String("config"); given != "" {
		return given
	}
	return settings.Find(".")
}

// recordedPrune reads how the config file says that the set is pruned; nil if
// there is none or it says nothing.
func recordedPrune(c *cli.Context) (*merge.PruneSelection, error) {
	file := configFile(c)
	if file == "" {
		return nil, nil
	}
	cfg, err := settings.Read(relative(file), ruleIDs(rules.All()))
	if err != nil {
		return nil, usageError("%v", err)
	}
	return selectionIn(cfg), nil
}

// selectionIn is the record of a config file; nil if it has none.
func selectionIn(cfg *settings.Config) *merge.PruneSelection {
	p := cfg.Prune
	if p == nil {
		return nil
	}
	root := p.Root
	if root != "" && !filepath.IsAbs(root) {
		root = relative(filepath.Join(filepath.Dir(cfg.File), root))
	}
	return &merge.PruneSelection{Source: cfg.File, Root: root, Namespace: cfg.Namespace, Selector: p.Selector, All: p.All, Allowlist: p.Allowlist, ApplySet: p.ApplySet}
}

// otherSelections reads how the other config files below the root, or of the
// repository, say that their sets are pruned. One that cannot be read is no
// business of this run.
func otherSelections(c *cli.Context, root string) []*merge.PruneSelection {
	if top := repositoryRoot("."); top != "" {
		root = top
	}
	if root == "" {
		return nil
	}
	own := configFile(c)
	var list []*merge.PruneSelection
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.Name() != settings.FileName || absolute(path) == absolute(own):
			return nil
		}
		if cfg, err := settings.Read(relative(path), ruleIDs(rules.All())); err == nil {
			if s := selectionIn(cfg); s != nil {
				list = append(list, s)
			}
		}
		return nil
	})
	return list
}

// pruneRoot is the top of the whole set: as the flag or the config file says,
// which is given, else the top of the repository that the config is in, else "".
func pruneRoot(c *cli.Context, recorded *merge.PruneSelection) (given bool, root string) {
	paths := split(c.StringSlice("filename"))
	switch {
	case c.String("prune-root") != "":
		return true, c.String("prune-root")
	case recorded != nil && recorded.Root != "":
		return true, recorded.Root
	case len(paths) > 0 && paths[0] != "-":
		if top := repositoryRoot(paths[0]); top != "" {
			return false, relative(top)
		}
	}
	return false, ""
}

// elsewhere returns a reader of the manifests below root; nil without one.
// Exports of live objects, this run's and others, which have uids, are not
// manifests.
func elsewhere(root string, exports []string) func() *manifest.Set {
	if root == "" {
		return nil
	}
	export := withinAny(exports)
	return func() *manifest.Set {
		set := manifest.Read(manifest.Options{Paths: []string{root}, Recursive: true})
		set.Objects = slices.DeleteFunc(set.Objects, func(o *manifest.Object) bool {
			return tree.Has(o.Tree, "metadata", "uid") || export(o.Origin.File)
		})
		shorter := map[string]string{}
		for _, o := range set.Objects {
			if shorter[o.Origin.File] == "" {
				shorter[o.Origin.File] = relative(o.Origin.File)
			}
			o.Origin.File = shorter[o.Origin.File]
		}
		return set
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

// unseen is the error of a prune of which the snapshot, if there is one, shows
// nothing.
func unseen(r *prune.Result, live bool) error {
	var resources []string
	for _, k := range r.Uncovered {
		resources = append(resources, snapshot.Resource(k.Kind))
	}
	none := "if nothing is live, pass --empty-cluster"
	if live {
		none = "if there are none, write that into the snapshot with an empty list of the kind (kind: ConfigMapList, items: []), as the script of 'threeway snapshot -o script' does"
	}
	return usageError("the snapshot has none of the kinds that --prune looks at, so what it would delete is unknown; export them too: kubectl get %s -A -o yaml --show-managed-fields; %s", strings.Join(resources, ","), none)
}
