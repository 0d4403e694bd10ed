package report

import (
	"fmt"
	"io"
	"strconv"

	"threeway/lint"
	"threeway/merge/text/markdown"
)

// writeMarkdown writes a comment for a pull request: the plan line of each cluster,
// the table of objects by cluster, the findings, and what happens to each object
// folded, once for all clusters on which that is the same.
func (c *Clusters) writeMarkdown(w io.Writer, opts Options) error {
	result := c.result()
	d := ending(result, opts)
	d.add("heading", "### threeway "+markdown.Escape(c.command)+"\n\n")
	var lines []markdown.Text
	for clusters, line := range c.planLines() {
		if line != "" {
			lines = append(lines, markdown.Row(markdown.Escape(clusters), markdown.Escape(line)))
		}
	}
	d.table("line", markdown.Escape(strconv.Itoa(len(c.names)))+" clusters", markdown.Head("cluster", "plan"), lines, true)
	rows := c.rows()
	var table []markdown.Text
	for _, o := range rows {
		cells := []markdown.Text{markdown.Code(o.name)}
		for _, name := range c.names {
			cells = append(cells, markdown.Escape(o.cell(name)))
		}
		table = append(table, markdown.Row(cells...))
	}
	columns := []markdown.Text{"object"}
	for _, name := range c.names {
		columns = append(columns, markdown.Escape(name))
	}
	d.table("object", markdown.Escape(c.Summary()), markdown.Head(columns...), table, false)
	findings := opts.listed(result)
	d.hidden(result)
	d.findings(findings)
	for _, o := range rows {
		for _, e := range o.effects {
			if e.body == "" {
				continue
			}
			summary := "<code>" + markdown.HTML(o.name) + "</code> " + markdown.HTML(e.action+" on "+c.in(e.clusters))
			if !d.try(markdown.Folded(summary, e.body)) {
				d.leave("object's detail", 1)
				d.add("object", "<p>"+summary+"</p>\n")
			}
		}
	}
	for _, f := range findings {
		d.detail(f)
	}
	d.input(result)
	return d.writeTo(w)
}

// detail adds what there is to say of a finding besides its message, folded.
func (d *document) detail(f *lint.Finding) {
	if body := unfolded(f); body != "" {
		d.add("finding's detail", markdown.Folded(markdown.HTML(fmt.Sprintf("%s:%d %s", f.At().File, f.At().Line, f.Rule.ID)), body))
	}
}
