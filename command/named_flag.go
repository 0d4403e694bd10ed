package command

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// namedFlag is a flag that knows its names. cli's own makes them anew, with a regular
// expression, for each pair of flags.
type namedFlag struct {
	commandFlag
	names []string
}

// commandFlag is what cli asks of a flag.
type commandFlag interface {
	cli.DocGenerationFlag
	cli.VisibleFlag
	cli.CategorizableFlag
	cli.ActionableFlag
}

// Names are the name and the short ones.
func (f namedFlag) Names() []string { return f.names }

// prepared are the commands of a run with these arguments. Only what the arguments name
// keeps its flags, since cli describes those of all commands before it runs one.
func prepared(commands []*cli.Command, args []string) []*cli.Command {
	for _, c := range commands {
		if !slices.ContainsFunc(args, c.HasName) {
			c.Flags = nil
		}
		for i, f := range c.Flags {
			_, list := f.(*cli.StringSliceFlag) // which cli tells not to split at commas
			if f, ok := f.(commandFlag); ok && !list {
				c.Flags[i] = namedFlag{f, f.Names()}
			}
		}
		prepared(c.Subcommands, args)
	}
	return commands
}
