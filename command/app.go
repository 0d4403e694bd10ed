package command

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// exitError carries an exit code; its message, if any, goes to stderr.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

// line is what to print of it, "" if nothing.
func (e *exitError) line() string {
	if e.msg == "" {
		return ""
	}
	return "error: " + e.msg + "\n"
}

func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Sprintf(format, args...)}
}

// run is the whole program: arguments and streams in, exit code out.
func run(ctx context.Context, args []string, std streams) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(std.err, "error: internal error: %v; please report it with the command line\n", p)
			if debugging() {
				fmt.Fprintf(std.err, "%s", debug.Stack())
			}
			code = exitInternal
		}
	}()
	out := &stdout{Writer: std.out}
	std.out = out
	app := newApp(std)
	permuted, err := permute(app, args)
	if err == nil {
		err = app.RunContext(ctx, permuted)
	}
	var exit *exitError
	isExit := errors.As(err, &exit)
	switch {
	case brokenPipe(err), brokenPipe(out.err):
		return exitPipe
	case isExit && exit.code > exitDifferences:
		fmt.Fprint(std.err, exit.line())
		return exit.code
	case out.err != nil:
		fmt.Fprintln(std.err, "error: "+out.err.Error())
		return exitUsage
	case isExit:
		fmt.Fprint(std.err, exit.line())
		return exit.code
	case err != nil:
		fmt.Fprintln(std.err, "error: "+err.Error())
		return exitUsage
	}
	return exitOK
}

// newApp describes the command line. A copy of the binary named
// kubectl-threeway runs as a kubectl plugin.
func newApp(std streams) *cli.App {
	return &cli.App{
		Name:      "threeway",
		Usage:     "rehearse kubectl apply with no cluster",
		UsageText: "threeway COMMAND -f CONFIG --live SNAPSHOT [flags]",
		Description: `Reads config files and exported live objects, simulates the three-way merge of
kubectl apply and the API server's answer, and shows what would change and why.
Nothing is contacted, and nothing is written but by lint --fix and to where -o says.

Examples:
  # What would kubectl apply change?
  kubectl get deploy,svc,cm -A -o yaml --show-managed-fields > snapshot.yaml
  threeway diff -f deploy/ --live snapshot.yaml

  # Field by field, with the reason for each
  threeway diff -f deploy/ --live snapshot.yaml -o fields

  # The patches that kubectl would send
  threeway merge -f deploy/ --live snapshot.yaml -o patch`,
		Commands:                  limitResources([]*cli.Command{diffCommand(std), mergeCommand(std), ownersCommand(std), driftCommand(std), adoptCommand(std), handoverCommand(std), lintCommand(std), reviewCommand(std), rulesCommand(std), explainCommand(std), snapshotCommand(std), configCommand(std), versionCommand(std), completionCommand(std)}),
		Reader:                    std.in,
		Writer:                    std.out,
		ErrWriter:                 std.err,
		EnableBashCompletion:      true,
		Suggest:                   true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		UseShortOptionHandling:    false,
		Flags:                     []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version"}},
		OnUsageError:              badUsage,
		ExitErrHandler:            func(*cli.Context, error) {},
		CommandNotFound:           nil,
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return printVersion(std, "text")
			}
			if c.Args().Present() {
				return usageError("unknown command %q; %s run 'threeway help' for the list", c.Args().First(),
					strings.ToLower(cli.SuggestCommand(c.App.Commands, c.Args().First())))
			}
			return cli.ShowAppHelp(c)
		},
	}
}

// badUsage makes one line of a usage error instead of the whole help, and
// writes long flags with the two dashes they were typed with.
func badUsage(c *cli.Context, err error, _ bool) error {
	name, flags, msg := "threeway", c.App.Flags, err.Error()
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != name {
		name = c.Command.HelpName
		flags = c.Command.Flags
	}
	if flag, ok := strings.CutPrefix(msg, "flag provided but not defined: -"); ok {
		msg = "unknown flag: " + dashes(flag)
	}
	for _, f := range flags {
		for _, n := range f.Names() {
			msg = strings.Replace(msg, " -"+n+":", " "+dashes(n)+":", 1)
			if strings.HasSuffix(msg, " -"+n) {
				msg = strings.TrimSuffix(msg, "-"+n) + dashes(n)
			}
		}
	}
	return usageError("%s; see '%s --help'", msg, name)
}

// dashes puts one dash before a letter and two before a longer name.
func dashes(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}
