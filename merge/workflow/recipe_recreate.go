package workflow

import (
	"slices"

	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// rebindRole gives a binding another role.
var rebindRole = &Recipe{
	ID:    "rebind-role",
	Title: "Change the role of a binding",
	Text: "The roleRef cannot be changed. A second binding grants the new role while the first is deleted and created again, so that the subjects are never without " +
		"both roles.",
	Rules: []string{"immutable-field-change"},
	Kinds: []string{"RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io"},
	Make: func(c *Case) []Step {
		second := c.second(tree.Object{"roleRef": c.Manifest.Tree["roleRef"], "subjects": c.Manifest.Tree["subjects"]})
		return []Step{
			{Text: "Grant the new role by a second binding", Commands: []string{shell.Line("kubectl apply -f -")}, Input: second.Tree, Meanwhile: "the subjects have the rights of both roles"},
			deleted(c.Manifest, "the subjects have the rights of the new role"),
			{Text: "Apply the manifests", Applies: true},
			deleted(second, ""),
		}
	},
}

// replaceConfig changes what is immutable in an object that others refer to by name.
var replaceConfig = &Recipe{
	ID:    "replace-config",
	Title: "Change an immutable ConfigMap or Secret, a StorageClass or a PriorityClass",
	Text: "What is immutable has to be deleted and created again. Pods and volumes that exist keep what they have of it; what is made in between waits until the object " +
		"is there again.",
	Rules: []string{"immutable-field-change"},
	Make: func(c *Case) []Step {
		meanwhile := map[string]string{
			"ConfigMap":                       "pods that run are as they were; one that starts waits for the next step",
			"Secret":                          "pods that run are as they were; one that starts waits for the next step",
			"StorageClass.storage.k8s.io":     "volumes are as they were; a claim that is made waits for the next step",
			"PriorityClass.scheduling.k8s.io": "pods are as they were; one with this class is rejected until the next step, and its controller tries again",
		}[c.Kind.GroupKind()]
		switch {
		case c.is("Pod"):
			return c.none("a Pod serves nothing while it is deleted and created again: let a Deployment make it")
		case c.is("CSIDriver.storage.k8s.io"):
			return c.none("volumes may not be attached and mounted as the driver needs while it is deleted and created again")
		case meanwhile == "":
			return nil
		}
		again := Step{Text: "Apply at once", Applies: true}
		if c.is("ConfigMap", "Secret") {
			again.Text += ", then restart what reads it when you want it to read the new values"
		}
		return []Step{deleted(c.Manifest, meanwhile), again}
	},
}

// runJobAgain changes the template of a Job.
var runJobAgain = &Recipe{
	ID:    "run-job-again",
	Title: "Change the template of a Job",
	Text:  "A Job is deleted and created again, and so runs again. One that has not ended is waited for, since its pods go with it.",
	Rules: []string{"immutable-field-change"},
	Kinds: []string{"Job.batch"},
	Make: func(c *Case) []Step {
		var steps []Step
		ended := slices.ContainsFunc(tree.List(c.Before, "status", "conditions"), func(condition any) bool {
			return (tree.String(condition, "type") == "Complete" || tree.String(condition, "type") == "Failed") && tree.String(condition, "status") == "True"
		})
		if !ended && !tree.Bool(c.Before, "spec", "suspend") {
			steps = []Step{{Text: "Wait until the Job has ended", Commands: []string{shell.Line("kubectl wait", Target(c.Manifest), shell.Option("--for=condition=complete --timeout=1h"))}}}
		}
		return append(steps, deleted(c.Manifest, "its pods and their logs are gone"), Step{Text: "Apply: the Job runs again", Applies: true})
	},
}
