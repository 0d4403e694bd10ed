package workflow

import (
	"fmt"
	"strconv"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// replaceStatefulSet changes what is immutable in a StatefulSet.
var replaceStatefulSet = &Recipe{
	ID:    "replace-stateful-set",
	Title: "Change the claim templates of a StatefulSet, or what else cannot be changed",
	Text: "The StatefulSet is deleted without its pods and created again, and adopts them. Its controller never changes a claim that it has made, so where a template " +
		"asks for more storage, each claim is grown before, by itself.",
	Rules: []string{"immutable-field-change"},
	Kinds: []string{"StatefulSet.apps"},
	Links: []string{"https://github.com/kubernetes/kubernetes/issues/68737", "https://github.com/VictoriaMetrics/helm-charts/issues/2851"},
	Make: func(c *Case) []Step {
		if !c.adopts() {
			return c.none(notAdopted)
		}
		grow := Step{Text: "Grow the claims, whose StorageClass must allow that", Meanwhile: "a volume grows while its pod runs, or, where its driver cannot, when the pod restarts"}
		for _, t := range tree.List(c.Manifest.Tree, "spec", "volumeClaimTemplates") {
			was := templateOf(c.Before, tree.String(t, "metadata", "name"))
			if was == nil {
				return c.none("a pod that runs cannot get another claim, and its controller does not replace it")
			}
			if class := tree.String(t, "spec", "storageClassName"); class != "" && class != tree.String(was, "spec", "storageClassName") {
				return c.none("claims keep their StorageClass, and a new claim has none of the data")
			}
			size := tree.String(t, "spec", "resources", "requests", "storage")
			if size == tree.String(was, "spec", "resources", "requests", "storage") {
				continue
			}
			for _, claim := range c.claims(was) {
				if size == tree.String(claim.Tree, "spec", "resources", "requests", "storage") {
					continue
				}
				patch := tree.Object{"spec": tree.Object{"resources": tree.Object{"requests": tree.Object{"storage": size}}}}
				grow.Commands = append(grow.Commands, shell.Line("kubectl patch", Target(claim), shell.Option("--type=merge"), shell.JSON("-p", patch)))
			}
		}
		steps := []Step{grow}[:min(len(grow.Commands), 1)]
		steps = append(steps, c.withoutPods(), Step{Text: "Apply: the new StatefulSet adopts the pods", Applies: true, Commands: []string{wait(c.Manifest)}})
		if tree.String(c.Before, "spec", "serviceName") != tree.String(c.Manifest.Tree, "spec", "serviceName") {
			steps = append(steps, Step{Text: "Restart the pods, which have their DNS names of the new Service only then",
				Commands: []string{shell.Line("kubectl rollout restart", Target(c.Manifest)), wait(c.Manifest)}})
		}
		return steps
	},
}

// templateOf is a claim template by its name.
func templateOf(obj tree.Object, name string) tree.Object {
	for _, t := range tree.List(obj, "spec", "volumeClaimTemplates") {
		if tree.String(t, "metadata", "name") == name {
			return tree.Map(t)
		}
	}
	return nil
}

// claims are those that the controller has made from a template: TEMPLATE-SET-0 and so on. If
// there is no snapshot of claims, there is one for each pod.
func (c *Case) claims(template tree.Object) (list []*manifest.Object) {
	prefix := tree.String(template, "metadata", "name") + "-" + c.Manifest.Name + "-"
	if !c.live.Covers("", "PersistentVolumeClaim") {
		n, sized := tree.Int(c.Before, "spec", "replicas")
		if !sized {
			n = 1
		}
		for i := range n {
			claim := &manifest.Object{Kind: schema.Kind{Version: "v1", Kind: "PersistentVolumeClaim"}, Namespace: c.Manifest.Namespace, Name: prefix + fmt.Sprint(i)}
			claim.Tree = tree.CopyObject(template)
			claim.Tree["apiVersion"], claim.Tree["kind"], claim.Tree["status"] = "v1", claim.Kind.Kind, tree.Object{"phase": "Bound", "capacity": tree.Object{"storage": tree.String(template, "spec", "resources", "requests", "storage")}}
			tree.Set(claim.Tree, claim.Name, "metadata", "name")
			tree.Set(claim.Tree, claim.Namespace, "metadata", "namespace")
			list = append(list, claim)
		}
		c.assumed = append(c.assumed, list...)
		return list
	}
	for _, e := range c.live.EntriesOfKind("PersistentVolumeClaim") {
		if n, is := strings.CutPrefix(e.Name, prefix); is && e.Namespace == c.Manifest.Namespace {
			if i, err := strconv.Atoi(n); err == nil && fmt.Sprint(i) == n {
				list = append(list, e.Object())
			}
		}
	}
	return list
}

// moveClaim changes what a claim keeps.
var moveClaim = &Recipe{
	ID:    "move-claim",
	Title: "Make a claim smaller, or give it another StorageClass or access mode",
	Text: "No steps are known that keep the pods running: a claim keeps its volume, and the data has to be copied to that of another claim while nothing writes it. Apply " +
		"the claim under a new name, copy the data, and then let the pods use it.",
	Rules: []string{"apply-rejected", "immutable-field-change"},
	Kinds: []string{"PersistentVolumeClaim"},
	Make: func(c *Case) []Step {
		was, now := tree.Map(c.Before, "spec"), tree.Map(c.Manifest.Tree, "spec")
		moved := func(field string) bool { return now[field] != nil && !tree.Equal(now[field], was[field]) }
		if c.Rejection == nil {
			return nil
		}
		if smaller := strings.Contains(c.Rejection.OneLine(), "less than status.capacity"); !smaller && !moved("storageClassName") && !moved("accessModes") {
			return nil
		}
		return c.none("a claim keeps its volume; make another under a new name, and copy the data while nothing writes it")
	},
}
