package tree

import (
	"strconv"
	"strings"
)

// Scaled is a number, or a percentage of a total (apimachinery
// pkg/util/intstr GetScaledValueFromIntOrPercent). What is neither is 0; the
// server does not let it pass.
func Scaled(v any, total int, roundUp bool) int {
	switch v := v.(type) {
	case int64:
		return int(v)
	case string:
		percent, err := strconv.Atoi(strings.TrimSuffix(v, "%"))
		if err != nil {
			return 0
		}
		if roundUp {
			return (percent*total + 99) / 100
		}
		return percent * total / 100
	}
	return 0
}
