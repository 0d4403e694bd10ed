package lint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/fix"
	"threeway/lint/guard"
	"threeway/lint/report"
	"threeway/merge/by/imperative"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// GuardCommand is threeway guard.
func GuardCommand(p *run.Program) *cli.Command {
	print := func(r *guard.Report, explain bool) error {
		p.Code = exits[r.Verdict]
		if explain {
			return report.Answer(p.Std.Out, r)
		}
		system.Data(p.Std.Out, true)
		return r.WriteJSON(p.Std.Out)
	}
	return &cli.Command{
		Name:      "guard",
		Usage:     "answer agents and gates: allow, ask, deny or unknown",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway guard [PATH...] | threeway guard -f MANIFESTS --live SNAPSHOT [flags]",
		Description: `One answer for agents, hooks and merge queues, as one line of JSON of less than
4 kB. The same inputs have the same answer.

  deny     the API server rejects an object, or the policy forbids what happens
  unknown  a fact is missing; "missing" lists the facts and how to provide them
  ask      a person must confirm it
  allow    everything was checked, and none of the above applies

It rehearses what 'threeway review' does. The policy is guard in .threeway.yaml.
--command judges a command line of kubectl or helm instead of manifests. One that
changes live objects without manifests, such as kubectl scale, is ask; a part
that cannot be parsed makes the answer unknown.

In git, what judges the change is read where the branch begins, or at --trust.

Exit code: 0 allow, 1 deny, 2 unknown, 3 ask.

Examples:
  threeway guard -f deploy/ --live snapshot.yaml
  threeway guard --trust git:origin/main
  threeway guard --command 'kubectl delete deploy/api -n shop'
  threeway guard -f deploy/ --live snapshot.yaml --explain`,
		Flags: request.FromEnvironment(append(slices.Concat(request.PlanFlags(), request.Without(request.ApplierFlags(), "as"), request.ServerSideFlags(), request.BaseFlags(), []cli.Flag{request.PruneFlag()}),
			request.SopsFlag(), request.CommandFlag(), &cli.BoolFlag{Name: "explain", Category: request.CategoryOwn, Usage: "answer in words, for people"},
		)),
		Action: func(c *cli.Context) error {
			explain := c.Bool("explain")
			if c.IsSet("command") {
				nothing, err := request.ReadCommand(c)
				var hand *imperative.ByHandError
				switch {
				case errors.As(err, &hand):
					return print(guard.Asks(hand.Command, hand.Instead), explain)
				case err != nil:
					return print(guard.NotUnderstood(err), explain)
				case nothing != "":
					return print(guard.Nothing(nothing), explain)
				}
			}
			err := p.Does(func(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
				report, late, err := inTime(r.Commanded, func() (*guard.Report, error) { return runGuard(ctx, r, p.Args, std) })
				if late {
					system.RedactWith(p.Std.Out, nil) // which the rehearsal still works at; what is said is ours
				}
				if err != nil {
					return 0, err
				}
				return exits[report.Verdict], print(report, explain)
			})(c)
			if err != nil {
				return print(guard.Failed(err), explain)
			}
			return nil
		},
	}
}

// mostTime is how long the answer about a command line may take: an agent goes on when its
// hook does not answer. Tests make it short.
var mostTime = 20 * time.Second

// inTime is what answer returns, or with a limit an error after mostTime, which is late.
func inTime(limited bool, answer func() (*guard.Report, error)) (report *guard.Report, late bool, err error) {
	if !limited {
		report, err = answer()
		return report, false, err
	}
	type answered struct {
		report *guard.Report
		err    error
		panics any
	}
	ended := make(chan answered, 1)
	go func() {
		var a answered
		defer func() {
			a.panics = recover()
			ended <- a
		}()
		a.report, a.err = answer()
	}()
	select {
	case a := <-ended:
		if a.panics != nil {
			panic(a.panics)
		}
		return a.report, false, a.err
	case <-time.After(mostTime):
		return nil, true, fmt.Errorf("no answer within %v; name fewer objects, or a smaller snapshot", mostTime)
	}
}

// exits are the codes of the answers.
var exits = map[guard.Answer]system.ExitCode{guard.Allow: system.ExitOK, guard.Deny: system.ExitDifferences, guard.Unknown: system.ExitUsage, guard.Ask: system.ExitAsk}

// runGuard rehearses what a request asks for, and answers. typed are its arguments.
func runGuard(ctx context.Context, r *request.Request, typed []string, std system.Streams) (*guard.Report, error) {
	parts := []request.Request{*r}
	if r.Several() {
		parts = r.Parts()
	}
	fresh := run.Replayed(std)
	var all []*guard.Report
	args := slices.DeleteFunc(slices.Clone(typed), func(arg string) bool { return arg == "--explain" })
	for _, one := range parts {
		if one.Exports == nil {
			one.Exports = new(inputs.Kept).Read // for each round of edits
		}
		l, err := guarded(ctx, &one, fresh())
		if err != nil {
			return nil, err
		}
		if err := l.Input.Plan.Failed(); err != nil {
			return nil, err
		}
		report := l.judged
		if report.Digests, err = l.digests(args); err != nil {
			return nil, err
		}
		if !l.found.Named {
			if report.Edits, err = l.edits(ctx, fresh); err != nil {
				return nil, err
			}
		}
		all = append(all, report)
	}
	report := guard.Join(all)
	report.Next = next(report, r, args)
	return report, nil
}

// guarded rehearses the apply to one cluster.
func guarded(ctx context.Context, r *request.Request, std system.Streams) (*lintRun, error) {
	opts, err := run.DiffOptions(r)
	if err != nil {
		return nil, err
	}
	opts.WithoutBookkeeping = true
	r.FailOn = "never" // the answer decides the exit code
	l, _, err := reviewed(ctx, r, std, nil, opts)
	if err == nil && l == nil {
		err = fmt.Errorf("no manifests were looked at: %s", strings.Join(r.Unrendered, "; "))
	}
	return l, err
}

// judge has the guard answer for a run.
func (l *lintRun) judge(digest *show.Digest) {
	r := l.asked
	l.found = guard.Found{Cluster: r.Part, Digest: digest, Lint: l.Result, Empty: r.EmptyCluster, Named: l.ofLive()}
	l.found.Weigh(r.Settings.Guard)
	l.judged = l.found.Judge(append(judges(r, len(l.Result.Suppressed)+l.Result.Known > 0), l.lost()...), r.Trusted != nil)
}

// lost are the objects that lose last-applied: a PUT of a manifest does not have it.
func (l *lintRun) lost() (list []guard.Reason) {
	record := []string{"metadata", "annotations", rehearsal.LastAppliedKey}
	for _, o := range l.Input.Plan.Outcomes {
		if o.Action == rehearsal.Rejected || o.Live == nil || o.Result == nil || !tree.Has(o.Live.Tree, record...) || tree.Has(o.Result, record...) {
			continue
		}
		at := o.Manifest.Place(nil)
		list = append(list, guard.Reason{Code: guard.LosesRecord, Answer: guard.Ask, Object: o.Identity().String(), File: at.File, Line: at.Line,
			Text: "removes the last-applied annotation: the next kubectl apply removes no fields that left the manifest", Fix: "use kubectl apply, or add --save-config"})
	}
	return list
}

// ofLive reports whether what is rehearsed is a command about live objects, such as kubectl
// scale, and no manifests.
func (l *lintRun) ofLive() bool {
	_, commanded := l.asked.By.(*request.Command)
	return commanded && len(l.asked.Files)+len(l.asked.Kustomize) == 0
}

// judges are the reasons why what judges the change may be a part of it.
func judges(r *request.Request, suppressed bool) (list []guard.Reason) {
	if r.Trusted == nil {
		if r.Settings.File == "" && !suppressed {
			return nil
		}
		return []guard.Reason{{Code: guard.SelfJudged, Answer: guard.Ask, Text: "the settings, the baseline or suppressions may be part of the change: there is no commit in git to read them at"}}
	}
	if file := r.Settings.File; r.Trusted.Assumed && file != "" && !r.Trusted.Knows(file) {
		list = append(list, guard.Reason{Code: guard.SelfJudged, Answer: guard.Ask, Text: fmt.Sprintf("the settings %s are named in the call, and %s does not have them: who asks may have written them", file, r.Trusted.Name)})
	}
	ours := request.FromHere(r.Settings, r.Settings.AllLive())
	live := r.Live
	for _, c := range r.Clusters {
		live = append(live[:len(live):len(live)], c.Live...)
	}
	for _, file := range live {
		if r.ByAgent && !r.Trusted.Knows(file) && !slices.Contains(ours, file) {
			list = append(list, guard.Reason{Code: guard.SelfJudged, Answer: guard.Ask, Text: fmt.Sprintf("the snapshot %s is named in the call, and %s does not have it: who asks may have written it", file, r.Trusted.Name)})
		}
	}
	for _, note := range r.Trusted.Notes() {
		list = append(list, guard.Reason{Code: guard.JudgeChanged, Answer: guard.Ask, Text: note})
	}
	return list
}

// next is the command that tells more of what is not allowed; "" if all is.
func next(report *guard.Report, r *request.Request, args []string) string {
	if report.Verdict == guard.Allow || r.Commanded {
		return ""
	}
	line := []shell.Arg{shell.Typed(args)}
	if r.Trusted != nil && !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--trust") }) {
		line = append(line, shell.Flag("--trust", r.Trusted.Name))
	}
	return shell.Line("threeway review", line...)
}

// edits are the changes of files that would take reasons away, as diffs: those that are
// certain, with what comes to light by them, and those that a person must choose.
func (l *lintRun) edits(ctx context.Context, fresh func() system.Streams) (list []guard.Edit, err error) {
	add := func(applicability string, c *fix.Change) error {
		var b strings.Builder
		if err := l.patch(&b, c, show.Options{Context: 1}); err != nil {
			return err
		}
		list = append(list, guard.Edit{Applicability: applicability, File: slashed(c), Patch: b.String()})
		return nil
	}
	findings := l.found.Findings()
	_, repaired, _, err := l.rounds(findings, func(asked *request.Request) (*lintRun, []*lint.Finding, error) {
		now, err := guarded(ctx, asked, fresh())
		if err != nil {
			return nil, nil, err
		}
		return now, now.found.Findings(), nil
	})
	if err != nil {
		return nil, err
	}
	for _, change := range repaired.Changes {
		if err := add("certain", change); err != nil {
			return nil, err
		}
	}
	for _, f := range findings {
		source, certain := f.Edits()
		if len(f.Suggested()) == 0 || len(certain) > 0 {
			continue
		}
		applicability := "choose"
		if f.Likely() {
			applicability = "likely"
		}
		if change, wrong := l.Fixer().Edit(source, f.Suggested()); wrong == nil {
			if err := add(applicability, change); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}
