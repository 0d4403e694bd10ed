package rules

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/selector"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var renamedObject = &lint.Rule{
	ID:    "renamed-object",
	Title: "an object has a new name, and the old one stays live",
	Text: "Apply creates an object, and the snapshot has one of the same kind and namespace, applied by kubectl and in no manifest, that " +
		"does the same: a Deployment with pods for the same Service, a Service with the same selector, an Ingress for the same host, a " +
		"binding of the same role.",
	Why:      "The old object stays: both Deployments get traffic, both CronJobs start Jobs, the old binding still grants its role.",
	Fix:      "Delete the old object once the new one runs, or keep the name.",
	Links:    []string{declarative + "#how-to-delete-objects", "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/"},
	Severity: lint.Warning,
	Run: func(p *lint.Pass) {
		if p.Options.Live == nil {
			return
		}
		left, selecting := leftLive(p), servicesOf(p)
		by := map[string]map[string][]oldObject{} // live objects by kind and namespace, and by what they do
		for o := range p.Accepted() {
			if o.Live != nil || left[kindIn(o.Manifest)] == nil {
				continue
			}
			olds := by[kindIn(o.Manifest)]
			if olds == nil {
				olds = map[string][]oldObject{}
				for i, e := range left[kindIn(o.Manifest)] {
					does := doings(e.Object(), e.Object().Tree, selecting)
					for what := range does {
						olds[what] = append(olds[what], oldObject{e.Object(), i, does})
					}
				}
				by[kindIn(o.Manifest)] = olds
			}
			does := doings(o.Manifest, o.Result, selecting)
			var first *oldObject
			for what := range does {
				if same := olds[what]; same != nil && (first == nil || same[0].place < first.place) {
					first = &same[0]
				}
			}
			if first == nil {
				continue
			}
			old := first.Object
			effect := impact.Leaves
			if p.Plan.Leaves(old.ID()) {
				effect = impact.Told // the plan knows what left the manifests
			}
			p.Report(o, lint.Report{
				Effect: effect, Path: fieldpath.New("metadata", "name"), LivePath: fieldpath.New("metadata", "name"), Against: old, Live: old.Name,
				Message: fmt.Sprintf("apply creates %s %s and leaves the live %s, which is in no manifest: %s", o.Kind.Kind, o.Manifest.Name, old.Name, stays(old, does, first.does)),
				Ways: []lint.Way{{
					Words: "if it is the old name, delete it once the new one runs: ", Commands: []string{shell.Line("kubectl delete", lint.Target(old))},
					Instead: "do not delete the old one yet: WHY",
				}},
			})
		}
	},
}

// oldObject is a live object that may have a new name, its place among those of its kind,
// and what it does.
type oldObject struct {
	*manifest.Object
	place int
	does  map[string]string
}

// kindIn is a kind and a namespace, as what it names is renamed within.
func kindIn(o *manifest.Object) string { return o.Kind.GroupKind() + " " + o.Namespace }

// leftLive are the live objects that were applied, by the manager that applies
// now, and that no manifest has and no prune deletes, by kind and namespace.
func leftLive(p *lint.Pass) map[string][]*manifest.Entry {
	known := map[manifest.Identity]bool{}
	for _, m := range p.Set() {
		known[m.Manifest.ID()] = true
	}
	for _, o := range p.Options.Manifests.Objects {
		known[o.ID()] = true
	}
	for _, c := range p.Plan.Prune.Pruned() {
		known[c.Live.ID()] = true
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

// doings are what an object does, as far as another one of its kind may do the same; those
// of a workload with the name of the Service that sends traffic to its pods.
func doings(of *manifest.Object, o tree.Object, selecting func(namespace string, labels tree.Object) iter.Seq[string]) map[string]string {
	does := map[string]string{}
	same := func(paths ...fieldpath.Path) {
		var all []any
		for _, path := range paths {
			x, _ := path.Find(o)
			if tree.Empty(x) {
				return
			}
			all = append(all, x)
		}
		does[fmt.Sprintf("%#v", all)] = ""
	}
	field := fieldpath.New
	switch of.Kind.GroupKind() {
	case "Service":
		same(field("spec", "selector"))
	case "Ingress.networking.k8s.io":
		for _, rule := range tree.List(o, "spec", "rules") {
			for _, path := range tree.List(rule, "http", "paths") {
				does[tree.String(rule, "host")+tree.String(path, "path")] = ""
			}
		}
	case "HorizontalPodAutoscaler.autoscaling":
		same(field("spec", "scaleTargetRef", "kind"), field("spec", "scaleTargetRef", "name"))
	case "PodDisruptionBudget.policy":
		same(field("spec", "selector"))
	case "NetworkPolicy.networking.k8s.io":
		same(field("spec", "podSelector"), field("metadata", "labels"))
	case "CronJob.batch":
		if schedule := tree.String(o, "spec", "schedule"); schedule != "" {
			does[schedule+images(o, "spec", "jobTemplate", "spec", "template", "spec")] = ""
		}
	case "RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io":
		same(field("roleRef"), field("subjects"))
	case "PersistentVolumeClaim":
		same(field("metadata", "labels"), field("spec", "resources"))
	case "Job.batch":
	default:
		labels := podLabels(o, of.Kind.Kind)
		if tree.Map(o, "spec", "template") == nil || !mayRunPods(of.Kind) || len(labels) == 0 {
			break
		}
		runs := images(o, "spec", "template", "spec")
		does[fmt.Sprintf("%s %#v", runs, labels)] = ""
		for service := range selecting(of.Namespace, labels) {
			does[runs+" behind "+service] = service
		}
	}
	return does
}

// stays says what an old object goes on to do beside the new one.
func stays(old *manifest.Object, now, before map[string]string) string {
	switch old.Kind.GroupKind() {
	case "Service":
		return old.Name + " stays reachable and sends traffic to the same pods"
	case "Ingress.networking.k8s.io":
		return "both serve the same host and path"
	case "HorizontalPodAutoscaler.autoscaling":
		return "both scale " + tree.String(old.Tree, "spec", "scaleTargetRef", "kind") + " " + tree.String(old.Tree, "spec", "scaleTargetRef", "name")
	case "PodDisruptionBudget.policy":
		return "pods that two budgets select cannot be evicted, so drains hang"
	case "NetworkPolicy.networking.k8s.io":
		return "the connections that it allows stay allowed"
	case "CronJob.batch":
		return "both start Jobs"
	case "RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io":
		return "it still grants " + tree.String(old.Tree, "roleRef", "kind") + " " + tree.String(old.Tree, "roleRef", "name")
	case "PersistentVolumeClaim":
		return "its data stays there, and the new claim is empty"
	}
	var services []string
	for what, service := range now {
		if before[what] != "" {
			services = append(services, service)
		}
	}
	if services == nil {
		return "its pods, which have the same labels, keep running"
	}
	slices.Sort(services)
	return "its pods keep running, and Service " + phrase.Some(services) + " sends traffic to both"
}

// servicesOf finds the Services among the manifests that select pods with some labels.
func servicesOf(p *lint.Pass) func(namespace string, labels tree.Object) iter.Seq[string] {
	type services map[string]*selector.Asking[string]
	by := lint.SharedByRun(p, func() services {
		by := services{}
		for _, m := range p.Set() {
			s, ok := impact.Selector(tree.Object{"matchLabels": tree.Map(m.Manifest.Tree, "spec", "selector")})
			if m.Manifest.Kind.GroupKind() != "Service" || !ok {
				continue
			}
			if by[m.Manifest.Namespace] == nil {
				by[m.Manifest.Namespace] = &selector.Asking[string]{}
			}
			by[m.Manifest.Namespace].Add(s, m.Manifest.Name)
		}
		return by
	})
	return func(namespace string, labels tree.Object) iter.Seq[string] { return by[namespace].Of(labels) }
}

// images are those of a pod spec without their versions.
func images(root tree.Object, podSpec ...string) string {
	var list []string
	for _, c := range tree.List(root, append(podSpec, "containers")...) {
		list = append(list, setting.Repository(tree.String(c, "image")))
	}
	return strings.Join(list, " ")
}
