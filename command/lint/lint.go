// Package lint has the commands that run rules over a rehearsal: lint, review and
// upgrade.
package lint

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint/report"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
)

// Command is threeway lint.
func Command(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "find what will go wrong when you apply",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway lint [PATH...] | threeway lint -f MANIFESTS [--live SNAPSHOT] [PATH...] [flags]",
		Description: `Rehearses the apply and checks it with the rules that 'threeway rules' lists.
Manifests alone are enough for many rules; with a snapshot lint also knows the
live objects.

With -f, or manifests in .threeway.yaml, all those manifests are read, and the
PATHs only choose the files to report on. Otherwise the PATHs are the manifests;
--staged skips those that hold no Kubernetes objects.

--fix repairs the manifests where no judgment is needed: it removes fields that
belong to the server and writes out defaults. Comments and formatting stay. What
it cannot repair safely it reports with the reason. --fix=diff prints the diff
instead.

Exit code: 0, 1 findings at or above --fail-on, 2 bad input or settings. With
--fix only the remaining findings count.

Examples:
  threeway lint deploy/
  threeway lint -f deploy/ --live snapshot.yaml
  threeway lint -f deploy/ --live snapshot.yaml -o text -o sarif=lint.sarif
  threeway lint -f deploy/ --live snapshot.yaml --fix=diff | git apply`,
		// That files are written must be typed, so the environment has no say in it.
		Flags:  append(fixFlags(), request.FromEnvironment(request.LintFlags())...),
		Action: p.Does(runLint),
	}
}

func runLint(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	outputs := r.Outputs
	if err := checkFixFlags(r, outputs); err != nil {
		return 0, err
	}
	if r.Several() {
		return run.Clusters(ctx, r, std, outputs, func(ctx context.Context, r *request.Request, std system.Streams) (*run.Cluster, error) {
			l, err := RunRules(ctx, r, std)
			if l == nil || err != nil {
				return nil, err
			}
			l.offerFixes(outputs)
			return &run.Cluster{Review: &report.Review{Plan: l.Input.Plan, Lint: l.Result, Shown: r.Shown()}, Reporting: l.reporting, Finish: func() (system.ExitCode, error) { return l.finish(std, l.summary(), false) }}, nil
		})
	}
	fresh := run.Replayed(std)
	l, err := RunRules(ctx, r, fresh())
	if err != nil || l == nil {
		return system.ExitOK, err
	}
	var failure error
	if r.Fixes {
		if l, failure = l.repair(ctx, std, fresh); l == nil {
			return 0, failure
		}
	}
	if r.Fix == request.FixDiff {
		outputs = slices.DeleteFunc(outputs, func(o request.Output) bool { return o.File == "" })
	}
	l.offerFixes(outputs)
	if err := run.WriteOutputs(r, outputs, std, l.write); err != nil {
		return 0, err
	}
	if failure != nil {
		return 0, failure
	}
	summary := l.summary()
	if n := l.fixable(); n > 0 && !r.Fixes {
		summary = append(summary, fmt.Sprintf("--fix repairs %s; --fix=diff shows how", phrase.Count(n, "finding")))
	}
	l.NoFail = writesBaseline(outputs)
	return l.finish(std, summary, false)
}

// writesBaseline reports whether the findings are recorded, and so are no failure.
func writesBaseline(outputs []request.Output) bool {
	return slices.ContainsFunc(outputs, func(o request.Output) bool { return o.Format == "baseline" })
}

// summary counts the findings.
func (l *lintRun) summary() []string {
	if l.Result.Objects == 0 && manifest.Err(l.Result.Problems) != nil {
		return nil // the errors say why there is nothing to count
	}
	summary := report.Summary(l.Result, l.Verbose)
	if up := l.Input.Upgrade; up != nil && len(summary) > 0 {
		summary[0] += fmt.Sprintf("; from Kubernetes 1.%d to 1.%d", up.From, up.To)
	}
	return summary
}

// write writes the findings in a format.
func (l *lintRun) write(w io.Writer, format string, terminal bool) error {
	opts := l.reporting
	if terminal {
		opts.Paint, opts.Width = run.LintPainter(l.Color, w), system.Width(w)
	}
	return report.Findings[format](w, opts.Kept(format, l.Result), opts)
}
