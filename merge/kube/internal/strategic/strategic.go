// Package strategic computes and applies the patches of client-side apply:
// strategic merge patches for built-in kinds, JSON merge patches for custom
// resources. It works on plain trees and types of merge/kube/schema; it knows
// nothing about defaults or files.
//
// The results must equal those of apimachinery
// (pkg/util/strategicpatch/patch.go, pkg/util/jsonmergepatch/patch.go), in odd
// cases too, because both kubectl and the API server run that code.
// merge/kube/conformance compares the two. Where upstream depends on the random
// order of map keys, this package uses sorted order.
package strategic

import (
	"slices"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// The keys and values of directives in a strategic merge patch.
const (
	patchKey        = "$patch"
	deleteValue     = "delete"
	replaceValue    = "replace"
	mergeValue      = "merge"
	retainKeysKey   = "$retainKeys"
	orderPrefix     = "$setElementOrder"
	deletionsPrefix = "$deleteFromPrimitiveList"
)

// Patch returns the strategic merge patch that kubectl apply sends to turn live
// into config: the fields that config sets to another value than live, and null
// or a delete directive for each field that is in lastApplied and no longer in
// config. lastApplied may be nil. An empty patch means unchanged. Without
// overwrite, a field that was changed since lastApplied both in config and in
// live is a *ConflictError. The arguments are not changed, and the patch shares
// nothing with them.
//
// Other errors are a *LookupError, a [Crash], and kubectl's errors about a list
// item without its merge key, lists of lists, and lists of mixed types.
//
// Like kubectl (pkg/cmd/apply/patcher.go patchSimple), it first uses the schema
// of the server's OpenAPI document, and if that fails, the Go type.
func Patch(lastApplied, config, live tree.Object, t *schema.Type, overwrite bool) (tree.Object, error) {
	patch, err := patchAt(lastApplied, config, live, spot{typ: t, openAPI: true}, overwrite)
	if _, crashed := err.(Crash); err == nil || crashed {
		return patch, err
	}
	return patchAt(lastApplied, config, live, spot{typ: t}, overwrite)
}

// patchAt computes the patch with one of the two schemas. Only if there is an
// error are the fields visited in sorted order, to return the first one.
func patchAt(lastApplied, config, live tree.Object, at spot, overwrite bool) (tree.Object, error) {
	patch, err := patchBy(lastApplied, config, live, at, differ{setOrder: true, inPlace: !overwrite})
	if err == nil {
		return patch, nil
	}
	return patchBy(lastApplied, config, live, at, differ{setOrder: true, inPlace: !overwrite, inOrder: true})
}

func patchBy(lastApplied, config, live tree.Object, at spot, d differ) (_ tree.Object, err error) {
	defer survive(&err)
	if d.inPlace {
		lastApplied, live = tree.CopyObject(lastApplied), tree.CopyObject(live)
	}
	both := [...]half{{from: live, ignoreDeletions: true}, {from: lastApplied, ignoreChanges: true}}
	if d.inOrder {
		err = d.maps(both[:1], config, at, false)
		if err == nil {
			err = d.maps(both[1:], config, at, false)
		}
	} else {
		err = d.maps(both[:], config, at, false)
	}
	if err != nil {
		return nil, err
	}
	delta, deletions := both[0].patch, both[1].patch
	// The two share only maps and lists on the way to a field, so merging delta
	// into deletions only adds fields.
	patch, err := merger{onPatch: true, inPlace: true}.mergeMap(deletions, delta, at)
	if err == nil && d.inPlace {
		err = checkConflict(lastApplied, live, patch, at, d)
	}
	if err != nil {
		return nil, err
	}
	return patch, nil
}

// Apply returns live with a strategic merge patch applied, as the API server
// does it. The arguments are not changed. The result shares with live
// everything that the patch does not touch. Errors are the server's, or a
// [Crash].
func Apply(live, patch tree.Object, t *schema.Type) (result tree.Object, err error) {
	defer survive(&err)
	return merger{}.mergeMap(live, patch, spot{typ: t})
}

// Left returns the part of the patch that remains after Apply. The server
// quotes it if the result is invalid.
func Left(live, patch tree.Object, t *schema.Type) tree.Object {
	left := tree.CopyObject(patch)
	// The server merges in place, and so into parts of the patch that it has
	// already used.
	_, _ = merger{inPlace: true}.mergeMap(tree.CopyObject(live), left, spot{typ: t})
	return left
}

// entry is a field of an object.
type entry struct {
	key   string
	value any
}

// sorted appends the fields of m to room, in the order in which they must be
// merged.
func sorted(m tree.Object, room []entry) []entry {
	for k, v := range m {
		room = append(room, entry{k, v})
	}
	slices.SortFunc(room, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return room
}

// smallSize is the number of fields that is enough for most objects.
const smallSize = 16
