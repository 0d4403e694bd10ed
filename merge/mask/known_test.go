package mask

import (
	"fmt"
	"strings"
	"testing"
)

// TestKnownAlike: values that begin alike, as tokens and keys do, cost no more than
// others, and of a key each line is known, however it is indented.
func TestKnownAlike(t *testing.T) {
	k := NewKnown()
	filled := 0
	k.FillWith(func() {
		filled++
		for i := range 5000 {
			k.Add(fmt.Sprintf("-----BEGIN PRIVATE KEY-----\n%s%04d\n-----END PRIVATE KEY-----\n", strings.Repeat("MIIEvQ", 10), i), "")
		}
	})
	if filled > 0 {
		t.Fatal("filled before it is needed")
	}
	text := fmt.Sprintf("key: |\n    -----BEGIN PRIVATE KEY-----\n    %s4999\n", strings.Repeat("MIIEvQ", 10))
	if got, n := k.Replace(text, masked); n != 1 || strings.Contains(got, "4999") {
		t.Errorf("%d copies: %s", n, got)
	}
	if k.Replace("x", masked); filled != 1 {
		t.Errorf("filled %d times", filled)
	}
	for begin, lengths := range k.lengths {
		if len(lengths) > 4 {
			t.Errorf("%q is compared with %d lengths", begin, len(lengths))
		}
	}
	k.Publish("shop-db-name")
	if k.Add("shop-db-name", ""); strings.Contains(fmt.Sprint(k.Replace("is shop-db-name", masked)), Value) {
		t.Error("a public name is masked")
	}
}
