package report

import (
	"cmp"
	"io"

	"threeway/merge/manifest"
	"threeway/merge/text/markdown"
)

// writeMarkdown writes a comment for a pull request: the verdict and the plan line of each
// cluster, the dangers, the objects that differ between the clusters, the findings, and what
// happens to each object folded, once for all clusters on which that is the same.
func (c *Clusters) writeMarkdown(w io.Writer, opts Options) error {
	result := c.result()
	d := ending(result, opts)
	d.add("heading", "### threeway "+markdown.Escape(c.command)+"\n\n")
	if c.command != "lint" {
		c.conclude(d)
	}
	rows := c.rows()
	var differ []markdown.Text
	for _, o := range rows {
		if !c.differs(o) {
			continue
		}
		var where []markdown.Text
		cells := c.cells(o)
		for _, cell := range cells.keys {
			where = append(where, markdown.Code(c.in(cells.on[cell]))+" "+markdown.Escape(cell))
		}
		differ = append(differ, item(d.link("**"+markdown.Escape(cmp.Or(manifest.Title(o.name), "the run"))+"**", o.file, o.line), where))
	}
	d.table("object", markdown.Escape(c.Summary()), differ, false, longestShare)
	d.hidden(result)
	if c.command == "review" {
		d.addCauses(d.causes(opts.listed(result), c.dangers(), c.place))
		d.remedies(opts.listed(result))
	} else {
		d.findings(opts.listed(result))
	}
	for _, o := range rows {
		for _, e := range o.effects {
			if e.body == "" {
				continue
			}
			summary := markdown.HTML(manifest.Title(o.name)) + " " + markdown.HTML(e.action+" on "+c.in(e.clusters))
			if !d.try(markdown.Folded(summary, e.body)) {
				d.leave("object's detail", 1)
				d.add("object", "<p>"+summary+"</p>\n")
			}
		}
	}
	d.input(result)
	return d.writeTo(w)
}

// conclude adds the verdicts and the plan lines, the worst first.
func (c *Clusters) conclude(d *document) {
	all := c.verdicts()
	var rows markdown.Text
	for _, v := range all.keys {
		rows += item("**"+markdown.Escape(c.in(all.on[v]))+"**: "+markdown.Escape(v.said()), nil)
	}
	d.add("verdict", markdown.Alert(signs[all.keys[0].Level].alert, rows))
}
