package command

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/report"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

func ownersCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:      "owners",
		Usage:     "say who owns which field",
		UsageText: "threeway owners -f SNAPSHOT [PATH] | threeway owners -f CONFIG --live SNAPSHOT [PATH]",
		ArgsUsage: "[PATH]",
		Description: `Without --live, -f is a snapshot: prints for each field who owns it, by what
operation, through which subresource, and how long before the newest write in
the snapshot. With --live, -f is a config: prints which of its fields somebody
else owns, and whether an apply takes them (the config has another value) or
shares them (it has the same). PATH narrows it to a field and what lies in it.
No values are printed. The snapshot needs its managedFields:
` + merge.ExportManagers + `

Exit code: 0, 2 bad input.

Examples:
  # Who owns what?
  threeway owners -f snapshot.yaml

  # Who scales?
  threeway owners -f snapshot.yaml spec.replicas

  # What would a move to server-side apply run into?
  threeway owners -f deploy/ --live snapshot.yaml --server-side`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(planFlags(),
			&cli.BoolFlag{Name: "server-side", Category: categoryKubectl, Usage: "ask for a server-side apply of the config"},
			&cli.StringFlag{Name: "field-manager", Category: categoryKubectl, Usage: "`NAME` to apply as", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: categoryOwn, Usage: "`FORMAT`: text, json", Value: "text"},
		),
		Action: func(c *cli.Context) error { return runOwners(c, std) },
	}
}

func runOwners(c *cli.Context, std streams) error {
	format := c.String("output")
	if format != "text" && format != "json" {
		return usageError("unknown output format %q; known: text, json", format)
	}
	if c.Args().Len() > 1 {
		return usageError("unexpected argument %q; owners takes one PATH", c.Args().Get(1))
	}
	below, err := fieldpath.Parse(c.Args().First())
	if err != nil {
		return usageError("%q is no path: %v; write spec.template.spec.containers[name=web].image", c.Args().First(), err)
	}
	secrets, err := secretsOf(c, c.StringSlice("mask-env"))
	if err != nil {
		return err
	}
	if c.Bool("show-secrets") {
		secrets = nil
	}
	find, nobody := ownersOf, "nobody owns"
	if c.IsSet("live") {
		find, nobody = contestedBy, "nobody else owns"
	}
	objects, live, err := find(c, std, below, secrets)
	if err != nil {
		return err
	}
	if format == "json" {
		err = report.OwnersJSON(std.out, objects)
	} else {
		err = report.Owners(std.out, objects, live.NewestWrite, report.Options{Paint: painter(c.String("color"), std.out)})
	}
	if err != nil {
		return err
	}
	bare := 0
	for o := range live.Objects() {
		if !merge.HasManagers(o.Tree) {
			bare++
		}
	}
	if err := live.Failed(); err != nil {
		return usageError("%v", err)
	}
	if path := c.Args().First(); path != "" && !slices.ContainsFunc(objects, report.Ownership.Found) && !c.Bool("quiet") {
		fmt.Fprintf(std.err, "note: %s %s in any object; PATH is a field, such as spec.replicas\n", nobody, path)
	}
	if bare > 0 && !c.Bool("quiet") {
		fmt.Fprintf(std.err, "note: %d of %d live objects have no managedFields, so that their owners are unknown; export them with: %s\n", bare, len(live.Entries), merge.ExportManagers)
	}
	return nil
}

// ownersOf lists the owners in the snapshot that -f names.
func ownersOf(c *cli.Context, std streams, below fieldpath.Path, secrets *mask.Policy) ([]report.Ownership, *manifest.Snapshot, error) {
	if err := checkArguments(c); err != nil {
		return nil, nil, err
	}
	match, err := selector.Parse(c.String("selector"))
	if err != nil {
		return nil, nil, usageError("%v", err)
	}
	live := manifest.ReadSnapshot(manifest.Options{Paths: split(c.StringSlice("filename")), Recursive: true, Stdin: std.in})
	if err := unreadable(live.Problems); err != nil {
		return nil, nil, err
	}
	if len(live.Entries) == 0 && !c.Bool("allow-empty") {
		return nil, nil, usageError("no objects in the snapshot; check -f, or pass --allow-empty")
	}
	var objects []report.Ownership
	for o := range live.Objects() {
		if c.IsSet("namespace") && o.Namespace != c.String("namespace") || !match.Matches(tree.Map(o.Tree, "metadata", "labels")) {
			continue
		}
		objects = append(objects, report.Ownership{Object: o, Fields: merge.Owners(secrets.Object(o.Tree), below)})
	}
	return objects, live, nil
}

// contestedBy lists the fields of the config in -f that others own in --live.
func contestedBy(c *cli.Context, std streams, below fieldpath.Path, secrets *mask.Policy) ([]report.Ownership, *manifest.Snapshot, error) {
	opts, err := planOptions(c, std)
	if err != nil {
		return nil, nil, err
	}
	opts.Manager = c.String("field-manager")
	if opts.ServerSide, err = serverSide(c); err != nil {
		return nil, nil, err
	}
	p, err := rehearsed(c, opts)
	if err != nil {
		return nil, nil, err
	}
	if err := unreadable(p.Problems); err != nil {
		return nil, nil, err
	}
	var objects []report.Ownership
	for _, o := range p.Outcomes {
		contested, err := o.Contested()
		one := report.Ownership{Object: o.Config}
		if err != nil {
			one.Refusal = "cannot be merged with the live object; threeway diff --server-side says why"
			fmt.Fprintf(std.err, "note: %s %s\n", o.Identity(), one.Refusal)
		}
		for _, f := range contested {
			last := len(one.Contested) - 1
			f.Path = secrets.Path(o.Config.Tree, f.Path)
			if f.Path.HasPrefix(below) && (last < 0 || !one.Contested[last].Path.Equal(f.Path)) {
				one.Contested = append(one.Contested, f)
			}
		}
		objects = append(objects, one)
	}
	return objects, opts.Live, nil
}
