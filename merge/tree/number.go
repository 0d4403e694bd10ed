package tree

import (
	"math"
	"strconv"
)

// Float is a float as its JSON text reads back: an integer where encoding/json
// writes it without fraction or exponent and it fits 64 bits. The text has no
// more digits than tell the float from its neighbours, so that 2^63-1024 becomes
// 9223372036854775000.
func Float(f float64) any {
	if f == math.Trunc(f) {
		if n, err := strconv.ParseInt(strconv.FormatFloat(f, 'f', -1, 64), 10, 64); err == nil {
			return n
		}
	}
	return f
}
