package request

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"threeway/merge/manifest"
	"threeway/merge/text/source"
)

// MaxInputFlag is --max-input.
func MaxInputFlag() cli.Flag {
	return &cli.IntFlag{Name: "max-input", Category: CategoryOwn, Usage: "hold at most this many `MIB` of one file or of stdin in memory", Value: source.MostHeld >> 20}
}

// Limits checks what a run may take.
func (v *Resolver) Limits() (manifest.Limits, error) {
	limits := manifest.Counted()
	if v.IsSet("max-input") {
		mib := v.Int("max-input")
		if mib < 1 {
			return limits, fmt.Errorf("--max-input must be 1 or more, not %d", mib)
		}
		limits.Input = source.Limit(mib) << 20
	}
	return limits, nil
}
