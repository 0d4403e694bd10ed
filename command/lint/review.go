package lint

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/guard"
	"threeway/lint/report"
	"threeway/merge"
	"threeway/merge/gap"
	"threeway/merge/show"
	"threeway/merge/text/phrase"
)

// ReviewCommand is threeway review.
func ReviewCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "review",
		Usage:     "review a change: what apply would do, and what to watch out for",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway review [PATH...] | threeway review -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
		Description: `Rehearses kubectl apply once, and shows each object with its diff and the findings
of 'threeway lint' about it: one report for a person or a pull request.

'threeway diff' rehearses kubectl diff; review rehearses kubectl apply. An object
with an unknown field is rejected, and a rejection is a finding at the field that
caused it. The last-applied annotation and the generation, which every apply
changes, are not shown. With --prune it shows what would be deleted, and what
would be deleted along with it.

-f, the PATHs and .threeway.yaml mean the same as for 'threeway lint'.

Exit code: 0, 1 findings at or above --fail-on, 2 bad input or settings. A change
of an object is no failure; with --fail-on change it is one, as an error is. What
is unknown of a change counts as an error, and fails --fail-on change, too; a
definition that is unknown counts as a warning.

Examples:
  threeway review -f deploy/ --live snapshot.yaml
  threeway review -f deploy/ --base git:origin/main -o markdown=comment.md
  threeway review -f deploy/ --live snapshot.yaml -o html=report.html
  threeway review -f deploy/ --live snapshot.yaml -o markdown=comment.md -o sarif=lint.sarif
  threeway review -f deploy/ --live snapshot.yaml --prune -l app=shop
  # Two clusters
  threeway review -f deploy/ --live prod-eu=eu.yaml --live prod-us=us.yaml
  # Does the cluster match the manifests?
  threeway review -f deploy/ --live snapshot.yaml --fail-on change
  # What cannot be done at once, in steps
  threeway review -f deploy/ --live snapshot.yaml --steps`,
		Flags: request.FromEnvironment(append(slices.Concat(request.PlanFlags(), request.ApplierFlags(), request.ServerSideFlags(), request.BaseFlags(), []cli.Flag{request.PruneFlag()}, request.RuleFlags()),
			request.UnifiedFlag(), request.StepsFlag(), request.SopsFlag(), request.IgnoreManagerFlag(), request.OutputsFlag("review", request.CategoryOwn),
		)),
		Action: p.Does(runReview),
	}
}

func runReview(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	outputs := r.Outputs
	opts, err := run.DiffOptions(r)
	if err != nil {
		return 0, err
	}
	opts.WithoutBookkeeping = true
	if r.Several() {
		return run.Clusters(ctx, r, std, outputs, func(ctx context.Context, r *request.Request, std system.Streams) (*run.Cluster, error) {
			l, both, err := reviewed(ctx, r, std, outputs, opts)
			if l == nil || err != nil {
				return nil, err
			}
			return &run.Cluster{Review: both, Reporting: l.reporting, Finish: func() (system.ExitCode, error) { return finishReview(l, std, both) }}, nil
		})
	}
	l, both, err := reviewed(ctx, r, std, outputs, opts)
	if err != nil || l == nil {
		return system.ExitOK, err
	}
	err = run.WriteOutputs(r, outputs, std, func(w io.Writer, format string, terminal bool) error {
		one, opts := *both, l.reporting
		if terminal {
			opts.Paint, one.Diff.Paint = run.LintPainter(r.Color, w), run.Painter(r.Color, w)
			opts.Width, one.Diff.Width = system.Width(w), system.Width(w)
		}
		return write(w, format, one, opts)
	})
	if err != nil {
		return 0, err
	}
	return finishReview(l, std, both)
}

// reviewed rehearses the apply and runs the rules. It returns nil if all files were
// passed over.
func reviewed(ctx context.Context, r *request.Request, std system.Streams, outputs []request.Output, opts show.Options) (*lintRun, *report.Review, error) {
	l, err := RunRules(ctx, r, std)
	if err != nil || l == nil {
		return nil, nil, err
	}
	both := l.review(opts)
	if files := r.Files; len(files) > 0 && slices.ContainsFunc(outputs, func(o request.Output) bool { return o.Format == "html" }) {
		if commit := system.CommitOf(ctx, files[0]); commit != "" {
			name, rest, _ := strings.Cut(both.About, " against ")
			both.About = strings.TrimSuffix(name+" on commit "+commit+" against "+rest, " against ")
		}
	}
	l.offerFixes(outputs)
	if slices.ContainsFunc(outputs, func(o request.Output) bool { return o.Format == "guard" }) {
		l.judged.Digests, err = l.digests(r.Args)
	}
	return l, both, err
}

// review is what review shows of a run.
func (l *lintRun) review(opts show.Options) *report.Review {
	plan := l.Input.Plan
	switch {
	case plan.Base != nil && l.asked.Survey != nil && l.asked.Survey.Snapshots != nil:
		plan.Notes = append(plan.Notes, "this run does not look at the live objects in "+phrase.Abbreviated(l.asked.Survey.Exports(), 3)+": pass them with --live, or run threeway without a command")
	case len(l.asked.Live) > 0 || plan.Base != nil:
	case l.asked.EmptyCluster:
		plan.Notes = append(plan.Notes, inputs.WithoutLive)
	default:
		plan.Add(gap.Gap{Code: gap.NoSnapshot, Needs: "the live objects: pass an export with --live, or --base"})
	}
	l.Result.Notes, l.Result.Gaps = plan.Notes, plan.Gaps
	opts.Secrets = l.Input.Secrets // of one policy is known already what each object hides
	opts.Digest = show.NewDigest(l.Result.Impact(), l.Result.Effects, opts)
	warnings := l.Result.Besides(lint.Warning)
	if l.ofLive() {
		warnings = nil // they are about applying manifests
	}
	opts.Digest.AddErrors(l.Result.Besides(lint.Error), warnings, l.Result.Accepted())
	l.judge(opts.Digest)
	fixer := l.Fixer()
	for _, f := range l.Result.Findings {
		if f.Remedy != nil {
			f.Remedy.Steps = fixer.Steps(f.Remedy.Steps, l.Input.Secrets, l.ShowSecrets)
		}
	}
	return &report.Review{Plan: plan, Lint: l.Result, Diff: opts, Shown: l.asked.Shown(), About: about(l.asked, l.Input.Options), Judged: l.judged}
}

// ForEditor is what review shows of a run, made when it is first asked for, and what
// writes its page.
func (l *lintRun) ForEditor() (review func() *report.Review, page func(io.Writer) error) {
	review = sync.OnceValue(func() *report.Review {
		return l.review(show.Options{Cores: l.Limits.Cores, IgnoreManagers: l.IgnoreManagers, WithoutBookkeeping: true, Context: 3})
	})
	return review, func(w io.Writer) error { return write(w, "html", *review(), l.reporting) }
}

// RulePage is the address of the page of a rule; "" if it has none.
func (l *lintRun) RulePage(rule *lint.Rule) string { return report.RulePage(rule, l.RulePages) }

// write writes a review in a format, with the findings that belong in it.
func write(w io.Writer, format string, r report.Review, opts report.Options) error {
	r.Lint = opts.Kept(format, r.Lint)
	return report.Reviews[format](w, &r, opts)
}

// about says which manifests are reviewed against what, by the names that were given:
// deploy against snapshot.yaml (newest write 2026-11-21T02:25:00Z). Of an absolute path
// it has the last part.
func about(r *request.Request, opts merge.Options) string {
	named := func(paths []string) string {
		var names []string
		for _, path := range paths {
			if filepath.IsAbs(path) {
				path = filepath.Base(path)
			}
			names = append(names, filepath.ToSlash(path))
		}
		return phrase.Abbreviated(names, 3)
	}
	text := named(r.Files)
	switch {
	case text == "" || len(r.Live)+len(r.Base) == 0:
		return text
	case len(r.Live) == 0:
		return text + " against " + named(r.Base)
	case opts.Live != nil && opts.Live.NewestWrite != "":
		return text + " against " + named(r.Live) + " (newest write " + opts.Live.NewestWrite + ")"
	}
	return text + " against " + named(r.Live)
}

// finishReview says on stderr what is not in the report, and finds the exit code.
func finishReview(l *lintRun, std system.Streams, both *report.Review) (system.ExitCode, error) {
	l.say(std, "Warning: ", show.Warnings(both.Plan.Outcomes, both.Diff)...)
	l.say(std, "Warning: ", show.Accidents(both.Plan.Prune)...)
	var lines []string
	if l.Verbose || !slices.ContainsFunc(both.Plan.Gaps, func(g gap.Gap) bool { return g.Code == gap.NoSnapshot }) {
		lines = report.Skipped(l.Result, l.Verbose)
	}
	if l.Result.Objects > 0 {
		lines = append(lines, both.Summed())
	}
	switch text := slices.ContainsFunc(l.Outputs, func(o request.Output) bool { return o.Format == "text" && o.File == "" }); {
	case text && !l.Verbose && !l.Brief: // which names each kind and what it needs
		l.Result.Notes = slices.DeleteFunc(slices.Clone(l.Result.Notes), func(note string) bool {
			return slices.ContainsFunc(both.Plan.Gaps, func(g gap.Gap) bool {
				return (g.Code == gap.NoDefinition || g.Code == gap.BaseUnread) && g.Note == note
			})
		})
	case !slices.ContainsFunc(l.Outputs, func(o request.Output) bool { return o.Format == "text" }):
		lines = append(lines, both.Diff.Digest.Verdict().Text, both.Diff.Digest.PlanLine())
	}
	denied := l.asked.Trusted != nil && l.judged != nil && l.judged.Verdict == guard.Deny && l.reporting.FailOn <= lint.Error
	return l.finish(std, lines, denied || l.FailOn == onChange && (both.Differs() || both.Plan.Gaps.Fails()))
}
