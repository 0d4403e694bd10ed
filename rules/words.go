package rules

import (
	"maps"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// firstLine is the part of a message before a quoted diff or patch.
func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if r := []rune(text); len(r) > 300 {
		return string(r[:299]) + "…"
	}
	return text
}

// has reports whether the object's tree has a value at the path.
func has(root tree.Object, p fieldpath.Path) bool {
	v, ok := p.Find(root)
	return ok && v != nil
}

// workload reports whether an object makes pods from a template, and where the
// template is.
func workload(o *lint.Object) (template fieldpath.Path, ok bool) {
	switch {
	case o.Is("Deployment.apps", "StatefulSet.apps", "DaemonSet.apps", "ReplicaSet.apps", "ReplicationController", "Job.batch"):
		return fieldpath.New("spec", "template"), true
	case o.Is("CronJob.batch"):
		return fieldpath.New("spec", "jobTemplate", "spec", "template"), true
	}
	return nil, false
}

func sortedKeys(m tree.Object) []string { return slices.Sorted(maps.Keys(m)) }

// filledIn reports whether a controller or the server fills a field in, so that
// nobody's change is lost or kept there.
func filledIn(o *lint.Object, p fieldpath.Path) bool {
	switch {
	case o.Is("ClusterRole.rbac.authorization.k8s.io"):
		return p[0].Field == "rules" && (has(o.Config.Tree, fieldpath.New("aggregationRule")) || has(o.Before, fieldpath.New("aggregationRule")))
	case o.Is("Secret"):
		return p[0].Field == "data" && tree.String(o.Before, "type") == "kubernetes.io/service-account-token"
	}
	return false
}
