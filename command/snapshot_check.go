package command

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/snapshot"
)

func snapshotCheckCommand(p *program) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "say what an export lacks for a rehearsal",
		UsageText: "threeway snapshot check --live PATH [-f CONFIG] [--max-age DURATION]",
		Description: `Looks for managedFields, last-applied annotations, the kinds, namespaces and
definitions of the config, and how old the export is at most.

Exit code: 0 nothing is lacking, 1 something is, 2 bad input, such as a file
that was cut short.

Examples:
  threeway snapshot check --live snapshot.yaml
  threeway snapshot check -f deploy/ --live snapshot.yaml --max-age 24h`,
		OnUsageError:    badUsage,
		HideHelpCommand: true,
		Flags: append(snapshotFlags(),
			&cli.StringSliceFlag{Name: "live", Category: categoryOwn, Usage: "snapshot `PATH`: file, directory, or - for stdin; repeatable", DefaultText: "that of the config file"},
			verboseFlag(),
			emptyClusterFlag(),
			&cli.DurationFlag{Name: "max-age", Category: categoryOwn, Usage: "how long ago the newest write may be, as `DURATION`: 24h"},
			&cli.BoolFlag{Name: "no-fail", Category: categoryOwn, Usage: "exit 0 where it would be 1"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: categoryOwn, Usage: "no notes and no summary"},
		),
		Action: p.does(runSnapshotCheck),
	}
}

func runSnapshotCheck(ctx context.Context, r *Request, std streams) (exitCode, error) {
	stdin := onlyOnce(std.in, slices.Concat(r.Files, r.Live))
	if stdin == nil {
		return 0, fmt.Errorf("stdin can be read only once: pass - to one of -f and --live")
	}
	opts, err := snapshotOptions(r, std)
	if err != nil {
		return 0, err
	}
	live, err := snapshotLive(r, std)
	if err != nil {
		return 0, err
	}
	opts.EmptyCluster = r.EmptyCluster
	if opts.Config != nil {
		// The rehearsal resolves namespaces, and tells what it knows of the kinds.
		p, err := merge.New(merge.Options{Config: opts.Config, Live: live, EmptyCluster: opts.EmptyCluster, Definitions: opts.Definitions, Minor: opts.Minor})
		if err != nil {
			return 0, err
		}
		opts.Undefined, opts.Unserved = p.Undefined(), p.Unserved()
	}
	report := snapshot.Check(live, opts)
	report.Notes = append(report.Notes, gatheredNotes(live, r.Verbose)...)
	if err := live.Failed(); err != nil {
		return 0, err
	}
	if late := tooOld(live.NewestWrite, r.MaxAge); late != "" {
		report.Gaps = append(report.Gaps, late)
	}
	for _, gap := range report.Gaps {
		fmt.Fprintln(std.out, "lacks "+gap)
	}
	if !r.Quiet {
		for _, note := range report.Notes {
			fmt.Fprintln(std.out, "note: "+note)
		}
		fmt.Fprintln(std.err, snapshotSummary(live, report))
	}
	return r.differs(len(report.Gaps) > 0), nil
}

// snapshotLive reads --live, which must say something of the cluster.
func snapshotLive(r *Request, std streams) (*manifest.Snapshot, error) {
	if len(r.Live) == 0 {
		return nil, fmt.Errorf("must specify --live: the snapshot, a directory of them, or - for stdin")
	}
	live := manifest.ReadSnapshot(manifest.Options{Paths: r.Live, Recursive: true, Stdin: std.in, Limits: r.Limits})
	if err := unreadable(live.Problems); err != nil {
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
		return "times: when it was exported is not known; export with --show-managed-fields"
	case time.Since(written) > oldest:
		return fmt.Sprintf("what was written since %s, its newest write: that is longer ago than --max-age; export again", newest)
	}
	return ""
}

func snapshotSummary(live *manifest.Snapshot, report *snapshot.Report) string {
	text := fmt.Sprintf("objects: %d, kinds: %d, namespaces: %d", len(live.Entries), len(live.Kinds()), len(live.Namespaces()))
	if live.NewestWrite != "" {
		text += ", newest write: " + live.NewestWrite
	}
	if len(report.Gaps) == 0 {
		return text + "; nothing is lacking"
	}
	return fmt.Sprintf("%s; lacking: %d", text, len(report.Gaps))
}
