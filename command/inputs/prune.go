package inputs

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/merge/text/shell"
)

// pruneOptions says what is pruned; nil without --prune.
func pruneOptions(r *request.Inputs) (*merge.PruneOptions, error) {
	if !r.Prune.Prune {
		return nil, nil
	}
	recorded := SelectionIn(r.Settings)
	given, root := PruneRoot(r, recorded)
	opts := &merge.PruneOptions{
		All:          r.PruneAll,
		SelectorText: r.Selector,
		Allowlist:    r.Allowlist,
		ApplySet:     r.ApplySet,
		Recorded:     recorded,
		Root:         root,
		Guessed:      !given,
		Elsewhere:    Elsewhere(root, slices.Concat(r.Live, r.Base), r.Limits),
		LastFile:     system.LastFile(context.Background(), root),
	}
	if opts.ApplySet != "" {
		opts.Others = otherSelections(r, root)
	}
	var err error
	opts.Selector, err = selector.Parse(opts.SelectorText)
	return opts, err
}

// SelectionIn is the record of a config file; nil if it has none.
func SelectionIn(cfg *settings.Config) *prune.Selection {
	p := cfg.Prune
	if p == nil {
		return nil
	}
	root := p.Root
	if root != "" && !filepath.IsAbs(root) {
		root = system.Relative(filepath.Join(filepath.Dir(cfg.File), root))
	}
	return &prune.Selection{Source: cfg.File, Root: root, Namespace: cfg.Namespace, Selector: p.Selector, All: p.All, Allowlist: p.Allowlist, ApplySet: p.ApplySet}
}

// otherSelections reads how the other config files below the root, or of the
// repository, say that their sets are pruned. One that cannot be read is no
// business of this run.
func otherSelections(r *request.Inputs, root string) []*prune.Selection {
	if top := disk.Repository(r.Directory); top != "" {
		root = top
	}
	if root == "" {
		return nil
	}
	var list []*prune.Selection
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.Name() != settings.FileName || system.Absolute(path) == system.Absolute(r.Settings.File):
			return nil
		}
		if cfg, err := request.ReadSettings(r.Trusted, system.Relative(path)); err == nil {
			if s := SelectionIn(cfg); s != nil {
				list = append(list, s)
			}
		}
		return nil
	})
	return list
}

// PruneRoot is the top of the whole set: as the flag or the config file says,
// which is given, else the top of the repository that the config is in, else "".
func PruneRoot(r *request.Inputs, recorded *prune.Selection) (given bool, root string) {
	switch {
	case r.PruneRoot != "":
		return true, r.PruneRoot
	case recorded != nil && recorded.Root != "":
		return true, recorded.Root
	case len(r.Files) > 0:
		from := r.Files[0]
		if from == "-" {
			from = r.Directory
		}
		if top := disk.Repository(from); top != "" {
			return false, system.Relative(top)
		}
	}
	return false, ""
}

// FirstDirectory is that of the first file of -f where there is no repository; ""
// if -f names no file.
func FirstDirectory(r *request.Inputs) string {
	if len(r.Files) == 0 || r.Files[0] == "-" {
		return ""
	}
	if (disk.Files{}).IsDir(filepath.ToSlash(r.Files[0])) {
		return r.Files[0]
	}
	return filepath.Dir(r.Files[0])
}

// Elsewhere returns a reader of the manifests below root; nil without one.
// Exports of live objects, this run's and others, which have uids, are not
// manifests.
func Elsewhere(root string, exports []string, limits manifest.Limits) func() *manifest.Set {
	if root == "" {
		return nil
	}
	export := system.WithinAny(exports)
	return func() *manifest.Set {
		set := manifest.Read(manifest.Options{Paths: []string{root}, Recursive: true, Limits: limits})
		set.Objects = slices.DeleteFunc(set.Objects, func(o *manifest.Object) bool {
			return o.IsLive() || export(o.Origin.File)
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
