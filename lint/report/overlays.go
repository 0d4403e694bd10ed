package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// NewOverlays returns an empty report about so many overlays, one section for each. unchanged
// are those of which nothing is rendered, because the change leaves them as they are.
func NewOverlays(command, format string, overlays int, unchanged []string) *Clusters {
	c := NewClusters(command, format)
	c.overlays, c.unchanged, c.found.Overlays = overlays, unchanged, true
	return c
}

// left says how many overlays do not change; "" if none.
func (c *Clusters) left() string {
	switch n := len(c.unchanged); n {
	case 0:
		return ""
	case 1:
		return "1 overlay does not change, and is not rendered"
	default:
		return fmt.Sprintf("%d overlays do not change, and are not rendered", n)
	}
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
		if text := c.left(); text != "" {
			d.add("heading", markdown.Escape(text)+"\n\n")
		}
		for i, name := range c.names {
			d.add("heading", "### "+markdown.Escape(name)+"\n\n")
			d.b.WriteString(c.documents[i].b.String())
			for _, l := range c.documents[i].left {
				d.leave(l.noun, l.n)
			}
		}
		return d.writeTo(w)
	}
	var same alike[string]
	for i, name := range c.names {
		if opts.Brief {
			same.add(cmp.Or(c.plans[i].said(), c.tallies[i])+"\n", name)
		} else {
			same.add(c.sections[i], name)
		}
	}
	for i, text := range same.keys {
		names := strings.Join(same.on[text], ", ")
		if len(same.on[text]) > 3 {
			names = c.in(same.on[text])
		}
		format, name := "%s\n\n%s", "== "+names+" =="
		switch {
		case opts.Brief:
			format, name = "%s %s", names+":"
		case i > 0:
			format = "\n" + format
		}
		if _, err := fmt.Fprintf(w, format, opts.paint(Place, name), text); err != nil {
			return err
		}
	}
	if text := c.left(); text != "" && opts.Brief {
		_, err := fmt.Fprintln(w, text)
		return err
	}
	return nil
}

// jsonOverlays is the report about several overlays; see docs/clusters.schema.json.
type jsonOverlays struct {
	SchemaVersion int           `json:"schemaVersion"`
	Overlays      []jsonCluster `json:"overlays"`
	Unchanged     []string      `json:"unchanged,omitempty"`
}

func (c *Clusters) overlaysJSON() any {
	out := jsonOverlays{SchemaVersion: SchemaVersion, Unchanged: c.unchanged}
	for i, name := range c.names {
		out.Overlays = append(out.Overlays, jsonCluster{name, json.RawMessage(c.reports[i])})
	}
	return out
}
