// Package strategic computes and applies the patches of client-side apply:
// strategic merge patches for built-in kinds, JSON merge patches for custom
// resources. It works on plain trees and a type of merge/schema; it knows
// neither defaults nor files.
//
// It must give what apimachinery gives (pkg/util/strategicpatch/patch.go,
// pkg/util/jsonmergepatch/patch.go), odd cases included, since both kubectl
// and the API server run that code. merge/conformance holds it to that. Where
// upstream depends on the random order of map keys, this package goes by the
// alphabet.
package strategic

import (
	"slices"
	"strings"

	"threeway/merge/schema"
	"threeway/merge/tree"
)

// The keys and values by which a strategic merge patch directs the server.
const (
	patchKey        = "$patch"
	deleteValue     = "delete"
	replaceValue    = "replace"
	mergeValue      = "merge"
	retainKeysKey   = "$retainKeys"
	orderPrefix     = "$setElementOrder"
	deletionsPrefix = "$deleteFromPrimitiveList"
)

// Patch returns the strategic merge patch that kubectl apply sends to turn
// live into config: what config sets differently from live, and null or a
// delete directive for what lastApplied had and config no longer has.
// lastApplied may be nil. An empty patch means unchanged. Without overwrite, a
// field that both config and somebody else changed since lastApplied is a
// *ConflictError. The arguments are not changed, and the patch shares nothing
// with them.
//
// Other errors are a *LookupError, a [Crash], and kubectl's texts: a list item
// without its merge key, lists of lists, lists of mixed types.
//
// Like kubectl (pkg/cmd/apply/patcher.go patchSimple), it first goes by the
// server's OpenAPI document, and by the Go type where that fails.
func Patch(lastApplied, config, live tree.Object, t *schema.Type, overwrite bool) (tree.Object, error) {
	patch, err := patchAt(lastApplied, config, live, spot{typ: t, openAPI: true}, overwrite)
	if _, crashed := err.(Crash); err == nil || crashed {
		return patch, err
	}
	return patchAt(lastApplied, config, live, spot{typ: t}, overwrite)
}

// patchAt computes the patch by one of the two schemas. Few objects need a look
// at their fields in order: of several errors, the first must be returned.
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
	// The two share no field but the maps and lists on the way to one, so that
	// laying delta over deletions only adds.
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
// does it. The arguments are not changed; the result shares with live all that
// the patch does not touch, which is nearly all. Errors are the server's, or a
// [Crash].
func Apply(live, patch tree.Object, t *schema.Type) (result tree.Object, err error) {
	defer survive(&err)
	return merger{}.mergeMap(live, patch, spot{typ: t})
}

// Left is what Apply has left of the patch when it is through, which the server
// quotes when the result turns out to be wrong.
func Left(live, patch tree.Object, t *schema.Type) tree.Object {
	left := tree.CopyObject(patch)
	// The server merges in place, and so into what it has of the patch already.
	_, _ = merger{inPlace: true}.mergeMap(tree.CopyObject(live), left, spot{typ: t})
	return left
}

// entry is a field of an object.
type entry struct {
	key   string
	value any
}

// sorted appends the fields of m to room, in the order in which they are
// merged.
func sorted(m tree.Object, room []entry) []entry {
	for k, v := range m {
		room = append(room, entry{k, v})
	}
	slices.SortFunc(room, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return room
}

// smallSize is the room for fields that most objects need.
const smallSize = 16
