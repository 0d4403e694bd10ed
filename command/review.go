package command

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/system"
	"threeway/lint/report"
	show "threeway/merge/report"
)

func reviewCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "review",
		Usage:     "review a change: what apply would do, and what to watch out for",
		ArgsUsage: pathArguments,
		UsageText: "threeway review [PATH...] | threeway review -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
		Description: `Rehearses kubectl apply once, and shows each object with its diff and the findings
of 'threeway lint' about it: one report for a person or a pull request.

'threeway diff' rehearses kubectl diff; review rehearses kubectl apply. An object
with an unknown field is rejected, and a rejection is a finding at the field that
caused it. The last-applied annotation and the generation, which every apply
changes, are not shown. With --prune it shows what would be deleted, and what
would be deleted along with it.

-f, the PATHs and .threeway.yaml mean the same as for 'threeway lint'.

Exit code: 0, 1 findings at or above --fail-on, or, with --fail-on-diff,
differences, 2 bad input or settings. Without --fail-on-diff a difference is not a
failure.

Examples:
  threeway review -f deploy/ --live snapshot.yaml
  threeway review -f deploy/ --live snapshot.yaml -o html=report.html   # a page for the browser
  threeway review -f deploy/ --live snapshot.yaml -o markdown=comment.md -o sarif=lint.sarif
  threeway review -f deploy/ --live snapshot.yaml --prune -l app=shop
  threeway review -f deploy/ --base git:origin/main -o markdown=comment.md
  threeway review -f deploy/ --live prod-eu=eu.yaml --live prod-us=us.yaml   # two clusters
  threeway review -f deploy/ --live snapshot.yaml --fail-on-diff   # does the cluster match the manifests?`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: fromEnvironment(slices.Concat(planFlags(), applierFlags(), serverSideFlags(), pruneFlags(), baseFlags(), []cli.Flag{sopsFlag()}, diffFlags(), ruleFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "output", Aliases: []string{"o"}, Category: categoryOwn, Usage: "`FORMAT[=FILE]`: " + strings.Join(report.ReviewFormats(), ", ") + "; repeatable", DefaultText: "text"},
			&cli.BoolFlag{Name: "fail-on-diff", Category: categoryOwn, Usage: "exit 1 if anything would change"},
		})),
		Action: p.does(runReview),
	}
}

func runReview(ctx context.Context, r *Request, std streams) (exitCode, error) {
	outputs, err := parseOutputs(r.Outputs, report.ReviewFormats())
	if err != nil {
		return 0, err
	}
	opts, err := diffOptions(r)
	if err != nil {
		return 0, err
	}
	opts.WithoutBookkeeping = true
	if len(r.Clusters) > 0 {
		return runClusters(ctx, r, std, outputs, func(ctx context.Context, r *Request, std streams) (*onCluster, error) {
			l, both, err := reviewed(ctx, r, std, outputs, opts)
			if l == nil || err != nil {
				return nil, err
			}
			return &onCluster{review: both, reporting: l.reporting, finish: func() (exitCode, error) { return finishReview(l, std, both) }}, nil
		})
	}
	l, both, err := reviewed(ctx, r, std, outputs, opts)
	if err != nil || l == nil {
		return exitOK, err
	}
	err = writeOutputs(outputs, std, func(w io.Writer, format string, terminal bool) error {
		one, opts := *both, l.reporting
		if terminal {
			opts.Paint, one.Diff.Paint = lintPainter(r.Color, w), painter(r.Color, w)
			opts.Width, one.Diff.Width = system.Width(w), system.Width(w)
		}
		return report.ReviewByName(format)(w, &one, opts)
	})
	if err != nil {
		return 0, err
	}
	return finishReview(l, std, both)
}

// reviewed rehearses the apply and runs the rules. It returns nil if all files were
// passed over.
func reviewed(ctx context.Context, r *Request, std streams, outputs []output, opts show.Options) (*linted, *report.Review, error) {
	l, err := runRules(ctx, r, std)
	if err != nil || l == nil {
		return nil, nil, err
	}
	if len(r.Live) == 0 && l.input.Plan.Base == nil {
		l.input.Plan.Notes, l.result.Notes = append(l.input.Plan.Notes, withoutLive), append(l.result.Notes, withoutLive)
	}
	opts.Impact = show.NewImpact(l.result.Impact(), l.result.Effects, opts)
	l.offerFixes(outputs)
	return l, &report.Review{Plan: l.input.Plan, Lint: l.result, Diff: opts, Shown: r.shown()}, nil
}

// finishReview says on stderr what is not in the report, and finds the exit code.
func finishReview(l *linted, std streams, both *report.Review) (exitCode, error) {
	l.say(std, "Warning: ", show.Warnings(both.Plan, both.Diff)...)
	l.say(std, "Warning: ", show.Accidents(both.Plan)...)
	lines := append(report.Skipped(l.result, l.Verbose), show.Summary(both.Plan)+"; "+report.Tally(l.result))
	return l.finish(std, lines, l.FailOnDiff && both.Differs())
}
