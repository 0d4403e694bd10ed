package tree

import (
	"math"
	"strconv"
)

// Float returns the value that the JSON text of a float decodes to: an integer
// if encoding/json writes it without fraction or exponent and it fits into 64
// bits. The text is the shortest one that identifies the float, so 2^63-1024
// becomes 9223372036854775000.
func Float(f float64) any {
	if f == math.Trunc(f) {
		if n, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, 64); err == nil {
			return n
		}
	}
	return f
}
