package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/columns"
	"threeway/merge/text/visible"
)

// writeText writes the table of objects by cluster, and each object: what happens to it,
// once for all clusters on which that is the same, and the findings about it; last the
// dangers, and the verdict and the plan line of each cluster.
func (c *Clusters) writeText(w io.Writer, opts Options) error {
	out := bufio.NewWriter(w)
	rows := c.rows()
	c.writeTable(out, rows, opts)
	findings := map[string][]*lint.Finding{}
	result := c.result()
	for _, f := range opts.listed(result) {
		findings[f.Object] = append(findings[f.Object], f)
	}
	for _, o := range rows {
		c.writeObject(out, o, findings[o.name], opts)
	}
	if text := written(func(out *bufio.Writer) { writeSteps(out, opts.listed(result), show.Options{Context: 3}, opts) }); text != "" {
		out.WriteString("\n" + text)
	}
	if c.command == "review" {
		c.writeVerdicts(out, untold(c.dangers(), opts.listed(c.result())), len(rows) > 0, opts)
	}
	return out.Flush()
}

// writeTable writes what happens to each object on each cluster.
func (c *Clusters) writeTable(out *bufio.Writer, rows []*clustered, opts Options) {
	if len(rows) == 0 {
		return
	}
	table := [][]string{append([]string{"OBJECT"}, c.names...)}
	for _, o := range rows {
		line := []string{manifest.Title(o.name)}
		if o.name == "" {
			line[0] = "(the run)"
		}
		for _, name := range c.names {
			line = append(line, o.cell(name))
		}
		table = append(table, line)
	}
	widths := make([]int, len(c.names)+1)
	for _, line := range table {
		for i, text := range line {
			widths[i] = max(widths[i], columns.Width(text))
		}
	}
	total := 2 * len(c.names)
	for _, n := range widths {
		total += n
	}
	if opts.Width > 0 && total > opts.Width {
		c.writeList(out, rows, opts)
		return
	}
	for i, line := range table {
		var b strings.Builder
		for j, text := range line {
			b.WriteString(visible.Joined(text))
			if j < len(line)-1 {
				b.WriteString(strings.Repeat(" ", widths[j]-columns.Width(text)+2))
			}
		}
		text := b.String()
		if i == 0 {
			text = opts.paint(Place, text)
		}
		out.WriteString(text + "\n")
	}
}

// writeList writes what the table has, for a terminal that is too narrow for it: each
// object, and below it what happens to it and on which clusters.
func (c *Clusters) writeList(out *bufio.Writer, rows []*clustered, opts Options) {
	for _, o := range rows {
		cells, width := c.cells(o), 0
		for _, cell := range cells.keys {
			width = max(width, columns.Width(cell))
		}
		out.WriteString(opts.paint(Place, cmp.Or(visible.Joined(manifest.Title(o.name)), "(the run)")) + "\n")
		for _, cell := range cells.keys {
			line := "  " + cell + strings.Repeat(" ", width-columns.Width(cell)+2) + c.in(cells.on[cell])
			out.WriteString(strings.Join(columns.Fold(line, opts.Width, width+4), "\n"+strings.Repeat(" ", width+4)) + "\n")
		}
	}
}

// writeObject writes what the table only names.
func (c *Clusters) writeObject(out *bufio.Writer, o *clustered, findings []*lint.Finding, opts Options) {
	if o.name != "" && (c.command != "lint" || slices.ContainsFunc(o.effects, func(e *effect) bool { return e.text != "" })) {
		fmt.Fprintf(out, "\n%s", opts.paint(Place, manifest.Title(o.name)))
		if o.place != "" {
			fmt.Fprintf(out, " (%s)", o.place)
		}
		out.WriteByte('\n')
		for _, e := range o.effects {
			action := e.action
			if action == string(rehearsal.Rejected) {
				action = opts.paint(ErrorWord, action)
			}
			if action != "" {
				fmt.Fprintf(out, "on %s: %s\n", c.in(e.clusters), action)
			}
			out.WriteString(e.text)
		}
	}
	for _, f := range findings {
		out.WriteByte('\n')
		writeFinding(out, f, opts)
	}
}

// writeNames writes a line for each object that would change on a cluster: the
// cluster, and the object.
func (c *Clusters) writeNames(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, name := range c.names {
		for _, o := range c.objects {
			switch o.on[name].action {
			case "", string(rehearsal.Unchanged), string(rehearsal.Rejected):
			default:
				fmt.Fprintf(out, "%s %s\n", name, o.kubectl)
			}
		}
	}
	return out.Flush()
}
