package validation

import (
	"encoding/json"
	"strings"

	"threeway/merge/kube/schema"
)

// specDiff prints how two specs of a type differ the way the server appends it to
// "may not change" errors: a unified diff, without file header, of both specs
// as indented JSON of the internal type.
// Upstream: apimachinery pkg/util/diff Diff, which uses Python's difflib.
func specDiff(minor int, typ string, old, new any) string {
	a, errA := json.MarshalIndent(schema.OfMinor(schema.Internal(typ, old), minor), "", " ")
	b, errB := json.MarshalIndent(schema.OfMinor(schema.Internal(typ, new), minor), "", " ")
	if errA != nil || errB != nil {
		return ""
	}
	return unified(strings.Split(string(a), "\n"), strings.Split(string(b), "\n"))
}
