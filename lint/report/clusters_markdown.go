package report

import (
	"fmt"
	"io"
	"strconv"

	"threeway/lint"
)

// writeMarkdown writes a comment for a pull request: the plan line of each cluster,
// the table of objects by cluster, the findings, and what happens to each object
// folded, once for all clusters on which that is the same.
func (c *Clusters) writeMarkdown(w io.Writer, opts Options) error {
	d := &document{}
	d.add("heading", "### threeway "+c.command+"\n\n")
	var lines []string
	for clusters, line := range c.planLines() {
		if line != "" {
			lines = append(lines, row(escape(clusters), escape(line)))
		}
	}
	d.table("line", strconv.Itoa(len(c.names))+" clusters", head("cluster", "plan"), lines, true)
	rows := c.rows()
	var table []string
	for _, o := range rows {
		cells := []string{code(o.name)}
		for _, name := range c.names {
			cells = append(cells, o.cell(name))
		}
		table = append(table, row(cells...))
	}
	columns := []string{"object"}
	for _, name := range c.names {
		columns = append(columns, escape(name))
	}
	d.table("object", escape(c.Summary()), head(columns...), table, false)
	result := c.found.Result()
	findings := opts.listed(result)
	d.findings(findings)
	for _, o := range rows {
		for _, e := range o.effects {
			if e.text == "" {
				continue
			}
			summary := fmt.Sprintf("<code>%s</code> %s on %s", html(o.name), e.action, html(c.in(e.clusters)))
			if !d.try(folded(summary, e.text)) {
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
		d.add("finding's detail", folded(html(fmt.Sprintf("%s:%d %s", f.At().File, f.At().Line, f.Rule.ID)), body))
	}
}
