// Package snapshot has the commands about exports: how to make, check, redact, pack
// and compare them.
package snapshot

import (
	"context"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/snapshot"
)

// Command is threeway snapshot.
func Command(p *run.Program) *cli.Command {
	print := snapshotCommandsCommand(p)
	return &cli.Command{
		Name:      "snapshot",
		Usage:     "print how to export live objects; check, redact, pack them",
		ArgsUsage: request.PathArguments,
		UsageText: "threeway snapshot [-f MANIFESTS | PATH...] | threeway snapshot check --live PATH | threeway snapshot redact --live PATH -o FILE | threeway snapshot pack --live PATH -o FILE",
		Description: `Without a subcommand, or with "commands", prints the kubectl commands that export
what threeway needs; you run them. "check" reports what is missing from an export.
"redact" replaces the values of Secrets in an export, so that you can commit it.
"pack" makes one redacted file, always the same, out of any export.

Examples:
  # Which commands export what these manifests need?
  threeway snapshot -f deploy/

  # Is the export complete?
  threeway snapshot check -f deploy/ --live snapshot.yaml

  # Make the export safe to commit
  threeway snapshot redact --live snapshot.yaml -o snapshots/prod.yaml`,
		Flags:       print.Flags,
		Action:      print.Action,
		Subcommands: []*cli.Command{print, snapshotCheckCommand(p), snapshotRedactCommand(p), snapshotPackCommand(p)},
	}
}

func snapshotCommandsCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "commands",
		Usage:     "print the kubectl commands that export what threeway needs",
		UsageText: "threeway snapshot commands [-f PATH | PATH...] [--all-kinds] [-o script|rbac]",
		ArgsUsage: request.PathArguments,
		Description: `Exports the kinds of the manifests of -f or .threeway.yaml, and the kinds that
affect how the API server treats them. -o script prints a script for a job, which
also records the kinds that have no objects. -o rbac prints the ClusterRole that
the job needs.

Examples:
  threeway snapshot commands -f deploy/
  threeway snapshot commands -f deploy/ -o script > export.sh
  threeway snapshot commands -f deploy/ -o rbac | kubectl apply -f -`,
		Flags: append(snapshotFlags(),
			&cli.BoolFlag{Name: "all-kinds", Category: request.CategoryOwn, Usage: "export every kind that the cluster serves"},
			request.OutputFlag("snapshot", request.CategoryOwn),
		),
		Action: p.Does(runSnapshotCommands),
	}
}

// snapshotFlags say what a snapshot is for.
func snapshotFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "filename", Aliases: []string{"f"}, Category: request.CategoryKubectl, Usage: "manifests: a `FILE`, a directory, a glob, or - for stdin; repeatable or comma-separated", DefaultText: "the manifests of " + settings.FileName},
		&cli.BoolFlag{Name: "recursive", Aliases: []string{"R"}, Category: request.CategoryKubectl, Usage: "read the directories of -f recursively"},
		request.KustomizeFlag(),
		&cli.StringSliceFlag{Name: "prune", Category: request.CategoryKubectl, Usage: "also export the kinds that --prune deletes; `[=WHAT]` as of 'threeway diff'"},
		&cli.StringSliceFlag{Name: "crd", Category: request.CategoryOwn, Usage: "`PATH` of CustomResourceDefinitions, of a catalog's schemas (GROUP/KIND_VERSION.json), or of OpenAPI v3 of the cluster; repeatable", DefaultText: "crds of " + settings.FileName},
		&cli.StringFlag{Name: "kubernetes-version", Category: request.CategoryOwn, Usage: "the cluster's Kubernetes version, `1.NN`", Value: fmt.Sprintf("1.%d", rehearsal.DefaultMinor)},
		request.ConfigFlag(),
	}
}

// snapshotOptions reads what the request names.
func snapshotOptions(ctx context.Context, r *request.Request, std system.Streams) (snapshot.Options, error) {
	opts := snapshot.Options{Minor: r.Minor, Cores: r.Limits.Cores, By: appliesBy(r.Settings), User: r.Settings.As != ""}
	for _, arg := range r.Args {
		if _, err := os.Stat(arg); err != nil && r.Command == "snapshot" {
			return opts, fmt.Errorf("%w; or pass a path of manifests", settings.Unknown("subcommand", arg, []string{"commands", "check", "redact", "pack"}))
		}
	}
	if len(r.Files)+len(r.Kustomize) > 0 {
		var err error
		if opts.Manifests, err = inputs.Manifests(ctx, &r.Inputs, std, std.In); err != nil {
			return opts, err
		}
		if err := inputs.Unreadable(opts.Manifests.Problems); err != nil {
			return opts, err
		}
		if len(opts.Manifests.Objects) == 0 {
			return opts, fmt.Errorf("no objects in the manifests: check -f and -k")
		}
	}
	var objects []*manifest.Object
	if opts.Manifests != nil {
		objects = opts.Manifests.Objects
	}
	var err error
	if opts.Definitions, opts.Schemas, err = inputs.Kinds(&r.Inputs, objects); err != nil {
		return opts, err
	}
	if r.Prune.Prune {
		opts.Prune = snapshot.DefaultPrune()
	}
	if len(r.Allowlist) > 0 {
		var err error
		if opts.Prune, err = snapshot.PruneOf(r.Allowlist); err != nil {
			return opts, err
		}
	}
	return opts, nil
}

// appliesBy is that by which the program of the settings applies; "" if it is kubectl.
func appliesBy(s *settings.Config) applier.Kind {
	if s.Flux.HelmRelease != "" {
		return applier.HelmRelease
	}
	return map[string]applier.Kind{request.ApplierHelm: applier.Release, request.ApplierArgoCD: applier.Application, request.ApplierFlux: applier.Kustomization}[s.Applier]
}

// exports are what is printed of the objects that are wanted, by format.
var exports = map[string]func([]snapshot.Want) string{"commands": snapshot.Commands, "script": snapshot.Script, "rbac": snapshot.Role}

func runSnapshotCommands(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	format := r.Format()
	opts, err := snapshotOptions(ctx, r, std)
	switch {
	case err != nil:
		return 0, err
	case snapshot.Unservable(opts) != nil:
		o := snapshot.Unservable(opts)
		return 0, fmt.Errorf("%s: no API server can serve a kind %q in %q, so no command exports it; correct the kind, or leave the file out", o.At(), o.Kind.Kind, o.Kind.APIVersion())
	case r.AllKinds || r.ApplySet != "":
		if format != "commands" {
			return 0, fmt.Errorf("-o %s needs to know the kinds, and an ApplySet or --all-kinds can have any; use -o commands", format)
		}
		_, err = fmt.Fprint(std.Out, snapshot.AllKinds)
	default:
		_, err = fmt.Fprint(std.Out, exports[format](snapshot.Wants(opts)))
	}
	if text := show.Incomplete(inputs.NotRead(ctx, &r.Inputs)); text != "" {
		fmt.Fprintln(std.Err, text)
	}
	return system.ExitOK, err
}
