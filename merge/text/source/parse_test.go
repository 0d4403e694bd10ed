package source

import (
	"reflect"
	"testing"

	kjson "sigs.k8s.io/json"

	"threeway/merge/tree"
)

// FuzzParseObject holds the reading of annotations against sigs.k8s.io/json.
func FuzzParseObject(f *testing.F) {
	seed(f)
	for _, text := range []string{"null", " {} \n", "{}x", "[]", `{"a":1e999}`, `{"a":1,"a":{"b":2},"a":{"c":3}}`, "{\"a\":1}\x00", `"a"`, "1", "{}\u00a0"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want tree.Object
		err := kjson.UnmarshalCaseSensitivePreserveInts(data, &want)
		got, ok := ParseObject(string(data))
		if ok != (err == nil) || ok && !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v, want %v %v", data, got, ok, want, err)
		}
	})
}
