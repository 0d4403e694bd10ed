// Package run is one run of a command: its streams, its exit code, and where what
// it prints goes, for one cluster or several.
package run

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge/show"
)

// Program is one run: its streams, and how it ends.
type Program struct {
	Std  system.Streams
	Code system.ExitCode
	// Args are its arguments after the command, Notes are about them.
	Args, Notes []string
	// Kept has the snapshots that a server keeps; nil reads the files.
	Kept *inputs.Kept
	// Brief prints the most important lines of a text alone, for what was not typed.
	Brief bool
	// NoPager is --no-pager, which is no command's own, as that of git.
	NoPager bool
}

// action is what a command does. The code counts if there is no error, which
// stands for ExitUsage.
type action func(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error)

// Does makes an action of the command line, where its context ends.
func (p *Program) Does(run action) cli.ActionFunc {
	return func(c *cli.Context) error {
		c.Context = system.Remembering(c.Context)
		r, err := request.Resolve(c)
		if err != nil {
			return err
		}
		if p.Kept != nil {
			r.Exports, r.ByAgent = p.Kept.Read, true
		}
		if p.Brief {
			r.Brief, r.KustomizeTyped = true, false
		}
		inputs.Redact(&r.Inputs, p.Std)
		outputs, wrong := request.Outputs(c)
		ForPrograms(p.Std, c.Command.Name, outputs)
		if !r.Quiet {
			show.Say(p.Std.Err, "note: ", append(p.Notes, r.PassedOver()...)...)
		}
		if err := inputs.Decrypt(c.Context, &r.Inputs, p.Std.Err); err != nil {
			return err
		}
		if r.Outputs = outputs; wrong != nil {
			return wrong
		}
		if !p.NoPager {
			system.Page(p.Std, c.Command.Name == "review")
		}
		defer watch(r.Limits.Progress, p.Std, r.Quiet)()
		p.Code, err = run(c.Context, r, p.Std)
		if len(r.FromSettings) > 0 && !r.Quiet {
			from := "found"
			if r.Settings.File != "" {
				from = "from " + r.Settings.File
			}
			fmt.Fprintf(p.Std.Err, "%s: %s\n", from, strings.Join(r.FromSettings, "; "))
		}
		return err
	}
}

// BadUsage makes one line of a usage error instead of the whole help, and
// writes long flags with the two dashes they were typed with.
func BadUsage(c *cli.Context, err error, _ bool) error {
	name, flags, msg := "threeway", c.App.Flags, err.Error()
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != name {
		name = c.Command.HelpName
		flags = c.Command.Flags
	}
	if flag, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		msg = "unknown flag: " + Dashes(flag)
	}
	for _, f := range flags {
		for _, n := range f.Names() {
			msg = strings.Replace(msg, " -"+n+":", " "+Dashes(n)+":", 1)
			if strings.HasSuffix(msg, " -"+n) {
				msg = strings.TrimSuffix(msg, "-"+n) + Dashes(n)
			}
		}
	}
	if name == "threeway" {
		return fmt.Errorf("%s; a command comes first, such as 'threeway review -f MANIFESTS'; 'threeway help' lists them", msg)
	}
	return fmt.Errorf("%s; see '%s --help'", msg, name)
}

// Dashes puts one dash before a letter and two before a longer name.
func Dashes(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}

// Debugging reports whether the user asked for stack traces.
func Debugging() bool { return os.Getenv("THREEWAY_DEBUG") != "" }

// Verdict is the exit code of a run: trouble is 2, differences are 1.
func Verdict(r *request.Request, failed func() error, trouble, differ bool) (system.ExitCode, error) {
	if err := failed(); err != nil {
		return system.ExitUsage, err
	}
	if trouble {
		return system.ExitUsage, nil
	}
	return r.Differs(differ), nil
}
