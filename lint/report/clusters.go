package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/lint/guard"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/markdown"
)

// Clusters is a report about one set of manifests on several clusters. The review of
// each is added, rendered, and forgotten: the report holds text and no snapshot.
type Clusters struct {
	// command is diff, lint or review, and format one of its formats.
	command, format string
	names           []string
	plans           []clusterPlan
	reports         []json.RawMessage
	found           lint.Joined
	reporting       Options
	objects         []*clustered
	byName          map[string]*clustered
	page            clusterPage
	overlaid
	judged []*guard.Report
}

// overlaid is what the report says of overlays, if the parts are.
type overlaid struct {
	// overlays is how many there are, and sections what is shown of each.
	overlays  int
	unchanged []string
	sections  []string
	// parts are what a review of each overlay says, in the order of the text; in Markdown items,
	// and what changes in its objects.
	parts    []overlayParts[string]
	items    []overlayParts[markdown.Text]
	folds    [][]fold
	warnings [][]string
	tallies  []string
	// documents are what Markdown has of the findings of each overlay.
	documents []*document
}

// NewClusters returns an empty report of a command in one of its formats.
func NewClusters(command, format string) *Clusters {
	return &Clusters{command: command, format: format, byName: map[string]*clustered{}}
}

// clustered is an object and what happens to it on each cluster. kubectl is its name
// in kubectl's words, if it changes on one.
type clustered struct {
	name, place, kubectl string

	on      map[string]cell
	effects []*effect
	danger  int
	// file and line are where its manifest stands, if it changes.
	file string
	line int
}

// cell is an object on one cluster.
type cell struct {
	action   string
	findings map[lint.Severity]int
	effect   *effect
}

// effect is what happens to an object on the clusters that have it in common.
type effect struct {
	key, action string
	clusters    []string
	// text is what there is to say of it, as on the first of the clusters.
	text string
	// body is the same as Markdown.
	body markdown.Text
}

// Add adds what happens on a cluster.
func (c *Clusters) Add(name string, r *Review, opts Options) error {
	c.names = append(c.names, name)
	c.found.Add(name, r.Lint)
	c.reporting = opts
	listed := *r
	listed.Lint, r = opts.Kept(c.format, r.Lint), &listed
	c.plans = append(c.plans, planOf(r.Diff.Digest))
	if c.format == "guard" {
		c.judged = append(c.judged, r.Judged)
		return nil
	}
	if c.isSectioned() {
		return c.section(r, opts)
	}
	switch c.format {
	case "json", "yaml", "kyaml":
		data, err := json.Marshal(c.alone(r))
		if err != nil {
			return err
		}
		c.reports = append(c.reports, data)
	case "html":
		if err := c.page.add(name, r, opts); err != nil {
			return err
		}
	}
	for _, s := range c.subjects(r, opts) {
		key, on := s.key(c.command, r.Diff), cell{action: s.action, findings: map[lint.Severity]int{}}
		for _, f := range s.findings {
			if f.Suppressed == "" {
				on.findings[f.Severity]++
			}
		}
		o := c.object(s)
		i := slices.IndexFunc(o.effects, func(e *effect) bool { return e.key == key })
		if i < 0 {
			i = len(o.effects)
			o.effects = append(o.effects, &effect{key: key, action: on.action, text: c.text(r, s, opts), body: c.body(r, s)})
		}
		on.effect = o.effects[i]
		if file, line := r.Diff.Digest.Place(s.name); o.file == "" {
			o.file, o.line = file, line
		}
		if !slices.Contains(on.effect.clusters, name) {
			on.effect.clusters = append(on.effect.clusters, name)
		}
		o.on[name], o.danger = on, max(o.danger, s.danger())
	}
	return nil
}

// subjects are all objects on a cluster. Those of lint have no differences.
func (c *Clusters) subjects(r *Review, opts Options) []*subject {
	if c.command != "lint" {
		return r.all(show.ChangedFiles(r.Plan, r.Diff), opts)
	}
	list := r.all(nil, opts)
	for _, s := range list {
		if s.action != string(rehearsal.Rejected) {
			s.action = ""
		}
	}
	return list
}

// result is what was found on all clusters, as far as the format lists it.
func (c *Clusters) result() *lint.Result { return c.reporting.Kept(c.format, c.found.Result()) }

func (c *Clusters) object(s *subject) *clustered {
	o := c.byName[s.name]
	if o == nil {
		o = &clustered{name: s.name, place: s.place, on: map[string]cell{}}
		c.objects, c.byName[s.name] = append(c.objects, o), o
	}
	switch {
	case s.file == nil:
	case s.file.Outcome != nil:
		o.kubectl = show.Name(s.file.Outcome.Manifest)
	default:
		o.kubectl = show.Name(s.file.Candidate.Live.Object())
	}
	return o
}

// key is alike on clusters on which the same happens to the object. diff does not
// say what that means for other objects.
func (s *subject) key(command string, opts show.Options) string {
	parts := []string{s.action, s.refusal}
	if command != "diff" {
		for _, line := range s.impact {
			parts = append(parts, line.String())
		}
	}
	if s.file != nil && s.file.Outcome != nil {
		parts = append(parts, show.Effect(s.file.Outcome, opts))
	}
	return strings.Join(parts, "\n")
}

// text is what a format shows of an object besides its findings.
func (c *Clusters) text(r *Review, s *subject, opts Options) string {
	if s.file == nil && s.refusal == "" {
		return ""
	}
	switch c.format {
	case "text":
		return s.effect(r, opts)
	case "unified", "fields":
		var b strings.Builder
		if s.file != nil {
			one := *r.Plan
			one.Outcomes, one.Prune = nil, nil
			if s.file.Outcome != nil {
				one.Outcomes = []*rehearsal.Outcome{s.file.Outcome}
			} else {
				b.WriteString(show.Candidate(*s.file.Candidate, r.Diff))
			}
			_, _ = show.Differences[c.format](&b, &one, r.Diff) // a builder takes everything
		}
		return b.String() + s.refusal
	}
	return ""
}

// body is what Markdown has of an object besides its findings.
func (c *Clusters) body(r *Review, s *subject) markdown.Text {
	if c.format != "markdown" {
		return ""
	}
	alone := *s
	alone.findings = nil
	return r.body(&alone).text(longestDiff)
}

// rows are the objects with something to report on some cluster, the most dangerous
// first.
func (c *Clusters) rows() []*clustered {
	list := slices.DeleteFunc(slices.Clone(c.objects), func(o *clustered) bool {
		for _, on := range o.on {
			if len(on.findings) > 0 || on.action != "" && on.action != string(rehearsal.Unchanged) {
				return false
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b *clustered) int { return cmp.Compare(b.danger, a.danger) })
	return list
}

// cell is what a table has of an object on a cluster.
func (o *clustered) cell(cluster string) string {
	on, known := o.on[cluster]
	var parts []string
	if on.action != "" {
		parts = append(parts, on.action)
	}
	for _, severity := range []lint.Severity{lint.Error, lint.Warning, lint.Info} {
		if n := on.findings[severity]; n > 0 {
			parts = append(parts, plural(n, severity.String()))
		}
	}
	if !known || parts == nil {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// differs reports whether not the same is said about the object on all clusters.
func (c *Clusters) differs(o *clustered) bool {
	return len(o.effects) != 1 || len(o.effects[0].clusters) != len(c.names) ||
		slices.ContainsFunc(c.names, func(name string) bool { return o.cell(name) != o.cell(c.names[0]) })
}

// Summary says how much differs between the clusters.
func (c *Clusters) Summary() string {
	if c.overlays > 0 {
		text := Tally(c.result())
		if !c.allUnchanged() {
			text = plural(len(c.names), c.found.Noun) + ": " + text
		}
		return strings.TrimSuffix(text+"; "+c.left(), "; ")
	}
	n := 0
	for _, o := range c.objects {
		if c.differs(o) {
			n++
		}
	}
	switch {
	case n == 0:
		return fmt.Sprintf("%s: no differences between them", plural(len(c.names), "cluster"))
	case n == 1:
		return fmt.Sprintf("%s: 1 object differs between them", plural(len(c.names), "cluster"))
	}
	return fmt.Sprintf("%s: %d objects differ between them", plural(len(c.names), "cluster"), n)
}

// in names clusters.
func (c *Clusters) in(clusters []string) string {
	return lint.Among(clusters, c.names, c.found.Nouns())
}

// Write writes the report.
func (c *Clusters) Write(w io.Writer, opts Options) error {
	if c.isSectioned() {
		return c.writeSections(w, opts)
	}
	switch c.format {
	case "text", "unified", "fields":
		return c.writeText(w, opts)
	case "name":
		return c.writeNames(w)
	case "markdown":
		return c.writeMarkdown(w, opts)
	case "json":
		return writeJSON(w, c.toJSON())
	case "yaml":
		return show.WriteYAML(w, c.toJSON())
	case "kyaml":
		return show.WriteKYAML(w, c.toJSON())
	case "html":
		return c.page.write(w, c, opts)
	case "guard":
		return guard.Join(c.judged).WriteJSON(w)
	}
	opts = c.reporting
	opts.said = c.said()
	return Findings[c.format](w, c.result(), opts)
}
