package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/text/columns"
)

// writeText writes the plan line of each cluster, the table of objects by cluster,
// and each object: what happens to it, once for all clusters on which that is the
// same, and the findings about it.
func (c *Clusters) writeText(w io.Writer, opts Options) error {
	out := bufio.NewWriter(w)
	if c.command == "review" {
		c.writePlanLines(out, opts)
	}
	rows := c.rows()
	c.writeTable(out, rows, opts)
	findings := map[string][]*lint.Finding{}
	result := c.found.Result()
	for _, f := range opts.listed(result) {
		findings[f.Object] = append(findings[f.Object], f)
	}
	for _, o := range rows {
		c.writeObject(out, o, findings[o.name], opts)
	}
	return out.Flush()
}

func (c *Clusters) writePlanLines(out *bufio.Writer, opts Options) {
	for i, line := range c.lines {
		if slices.Index(c.lines, line) < i {
			continue
		}
		var same []string
		for j, name := range c.names {
			if c.lines[j] == line {
				same = append(same, name)
			}
		}
		text := strings.Join(columns.Fold(c.in(same)+": "+line, opts.Width, 4), "\n    ")
		out.WriteString(opts.paint(Place, text) + "\n")
	}
	if len(c.rows()) > 0 {
		out.WriteByte('\n')
	}
}

// writeTable writes what happens to each object on each cluster.
func (c *Clusters) writeTable(out *bufio.Writer, rows []*clustered, opts Options) {
	if len(rows) == 0 {
		return
	}
	table := [][]string{append([]string{"OBJECT"}, c.names...)}
	for _, o := range rows {
		line := []string{o.name}
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
	for i, line := range table {
		var b strings.Builder
		for j, text := range line {
			b.WriteString(oneLine(text))
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

// writeObject writes what the table only names.
func (c *Clusters) writeObject(out *bufio.Writer, o *clustered, findings []*lint.Finding, opts Options) {
	if o.name != "" && (c.command != "lint" || slices.ContainsFunc(o.effects, func(e *effect) bool { return e.text != "" })) {
		fmt.Fprintf(out, "\n%s", opts.paint(Place, o.name))
		if o.place != "" {
			fmt.Fprintf(out, " (%s)", o.place)
		}
		out.WriteByte('\n')
		for _, e := range o.effects {
			action := e.action
			if action == string(merge.Rejected) {
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
			case "", string(merge.Unchanged), string(merge.Rejected):
			default:
				fmt.Fprintf(out, "%s %s\n", name, o.kubectl)
			}
		}
	}
	return out.Flush()
}
