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
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
)

func lintCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "find what will go wrong when you apply",
		ArgsUsage: pathArguments,
		UsageText: "threeway lint [PATH...] | threeway lint -f MANIFESTS [--live SNAPSHOT] [PATH...] [flags]",
		Description: `Rehearses the apply and checks it with the rules that 'threeway rules' lists.
Manifests alone are enough for many rules; with a snapshot lint also knows the
live objects.

With -f, or manifests in .threeway.yaml, all those manifests are read, and the
PATHs only choose the files to report on. Otherwise the PATHs are the manifests,
and --skip-other-files skips those that hold no Kubernetes objects.

--fix repairs the manifests where no judgment is needed: it removes fields that
belong to the server and writes out defaults. Comments and formatting stay. What
it cannot repair safely it reports with the reason. --fix-dry-run prints the diff
instead.

Exit code: 0, 1 findings at or above --fail-on, 2 bad input or settings. With
--fix and --fix-dry-run only the remaining findings count.

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
	return slices.Concat(planFlags(), applierFlags(), serverSideFlags(), pruneFlags(), baseFlags(), []cli.Flag{sopsFlag()}, ruleFlags(), []cli.Flag{
		&cli.StringSliceFlag{Name: "output", Aliases: []string{"o"}, Category: categoryOwn, Usage: "`FORMAT[=FILE]`: " + strings.Join(report.Formats(), ", ") + "; repeatable", DefaultText: "text"},
		&cli.StringFlag{Name: "write-baseline", Category: categoryOwn, Usage: "write the findings to `FILE` and exit 0"},
		&cli.BoolFlag{Name: "staged", Category: categoryOwn, Usage: "read the manifests as the next commit has them, from git's index; without a snapshot they are compared with HEAD; for hooks"},
	})
}

// ruleFlags say what is looked for and what counts.
func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "only", Category: categoryOwn, Usage: "run only this `RULE`; repeatable"},
		&cli.StringSliceFlag{Name: "enable", Category: categoryOwn, Usage: "run an opt-in `RULE`; repeatable"},
		&cli.StringSliceFlag{Name: "disable", Category: categoryOwn, Usage: "do not run this `RULE`; repeatable"},
		&cli.StringSliceFlag{Name: "severity", Category: categoryOwn, Usage: "set the severity of a rule: `RULE=LEVEL`, with error, warning, info or off"},
		&cli.StringFlag{Name: "fail-on", Category: categoryOwn, Usage: "lowest `LEVEL` that makes the exit code 1: error, warning, info, never", Value: "error"},
		&cli.StringFlag{Name: "baseline", Category: categoryOwn, Usage: "ignore the findings recorded in `FILE`"},
		&cli.BoolFlag{Name: "no-suppressions", Category: categoryOwn, Usage: "also report findings suppressed by comments, annotations and settings"},
		&cli.BoolFlag{Name: "show-suppressed", Category: categoryOwn, Usage: "list suppressed findings with their reasons"},
		&cli.BoolFlag{Name: "skip-other-files", Category: categoryOwn, Usage: "skip PATHs that hold templates, live objects or no Kubernetes objects; for hooks"},
		&cli.StringFlag{Name: "rule-pages", Category: categoryOwn, Usage: "`URL` of a site with the pages of the rules, to which SARIF links them", Value: site},
		ignoreManagerFlag(),
		&cli.StringSliceFlag{Name: "ignore-path", Category: categoryOwn, Usage: "suppress findings about a field: `KIND:PATH`, such as Deployment:spec.replicas"},
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
	if len(r.Clusters) > 0 {
		return runClusters(ctx, r, std, outputs, func(ctx context.Context, r *Request, std streams) (*onCluster, error) {
			l, err := runRules(ctx, r, std)
			if l == nil || err != nil {
				return nil, err
			}
			l.offerFixes(outputs)
			return &onCluster{review: &report.Review{Plan: l.input.Plan, Lint: l.result, Shown: r.shown()}, reporting: l.reporting, finish: func() (exitCode, error) { return l.finish(std, l.summary(), false) }}, nil
		})
	}
	again := replayed(std)
	l, err := runRules(ctx, r, again())
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
	summary := l.summary()
	if n := l.fixable(); n > 0 && !r.fixing() {
		summary = append(summary, fmt.Sprintf("--fix repairs %s; --fix-dry-run shows how", phrase.Count(n, "finding", "findings")))
	}
	return l.finish(std, summary, false)
}

// summary counts the findings.
func (l *linted) summary() []string {
	if l.result.Objects == 0 && manifest.Err(l.result.Problems) != nil {
		return nil // the errors say why there is nothing to count
	}
	summary := report.Summary(l.result, l.Verbose)
	if up := l.input.Upgrade; up != nil && len(summary) > 0 {
		summary[0] += fmt.Sprintf("; from Kubernetes 1.%d to 1.%d", up.From, up.To)
	}
	return summary
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
