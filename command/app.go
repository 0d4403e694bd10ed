package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/config"
	"threeway/command/diff"
	"threeway/command/inputs"
	"threeway/command/lint"
	"threeway/command/lsp"
	"threeway/command/mcp"
	"threeway/command/run"
	"threeway/command/snapshot"
	"threeway/command/system"
)

// Run is one run of the program: arguments, with its name as the first, and
// streams in, exit code out.
func Run(ctx context.Context, args []string, in io.Reader, stdout, stderr io.Writer) system.ExitCode {
	return runs(ctx, args, in, stdout, stderr, nil)
}

// runs is Run with snapshots as kept has them; nil reads the files.
func runs(ctx context.Context, args []string, in io.Reader, stdout, stderr io.Writer, kept *inputs.Kept) (code system.ExitCode) {
	std := system.Streams{In: in, Out: stdout, Err: stderr}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(std.Err, "error: internal error: %v; please report it together with the command line\n", p)
			if run.Debugging() {
				fmt.Fprintf(std.Err, "%s", debug.Stack())
			}
			code = system.ExitInternal
		}
	}()
	screen, messages := system.NewScreen(std.Out, false), system.NewMessages(std.Err)
	defer messages.Flush()
	out := &system.Stdout{Writer: screen}
	std.Out, std.Err = out, messages
	p := &run.Program{Std: std, Kept: kept}
	args, p.NoPager = withoutPager(args)
	app := newApp(p)
	permuted, notes, err := permute(app, args)
	p.Args, p.Notes = permuted[min(2, len(permuted)):], notes
	if err == nil && helped(std.Out, app, permuted) {
		if err := screen.Flush(); err != nil && !system.BrokenPipe(err) {
			return system.ExitInternal
		}
		return system.ExitOK
	}
	if err == nil {
		app.Commands = prepared(app.Commands, permuted)
		err = app.RunContext(ctx, permuted)
	}
	if flushed := screen.Flush(); err == nil {
		err = flushed
	}
	system.EndPage(screen)
	switch {
	case system.BrokenPipe(err), system.BrokenPipe(out.Err):
		return system.ExitPipe
	case err == nil && p.Code > system.ExitDifferences:
		return p.Code // the run has said why
	case err == nil && out.Err != nil:
		err = out.Err
	}
	if err != nil {
		fmt.Fprintln(std.Err, "error: "+err.Error())
		return system.ExitUsage
	}
	return p.Code
}

// forAgents runs the command lines of one server, which keeps the snapshots.
func forAgents() mcp.Runner {
	kept := &inputs.Kept{}
	return func(ctx context.Context, args []string, out, messages io.Writer) int {
		return runs(ctx, args, strings.NewReader(""), out, messages, kept)
	}
}

// newApp describes the command line. A copy of the binary named
// kubectl-threeway runs as a kubectl plugin.
func newApp(p *run.Program) *cli.App {
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
		Commands:                  alike(diff.Command(p), mergeCommand(p), ownersCommand(p), driftCommand(p), adoptCommand(p), handoverCommand(p), lint.Command(p), lsp.Command(p), mcp.Command(p, system.Version, forAgents()), lint.ReviewCommand(p), lint.GuardCommand(p), lint.UpgradeCommand(p), rulesCommand(p), snapshot.Command(p), config.Command(p), versionCommand(p), completionCommand(p)),
		Reader:                    p.Std.In,
		Writer:                    p.Std.Out,
		ErrWriter:                 p.Std.Err,
		EnableBashCompletion:      true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		UseShortOptionHandling:    false,
		Flags:                     []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version"}},
		OnUsageError:              run.BadUsage,
		ExitErrHandler:            func(*cli.Context, error) {},
		CommandNotFound:           nil,
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return printVersion(p.Std, "text")
			}
			for _, arg := range c.Args().Slice() {
				if _, err := os.Stat(arg); err != nil {
					return unknownCommand(c.App.Commands, arg)
				}
			}
			if seen, err := defaultRun(c.Context, p, c.Args().Slice()); seen || err != nil {
				return err
			}
			helpOfProgram(p.Std.Out, c.App)
			return nil
		},
	}
}

// alike gives commands, and those below them, what all have in common.
func alike(commands ...*cli.Command) []*cli.Command {
	for _, c := range commands {
		c.OnUsageError, c.HideHelpCommand = run.BadUsage, true
		alike(c.Subcommands...)
	}
	return commands
}
