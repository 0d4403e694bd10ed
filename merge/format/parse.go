package format

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// units are those of Scala's durations by their names. Any text that starts
// with the last name of a unit is one too (days, days_of_rain).
var units = []struct {
	length time.Duration
	names  []string
}{
	{time.Nanosecond, []string{"ns", "nano"}},
	{time.Microsecond, []string{"us", "µs", "micro"}},
	{time.Millisecond, []string{"ms", "milli"}},
	{time.Second, []string{"s", "sec"}},
	{time.Minute, []string{"m", "min"}},
	{time.Hour, []string{"h", "hr", "hour"}},
	{24 * time.Hour, []string{"d", "day"}},
	{7 * 24 * time.Hour, []string{"w", "wk", "week"}},
}

// Duration reads Go's durations and Scala's: 1h30m, 5 days
// (kube-openapi pkg/validation/strfmt/duration.go).
func Duration(s string) (time.Duration, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, nil
	}
	re, _ := Pattern(`(\d+)\s*([A-Za-zµ]+)`)
	var sum time.Duration
	found := false
	for _, match := range re.Regexp().FindAllStringSubmatch(s, -1) {
		factor, err := strconv.Atoi(match[1])
		if err != nil {
			return 0, err
		}
		unit := strings.ToLower(match[2])
		for _, u := range units {
			for i, name := range u.names {
				if i == len(u.names)-1 && strings.HasPrefix(unit, name) || strings.EqualFold(name, unit) {
					found = true
					sum += time.Duration(factor) * u.length
				}
			}
		}
	}
	if !found {
		return 0, fmt.Errorf("unable to parse %s as duration", s)
	}
	return sum, nil
}

// Date reads a day: 2006-01-02.
func Date(s string) (time.Time, error) { return time.Parse(time.DateOnly, s) }

// DateTime reads an ISO 8601 time, with or without a time zone; an empty text
// is 1970 (kube-openapi pkg/validation/strfmt/time.go).
func DateTime(s string) (time.Time, error) {
	if s == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	const micro, milli, local = "2006-01-02T15:04:05.000000Z07:00", "2006-01-02T15:04:05.000Z07:00", "2006-01-02T15:04:05"
	var last error
	for _, layout := range []string{micro, milli, time.RFC3339, time.RFC3339Nano, local} {
		t, err := time.Parse(layout, s)
		if err == nil {
			return t, nil
		}
		last = err
	}
	return time.Time{}, last
}

// Bytes reads base64, in the alphabet for URLs although schemas want the other
// (kube-openapi pkg/validation/strfmt/default.go).
func Bytes(s string) ([]byte, error) {
	decoded := make([]byte, base64.URLEncoding.DecodedLen(len(s)))
	n, err := base64.URLEncoding.Decode(decoded, []byte(s))
	return decoded[:n], err
}
