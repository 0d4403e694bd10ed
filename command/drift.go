package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/report"
)

func driftCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "drift",
		Usage:     "show what changed in the cluster since the last apply, and who changed it",
		ArgsUsage: pathArguments,
		UsageText: "threeway drift [PATH...] | threeway drift [-f MANIFESTS] --live SNAPSHOT [PATH...] [flags]",
		Description: `Lists the fields whose live value differs although the manifest still has the
last-applied value: which manager changed the field, how long before the newest
write in the snapshot, and whether the next apply undoes or keeps the change.
Fields that differ because the manifest changed are only counted. Objects that are
missing from the snapshot are listed. Values of Secrets are masked. Without
manifests, what was applied last is taken for them: last-applied, or with
--applier helm the last revision of the release.

For objects applied server-side, without last-applied, managedFields tells what
was applied: a field that another manager has taken over since has drifted, and
the next apply is rejected with a conflict.

Exit code: 0 no drift, 1 drift, 2 bad input or rejected objects.

Examples:
  # Was the cluster changed by hand?
  threeway drift -f deploy/ --live snapshot.yaml

  # Everything is applied server-side, as the manager deployer
  threeway drift -f deploy/ --live snapshot.yaml --server-side --field-manager deployer

  # Ignore what the autoscalers do
  threeway drift -f deploy/ --live snapshot.yaml --ignore-manager kube-controller-manager

  # Was anything of a release changed since the last helm upgrade?
  threeway drift --live snapshot.yaml --applier helm --release shop -n shop

  # For programs
  threeway drift -f deploy/ --live snapshot.yaml -o json`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(slices.Concat(planFlags(), lookFlags()), sopsFlag(), ignoreManagerFlag(),
			&cli.BoolFlag{Name: "server-side", Category: categoryKubectl, Usage: "use managedFields for objects that have last-applied, too"},
			&cli.StringFlag{Name: "field-manager", Category: categoryKubectl, Usage: "`NAME` of the manager that applies server-side", Value: merge.DefaultManager},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: categoryOwn, Usage: "`FORMAT`: text, json", Value: "text"},
		),
		Action: p.does(runDrift),
	}
}

func runDrift(ctx context.Context, r *Request, std streams) (exitCode, error) {
	format := r.output()
	if format != "text" && format != "json" {
		return 0, fmt.Errorf("unknown output format %q; known: text, json", format)
	}
	if len(r.Live) == 0 {
		return 0, fmt.Errorf("drift needs a snapshot of the cluster: pass it with --live")
	}
	secrets, err := secretsOf(r, r.MaskEnv)
	if err != nil {
		return 0, err
	}
	rehearsal, err := rehearsal(ctx, r, std, true)
	if err != nil {
		return 0, err
	}
	if r.By == nil {
		rehearsal.ServerSide, rehearsal.Manager = nil, ""
	}
	p, err := rehearsed(r, rehearsal)
	if err != nil {
		return 0, err
	}
	p.ByOwners(rehearsal, r.Manager, r.ServerSide != nil)
	p.Notes = append(p.Notes, p.Undoes()...)
	if text := explain.Ownerless(p); text != "" {
		p.Notes = append(p.Notes, text)
	}
	opts := report.Options{Secrets: secrets, ShowSecrets: r.ShowSecrets, IgnoreManagers: r.IgnoreManagers, Paint: painter(r.Color, std.out)}
	var differ bool
	if format == "json" {
		differ, err = report.DriftJSON(std.out, p, opts)
	} else {
		differ, err = report.Drift(std.out, p, rehearsal.Live.NewestWrite, opts)
	}
	if err != nil {
		return 0, err
	}
	trouble := report.Trouble(std.err, p, opts, r.Quiet)
	if !r.Quiet {
		for _, line := range report.DriftSummary(p, opts) {
			fmt.Fprintln(std.err, line)
		}
	}
	return verdict(r, p, trouble, differ)
}
