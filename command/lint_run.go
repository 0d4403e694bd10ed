package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/rules"
)

// linted is what the rules have found, with the command line that asked for it,
// below which the config file is.
type linted struct {
	*cli.Context
	input     lint.Input
	result    *lint.Result
	reporting report.Options
	// shown decides by file what is reported; nil: all.
	shown func(file string) bool
}

// runRules rehearses the apply and runs the rules over it, as lint does.
func runRules(c *cli.Context, std streams) (*linted, error) {
	catalogue := rules.All()
	cfg, err := lintConfig(c, catalogue)
	if err != nil {
		return nil, err
	}
	given := c
	c, shown, err := settle(given, cfg)
	if err != nil {
		return nil, err
	}
	opts, err := lintOptions(c, cfg, catalogue)
	if err != nil {
		return nil, err
	}
	opts.Shown = shown
	skipped := otherFiles(given, cfg)
	if len(skipped) > 0 && len(c.StringSlice("filename")) == 0 {
		fmt.Fprintln(std.err, "note: "+skippedNote(skipped))
		return nil, &exitError{code: exitOK}
	}
	in, err := lintInput(c, std, shown)
	if err != nil {
		return nil, err
	}
	if len(skipped) > 0 {
		in.Plan.Notes = append(in.Plan.Notes, skippedNote(skipped))
	}
	failOn, err := lint.ParseSeverity(c.String("fail-on"))
	if err != nil {
		failOn = lint.Error + 1 // never
	}
	return &linted{c, in, lint.Run(catalogue, in, opts), report.Options{
		Version: version, Examples: rules.Examples, ShowSuppressed: c.Bool("show-suppressed"), FailOn: failOn, Directory: belowTop(),
	}, shown}, nil
}

// say writes lines to stderr, unless the run is to be quiet.
func (l *linted) say(std streams, prefix string, lines ...string) {
	if l.Bool("quiet") {
		return
	}
	for _, line := range lines {
		fmt.Fprintln(std.err, prefix+line)
	}
}

// finish says on stderr what is no finding, and finds the exit code.
func (l *linted) finish(std streams, summary []string, failing bool) error {
	if err := l.input.Plan.Failed(); err != nil {
		return usageError("%v", err)
	}
	for _, problem := range l.result.Problems {
		if problem.Severity == manifest.Error || !l.Bool("quiet") {
			fmt.Fprintln(std.err, problem)
		}
	}
	l.say(std, "note: ", l.result.Notes...)
	l.say(std, "", summary...)
	switch {
	case manifest.Err(l.result.Problems) != nil:
		return &exitError{code: exitUsage}
	case !l.Bool("no-fail") && (failing || l.failing()):
		return &exitError{code: exitDifferences}
	}
	return nil
}

// failing reports whether there are findings at or above --fail-on.
func (l *linted) failing() bool {
	return slices.ContainsFunc(l.result.Findings, func(f *lint.Finding) bool { return f.Severity >= l.reporting.FailOn })
}

// belowTop is the working directory, seen from the top of its repository; ""
// if that is where it is, or if there is no repository.
func belowTop() string {
	top := repositoryRoot(".")
	if top == "" {
		return ""
	}
	below, err := filepath.Rel(top, absolute("."))
	if err != nil || below == "." {
		return ""
	}
	return filepath.ToSlash(below)
}

// lintConfig reads the config file that the flag names, or the nearest one.
func lintConfig(c *cli.Context, catalogue []*lint.Rule) (*settings.Config, error) {
	file := c.String("config")
	if file == "" {
		if file = settings.Find("."); file == "" {
			return &settings.Config{}, nil
		}
	}
	cfg, err := settings.Read(relative(file), ruleIDs(catalogue))
	if err != nil {
		return nil, usageError("%v", err)
	}
	return cfg, nil
}

// lintInput rehearses the apply: for lint only of what is shown, as far as the
// rules ask for no more.
func lintInput(c *cli.Context, std streams, shown func(file string) bool) (lint.Input, error) {
	var typed bytes.Buffer
	std.in = io.TeeReader(std.in, &typed)
	in := lint.Input{Source: func(file string) string {
		if file == c.String("stdin-name") {
			return typed.String()
		}
		if !isRegular(file) {
			return "" // a pipe has been read, and waits for another writer
		}
		data, _ := os.ReadFile(file) // it has been read before
		return string(data)
	}}
	var err error
	if in.Secrets, err = secretsOf(c, c.StringSlice("mask-env")); err != nil {
		return in, err
	}
	if in.Options, err = rehearsal(c, std, false); err != nil {
		return in, err
	}
	if in.Options.Prune != nil {
		in.Options.Prune.Tolerant = true // a refusal is a finding
	} else if shown != nil && c.Command.Name == "lint" {
		in.Options.Only = func(o *manifest.Object) bool { return shown(o.Origin.File) }
	}
	for _, path := range split(c.StringSlice("filename")) {
		if path == "-" {
			path = c.String("stdin-name")
		}
		in.Paths = append(in.Paths, relative(path))
	}
	directories := in.Options.Config.Directories()
	if dir := c.String("kustomize"); dir != "" {
		in.Paths, directories = []string{relative(dir)}, []string{relative(dir)}
	}
	in.Kustomizations = manifest.Kustomizations(directories)
	if in.Plan, err = merge.New(in.Options); err != nil {
		return in, usageError("%v", err)
	}
	if len(in.Plan.Set) == 0 && in.Options.Prune == nil && !c.Bool("allow-empty") && len(in.Options.Config.Problems) == 0 {
		return in, usageError("no objects to %s; check -f, -l and the paths, or pass --allow-empty", c.Command.Name)
	}
	return in, nil
}

func lintOptions(c *cli.Context, cfg *settings.Config, catalogue []*lint.Rule) (lint.Options, error) {
	opts := lint.Options{Severities: map[string]lint.Severity{}, Only: c.StringSlice("only"), NoSuppressions: c.Bool("no-suppressions"), Ignores: cfg.Ignore, IgnoreManagers: c.StringSlice("ignore-manager")}
	known := ruleIDs(catalogue)
	for id, s := range cfg.Rules {
		opts.Severities[id] = s
	}
	for _, r := range catalogue {
		if slices.Contains(c.StringSlice("enable"), r.ID) {
			opts.Severities[r.ID] = r.Severity
		}
		if slices.Contains(c.StringSlice("disable"), r.ID) {
			opts.Severities[r.ID] = lint.Off
		}
	}
	named := slices.Concat(opts.Only, c.StringSlice("enable"), c.StringSlice("disable"))
	for _, pair := range c.StringSlice("severity") {
		id, level, _ := strings.Cut(pair, "=")
		s, err := lint.ParseSeverity(level)
		if err != nil {
			return opts, usageError("--severity %s: %v", pair, err)
		}
		opts.Severities[id] = s
		named = append(named, id)
	}
	for _, id := range named {
		if !slices.Contains(known, id) {
			return opts, usageError("no rule is called %q; see 'threeway rules'", id)
		}
	}
	for _, text := range c.StringSlice("ignore-path") {
		kind, field, ok := strings.Cut(text, ":")
		path, err := fieldpath.Parse(field)
		if !ok || err != nil || kind == "" {
			return opts, usageError("--ignore-path %q must be KIND:PATH, such as Deployment:spec.replicas", text)
		}
		opts.Ignores = append(opts.Ignores, lint.Ignore{Kind: kind, Path: path, Reason: "--ignore-path " + text})
	}
	if file := c.String("baseline"); file != "" {
		data, err := os.ReadFile(file)
		if err == nil {
			opts.Baseline, err = lint.ReadBaseline(data)
		}
		if err != nil {
			return opts, usageError("read %s: %v", file, err)
		}
	}
	switch c.String("fail-on") {
	case "error", "warning", "info", "never":
		return opts, nil
	}
	return opts, usageError("--fail-on must be error, warning, info or never, not %q", c.String("fail-on"))
}

func ruleIDs(catalogue []*lint.Rule) []string {
	ids := make([]string, len(catalogue))
	for i, r := range catalogue {
		ids[i] = r.ID
	}
	return ids
}
