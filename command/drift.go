package command

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/report"
)

func driftCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "drift",
		Usage:     "say where live has moved since the last apply, and by whom",
		ArgsUsage: pathArguments,
		UsageText: "threeway drift [PATH...] | threeway drift -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
		Description: `Lists the fields in which the config is still as last applied and live is not,
with who wrote them, how long before the newest write in the snapshot, and
whether the next apply undoes that or keeps it. Fields that differ because the
config has changed are counted only. An object that is not in the snapshot is
named. Secrets are masked.

Of an object without last-applied that was applied server-side, the owners in
managedFields tell what was applied: what others have taken since has drifted,
and the next apply is refused for it.

Exit code: 0 no drift, 1 drift, 2 bad input or rejected objects.

Examples:
  # Has anybody changed the cluster by hand?
  threeway drift -f deploy/ --live snapshot.yaml

  # Where everything is applied server-side, by another name
  threeway drift -f deploy/ --live snapshot.yaml --server-side --field-manager deployer

  # But for what the autoscalers do
  threeway drift -f deploy/ --live snapshot.yaml --ignore-manager kube-controller-manager

  # For programs
  threeway drift -f deploy/ --live snapshot.yaml -o json`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(planFlags(), ignoreManagerFlag(),
			&cli.BoolFlag{Name: "server-side", Category: categoryKubectl, Usage: "go by the owners of fields in objects with last-applied too"},
			&cli.StringFlag{Name: "field-manager", Category: categoryKubectl, Usage: "`NAME` that applies server-side", Value: merge.DefaultManager},
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
		return 0, fmt.Errorf("drift compares with the cluster: pass its snapshot with --live")
	}
	secrets, err := secretsOf(r, r.MaskEnv)
	if err != nil {
		return 0, err
	}
	rehearsal, err := rehearsal(ctx, r, std, true)
	if err != nil {
		return 0, err
	}
	rehearsal.ServerSide, rehearsal.Manager = nil, ""
	p, err := rehearsed(r, rehearsal)
	if err != nil {
		return 0, err
	}
	p.ByOwners(rehearsal, r.Manager, r.ServerSide != nil)
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
