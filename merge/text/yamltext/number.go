package yamltext

import (
	"math"
	"strconv"
)

// formatFloat returns a number as it is after JSON and YAML: if JSON writes it
// without fraction or exponent and it fits into 64 bits, it is an integer, with
// the digits of the JSON.
func formatFloat(f float64) string {
	switch {
	case f == 0:
		return "0"
	case f == math.Trunc(f) && f > math.MinInt64 && f < math.MaxUint64:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
