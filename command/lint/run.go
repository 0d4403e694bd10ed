package lint

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/guard"
	"threeway/lint/report"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/gap"
	"threeway/merge/impact/upgrade"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/phrase"
	"threeway/rules"
	"threeway/rules/own"
)

// onChange is the value of --fail-on by which a change of an object fails a review, too.
const onChange = "change"

// lintRun is what the rules have found, and the request for it.
type lintRun struct {
	*request.Request
	// asked is the request as it came, with the files that were passed over.
	asked     *request.Request
	Input     lint.Input
	Result    *lint.Result
	reporting report.Options
	// found and judged are what the guard goes by, and its answer, once a review is made.
	found  guard.Found
	judged *guard.Report
}

// RunRules rehearses the apply and runs the rules over it, as lint does. It
// returns nil if all files were passed over.
func RunRules(ctx context.Context, asked *request.Request, std system.Streams) (*lintRun, error) {
	catalogue, err := request.Catalogue(asked.Settings)
	if err != nil {
		return nil, err
	}
	opts, err := Options(asked, catalogue)
	if err != nil {
		return nil, err
	}
	opts.Shown = asked.Shown()
	if asked.Staged {
		copied := *asked
		if copied.Instead, err = inputs.FromIndex(ctx, &asked.Inputs); err != nil {
			return nil, err
		}
		asked = &copied
	}
	r, skipped := asked.WithoutOtherFiles()
	nothing := r.Staged && r.Settings.File == "" && !r.FilesGiven && !r.KustomizeTyped // a hook that is told no file
	if (nothing || len(skipped)+len(r.Unrendered) > 0) && len(r.Files)+len(r.Kustomize) == 0 {
		show.Say(std.Err, "note: ", skipped...)
		return nil, nil
	}
	in, err := lintInput(ctx, r, std)
	if err != nil {
		return nil, err
	}
	in.Plan.Notes = append(in.Plan.Notes, skipped...)
	if i := slices.IndexFunc(catalogue, func(r *lint.Rule) bool { return r.ID == own.Program }); i >= 0 && asksPolicies(r, opts) {
		catalogue[i] = own.Reporting(catalogue[i], in.Plan, inputs.Violations(ctx, &r.Inputs, in.Plan, in.Options.Live, in.Secrets))
	}
	if opts.Trusted, err = inputs.Trusted(&r.Inputs); err != nil {
		return nil, err
	}
	level := lint.Unset
	if r.To > 0 {
		level = lint.Info // a default that changes is one
	}
	if r.Level != "" {
		if level, err = lint.ParseSeverity(r.Level); err != nil || level == lint.Off {
			return nil, fmt.Errorf("--level: %w", phrase.Unknown("value", r.Level, []string{"error", "warning", "info"}))
		}
	}
	failOn, err := lint.ParseSeverity(r.FailOn)
	switch {
	case r.FailOn == onChange:
		failOn = lint.Error
	case err != nil:
		failOn = lint.Error + 1 // never
	}
	reporting := report.Options{
		Version: system.Version, Examples: rules.Examples, ShowSuppressed: r.Verbose, Level: level, FailOn: failOn, Directory: system.BelowTop(), RulePages: r.RulePages, Files: system.FilesOfJob(), Brief: r.Brief, Diffs: r.Diffs || r.Verbose, Steps: r.Steps,
		Before: r.NamesBefore(),
	}
	if len(r.Outputs) > 0 && !r.Steps && r.Command != "guard" {
		least := func(o request.Output) lint.Severity { return reporting.Least(o.Format) }
		opts.Listed = least(slices.MinFunc(r.Outputs, func(a, b request.Output) int { return cmp.Compare(least(a), least(b)) }))
	}
	return &lintRun{Request: r, asked: asked, Input: in, Result: lint.Run(catalogue, in, opts), reporting: reporting}, nil
}

// asksPolicies reports whether the program of the settings may be asked: by a person or a job,
// and not by an agent, an editor or a gate.
func asksPolicies(r *request.Request, opts lint.Options) bool {
	return (r.Command == "lint" || r.Command == "review") && !r.ByAgent && r.Kept == nil &&
		opts.Severities[own.Program] != lint.Off && (len(opts.Only) == 0 || slices.Contains(opts.Only, own.Program))
}

// say writes lines to stderr, unless the run is to be quiet.
func (l *lintRun) say(std system.Streams, prefix string, lines ...string) {
	if !l.Quiet {
		show.Say(std.Err, prefix, lines...)
	}
}

// finish says on stderr what is no finding, and finds the exit code.
func (l *lintRun) finish(std system.Streams, summary []string, failing bool) (system.ExitCode, error) {
	if err := l.Input.Plan.Failed(); err != nil {
		return 0, err
	}
	for _, problem := range l.Result.Problems {
		if problem.Severity == manifest.Error || !l.Quiet {
			fmt.Fprintln(std.Err, problem)
		}
	}
	if l.Brief && l.asked.Part == "" { // else they are counted
		show.Say(std.Err, "note: ", inputs.Failing(&l.asked.Inputs)...)
	}
	l.say(std, "note: ", l.Result.Notes...)
	if l.say(std, "", summary...); l.Quiet && l.doubtful() {
		fmt.Fprintln(std.Err, show.Incomplete(l.Input.Plan.Gaps))
	}
	for _, o := range l.Outputs {
		if kept := l.reporting.Kept(o.Format, l.Result); o.File == "" {
			if line := report.HiddenLine(kept); line != "" {
				l.say(std, "", line)
			}
			if line := report.Accepting(kept); line != "" && o.Format == "text" && !l.Brief && l.asked.Part == "" && l.asked.Trusted == nil {
				l.say(std, "", line)
			}
		}
	}
	if manifest.Err(l.Result.Problems) != nil {
		return system.ExitUsage, nil
	}
	return l.Differs(failing || l.failing()), nil
}

// failing reports whether there are findings at or above --fail-on. What is unknown of a
// change counts as an error, since a run that did not look is no all-clear; that of an object
// only its definition is unknown, as a warning.
func (l *lintRun) failing() bool {
	return l.doubtful() || slices.ContainsFunc(l.Result.Findings, func(f *lint.Finding) bool { return f.Severity >= l.reporting.FailOn })
}

// doubtful reports whether what is unknown fails the run.
func (l *lintRun) doubtful() bool {
	notRead := func(g gap.Gap) bool { return g.Code == gap.NotRead || g.Code == gap.NotRendered && g.Place != "" }
	if l.reporting.FailOn <= lint.Error && slices.ContainsFunc(l.Input.Plan.Gaps, notRead) {
		return true
	}
	compared, on := len(l.Live) > 0 || l.Input.Options.Base != nil, l.reporting.FailOn
	return on <= lint.Error && l.Result.Undecided != nil || compared && (on <= lint.Warning && l.Input.Plan.Gaps.Fails() || on <= lint.Error && l.Input.Plan.Gaps.Fails(gap.NoDefinition))
}

// lintInput rehearses the apply: for lint only of what is shown, as far as the
// rules ask for no more.
func lintInput(ctx context.Context, r *request.Request, std system.Streams) (lint.Input, error) {
	var typed bytes.Buffer
	std.In = io.TeeReader(std.In, &typed)
	in := lint.Input{References: r.Settings.References, Source: func(file string) string {
		if file == manifest.Stdin {
			return typed.String()
		}
		if text, ok := r.Kept.Text(file); ok {
			return text
		}
		if r.Instead != nil {
			if text, ok := r.Instead(file); ok {
				return string(text)
			}
		}
		if !system.IsRegular(file) {
			return "" // a pipe has been read, and waits for another writer
		}
		data, _ := disk.ReadFile(file) // it has been read before
		return string(data)
	}}
	var err error
	in.Secrets = inputs.SecretsOf(&r.Inputs)
	if in.Options, err = inputs.Read(ctx, &r.Inputs, std); err != nil {
		return in, err
	}
	if r.Command == "guard" {
		go func() { _, _ = in.Options.Live.Sum() }() // which is asked for at the end
	}
	if in.Options.Prune != nil {
		in.Options.Prune.Tolerant = true // a refusal is a finding
	} else if shown := r.Shown(); shown != nil && r.Command == "lint" {
		in.Options.Only = func(o *manifest.Object) bool { return shown(o.Origin.File) }
	}
	for _, path := range r.Files {
		if path == "-" {
			path = manifest.Stdin
		}
		in.Paths = append(in.Paths, system.Relative(path))
	}
	directories := in.Options.Manifests.Directories()
	for _, dir := range r.Kustomize {
		in.Paths, directories = append(in.Paths, system.Relative(dir)), append(directories, system.Relative(dir))
	}
	_, root := inputs.PruneRoot(&r.Inputs, inputs.SelectionIn(r.Settings))
	in.Elsewhere = inputs.Elsewhere(cmp.Or(root, inputs.FirstDirectory(&r.Inputs)), slices.Concat(r.Live, r.Base), r.Limits)
	in.Kustomizations = manifest.Kustomizations(directories)
	if in.Plan, err = merge.New(in.Options); err != nil {
		return in, err
	}
	in.Plan.Add(inputs.OtherAppliers(&r.Inputs, in.Plan, in.Options.Live)...)
	in.Plan.Add(inputs.ContextNamespace(&r.Inputs, in.Plan)...)
	for _, why := range r.Unrendered {
		in.Plan.Add(gap.Gap{Code: gap.NotRendered, Needs: why})
	}
	if isCommitted(ctx, r, in.Plan) {
		in.Plan.Add(gap.Gap{Code: gap.NotRead, Place: r.Start, Text: "the commits up to " + r.Start + " were not looked at", Needs: "the revision that the change starts from (--trust git:REVISION): nothing differs from " + r.Start})
	}
	for _, f := range r.NotRendered {
		if r.Command == "lint" && f.Why != "" { // review and guard say so of the gap
			in.Plan.Notes = append(in.Plan.Notes, f.Why)
		}
	}
	in.Apply = run.ApplyCommand(r, in.Plan.By)
	in.Options.Before = nil // or the plans of all checks before would be kept
	if r.To != 0 {
		if in.Plan.Minor >= r.To {
			return in, fmt.Errorf("the cluster runs Kubernetes 1.%d already: pass a later version with --to, or that of the cluster with --kubernetes-version", in.Plan.Minor)
		}
		if in.Upgrade, err = upgrade.Compare(in.Plan, in.Options, r.To); err != nil {
			return in, err
		}
	}
	if lacksObjects(r, &in) {
		return in, fmt.Errorf("no objects to %s: check -f, -l and the paths", r.Command)
	}
	return in, nil
}

// lacksObjects reports whether a run has nothing to look at and nothing to say of what it passed over:
// what was asked for is wrong.
func lacksObjects(r *request.Request, in *lint.Input) bool {
	switch {
	case len(in.Plan.Set) > 0, !in.Options.Former.None(), in.Options.Prune != nil, in.Plan.Prune != nil:
		return false
	case r.AllowEmpty, r.IsOverlay(), r.Command == "review" && r.Trusted != nil && len(r.Args) == 0: // others have chosen the paths
		return false
	case len(r.Unchanged)+len(r.NotRendered)+len(in.Options.Manifests.Problems)+len(r.Others)+len(r.NotJudged) > 0:
		return false
	}
	return !slices.ContainsFunc(in.Plan.Gaps, func(g gap.Gap) bool { return g.Place != "" })
}

// isCommitted reports whether a guard that no revision was named for compares with the last
// commit, and nothing differs from it: what there is to judge may be in it.
func isCommitted(ctx context.Context, r *request.Request, p *merge.Plan) bool {
	if r.Command != "guard" || r.Trusted == nil || !r.Trusted.Assumed || r.Start != request.GitBase+"HEAD" || p.Base == nil || len(p.Left) > 0 ||
		slices.ContainsFunc(p.Outcomes, func(o *rehearsal.Outcome) bool { return o.Action != rehearsal.Unchanged }) {
		return false
	}
	if r.Part == "" {
		return true
	}
	changed, err := r.Trusted.Changed(ctx, func(string) bool { return true }) // perhaps in another part
	return err == nil && len(changed) == 0
}

// Options are those of a run of lint, from the flags and the settings. It fails on rules and
// severities that do not exist.
func Options(r *request.Request, catalogue []*lint.Rule) (lint.Options, error) {
	opts := lint.Options{Severities: map[string]lint.Severity{}, Only: r.Only, Ignores: slices.Clone(r.Settings.Ignore), IgnoreManagers: r.IgnoreManagers}
	known := request.RuleIDs(catalogue)
	for _, rule := range catalogue {
		for _, id := range rule.Names() { // if the settings have both names, the new one counts
			if s, set := r.Settings.Rules[id]; set {
				opts.Severities[rule.ID] = s
			}
		}
	}
	named := slices.Clone(opts.Only)
	for _, pair := range r.Levels {
		id, level, _ := strings.Cut(pair, "=")
		s, err := lint.ParseSeverity(level)
		if err != nil {
			return opts, fmt.Errorf("--rule %s: %v", pair, err)
		}
		if rule := request.Rule(catalogue, id); rule != nil {
			opts.Severities[rule.ID] = s
		}
		named = append(named, id)
	}
	for _, id := range named {
		if !slices.Contains(known, id) {
			if strings.Contains(id, ",") {
				return opts, fmt.Errorf("--rule %s: one rule at a time; repeat --rule for each", id)
			}
			return opts, fmt.Errorf("unknown rule %q; %s'threeway rules' lists them", id, phrase.Meant(id, known))
		}
	}
	if file := r.Baseline; file != "" {
		data, err := inputs.ReadTrusted(&r.Inputs, file)
		if err == nil {
			opts.Baseline, err = lint.ReadBaseline(data)
		}
		if err != nil {
			return opts, fmt.Errorf("read %s: %v", file, err)
		}
	}
	switch r.FailOn {
	case "error", "warning", "info", "never":
		return opts, nil
	case onChange:
		if r.Command == "review" {
			return opts, nil
		}
		return opts, fmt.Errorf("--fail-on change is for review; 'threeway diff' exits 1 if anything would change")
	}
	return opts, fmt.Errorf("--fail-on: %w", phrase.Unknown("value", r.FailOn, []string{"error", "warning", "info", "never"}))
}
