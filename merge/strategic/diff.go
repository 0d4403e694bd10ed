package strategic

import (
	"errors"
	"fmt"
	"strings"

	"threeway/merge/tree"
)

// differ compares what was with what shall be.
type differ struct {
	setOrder bool // write $setElementOrder lists
	inPlace  bool // sort the scalar lists compared, as upstream does; see scalars
	inOrder  bool // go by the alphabet: some errors and directives need it
}

// half is something that is compared with what shall be, and the part of the
// patch that comes of it. Both halves of a patch are found in one walk.
type half struct {
	from            tree.Object
	list            []any // instead of from
	ignoreChanges   bool  // leave out changes and additions
	ignoreDeletions bool
	patch           tree.Object // made with its first field: most maps do not differ
	common          int         // fields that are in from and that shall be
	of              int         // which of the halves above this is a part of
}

// maxHalves are compared at once, at most.
const maxHalves = 2

func (h *half) add(key string, v any) {
	if h.patch == nil {
		h.patch = tree.Object{}
	}
	h.patch[key] = v
}

// below is the half that compares a part of h, which is number i.
func (h *half) below(i int, from tree.Object, list []any) half {
	return half{from: from, list: list, ignoreChanges: h.ignoreChanges, ignoreDeletions: h.ignoreDeletions, of: i}
}

// errDirective asks for a diff in order: what a list adds to a patch beside
// itself replaces what a config has under the same key.
var errDirective = errors.New("a directive in an object")

// maps makes the patches that turn each half into to; they stay nil if there is
// nothing to do. Values of to that are added or replaced go into them as they
// are, without a look at the schema. With retainKeys, a patch says which fields
// to has.
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

// field adds to the patches what turns one field into want.
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
		// Scalars, or values of two kinds: the new one stands as it is.
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
			// Even when nothing differs: this is why an unchanged
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

// hasMore reports whether from has a field other than null that to lacks.
func hasMore(from, to tree.Object) bool {
	for k, v := range from {
		if _, ok := to[k]; !ok && v != nil {
			return true
		}
	}
	return false
}

// present are the names of the fields that are not null.
func present(m tree.Object) []any {
	var names []any
	for _, f := range sorted(m, nil) {
		if f.value != nil {
			names = append(names, f.key)
		}
	}
	return names
}
