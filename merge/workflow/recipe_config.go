package workflow

import (
	"slices"

	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// renameConfig gives a ConfigMap or Secret another name.
var renameConfig = &Recipe{
	ID:    "rename-config",
	Title: "Rename a ConfigMap, a Secret or a ServiceAccount",
	Text: "Pods use the old one until the rollout has ended, and after kubectl rollout undo again: one that starts without it waits. So the old one is deleted last, and is kept " +
		"from a prune until then.",
	Rules: []string{"removed-object-stays", "breaks-reference"},
	Kinds: []string{"ConfigMap", "Secret", "ServiceAccount"},
	Named: true,
	Make: func(c *Case) []Step {
		if c.Old == nil || c.Old.Namespace != c.Manifest.Namespace {
			return nil
		}
		start := Step{Text: "Apply, and wait for the new pods", Applies: true, Meanwhile: "old pods use the old " + c.Kind.Kind + ", new ones the new"}
		for _, o := range c.manifests()[c.Manifest.Namespace] {
			if reads(tree.Map(o.Tree, "spec", "template"), c.Manifest.ID()) {
				c.beside = append(c.beside, o)
				start.Commands = append(start.Commands, wait(o))
			}
		}
		if c.beside == nil {
			start.Text, start.Meanwhile = "Apply", "what began before may still use the old "+c.Kind.Kind
		}
		olds := []*manifest.Object{c.Old}
		return append(c.kept(olds), start, gone(olds))
	},
}

// reads reports whether pods of a template read a ConfigMap or Secret, or are of a ServiceAccount.
func reads(template tree.Object, id manifest.Identity) bool {
	return id.Kind == "ServiceAccount" && tree.String(template, "spec", "serviceAccountName") == id.Name || slices.Contains(impact.Read(id.Namespace, tree.Map(template, "spec")), id)
}
