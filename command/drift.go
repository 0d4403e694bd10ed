package command

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/report"
)

func driftCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "drift",
		Usage:     "say where live has moved since the last apply, and by whom",
		UsageText: "threeway drift -f CONFIG --live SNAPSHOT [flags]",
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
		Action: func(c *cli.Context) error { return runDrift(c, std) },
	}
}

func runDrift(c *cli.Context, std streams) error {
	format := c.String("output")
	if format != "text" && format != "json" {
		return usageError("unknown output format %q; known: text, json", format)
	}
	if !c.IsSet("live") {
		return usageError("drift compares with the cluster: pass its snapshot with --live")
	}
	secrets, err := secretsOf(c, c.StringSlice("mask-env"))
	if err != nil {
		return err
	}
	rehearsal, err := rehearsal(c, std, true)
	if err != nil {
		return err
	}
	rehearsal.ServerSide, rehearsal.Manager = nil, ""
	p, err := rehearsed(c, rehearsal)
	if err != nil {
		return err
	}
	p.ByOwners(rehearsal, c.String("field-manager"), c.Bool("server-side"))
	if text := p.Ownerless(); text != "" {
		p.Notes = append(p.Notes, text)
	}
	opts := report.Options{Secrets: secrets, ShowSecrets: c.Bool("show-secrets"), IgnoreManagers: c.StringSlice("ignore-manager"), Paint: painter(c.String("color"), std.out)}
	var differ bool
	if format == "json" {
		differ, err = report.DriftJSON(std.out, p, opts)
	} else {
		differ, err = report.Drift(std.out, p, rehearsal.Live.NewestWrite, opts)
	}
	if err != nil {
		return err
	}
	trouble := report.Trouble(std.err, p, opts, c.Bool("quiet"))
	if !c.Bool("quiet") {
		for _, line := range report.DriftSummary(p, opts) {
			fmt.Fprintln(std.err, line)
		}
	}
	return verdict(c, p, trouble, differ)
}
