package strategic

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// merger merges a patch into an object. With onPatch, it merges into another
// patch and keeps directives and nulls. With inPlace, it consumes the patch and
// changes the object; without, it copies every part that it changes.
type merger struct{ onPatch, inPlace bool }

var (
	errDeletions  = errors.New("invalid patch format of primitive list")
	errRetainKeys = errors.New("invalid patch format of retainKeys")
	errOrder      = errors.New("invalid patch format of setElementOrder list")
)

// BadFormat reports whether a server answers that the patch is a bad request (apiserver
// pkg/endpoints/handlers/patch.go interpretStrategicMergePatchError).
func BadFormat(err error) bool {
	return errors.Is(err, errDeletions) || errors.Is(err, errRetainKeys) || errors.Is(err, errOrder)
}

func badDirective(d any, m tree.Object) error {
	return fault.Errorf("unknown patch type: %s in map: %v", d, fault.Value(m))
}

func (g merger) mergeMap(into, patch tree.Object, at spot) (tree.Object, error) {
	if d, ok := patch[patchKey]; ok {
		switch d {
		case replaceValue:
			patch = g.mine(patch).(tree.Object)
			delete(patch, patchKey)
			return patch, nil
		case deleteValue:
			return tree.Object{}, nil
		}
		return nil, badDirective(d, patch)
	}
	switch {
	case into == nil:
		into = tree.Object{}
	case !g.inPlace:
		into = maps.Clone(into)
	}
	var room [smallSize]entry
	fields := sorted(patch, room[:0])
	if !g.inPlace && slices.ContainsFunc(fields, isDirective) {
		patch = maps.Clone(patch) // to remove fields from it
	}
	if err := g.retainKeys(into, patch); err != nil {
		return nil, err
	}
	for _, f := range fields {
		if strings.HasPrefix(f.key, orderPrefix) {
			if err := g.mergeOrdered(f.key, into, patch, at); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range fields {
		if _, ok := patch[f.key]; ok { // not merged as an ordered list
			if err := g.mergeField(f.key, f.value, into, at); err != nil {
				return nil, err
			}
		}
	}
	return into, nil
}

func isDirective(f entry) bool { return strings.HasPrefix(f.key, "$") }

// retainKeys removes the fields of into that the patch's $retainKeys does not
// list. If into is a patch, it copies the directive.
func (g merger) retainKeys(into, patch tree.Object) error {
	v, ok := patch[retainKeysKey]
	if !ok {
		return nil
	}
	delete(patch, retainKeysKey)
	if g.onPatch {
		if have, ok := into[retainKeysKey]; ok && !tree.Equal(have, v) {
			return fault.Errorf("%v and %v are not deep equal: this may happen when calculating the 3-way diff patch", fault.Value(have), fault.Value(v))
		}
		into[retainKeysKey] = v
		return nil
	}
	keys, ok := v.([]any)
	if !ok {
		return errRetainKeys
	}
	retained := setOf(keys)
	for k, v := range patch {
		if v != nil && !strings.HasPrefix(k, deletionsPrefix) && !strings.HasPrefix(k, orderPrefix) && !retained[k] {
			return errRetainKeys
		}
	}
	for k := range into {
		if !retained[k] {
			delete(into, k)
		}
	}
	return nil
}

// mergeField merges one field of a patch that is not a list with an order.
func (g merger) mergeField(key string, v any, into tree.Object, at spot) error {
	deleting := strings.HasPrefix(key, deletionsPrefix)
	if deleting {
		if g.onPatch {
			into[key] = v
			return nil
		}
		name, ok := strings.CutPrefix(key, deletionsPrefix+"/")
		if !ok {
			return errDeletions
		}
		if name != "" {
			key = name
		}
	}
	if v == nil {
		delete(into, key)
		if !g.onPatch {
			return nil
		}
	}
	have, ok := into[key]
	if !ok || !sameType(have, v) {
		if !deleting {
			g.set(into, key, v)
		}
		return nil
	}
	switch have := have.(type) {
	case map[string]any:
		f, at, err := at.field(key)
		if err != nil {
			return err
		}
		if f.Replace {
			into[key] = g.mine(v)
			return nil
		}
		into[key], err = g.mergeMap(have, v.(map[string]any), at)
		return err
	case []any:
		f, at, err := at.list(key)
		if err != nil {
			return err
		}
		into[key], err = g.mergeList(g.own(have), v.([]any), f, at, deleting)
		return err
	}
	g.set(into, key, v)
	return nil
}

// own returns the list, or a copy, that may be changed in place.
func (g merger) own(list []any) []any {
	if g.inPlace {
		return list
	}
	return slices.Clone(list)
}

// mine returns a value of the patch, or a copy, that may be changed and become
// part of the result.
func (g merger) mine(v any) any {
	if g.inPlace {
		return v
	}
	return tree.Copy(v)
}

// set sets a field to a value of the patch. It removes directives from the
// value and, if into is an object, nulls.
func (g merger) set(into tree.Object, key string, v any) {
	v = g.mine(v)
	if !g.onPatch {
		tree.DropNulls(v)
	}
	if kept, ok := withoutDirectives(v); ok {
		into[key] = kept
	} else {
		delete(into, key)
	}
}

// withoutDirectives drops every map in v that contains $patch, and reports
// whether anything of v is left.
func withoutDirectives(v any) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v[patchKey]; ok {
			return nil, false
		}
		for k, x := range v {
			if kept, ok := withoutDirectives(x); ok {
				v[k] = kept
			} else {
				delete(v, k)
			}
		}
	case []any:
		kept := make([]any, 0, len(v))
		for _, x := range v {
			if x, ok := withoutDirectives(x); ok {
				kept = append(kept, x)
			}
		}
		return kept, true
	}
	return v, true
}
