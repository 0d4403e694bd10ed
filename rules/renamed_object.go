package rules

import (
	"fmt"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var renamedObject = &lint.Rule{
	ID:    "renamed-object",
	Title: "an object has a new name, and the old one stays live",
	Text: "Apply creates an object, and the snapshot has one of the same kind and namespace that kubectl applied, that is in no manifest, and " +
		"that does the same: a Deployment with pods for the same Service, a Service with the same selector, an Ingress for the same host, a " +
		"binding of the same role.",
	Why: "For apply, an object with another name is another object. It creates the new one and ignores the old one, which stays: both Deployments get " +
		"traffic, both CronJobs start Jobs, the old binding still grants its role.",
	Fix:      "Delete the old object once the new one runs, or keep the name.",
	Links:    []string{declarative + "#how-to-delete-objects", "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/"},
	Severity: lint.Warning,
	Since:    "0.9",
	Run: func(p *lint.Pass) {
		if p.Options.Live == nil {
			return
		}
		left := leftLive(p)
		for o := range p.Accepted() {
			if o.Live != nil {
				continue
			}
			for _, e := range left[kindIn(o.Config)] {
				old := e.Object()
				effect := stays(p, o, old)
				if effect == "" {
					continue
				}
				p.Report(o, lint.Report{
					Path: fieldpath.New("metadata", "name"), LivePath: fieldpath.New("metadata", "name"), Against: old, Live: old.Name,
					Message: fmt.Sprintf("apply creates %s %s and leaves the live %s, which is in no manifest: %s", o.Kind.Kind, o.Config.Name, old.Name, effect),
					Fix:     "if it is the old name, delete it once the new one runs: " + shell.Line("kubectl delete", lint.Target(old)),
				})
				break
			}
		}
	},
}

// kindIn is a kind and a namespace, as what it names is renamed within.
func kindIn(o *manifest.Object) string { return o.Kind.GroupKind() + " " + o.Namespace }

// leftLive are the live objects that were applied, by the manager that applies
// now, and that no manifest has and no prune deletes, by kind and namespace.
func leftLive(p *lint.Pass) map[string][]*manifest.Entry {
	known := map[manifest.Identity]bool{}
	for _, m := range p.Set() {
		known[m.Config.ID()] = true
	}
	for _, o := range p.Options.Config.Objects {
		known[o.ID()] = true
	}
	if p.Plan.Prune != nil {
		for _, c := range p.Plan.Prune.Pruned() {
			known[c.Live.ID()] = true
		}
	}
	left := map[string][]*manifest.Entry{}
	for _, e := range p.Options.Live.Entries {
		if len(e.Owners) > 0 || !e.LastApplied && p.Options.ServerSide == nil || known[e.ID()] {
			continue
		}
		if !e.LastApplied && !owners.Applies(e.Object().Tree, p.Options.ServerSide.Manager) {
			continue
		}
		key := e.Kind.GroupKind() + " " + e.Namespace
		left[key] = append(left[key], e)
	}
	return left
}

// stays says what an old object goes on to do beside the new one, "" if they
// have nothing in common.
func stays(p *lint.Pass, o *lint.Object, old *manifest.Object) string {
	same := func(keys ...string) bool {
		x, _ := tree.Get(o.Result, keys...)
		y, _ := tree.Get(old.Tree, keys...)
		return !tree.Empty(x) && tree.Equal(x, y)
	}
	name := old.Name
	switch {
	case tree.Map(o.Result, "spec", "template") != nil && mayRunPods(o.Kind) && !o.Is("Job.batch"):
		return bothRun(p, o, old)
	case o.Is("Service") && same("spec", "selector"):
		return name + " stays reachable and sends traffic to the same pods"
	case o.Is("Ingress.networking.k8s.io") && sharesHost(o.Result, old.Tree):
		return "both serve the same host and path"
	case o.Is("HorizontalPodAutoscaler.autoscaling") && same("spec", "scaleTargetRef", "kind") && same("spec", "scaleTargetRef", "name"):
		return "both scale " + tree.String(old.Tree, "spec", "scaleTargetRef", "kind") + " " + tree.String(old.Tree, "spec", "scaleTargetRef", "name")
	case o.Is("PodDisruptionBudget.policy") && same("spec", "selector"):
		return "pods that two budgets select cannot be evicted, so drains hang"
	case o.Is("NetworkPolicy.networking.k8s.io") && same("spec", "podSelector") && same("metadata", "labels"):
		return "the connections that it allows stay allowed"
	case o.Is("CronJob.batch") && same("spec", "schedule") && sameImages(o.Result, old.Tree, "spec", "jobTemplate", "spec", "template", "spec"):
		return "both start Jobs"
	case o.Is("RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io") && same("roleRef") && same("subjects"):
		return "it still grants " + tree.String(old.Tree, "roleRef", "kind") + " " + tree.String(old.Tree, "roleRef", "name")
	case o.Is("PersistentVolumeClaim") && same("metadata", "labels") && same("spec", "resources"):
		return "its data stays there, and the new claim is empty"
	}
	return ""
}

// bothRun says which Services send traffic to the pods of two workloads, or
// that the selector of the new one is about the pods of the old one too.
func bothRun(p *lint.Pass, o *lint.Object, old *manifest.Object) string {
	now, before := podLabels(o.Result, o.Kind.Kind), podLabels(old.Tree, old.Kind.Kind)
	if !sameImages(o.Result, old.Tree, "spec", "template", "spec") || len(now) == 0 {
		return ""
	}
	var services []string
	for _, m := range p.Set() {
		if m.Config.Kind.GroupKind() != "Service" || m.Config.Namespace != o.Config.Namespace {
			continue
		}
		s, ok := impact.Selector(tree.Object{"matchLabels": tree.Map(m.Config.Tree, "spec", "selector")})
		if ok && s.Matches(now) && s.Matches(before) {
			services = append(services, m.Config.Name)
		}
	}
	if services != nil {
		return "its pods keep running, and Service " + strings.Join(services, ", ") + " sends traffic to both"
	}
	if tree.Equal(any(now), any(before)) {
		return "its pods, which have the same labels, keep running"
	}
	return ""
}

// sameImages reports whether two pod specs run the same images, whatever the
// versions.
func sameImages(a, b tree.Object, podSpec ...string) bool {
	images := func(root tree.Object) (list []string) {
		for _, c := range tree.List(root, append(append([]string{}, podSpec...), "containers")...) {
			list = append(list, repository(tree.String(c, "image")))
		}
		return list
	}
	return strings.Join(images(a), " ") == strings.Join(images(b), " ")
}

// sharesHost reports whether two Ingresses have a host and path in common.
func sharesHost(a, b tree.Object) bool {
	paths := func(root tree.Object) map[string]bool {
		all := map[string]bool{}
		for _, rule := range tree.List(root, "spec", "rules") {
			for _, path := range tree.List(rule, "http", "paths") {
				all[tree.String(rule, "host")+tree.String(path, "path")] = true
			}
		}
		return all
	}
	have := paths(b)
	for path := range paths(a) {
		if have[path] {
			return true
		}
	}
	return false
}
