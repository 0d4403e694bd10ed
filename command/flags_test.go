package command

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
)

// TestFewFlags: a command has few flags besides those of the appliers, with kubectl's.
func TestFewFlags(t *testing.T) {
	const most = 32
	var count func(name string, c *cli.Command)
	count = func(name string, c *cli.Command) {
		flags := slices.DeleteFunc(slices.Clone(c.Flags), func(f cli.Flag) bool { return request.Program(f) > 1 })
		if len(flags) > most {
			t.Errorf("%s has %d flags, at most %d: let one go, or make it a setting", name, len(flags), most)
		}
		for _, sub := range c.Subcommands {
			count(name+" "+sub.Name, sub)
		}
	}
	for _, c := range newApp(&run.Program{}).Commands {
		count(c.Name, c)
	}
}

// TestHelpIsAScreen: the help of a command fits a terminal of 80 columns and little more
// than 24 lines.
func TestHelpIsAScreen(t *testing.T) {
	const most = 30
	app := newApp(&run.Program{})
	screens := [][]string{{"--help"}}
	for _, c := range app.Commands {
		screens = append(screens, []string{c.Name, "--help"})
		for _, sub := range c.Subcommands {
			screens = append(screens, []string{c.Name, sub.Name, "--help"})
		}
	}
	for _, args := range screens {
		var out, said bytes.Buffer
		Run(context.Background(), append([]string{"threeway"}, args...), strings.NewReader(""), &out, &said)
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		if len(lines) > most || said.Len() > 0 {
			t.Errorf("%v has %d lines, at most %d: %s", args, len(lines), most, &said)
		}
		for _, line := range lines {
			if len(line) > helpWidth {
				t.Errorf("%v has a line of %d columns: %s", args, len(line), line)
			}
		}
		out.Reset()
		Run(context.Background(), append([]string{"threeway"}, slices.Concat(args[:len(args)-1], []string{"--help-all"})...), strings.NewReader(""), &out, &said)
		for line := range strings.Lines(out.String()) {
			if command := strings.HasPrefix(line, "  threeway ") || strings.HasPrefix(line, "  kubectl "); len(line) > helpWidth+1 && !command {
				t.Errorf("%v --help-all has a line of %d columns: %s", args, len(line), line)
			}
		}
	}
}

// TestHabitsAreNoFlags: what the table answers is a flag of no command that would hide it,
// but of one that has it for another use.
func TestHabitsAreNoFlags(t *testing.T) {
	app := newApp(&run.Program{})
	for name, flag := range kubectlFlags {
		if flag.instead == "" && flag.idle == "" {
			t.Errorf("--%s has no answer", name)
		}
		if !slices.ContainsFunc(app.Commands, func(c *cli.Command) bool {
			return !slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
		}) {
			t.Errorf("every command has --%s, and the answer is never given", name)
		}
	}
}
