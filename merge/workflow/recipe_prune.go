package workflow

import (
	"maps"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// keepFromPrune keeps one object that the run would delete.
var keepFromPrune = &Recipe{
	ID:    "keep-from-prune",
	Title: "Keep an object that the apply would delete",
	Text: "kubectl prunes what has last-applied, or is a member of the ApplySet; Helm, Argo CD and Flux look for an annotation. The object is marked before the apply, and stays " +
		"after it without a manifest: delete it by hand, after a backup.",
	Rules: []string{"prune-deletes-data", "prune-foreign-object"},
	About: PrunedObject,
	Make: func(c *Case) []Step {
		i := slices.IndexFunc(c.plan.Prune.Pruned(), func(p prune.Candidate) bool { return p.Live.ID() == c.Manifest.ID() })
		if i < 0 {
			return nil
		}
		if why := c.marksAgain(c.plan.Prune.Pruned()[i]); why != "" {
			return c.none(why)
		}
		c.keep = []*manifest.Object{c.Manifest}
		return []Step{c.marked(c.keep), {Text: "Apply", Applies: true}}
	},
}

// marksAgain says what undoes the mark of an object that is to stay; "" if nothing does.
func (c *Case) marksAgain(p prune.Candidate) string {
	switch {
	case !c.plan.By.Claim().IsKubectl() || c.plan.ApplySet != nil:
		return ""
	case p.Manifest != nil:
		return p.Manifest.Origin.File + " applies it, and so gives it last-applied again: give it other labels there"
	case tree.Has(p.Live.Object().Tree, "metadata", "labels", prune.PartOfLabel):
		return "the next run of its ApplySet gives it last-applied again: prune by labels that it does not have"
	}
	for _, claim := range applier.Marks(p.Live.Object().Tree) {
		if claim.Program == applier.ArgoCD {
			return "the next sync of " + claim.By() + " gives it last-applied again: prune by labels that it does not have"
		}
	}
	return ""
}

// marked is the step that keeps live objects from being deleted by the run.
func (c *Case) marked(olds []*manifest.Object) Step {
	s := Step{Text: "Keep the old " + olds[0].Kind.Kind + " from being deleted by the " + c.plan.By.Run()}
	switch {
	case c.Run == nil && len(olds) == 1:
		s.Text = "Keep " + title(olds[0]) + " from being deleted by the " + c.plan.By.Run()
	case len(olds) > 1:
		s.Text = "Keep the old objects from being deleted by the " + c.plan.By.Run()
	}
	for _, old := range olds {
		s.Commands = append(s.Commands, shell.Line("kubectl patch", Target(old), shell.Option("--type=merge"), shell.JSON("-p", tree.Object{"metadata": c.mark()})))
	}
	return s
}

// changePrune deletes by other flags than those of .threeway.yaml.
var changePrune = &Recipe{
	ID:    "change-prune",
	Title: "Prune by other labels or kinds",
	Text: "The first run with other flags also deletes what the former ones never did, and never deletes what only they did. So what is to stay is marked first, and what " +
		"would be left is deleted by hand. Leave out the commands for objects that are to go, or to stay, after all.",
	Rules: []string{"prune-scope"},
	About: PrunedObject,
	Make: func(c *Case) []Step {
		if c.plan.Prune == nil || c.plan.ApplySet != nil {
			return nil
		}
		var steps []Step
		for _, p := range c.plan.Prune.More {
			if why := c.marksAgain(p); why != "" {
				return c.none(title(p.Live.Object()) + " would be deleted, too: " + why)
			}
			c.keep = append(c.keep, p.Live.Object())
		}
		if c.keep != nil {
			mark := c.marked(c.keep)
			mark.Text = "Keep what the former flags did not delete"
			steps = []Step{mark}
		}
		steps = append(steps, Step{Text: "Apply with the new flags, and write them into the settings", Applies: true})
		return c.rid(steps, c.plan.Prune.Less)
	},
}

// rid are steps with one more that deletes what the former flags would have deleted; nil if there is nothing to
// say but to apply.
func (c *Case) rid(steps []Step, less []prune.Candidate) []Step {
	for _, p := range less {
		if p.Manifest == nil {
			c.drop = append(c.drop, p.Live.Object())
		}
	}
	if c.drop != nil {
		end := gone(c.drop)
		end.Text = "Delete what only the former flags would have deleted"
		return append(steps, end)
	}
	if len(steps) == 1 {
		return nil
	}
	return steps
}

// adoptApplySet begins to prune by an ApplySet.
var adoptApplySet = &Recipe{
	ID:    "adopt-applyset",
	Title: "Prune by an ApplySet",
	Text: "The first run with an ApplySet labels the objects of the manifests and deletes nothing, so what left the manifests before it, or with it, stays for good: it is deleted " +
		"by hand. kubectl creates a parent that is a Secret or a ConfigMap, and no other.",
	Rules: []string{"prune-scope", "prune-refused"},
	Links: []string{"https://github.com/kubernetes/enhancements/tree/master/keps/sig-cli/3659-kubectl-apply-prune"},
	About: PrunedObject,
	Make: func(c *Case) []Step {
		set, plan := c.plan.ApplySet, c.plan
		if set == nil {
			return nil
		}
		var steps []Step
		var objects []*manifest.Object
		for _, o := range c.opts.Manifests.Objects {
			if set.Namespaced() && o.Namespace != "" && o.Namespace != set.Identity().Namespace {
				return nil // kubectl rejects it
			}
			objects = append(objects, o)
		}
		if refused := plan.Refused; len(refused) > 0 {
			custom := set.Identity().Group != ""
			if what := refused[0].Parent; what != prune.NotCreated && (what != prune.NoToolingName || !custom) {
				return nil
			}
			parent := set.Parent(objects)
			steps = []Step{{Text: "Make the parent, with what kubectl looks for", Commands: []string{"kubectl apply -f -"}, Input: parent.Tree}}
			w := newWalk(c)
			w.left[parent.ID()] = parent
			var err error
			if plan, err = w.again(); err != nil {
				return c.none(err.Error())
			}
			if len(plan.Refused) > 0 {
				return c.none(plan.Refused[0].Text)
			}
		} else if c.live.Find(set.Identity()) != nil {
			return nil
		}
		kinds := map[string]bool{}
		for _, o := range objects {
			kinds[strings.ToLower(o.Kind.GroupKind())] = true
		}
		members := shell.Line("kubectl get", shell.Operand(strings.Join(slices.Sorted(maps.Keys(kinds)), ",")), shell.Option("-A"), shell.Flag("-l", prune.PartOfLabel+"="+set.ID()))
		steps = append(steps, Step{Text: "Apply, and check that all objects of the manifests are members", Applies: true, Commands: []string{members}, Meanwhile: "nothing is deleted"})
		switch {
		case plan.Prune == nil || plan.Prune.Failed != "":
			return nil
		case plan.Prune.Less == nil:
			return steps
		}
		return c.rid(steps, plan.Prune.Less)
	},
}
