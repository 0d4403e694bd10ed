package strategic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

var errListOfLists = errors.New("lists of lists are not supported")

// MergeKeyError is returned for a list item without the merge key.
type MergeKeyError struct {
	Key  string
	text error
}

func (e *MergeKeyError) Error() string { return e.text.Error() }

// FaultText returns the text of the error, which quotes the item.
func (e *MergeKeyError) FaultText() fault.Text { return fault.Of(e.text) }

func noMergeKey(m tree.Object, key string) error {
	return &MergeKeyError{key, fault.Errorf("map: %v does not contain declared merge key: %s", fault.Value(m), key)}
}

func badType(expected string, actual any) error {
	if actual == nil {
		return fmt.Errorf("expected a %s, but received a %%!s(<nil>)", expected)
	}
	return fmt.Errorf("expected a %s, but received a %T", expected, actual)
}

func asMap(v any) (tree.Object, error) {
	if m, ok := v.(map[string]any); ok {
		return m, nil
	}
	return nil, badType("map[string]interface {}", v)
}

func asList(v any) ([]any, error) {
	if l, ok := v.([]any); ok {
		return l, nil
	}
	return nil, badType("[]interface {}", v)
}

// keyOf returns the merge key of a list item.
func keyOf(v any, mergeKey string) (any, error) {
	m, err := asMap(v)
	if err != nil {
		return nil, err
	}
	k, ok := m[mergeKey]
	if !ok {
		return nil, noMergeKey(m, mergeKey)
	}
	return k, nil
}

// sameKey compares two items by merge key, or, without one, the items
// themselves.
func sameKey(a, b any, mergeKey string) (bool, error) {
	if mergeKey == "" {
		return same(a, b), nil
	}
	if _, err := asMap(a); err != nil {
		return false, err
	}
	if _, err := asMap(b); err != nil {
		return false, err
	}
	x, err := keyOf(a, mergeKey)
	if err != nil {
		return false, err
	}
	y, err := keyOf(b, mergeKey)
	return err == nil && same(x, y), err
}

// find returns the index of the first map with the value of the merge key, or
// -1.
func find(list []any, mergeKey string, value any) (int, error) {
	for i, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return -1, fmt.Errorf("value for key %v is not a map", i)
		}
		if k, ok := m[mergeKey]; ok && same(k, value) {
			return i, nil
		}
	}
	return -1, nil
}

// indexOf returns the index of the first item with v's merge key; without a
// merge key, of the first item that equals v; or -1. A missing key counts as
// null.
func indexOf(list []any, v any, mergeKey string) int {
	key := func(v any) any {
		if mergeKey == "" {
			return v
		}
		m, _ := v.(map[string]any)
		return m[mergeKey]
	}
	want := key(v)
	for i, x := range list {
		if same(want, key(x)) {
			return i
		}
	}
	return -1
}

// distinct drops duplicate scalars in place; the last item fills each gap.
func distinct(s []any) []any {
	if len(s) > smallSize && !slices.ContainsFunc(s, tree.Compound) {
		return distinctOfMany(s)
	}
	last := len(s) - 1
	for i := 0; i < last; i++ {
		for j := i + 1; j <= last; j++ {
			if same(s[i], s[j]) {
				s[j] = s[last]
				s = s[:last]
				last--
				j--
			}
		}
	}
	return s
}

// distinctOfMany is distinct in linear time.
func distinctOfMany(s []any) []any {
	at := make(map[any][]int, len(s)) // indexes of each value, including outdated ones
	for i, v := range s {
		at[v] = append(at[v], i)
	}
	for i := 0; i < len(s); i++ {
		again := at[s[i]]
		if len(again) == 1 {
			continue
		}
		slices.Sort(again)
		for _, j := range again {
			if j <= i || j >= len(s) || s[j] != s[i] {
				continue
			}
			last := len(s) - 1
			for last > j && s[last] == s[i] { // it would fill the gap and then be dropped itself
				last--
			}
			if last > j {
				s[j] = s[last]
				at[s[last]] = append(at[s[last]], j)
			}
			s = s[:last]
		}
	}
	return s
}

// text returns a scalar as fmt's %v prints it.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(v)
}

// elementsAreMaps reports whether the items of the lists are maps. They must
// all have the same type.
func elementsAreMaps(a, b []any) (bool, error) {
	var first any
	for _, l := range [...][]any{a, b} {
		for _, v := range l {
			if first != nil {
				if !sameType(first, v) {
					return false, fault.Errorf("list element types are not identical: %v", fault.Value([][]any{a, b}))
				}
				continue
			}
			switch v.(type) {
			case nil:
				panic(nullItem)
			case []any:
				return false, errListOfLists
			}
			first = v
		}
	}
	if first == nil {
		return false, errors.New("no elements in any of the given slices")
	}
	_, maps := first.(map[string]any)
	return maps, nil
}

// sameType reports whether two values have the same type, of which null is none.
func sameType(a, b any) bool {
	switch a.(type) {
	case map[string]any:
		_, ok := b.(map[string]any)
		return ok
	case []any:
		_, ok := b.([]any)
		return ok
	case string:
		_, ok := b.(string)
		return ok
	case int64:
		_, ok := b.(int64)
		return ok
	case float64:
		_, ok := b.(float64)
		return ok
	case bool:
		_, ok := b.(bool)
		return ok
	}
	return false
}
