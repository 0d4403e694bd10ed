package mask

import (
	"maps"
	"slices"

	"threeway/merge/token"
	"threeway/merge/tree"
)

// Redacted returns how many values of an object are tokens, and the keys that
// made them; no key if only the lengths of the values are known.
func Redacted(o tree.Object) (values int, keys []string) {
	seen := map[string]bool{}
	EachPlain(o, func(text string) {
		t := token.Find(text)
		if t == "" {
			return
		}
		values++
		if _, length := token.KnownLength(t); !length {
			seen[t[len(token.Prefix):len(token.Prefix)+8]] = true
		}
	})
	return values, slices.Sorted(maps.Keys(seen))
}

// EachPlain calls f with all texts in a value, those of a Secret's data as what they are
// base64 of, if they are.
func EachPlain(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		for _, x := range v {
			EachPlain(x, f)
		}
	case tree.Object:
		secret := IsSecret(v)
		for key, x := range v {
			if data, ok := x.(tree.Object); secret && key == "data" && ok {
				for _, value := range data {
					f(decoded(Text(value)))
				}
				continue
			}
			EachPlain(x, f)
		}
	}
}
