package command

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/report"
)

func mergeCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "print the objects, or the patches, as kubectl apply would leave or send them",
		ArgsUsage: pathArguments,
		UsageText: "threeway merge [PATH...] | threeway merge -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
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
			&cli.BoolFlag{Name: "overwrite", Category: categoryKubectl, Usage: "let config win over changes of others; false refuses on conflict", Value: true},
		),
		Action: p.does(runMerge),
	}
}

func runMerge(ctx context.Context, r *Request, std streams) (exitCode, error) {
	format := r.output()
	write := mergeWriters[format]
	if write == nil {
		return 0, fmt.Errorf("unknown output format %q; known: yaml, json, patch, name", format)
	}
	secrets, err := secretsOf(r, r.MaskEnv)
	if err != nil {
		return 0, err
	}
	plans, err := sequence(ctx, r, std)
	if err != nil {
		return 0, err
	}
	opts := report.Options{Cores: r.Limits.Cores, Secrets: secrets, ShowSecrets: r.ShowSecrets, ShowManagedFields: r.ShowManagedFields, Apart: format == "json"}
	if err := write(std.out, plans[len(plans)-1], opts); err != nil {
		return 0, err
	}
	errors, rejected := 0, 0
	for _, p := range plans {
		errors, rejected = errors+report.Errors(p), rejected+report.Count(p).Rejected
		report.Messages(std.err, p, opts, r.Quiet)
	}
	return verdict(r, plans[0], errors > 0, rejected > 0)
}

var mergeWriters = map[string]func(io.Writer, *merge.Plan, report.Options) error{
	"yaml":  report.ObjectsYAML,
	"json":  report.ObjectsJSON,
	"patch": report.Patches,
	"name":  report.Names,
}
