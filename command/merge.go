package command

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge/show"
)

func mergeCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "print the objects that kubectl apply would store, or its patches",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway merge [PATH...] | threeway merge -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
		Description: `Prints the objects as they would be after kubectl apply. -o patch prints the
patch that kubectl would send for each object, -o name what kubectl would print.
Objects that the server would reject are named on stderr, with the server's
message.

Exit code: 0 done, 1 some objects would be rejected, 2 bad input.

Examples:
  # The objects after the apply, like kubectl apply --dry-run=server -o json
  threeway merge -f deploy/ --live snapshot.yaml -o json

  # The patches
  threeway merge -f deploy/ --live snapshot.yaml -o patch

  # kubectl's output, such as "deployment.apps/api configured"
  threeway merge -f deploy/ --live snapshot.yaml -o name

  # Two releases, one after the other
  threeway merge -f v1/ --live snapshot.yaml --then v2/

  # The objects after a move to server-side apply, and who owns their fields
  threeway merge -f deploy/ --live snapshot.yaml --server-side --migrate --show-managed-fields`,
		Flags: append(slices.Concat(request.Without(request.PlanFlags(), "color"), request.ApplierFlags(), request.ServerSideFlags(), request.BaseFlags(), []cli.Flag{request.PruneFlag()}),
			request.SopsFlag(), request.MigrateFlag(), request.NoFailFlag(),
			request.OutputFlag("merge", request.CategoryKubectl),
			&cli.BoolFlag{Name: "show-managed-fields", Category: request.CategoryKubectl, Usage: "keep managedFields"},
			request.ThenFlag(),
			&cli.BoolFlag{Name: "overwrite", Category: request.CategoryApply, Usage: "let the manifest win over changes made in the cluster; with =false such a conflict is an error", Value: true},
		),
		Action: p.Does(runMerge),
	}
}

func runMerge(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	format := r.Format()
	secrets := inputs.SecretsOf(&r.Inputs)
	plans, err := inputs.Sequence(ctx, &r.Inputs, std)
	if err != nil {
		return 0, err
	}
	opts := show.Options{Cores: r.Limits.Cores, Secrets: secrets, ShowSecrets: r.ShowSecrets, ShowManagedFields: r.ShowManagedFields, Apart: format == "json"}
	if err := show.Objects[format](std.Out, plans[len(plans)-1], opts); err != nil {
		return 0, err
	}
	errors, rejected, failed := 0, 0, false
	for _, p := range plans {
		errors, rejected = errors+show.Errors(p.Problems), rejected+show.Count(p, show.Options{}).Rejected
		failed = failed || p.Prune.Error() != ""
		show.Messages(std.Err, p, opts, r.Quiet)
	}
	return run.Verdict(r, plans[0].Failed, errors > 0, rejected > 0 || failed)
}
