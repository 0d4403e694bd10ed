package show

import (
	"fmt"
	"strconv"

	"threeway/merge/explain"
	"threeway/merge/tree"
)

// Where a version of a field is, in the third column of Sheet.Rows: a letter
// for each of last-applied, config, live and result. Other letters are digits:
// the index of a value among those of the row.
const (
	absent = '.'
	parts  = '+' // in the rows below
)

// align makes rows of the fields.
func (s *Sheet) align(a explain.Aligned) {
	for _, o := range a.Owners {
		s.Managers = append(s.Managers, jsonOwner{Manager: o.Manager, Operation: o.Operation, Subresource: o.Subresource, APIVersion: o.APIVersion, Time: o.Time})
	}
	sets := map[string]int{"[]": 0}
	s.fields, s.Rows = a.Fields, [][]any{}
	if len(a.Owners) > 0 {
		s.Owners = [][]int{{}}
	}
	for _, f := range a.Fields {
		owners, known := sets[fmt.Sprint(f.Owners)]
		if !known {
			owners = len(s.Owners)
			sets[fmt.Sprint(f.Owners)] = owners
			s.Owners = append(s.Owners, f.Owners)
		}
		cells, values := cells(f)
		s.Rows = append(s.Rows, append([]any{len(f.Path) - 1, f.Path[len(f.Path)-1].String(), cells, owners}, values...))
	}
}

func cells(f explain.Field) (cells string, values []any) {
	letters := make([]byte, 0, 4)
versions:
	for _, v := range []explain.Version{f.Last, f.Manifest, f.Live, f.Result} {
		switch {
		case !v.There:
			letters = append(letters, absent)
			continue
		case v.Parts:
			letters = append(letters, parts)
			continue
		}
		for i, have := range values {
			if tree.Equal(have, v.Value) {
				letters = append(letters, byte('0'+i))
				continue versions
			}
		}
		letters = append(letters, byte('0'+len(values)))
		values = append(values, v.Value)
	}
	for i, v := range values {
		values[i] = exact(v)
	}
	return string(letters), values
}

// exact wraps a number that JavaScript would round. No other value is an object
// with an empty key.
func exact(v any) any {
	const largest = 1 << 53
	switch v := v.(type) {
	case int64:
		if v > largest || v < -largest {
			return map[string]string{"": strconv.FormatInt(v, 10)}
		}
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = exact(x)
		}
		return list
	}
	return v
}
