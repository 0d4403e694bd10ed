package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
)

func lintCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "find what will go wrong when you apply",
		ArgsUsage: pathArguments,
		UsageText: "threeway lint [PATH...] | threeway lint -f MANIFESTS [--live SNAPSHOT] [PATH...] [flags]",
		Description: `Runs the rules of 'threeway rules' over a rehearsed apply. With config files only
it finds what can be seen there; with a snapshot it knows the live objects.

With -f, or manifests in .threeway.yaml, that is the whole set, and the PATHs
only choose the files that are reported on. Without, the PATHs are the set;
--skip-other-files leaves out those that hold no Kubernetes objects.

With --fix the config files are repaired where that needs no judgement: fields of
the server removed, defaults written down. Comments and formatting stay, and what
is not certain is refused, with the reason. --fix-dry-run prints the diff instead.

Exit code: 0, 1 findings at or above --fail-on, 2 bad input or config. With --fix
and --fix-dry-run only the findings that remain count.

Examples:
  threeway lint deploy/
  threeway lint -f deploy/ --live snapshot.yaml
  threeway lint -f deploy/ --live snapshot.yaml -o text -o sarif=lint.sarif
  threeway lint -f deploy/ --live snapshot.yaml --fix-dry-run | git apply`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		// That files are written must be typed, so the environment has no say in it.
		Flags:  append(fixFlags(), fromEnvironment(lintFlags())...),
		Action: p.does(runLint),
	}
}

func lintFlags() []cli.Flag {
	return slices.Concat(planFlags(), serverSideFlags(), pruneFlags(), baseFlags(), ruleFlags(), []cli.Flag{
		&cli.StringSliceFlag{Name: "output", Aliases: []string{"o"}, Category: categoryOwn, Usage: "`FORMAT[=FILE]`: " + strings.Join(report.Formats(), ", ") + "; repeatable", DefaultText: "text"},
		&cli.StringFlag{Name: "write-baseline", Category: categoryOwn, Usage: "write the findings to `FILE` and exit 0"},
	})
}

// ruleFlags say what is looked for and what counts.
func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "only", Category: categoryOwn, Usage: "run no `RULE` but these"},
		&cli.StringSliceFlag{Name: "enable", Category: categoryOwn, Usage: "run an opt-in `RULE`"},
		&cli.StringSliceFlag{Name: "disable", Category: categoryOwn, Usage: "do not run a `RULE`"},
		&cli.StringSliceFlag{Name: "severity", Category: categoryOwn, Usage: "`RULE=LEVEL`: error, warning, info, off"},
		&cli.StringFlag{Name: "fail-on", Category: categoryOwn, Usage: "`LEVEL` from which the exit code is 1: error, warning, info, never", Value: "error"},
		&cli.StringFlag{Name: "baseline", Category: categoryOwn, Usage: "be silent about the findings in `FILE`"},
		&cli.BoolFlag{Name: "no-suppressions", Category: categoryOwn, Usage: "report what comments, annotations and the config file silence"},
		&cli.BoolFlag{Name: "show-suppressed", Category: categoryOwn, Usage: "list silenced findings with their reasons"},
		&cli.BoolFlag{Name: "skip-other-files", Category: categoryOwn, Usage: "pass over PATHs that hold no Kubernetes objects, or are templates; for hooks"},
		ignoreManagerFlag(),
		&cli.StringSliceFlag{Name: "ignore-path", Category: categoryOwn, Usage: "silence findings on a field: `KIND:PATH`, Deployment:spec.replicas"},
	}
}

func runLint(ctx context.Context, r *Request, std streams) (exitCode, error) {
	outputs, err := parseOutputs(r.Outputs, report.Formats())
	if err != nil {
		return 0, err
	}
	if err := checkFixFlags(r, outputs); err != nil {
		return 0, err
	}
	first, again := twice(std)
	l, err := runRules(ctx, r, first)
	if err != nil || l == nil {
		return exitOK, err
	}
	var failure error
	if r.fixing() {
		if l, failure = l.repair(ctx, std, again); l == nil {
			return 0, failure
		}
	}
	if r.FixDryRun {
		outputs = slices.DeleteFunc(outputs, func(o output) bool { return o.file == "" })
	}
	l.offerFixes(outputs)
	if r.WriteBaseline != "" {
		return exitOK, writeBaseline(r.WriteBaseline, l.result, std)
	}
	if err := writeOutputs(outputs, std, l.write); err != nil {
		return 0, err
	}
	if failure != nil {
		return 0, failure
	}
	summary := report.Summary(l.result, r.Verbose)
	if n := l.fixable(); n > 0 && !r.fixing() {
		summary = append(summary, fmt.Sprintf("--fix repairs %s; --fix-dry-run shows how", plural(n, "finding")))
	}
	return l.finish(std, summary, false)
}

// write writes the findings in a format.
func (l *linted) write(w io.Writer, format string, terminal bool) error {
	opts := l.reporting
	if terminal {
		opts.Paint, opts.Width = lintPainter(l.Color, w), system.Width(w)
	}
	return report.ByName(format)(w, l.result, opts)
}

func writeBaseline(file string, r *lint.Result, std streams) error {
	data, err := lint.WriteBaseline(r.Findings)
	if err != nil {
		return err
	}
	if err := system.WriteFile(file, data); err != nil {
		return fmt.Errorf("write the baseline: %v", err)
	}
	fmt.Fprintf(std.err, "%d findings written to %s\n", len(r.Findings), file)
	return nil
}
