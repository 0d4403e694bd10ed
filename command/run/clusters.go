package run

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
)

// Cluster is what a command has found on one cluster, and how it ends there.
type Cluster struct {
	Review    *report.Review
	Reporting report.Options
	Finish    func() (system.ExitCode, error)
}

// rehearsesOn is a command on one cluster, without its reports.
type rehearsesOn func(ctx context.Context, r *request.Request, std system.Streams) (*Cluster, error)

// Clusters runs a command on every cluster and joins the reports. One cluster
// comes after the other, so that one snapshot is in memory at a time.
func Clusters(ctx context.Context, r *request.Request, std system.Streams, outputs []request.Output, run rehearsesOn) (system.ExitCode, error) {
	joined, code := make([]*report.Clusters, len(outputs)), system.ExitOK
	parts := r.Parts()
	for i, o := range outputs {
		joined[i] = report.NewClusters(r.Command, o.Format)
		if r.Overlays() {
			joined[i] = report.NewOverlays(r.Command, o.Format, r.Noun(), len(parts), r.Unchanged)
		}
	}
	some, accepting, divided := false, "", false
	fresh, said := Replayed(std), heard{all: parts, noun: r.Noun() + "s"}
	for _, c := range parts {
		one, on := c, fresh()
		var stderr bytes.Buffer
		on.Err = &stderr
		found, err := run(ctx, &one, on)
		if err != nil || found == nil {
			_, _ = std.Err.Write(stderr.Bytes())
			switch err = withName(c.Part, err); {
			case err == nil: // all its files were skipped
			case r.Brief: // the others are as important
				fmt.Fprintln(std.Err, "error: "+err.Error())
				code = system.ExitUsage
			default:
				return system.ExitOK, err
			}
			continue
		}
		some = true
		for i, o := range outputs {
			review, opts := *found.Review, found.Reporting
			if o.File == "" {
				opts.Paint, review.Diff.Paint = LintPainter(r.Color, std.Out), Painter(r.Color, std.Out)
				opts.Width, review.Diff.Width = system.Width(std.Out), max(r.Width, system.Width(std.Out))
			}
			if o.Format == "text" && o.File == "" && !r.Brief {
				accepting = cmp.Or(accepting, report.Accepting(opts.Kept(o.Format, review.Lint)))
			}
			if err := joined[i].Add(c.Part, &review, opts); err != nil {
				return 0, withName(c.Part, err)
			}
		}
		ended, err := found.Finish()
		if err != nil {
			return 0, withName(c.Part, err)
		}
		code = max(code, ended)
		unchanged := ended == system.ExitOK && isUnchanged(found.Review) && !r.Verbose
		divided = divided || !unchanged && len(one.Files) > 0
		said.add(c.Part, stderr.String(), unchanged)
	}
	if !some {
		return code, nil
	}
	err := WriteOutputs(r, outputs, std, func(w io.Writer, format string, terminal bool) error {
		i := slices.IndexFunc(outputs, func(o request.Output) bool { return o.Format == format && (o.File == "") == terminal })
		opts := report.Options{Version: system.Version, ShowSuppressed: r.Verbose, Directory: system.BelowTop(), RulePages: r.RulePages, Files: system.FilesOfJob(), Brief: r.Brief, Before: r.NamesBefore()}
		if terminal {
			opts.Paint, opts.Width = LintPainter(r.Color, w), system.Width(w)
		}
		return joined[i].Write(w, opts)
	})
	if err != nil {
		return 0, err
	}
	said.write(std.Err)
	if !r.Quiet {
		if note := r.Assumed(); divided && note != "" {
			fmt.Fprintln(std.Err, "note: "+note)
		}
		if twice := sameFiles(r); twice != "" {
			fmt.Fprintln(std.Err, twice)
		}
		if accepting != "" {
			fmt.Fprintln(std.Err, accepting)
		}
		if len(parts) > 1 || len(r.Unchanged) > 0 {
			fmt.Fprintln(std.Err, joined[0].Summary())
		}
	}
	return code, nil
}

// isUnchanged reports whether a review has found that nothing changes, and lacks nothing.
func isUnchanged(r *report.Review) bool {
	return r.Diff.Digest != nil && r.Diff.Digest.Changed() == 0 && len(r.Diff.Digest.Dangers())+len(r.Plan.Gaps) == 0
}

// sameFiles is a note if two clusters have the same files, which shows no
// differences although there may be some; else "".
func sameFiles(r *request.Request) string {
	for i, c := range r.Clusters {
		for _, other := range r.Clusters[:i] {
			if slices.Equal(c.Live, other.Live) {
				return fmt.Sprintf("note: %s and %s are read from the same file: %s", other.Name, c.Name, strings.Join(c.Live, ", "))
			}
		}
	}
	return ""
}

func withName(cluster string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), cluster+" ") {
		return err
	}
	return fmt.Errorf("%s: %w", strings.Join(strings.Fields(cluster), " "), err) // on one line
}

// heard are the lines that runs have said, each with the clusters that it was said
// of, and whether one of them changes.
type heard struct {
	lines    []string
	clusters map[string][]string
	changes  map[string]bool
	all      []request.Request
	noun     string
}

func (h *heard) add(cluster, text string, unchanged bool) {
	if h.clusters == nil {
		h.clusters, h.changes = map[string][]string{}, map[string]bool{}
	}
	for line := range strings.Lines(text) {
		h.changes[line] = h.changes[line] || !unchanged
		if h.clusters[line] == nil {
			h.lines = append(h.lines, line)
		}
		if !slices.Contains(h.clusters[line], cluster) {
			h.clusters[line] = append(h.clusters[line], cluster)
		}
	}
}

// write writes each line once; before it come the clusters, unless they are all. What was said of
// clusters alone that do not change is left out.
func (h *heard) write(w io.Writer) {
	var all []string
	for _, c := range h.all {
		all = append(all, c.Part)
	}
	for _, line := range h.lines {
		if in := h.clusters[line]; len(in) < len(all) {
			if !h.changes[line] {
				continue
			}
			line = lint.Among(in, all, h.noun) + ": " + line
		}
		fmt.Fprint(w, line)
	}
}

// Replayed returns streams for one run after the other, each of which reads standard
// input from its beginning.
func Replayed(std system.Streams) func() system.Streams {
	var seen bytes.Buffer
	return func() system.Streams {
		run := std
		run.In = io.MultiReader(bytes.NewReader(bytes.Clone(seen.Bytes())), io.TeeReader(std.In, &seen))
		return run
	}
}
