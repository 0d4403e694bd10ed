package merge

import (
	"testing"

	"threeway/merge/fieldpath"
)

// TestAuthored: a fault in what the server has filled in is at the field that
// the author wrote.
func TestAuthored(t *testing.T) {
	config := map[string]any{"spec": map[string]any{"clusterIP": "x"}, "stringData": map[string]any{"a b": "x"}, "data": map[string]any{"c": "x"}}
	for in, want := range map[string]string{
		"spec.clusterIPs[0]": "spec.clusterIP", "spec.clusterIPs[1]": "spec.clusterIPs[1]", "spec.ports[0]": "spec.ports[0]",
		"data[a b]": "stringData.a b", "data.c": "data.c", "data.none": "data.none",
	} {
		p, err := fieldpath.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := authored(p, config).String(); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
