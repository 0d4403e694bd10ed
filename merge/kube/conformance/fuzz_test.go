package conformance

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"threeway/fixtures/tape"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// FuzzStrategic compares all merges of the triple of a kind that data stands
// for: the patch, what it makes of live, and without overwrite.
func FuzzStrategic(f *testing.F) {
	for i := range 2 * len(kinds()) {
		f.Add(tape.Of(uint64(i), 300), uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, number uint8) {
		checkTriple(t, kinds()[int(number)%len(kinds())], data)
	})
}

// FuzzJSONMerge compares the JSON merges of the triple that data stands for.
func FuzzJSONMerge(f *testing.F) {
	for i := range uint64(100) {
		f.Add(tape.Of(i, 300))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkTriple(t, custom, data) })
}

func checkTriple(t *testing.T, k *kind, data []byte) {
	tr := (&generator{Rand: tape.Rand(data)}).triple(k)
	if d := difference(k, tr, nil); d != "" {
		tr = smaller(k, tr)
		t.Fatalf("%s\n%v\n%s", k, tr, difference(k, tr, nil))
	}
}

// FuzzSelector holds the label selectors to upstream's: which are any, and what
// they match.
func FuzzSelector(f *testing.F) {
	for _, text := range []string{"", "a=b", "a==b,c!=d", "a in (b,c),!d", "a notin (), b", "a>1,a<5", "x.example.com/y", "a in (b", ",", "a=,b", "!a=b", "a  in(b , )"} {
		f.Add(text, "a", "b")
	}
	f.Fuzz(func(t *testing.T, text, key, value string) {
		if strings.Contains(text, "\x00") {
			t.Skip("upstream takes a NUL for the end of the text; none can be in an argument of a command, and in a file it is better refused")
		}
		ours, err := selector.Parse(text)
		theirs, want := labels.Parse(text)
		if (err == nil) != (want == nil) {
			t.Fatalf("%q: we say %v, upstream %v", text, err, want)
		}
		if err != nil {
			return
		}
		for _, set := range []map[string]string{nil, {key: value}, {key: value, "a": "b"}, {"a": "3", "b": ""}} {
			have := tree.Object{}
			for k, v := range set {
				have[k] = v
			}
			if got, want := ours.Matches(have), theirs.Matches(labels.Set(set)); got != want {
				t.Errorf("%q matches %v: %v, upstream %v", text, set, got, want)
			}
		}
	})
}
