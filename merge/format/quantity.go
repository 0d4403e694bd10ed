package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// maxExponent is far above the amounts of clusters, which end at 2^63.
const maxExponent = 1000

// maxDigits is how long a quantity may be: upstream reads it in a time that grows with the
// square of its digits.
const maxDigits = 10000

// Quantity parses a resource.Quantity, such as "500m" or "1e3". It refuses one of
// over 10,000 digits, and exponents over 1000: upstream computes with as many digits as the exponent says, so that 1e999999999
// keeps it busy for longer than any request may take.
func Quantity(text string) (resource.Quantity, error) {
	if len(text) > maxDigits {
		return resource.Quantity{}, fmt.Errorf("the quantity %q… has %d digits, too many to compute with: at most %d", text[:20], len(text), maxDigits)
	}
	if at := strings.LastIndexAny(text, "eE"); at >= 0 {
		digits := strings.TrimLeft(strings.TrimLeft(text[at+1:], "+-"), "0")
		if n, err := strconv.Atoi(digits); n > maxExponent || errors.Is(err, strconv.ErrRange) {
			return resource.Quantity{}, fmt.Errorf("the quantity %q has an exponent over %d: no server computes with it in the time of a request", text, maxExponent)
		}
	}
	return resource.ParseQuantity(text)
}
