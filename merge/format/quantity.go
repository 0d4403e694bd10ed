package format

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// maxExponent is far above the amounts of clusters, which end at 2^63.
const maxExponent = 1000

// maxDigits is how long a quantity may be: upstream reads it in a time that grows with the
// square of its digits.
const maxDigits = 10000

// Quantity parses a resource.Quantity, such as "500m" or "1e3", which must be Computable.
func Quantity(text string) (resource.Quantity, error) {
	if err := Computable(text); err != nil {
		return resource.Quantity{}, err
	}
	return resource.ParseQuantity(text)
}

// Computable refuses a quantity of over 10,000 digits, and exponents over 1000: upstream
// computes with as many digits as the exponent says, so that 1e999999999 keeps it busy for
// longer than any request may take.
func Computable(text string) error {
	if len(text) > maxDigits {
		return fmt.Errorf("the quantity %q… has %d digits, too many to compute with: at most %d", text[:20], len(text), maxDigits)
	}
	if at := strings.LastIndexAny(text, "eE"); at >= 0 {
		digits := strings.TrimLeft(strings.TrimLeft(text[at+1:], "+-"), "0")
		if n, err := strconv.Atoi(digits); n > maxExponent || errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("the quantity %q has an exponent over %d: no server computes with it in the time of a request", text, maxExponent)
		}
	}
	return nil
}

// SameInGo returns one text for all quantities that reflect.DeepEqual does not tell apart from
// the one of the text: 512Mi for 524288Ki, but 1024Mi, not 1Gi, for 1024Mi. ParseQuantity
// remembers how a quantity is written only if that is how it would print it, as far as a quick
// look tells; otherwise digits, exponent and format (apimachinery pkg/api/resource/quantity.go).
func SameInGo(text string) string {
	q, err := Quantity(text)
	if err != nil {
		return text
	}
	inGo := fmt.Sprint(q) // {{536870912 0} {<nil>} BinarySI}: its fields, of which none has a method
	amount := reflect.ValueOf(q).FieldByName("i")
	value, scale := amount.FieldByName("value").Int(), amount.FieldByName("scale").Int()
	candidates := []string{strconv.FormatInt(value>>10, 10) + "Ki"}
	sign, digits := "", strconv.FormatInt(value, 10)
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for exponent := -9; exponent <= 18; exponent++ {
		places := exponent - int(scale)
		if places < len(digits) || places > maxPlaces {
			continue
		}
		number := sign + "0." + strings.Repeat("0", places-len(digits)) + digits
		candidates = append(candidates, fmt.Sprintf("%se%d", number, exponent))
		if suffix, ok := decimalSuffixes[exponent]; ok {
			candidates = append(candidates, number+suffix)
		}
	}
	for _, other := range candidates {
		if same, err := Quantity(other); err == nil && fmt.Sprint(same) == inGo {
			return other
		}
	}
	return text // remembered, or of more digits than an int64 has
}

// maxPlaces is how many decimal places ParseQuantity reads as an int64.
const maxPlaces = 17

var decimalSuffixes = map[int]string{-9: "n", -6: "u", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
