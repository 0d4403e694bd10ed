package validation

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// cronField is one of the five fields of a schedule.
type cronField struct {
	low, high int
	names     []string // of low, low+1, …
}

func cronFields() []cronField {
	return []cronField{
		{low: 0, high: 59},
		{low: 0, high: 23},
		{low: 1, high: 31},
		{low: 1, high: 12, names: []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
		{low: 0, high: 6, names: []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}},
	}
}

// parseCron tells what is wrong with a schedule of a CronJob, in the words of
// the server's parser.
//
// Source: ParseStandard of github.com/robfig/cron/v3, called by
// ParseCronScheduleWithPanicRecovery of pkg/util/parsers.
func parseCron(schedule string) error {
	if strings.HasPrefix(schedule, "TZ=") || strings.HasPrefix(schedule, "CRON_TZ=") {
		zone, rest, ok := strings.Cut(schedule, " ")
		if _, name, _ := strings.Cut(zone, "="); !ok {
			return errors.New("invalid schedule format: runtime error: slice bounds out of range [:-1]")
		} else if err := zoneError(name); err != nil {
			return fmt.Errorf("provided bad location %s: %v", name, err)
		}
		schedule = strings.TrimSpace(rest)
	}
	if strings.HasPrefix(schedule, "@") {
		return parseCronDescriptor(schedule)
	}
	want, have := cronFields(), strings.Fields(schedule)
	if len(have) != len(want) {
		return fmt.Errorf("expected exactly %d fields, found %d: %s", len(want), len(have), have)
	}
	for i, f := range want {
		for _, expr := range strings.FieldsFunc(have[i], func(r rune) bool { return r == ',' }) {
			if err := f.parse(expr); err != nil {
				return err
			}
		}
	}
	return nil
}

func parseCronDescriptor(s string) error {
	switch s {
	case "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly":
		return nil
	}
	if duration, ok := strings.CutPrefix(s, "@every "); ok {
		if _, err := time.ParseDuration(duration); err != nil {
			return fmt.Errorf("failed to parse duration %s: %s", s, err)
		}
		return nil
	}
	return fmt.Errorf("unrecognized descriptor: %s", s)
}

// parse checks "*", "n", "n-m", each perhaps with "/step".
func (f cronField) parse(expr string) error {
	rangeAndStep := strings.Split(expr, "/")
	limits := strings.Split(rangeAndStep[0], "-")
	low, high, step := f.low, f.high, 1
	var err error
	if limits[0] != "*" && limits[0] != "?" {
		if low, err = f.number(limits[0]); err != nil {
			return err
		}
		switch len(limits) {
		case 1:
			if high = low; len(rangeAndStep) == 2 {
				high = f.high // "n/step" is "n-max/step"
			}
		case 2:
			if high, err = f.number(limits[1]); err != nil {
				return err
			}
		default:
			return fmt.Errorf("too many hyphens: %s", expr)
		}
	}
	switch len(rangeAndStep) {
	case 1:
	case 2:
		if step, err = cronNumber(rangeAndStep[1]); err != nil {
			return err
		}
	default:
		return fmt.Errorf("too many slashes: %s", expr)
	}
	switch {
	case low < f.low:
		return fmt.Errorf("beginning of range (%d) below minimum (%d): %s", low, f.low, expr)
	case high > f.high:
		return fmt.Errorf("end of range (%d) above maximum (%d): %s", high, f.high, expr)
	case low > high:
		return fmt.Errorf("beginning of range (%d) beyond end of range (%d): %s", low, high, expr)
	case step == 0:
		return fmt.Errorf("step of range should be a positive number: %s", expr)
	}
	return nil
}

func (f cronField) number(s string) (int, error) {
	if i := slices.Index(f.names, strings.ToLower(s)); i >= 0 {
		return f.low + i, nil
	}
	return cronNumber(s)
}

func cronNumber(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("failed to parse int from %s: %s", s, err)
	}
	if n < 0 {
		return 0, fmt.Errorf("negative number (%d) not allowed: %s", n, s)
	}
	return n, nil
}
