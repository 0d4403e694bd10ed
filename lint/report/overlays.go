package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// NewOverlays returns an empty report about so many overlays, one section for each.
func NewOverlays(command, format string, overlays int) *Clusters {
	c := NewClusters(command, format)
	c.overlays, c.found.Overlays = overlays, true
	return c
}

// section keeps what a format shows of an overlay.
func (c *Clusters) section(r *Review, opts Options) error {
	var b strings.Builder
	var err error
	switch {
	case c.format == "markdown":
		d := &document{files: opts.Files, directory: opts.Directory, longest: longestComment / (c.overlays + 1)}
		c.documents = append(c.documents, d)
		if c.command == "review" {
			r.section(d, opts)
		} else {
			d.lint(r.Lint, opts)
		}
	case c.command == "diff":
		_, err = show.Differences[c.format](&b, r.Plan, r.Diff)
	case c.command == "review":
		err = Reviews[c.format](&b, r, opts)
	default:
		err = Findings[c.format](&b, r.Lint, opts)
	}
	text := b.String()
	if text == "" {
		text = silence(c.command, r) + "\n"
	}
	c.sections, c.tallies = append(c.sections, text), append(c.tallies, Tally(r.Lint))
	return err
}

// silence is what is said of an overlay that has nothing to show.
func silence(command string, r *Review) string {
	gaps := r.Lint.Gaps
	if r.Plan != nil {
		gaps = r.Plan.Gaps
	}
	switch text := show.Incomplete(gaps); {
	case text != "":
		return text
	case command == "lint":
		return "no findings"
	}
	return "no changes"
}

// isSectioned reports whether a format has a section for each overlay: not those that are
// lists of findings, and not the page, which has its own.
func (c *Clusters) isSectioned() bool {
	switch c.format {
	case "text", "unified", "fields", "markdown":
		return c.overlays > 0
	}
	return false
}

// writeSections writes what each overlay has, below its name.
func (c *Clusters) writeSections(w io.Writer, opts Options) error {
	if c.format == "markdown" {
		d := ending(c.result(), opts)
		d.add("heading", "### threeway "+markdown.Escape(c.command)+"\n\n")
		for i, name := range c.names {
			d.add("heading", "### "+markdown.Escape(name)+"\n\n")
			d.b.WriteString(c.documents[i].b.String())
			for _, l := range c.documents[i].left {
				d.leave(l.noun, l.n)
			}
		}
		return d.writeTo(w)
	}
	for i, name := range c.names {
		text := c.sections[i]
		if opts.Brief {
			said := strings.TrimPrefix(c.plans[i].said()+"; "+c.tallies[i], "; ")
			if _, err := fmt.Fprintf(w, "%s %s\n", opts.paint(Place, name+":"), said); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "%s\n\n%s", opts.paint(Place, "== "+name+" =="), text); err != nil {
			return err
		}
	}
	return nil
}

// jsonOverlays is the report about several overlays; see docs/clusters.schema.json.
type jsonOverlays struct {
	SchemaVersion int           `json:"schemaVersion"`
	Overlays      []jsonCluster `json:"overlays"`
}

func (c *Clusters) overlaysJSON() any {
	out := jsonOverlays{SchemaVersion: SchemaVersion}
	for i, name := range c.names {
		out.Overlays = append(out.Overlays, jsonCluster{name, json.RawMessage(c.reports[i])})
	}
	return out
}
