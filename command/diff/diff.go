// Package diff is the command that shows what an apply would change.
package diff

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	lintreport "threeway/lint/report"
	"threeway/merge"
	"threeway/merge/show"
)

// Command is threeway diff.
func Command(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "show what kubectl apply would change, and --prune delete",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway diff [PATH...] | threeway diff -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
		Description: `Prints the difference between the live objects in the snapshot and what the API
server would store after kubectl apply, in kubectl diff's format. Objects that
the server would reject are named on stderr, and the other objects are shown all
the same. The unified format uses KUBECTL_EXTERNAL_DIFF if it is set.

-f and --live default to the manifests and live entries of .threeway.yaml. With
them, the PATHs choose which objects to show; without, the PATHs are the manifests.

Exit code: 0 no differences, 1 differences, or an incomplete plan, which may hide
some, 2 bad input or rejected objects.

Examples:
  # What would change?
  threeway diff -f deploy/ --live snapshot.yaml

  # Field by field, with the reason for each change
  threeway diff -f deploy/ --live snapshot.yaml -o fields

  # Rendered manifests, and snapshots in a directory
  helm template shop ./chart | threeway diff -f - --live snapshots/

  # In a pull request, without a cluster or a snapshot
  threeway diff -f deploy/ --base git:origin/main

  # The same manifests on two clusters
  threeway diff -f deploy/ --live prod-eu=eu.yaml --live prod-us=us.yaml

  # For programs
  threeway diff -f deploy/ --live snapshot.yaml -o json`,
		Flags: append(slices.Concat(request.Without(request.PlanFlags(), "validate"), request.ApplierFlags(), request.ServerSideFlags(), request.BaseFlags(), []cli.Flag{request.PruneFlag()}),
			request.SopsFlag(), request.MigrateFlag(), request.UnifiedFlag(), request.NoFailFlag(), request.IgnoreManagerFlag(),
			&cli.BoolFlag{Name: "show-managed-fields", Category: request.CategoryKubectl, Usage: "include managedFields in the diff"},
			request.ArgoDiffFlag(),
			request.OutputsFlag("diff", request.CategoryKubectl),
			&cli.IntFlag{Name: "width", Category: request.CategoryOwn, Usage: "`COLUMNS` for fields", DefaultText: "the terminal's width; no limit without a terminal"},
		),
		Action: p.Does(runDiff),
	}
}

func runDiff(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	outputs := r.Outputs
	opts, err := run.DiffOptions(r)
	if err != nil {
		return 0, err
	}
	if _, by := r.By.(*request.ArgoCD); r.ArgoDiff && !by {
		return 0, fmt.Errorf("--argo-diff only works with --applier argocd")
	}
	opts.Width = r.Width
	if r.Several() {
		return run.Clusters(ctx, r, std, outputs, func(ctx context.Context, r *request.Request, std system.Streams) (*run.Cluster, error) {
			opts := opts
			p, err := compared(ctx, r, std, outputs, &opts)
			if err != nil {
				return nil, err
			}
			review := &lintreport.Review{Plan: p, Lint: &lint.Result{}, Diff: opts}
			return &run.Cluster{Review: review, Finish: func() (system.ExitCode, error) {
				return run.Verdict(r, p.Failed, show.Messages(std.Err, p, opts, r.Quiet), review.Differs() || p.Gaps.Fails())
			}}, nil
		})
	}
	p, err := compared(ctx, r, std, outputs, &opts)
	if err != nil {
		return 0, err
	}
	differ := false
	err = run.WriteOutputs(r, outputs, std, func(w io.Writer, format string, terminal bool) (err error) {
		opts, some := opts, false
		if terminal {
			opts.Paint = run.Painter(r.Color, w)
			opts.Width = cmp.Or(opts.Width, system.Width(w))
		}
		if external := os.Getenv("KUBECTL_EXTERNAL_DIFF"); external != "" && terminal && format == "unified" {
			some, err = externalDiff(external, show.Files(p, opts), std)
		} else {
			some, err = show.Differences[format](w, p, opts)
		}
		differ = differ || some
		return err
	})
	if err != nil {
		return 0, err
	}
	return run.Verdict(r, p.Failed, show.Messages(std.Err, p, opts, r.Quiet), differ || p.Gaps.Fails())
}

// compared rehearses the apply, and adds to the options what it does to what runs,
// if an output or the summary says that.
func compared(ctx context.Context, r *request.Request, std system.Streams, outputs []request.Output, opts *show.Options) (*merge.Plan, error) {
	in, err := inputs.Read(ctx, &r.Inputs, std)
	if err != nil {
		return nil, err
	}
	p, err := inputs.Rehearsed(&r.Inputs, in)
	if err != nil {
		return nil, err
	}
	if r.ArgoDiff {
		return p.AsShown()
	}
	if !r.Quiet || slices.ContainsFunc(outputs, request.Output.Structured) {
		opts.Digest = digestOf(p, in, *opts)
	}
	if text := show.Ownerless(p.Outcomes); slices.Contains(outputs, request.Output{Format: "fields"}) && !p.ServerSide && text != "" {
		p.Notes = append(p.Notes, text)
	}
	return p, nil
}
