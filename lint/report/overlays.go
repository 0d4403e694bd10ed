package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// NewOverlays returns an empty report about so many overlays, or sets of manifests if some are
// none, one section for each. unchanged are those of which nothing is rendered, because the change
// leaves them as they are.
func NewOverlays(command, format, noun string, overlays int, unchanged []string) *Clusters {
	c := NewClusters(command, format)
	c.overlays, c.unchanged, c.found.Noun = overlays, unchanged, noun
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

// allUnchanged reports whether the one overlay that was looked at stands for all, none of which
// changes.
func (c *Clusters) allUnchanged() bool {
	return len(c.names) == 1 && slices.Contains(c.unchanged, c.names[0])
}

// section keeps what a format shows of an overlay.
func (c *Clusters) section(r *Review, opts Options) error {
	var b strings.Builder
	var err error
	switch {
	case c.format == "markdown":
		d := &document{files: opts.Files, directory: opts.Directory, longest: longestComment / (c.overlays + 1)}
		if c.command == "review" {
			fix, decide := d.causes(opts.listed(r.Lint), r.Diff.Digest.Dangers(), r.Diff.Digest.Place)
			var unknown []markdown.Text
			for _, line := range show.Lacking(r.Plan) {
				unknown = append(unknown, item(markdown.Escape(line), nil))
			}
			c.items = append(c.items, overlayParts[markdown.Text]{r.namespace(), [3][]markdown.Text{unknown, fix, decide}})
			c.folds, c.warnings = append(c.folds, r.folds(opts)), append(c.warnings, r.warnings())
		} else {
			d.lint(r.Lint, opts)
			c.documents = append(c.documents, d)
		}
	case c.command == "diff":
		_, err = show.Differences[c.format](&b, r.Plan, r.Diff)
	case c.command == "review":
		c.parts = append(c.parts, overlayParts[string]{r.namespace(), [3][]string{r.changes(opts), r.unknown(opts), r.causes(opts)}})
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

// overlayParts are what a review says of an overlay: in text what changes, what is unknown and the
// causes; in Markdown what is unknown, what is to be fixed and what is to be decided.
type overlayParts[T ~string] struct {
	namespace string // of all its objects, "" if they have several
	parts     [3][]T
}

func stripped[T ~string](text T, plain func(string) string) T { return T(plain(string(text))) }

// namespace is that of all objects of the manifests; "" if they have several.
func (r *Review) namespace() string {
	var namespaces []string
	for _, o := range r.Plan.Outcomes {
		namespaces = append(namespaces, o.Manifest.Namespace)
	}
	for _, o := range r.Plan.Left {
		namespaces = append(namespaces, o.Namespace)
	}
	namespaces = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(namespaces))), func(namespace string) bool { return namespace == "" })
	if len(namespaces) != 1 {
		return ""
	}
	return namespaces[0]
}

// together are the texts of a part in all overlays, each once with the overlays that have it:
// without their namespaces if those are several.
func together[T ~string](all []overlayParts[T], part int, names []string) (same alike[T]) {
	first := map[T]T{}
	var keys alike[T]
	for i, overlay := range all {
		plain := lint.Unplaced(overlay.namespace)
		for _, text := range overlay.parts[part] {
			key := stripped(text, plain)
			if keys.add(key, names[i]); first[key] == "" {
				first[key] = text
			}
		}
	}
	for _, key := range keys.keys {
		text := key
		if len(keys.on[key]) == 1 {
			text = first[key]
		}
		for _, name := range keys.on[key] {
			same.add(text, name)
		}
	}
	return same
}

// itemsOf are those of a part in all overlays.
func (c *Clusters) itemsOf(part int) (rows []markdown.Text) {
	same := together(c.items, part, c.names)
	for _, row := range same.keys {
		if on := same.on[row]; len(on) < len(c.names) {
			row += "  - in " + markdown.Escape(c.in(on)) + "\n"
		}
		rows = append(rows, row)
	}
	return rows
}

// foldsOf is what changes in the objects of all overlays, each change once with the overlays that
// have it unless all do.
func (c *Clusters) foldsOf() (list []fold) {
	var keys alike[string]
	at := map[string]int{}
	for i, folds := range c.folds {
		namespace := c.items[i].namespace
		plain := lint.Unplaced(namespace)
		for _, f := range folds {
			key := plain(string(f.summary + f.body.text(longestDiff)))
			if namespace != "" {
				key = strings.ReplaceAll(key, "namespace: "+namespace+"\n", "namespace:\n")
			}
			switch keys.add(key, c.names[i]); len(keys.on[key]) {
			case 1:
				at[key], list = len(list), append(list, f)
			case 2:
				first := &list[at[key]]
				first.summary, first.body.before = stripped(f.summary, plain), stripped(f.body.before, plain)
			}
		}
	}
	for _, key := range keys.keys {
		if on := keys.on[key]; len(on) < len(c.names) {
			list[at[key]].summary += markdown.HTML(" in " + c.in(on))
		}
	}
	return list
}

// writeTogether writes what changes in overlays, what is unknown and the causes, each once with the
// overlays that have it unless all do, and the verdicts.
func (c *Clusters) writeTogether(w io.Writer, opts Options) error {
	out := bufio.NewWriter(w)
	begun := false
	for n := range 3 {
		same := together(c.parts, n, c.names)
		for i, text := range same.keys {
			if begun && (i == 0 || strings.HasPrefix(text, "\n")) {
				out.WriteByte('\n')
			}
			out.WriteString(strings.TrimPrefix(text, "\n"))
			if on := same.on[text]; len(on) < len(c.names) {
				out.WriteString(opts.folded("    ", "in "+c.in(on)) + "\n")
			}
			begun = true
		}
	}
	c.writeVerdicts(out, nil, begun, opts)
	return out.Flush()
}

// writeSections writes what each overlay has, below its name.
func (c *Clusters) writeSections(w io.Writer, opts Options) error {
	if c.parts != nil && !opts.Brief {
		return c.writeTogether(w, opts)
	}
	if c.format == "markdown" {
		d := ending(c.result(), opts)
		d.add("heading", "### threeway "+markdown.Escape(c.command)+"\n\n")
		if text := c.left(); text != "" {
			d.add("heading", markdown.Escape(text)+"\n\n")
		}
		if c.items != nil {
			c.conclude(d)
			d.table("note", "Not known", c.itemsOf(0), true, longestShare)
			d.hidden(c.result())
			d.addCauses(c.itemsOf(1), c.itemsOf(2))
			d.folds(c.foldsOf())
			d.list("Warnings", slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.warnings...)))))
			d.input(c.result())
		}
		for i, part := range c.documents {
			d.add("heading", "### "+markdown.Escape(c.names[i])+"\n\n")
			d.b.WriteString(part.b.String())
			for _, l := range part.left {
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
