package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/schema"
	"threeway/merge/snapshot"
)

func snapshotCommand(p *program) *cli.Command {
	print := snapshotCommandsCommand(p)
	return &cli.Command{
		Name:      "snapshot",
		Usage:     "say how to export the live objects, what an export lacks, and redact it",
		UsageText: "threeway snapshot [-f CONFIG] | threeway snapshot check --live PATH | threeway snapshot redact --live PATH -o FILE",
		Description: `Without a subcommand, or with "commands", prints the kubectl commands that
export what a rehearsal needs. "check" says what an export lacks. "redact"
replaces the values of Secrets, so that it can be committed. Nothing is run.

Examples:
  # What to export for this config
  threeway snapshot -f deploy/

  # Can an apply be rehearsed on it?
  threeway snapshot check -f deploy/ --live snapshot.yaml

  # So that it can be committed
  threeway snapshot redact --live snapshot.yaml -o snapshots/prod.yaml`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags:           print.Flags,
		Action:          print.Action,
		Subcommands:     []*cli.Command{print, snapshotCheckCommand(p), snapshotRedactCommand(p)},
	}
}

func snapshotCommandsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "commands",
		Usage:     "print the commands that export what a rehearsal needs",
		UsageText: "threeway snapshot commands [-f CONFIG] [--all-kinds] [-o script|rbac]",
		Description: `Chooses the kinds of the config, of -f or of .threeway.yaml, and those that
have a say in what becomes of them. -o script is for a job: it also writes down
of which kinds there are no objects. -o rbac is the ClusterRole for it.

Examples:
  threeway snapshot commands -f deploy/
  threeway snapshot commands -f deploy/ -o script > export.sh
  threeway snapshot commands -f deploy/ -o rbac | kubectl apply -f -`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(snapshotFlags(),
			&cli.BoolFlag{Name: "all-kinds", Category: categoryOwn, Usage: "export every kind of the cluster"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: categoryOwn, Usage: "`FORMAT`: commands, script, rbac", Value: "commands"},
		),
		Action: p.does(runSnapshotCommands),
	}
}

// snapshotFlags say what a snapshot is for.
func snapshotFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "filename", Aliases: []string{"f"}, Category: categoryKubectl, Usage: "config `FILE`, directory, glob, or - for stdin; repeatable, commas separate", DefaultText: "the manifests of " + settings.FileName},
		&cli.BoolFlag{Name: "recursive", Aliases: []string{"R"}, Category: categoryKubectl, Usage: "enter the directories of -f"},
		&cli.BoolFlag{Name: "prune", Category: categoryKubectl, Usage: "with what --prune looks at"},
		&cli.StringSliceFlag{Name: "prune-allowlist", Category: categoryKubectl, Usage: "`GROUP/VERSION/KIND` to prune instead of the default kinds; repeatable"},
		&cli.StringFlag{Name: "applyset", Category: categoryKubectl, Usage: "prune the members of the ApplySet with the parent `[RESOURCE][.GROUP]/NAME`"},
		&cli.StringSliceFlag{Name: "crd", Category: categoryOwn, Usage: "`PATH` of CustomResourceDefinitions of the cluster"},
		&cli.StringFlag{Name: "kubernetes-version", Category: categoryOwn, Usage: "that of the cluster, `1.NN`", Value: fmt.Sprintf("1.%d", merge.NewestMinor)},
		maxInputFlag(),
		configFlag(),
	}
}

// snapshotOptions reads what the request names.
func snapshotOptions(r *Request, std streams) (snapshot.Options, error) {
	opts := snapshot.Options{Minor: r.Minor}
	if len(r.Args) > 0 {
		if r.Command == "snapshot" {
			return opts, fmt.Errorf("unknown subcommand %q; known: commands, check, redact", r.Args[0])
		}
		return opts, fmt.Errorf("unexpected argument %q; see 'threeway snapshot %s --help'", r.Args[0], r.Command)
	}
	if len(r.Files) > 0 {
		opts.Config = manifest.Read(manifest.Options{Paths: r.Files, Recursive: r.Recursive, Stdin: std.in, Limits: r.Limits})
		if err := unreadable(opts.Config.Problems); err != nil {
			return opts, err
		}
	}
	crds := manifest.ReadSnapshot(manifest.Options{Paths: r.Definitions, Recursive: true, Limits: r.Limits})
	if err := unreadable(crds.Problems); err != nil {
		return opts, err
	}
	opts.Definitions = slices.Collect(crds.Objects())
	if r.Prune.Prune {
		opts.Prune = snapshot.DefaultPrune()
	}
	if len(r.Allowlist) > 0 {
		kinds, err := prune.ParseKinds(r.Allowlist, func(schema.Kind) (bool, bool) { return false, true })
		if err != nil {
			return opts, err
		}
		opts.Prune = nil
		for _, k := range kinds {
			opts.Prune = append(opts.Prune, k.Kind)
		}
	}
	return opts, nil
}

func runSnapshotCommands(ctx context.Context, r *Request, std streams) (exitCode, error) {
	write := map[string]func([]snapshot.Want) string{"commands": snapshot.Commands, "script": snapshot.Script, "rbac": snapshot.Role}[r.output()]
	if write == nil {
		return 0, fmt.Errorf("unknown output format %q; known: commands, script, rbac", r.output())
	}
	opts, err := snapshotOptions(r, std)
	switch {
	case err != nil:
		return 0, err
	case r.AllKinds || r.ApplySet != "":
		if r.output() != "commands" {
			return 0, fmt.Errorf("-o %s is for known kinds; an ApplySet and --all-kinds may have any", r.output())
		}
		_, err = fmt.Fprint(std.out, snapshot.AllKinds)
	default:
		_, err = fmt.Fprint(std.out, write(snapshot.Wants(opts)))
	}
	return exitOK, err
}
