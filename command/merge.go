package command

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/report"
)

func mergeCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "print the objects, or the patches, as kubectl apply would leave or send them",
		UsageText: "threeway merge -f CONFIG --live SNAPSHOT [flags]",
		Description: `Prints the objects as they would be after kubectl apply, or the patch that
kubectl would send for each, or kubectl's own lines. Nothing is written
anywhere. Objects that the server would reject are named on stderr, in its
words.

Exit code: 0, 1 if objects would be rejected, 2 bad input.

Examples:
  # The objects after the apply, as kubectl apply --dry-run=server -o json
  threeway merge -f deploy/ --live snapshot.yaml -o json

  # The patches
  threeway merge -f deploy/ --live snapshot.yaml -o patch

  # deployment.apps/api configured
  threeway merge -f deploy/ --live snapshot.yaml -o name

  # Two releases, one after the other
  threeway merge -f v1/ --live snapshot.yaml --then v2/

  # What the move to server-side apply leaves, and who owns it then
  threeway merge -f deploy/ --live snapshot.yaml --server-side --migrate --show-managed-fields`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(slices.Concat(planFlags(), serverSideFlags(), pruneFlags(), baseFlags()),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: categoryKubectl, Usage: "`FORMAT`: yaml, json, patch, name", Value: "yaml"},
			&cli.BoolFlag{Name: "show-managed-fields", Category: categoryKubectl, Usage: "keep managedFields"},
			thenFlag(),
			&cli.StringFlag{Name: "validate", Category: categoryKubectl, Usage: "unknown fields: `MODE` strict (or true) rejects, warn and ignore (or false) drop them", Value: "strict"},
			&cli.BoolFlag{Name: "overwrite", Category: categoryKubectl, Usage: "let config win over changes of others; false refuses on conflict", Value: true},
		),
		Action: func(c *cli.Context) error { return runMerge(c, std) },
	}
}

func runMerge(c *cli.Context, std streams) error {
	format := c.String("output")
	write := mergeWriters[format]
	if write == nil {
		return usageError("unknown output format %q; known: yaml, json, patch, name", format)
	}
	secrets, err := secretsOf(c, c.StringSlice("mask-env"))
	if err != nil {
		return err
	}
	plans, err := sequence(c, std)
	if err != nil {
		return err
	}
	opts := report.Options{Secrets: secrets, ShowSecrets: c.Bool("show-secrets"), ShowManagedFields: c.Bool("show-managed-fields")}
	if err := write(std.out, plans[len(plans)-1], opts); err != nil {
		return err
	}
	errors, rejected := 0, 0
	for _, p := range plans {
		errors, rejected = errors+report.Errors(p), rejected+report.Count(p).Rejected
		report.Messages(std.err, p, opts, c.Bool("quiet"))
	}
	if err := plans[0].Failed(); err != nil {
		return usageError("%v", err)
	}
	switch {
	case errors > 0:
		return &exitError{code: exitUsage}
	case rejected > 0 && !c.Bool("no-fail"):
		return &exitError{code: exitDifferences}
	}
	return nil
}

var mergeWriters = map[string]func(io.Writer, *merge.Plan, report.Options) error{
	"yaml":  report.ObjectsYAML,
	"json":  report.ObjectsJSON,
	"patch": report.Patches,
	"name":  report.Names,
}
