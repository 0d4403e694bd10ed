package request

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"threeway/merge/manifest"
	"threeway/merge/text/source"
)

// MaxInputVariable says how many MiB of one file or of stdin may be held in memory.
const MaxInputVariable = "THREEWAY_MAX_INPUT"

// MaxInput is how many it is without.
const MaxInput = source.MostHeld >> 20

// MaxTimeVariable says how many seconds a run may take.
const MaxTimeVariable = "THREEWAY_MAX_TIME"

// MaxTime is how long a run may take; 0 is as long as it needs.
func MaxTime() (time.Duration, error) {
	text := os.Getenv(MaxTimeVariable)
	if text == "" {
		return 0, nil
	}
	seconds, err := strconv.ParseUint(text, 10, 31)
	if err != nil || seconds == 0 {
		return 0, fmt.Errorf("%s must be a number of seconds, 1 or more, not %q", MaxTimeVariable, text)
	}
	return time.Duration(seconds) * time.Second, nil
}

// Limits are what a run may take.
func Limits() (manifest.Limits, error) {
	limits := manifest.Counted()
	if text := os.Getenv(MaxInputVariable); text != "" {
		mib, err := strconv.ParseUint(text, 10, 20)
		if err != nil || mib == 0 {
			return limits, fmt.Errorf("%s must be a number of MiB, 1 or more, not %q", MaxInputVariable, text)
		}
		limits.Input = source.Limit(mib) << 20
	}
	return limits, nil
}
