package command

import (
	"runtime"

	"github.com/urfave/cli/v2"

	"threeway/merge/text/source"
)

func maxInputFlag() cli.Flag {
	return &cli.IntFlag{Name: "max-input", Category: categoryOwn, Usage: "hold at most `MIB` of one file or of stdin in memory", Value: source.MostHeld >> 20}
}

// limitResources has the commands, and those below them, obey --concurrency and
// --max-input, where they have them. Whatever works side by side goes by the
// number of cores that Go uses.
func limitResources(commands []*cli.Command) []*cli.Command {
	for _, command := range commands {
		limitResources(command.Subcommands)
		all := 0
		command.Before = func(c *cli.Context) error {
			n, input := c.Int("concurrency"), int64(c.Int("max-input"))
			switch {
			case n < 0:
				return usageError("--concurrency must be 0 or more, not %d", n)
			case c.IsSet("max-input") && input < 1:
				return usageError("--max-input must be 1 or more, not %d", input)
			case c.IsSet("max-input"):
				source.HoldAtMost(input << 20)
			}
			if n > 0 && n < runtime.GOMAXPROCS(0) {
				all = runtime.GOMAXPROCS(n)
			}
			return nil
		}
		command.After = func(*cli.Context) error {
			runtime.GOMAXPROCS(all) // 0 changes nothing
			source.HoldAtMost(0)
			return nil
		}
	}
	return commands
}
