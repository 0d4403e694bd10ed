package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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
			c.items = append(c.items, overlayParts[markdown.Text]{r.where(), [][]markdown.Text{unknown, fix, decide}})
			c.folds, c.warnings = append(c.folds, r.folds(opts)), append(c.warnings, r.warnings())
		} else {
			d.lint(r.Lint, opts)
			c.documents = append(c.documents, d)
		}
	case c.command == "diff":
		_, err = show.Differences[c.format](&b, r.Plan, r.Diff)
	case c.command == "review":
		opts.Width = 0 // the lines of several are compared, and fitted when they are written
		fix, decide := r.causes(opts)
		c.parts = append(c.parts, overlayParts[string]{r.where(), [][]string{r.changes(opts), r.unknown(opts), fix, decide}})
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

// overlayParts are what a review says of an overlay: in text what changes, and then, as in Markdown,
// what is unknown, what is to be fixed and what is to be decided.
type overlayParts[T ~string] struct {
	where
	parts [][]T
}

// where is what all objects of an overlay share: their namespace, "" if they have several, and the
// directory of their files.
type where struct{ namespace, directory string }

func (r *Review) where() (w where) {
	namespaces := map[string]bool{}
	for i, o := range r.Plan.Outcomes {
		namespaces[o.Manifest.Namespace] = true
		if i == 0 {
			w.directory = directoryOf(o.Manifest.Origin.File)
		}
		for !strings.HasPrefix(o.Manifest.Origin.File, w.directory) {
			w.directory = directoryOf(strings.TrimSuffix(w.directory, "/"))
		}
	}
	for _, o := range r.Plan.Left {
		namespaces[o.Namespace] = true
	}
	delete(namespaces, "")
	if len(namespaces) == 1 {
		w.namespace = slices.Collect(maps.Keys(namespaces))[0]
	}
	return w
}

// directoryOf is the directory of a file with a slash behind it; "" if it has none.
func directoryOf(file string) string { return file[:strings.LastIndexByte(file, '/')+1] }

// alike returns what makes a text the same in overlays with a namespace or a directory each: general
// is shown if several have it, and key is compared.
func (w where) alike() func(text string) (general, key string) {
	unplaced := lint.Unplaced(w.namespace)
	return func(text string) (general, key string) {
		general = unplaced(text)
		if w.directory == "" {
			return general, general
		}
		return general, strings.ReplaceAll(general, w.directory, "")
	}
}

// shared is a text with the overlays that say it, and general what to show where they have a namespace
// each; moved: each has it in a file of its own.
type shared[T ~string] struct {
	where
	text, general T
	on            []string
	moved         bool
	head          string
}

// together are the texts of a part in all overlays, each once with the overlays that have it:
// without their namespaces if those are several.
func together[T ~string](all []overlayParts[T], part int, names []string) (list []*shared[T]) {
	at := map[string]*shared[T]{}
	for i, overlay := range all {
		alike := overlay.alike()
		for _, text := range overlay.parts[part] {
			general, key := alike(string(text))
			head, _, _ := strings.Cut(key, "\n    ")
			key = liveLine().ReplaceAllString(key, "")
			s := at[key]
			if s == nil {
				s = &shared[T]{where: overlay.where, text: text, general: T(general), head: head}
				at[key], list = s, append(list, s)
			} else if s.general != T(general) {
				s.general = T(liveLine().ReplaceAllString(general, ""))
			}
			s.join(overlay.where, names[i])
		}
	}
	return list
}

// liveLine says below a finding where the live object is, which is elsewhere in each overlay.
var liveLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(?:   live  |  - live: ).*\n`) })

// join adds overlays that are elsewhere.
func (s *shared[T]) join(w where, on ...string) {
	if s.namespace != w.namespace {
		s.text = s.general
	}
	s.on, s.moved = append(s.on, on...), s.moved || s.directory != w.directory
}

// joined makes one of texts that have the same first line, and differ in others.
func (c *Clusters) joined(list []*shared[string]) (joined []*shared[string]) {
	heads := map[string][]*shared[string]{}
	for _, s := range list {
		if heads[s.head] == nil {
			joined = append(joined, s)
		}
		heads[s.head] = append(heads[s.head], s)
	}
	for _, s := range joined {
		if same := heads[s.head]; len(same) > 1 {
			for _, other := range same[1:] {
				if other.namespace != s.namespace {
					s.text, other.text = s.general, other.general
				}
			}
			text := linesOf(same, "    ", c.in)
			for _, other := range same[1:] {
				s.join(other.where, other.on...)
			}
			s.text = text
		}
	}
	return joined
}

// linesOf are the lines of several texts, each once: those of all, and then the others with where they
// are. A line begins with an indent; what is indented more belongs to the one before.
func linesOf[T ~string](texts []*shared[T], indent string, in func(names []string) T) T {
	var lines alike[string]
	for i, s := range texts {
		for n, line := range strings.Split(strings.TrimRight(string(s.text), "\n"), "\n"+indent) {
			if n == 0 && i > 0 {
				continue // the first line, which all have
			}
			lines.add(strings.TrimSpace(line), strconv.Itoa(i))
		}
	}
	text := lines.keys[0] + "\n"
	for _, line := range lines.keys[1:] {
		if len(lines.on[line]) == len(texts) {
			text += indent + line + "\n"
		}
	}
	for _, line := range lines.keys[1:] {
		if n := lines.on[line]; len(n) < len(texts) {
			var on []string
			for _, i := range n {
				k, _ := strconv.Atoi(i)
				on = append(on, texts[k].on...)
			}
			text += indent + "in " + string(in(on)) + ": " + line + "\n"
		}
	}
	return T(text)
}

// itemsOf are those of a part in all overlays.
func (c *Clusters) itemsOf(part int) (rows []markdown.Text) {
	for _, s := range together(c.items, part, c.names) {
		if len(s.on) < len(c.names) || s.moved {
			s.text += "  - in " + markdown.Escape(c.in(s.on)) + "\n"
		}
		rows = append(rows, s.text)
	}
	return rows
}

// general is a text as it is shown where several overlays have it.
func general[T ~string](text T, alike func(text string) (general, key string)) T {
	shown, _ := alike(string(text))
	return T(shown)
}

// foldsOf is what changes in the objects of all overlays, each change once with the overlays that
// have it unless all do.
func (c *Clusters) foldsOf() (list []fold) {
	var keys alike[string]
	at, notes := map[string]int{}, map[string][]*shared[markdown.Text]{}
	for i, folds := range c.folds {
		alike := c.items[i].alike()
		for _, f := range folds {
			summary, before := general(f.summary, alike), general("\n"+f.body.before, alike)
			_, key := alike(string(summary + body{excerpts: f.body.excerpts}.text(longestDiff)))
			if namespace := c.items[i].namespace; namespace != "" {
				key = strings.ReplaceAll(key, "namespace: "+namespace+"\n", "namespace:\n")
			}
			if keys.add(key, c.names[i]); len(keys.on[key]) == 1 {
				at[key], list = len(list), append(list, f)
			} else {
				list[at[key]].summary = summary
			}
			if n := slices.IndexFunc(notes[key], func(s *shared[markdown.Text]) bool { return s.text == before }); n >= 0 {
				notes[key][n].on = append(notes[key][n].on, c.names[i])
				continue
			}
			notes[key] = append(notes[key], &shared[markdown.Text]{text: before, on: []string{c.names[i]}})
		}
	}
	for _, key := range keys.keys {
		f := &list[at[key]]
		switch on := keys.on[key]; {
		case len(notes[key]) > 1:
			f.body.before = linesOf(notes[key], "- ", func(names []string) markdown.Text { return markdown.Escape(c.in(names)) })[1:] + "\n"
		case len(on) > 1:
			f.body.before = notes[key][0].text[1:]
		}
		if on := keys.on[key]; len(on) < len(c.names) {
			f.summary += markdown.HTML(" in " + c.in(on))
		}
	}
	return list
}

// writeTogether writes what changes in overlays, what is unknown and the causes, each once with the
// overlays that have it unless all do, and the verdicts.
func (c *Clusters) writeTogether(w io.Writer, opts Options) error {
	out := bufio.NewWriter(w)
	begun := false
	for n := range 4 {
		same := together(c.parts, n, c.names)
		if n == 0 && !opts.Diffs {
			same = c.joined(same)
		}
		for i, s := range same {
			if begun && (i == 0 || strings.HasPrefix(s.text, "\n")) {
				out.WriteByte('\n')
			}
			text := strings.TrimPrefix(s.text, "\n")
			if n > 0 || !opts.Diffs {
				text = opts.fit(text)
			}
			out.WriteString(text)
			if len(s.on) < len(c.names) || s.moved {
				out.WriteString(opts.line("    ", "in "+c.in(s.on)))
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
