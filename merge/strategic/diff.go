package strategic

import (
	"errors"
	"fmt"
	"strings"

	"threeway/merge/tree"
)

// options say which half of a difference goes into the patch.
type options struct {
	ignoreChanges   bool // leave out changes and additions
	ignoreDeletions bool
	setOrder        bool // write $setElementOrder lists
	retainKeys      bool // write $retainKeys for the map at hand; not inherited
	inPlace         bool // sort the scalar lists compared, as upstream does; see diffScalarLists
	inOrder         bool // go by the alphabet: some errors and directives need it
}

// errDirective asks for a diff in order: what a list adds to a patch beside
// itself replaces what a config has under the same key.
var errDirective = errors.New("a directive in an object")

// diffMaps returns the patch that turns from into to, nil if there is nothing
// to do. Values of to that are added or replaced go into it as they are,
// without a look at the schema.
func diffMaps(from, to tree.Object, at spot, o options) (tree.Object, error) {
	var patch additions
	common := 0
	diff := func(key string, want any) error {
		have, ok := from[key]
		if !ok {
			if !o.ignoreChanges {
				patch.add(key, tree.Copy(want))
			}
			return nil
		}
		common++
		return diffField(key, have, want, &patch, at, o)
	}
	if o.inOrder {
		for _, w := range sorted(to, nil) {
			if err := diff(w.key, w.value); err != nil {
				return nil, err
			}
		}
	} else {
		for key, want := range to {
			if strings.HasPrefix(key, "$") {
				return nil, errDirective
			}
			if err := diff(key, want); err != nil {
				return nil, err
			}
		}
	}
	if !o.ignoreDeletions && common < len(from) {
		for key := range from {
			if _, ok := to[key]; !ok {
				patch.add(key, nil)
			}
		}
	}
	if o.retainKeys && (len(patch.made) > 0 || hasMore(from, to)) {
		var retained []any
		for _, w := range sorted(to, nil) {
			if w.value != nil {
				retained = append(retained, w.key)
			}
		}
		if retained != nil {
			patch.add(retainKeysKey, retained)
		}
	}
	return patch.made, nil
}

// additions is a patch that is made with its first field: most maps do not
// differ.
type additions struct{ made tree.Object }

func (a *additions) add(key string, v any) {
	if a.made == nil {
		a.made = tree.Object{}
	}
	a.made[key] = v
}

// diffField adds to patch what turns one field from have into want.
func diffField(key string, have, want any, patch *additions, at spot, o options) error {
	if key == patchKey {
		return diffDirective(have, want, patch)
	}
	switch have := have.(type) {
	case map[string]any:
		if want, ok := want.(map[string]any); ok {
			return diffMapField(key, have, want, patch, at, o)
		}
	case []any:
		if want, ok := want.([]any); ok {
			return diffListField(key, have, want, patch, at, o)
		}
	}
	// Scalars, or values of two kinds: the new one stands as it is.
	if !o.ignoreChanges && !tree.Equal(have, want) {
		patch.add(key, tree.Copy(want))
	}
	return nil
}

func diffDirective(have, want any, patch *additions) error {
	h, ok := have.(string)
	w, ok2 := want.(string)
	if !ok || !ok2 {
		return fmt.Errorf("invalid value for special key: %s", patchKey)
	}
	if h != w {
		patch.add(patchKey, want)
	}
	return nil
}

func diffMapField(key string, have, want tree.Object, patch *additions, at spot, o options) error {
	f, at, err := at.field(key)
	if err != nil {
		if tree.Equal(have, want) {
			return nil
		}
		return err
	}
	if f.Replace {
		// Even when nothing differs: this is why an unchanged
		// PodDisruptionBudget is always "configured".
		if !o.ignoreChanges {
			patch.add(key, tree.CopyObject(want))
		}
		return nil
	}
	o.retainKeys = f.RetainKeys
	sub, err := diffMaps(have, want, at, o)
	if err == nil && sub != nil {
		patch.add(key, sub)
	}
	return err
}

func diffListField(key string, have, want []any, patch *additions, at spot, o options) error {
	f, at, err := at.list(key)
	if err != nil {
		if tree.Equal(have, want) {
			return nil
		}
		return err
	}
	if !f.Merge {
		if !o.ignoreChanges && !tree.Equal(have, want) {
			patch.add(key, tree.Copy(want))
		}
		return nil
	}
	o.retainKeys = f.RetainKeys
	d, err := diffLists(have, want, at, f.MergeKey, o)
	if err != nil {
		return err
	}
	if len(d.items) > 0 {
		patch.add(key, d.items)
	}
	if len(d.deletions) > 0 {
		patch.add(deletionsPrefix+"/"+key, d.deletions)
	}
	if len(d.order) > 0 {
		patch.add(orderPrefix+"/"+key, d.order)
	}
	return nil
}

// hasMore reports whether from has a field other than null that to lacks.
func hasMore(from, to tree.Object) bool {
	for k, v := range from {
		if _, ok := to[k]; !ok && v != nil {
			return true
		}
	}
	return false
}
