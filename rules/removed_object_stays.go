package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
	"threeway/rules/reference"
)

var removedObjectStays = &lint.Rule{
	ID:    "removed-object-stays",
	Title: "an object that left the manifests keeps working",
	Text: "The snapshot has an object that kubectl applied, that is in no manifest, and that shares the namespace and the labels " +
		"(app.kubernetes.io/part-of, instance or name, app, k8s-app) of all manifests. It runs pods, routes traffic, starts Jobs, scales " +
		"or grants rights, or it holds data that another object refers to. In git, and with --base, every object is reported whose " +
		"manifest the change removes; one that only holds data is info.",
	Why: "Apply without --prune deletes nothing: a removed worker still empties the queue, an Ingress still serves its host, a binding " +
		"still grants its role.",
	Fix:      "Delete the object once nothing refers to it, or apply with --prune --applyset. If it belongs to other manifests, give those another label, or list it under ignore in .threeway.yaml.",
	Links:    []string{declarative + "#how-to-delete-objects", pruneKEP},
	Severity: lint.Warning,
	Effect:   impact.Told,
	Needs:    lint.Live,
	Run: func(p *lint.Pass) {
		if p.Plan.Unread() {
			return // it may be there
		}
		found, namespaces := removedObjects(p)
		users, renamed := usersOf(p, found), map[manifest.Identity]impact.Rename{}
		for _, r := range p.Impact().Renames() {
			renamed[r.Old.ID()] = r
		}
		for _, old := range found {
			effect, severity := goesOn(p, old, namespaces), lint.Unset
			if e := p.Options.Live.FindEntry(old.ID()); e != nil {
				effect = goesOn(p, e.Object(), namespaces)
			}
			used, one := users[old.ID()], len(users[old.ID()]) == 1
			if r := renamed[old.ID()]; r.Old != nil && r.Generated() {
				effect, used, severity = "it stays in the cluster", nil, lint.Info // by design, for the pods that still read it
			}
			switch {
			case used != nil && effect == "":
				if !p.Plan.Leaves(old.ID()) {
					severity = lint.Info // others may apply it
				}
				effect = strings.Join(used, ", ") + map[bool]string{true: " still refers", false: " still refer"}[one] + " to it"
			case effect == "" && !p.Plan.Leaves(old.ID()):
				continue
			case effect == "":
				effect, severity = "it stays in the cluster", lint.Info
			}
			r := lint.Report{
				Severity: severity,
				Path:     fieldpath.New("metadata", "name"),
				Message:  fmt.Sprintf("%s is in no manifest, and apply leaves it: %s", old.ID(), effect),
				Ways: []lint.Way{{
					Words: "if it is no longer needed: ", Commands: []string{shell.Line("kubectl delete", lint.Target(old))},
					Instead: "keep it as long as it is in use: WHY",
				}},
			}
			if mayRunPods(old.Kind) {
				if _, only := servedBy(p, old); only != nil {
					r.Ways[0].Words = "once Service " + strings.Join(only, ", ") + " selects other pods, and it is no longer needed: "
				}
			}
			if used != nil {
				r.Fix, r.Ways = "keep it, in the manifests too, until "+strings.Join(used, ", ")+map[bool]string{true: " no longer refers", false: " no longer refer"}[one]+" to it", []lint.Way{{Commands: r.Ways[0].Commands}}
				if unasked(p) != nil { // what refers to it may be there, and is not rehearsed
					r.Ways = nil
				}
			}
			if namespace := misspeltNamespace(p, renamed[old.ID()]); namespace != "" {
				r.Severity, r.Fix, r.Ways = lint.Warning, "did you mean namespace "+old.Namespace+"? Nothing else is in "+namespace, nil
			}
			p.ReportAt(old, r)
		}
	},
}

// misspeltNamespace is the namespace that a renamed object has got, if that is spelled like its old one and
// nothing else is in it; "" if it is another.
func misspeltNamespace(p *lint.Pass, r impact.Rename) string {
	if r.Old == nil || phrase.Nearest(r.New.Manifest.Namespace, []string{r.Old.Namespace}) == "" {
		return ""
	}
	namespace := r.New.Manifest.Namespace
	if p.Options.Live.FindEntry(manifest.Identity{Kind: "Namespace", Name: namespace}) != nil || slices.ContainsFunc(p.Set(), func(m lint.Member) bool {
		return m.Manifest != r.New.Manifest && (m.Manifest.Namespace == namespace || m.Manifest.Kind.GroupKind() == "Namespace" && m.Manifest.Name == namespace)
	}) {
		return ""
	}
	return namespace
}

// usersOf are the names of the objects that, after the apply, refer to live ones which no
// manifest has.
func usersOf(p *lint.Pass, old []*manifest.Object) map[manifest.Identity][]string {
	c, names := *clusterOf(p), map[manifest.Identity][]string{}
	c.deleted = map[manifest.Identity]bool{}
	for _, o := range old {
		c.deleted[o.ID()] = true
	}
	if len(old) == 0 {
		return nil
	}
	add := func(from *manifest.Object, ref reference.Reference) {
		if name := from.ID().String(); !ref.Optional && !slices.Contains(names[ref.To], name) {
			names[ref.To] = append(names[ref.To], name)
		}
	}
	for _, list := range c.broken(c.deleted) {
		for _, use := range list {
			add(use.from, use.ref)
		}
	}
	beside := unasked(p)
	if beside == nil {
		return names
	}
	have := elsewhere(p) // which reads them all
	for _, o := range beside {
		for _, ref := range c.referencesOf(o.Kind, o.Namespace, o.Tree) {
			if c.deleted[ref.To] && !have[ref.To] {
				add(o, ref)
			}
		}
	}
	return names
}

// besideFiles are manifests in the directory of files that were named alone.
type besideFiles []*manifest.Object

// unasked are the manifests that a run of named files was not asked about.
func unasked(p *lint.Pass) besideFiles {
	return lint.SharedByRun(p, func() (list besideFiles) {
		if directory := func(path string) bool { return !manifest.IsManifest(path) }; p.Elsewhere == nil || slices.ContainsFunc(p.Paths, directory) {
			return nil
		}
		set := clusterOf(p).set
		for _, o := range p.Elsewhere().Objects {
			if _, inSet := set[o.ID()]; !inSet {
				list = append(list, o)
			}
		}
		return list
	})
}

// removedObjects are those that left the manifests and that the apply leaves in the
// cluster, but for those with another name by now, and the namespaces of the set: those
// of the base, or those of the snapshot that have the labels of the set.
func removedObjects(p *lint.Pass) (found []*manifest.Object, namespaces map[string]bool) {
	ties, namespaces := shared(p)
	for _, o := range p.Plan.Left {
		if e := p.Options.Live.FindEntry(o.ID()); e == nil || !renamed(p, e) {
			found = append(found, o)
		}
	}
	if p.Plan.Base != nil || len(ties) == 0 || p.Plan.Prune != nil {
		return found, namespaces
	}
	other := elsewhere(p)
	for _, entries := range leftLive(p) {
		for _, e := range entries {
			if !p.Plan.Leaves(e.ID()) && tied(e.Labels(), ties) && (e.Namespace == "" || namespaces[e.Namespace]) && !other[e.ID()] && !renamed(p, e) {
				found = append(found, e.Object())
			}
		}
	}
	return found, namespaces
}

// tieLabels tell which set an object belongs to.
var tieLabels = []string{"app.kubernetes.io/part-of", "app.kubernetes.io/instance", "app.kubernetes.io/name", "app", "k8s-app"}

// shared are the labels that all objects of the set have with one value, and their
// namespaces. Namespaces often have no labels, and one object shares nothing.
func shared(p *lint.Pass) (ties map[string]string, namespaces map[string]bool) {
	ties, namespaces = map[string]string{}, map[string]bool{}
	objects := 0
	for _, m := range p.Set() {
		if m.Manifest.Kind.GroupKind() == "Namespace" {
			continue
		}
		objects++
		if m.Manifest.Namespace != "" {
			namespaces[m.Manifest.Namespace] = true
		}
		for _, key := range tieLabels {
			value := tree.String(m.Manifest.Tree, "metadata", "labels", key)
			if was, ok := ties[key]; value == "" || objects > 1 && (!ok || was != value) {
				delete(ties, key)
			} else {
				ties[key] = value
			}
		}
	}
	if objects < 2 {
		return nil, nil
	}
	return ties, namespaces
}

// tied reports whether labels have all ties.
func tied(labels tree.Object, ties map[string]string) bool {
	for key, value := range ties {
		if labels[key] != value {
			return false
		}
	}
	return true
}

// renames are what created objects do, by kind and namespace.
type renames map[string]map[string]bool

// renamed reports whether renamed-object is about the live object.
func renamed(p *lint.Pass, e *manifest.Entry) bool {
	created := lint.SharedByRun(p, func() renames {
		created, selecting := renames{}, servicesOf(p)
		for _, m := range p.Set() { // p.Objects has none without a live object
			o := m.Object()
			if o.Live != nil || o.Result == nil {
				continue
			}
			if created[kindIn(o.Manifest)] == nil {
				created[kindIn(o.Manifest)] = map[string]bool{}
			}
			for what := range doings(o.Manifest, o.Result, selecting) {
				created[kindIn(o.Manifest)][what] = true
			}
		}
		return created
	})[e.Kind.GroupKind()+" "+e.Namespace]
	if created == nil {
		return false
	}
	for what := range doings(e.Object(), e.Object().Tree, servicesOf(p)) {
		if created[what] {
			return true
		}
	}
	return false
}

// elsewhere are the objects of which the repository has a manifest that is not
// among those applied.
func elsewhere(p *lint.Pass) map[manifest.Identity]bool {
	have := map[manifest.Identity]bool{}
	if p.Elsewhere == nil {
		return have
	}
	for _, o := range p.Elsewhere().Objects {
		id := o.ID()
		have[id] = true
		if id.Namespace == "" { // the manifest leaves it to -n
			for namespace := range namespacesOf(p) {
				id.Namespace = namespace
				have[id] = true
			}
		}
	}
	return have
}

func namespacesOf(p *lint.Pass) map[string]bool {
	_, namespaces := shared(p)
	return namespaces
}

// goesOn says what an object that no manifest has goes on to do; "" if it does
// nothing by itself, or if it is not certain that it does it for this set.
func goesOn(p *lint.Pass, old *manifest.Object, namespaces map[string]bool) string {
	is := func(kinds ...string) bool {
		for _, kind := range kinds {
			if old.Kind.GroupKind() == kind {
				return true
			}
		}
		return false
	}
	switch {
	case is("Deployment.apps", "StatefulSet.apps", "ReplicaSet.apps", "DaemonSet.apps", "ReplicationController"):
		return keepsRunning(p, old)
	case is("Pod"):
		return "it keeps running"
	case is("CronJob.batch") && !tree.Bool(old.Tree, "spec", "suspend"):
		return "it still starts Jobs, at " + tree.String(old.Tree, "spec", "schedule")
	case is("Service") && len(tree.Map(old.Tree, "spec", "selector")) > 0:
		return serves(p, old)
	case is("Ingress.networking.k8s.io"):
		return publishes(old)
	case is("HorizontalPodAutoscaler.autoscaling"):
		return "it still scales " + tree.String(old.Tree, "spec", "scaleTargetRef", "kind") + " " + tree.String(old.Tree, "spec", "scaleTargetRef", "name")
	case is("RoleBinding.rbac.authorization.k8s.io"), is("ClusterRoleBinding.rbac.authorization.k8s.io") && subjectsWithin(old, namespaces):
		return "it still grants " + tree.String(old.Tree, "roleRef", "kind") + " " + tree.String(old.Tree, "roleRef", "name")
	case is("ResourceQuota", "LimitRange"):
		return "it still limits namespace " + old.Namespace
	}
	return ""
}

// keepsRunning says how many pods a workload goes on to run, and which Services of
// the set send traffic to them.
func keepsRunning(p *lint.Pass, old *manifest.Object) string {
	n, counted := impact.Ending(old)
	text := "its pods keep running"
	switch {
	case counted && n == 0:
		return ""
	case n == 1:
		text = "its pod keeps running"
	case counted:
		text = fmt.Sprintf("its %d pods keep running", n)
	}
	if services, _ := servedBy(p, old); services != nil {
		text += ", and Service " + strings.Join(services, ", ") + " sends traffic to them"
	}
	return text
}

// servedBy are the Services of the set that send traffic to the pods of a workload that has left it, and
// those of them that select no pods of another.
func servedBy(p *lint.Pass, old *manifest.Object) (services, only []string) {
	for _, m := range p.Set() {
		if m.Manifest.Kind.GroupKind() != "Service" || m.Manifest.Namespace != old.Namespace {
			continue
		}
		s, ok := impact.Selector(tree.Object{"matchLabels": tree.Map(m.Manifest.Tree, "spec", "selector")})
		if !ok || len(s) == 0 || !s.Matches(podLabels(old.Tree, old.Kind.Kind)) {
			continue
		}
		services = append(services, m.Manifest.Name)
		if !slices.ContainsFunc(p.Set(), func(w lint.Member) bool {
			return w.Manifest.Namespace == old.Namespace && mayRunPods(w.Manifest.Kind) && s.Matches(podLabels(w.Manifest.Tree, w.Manifest.Kind.Kind))
		}) {
			only = append(only, m.Manifest.Name)
		}
	}
	return services, only
}

// serves says which workloads of the set a Service goes on to lead to.
func serves(p *lint.Pass, old *manifest.Object) string {
	s, ok := impact.Selector(tree.Object{"matchLabels": tree.Map(old.Tree, "spec", "selector")})
	var workloads []string
	manifests := slices.Clone(unasked(p))
	for _, m := range p.Set() {
		manifests = append(manifests, m.Manifest)
	}
	for _, m := range manifests {
		if m.Namespace == old.Namespace && mayRunPods(m.Kind) && ok && s.Matches(podLabels(m.Tree, m.Kind.Kind)) {
			workloads = append(workloads, m.Kind.Kind+" "+m.Name)
		}
	}
	kind := ""
	if tree.String(old.Tree, "spec", "type") == "LoadBalancer" {
		kind = ", and its load balancer stays"
	}
	if workloads != nil {
		return "it still sends traffic to " + strings.Join(workloads, ", ") + kind
	}
	return strings.TrimPrefix(kind, ", and ")
}

// publishes says which hosts an Ingress goes on to publish.
func publishes(old *manifest.Object) string {
	var hosts []string
	for _, rule := range tree.List(old.Tree, "spec", "rules") {
		if host := tree.String(rule, "host"); host != "" {
			hosts = append(hosts, host)
		}
	}
	if hosts == nil {
		return "it still serves the requests that match no other Ingress"
	}
	return "it still serves " + strings.Join(hosts, ", ")
}

// subjectsWithin reports whether a binding is of ServiceAccounts in the namespaces.
func subjectsWithin(old *manifest.Object, namespaces map[string]bool) bool {
	subjects := tree.List(old.Tree, "subjects")
	for _, s := range subjects {
		if !namespaces[tree.String(s, "namespace")] {
			return false
		}
	}
	return len(subjects) > 0
}
