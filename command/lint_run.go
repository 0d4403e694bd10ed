package command

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge"
	"threeway/merge/disk"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/upgrade"
	"threeway/rules"
)

// linted is what the rules have found, and the request for it.
type linted struct {
	*Request
	// asked is the request as it came, with the files that were passed over.
	asked     *Request
	input     lint.Input
	result    *lint.Result
	reporting report.Options
}

// runRules rehearses the apply and runs the rules over it, as lint does. It
// returns nil if all files were passed over.
func runRules(ctx context.Context, asked *Request, std streams) (*linted, error) {
	catalogue, err := catalogueOf(asked.Settings)
	if err != nil {
		return nil, err
	}
	opts, err := lintOptions(asked, catalogue)
	if err != nil {
		return nil, err
	}
	opts.Shown = asked.shown()
	if asked.Staged {
		if asked, err = fromIndex(ctx, asked); err != nil {
			return nil, err
		}
	}
	r, skipped := withoutOtherFiles(asked)
	if len(skipped) > 0 && len(r.Files) == 0 {
		for _, note := range skippedNotes(skipped) {
			fmt.Fprintln(std.err, "note: "+note)
		}
		return nil, nil
	}
	in, err := lintInput(ctx, r, std)
	if err != nil {
		return nil, err
	}
	in.Plan.Notes = append(in.Plan.Notes, skippedNotes(skipped)...)
	if opts.Trusted, err = trusted(r); err != nil {
		return nil, err
	}
	failOn, err := lint.ParseSeverity(r.FailOn)
	if err != nil {
		failOn = lint.Error + 1 // never
	}
	return &linted{r, asked, in, lint.Run(catalogue, in, opts), report.Options{
		Version: version, Examples: rules.Examples, ShowSuppressed: r.ShowSuppressed, FailOn: failOn, Directory: belowTop(), RulePages: r.RulePages,
	}}, nil
}

// say writes lines to stderr, unless the run is to be quiet.
func (l *linted) say(std streams, prefix string, lines ...string) {
	if l.Quiet {
		return
	}
	for _, line := range lines {
		fmt.Fprintln(std.err, prefix+line)
	}
}

// finish says on stderr what is no finding, and finds the exit code.
func (l *linted) finish(std streams, summary []string, failing bool) (exitCode, error) {
	if err := l.input.Plan.Failed(); err != nil {
		return 0, err
	}
	for _, problem := range l.result.Problems {
		if problem.Severity == manifest.Error || !l.Quiet {
			fmt.Fprintln(std.err, problem)
		}
	}
	l.say(std, "note: ", l.result.Notes...)
	l.say(std, "", summary...)
	if manifest.Err(l.result.Problems) != nil {
		return exitUsage, nil
	}
	return l.differs(failing || l.failing()), nil
}

// failing reports whether there are findings at or above --fail-on.
func (l *linted) failing() bool {
	return slices.ContainsFunc(l.result.Findings, func(f *lint.Finding) bool { return f.Severity >= l.reporting.FailOn })
}

// belowTop is the working directory, seen from the top of its repository; ""
// if that is where it is, or if there is no repository.
func belowTop() string {
	top := disk.Repository(".")
	if top == "" {
		return ""
	}
	below, err := filepath.Rel(top, system.Absolute("."))
	if err != nil || below == "." {
		return ""
	}
	return filepath.ToSlash(below)
}

// lintInput rehearses the apply: for lint only of what is shown, as far as the
// rules ask for no more.
func lintInput(ctx context.Context, r *Request, std streams) (lint.Input, error) {
	var typed bytes.Buffer
	std.in = io.TeeReader(std.in, &typed)
	in := lint.Input{References: r.Settings.References, Source: func(file string) string {
		if file == r.StdinName {
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
		if !isRegular(file) {
			return "" // a pipe has been read, and waits for another writer
		}
		data, _ := disk.ReadFile(file) // it has been read before
		return string(data)
	}}
	var err error
	if in.Secrets, err = secretsOf(r, r.MaskEnv); err != nil {
		return in, err
	}
	if in.Options, err = read(ctx, r, std, false); err != nil {
		return in, err
	}
	if in.Options.Prune != nil {
		in.Options.Prune.Tolerant = true // a refusal is a finding
	} else if shown := r.shown(); shown != nil && r.Command == "lint" {
		in.Options.Only = func(o *manifest.Object) bool { return shown(o.Origin.File) }
	}
	for _, path := range r.Files {
		if path == "-" {
			path = r.StdinName
		}
		in.Paths = append(in.Paths, system.Relative(path))
	}
	directories := in.Options.Config.Directories()
	if dir := r.Kustomize; dir != "" {
		in.Paths, directories = []string{system.Relative(dir)}, []string{system.Relative(dir)}
	}
	_, root := pruneRoot(r, selectionIn(r.Settings))
	in.Elsewhere = elsewhere(cmp.Or(root, besides(r)), slices.Concat(r.Live, r.Base), r.Limits)
	in.Kustomizations = manifest.Kustomizations(directories)
	if in.Plan, err = merge.New(in.Options); err != nil {
		return in, err
	}
	in.Plan.Leave(otherAppliers(r, in.Plan, in.Options.Live)...)
	in.Options.Before = nil // or the plans of all checks before would be kept
	if r.To != 0 {
		if in.Plan.Minor == r.To {
			return in, fmt.Errorf("the cluster runs Kubernetes 1.%d already: pass another version with --to, or that of the cluster with --kubernetes-version", r.To)
		}
		if in.Upgrade, err = upgrade.Compare(in.Plan, in.Options, r.To); err != nil {
			return in, err
		}
	}
	if len(in.Plan.Set) == 0 && in.Options.Prune == nil && !r.AllowEmpty && len(in.Options.Config.Problems) == 0 {
		return in, fmt.Errorf("no objects to %s: check -f, -l and the paths, or pass --allow-empty", r.Command)
	}
	return in, nil
}

func lintOptions(r *Request, catalogue []*lint.Rule) (lint.Options, error) {
	opts := lint.Options{Severities: map[string]lint.Severity{}, Only: r.Only, NoSuppressions: r.NoSuppressions, Ignores: slices.Clone(r.Settings.Ignore), IgnoreManagers: r.IgnoreManagers}
	known := ruleIDs(catalogue)
	for _, rule := range catalogue {
		for _, id := range rule.Names() { // if the settings have both names, the new one counts
			if s, set := r.Settings.Rules[id]; set {
				opts.Severities[rule.ID] = s
			}
		}
		if slices.ContainsFunc(r.Enable, rule.Named) {
			opts.Severities[rule.ID] = rule.Severity
		}
		if slices.ContainsFunc(r.Disable, rule.Named) {
			opts.Severities[rule.ID] = lint.Off
		}
	}
	named := slices.Concat(opts.Only, r.Enable, r.Disable)
	for _, pair := range r.Severity {
		id, level, _ := strings.Cut(pair, "=")
		s, err := lint.ParseSeverity(level)
		if err != nil {
			return opts, fmt.Errorf("--severity %s: %v", pair, err)
		}
		if rule := ruleByID(catalogue, id); rule != nil {
			opts.Severities[rule.ID] = s
		}
		named = append(named, id)
	}
	for _, id := range named {
		if !slices.Contains(known, id) {
			return opts, fmt.Errorf("unknown rule %q; 'threeway rules' lists them", id)
		}
	}
	for _, text := range r.IgnorePath {
		kind, field, ok := strings.Cut(text, ":")
		path, err := fieldpath.Parse(field)
		if !ok || err != nil || kind == "" {
			return opts, fmt.Errorf("invalid --ignore-path %q: use KIND:PATH, such as Deployment:spec.replicas", text)
		}
		opts.Ignores = append(opts.Ignores, lint.Ignore{Kind: kind, Path: path, Reason: "--ignore-path " + text})
	}
	if file := r.Baseline; file != "" {
		data, err := readTrusted(r, file)
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
	}
	return opts, fmt.Errorf("unknown value %q of --fail-on: use error, warning, info or never", r.FailOn)
}

// ruleIDs are the IDs that rules have and had.
func ruleIDs(catalogue []*lint.Rule) (ids []string) {
	for _, r := range catalogue {
		ids = append(ids, r.Names()...)
	}
	return ids
}
