package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
)

func driftCommand(p *run.Program) *cli.Command {
	output := request.OutputFlag("drift", request.CategoryOwn)
	output.Usage += "; wide equals text"
	return &cli.Command{
		Name:      "drift",
		Usage:     "show what changed in the cluster since the last apply, and by whom",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway drift SNAPSHOT | threeway drift [-f MANIFESTS] --live SNAPSHOT [PATH...] [flags]",
		Description: `Lists the fields whose live value differs although the manifest still has the
last-applied value, the newest first: which manager changed the field, when, and
whether the next apply undoes or keeps the change. Fields that differ because the manifest changed are only counted.
Objects that are missing from the snapshot, or that cannot be judged, are listed.
Values of Secrets are masked.

Without manifests, what was applied last is taken for them: last-applied, or with
--applier helm the last revision of the release. Of objects that were applied
without it, server-side or by Helm, Argo CD or Flux, managedFields tell who changed
what after the apply.

Drift does not depend on whether the next apply is accepted: a change that
it would revert if it were accepted is marked rejected.

Exit code: 0 no drift, 1 drift or an object that cannot be judged, 2 bad input or
rejected objects.

Examples:
  # Was the cluster changed by hand?
  threeway drift -f deploy/ --live snapshot.yaml

  # What was changed in the last day?
  threeway drift --live snapshot.yaml --since 24h

  # Everything is applied server-side
  threeway drift -f deploy/ --live snapshot.yaml --server-side

  # Ignore what the autoscalers do
  threeway drift -f deploy/ --live snapshot.yaml --ignore-manager kube-controller-manager

  # Was anything of a release changed since the last helm upgrade?
  threeway drift --live snapshot.yaml --applier helm --release shop -n shop

  # For programs
  threeway drift -f deploy/ --live snapshot.yaml -o json`,
		Flags: append(slices.Concat(request.Without(request.PlanFlags(), "validate"), request.LookFlags()), request.SopsFlag(), request.NoFailFlag(), request.IgnoreManagerFlag(),
			&cli.BoolFlag{Name: "server-side", Category: request.CategoryApply, Usage: "use managedFields for objects that have last-applied, too"},
			&cli.StringFlag{Name: "field-manager", Category: request.CategoryApply, Usage: "`NAME` of the manager that applies server-side", Value: rehearsal.DefaultManager},
			output,
			&cli.DurationFlag{Name: "since", Category: request.CategoryOwn, Usage: "only what was written within `DURATION` before the newest write in the snapshot, such as 24h"},
		),
		Action: p.Does(runDrift),
	}
}

func runDrift(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	format := r.Format()
	if len(r.Live) == 0 {
		typed := []shell.Arg{shell.File("--live", "snapshot.yaml")}
		switch {
		case len(r.Args) != 1:
		case (disk.Files{}).IsDir(r.Args[0]) && !request.Exported(r.Args):
			typed = append([]shell.Arg{shell.File("-f", r.Args[0])}, typed...)
		default:
			typed[0] = shell.File("--live", r.Args[0])
		}
		return 0, fmt.Errorf("drift needs a snapshot of the cluster: pass it with --live, as in %s", shell.Line("threeway drift", typed...))
	}
	secrets := inputs.SecretsOf(&r.Inputs)
	in, err := inputs.Read(ctx, &r.Inputs, std)
	if err != nil {
		return 0, err
	}
	if r.By == nil {
		in.ServerSide, in.Manager = nil, ""
	}
	p, err := inputs.Rehearsed(&r.Inputs, in)
	if err != nil {
		return 0, err
	}
	p.ByOwners(in, r.Manager, r.ServerSide != nil)
	p.Notes = append(p.Notes, p.By.Undoes()...)
	if r.AsApplied {
		live, unapplied := inputs.WithoutManifest(&r.Inputs, in, p)
		p.Standing(live)
		switch {
		case len(p.Outcomes) == 0 && len(p.Problems) == 0:
			return 0, fmt.Errorf("no program has applied any of these live objects: check --live, -n and -l, or pass the manifests with -f")
		case unapplied > 0:
			p.Notes = append(p.Notes, phrase.Count(unapplied, "live object is", "live objects are")+" applied by no tool, and so not compared")
		}
	}
	opts := show.Options{Secrets: secrets, ShowSecrets: r.ShowSecrets, IgnoreManagers: r.IgnoreManagers, Paint: run.Painter(r.Color, std.Out),
		Newest: in.Live.NewestWrite, Since: r.Since, ManifestsGiven: !r.AsApplied, Width: system.Width(std.Out)}
	differ, err := show.Drifts[format](std.Out, p, opts)
	if err != nil {
		return 0, err
	}
	trouble := show.Trouble(std.Err, p, opts, r.Quiet)
	if !r.Quiet {
		for _, line := range show.DriftSummary(p, opts) {
			fmt.Fprintln(std.Err, line)
		}
	}
	return run.Verdict(r, p.Failed, trouble, differ)
}
