package format_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/format"
)

// TestQuantity: what clusters have is what upstream makes of it, and what upstream
// computes with for hours is an error.
func TestQuantity(t *testing.T) {
	for _, text := range []string{"", "1", "500m", "1e3", "1E", "1E3", "2Ei", "1e-3", "1e+0003", "1e1000", "e", "1ee", "1ex", "1e1x", `[{"name":1}]`, "gone12345x"} {
		got, err := format.Quantity(text)
		want, wantErr := resource.ParseQuantity(text)
		if (err == nil) != (wantErr == nil) || got.String() != want.String() {
			t.Errorf("%q: %v %v, want %v %v", text, got.String(), err, want.String(), wantErr)
		}
	}
	for _, text := range []string{"1e1001", "1e999999999", "1E-999999999", "-1e+99999999999999999999", "0e1000000"} {
		if q, err := format.Quantity(text); err == nil {
			t.Errorf("%q: %v", text, q.AsDec().Scale())
		}
	}
}
