package server_test

import (
	"strings"
	"testing"

	"threeway/merge/kube/internal/server"
)

// TestFieldManagers: a name has 1 to 128 bytes, all of which can be printed.
func TestFieldManagers(t *testing.T) {
	for manager, want := range map[string]string{
		"":                       "fieldManager: Required value: is required for apply patch",
		"ci":                     "",
		strings.Repeat("m", 128): "",
		strings.Repeat("m", 129): "fieldManager: Too long: may not be more than 128 bytes",
		"a\tb":                   "invalid character U+0009 (at position 1)",
	} {
		got := (&server.Server{Minor: 36}).ApplierRejection(manager)
		switch {
		case (got == nil) != (want == ""):
			t.Errorf("%q: %v", manager, got)
		case got != nil && !strings.Contains(got.String(), want):
			t.Errorf("%q: %v, want %s", manager, got, want)
		}
	}
}
