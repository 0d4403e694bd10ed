package yamltext

import (
	"math"
	"strconv"
)

// formatFloat writes a number as it comes out of JSON and YAML: what JSON
// writes without a fraction or exponent is an integer if one of 64 bits holds
// it, with the digits that JSON gives it.
func formatFloat(f float64) string {
	switch {
	case f == 0:
		return "0"
	case f == math.Trunc(f) && f > math.MinInt64 && f < math.MaxUint64:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
