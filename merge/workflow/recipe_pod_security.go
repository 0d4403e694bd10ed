package workflow

import (
	"slices"

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
		if !c.is("Namespace") && (c.RejectedPods == nil || c.RejectedPods().By.GroupKind != "Namespace") {
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

// enforcePolicy begins to reject pods by a ValidatingAdmissionPolicy.
var enforcePolicy = &Recipe{
	ID:    "enforce-policy",
	Title: "Reject pods by a ValidatingAdmissionPolicy",
	Text: "A binding that denies rejects the next pod of each workload that breaks its policy, and those that run stay as they are. So a new one is audited first, and " +
		"denies when nothing breaks it. A controller that creates a pod shows no warning: the audit log has what breaks the policy.",
	Rules: []string{"pods-rejected"},
	Kinds: []string{"ValidatingAdmissionPolicy.admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io"},
	Links: []string{"https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/"},
	About: NewObject,
	Make: func(c *Case) []Step {
		start := Step{Text: "Apply with a binding that is only audited", Applies: true, Meanwhile: "no pod is rejected"}
		for _, p := range c.plan.Set {
			o := p.Manifest
			of := o.ID() == c.Manifest.ID() || tree.String(o.Tree, "spec", "policyName") == c.Manifest.Name
			if !of || o.Kind.Kind != "ValidatingAdmissionPolicyBinding" || !slices.Contains(tree.List(o.Tree, "spec", "validationActions"), any("Deny")) {
				continue
			}
			if c.live.Find(o.ID()) != nil {
				return c.none(title(o) + " denies already, and would not while it is audited")
			}
			if o != c.Manifest {
				c.beside = append(c.beside, o)
			}
			at, actions := fieldpath.New("spec", "validationActions"), tree.List(o.Tree, "spec", "validationActions")
			instead := "Audit"
			if slices.Contains(actions, any(instead)) {
				instead = "Warn"
			}
			edits := []edit.Edit{edit.Set(at.Item(slices.Index(actions, any("Deny"))), instead)}
			start.Edits = append(start.Edits, Edited{o, edits})
		}
		if start.Edits == nil {
			return nil
		}
		return []Step{start, {Text: "Correct and apply the workloads that the finding names, and those in the audit log"}, {Text: "Apply the manifests as they are", Applies: true}}
	},
}

const (
	podSecurity = "pod-security.kubernetes.io/"
	enforce     = podSecurity + "enforce"
)

// label is one of an object, nil if it does not have it.
func label(obj tree.Object, name string) any { return tree.Map(obj, "metadata", "labels")[name] }
