package snapshot

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/explain"
	"threeway/merge/manifest"
	"threeway/merge/show"
	"threeway/merge/snapshot"
)

func snapshotDiffCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "show what changed in the cluster between two exports, and by whom",
		UsageText: "threeway snapshot diff OLD NEW [-o text|json]",
		Description: `Lists the objects that were created, changed, recreated or deleted from the export
OLD to the export NEW, and for each changed field who changed it, as managedFields
tell. The status and what the server keeps for itself are only counted. What only
one of the exports was asked for is not compared; a note names it. Values of
Secrets are masked.

Exit code: 0 nothing changed, 1 something did, or was not compared, 2 bad input.

Examples:
  threeway snapshot diff monday.tgz tuesday.tgz
  threeway snapshot diff snapshots/prod.yaml must-gather/ -o json

  # Against the snapshot of the last commit
  git show HEAD:prod.yaml | threeway snapshot diff - prod.yaml`,
		Flags: []cli.Flag{
			request.OutputFlag("snapshot diff", request.CategoryOwn),
			&cli.BoolFlag{Name: "show-secrets", Category: request.CategoryKubectl, Usage: "show the values of Secrets unmasked"},
			request.VerboseFlag(),
			request.ColorFlag(),
			&cli.StringFlag{Name: "config", Aliases: []string{"c"}, Category: request.CategoryOwn, Usage: "settings `FILE`; what its secrets choose is masked, too", DefaultText: settings.FileName + " here or in a directory above, up to the top of the repository"},
			&cli.BoolFlag{Name: "no-fail", Category: request.CategoryOwn, Usage: "exit 0 instead of 1"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: request.CategoryOwn, Usage: "print no notes and no summary"},
		},
		Action: p.Does(runSnapshotDiff),
	}
}

func runSnapshotDiff(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	switch {
	case len(r.Args) != 2:
		return 0, fmt.Errorf("snapshot diff compares two exports and got %d; use: threeway snapshot diff OLD NEW", len(r.Args))
	case r.Args[0] == "-" && r.Args[1] == "-":
		return 0, fmt.Errorf("stdin can be read only once: pass - for one of the exports")
	}
	secrets := inputs.SecretsOf(&r.Inputs)
	var exports [2]*manifest.Snapshot
	for i, path := range r.Args {
		if m := request.Named.FindStringSubmatch(path); m != nil {
			if _, err := os.Stat(path); err != nil {
				return 0, fmt.Errorf("snapshot diff takes no names of clusters; pass the path alone: %s", m[2])
			}
		}
		exports[i] = manifest.ReadSnapshot(manifest.Options{Paths: []string{path}, Recursive: true, Stdin: std.In, Limits: r.Limits})
		if err := inputs.Unreadable(exports[i].Problems); err != nil {
			return 0, err
		}
		if err := snapshot.Usable(exports[i], false, []string{path}); err != nil {
			return 0, err
		}
	}
	inputs.Learn(&r.Inputs, nil, exports[:]...)
	found := explain.Between(exports[0], exports[1])
	for _, export := range exports {
		if err := export.Failed(); err != nil {
			return 0, err
		}
	}
	opts := show.Options{Secrets: secrets, ShowSecrets: r.ShowSecrets, Newest: exports[1].NewestWrite, Paint: run.Painter(r.Color, std.Out)}
	err := show.Exports[r.Format()](std.Out, found, opts)
	if err == nil && !r.Quiet {
		show.Say(std.Err, "note: ", slices.Concat(inputs.GatheredNotes(exports[0], r.Verbose), inputs.GatheredNotes(exports[1], r.Verbose), show.BetweenNotes(found))...)
		fmt.Fprintln(std.Err, show.BetweenSummary(found))
	}
	return r.Differs(len(found.Objects) > 0 || !found.Decided()), err
}
