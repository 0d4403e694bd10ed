package mask

import (
	"slices"

	"threeway/merge/tree"
)

// Masked reports whether an object is a Secret with a value that is already
// masked. Such a Secret is not from a server, because the mask is not base64.
func Masked(o tree.Object) bool {
	if !IsSecret(o) || !isCore(o) {
		return false
	}
	for _, value := range tree.Map(o, "data") {
		if text, ok := value.(string); ok && slices.Contains([]string{Value, Before, After}, text) {
			return true
		}
	}
	return false
}
