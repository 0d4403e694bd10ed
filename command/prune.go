package command

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// pruneFlags are kubectl's flags of --prune, and our own for its root.
func pruneFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "prune", Category: categoryKubectl, Usage: "show what --prune would delete"},
		&cli.BoolFlag{Name: "all", Category: categoryKubectl, Usage: "prune regardless of labels"},
		&cli.StringSliceFlag{Name: "prune-allowlist", Category: categoryKubectl, Usage: "prune this `GROUP/VERSION/KIND` instead of the default kinds; repeatable"},
		&cli.StringFlag{Name: "applyset", Category: categoryKubectl, Usage: "prune members of the ApplySet whose parent is `[RESOURCE][.GROUP]/NAME`"},
		&cli.StringFlag{Name: "prune-root", Category: categoryOwn, Usage: "top `DIR` of all manifests (default: the top of the repository)"},
	}
}

// pruneOptions says what is pruned; nil without --prune.
func pruneOptions(r *Request) (*merge.PruneOptions, error) {
	if !r.Prune.Prune {
		return nil, nil
	}
	recorded := selectionIn(r.Settings)
	given, root := pruneRoot(r, recorded)
	opts := &merge.PruneOptions{
		All:          r.PruneAll,
		SelectorText: r.Selector,
		Allowlist:    r.Allowlist,
		ApplySet:     r.ApplySet,
		Recorded:     recorded,
		Root:         root,
		Guessed:      !given,
		Elsewhere:    elsewhere(root, slices.Concat(r.Live, r.Base), r.Limits),
		LastFile:     system.LastFile(context.Background(), root),
	}
	if opts.ApplySet != "" {
		opts.Others = otherSelections(r, root)
	}
	var err error
	opts.Selector, err = selector.Parse(opts.SelectorText)
	return opts, err
}

// selectionIn is the record of a config file; nil if it has none.
func selectionIn(cfg *settings.Config) *merge.PruneSelection {
	p := cfg.Prune
	if p == nil {
		return nil
	}
	root := p.Root
	if root != "" && !filepath.IsAbs(root) {
		root = system.Relative(filepath.Join(filepath.Dir(cfg.File), root))
	}
	return &merge.PruneSelection{Source: cfg.File, Root: root, Namespace: cfg.Namespace, Selector: p.Selector, All: p.All, Allowlist: p.Allowlist, ApplySet: p.ApplySet}
}

// otherSelections reads how the other config files below the root, or of the
// repository, say that their sets are pruned. One that cannot be read is no
// business of this run.
func otherSelections(r *Request, root string) []*merge.PruneSelection {
	if top := disk.Repository(r.Directory); top != "" {
		root = top
	}
	if root == "" {
		return nil
	}
	var list []*merge.PruneSelection
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.Name() != settings.FileName || system.Absolute(path) == system.Absolute(r.Settings.File):
			return nil
		}
		if cfg, err := readSettings(r.Trusted, system.Relative(path)); err == nil {
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
func pruneRoot(r *Request, recorded *merge.PruneSelection) (given bool, root string) {
	switch {
	case r.PruneRoot != "":
		return true, r.PruneRoot
	case recorded != nil && recorded.Root != "":
		return true, recorded.Root
	case len(r.Files) > 0 && r.Files[0] != "-":
		if top := disk.Repository(r.Files[0]); top != "" {
			return false, system.Relative(top)
		}
	}
	return false, ""
}

// besides is the directory of the first file of -f where there is no repository; ""
// if -f names no file.
func besides(r *Request) string {
	if len(r.Files) == 0 || r.Files[0] == "-" {
		return ""
	}
	if isRegular(r.Files[0]) {
		return filepath.Dir(r.Files[0])
	}
	return r.Files[0]
}

// elsewhere returns a reader of the manifests below root; nil without one.
// Exports of live objects, this run's and others, which have uids, are not
// manifests.
func elsewhere(root string, exports []string, limits manifest.Limits) func() *manifest.Set {
	if root == "" {
		return nil
	}
	export := system.WithinAny(exports)
	return func() *manifest.Set {
		set := manifest.Read(manifest.Options{Paths: []string{root}, Recursive: true, Limits: limits})
		set.Objects = slices.DeleteFunc(set.Objects, func(o *manifest.Object) bool {
			return tree.Has(o.Tree, "metadata", "uid") || export(o.Origin.File)
		})
		shorter := map[string]string{}
		for _, o := range set.Objects {
			if shorter[o.Origin.File] == "" {
				shorter[o.Origin.File] = system.Relative(o.Origin.File)
			}
			o.Origin.File = shorter[o.Origin.File]
		}
		return set
	}
}

// unseen is the error of a prune of which the snapshot, if there is one, shows
// nothing.
func unseen(r *prune.Result, live bool) error {
	var resources []string
	for _, k := range r.Uncovered {
		resources = append(resources, snapshot.Resource(k.Kind))
	}
	none := "if the cluster has none, pass --empty-cluster"
	if live {
		none = "if the cluster has none, add an empty list of the kind to the snapshot (kind: ConfigMapList, items: []), as the script of 'threeway snapshot -o script' does"
	}
	return fmt.Errorf("the snapshot has none of the kinds that --prune deletes, so what it would delete is unknown; export them too: %s; %s", shell.Line("kubectl get", shell.Operand(strings.Join(resources, ",")), shell.Option("-A -o yaml --show-managed-fields")), none)
}
