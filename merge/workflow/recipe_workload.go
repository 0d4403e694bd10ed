package workflow

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/impact"
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// replaceWorkload gives a workload another selector.
var replaceWorkload = &Recipe{
	ID:    "replace-workload",
	Title: "Change the selector of a workload",
	Text: "The selector cannot be changed, but the workload can be deleted without its pods, which go on serving. The one that is created in its place adopts " +
		"them if its selector matches them; if not, it starts its own pods beside them, and they are deleted when these are ready. Where the Service would select none " +
		"of the old pods, it keeps a selector that does until then.",
	Rules: []string{"selector-change"},
	Kinds: []string{"Deployment.apps", "DaemonSet.apps", "StatefulSet.apps"},
	Links: []string{"https://github.com/kubernetes/kubernetes/issues/50808", "https://github.com/immich-app/immich-charts/issues/283"},
	Make: func(c *Case) []Step {
		was, now := c.labels()
		if was == nil || now == nil || c.Rejection == nil {
			return nil
		}
		adopts := c.adopts()
		if !adopts && c.is("StatefulSet.apps") {
			return c.none(notAdopted)
		}
		if why := c.apart(&manifest.Object{Kind: c.Kind, Name: c.Manifest.Name, Namespace: c.Manifest.Namespace, Tree: c.Before}, c.Manifest); !adopts && why != "" {
			return c.none(why)
		}
		steps := append([]Step{c.withoutPods()}, c.beginning(was, now, !adopts, c.Manifest)...)
		if adopts {
			return steps
		}
		left, ok := c.leftover(was, now)
		if !ok {
			return c.none("no selector tells the old pods from the new ones")
		}
		return append(steps, Step{Text: "Delete the old pods", Commands: []string{left}})
	},
}

const notAdopted = "the new StatefulSet does not adopt the pods, and cannot start its own under their names"

// adopts reports whether the selector in the manifest matches the pods that run.
func (c *Case) adopts() bool {
	s, _ := impact.Selector(tree.Map(c.Manifest.Tree, "spec", "selector"))
	return s.Matches(podLabels(c.Before))
}

// renameWorkload gives a workload another name, or makes one of another kind of it.
var renameWorkload = &Recipe{
	ID:    "rename-workload",
	Title: "Rename a Deployment, or make a Deployment of a StatefulSet and the reverse",
	Text: "The new workload starts beside the old one, which is deleted when the new pods are ready. Where the Service would select none of the old pods, it keeps its " +
		"selector until then. No steps are known if pods must not run beside each other, or have claims, whose data would not go along.",
	Rules: []string{"renamed-object", "removed-object-stays", "selector-races-rollout"},
	Make: func(c *Case) []Step {
		olds, news := []*manifest.Object{c.Old}, []*manifest.Object{c.Manifest}
		if c.is("Service") {
			olds, news = c.renamed()
		}
		if len(olds) == 0 || len(news) == 0 || olds[0] == nil || !moves(olds[0]) || !moves(news[0]) {
			return nil
		}
		for _, o := range append(olds, news...) {
			if why := c.apart(olds[0], o); why != "" {
				return c.none(why)
			}
		}
		steps := slices.Concat(c.kept(olds), c.beginning(podLabels(olds[0].Tree), podLabels(news[0].Tree), true, news...))
		end := gone(olds)
		if names := c.renamedServices(olds[0]); names != nil {
			olds = append(names, olds...)
			end = gone(olds)
			end.Text = "Delete the old objects, now that no client uses their names"
		}
		return append(steps, end)
	},
}

// gone is the step that deletes the old objects.
func gone(olds []*manifest.Object) Step {
	s := Step{Text: "Delete the old " + olds[0].Kind.Kind}
	for _, old := range olds {
		s.Commands = append(s.Commands, shell.Line("kubectl delete", Target(old)))
	}
	return s
}

// moves reports whether the pods of a workload may be those of another one.
func moves(o *manifest.Object) bool {
	return slices.Contains([]string{"Deployment.apps", "StatefulSet.apps", "DaemonSet.apps"}, o.Kind.GroupKind())
}

// apart says why no pods of another workload may run beside those of one; "" if they may.
func apart(o *manifest.Object) string {
	pod := tree.Map(o.Tree, "spec", "template", "spec")
	claims := slices.ContainsFunc(tree.List(pod, "volumes"), func(v any) bool { return tree.Has(v, "persistentVolumeClaim") })
	hostPorts := slices.ContainsFunc(containerPorts(tree.Map(o.Tree, "spec", "template")), func(p any) bool { return tree.Has(p, "hostPort") })
	switch {
	case claims || tree.Has(o.Tree, "spec", "volumeClaimTemplates"):
		return "the pods of " + title(o) + " have claims: two that write to one harm its data, and a new claim has none of it"
	case tree.String(o.Tree, "spec", "strategy", "type") == "Recreate":
		return "the pods of " + title(o) + " are not to run beside others, by its strategy Recreate"
	case tree.Bool(pod, "hostNetwork") || hostPorts:
		return "the pods of " + title(o) + " take ports of their nodes, which two cannot have"
	case slices.ContainsFunc(tree.List(pod, "volumes"), func(v any) bool { return tree.Has(v, "hostPath") }):
		return "the pods of " + title(o) + " use a directory of their nodes, which two may not be made for"
	}
	return ""
}

// apart says why no pods of a workload may run beside those of an old one; "" if they may.
func (c *Case) apart(old, o *manifest.Object) string {
	if why := apart(o); why != "" {
		return why
	}
	for _, p := range c.plan.Set {
		live := c.live.Find(p.Manifest.ID())
		if live == nil || p.Manifest.Namespace != old.Namespace || p.Manifest.Kind.GroupKind() != "NetworkPolicy.networking.k8s.io" {
			continue
		}
		isolates := func(obj tree.Object) bool {
			s, ok := impact.Selector(tree.Map(obj, "spec", "podSelector"))
			return ok && s.Matches(podLabels(old.Tree))
		}
		if isolates(live.Tree) && !isolates(p.Manifest.Tree) {
			return title(p.Manifest) + " would no longer isolate the old pods while they run: let it select both first, in an apply of its own"
		}
	}
	return ""
}

// renamedServices are the old Services of the pods of a workload that have another name in the manifests.
func (c *Case) renamedServices(old *manifest.Object) (list []*manifest.Object) {
	for _, r := range c.renames() {
		live := c.live.Find(r.Old.ID())
		if live != nil && live.Kind.GroupKind() == "Service" && live.Namespace == old.Namespace && selects(tree.Map(live.Tree, "spec", "selector"), podLabels(old.Tree)) {
			list = append(list, live)
		}
	}
	return list
}

// renamed are the workloads that a Service selects the pods of today and that no manifest has,
// and the new ones that it selects the pods of in the end.
func (c *Case) renamed() (olds, news []*manifest.Object) {
	for _, o := range c.beside {
		if c.live.Find(o.ID()) == nil {
			news = append(news, o)
		}
	}
	for _, o := range c.running()[c.Manifest.Namespace] {
		of := func(m *manifest.Object) bool { return m.ID() == o.ID() }
		if moves(o) && selects(c.services[0].was, podLabels(o.Tree)) && !slices.ContainsFunc(c.manifests()[c.Manifest.Namespace], of) {
			olds = append(olds, o)
		}
	}
	return olds, news
}

// beginning are the steps that start the pods of a new workload in the place of, or beside,
// those that serve.
func (c *Case) beginning(was, now tree.Object, beside bool, news ...*manifest.Object) []Step {
	held := c.holding(was, now, !beside)
	start := Step{Text: "Apply, and wait for the new pods", Applies: true, Edits: held}
	if beside {
		start.Meanwhile = "old and new pods run beside each other, which takes room for both"
	}
	if len(news) == 1 && !tree.Has(news[0].Tree, "spec", "replicas") {
		live := c.Before
		if c.Old != nil {
			live = c.Old.Tree
		}
		if n, _ := tree.Int(live, "spec", "replicas"); n > 1 {
			start.Text = fmt.Sprintf("Apply, ask for %d pods, as there are today, and wait for them", n)
			start.Commands = append(start.Commands, shell.Line("kubectl patch", Target(news[0]), shell.Option("--type=merge"), shell.JSON("-p", tree.Object{"spec": tree.Object{"replicas": n}})))
		}
	}
	for _, o := range news {
		start.Commands = append(start.Commands, wait(o))
	}
	if held == nil {
		return []Step{start}
	}
	start.Text = strings.Replace(start.Text, "Apply,", "Apply with a selector of the Service that selects the pods that run,", 1)
	return []Step{start, {Text: "Apply the manifests as they are: the Service selects the new pods", Applies: true}}
}

// leftover deletes the pods that the deleted workload has left, and not those of the new one.
func (c *Case) leftover(was, now tree.Object) (command string, ok bool) {
	by := tree.Map(c.Before, "spec", "selector", "matchLabels")
	if by == nil || tree.Has(c.Before, "spec", "selector", "matchExpressions") {
		return "", false
	}
	var parts []string
	for _, key := range tree.Keys(by) {
		parts = append(parts, key+"="+fmt.Sprint(by[key]))
	}
	if selects(by, now) {
		other := ""
		for _, key := range tree.Keys(now) {
			if was[key] != now[key] {
				other = key + "!=" + fmt.Sprint(now[key])
			}
		}
		if other == "" {
			return "", false
		}
		parts = append(parts, other)
	}
	kind := shell.Operand("pods")
	if c.is("Deployment.apps") {
		kind = shell.Operand("replicasets")
	}
	return shell.Line("kubectl delete", kind, shell.Flag("-l", strings.Join(parts, ",")).In(c.Manifest.Namespace)), true
}

// withoutPods is the step that deletes a workload and leaves its pods.
func (c *Case) withoutPods() Step {
	s := Step{Text: "Delete the " + c.Kind.Kind + ", but not its pods",
		Commands:  []string{shell.Line("kubectl delete", Target(c.Manifest), shell.Option("--cascade=orphan"))},
		Meanwhile: "the pods keep running and serving; until the next step nothing replaces one that stops"}
	if c.is("Deployment.apps") {
		s.Meanwhile = "its ReplicaSet keeps the pods running and serving"
	}
	return s
}

// deleted is the step that deletes an object.
func deleted(o *manifest.Object, meanwhile string) Step {
	return Step{Text: "Delete " + title(o), Commands: []string{shell.Line("kubectl delete", Target(o))}, Meanwhile: meanwhile}
}
