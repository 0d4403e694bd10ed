package workflow

import (
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// forgetReplicas leaves the number of pods to who scales them.
var forgetReplicas = &Recipe{
	ID:    "forget-replicas",
	Title: "Leave the number of pods to an autoscaler",
	Text: "An apply without replicas resets what the apply before it has set, and the default is 1. What last-applied does not have stays as it is, so replicas leaves it " +
		"first.",
	Rules: []string{"replicas-drop-to-one"},
	Links: []string{"https://github.com/kubernetes/kubernetes/issues/67135"},
	Make: func(c *Case) []Step {
		path := fieldpath.New("spec", "replicas")
		_, applied := path.Find(c.Original)
		if _, set := path.Find(c.Manifest.Tree); set || !applied || !c.plan.By.Claim().IsKubectl() || c.ServerSide != nil {
			return nil
		}
		n, _ := tree.Int(c.Before, "spec", "replicas")
		return []Step{
			{Text: "Take replicas out of last-applied", Commands: []string{shell.Line(setLastApplied)}, Input: without(c.Original, path), Meanwhile: fmt.Sprintf("%d pods run", n)},
			{Text: "Apply: replicas is left as it is", Applies: true},
		}
	},
}

// setLastApplied writes the object on stdin into the annotation.
const setLastApplied = "kubectl apply set-last-applied -f -"
