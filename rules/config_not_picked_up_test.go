package rules

import "testing"

// TestPodsThatARestartLeaves: kubectl refuses to restart a paused Deployment, and what
// it restarts of the others that are held leaves their pods.
func TestPodsThatARestartLeaves(t *testing.T) {
	found := findingsOf(configNotPickedUp, lintExample(t, ruleExamples(t, configNotPickedUp)["pods-that-a-restart-leaves"], ""))
	const want = "after the apply, delete the pods of shop/Deployment.apps/paused, and delete the pods of shop/DaemonSet.apps/on-delete, " +
		"and delete the pods of shop/StatefulSet.apps/partition, and delete the pods of shop/ReplicaSet.apps/rs, " +
		"and run: kubectl rollout restart deployment/rolls -n shop && kubectl rollout restart statefulset/sts -n shop && kubectl delete pod/pod -n shop, " +
		"and create shop/Pod/pod again"
	if len(found.Findings) != 1 || found.Findings[0].Fix != want {
		t.Errorf("%+v", found.Findings)
	}
}
