package rules

import (
	"strings"
	"testing"
)

// TestLeftToControllers: a field is left to those who write it only where each of them is a controller.
func TestLeftToControllers(t *testing.T) {
	found := findingsOf(revertsLiveChange, lintExample(t, ruleExamples(t, revertsLiveChange)["who-did-it"], ""))
	leave := map[string]string{"controller": "hpa", "two-controllers": "a, b"}
	for _, f := range found.Findings {
		_, to, _ := strings.Cut(f.Fix, "; to leave the field to ")
		if want := leave[f.Object[strings.LastIndex(f.Object, "/")+1:]]; !strings.HasPrefix(to, want) || want == "" && to != "" {
			t.Errorf("%s: %s", f.Object, f.Fix)
		}
	}
	if len(found.Findings) < 6 {
		t.Errorf("%d findings", len(found.Findings))
	}
}
