package command

import (
	"runtime"

	"github.com/urfave/cli/v2"

	"threeway/merge/text/source"
)

func maxInputFlag() cli.Flag {
	return &cli.IntFlag{Name: "max-input", Category: categoryOwn, Usage: "hold at most `MIB` of one file or of stdin in memory", Value: source.MostHeld >> 20}
}

// obeyLimits has the process keep to --concurrency and --max-input until the
// function that it returns is called. Whatever works side by side goes by the
// number of cores that Go uses.
func obeyLimits(r *Request) (undo func()) {
	all := 0
	if r.Concurrency > 0 && r.Concurrency < runtime.GOMAXPROCS(0) {
		all = runtime.GOMAXPROCS(r.Concurrency)
	}
	source.HoldAtMost(r.MaxInput)
	return func() {
		runtime.GOMAXPROCS(all) // 0 changes nothing
		source.HoldAtMost(0)
	}
}
