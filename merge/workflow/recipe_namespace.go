package workflow

import (
	"slices"

	"threeway/merge/manifest"
)

// moveNamespace gives objects another namespace.
var moveNamespace = &Recipe{
	ID:    "move-namespace",
	Title: "Move objects to another namespace",
	Text: "The new objects start beside the old ones, which serve their clients until these use the new names. No steps are known for pods that have claims or must not run " +
		"beside others, or if a Service that stays in the old namespace would lose its pods.",
	Rules: []string{"removed-object-stays"},
	Make: func(c *Case) []Step {
		if c.Old == nil || c.Old.Namespace == c.Manifest.Namespace {
			return nil
		}
		start := Step{Text: "Apply, and wait for the new pods", Applies: true, Meanwhile: "old and new objects work beside each other; let clients use the new names"}
		var olds []*manifest.Object
		var left []*service
		for _, r := range c.renames() {
			old, o := c.live.Find(r.Old.ID()), r.New.Manifest
			if old == nil || old.Namespace != c.Old.Namespace || o.Namespace != c.Manifest.Namespace {
				continue
			}
			if why := apart(old); why != "" {
				return c.none(why)
			}
			olds, c.beside = append(olds, old), append(c.beside, o)
			if moves(o) {
				start.Commands, left = append(start.Commands, wait(o)), append(left, c.of(old.Namespace, podLabels(old.Tree), nil)...)
			}
		}
		for _, s := range left {
			if s.live != nil && !slices.ContainsFunc(olds, func(o *manifest.Object) bool { return o.ID() == s.live.ID() }) {
				return c.none(title(s.live) + " stays in namespace " + c.Old.Namespace + " and would lose its pods")
			}
		}
		slices.SortStableFunc(olds, func(a, b *manifest.Object) int { return len(podLabels(a.Tree)) - len(podLabels(b.Tree)) })
		end := gone(olds)
		end.Text = "Delete the old objects, now that no client uses the names of namespace " + c.Old.Namespace
		return append(c.kept(olds), start, end)
	},
}
