package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

var appliedTooEarly = &lint.Rule{
	ID:    "applied-too-early",
	Title: "an object is applied before what it needs",
	Text: "In the order of the files, an object comes before what it needs: its Namespace, the PriorityClass, RuntimeClass or " +
		"ServiceAccount of a Pod, the ServiceAccount of a token. Or a webhook that blocks requests is created together with its Service, " +
		"so that no pod answers for the objects after it.",
	Why: "The first apply rejects the object and skips --prune; a second apply succeeds. A pipeline that stops at the first error never " +
		"gets there.",
	Fix: "Rename the file so that it comes first, such as 00-namespace.yaml: kubectl reads a directory in the order of names. Apply a " +
		"webhook when its pods run.",
	Links: []string{"https://kubernetes.io/docs/concepts/workloads/management/#organizing-resource-configurations",
		"https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#failure-policy"},
	Severity: lint.Error,
	Effect:   impact.FailsFirst,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.Absent {
			return nil
		}
		for _, need := range needs(o) {
			if later := o.Later(need.id); later != nil {
				r := tooEarly(o, need, later)
				return &r
			}
		}
		return nil
	},
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		for o := range p.Accepted() {
			if o.Live != nil {
				continue
			}
			for _, need := range needs(o) {
				if later := o.Later(need.id); later != nil && (need.late || p.Options.EmptyCluster && !inEveryCluster(need.id)) && c.before(need.id) == nil {
					p.Report(o, tooEarly(o, need, later))
				}
			}
		}
		reportNewWebhooks(p, c)
	},
}

// need is something that the server, or a controller, looks for when an object is
// created.
type need struct {
	id   manifest.Identity
	path fieldpath.Path
	// late says that the rehearsal does not look for it; effect is what happens.
	late   bool
	effect string
}

func needs(o *lint.Object) (list []need) {
	const rejects = "the first apply of this object is rejected"
	ns := o.Manifest.Namespace
	if ns != "" {
		list = append(list, need{manifest.Identity{Kind: "Namespace", Name: ns}, fieldpath.New("metadata", "namespace"), false, rejects})
	}
	spec := tree.Map(o.Manifest.Tree, "spec")
	add := func(group, kind, field string, late bool) {
		if name := tree.String(spec, field); name != "" {
			id := manifest.Identity{Group: group, Kind: kind, Name: name}
			if kind == "ServiceAccount" {
				id.Namespace = ns
			}
			list = append(list, need{id, fieldpath.New("spec", field), late, rejects})
		}
	}
	switch {
	case o.Is("Pod"):
		add("scheduling.k8s.io", "PriorityClass", "priorityClassName", false)
		add("node.k8s.io", "RuntimeClass", "runtimeClassName", false)
		add("", "ServiceAccount", "serviceAccountName", true)
	case o.Is("Secret") && tree.String(o.Manifest.Tree, "type") == "kubernetes.io/service-account-token":
		path := fieldpath.New("metadata", "annotations", "kubernetes.io/service-account.name")
		name, _ := o.Find(path, o.Manifest.Tree)
		list = append(list, need{manifest.Identity{Kind: "ServiceAccount", Namespace: ns, Name: fmt.Sprint(name)}, path, true,
			"the token controller deletes the Secret, and a second apply creates it again"})
	}
	return list
}

// inEveryCluster reports whether an object is one of the Namespaces that the server
// makes.
func inEveryCluster(id manifest.Identity) bool {
	return id.Kind == "Namespace" && slices.Contains([]string{"default", "kube-system", "kube-public", "kube-node-lease"}, id.Name)
}

// tooEarly is one finding for all objects that come before the same one.
func tooEarly(o *lint.Object, n need, later *manifest.Object) lint.Report {
	r := lint.Report{
		Path:    n.path,
		Message: fmt.Sprintf("%s is applied after this object: %s", n.id, n.effect),
		Notes:   []string{later.At() + " has it"},
		Fix:     "rename " + later.Origin.File + " so that it comes first, or apply twice",
		Group:   n.id.String() + n.effect,
	}
	if later.Origin.File == o.Manifest.Origin.File {
		r.Fix = "move it before this object, or apply twice"
	}
	return r
}
