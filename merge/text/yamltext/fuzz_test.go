package yamltext

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"threeway/merge/tree"
)

// FuzzYAML: what is printed of any object is what the library prints, and reads
// back as the same object.
func FuzzYAML(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		o := tree.Object{}
		for range r.IntN(4) {
			o[randomKey(r)] = randomValue(r, 3)
		}
		text, err := json.Marshal(o)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var o tree.Object
		if kjson.UnmarshalCaseSensitivePreserveInts(data, &o) != nil || o == nil {
			return
		}
		if strings.ContainsFunc(fmt.Sprint(o), refused) {
			return
		}
		same(t, o)
		text := YAML(o)
		Decoded(o)
		if strings.ContainsAny(fmt.Sprint(o), "\u0085\u2028\u2029\ufeff") {
			return // which the library prints in a way that it does not read
		}
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return // characters that YAML has not, in the library's text too
		}
		var back, want tree.Object
		if data, err = json.Marshal(o); err == nil { // in which 1.0 is 1, as in the YAML
			err = kjson.UnmarshalCaseSensitivePreserveInts(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := kjson.UnmarshalCaseSensitivePreserveInts(asJSON, &back); err != nil || !tree.Equal(back, want) {
			t.Errorf("%q\nreads back as\n%#v, %v\nnot\n%#v", text, back, err, want)
		}
	})
}
