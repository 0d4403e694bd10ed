package main

import (
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"
)

// limitCores has the commands that have --concurrency obey it. Whatever works
// side by side goes by the number of cores that Go uses.
func limitCores(commands []*cli.Command) []*cli.Command {
	for _, command := range commands {
		if !slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return f.Names()[0] == "concurrency" }) {
			continue
		}
		all := 0
		command.Before = func(c *cli.Context) error {
			n := c.Int("concurrency")
			if n < 0 {
				return usageError("--concurrency must be 0 or more, not %d", n)
			}
			if n > 0 && n < runtime.GOMAXPROCS(0) {
				all = runtime.GOMAXPROCS(n)
			}
			return nil
		}
		command.After = func(*cli.Context) error {
			runtime.GOMAXPROCS(all) // 0 changes nothing
			return nil
		}
	}
	return commands
}
