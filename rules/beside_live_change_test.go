package rules

import "testing"

// TestBesideALiveChange: what is taken out of last-applied stays as a whole.
func TestBesideALiveChange(t *testing.T) {
	found := findingsOf(revertsLiveChange, lintExample(t, ruleExamples(t, revertsLiveChange)["cleared-the-container-gets-another-name"], ""))
	const want = "to keep the live value and all that is beside it, remove spec.template.spec.containers[name=api] from last-applied first: " +
		"kubectl apply edit-last-applied deployment/api -n shop"
	if len(found.Findings) != 1 || found.Findings[0].Fix != want {
		t.Errorf("%+v", found.Findings)
	}
}
