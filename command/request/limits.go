package request

import (
	"fmt"
	"os"
	"strconv"

	"threeway/merge/manifest"
	"threeway/merge/text/source"
)

// MaxInputVariable says how many MiB of one file or of stdin may be held in memory.
const MaxInputVariable = "THREEWAY_MAX_INPUT"

// MaxInput is how many it is without.
const MaxInput = source.MostHeld >> 20

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
