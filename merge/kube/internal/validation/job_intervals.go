package validation

import (
	"fmt"
	"strconv"
	"strings"
)

// countIndexes counts the indexes in a text like "0,2-4". It fails if the
// text is malformed, not ascending, or has an index of end or more.
//
// Source: validateIndexesFormat of pkg/apis/batch/validation.
func countIndexes(text string, end int64) (int64, error) {
	if text == "" {
		return 0, nil
	}
	var total int64
	previous := int64(-1)
	for i, interval := range strings.Split(text, ",") {
		first, last, err := parseInterval(interval, end)
		if err != nil {
			return 0, err
		}
		if i > 0 && previous >= first {
			return 0, fmt.Errorf("non-increasing order, previous: %d, current: %d", previous, first)
		}
		total += last - first + 1
		previous = last
	}
	return total, nil
}

func parseInterval(interval string, end int64) (first, last int64, err error) {
	limits := strings.Split(interval, "-")
	if len(limits) > 2 {
		return 0, 0, fmt.Errorf("the fragment %q violates the requirement that an index interval can have at most two parts separated by '-'", interval)
	}
	if first, err = parseIndex(limits[0], end); err != nil || len(limits) == 1 {
		return first, first, err
	}
	if last, err = parseIndex(limits[1], end); err == nil && first >= last {
		err = fmt.Errorf("non-increasing order, previous: %d, current: %d", first, last)
	}
	return first, last, err
}

func parseIndex(text string, end int64) (int64, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("cannot convert string to integer for index: %q", text)
	}
	if int64(n) >= end {
		return 0, fmt.Errorf("too large index: %q", text)
	}
	return int64(n), nil
}
