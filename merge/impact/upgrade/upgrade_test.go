package upgrade

import (
	"reflect"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// TestCompare: a difference is reported where it is, as deep as both values have the same shape.
func TestCompare(t *testing.T) {
	was := tree.Object{"args": []any{"a", "b"}, "ports": []any{int64(1)}, "map": tree.Object{"x": "1", "gone": true}}
	is := tree.Object{"args": []any{"a", "c"}, "ports": []any{int64(1), int64(2)}, "map": tree.Object{"x": "2"}}
	got := map[string][2]any{}
	compare(was, is, nil, func(path fieldpath.Path, was, is any) { got[path.String()] = [2]any{was, is} })
	want := map[string][2]any{
		"args[1]": {"b", "c"}, "ports": {[]any{int64(1)}, []any{int64(1), int64(2)}}, "map.x": {"1", "2"}, "map.gone": {true, nil},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
