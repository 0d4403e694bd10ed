package snapshot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/snapshot"
)

func snapshotCheckCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "report what is missing from an export",
		UsageText: "threeway snapshot check --live PATH [-f MANIFESTS] [--max-age DURATION]",
		Description: `Checks that the export has managedFields, last-applied annotations, and the kinds,
namespaces and CustomResourceDefinitions that the manifests need, and, with
--max-age, that its newest write is recent enough.

Exit code: 0 complete, 1 something is missing, 2 bad input, such as a truncated
file.

Examples:
  threeway snapshot check --live snapshot.yaml
  threeway snapshot check -f deploy/ --live snapshot.yaml --max-age 24h`,
		Flags: append(snapshotFlags(),
			&cli.StringSliceFlag{Name: "live", Category: request.CategoryOwn, Usage: "snapshot `PATH`: a file, a directory, or - for stdin; repeatable", DefaultText: "the live entries of .threeway.yaml"},
			request.VerboseFlag(),
			request.EmptyClusterFlag(),
			&cli.DurationFlag{Name: "max-age", Category: request.CategoryOwn, Usage: "report an export whose newest write is older than `DURATION`, such as 24h"},
			&cli.BoolFlag{Name: "no-fail", Category: request.CategoryOwn, Usage: "exit 0 instead of 1"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: request.CategoryOwn, Usage: "print no notes and no summary"},
		),
		Action: p.Does(runSnapshotCheck),
	}
}

func runSnapshotCheck(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	stdin := inputs.OnlyOnce(std.In, slices.Concat(r.Files, r.Live))
	if stdin == nil {
		return 0, fmt.Errorf("stdin can be read only once: pass - to one of -f and --live")
	}
	opts, err := snapshotOptions(ctx, r, std)
	if err != nil {
		return 0, err
	}
	live, err := snapshotLive(r, std)
	if err != nil {
		return 0, err
	}
	opts.EmptyCluster = r.EmptyCluster
	in := merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: opts.Manifests, Live: live, EmptyCluster: opts.EmptyCluster, Definitions: opts.Definitions, Schemas: opts.Schemas}}}
	notes, err := inputs.OnServer(&in, &r.Inputs)
	if err != nil {
		return 0, err
	}
	opts.Minor = in.Minor
	if opts.Manifests != nil {
		// The rehearsal resolves namespaces, and tells what it knows of the kinds.
		p, err := merge.New(in)
		if err != nil {
			return 0, err
		}
		opts.Undefined, opts.Unserved = p.Undefined(), p.Unserved()
	}
	report := snapshot.Check(live, opts)
	report.Notes = slices.Concat(notes, report.Notes, inputs.GatheredNotes(live, r.Verbose))
	if err := live.Failed(); err != nil {
		return 0, err
	}
	if late := tooOld(live.NewestWrite, r.MaxAge); late != "" {
		report.Gaps = append(report.Gaps, late)
	}
	for _, g := range inputs.NotRead(ctx, &r.Inputs) {
		report.Gaps = append(report.Gaps, "what the manifests need: "+g.Text)
	}
	show.Say(std.Out, "missing: ", report.Gaps...)
	if !r.Quiet {
		show.Say(std.Out, "note: ", report.Notes...)
		fmt.Fprintln(std.Err, snapshotSummary(live, report))
	}
	return r.Differs(len(report.Gaps) > 0), nil
}

// snapshotLive reads --live, which must say something of the cluster.
func snapshotLive(r *request.Request, std system.Streams) (*manifest.Snapshot, error) {
	if len(r.Live) == 0 {
		return nil, fmt.Errorf("no snapshot: pass --live with a file, a directory, or - for stdin")
	}
	live := manifest.ReadSnapshot(manifest.Options{Paths: r.Live, Recursive: true, Stdin: std.In, Limits: r.Limits})
	if err := inputs.Unreadable(live.Problems); err != nil {
		return nil, err
	}
	if err := snapshot.Usable(live, r.EmptyCluster, r.Live); err != nil {
		return nil, err
	}
	return live, nil
}

// tooOld says that the newest write is longer ago than it may be.
func tooOld(newest string, oldest time.Duration) string {
	if oldest <= 0 {
		return ""
	}
	written, err := time.Parse(time.RFC3339, newest)
	switch {
	case err != nil:
		return "times: the age of the export is unknown; export with --show-managed-fields"
	case time.Since(written) > oldest:
		return fmt.Sprintf("changes since %s, the newest write, which is longer ago than --max-age; export again", newest)
	}
	return ""
}

func snapshotSummary(live *manifest.Snapshot, report *snapshot.Report) string {
	text := fmt.Sprintf("objects: %d, kinds: %d, namespaces: %d", len(live.Entries), len(live.Kinds()), len(live.Namespaces()))
	if live.NewestWrite != "" {
		text += ", newest write: " + live.NewestWrite
	}
	if len(report.Gaps) == 0 {
		return text + "; no required kind is missing"
	}
	return fmt.Sprintf("%s; missing: %d", text, len(report.Gaps))
}
