package workflow

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// raisePodSecurity has a Namespace enforce a higher Pod Security Standard.
var raisePodSecurity = &Recipe{
	ID:    "raise-pod-security",
	Title: "Raise the Pod Security level of a Namespace",
	Text: "A level that is enforced rejects the next pod of each workload that breaks it, and those that run stay as they are. So the new level warns and is audited first, " +
		"and is enforced when nothing breaks it.",
	Rules: []string{"pods-rejected"},
	Make: func(c *Case) []Step {
		if !c.is("Namespace") && (c.RejectedPods == nil || !strings.Contains(c.RejectedPods().String(), "PodSecurity")) {
			return nil
		}
		for _, p := range c.plan.Set {
			o := p.Manifest
			live := c.live.Find(o.ID())
			if live == nil || o.Kind.GroupKind() != "Namespace" || o.Name != c.Manifest.Namespace && o.ID() != c.Manifest.ID() {
				continue
			}
			was, now := label(live.Tree, enforce), label(o.Tree, enforce)
			if now == nil || now == was {
				continue
			}
			at := fieldpath.New("metadata", "labels")
			edits := []edit.Edit{edit.Remove(at.Child(enforce))}
			if was != nil {
				edits[0] = edit.Set(at.Child(enforce), was)
			}
			for _, mode := range []string{"warn", "audit"} {
				if label(o.Tree, podSecurity+mode) != now {
					edits = append(edits, edit.Set(at.Child(podSecurity+mode), now))
				}
			}
			c.beside = append(c.beside, o)
			try := shell.Line("kubectl label --dry-run=server --overwrite", Target(o), shell.Operand(enforce+"="+tree.String(o.Tree, "metadata", "labels", enforce)))
			return []Step{
				{Text: "Apply with the new level as a warning only", Applies: true, Edits: []Edited{{o, edits}}, Meanwhile: "no pod is rejected, and each apply of a workload that breaks the level warns"},
				{Text: "Correct and apply the workloads that this names, until it names none", Commands: []string{try}},
				{Text: "Apply the manifests as they are", Applies: true},
			}
		}
		return nil
	},
}

const (
	podSecurity = "pod-security.kubernetes.io/"
	enforce     = podSecurity + "enforce"
)

// label is one of an object, nil if it does not have it.
func label(obj tree.Object, name string) any { return tree.Map(obj, "metadata", "labels")[name] }
