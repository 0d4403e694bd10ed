package main

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/report"
)

func diffCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "show what kubectl apply would change, like kubectl diff",
		UsageText: "threeway diff -f CONFIG --live SNAPSHOT [flags]",
		Description: `Prints the difference between the live objects in the snapshot and what the API
server would store after kubectl apply, in kubectl diff's format. Objects that
the server would reject are named on stderr; they do not silence the others.
KUBECTL_EXTERNAL_DIFF is honoured for the unified format.

Exit code: 0 no differences, 1 differences, 2 bad input or rejected objects.

Examples:
  # What would change?
  threeway diff -f deploy/ --live snapshot.yaml

  # Why, field by field
  threeway diff -f deploy/ --live snapshot.yaml -o fields

  # Rendered output, snapshot from a directory
  helm template shop ./chart | threeway diff -f - --live snapshots/

  # For programs
  threeway diff -f deploy/ --live snapshot.yaml -o json`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(slices.Concat(planFlags(), serverSideFlags(), pruneFlags()),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: categoryKubectl, Usage: "`FORMAT`: unified, fields, json, name", Value: "unified"},
			&cli.BoolFlag{Name: "show-managed-fields", Category: categoryKubectl, Usage: "include managedFields in the diff"},
			&cli.IntFlag{Name: "concurrency", Category: categoryKubectl, Usage: "accepted for kubectl's sake; the result is the same at any `N`", Value: 1},
			ignoreManagerFlag(),
			&cli.IntFlag{Name: "unified", Aliases: []string{"U"}, Category: categoryOwn, Usage: "`N` lines of context", Value: 3},
		),
		Action: func(c *cli.Context) error { return runDiff(c, std) },
	}
}

func runDiff(c *cli.Context, std streams) error {
	format := c.String("output")
	write := diffWriters[format]
	if write == nil {
		return usageError("unknown output format %q; known: unified, fields, json, name", format)
	}
	if c.Int("unified") < 0 {
		return usageError("--unified must be 0 or more, not %d", c.Int("unified"))
	}
	p, err := plan(c, std, true)
	if err != nil {
		return err
	}
	if text := p.Ownerless(); format == "fields" && !p.ServerSide && text != "" {
		p.Notes = append(p.Notes, text)
	}
	opts := report.Options{
		ShowSecrets:       c.Bool("show-secrets"),
		ShowManagedFields: c.Bool("show-managed-fields"),
		IgnoreManagers:    c.StringSlice("ignore-manager"),
		Context:           c.Int("unified"),
		Paint:             painter(c.String("color"), std.out),
	}
	var differ bool
	if external := os.Getenv("KUBECTL_EXTERNAL_DIFF"); external != "" && format == "unified" {
		differ, err = externalDiff(c.Context, external, report.Files(p, opts), std)
	} else {
		differ, err = write(std.out, p, opts)
	}
	if err != nil {
		return err
	}
	return finish(c, std, p, opts, differ)
}

var diffWriters = map[string]func(io.Writer, *merge.Plan, report.Options) (bool, error){
	"unified": report.Unified,
	"fields":  report.Fields,
	"json":    report.JSON,
	"name":    report.Differing,
}

// finish prints the rest of the run to stderr and turns it into an exit code:
// trouble is 2, differences are 1.
func finish(c *cli.Context, std streams, p *merge.Plan, opts report.Options, differ bool) error {
	trouble := report.Messages(std.err, p, opts, c.Bool("quiet"))
	if err := p.Failed(); err != nil {
		return usageError("%v", err)
	}
	switch {
	case trouble:
		return &exitError{code: exitUsage}
	case differ && !c.Bool("no-fail"):
		return &exitError{code: exitDifferences}
	}
	return nil
}

// brokenPipe reports whether the reader of stdout has gone away, as in
// `threeway diff … | head`: no reason to complain.
func brokenPipe(err error) bool { return errors.Is(err, errPipe) }
