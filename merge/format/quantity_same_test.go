package format_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/format"
)

// TestSameInGo: two quantities have one text exactly if reflect.DeepEqual does not tell them
// apart, and that text parses to the same.
func TestSameInGo(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"512Mi", "524288Ki", true}, {"8Gi", "8192Mi", true}, {"16Mi", "16384Ki", true}, {"1Gi", "1024Mi", false}, {"1024Mi", "1048576Ki", true},
		{"1", "1000m", false}, {"0.5", "500m", false}, {"1000m", "1.000", true}, {"1e3", "1000", false}, {"1k", "1000", false}, {"0", "0.0", false},
		{"1.5Gi", "1536Mi", false}, {"-8Gi", "-8192Mi", true}, {"0.500", "0.5", false}, {"0.1k", "0.1000k", false}, {"12Ki", "12288", false},
	} {
		if got := format.SameInGo(c.a) == format.SameInGo(c.b); got != c.same {
			t.Errorf("%s and %s: same is %v; texts %s, %s", c.a, c.b, got, format.SameInGo(c.a), format.SameInGo(c.b))
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	var texts []string
	for range 1500 {
		number := fmt.Sprint(r.IntN(1 << r.IntN(20)))
		if r.IntN(3) == 0 {
			number += fmt.Sprintf(".%0*d", 1+r.IntN(3), r.IntN(1000))
		}
		texts = append(texts, number+[]string{"", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "e3", "u"}[r.IntN(11)])
	}
	inGo, same := map[string]resource.Quantity{}, map[string]string{}
	for _, text := range texts {
		q, err := resource.ParseQuantity(text)
		if err != nil {
			continue
		}
		inGo[text], same[text] = q, format.SameInGo(text)
		if p, err := resource.ParseQuantity(same[text]); err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("%s has the text %s, which is another quantity", text, same[text])
		}
		if again := format.SameInGo(same[text]); again != same[text] {
			t.Errorf("%s has the text %s, and that %s", text, same[text], again)
		}
	}
	for a, p := range inGo {
		for b, q := range inGo {
			if equal := reflect.DeepEqual(p, q); equal != (same[a] == same[b]) {
				t.Errorf("%s and %s: %v in Go, texts %s and %s", a, b, equal, same[a], same[b])
			}
		}
	}
}
