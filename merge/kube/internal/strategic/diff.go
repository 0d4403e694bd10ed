package strategic

import (
	"errors"
	"fmt"
	"strings"

	"threeway/merge/tree"
)

// differ computes the patch from an old value to a wanted one.
type differ struct {
	setOrder bool // write $setElementOrder lists
	inPlace  bool // sort the scalar lists compared, as upstream does; see scalars
	inOrder  bool // visit keys in sorted order: some errors and directives need it
}

// half is an old value that is compared with the wanted one, and the patch
// between them. Both halves of a patch (changes and deletions) are computed in
// one walk.
type half struct {
	from            tree.Object
	list            []any // instead of from
	ignoreChanges   bool  // only deletions: leave out changes and additions
	ignoreDeletions bool
	patch           tree.Object // nil until its first field, because most maps do not differ
	common          int         // number of fields that are in from and in to
	of              int         // index of the parent half
}

// maxHalves is the maximum number of halves.
const maxHalves = 2

func (h *half) add(key string, v any) {
	if h.patch == nil {
		h.patch = tree.Object{}
	}
	h.patch[key] = v
}

// below returns the half that compares a part of h, the half with index i.
func (h *half) below(i int, from tree.Object, list []any) half {
	return half{from: from, list: list, ignoreChanges: h.ignoreChanges, ignoreDeletions: h.ignoreDeletions, of: i}
}

// errDirective asks for a diff in sorted order. A list adds directives to the
// patch, and these replace fields of the manifest with the same keys.
var errDirective = errors.New("a directive in an object")

// maps adds to each half the patch that turns it into to. The patch stays nil
// if nothing differs. Added and replaced values of to are copied without
// looking at the schema. With retainKeys, a patch lists the fields of to.
func (d differ) maps(halves []half, to tree.Object, at spot, retainKeys bool) error {
	if d.inOrder {
		for _, w := range sorted(to, nil) {
			if err := d.field(w.key, halves, w.value, at); err != nil {
				return err
			}
		}
	} else {
		for key, want := range to {
			if strings.HasPrefix(key, "$") {
				return errDirective
			}
			if err := d.field(key, halves, want, at); err != nil {
				return err
			}
		}
	}
	for i := range halves {
		h := &halves[i]
		if !h.ignoreDeletions && h.common < len(h.from) {
			for key := range h.from {
				if _, ok := to[key]; !ok {
					h.add(key, nil)
				}
			}
		}
		if retainKeys && (len(h.patch) > 0 || hasMore(h.from, to)) {
			if retained := present(to); retained != nil {
				h.add(retainKeysKey, retained)
			}
		}
	}
	return nil
}

// field adds the change of one field to the patches.
func (d differ) field(key string, halves []half, want any, at spot) error {
	var room [maxHalves]half
	parts := room[:0]
	for i := range halves {
		h := &halves[i]
		have, ok := h.from[key]
		switch {
		case !ok:
			if !h.ignoreChanges {
				h.add(key, tree.Copy(want))
			}
			continue
		case key == patchKey:
			if err := h.directive(have, want); err != nil {
				return err
			}
			continue
		}
		h.common++
		switch have := have.(type) {
		case map[string]any:
			if _, ok := want.(map[string]any); ok {
				parts = append(parts, h.below(i, have, nil))
				continue
			}
		case []any:
			if _, ok := want.([]any); ok {
				parts = append(parts, h.below(i, nil, have))
				continue
			}
		}
		// Scalars, or values of different types: the new value is used
		// unchanged.
		if !h.ignoreChanges && !tree.Equal(have, want) {
			h.add(key, tree.Copy(want))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	if want, ok := want.(map[string]any); ok {
		return d.mapField(key, halves, parts, want, at)
	}
	return d.listField(key, halves, parts, want.([]any), at)
}

func (h *half) directive(have, want any) error {
	was, ok := have.(string)
	shall, ok2 := want.(string)
	if !ok || !ok2 {
		return fmt.Errorf("invalid value for special key: %s", patchKey)
	}
	if was != shall {
		h.add(patchKey, want)
	}
	h.common++
	return nil
}

func (d differ) mapField(key string, halves, parts []half, want tree.Object, at spot) error {
	f, at, err := at.field(key)
	if err != nil {
		for i := range parts {
			if !tree.Equal(parts[i].from, want) {
				return err
			}
		}
		return nil
	}
	if !f.Replace {
		err = d.maps(parts, want, at, f.RetainKeys)
	}
	for i := range parts {
		h := &parts[i]
		switch {
		case h.patch != nil:
			halves[h.of].add(key, h.patch)
		case f.Replace && !h.ignoreChanges:
			// Even if nothing differs. That is why an unchanged
			// PodDisruptionBudget is always "configured".
			halves[h.of].add(key, tree.CopyObject(want))
		}
	}
	return err
}

func (d differ) listField(key string, halves, parts []half, want []any, at spot) error {
	f, at, err := at.list(key)
	if err != nil {
		for i := range parts {
			if !tree.Equal(parts[i].list, want) {
				return err
			}
		}
		return nil
	}
	if f.Merge {
		return d.lists(key, halves, parts, want, at, f)
	}
	for i := range parts {
		h := &parts[i]
		if !h.ignoreChanges && !tree.Equal(h.list, want) {
			halves[h.of].add(key, tree.Copy(want))
		}
	}
	return nil
}

// hasMore reports whether from has a non-null field that is not in to.
func hasMore(from, to tree.Object) bool {
	for k, v := range from {
		if _, ok := to[k]; !ok && v != nil {
			return true
		}
	}
	return false
}

// present returns the names of the non-null fields.
func present(m tree.Object) []any {
	var names []any
	for _, f := range sorted(m, nil) {
		if f.value != nil {
			names = append(names, f.key)
		}
	}
	return names
}
