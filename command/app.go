package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"threeway/command/system"
)

// exitCode is how a run ends. Trouble beats findings: never exitDifferences for
// trouble.
type exitCode = int

const (
	exitOK          exitCode = 0
	exitDifferences exitCode = 1 // differences (diff), rejected objects (merge)
	exitUsage       exitCode = 2 // bad usage, unreadable or undecodable input
	exitInternal    exitCode = 3
	exitPipe        exitCode = system.SignalExit + exitCode(signalPipe) // the reader of the result is gone
)

// signalPipe is SIGPIPE, which not every platform has a name for.
const signalPipe syscall.Signal = 13

// differs is the code of a run that differs, but exitOK with --no-fail.
func (r *Request) differs(differ bool) exitCode {
	if differ && !r.NoFail {
		return exitDifferences
	}
	return exitOK
}

// program is one run: its streams, and how it ends.
type program struct {
	std  streams
	code exitCode
	// notes are about its arguments.
	notes []string
}

// action is what a command does. The code counts if there is no error, which
// stands for exitUsage.
type action func(ctx context.Context, r *Request, std streams) (exitCode, error)

// does makes an action of the command line, where its context ends.
func (p *program) does(run action) cli.ActionFunc {
	return func(c *cli.Context) error {
		r, err := resolve(c)
		if err != nil {
			return err
		}
		forPrograms(p.std, c.Command.Name, r.Outputs)
		if !r.Quiet {
			for _, note := range append(p.notes, r.passedOver()...) {
				fmt.Fprintln(p.std.err, "note: "+note)
			}
		}
		if err := decrypt(c.Context, r, p.std.err); err != nil {
			return err
		}
		p.code, err = run(c.Context, r, p.std)
		if len(r.FromSettings) > 0 && !r.Quiet {
			fmt.Fprintf(p.std.err, "from %s: %s\n", r.Settings.File, strings.Join(r.FromSettings, "; "))
		}
		return err
	}
}

// Run is one run of the program: arguments, with its name as the first, and
// streams in, exit code out.
func Run(ctx context.Context, args []string, in io.Reader, stdout, stderr io.Writer) (code exitCode) {
	std := streams{in: in, out: stdout, err: stderr}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(std.err, "error: internal error: %v; please report it together with the command line\n", p)
			if debugging() {
				fmt.Fprintf(std.err, "%s", debug.Stack())
			}
			code = exitInternal
		}
	}()
	screen, messages := system.NewScreen(std.out, false), system.NewScreen(std.err, true)
	defer messages.Flush()
	out := &system.Stdout{Writer: screen}
	std.out, std.err = out, messages
	p := &program{std: std}
	app := newApp(p)
	permuted, notes, err := permute(app, args)
	p.notes = notes
	if err == nil {
		app.Commands = prepared(app.Commands, permuted)
		err = app.RunContext(ctx, permuted)
	}
	if flushed := screen.Flush(); err == nil {
		err = flushed
	}
	switch {
	case system.BrokenPipe(err), system.BrokenPipe(out.Err):
		return exitPipe
	case err == nil && p.code > exitDifferences:
		return p.code // the run has said why
	case err == nil && out.Err != nil:
		err = out.Err
	}
	if err != nil {
		fmt.Fprintln(std.err, "error: "+err.Error())
		return exitUsage
	}
	return p.code
}

// newApp describes the command line. A copy of the binary named
// kubectl-threeway runs as a kubectl plugin.
func newApp(p *program) *cli.App {
	return &cli.App{
		Name:      "threeway",
		Usage:     "rehearse kubectl apply without a cluster",
		UsageText: "threeway COMMAND -f MANIFESTS --live SNAPSHOT [flags]",
		Description: `Reads manifests and a snapshot of the live objects, simulates the three-way merge
of kubectl apply and the API server's answer, and shows what would change and why.
It never contacts a cluster, and writes only the files you ask it to write.

Examples:
  # What does my branch change, and what is dangerous? No snapshot needed
  threeway review -f deploy/ --base git:origin/main

  # What would kubectl apply change in the cluster?
  kubectl get deploy,svc,cm -A -o yaml --show-managed-fields > snapshot.yaml
  threeway diff -f deploy/ --live snapshot.yaml

  # Field by field, with the reason for each change
  threeway diff -f deploy/ --live snapshot.yaml -o fields

  # Which patches would kubectl send?
  threeway merge -f deploy/ --live snapshot.yaml -o patch`,
		Commands:                  []*cli.Command{diffCommand(p), mergeCommand(p), ownersCommand(p), driftCommand(p), adoptCommand(p), handoverCommand(p), lintCommand(p), lspCommand(p), reviewCommand(p), upgradeCommand(p), rulesCommand(p), explainCommand(p), snapshotCommand(p), configCommand(p), versionCommand(p), completionCommand(p)},
		Reader:                    p.std.in,
		Writer:                    p.std.out,
		ErrWriter:                 p.std.err,
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
				return printVersion(p.std, "text")
			}
			if c.Args().Present() {
				return unknownCommand(c.App.Commands, c.Args().First())
			}
			if seen, err := firstLook(c.Context, p.std); seen || err != nil {
				return err
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
	return fmt.Errorf("%s; see '%s --help'", msg, name)
}

// dashes puts one dash before a letter and two before a longer name.
func dashes(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}

// debugging reports whether the user asked for stack traces.
func debugging() bool { return os.Getenv("THREEWAY_DEBUG") != "" }
