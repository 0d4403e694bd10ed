package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/merge/manifest"
	"threeway/merge/redact"
	"threeway/merge/text/archive"
)

func snapshotPackCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "pack",
		Usage:     "make one redacted file, always the same, out of any export",
		UsageText: "threeway snapshot pack --live PATH [-o FILE] [--key-file FILE]",
		Description: `Writes the objects of an export, which may be a directory or an archive of any
program, as one YAML file: sorted by kind, namespace and name, keys sorted, values
of Secrets and copies of them replaced as "snapshot redact" does. With the same
key, the same objects give the same bytes. FILE is compressed if its name ends in
.gz or .zst. It is readable only by you, and never partly written.

In git, prefer a file that is not compressed: git compresses it, and stores only
the lines that change.

Exit code: 0 done, 1 copies are kept, 2 bad input.

Examples:
  threeway snapshot pack --live must-gather.tar.gz --key-file key -o prod.yaml
  threeway snapshot pack --live exports/ -o prod.yaml.zst`,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "live", Category: request.CategoryOwn, Usage: "snapshot `PATH`: a file, a directory, an archive, or - for stdin; repeatable"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: request.CategoryOwn, Usage: "`FILE` to write: .yaml, .yaml.gz or .yaml.zst", DefaultText: "stdout"},
			request.KeyFlag(),
			keepCopiesFlag(),
			&cli.StringSliceFlag{Name: "env", Category: request.CategoryOwn, Usage: "also redact environment variables whose names match `PATTERN`, such as '*PASSWORD*'; 'known' stands for the usual names; repeatable"},
			request.VerboseFlag(),
			&cli.StringFlag{Name: "config", Aliases: []string{"c"}, Category: request.CategoryOwn, Usage: "settings `FILE`; what its secrets choose is redacted, too", DefaultText: settings.FileName + " here or in a directory above, up to the top of the repository"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: request.CategoryOwn, Usage: "print no notes and no summary"},
		},
		Action: p.Does(runSnapshotPack),
	}
}

func runSnapshotPack(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	file := r.Destination()
	if file == "-" {
		file = ""
	}
	switch filepath.Ext(file) {
	case ".json", ".tar", ".tgz", ".zip":
		return 0, fmt.Errorf("-o %s: snapshot pack writes YAML; end the name in .yaml, .yaml.gz or .yaml.zst", file)
	}
	if len(r.Args) > 0 {
		return 0, fmt.Errorf("unexpected argument %q; pass the snapshot with --live", r.Args[0])
	}
	redactor, err := redactorOf(r)
	if err != nil {
		return 0, err
	}
	live, err := snapshotLive(r, std)
	if err != nil {
		return 0, err
	}
	text, left, err := packed(r, redactor, live, false)
	if err == nil && len(left) > 0 && !r.KeepCopies {
		// Only after the last object is it known which values must not be left.
		redactor.Values = 0
		if text, left, err = packed(r, redactor, live, true); err == nil {
			err = refused(left)
		}
	}
	if err != nil {
		return 0, err
	}
	write := func(out io.Writer) error { return compressed(file, out, text) }
	if file == "" {
		err = write(std.Out)
	} else if err = system.WritePrivately(file, write); err != nil {
		err = fmt.Errorf("write the snapshot: %v", err)
	}
	if err != nil || r.Quiet {
		return tellRedacted(std.Err, r, redactor, left), err
	}
	for _, note := range inputs.GatheredNotes(live, r.Verbose) {
		fmt.Fprintln(std.Err, "note: "+note)
	}
	if r.KeyFile == "" && os.Getenv(request.KeyVariable) == "" && redactor.Values > 0 {
		fmt.Fprintf(std.Err, "note: without a key, redacted values are different in each file; --key-file keeps them the same\n")
	}
	return tellRedacted(std.Err, r, redactor, left), nil
}

// packed is the text of a snapshot, and what of the replaced values is left in it.
func packed(r *request.Request, redactor *redact.Redactor, live *manifest.Snapshot, copies bool) (*archive.Store, []redact.Leftover, error) {
	text := archive.NewStore(math.MaxInt64, r.Limits.Cores.Number())
	if err := errors.Join(redactor.Pack(text, live, copies), text.Close()); err != nil {
		return nil, nil, err
	}
	left, err := redactor.Leftovers(text.Reader())
	return text, left, err
}

// compressed writes a text as the name of a file says.
func compressed(file string, out io.Writer, text *archive.Store) error {
	w, err := archive.Compress(file, out)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, text.Reader())
	return errors.Join(err, w.Close())
}
