package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"threeway/command/settings"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
)

// named matches a value of --live that names its cluster: NAME=PATH. A file with
// such a name can be written as ./NAME=PATH.
var named = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$`)

// forClusters are the commands that rehearse on several clusters.
var forClusters = []string{"diff", "lint", "review", "upgrade"}

// clustersOf are the clusters that values of --live name, each with its paths; none
// if they name none.
func clustersOf(command string, values []string) ([]settings.Cluster, error) {
	var list []settings.Cluster
	unnamed, stdin := "", 0
	for _, value := range values {
		m := named.FindStringSubmatch(value)
		_, missing := os.Stat(value)
		name, _, isNamed := strings.Cut(value, "=")
		switch {
		case m == nil && isNamed && missing != nil && !strings.ContainsAny(name, `/\`):
			return nil, fmt.Errorf("--live %s: a cluster is named NAME=PATH, NAME of letters, digits, dots, - and _, and there is no file of this name", value)
		case m == nil:
			unnamed = value
			continue
		case missing == nil:
			return nil, fmt.Errorf("--live %s names the cluster %q and the path %q, and there is a file %q too; for the file, pass --live ./%s", value, m[1], m[2], value, value)
		}
		if m[2] == "-" {
			stdin++
		}
		i := slices.IndexFunc(list, func(c settings.Cluster) bool { return c.Name == m[1] })
		if i < 0 {
			i = len(list)
			list = append(list, settings.Cluster{Name: m[1]})
		}
		list[i].Live = append(list[i].Live, m[2])
	}
	switch {
	case len(list) == 0:
		return nil, nil
	case unnamed != "":
		return nil, fmt.Errorf("--live %s names no cluster, and --live %s=%s does; pass NAME=PATH for all of them, or for none", unnamed, list[0].Name, list[0].Live[0])
	case stdin > 1:
		return nil, fmt.Errorf("stdin can be read only once: pass - for one of the clusters")
	}
	return list, onOneCluster(command, list)
}

// onOneCluster is the error of a command that rehearses on one cluster.
func onOneCluster(command string, list []settings.Cluster) error {
	if len(list) == 0 || slices.Contains(forClusters, command) {
		return nil
	}
	if len(list) == 1 {
		return fmt.Errorf("%s takes no names of clusters; pass the path alone: --live %s", command, list[0].Live[0])
	}
	return fmt.Errorf("%s reads one cluster, and %d are named; run it for each of them: --live %s", command, len(list), list[0].Live[0])
}

// onCluster is what a command has found on one cluster, and how it ends there.
type onCluster struct {
	review    *report.Review
	reporting report.Options
	finish    func() (exitCode, error)
}

// rehearsesOn is a command on one cluster, without its reports.
type rehearsesOn func(ctx context.Context, r *Request, std streams) (*onCluster, error)

// runClusters runs a command on every cluster and joins the reports. One cluster
// comes after the other, so that one snapshot is in memory at a time.
func runClusters(ctx context.Context, r *Request, std streams, outputs []output, run rehearsesOn) (exitCode, error) {
	joined, code := make([]*report.Clusters, len(outputs)), exitOK
	for i, o := range outputs {
		joined[i] = report.NewClusters(r.Command, o.format)
	}
	again, said := replayed(std), heard{}
	for _, c := range r.Clusters {
		one, on := *r, again()
		one.Clusters, one.Live = nil, c.Live
		var stderr bytes.Buffer
		on.err = &stderr
		found, err := run(ctx, &one, on)
		r.Rendered = one.Rendered
		if err != nil || found == nil {
			_, _ = std.err.Write(stderr.Bytes())
			return exitOK, withName(c.Name, err)
		}
		for i, o := range outputs {
			review, opts := *found.review, found.reporting
			if o.file == "" {
				opts.Paint, review.Diff.Paint = lintPainter(r.Color, std.out), painter(r.Color, std.out)
				opts.Width, review.Diff.Width = system.Width(std.out), max(r.Width, system.Width(std.out))
			}
			if err := joined[i].Add(c.Name, &review, opts); err != nil {
				return 0, withName(c.Name, err)
			}
		}
		ended, err := found.finish()
		if err != nil {
			return 0, withName(c.Name, err)
		}
		code = max(code, ended)
		said.add(c.Name, stderr.String())
	}
	err := writeOutputs(outputs, std, func(w io.Writer, format string, terminal bool) error {
		i := slices.IndexFunc(outputs, func(o output) bool { return o.format == format && (o.file == "") == terminal })
		opts := report.Options{Version: version, ShowSuppressed: r.ShowSuppressed, Directory: belowTop(), RulePages: r.RulePages}
		if terminal {
			opts.Paint, opts.Width = lintPainter(r.Color, w), system.Width(w)
		}
		return joined[i].Write(w, opts)
	})
	if err != nil {
		return 0, err
	}
	said.write(std.err, r.Clusters)
	if !r.Quiet {
		if twice := sameFiles(r.Clusters); twice != "" {
			fmt.Fprintln(std.err, twice)
		}
		if len(r.Clusters) > 1 {
			fmt.Fprintln(std.err, joined[0].Summary())
		}
	}
	return code, nil
}

// sameFiles is a note if two clusters have the same files, which shows no
// differences although there may be some; else "".
func sameFiles(clusters []settings.Cluster) string {
	for i, c := range clusters {
		for _, other := range clusters[:i] {
			if slices.Equal(c.Live, other.Live) {
				return fmt.Sprintf("note: %s and %s are read from the same file: %s", other.Name, c.Name, strings.Join(c.Live, ", "))
			}
		}
	}
	return ""
}

func withName(cluster string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", cluster, err)
}

// heard are the lines that runs have said, each with the clusters that it was said
// of.
type heard struct {
	lines    []string
	clusters map[string][]string
}

func (h *heard) add(cluster, text string) {
	if h.clusters == nil {
		h.clusters = map[string][]string{}
	}
	for line := range strings.Lines(text) {
		if h.clusters[line] == nil {
			h.lines = append(h.lines, line)
		}
		if !slices.Contains(h.clusters[line], cluster) {
			h.clusters[line] = append(h.clusters[line], cluster)
		}
	}
}

// write writes each line once; before it come the clusters, unless they are all.
func (h *heard) write(w io.Writer, clusters []settings.Cluster) {
	var all []string
	for _, c := range clusters {
		all = append(all, c.Name)
	}
	for _, line := range h.lines {
		if in := h.clusters[line]; len(in) < len(all) {
			line = lint.Among(in, all) + ": " + line
		}
		fmt.Fprint(w, line)
	}
}
