package merge_test

import (
	"testing"

	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
)

// TestNewestMinor: the newest minor is the newest that the tables bound something by,
// and the default is not behind what the tables prefer.
func TestNewestMinor(t *testing.T) {
	newest := 0
	for _, r := range schema.Resources() {
		newest = max(newest, r.Since)
		for _, f := range schema.Lookup(r.Kind).Fields {
			newest = max(newest, f.Since)
		}
	}
	if newest != rehearsal.NewestMinor || rehearsal.DefaultMinor > rehearsal.NewestMinor {
		t.Errorf("the tables have facts of 1.%d; NewestMinor is %d, DefaultMinor %d", newest, rehearsal.NewestMinor, rehearsal.DefaultMinor)
	}
}
