package lint

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/merge"
	"threeway/merge/by/imperative"
	"threeway/merge/manifest"
)

// applySetEnv is what kubectl asks for before it takes --applyset (NewCmdApply of kubectl's
// cmd/apply, cmdutil.ApplySet).
const applySetEnv = "KUBECTL_APPLYSET=true "

// applies are why the printed lines of kubectl apply do not work, by line: an object is
// defined twice, kubectl refuses, or --prune deletes what has a manifest.
func (g *gate) applies(found []*Finding) map[string]string {
	why := map[string]string{}
	for _, f := range found {
		for _, w := range f.ways {
			for _, line := range w.Commands {
				if _, known := why[line]; known || w.Forget != nil {
					continue
				}
				bare, applySet := strings.CutPrefix(line, applySetEnv)
				words, err := imperative.Split(bare)
				if err != nil || len(words) != 1 || len(words[0]) < 2 || words[0][1] != "apply" {
					continue
				}
				c, err := imperative.Parse(words[0][1:])
				switch {
				case err != nil:
					why[line] = err.Error()
				case c.Has("applyset") != applySet:
					why[line] = "kubectl takes --applyset with KUBECTL_APPLYSET=true only"
				default:
					why[line] = g.apply(c)
				}
			}
		}
	}
	return why
}

// apply is why a kubectl apply of manifests of the repository does not work.
func (g *gate) apply(c *imperative.Command) string {
	opts := g.p.Options
	if opts.Prune == nil || opts.Prune.Elsewhere == nil {
		return "the other manifests are unknown"
	}
	whole := *opts.Prune.Elsewhere()
	in := func(file string) bool {
		return slices.ContainsFunc(c.Values("filename"), func(dir string) bool {
			dir, file := path.Clean(filepath.ToSlash(dir)), path.Clean(filepath.ToSlash(file))
			return dir == "." && !strings.HasPrefix(file, "../") || file == dir || strings.HasPrefix(file, dir+"/")
		})
	}
	whole.Objects = slices.DeleteFunc(slices.Clone(whole.Objects), func(o *manifest.Object) bool { return !in(o.Origin.File) })
	whole.Problems = slices.DeleteFunc(slices.Clone(whole.Problems), func(p manifest.Problem) bool { return !in(p.File) })
	pruning := *opts.Prune
	pruning.Tolerant = true
	opts.Manifests, opts.Prune, opts.Only, opts.Before = &whole, &pruning, nil, nil
	plan, err := merge.New(opts)
	switch {
	case err != nil:
		return err.Error()
	case manifest.Err(plan.Problems) != nil:
		return manifest.Err(plan.Problems).Error()
	case len(plan.Refused) > 0:
		return plan.Refused[0].Text
	}
	twice := map[manifest.Identity]bool{}
	for _, o := range plan.Set {
		id := o.Manifest.ID()
		if twice[id] {
			return id.String() + " is defined twice"
		}
		twice[id] = true
	}
	for _, d := range plan.Prune.Pruned() {
		if d.Manifest != nil {
			return "--prune deletes " + d.Live.ID().String()
		}
	}
	return ""
}
