package command

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/schema"
	"threeway/merge/snapshot"
	"threeway/rules"
)

func snapshotCommand(std streams) *cli.Command {
	print := snapshotCommandsCommand(std)
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
		Subcommands:     []*cli.Command{print, snapshotCheckCommand(std), snapshotRedactCommand(std)},
	}
}

func snapshotCommandsCommand(std streams) *cli.Command {
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
		Action: func(c *cli.Context) error { return runSnapshotCommands(c, std) },
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
		&cli.StringFlag{Name: "config", Aliases: []string{"c"}, Category: categoryOwn, Usage: "config `FILE`", DefaultText: settings.FileName + ", up to the top of the repository"},
	}
}

// snapshotOptions reads what the flags and the config file name.
func snapshotOptions(c *cli.Context, std streams) (*cli.Context, snapshot.Options, error) {
	var opts snapshot.Options
	if arg := c.Args().First(); arg != "" {
		if c.Command.Name == "snapshot" {
			return nil, opts, usageError("unknown subcommand %q; known: commands, check, redact", arg)
		}
		return nil, opts, usageError("unexpected argument %q; see '%s --help'", arg, c.Command.HelpName)
	}
	cfg, err := lintConfig(c, rules.All())
	if err != nil {
		return nil, opts, err
	}
	if c, _, err = settle(c, cfg); err != nil {
		return nil, opts, err
	}
	if opts.Minor, err = minor(c.String("kubernetes-version")); err != nil {
		return nil, opts, err
	}
	if paths := split(c.StringSlice("filename")); len(paths) > 0 {
		opts.Config = manifest.Read(manifest.Options{Paths: paths, Recursive: c.Bool("recursive"), Stdin: std.in})
		if err := unreadable(opts.Config.Problems); err != nil {
			return nil, opts, err
		}
	}
	crds := manifest.ReadSnapshot(manifest.Options{Paths: c.StringSlice("crd"), Recursive: true})
	if err := unreadable(crds.Problems); err != nil {
		return nil, opts, err
	}
	opts.Definitions = slices.Collect(crds.Objects())
	if c.Bool("prune") {
		opts.Prune = snapshot.DefaultPrune()
	}
	if allowlist := c.StringSlice("prune-allowlist"); len(allowlist) > 0 {
		kinds, err := prune.ParseKinds(allowlist, func(schema.Kind) (bool, bool) { return false, true })
		if err != nil {
			return nil, opts, usageError("%v", err)
		}
		opts.Prune = nil
		for _, k := range kinds {
			opts.Prune = append(opts.Prune, k.Kind)
		}
	}
	return c, opts, nil
}

func runSnapshotCommands(c *cli.Context, std streams) error {
	write := map[string]func([]snapshot.Want) string{"commands": snapshot.Commands, "script": snapshot.Script, "rbac": snapshot.Role}[c.String("output")]
	if write == nil {
		return usageError("unknown output format %q; known: commands, script, rbac", c.String("output"))
	}
	all := c.Bool("all-kinds")
	c, opts, err := snapshotOptions(c, std)
	switch {
	case err != nil:
		return err
	case all || c.String("applyset") != "":
		if c.String("output") != "commands" {
			return usageError("-o %s is for known kinds; an ApplySet and --all-kinds may have any", c.String("output"))
		}
		_, err = fmt.Fprint(std.out, snapshot.AllKinds)
	default:
		_, err = fmt.Fprint(std.out, write(snapshot.Wants(opts)))
	}
	return err
}
