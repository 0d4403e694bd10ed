package command

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge/show"
	"threeway/merge/workflow"
)

// moveFlags are those of handover --to, besides those of field handovers.
func moveFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "to", Category: request.CategoryOwn, Usage: "move all objects to `APPLIER`: kubectl, helm with --release, argocd with --app, or flux with --kustomization"},
		&cli.BoolFlag{Name: "force-conflicts", Category: request.CategoryApply, Usage: "with --to helm, and --to kubectl --server-side: take over fields of other managers"},
	}
}

// runMove says what the first run of another applier does to the objects, and the steps
// before and after it.
func runMove(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	if err := checkMove(r); err != nil {
		return 0, err
	}
	secrets := inputs.SecretsOf(&r.Inputs)
	opts, err := inputs.Read(ctx, &r.Inputs, std)
	if err != nil {
		return 0, err
	}
	if opts.By == nil && opts.ServerSide != nil {
		opts.ServerSide.Migrate = true // as a real apply does
	}
	p, err := inputs.Rehearsed(&r.Inputs, opts)
	if err != nil {
		return 0, err
	}
	m := workflow.MoveTo(p, opts.Live, run.ApplyCommand(r, p.By))
	shown := show.Options{Secrets: secrets, ShowSecrets: r.ShowSecrets, Paint: run.Painter(r.Color, std.Out)}
	if err := show.Moves[r.Format()](std.Out, p, m, shown); err != nil {
		return 0, err
	}
	trouble := show.Trouble(std.Err, p, shown, r.Quiet)
	if !r.Quiet {
		for _, line := range show.MoveSummary(p, m, shown) {
			fmt.Fprintln(std.Err, line)
		}
	}
	return run.Verdict(r, p.Failed, trouble, false)
}

func checkMove(r *request.Request) error {
	switch {
	case len(r.Args) > 0:
		return fmt.Errorf("unexpected argument %q; --to %s moves whole objects; without --to, handover moves the field that you name", r.Args[0], r.MoveTo)
	case isHelmRelease(r.By):
		return fmt.Errorf("a HelmRelease takes over a release of Helm without a move, at its first reconciliation; see what that changes with threeway diff --applier flux --helmrelease")
	case len(r.Live) == 0:
		return fmt.Errorf("handover needs a snapshot of the live objects: pass it with --live")
	}
	return nil
}

func isHelmRelease(by request.OtherApplier) bool {
	_, is := by.(*request.HelmRelease)
	return is
}
