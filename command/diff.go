package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/system"
	"threeway/lint"
	lintreport "threeway/lint/report"
	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/report"
)

func diffCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "show what kubectl apply would change, like kubectl diff",
		ArgsUsage: pathArguments,
		UsageText: "threeway diff [PATH...] | threeway diff -f MANIFESTS --live SNAPSHOT [PATH...] [flags]",
		Description: `Prints the difference between the live objects in the snapshot and what the API
server would store after kubectl apply, in kubectl diff's format. Objects that
the server would reject are named on stderr, and the other objects are shown all
the same. The unified format uses KUBECTL_EXTERNAL_DIFF if it is set.

-f and --live default to the manifests and live entries of .threeway.yaml. With
them, the PATHs choose which objects to show; without, the PATHs are the manifests.

Exit code: 0 no differences, 1 differences, 2 bad input or rejected objects.

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
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(slices.Concat(planFlags(), applierFlags(), serverSideFlags(), pruneFlags(), baseFlags(), []cli.Flag{sopsFlag()}, diffFlags()),
			ignoreManagerFlag(), argoDiffFlag(),
			&cli.StringSliceFlag{Name: "output", Aliases: []string{"o"}, Category: categoryKubectl, Usage: "`FORMAT[=FILE]`: " + strings.Join(report.Formats(), ", ") + "; repeatable", DefaultText: "unified"},
			&cli.IntFlag{Name: "width", Category: categoryOwn, Usage: "`COLUMNS` for side-by-side and fields", DefaultText: "the terminal's width; without a terminal 130 for side-by-side, and no limit for fields"},
		),
		Action: p.does(runDiff),
	}
}

// diffFlags say how differences are shown.
func diffFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "show-managed-fields", Category: categoryKubectl, Usage: "include managedFields in the diff"},
		&cli.BoolFlag{Name: "all-fields", Category: categoryOwn, Usage: "in -o fields and --explain, also show what the cluster itself set, such as allocated addresses and annotations of controllers"},
		&cli.BoolFlag{Name: "explain", Category: categoryOwn, Usage: "after each diff, give the reason for every changed field"},
		&cli.IntFlag{Name: "unified", Aliases: []string{"U"}, Category: categoryOwn, Usage: "show `N` lines of context", Value: 3},
	}
}

// diffOptions reads diffFlags.
func diffOptions(r *Request) (report.Options, error) {
	if r.Context < 0 {
		return report.Options{}, fmt.Errorf("--unified must be 0 or more, not %d", r.Context)
	}
	secrets, err := secretsOf(r, r.MaskEnv)
	if err != nil {
		return report.Options{}, err
	}
	return report.Options{
		Cores:             r.Limits.Cores,
		ShowSecrets:       r.ShowSecrets,
		Secrets:           secrets,
		ShowManagedFields: r.ShowManagedFields,
		IgnoreManagers:    r.IgnoreManagers,
		Context:           r.Context,
		Explain:           r.Explain,
		AllFields:         r.AllFields,
	}, nil
}

func runDiff(ctx context.Context, r *Request, std streams) (exitCode, error) {
	outputs, err := parseOutputs(r.Outputs, report.Formats())
	if err != nil {
		return 0, err
	}
	opts, err := diffOptions(r)
	if err != nil {
		return 0, err
	}
	if _, by := r.By.(*ArgoCD); r.ArgoDiff && !by {
		return 0, fmt.Errorf("--argo-diff only works with --applier argocd")
	}
	opts.Width = r.Width
	if len(r.Clusters) > 0 {
		return runClusters(ctx, r, std, outputs, func(ctx context.Context, r *Request, std streams) (*onCluster, error) {
			opts := opts
			p, err := compared(ctx, r, std, outputs, &opts)
			if err != nil {
				return nil, err
			}
			review := &lintreport.Review{Plan: p, Lint: &lint.Result{}, Diff: opts}
			return &onCluster{review: review, finish: func() (exitCode, error) {
				return verdict(r, p, report.Messages(std.err, p, opts, r.Quiet), review.Differs())
			}}, nil
		})
	}
	p, err := compared(ctx, r, std, outputs, &opts)
	if err != nil {
		return 0, err
	}
	differ := false
	err = writeOutputs(outputs, std, func(w io.Writer, format string, terminal bool) (err error) {
		opts, some := opts, false
		if terminal {
			opts.Paint = painter(r.Color, w)
			opts.Width = cmp.Or(opts.Width, system.Width(w))
		}
		if external := os.Getenv("KUBECTL_EXTERNAL_DIFF"); external != "" && terminal && format == "unified" {
			some, err = externalDiff(external, report.Files(p, opts), std)
		} else {
			some, err = report.ByName(format)(w, p, opts)
		}
		differ = differ || some
		return err
	})
	if err != nil {
		return 0, err
	}
	return verdict(r, p, report.Messages(std.err, p, opts, r.Quiet), differ)
}

// compared rehearses the apply, and adds to the options what it does to what runs,
// if an output or the summary says that.
func compared(ctx context.Context, r *Request, std streams, outputs []output, opts *report.Options) (*merge.Plan, error) {
	in, err := read(ctx, r, std, true)
	if err != nil {
		return nil, err
	}
	p, err := rehearsed(r, in)
	if err != nil {
		return nil, err
	}
	if r.ArgoDiff {
		return p.AsShown()
	}
	if !r.Quiet || slices.ContainsFunc(outputs, output.structured) {
		opts.Impact = impactOf(p, in, *opts)
	}
	if text := explain.Ownerless(p); slices.Contains(outputs, output{format: "fields"}) && !p.ServerSide && text != "" {
		p.Notes = append(p.Notes, text)
	}
	return p, nil
}

// verdict is the exit code of a run: trouble is 2, differences are 1.
func verdict(r *Request, p *merge.Plan, trouble, differ bool) (exitCode, error) {
	if err := p.Failed(); err != nil {
		return exitUsage, err
	}
	if trouble {
		return exitUsage, nil
	}
	return r.differs(differ), nil
}
