package workflow

import (
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// renameObject gives an object that no pods are made of another name.
var renameObject = &Recipe{
	ID:    "rename-object",
	Title: "Rename a Service, an Ingress, a binding, a budget, an autoscaler or a CronJob",
	Text: "Old and new one work beside each other until nothing uses the old name. Two autoscalers would both set the number of pods, and two CronJobs start each Job twice: there " +
		"the old one is deleted first, and its Jobs go on.",
	Rules: []string{"renamed-object", "removed-object-stays"},
	Named: true,
	Make: func(c *Case) []Step {
		if c.Old == nil || c.Old.Namespace != c.Manifest.Namespace {
			return nil
		}
		olds := []*manifest.Object{c.Old}
		apply, end := Step{Text: "Apply", Applies: true}, gone(olds)
		first := func(meanwhile string, how ...shell.Arg) []Step {
			end.Commands, end.Meanwhile = []string{shell.Line("kubectl delete", append([]shell.Arg{Target(c.Old)}, how...)...)}, meanwhile
			return []Step{end, apply}
		}
		switch c.Kind.GroupKind() {
		case "HorizontalPodAutoscaler.autoscaling":
			return first("the number of pods stays as it is")
		case "CronJob.batch":
			return first("Jobs that run go on; one that is due before the next step does not start", shell.Option("--cascade=orphan"))
		case "Service":
			if !tree.Equal(any(tree.Map(c.Old.Tree, "spec", "selector")), any(tree.Map(c.Manifest.Tree, "spec", "selector"))) {
				return nil
			}
			apply.Meanwhile, end.Text = "both names lead to the pods; let clients use the new one", "Delete the old Service, now that no client uses its name"
		case "Ingress.networking.k8s.io":
			apply.Meanwhile = "both serve the routes; an ingress controller may have them from either"
		case "RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io":
			apply.Meanwhile = "both grant their role"
		case "NetworkPolicy.networking.k8s.io":
			apply.Meanwhile = "a connection is allowed if one of the two allows it"
		case "PodDisruptionBudget.policy":
			apply.Meanwhile = "a pod that both select cannot be evicted, and a drain waits"
		case "PersistentVolumeClaim":
			return c.none("the data stays with the old claim: copy it while nothing writes it")
		default:
			return nil
		}
		return append(c.kept(olds), apply, end)
	},
}
