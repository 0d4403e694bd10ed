package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/lint"
	"threeway/lint/config"
	"threeway/lint/report"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/rules"
)

func lintCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "say what bites when the config is applied",
		UsageText: "threeway lint [PATH...] | threeway lint -f CONFIG [--live SNAPSHOT] [flags]",
		Description: `Runs the rules of 'threeway rules' over a rehearsed apply. With config files only
it finds what can be seen there; with a snapshot it knows the live objects.

With -f, or manifests in .threeway.yaml, that is the whole set, and the PATHs
only choose the files that are reported on. Without, the PATHs are the set.

Exit code: 0, 1 findings at or above --fail-on, 2 bad input or config.

Examples:
  threeway lint deploy/
  threeway lint -f deploy/ --live snapshot.yaml
  threeway lint -f deploy/ --live snapshot.yaml -o text -o sarif=lint.sarif`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags:           lintFlags(),
		Action:          func(c *cli.Context) error { return runLint(c, std) },
	}
}

func lintFlags() []cli.Flag {
	return fromEnvironment(append(slices.Concat(planFlags(), serverSideFlags(), pruneFlags()),
		&cli.StringSliceFlag{Name: "output", Aliases: []string{"o"}, Category: categoryOwn, Usage: "`FORMAT[=FILE]`: " + report.Formats + "; repeatable", DefaultText: "text"},
		&cli.StringFlag{Name: "config", Aliases: []string{"c"}, Category: categoryOwn, Usage: "config `FILE`", DefaultText: config.FileName + ", up to the top of the repository"},
		&cli.StringSliceFlag{Name: "only", Category: categoryOwn, Usage: "run no `RULE` but these"},
		&cli.StringSliceFlag{Name: "enable", Category: categoryOwn, Usage: "run an opt-in `RULE`"},
		&cli.StringSliceFlag{Name: "disable", Category: categoryOwn, Usage: "do not run a `RULE`"},
		&cli.StringSliceFlag{Name: "severity", Category: categoryOwn, Usage: "`RULE=LEVEL`: error, warning, info, off"},
		&cli.StringFlag{Name: "fail-on", Category: categoryOwn, Usage: "`LEVEL` from which the exit code is 1: error, warning, info, never", Value: "error"},
		&cli.StringFlag{Name: "baseline", Category: categoryOwn, Usage: "be silent about the findings in `FILE`"},
		&cli.StringFlag{Name: "write-baseline", Category: categoryOwn, Usage: "write the findings to `FILE` and exit 0"},
		&cli.BoolFlag{Name: "no-suppressions", Category: categoryOwn, Usage: "report what comments, annotations and the config file silence"},
		&cli.BoolFlag{Name: "show-suppressed", Category: categoryOwn, Usage: "list silenced findings with their reasons"},
		&cli.StringSliceFlag{Name: "ignore-path", Category: categoryOwn, Usage: "silence findings on a field: `KIND:PATH`, Deployment:spec.replicas"},
	))
}

func runLint(c *cli.Context, std streams) error {
	catalogue := rules.All()
	cfg, err := lintConfig(c, catalogue)
	if err != nil {
		return err
	}
	c, shown, err := settle(c, cfg)
	if err != nil {
		return err
	}
	outputs, err := parseOutputs(c.StringSlice("output"))
	if err != nil {
		return err
	}
	opts, err := lintOptions(c, cfg, catalogue)
	if err != nil {
		return err
	}
	opts.Shown = shown
	in, err := lintInput(c, std)
	if err != nil {
		return err
	}
	result := lint.Run(catalogue, in, opts)
	if file := c.String("write-baseline"); file != "" {
		return writeBaseline(file, result, std)
	}
	ro := report.Options{Version: version, Rules: catalogue, ShowSuppressed: c.Bool("show-suppressed")}
	if err := writeOutputs(outputs, result, ro, std, c.String("color")); err != nil {
		return err
	}
	return finishLint(c, std, in.Plan, result)
}

// lintConfig reads the config file that the flag names, or the nearest one.
func lintConfig(c *cli.Context, catalogue []*lint.Rule) (*config.Config, error) {
	file := c.String("config")
	if file == "" {
		if file = config.Find("."); file == "" {
			return &config.Config{}, nil
		}
	}
	cfg, err := config.Read(relative(file), ruleIDs(catalogue))
	if err != nil {
		return nil, usageError("%v", err)
	}
	return cfg, nil
}

// lintInput rehearses the apply.
func lintInput(c *cli.Context, std streams) (lint.Input, error) {
	var typed bytes.Buffer
	std.in = io.TeeReader(std.in, &typed)
	in := lint.Input{Source: func(file string) string {
		if file == "STDIN" {
			return typed.String()
		}
		data, _ := os.ReadFile(file) // it has been read before
		return string(data)
	}}
	var err error
	if in.Options, err = planOptions(c, std); err != nil {
		return in, err
	}
	if in.Options.ServerSide, err = serverSide(c); err != nil {
		return in, err
	}
	if in.Options.Prune, err = pruneOptions(c, false); err != nil {
		return in, err
	}
	if in.Plan, err = merge.New(in.Options); err != nil {
		return in, usageError("%v", err)
	}
	if len(in.Plan.Outcomes) == 0 && !c.Bool("allow-empty") && len(in.Options.Config.Problems) == 0 {
		return in, usageError("no objects to lint; check -f, -l and the paths, or pass --allow-empty")
	}
	return in, nil
}

func lintOptions(c *cli.Context, cfg *config.Config, catalogue []*lint.Rule) (lint.Options, error) {
	opts := lint.Options{Severities: map[string]lint.Severity{}, Only: c.StringSlice("only"), NoSuppressions: c.Bool("no-suppressions"), Ignores: cfg.Ignore}
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

// finishLint says on stderr what is no finding, and finds the exit code.
func finishLint(c *cli.Context, std streams, p *merge.Plan, r *lint.Result) error {
	if err := p.Failed(); err != nil {
		return usageError("%v", err)
	}
	trouble, quiet := false, c.Bool("quiet")
	for _, problem := range p.Problems {
		switch {
		case lint.Refused(problem):
		case problem.Severity == manifest.Error:
			trouble = true
			fmt.Fprintln(std.err, problem)
		case !quiet:
			fmt.Fprintln(std.err, problem)
		}
	}
	if !quiet {
		for _, note := range p.Notes {
			fmt.Fprintln(std.err, "note: "+note)
		}
		for _, line := range report.Summary(r) {
			fmt.Fprintln(std.err, line)
		}
	}
	failing := map[string][]lint.Severity{"error": {lint.Error}, "warning": {lint.Error, lint.Warning}, "info": {lint.Error, lint.Warning, lint.Info}}
	switch {
	case trouble:
		return &exitError{code: exitUsage}
	case c.Bool("no-fail"):
		return nil
	case slices.ContainsFunc(failing[c.String("fail-on")], func(s lint.Severity) bool { return r.Count(s) > 0 }):
		return &exitError{code: exitDifferences}
	}
	return nil
}

func ruleIDs(catalogue []*lint.Rule) []string {
	ids := make([]string, len(catalogue))
	for i, r := range catalogue {
		ids[i] = r.ID
	}
	return ids
}
