package mask

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
	"threeway/fixtures/hostile"
)

// TestFormsAreFound: each way to write a value is found, although of a value only the
// beginning is written until a text has that.
func TestFormsAreFound(t *testing.T) {
	values := append(hostile.Names(), ":"+strings.Repeat("a", 50)+":", "["+strings.Repeat("a", 50)+":1]")
	random := rand.New(rand.NewPCG(1, 2))
	for _, alphabet := range []string{"[:]aB1", " \n\t-a1", "<>&'\"\\", "é\u202e\x1b\xff\x00", "0123456789.", "@#!$%~*{+wWgGhH.->/_=", "abcXYZ019"} {
		for range breadth.Of(300, 10) {
			var b strings.Builder
			for range 6 + random.IntN(200) {
				b.WriteByte(alphabet[random.IntN(len(alphabet))])
			}
			values = append(values, b.String())
		}
	}
	for _, value := range values {
		k := NewKnown()
		k.Add(value, "")
		if !k.added[value] {
			continue // it does not tell enough
		}
		Form{Value: value, inside: unlikely(value)}.written(value, func(text string, _ *base64.Encoding) {
			if _, length := FormAt(k, text, 0); length < len(text) {
				t.Errorf("of %q, %d of the %d bytes of %q", value, length, len(text), text)
			}
		})
	}
}
