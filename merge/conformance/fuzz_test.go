package conformance

import (
	"math/rand/v2"
	"testing"

	kjson "k8s.io/apimachinery/pkg/util/json"

	"threeway/merge/tree"
)

// FuzzStrategic compares all merges of three texts, taken for objects of the
// kind with the number.
func FuzzStrategic(f *testing.F) {
	g := &generator{Rand: rand.New(rand.NewPCG(0, 0))}
	for i := range 4 * len(kinds()) {
		t := g.triple(kinds()[i%len(kinds())])
		f.Add(uint8(i%len(kinds())), []byte(encode(t.last)), []byte(encode(t.config)), []byte(encode(t.live)))
	}
	f.Fuzz(func(t *testing.T, number uint8, last, config, live []byte) {
		k := kinds()[int(number)%len(kinds())]
		tr, ok := read(last, config, live)
		if !ok {
			t.Skip()
		}
		if d := difference(k, tr, nil); d != "" {
			tr = smaller(k, tr)
			t.Fatalf("%s\n%v\n%s", k, tr, difference(k, tr, nil))
		}
	})
}

// FuzzJSONMerge compares the JSON merges of three texts.
func FuzzJSONMerge(f *testing.F) {
	g := &generator{Rand: rand.New(rand.NewPCG(0, 1))}
	for range 100 {
		t := g.triple(custom)
		f.Add([]byte(encode(t.last)), []byte(encode(t.config)), []byte(encode(t.live)))
	}
	for _, v := range []string{`{"a":1e20}`, `{"a":9007199254740993}`, `{"a":-0.0,"b":[null,{"c":null}]}`, `{"a":{"b":null},"":"\u2028<"}`} {
		f.Add([]byte("{}"), []byte(v), []byte(`{"a":9007199254740992,"b":{"c":null}}`))
	}
	f.Fuzz(func(t *testing.T, last, config, live []byte) {
		tr, ok := read(last, config, live)
		if !ok {
			t.Skip()
		}
		if d := difference(custom, tr, nil); d != "" {
			tr = smaller(custom, tr)
			t.Fatalf("%v\n%s", tr, difference(custom, tr, nil))
		}
	})
}

// read decodes the three texts; ok is false if one is no JSON object. They are
// read twice, so that 1.0 is the 1 that encoding it gives.
func read(last, config, live []byte) (t triple, ok bool) {
	t.guarded = true
	for _, part := range []struct {
		text []byte
		obj  *tree.Object
	}{{last, &t.last}, {config, &t.config}, {live, &t.live}} {
		var m tree.Object
		if kjson.Unmarshal(part.text, &m) != nil || m == nil && part.obj != &t.last {
			return t, false
		}
		if m != nil {
			*part.obj = decode(encode(m))
		}
	}
	return t, true
}
