package merge

import (
	"fmt"

	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/schema"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// PruneOptions ask for a preview of kubectl apply --prune.
type PruneOptions struct {
	// All, Selector and Allowlist are kubectl's --all, -l and
	// --prune-allowlist.
	All          bool
	Selector     selector.Selector
	SelectorText string
	Allowlist    []string
	// ApplySet is kubectl's --applyset, or empty.
	ApplySet string
	// Elsewhere reads the manifests of the whole set, of which the config may
	// be a part; nil if that is not known.
	Elsewhere func() *manifest.Set
	// LastFile tells which file a deleted manifest was last in; nil if there
	// is no history to ask.
	LastFile func(*manifest.Entry) string
	// Recorded is how the set is pruned as a rule; nil if that is not recorded.
	Recorded *PruneSelection
}

// PruneSelection is a way to select what is pruned. Source says where it is
// recorded, the others are kubectl's flags.
type PruneSelection struct {
	Source    string
	Selector  string
	All       bool
	Allowlist []string
	ApplySet  string
}

// Validate refuses what kubectl refuses before it looks at any object.
// onDiff is set for kubectl diff, which wants neither --all nor -l and takes
// no offence at serverSide.
func (p *PruneOptions) Validate(onDiff, serverSide bool) error {
	if p.All && p.SelectorText != "" {
		return fmt.Errorf("cannot set --all and --selector at the same time")
	}
	switch {
	case p.ApplySet == "":
		if !onDiff && !p.All && p.SelectorText == "" {
			return fmt.Errorf("all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector")
		}
		if !onDiff && serverSide {
			return fmt.Errorf("--prune is in alpha and doesn't currently work on objects created by server-side apply; use --applyset, or rehearse client-side")
		}
	case p.All:
		return fmt.Errorf("--all is incompatible with --applyset")
	case p.SelectorText != "":
		return fmt.Errorf("--selector is incompatible with --applyset")
	case len(p.Allowlist) > 0:
		return fmt.Errorf("--prune-allowlist is incompatible with --applyset")
	}
	return nil
}

// pruning is the state of the preview during a rehearsal.
type pruning struct {
	*PruneOptions
	set   *prune.ApplySet
	kinds []prune.Kind
}

// newPruning reads the options against the snapshot. The errors are kubectl's.
func (r *run) newPruning() (*pruning, error) {
	p := &pruning{PruneOptions: r.Prune}
	var err error
	if p.ApplySet == "" {
		p.kinds, err = prune.ParseKinds(p.Allowlist, func(k schema.Kind) (bool, bool) {
			serves, _ := r.catalog.serves(k)
			namespaced, _ := r.catalog.scope(k)
			return namespaced, serves
		})
		return p, err
	}
	namespace := ""
	if r.Enforce {
		namespace = r.Namespace
	}
	if p.set, err = prune.ParseApplySet(p.ApplySet, namespace, r.catalog.forApplySets()); err != nil {
		return nil, err
	}
	if err := p.set.Validate(r.Live); err != nil {
		return nil, err
	}
	return p, p.set.Load(r.Live)
}

// label adds the ApplySet's label to the config objects.
func (p *pruning) label(objects []*manifest.Object) error {
	if p.set == nil {
		return nil
	}
	for _, o := range objects {
		if err := p.set.Label(o.Tree); err != nil {
			return err
		}
	}
	return nil
}

// preview finds what would be pruned after the outcomes; any error before
// stops kubectl's prune.
func (r *run) preview(p *pruning, plan *Plan) {
	for _, problem := range plan.Problems {
		if problem.Severity == manifest.Error {
			plan.Notes = append(plan.Notes, "nothing is pruned: kubectl skips prune after any error")
			return
		}
	}
	visited := prune.Visited{Objects: map[manifest.Identity]bool{}, UIDs: map[string]bool{}, Namespaces: map[string]bool{}}
	for _, o := range plan.Outcomes {
		if o.Action == Rejected {
			plan.Notes = append(plan.Notes, "nothing is pruned: kubectl skips prune after any error")
			return
		}
		visited.Objects[o.Identity()] = true
		if uid := tree.String(o.Before, "metadata", "uid"); uid != "" {
			visited.UIDs[uid] = true
		}
		if o.Config.Namespace != "" {
			visited.Namespaces[o.Config.Namespace] = true
		}
	}
	if p.set != nil {
		plan.Prune = prune.ByApplySet(r.Live, visited, p.set)
	} else {
		opts := prune.Allowlist{Kinds: p.kinds, Selector: p.Selector, SelectorText: p.SelectorText}
		if r.Enforce {
			opts.Namespace = r.Namespace
		}
		plan.Prune = prune.ByAllowlist(r.Live, visited, opts)
	}
	if p.Elsewhere != nil && len(plan.Prune.Pruned()) > 0 {
		plan.Prune.Locate(p.Elsewhere(), r.catalog.scope, r.Namespace)
	}
	if p.LastFile != nil {
		plan.Prune.Trace(p.LastFile)
	}
	plan.Notes = append(plan.Notes, plan.Prune.Notes...)
	if p.Recorded != nil {
		plan.Notes = append(plan.Notes, r.otherSelection(p, visited, plan.Prune)...)
	}
	if len(plan.Prune.Uncovered) > 0 {
		plan.Notes = append(plan.Notes, "the snapshot holds no "+join(plan.Prune.Uncovered)+": what prune would delete of them is not shown")
	}
}

// forApplySets is the catalog as ApplySets ask it.
func (c *catalog) forApplySets() prune.Catalog {
	kindOf := func(k schema.Kind) prune.Kind {
		namespaced, _ := c.scope(k)
		return prune.Kind{Kind: k, Namespaced: namespaced}
	}
	find := func(match func(k schema.Kind, plural string) bool) (prune.Kind, bool) {
		for _, r := range schema.Resources() {
			if r.In(c.minor) && r.OnByDefault() && match(r.Kind, r.Plural) {
				return kindOf(r.Kind), true
			}
		}
		for o := range c.live.OfKind(definitionKind) {
			spec := tree.Map(o.Tree, "spec")
			k := schema.Kind{Group: tree.String(spec, "group"), Kind: tree.String(spec, "names", "kind")}
			for _, v := range tree.List(spec, "versions") {
				if tree.Bool(v, "served") {
					k.Version = tree.String(v, "name")
					break
				}
			}
			if match(k, tree.String(spec, "names", "plural")) {
				return kindOf(k), true
			}
		}
		return prune.Kind{}, false
	}
	return prune.Catalog{
		ByResource: func(group, plural string) (prune.Kind, bool) {
			return find(func(k schema.Kind, p string) bool {
				return k.Group == group && (p == plural || p == plural+"s" || equalFold(k.Kind, plural))
			})
		},
		ByKind: func(group, kind string) (prune.Kind, bool) {
			return find(func(k schema.Kind, _ string) bool { return k.Group == group && k.Kind == kind })
		},
		Resource: c.plural,
	}
}
