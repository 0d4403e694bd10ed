package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/lint/guard"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
)

// Review is a rehearsed apply with what is to be said about it.
type Review struct {
	Plan *merge.Plan
	Lint *lint.Result
	// Diff says how differences are shown.
	Diff show.Options
	// About says which manifests are applied to what: deploy/ against snapshot.yaml.
	About string
	// Shown decides by file which objects are reported; nil: all.
	Shown func(file string) bool
	// Judged is what the guard answers.
	Judged *guard.Report
}

// ReviewWriter writes a review in one format.
type ReviewWriter func(w io.Writer, r *Review, opts Options) error

// Reviews are the writers by format. Formats that only know findings have those.
var Reviews = map[string]ReviewWriter{
	"text": ReviewText, "json": ReviewJSON, "markdown": ReviewMarkdown, "html": ReviewHTML,
	"guard": func(w io.Writer, r *Review, _ Options) error { return r.Judged.WriteJSON(w) },
	"sarif": found(SARIF), "junit": found(JUnit), "github": found(GitHub), "gitlab": found(GitLab),
}

// found writes the findings of a review.
func found(write Writer) ReviewWriter {
	return func(w io.Writer, r *Review, opts Options) error {
		opts.Digest = r.Diff.Digest
		return write(w, r.Lint, opts)
	}
}

// Differs reports whether the apply would change anything that is shown.
func (r *Review) Differs() bool {
	return slices.ContainsFunc(r.subjects(Options{}), func(s *subject) bool { return s.file != nil })
}

// removed is what happens to an object that only the base has a manifest of.
const removed = "removed from the manifests"

// changed is what a review calls kubectl's configured, as its plan line does.
const changed = "changed"

// Summed is the line at the end of a run: how many objects there are, what is not counted of the
// findings, and how the apply was rehearsed. The report has the rest.
func (r *Review) Summed() string {
	text := plural(show.Count(r.Plan, r.Diff).Objects, "object")
	for _, n := range []struct {
		n    int
		says string
	}{{len(r.Lint.Suppressed), "%d suppressed"}, {r.Lint.Known, "%d in the baseline"}} {
		if n.n > 0 {
			text += "; " + fmt.Sprintf(n.says, n.n)
		}
	}
	return text + "; " + show.Rehearsed(r.Plan)
}

// subject is an object of a review: its difference, if it has one, and the
// findings about it.
type subject struct {
	name, action string
	// place is where the config has it.
	place    string
	file     *show.File
	refusal  string
	findings []*lint.Finding
	// impact are lines on what it does to what runs, but for what a finding says.
	impact []show.Line
	// same are the other objects in which the same changes and is found.
	same []string

	made *hunks
}

// hunks are a difference as text, with how many lines it adds and removes.
type hunks struct {
	text           string
	added, removed int
}

// hunks are those of the object's difference, made once.
func (s *subject) hunks(r *Review) hunks {
	if s.made == nil {
		s.made = &hunks{}
		s.made.text, s.made.added, s.made.removed = s.file.Hunks(r.Diff)
	}
	return *s.made
}

// danger ranks the subjects: what is rejected, then the worst finding. What is
// about no object comes last.
func (s *subject) danger() int {
	if s.name == "" {
		return -1
	}
	worst := lint.Unset
	for _, f := range s.findings {
		if f.Suppressed == "" {
			worst = max(worst, f.Severity)
		}
	}
	if s.action == string(rehearsal.Rejected) {
		return int(lint.Error) + 1
	}
	return int(worst)
}

// subjects are the objects with something to report, the most dangerous first.
func (r *Review) subjects(opts Options) []*subject {
	list := r.all(show.ChangedFiles(r.Plan, r.Diff), opts)
	slices.SortStableFunc(list, func(a, b *subject) int {
		return cmp.Or(cmp.Compare(b.danger(), a.danger()), cmp.Compare(r.Diff.Digest.Danger(b.name), r.Diff.Digest.Danger(a.name)))
	})
	list = slices.DeleteFunc(list, func(s *subject) bool {
		return s.file == nil && s.refusal == "" && s.findings == nil && (s.action != removed || r.Diff.Digest.Renamed(s.name))
	})
	changes := make([]string, len(list))
	r.Diff.Cores.Do(len(list), func(i int) { changes[i] = list[i].change(r, opts.Diffs) })
	first, kept := map[string]*subject{}, list[:0]
	for i, s := range list {
		if of := first[changes[i]]; of != nil && changes[i] != "" {
			of.same = append(of.same, s.name)
			continue
		}
		first[changes[i]] = s
		kept = append(kept, s)
	}
	return kept
}

// change is what happens to an object that others of its kind may share: with diffs the same
// changes, without them the same lines; "" if only a change of its kind is.
func (s *subject) change(r *Review, diffs bool) string {
	if s.file == nil || s.file.Outcome == nil || s.action != changed {
		return ""
	}
	if !diffs {
		var parts []string
		rows, rest := r.Diff.Digest.Rows(s.name, s.impact)
		if rows == nil {
			return ""
		}
		for _, row := range rows {
			parts = append(parts, row.Alike())
		}
		for _, line := range rest {
			parts = append(parts, line.Text)
		}
		return s.file.Outcome.Manifest.Kind.GroupKind() + "\n" + strings.Join(parts, "\n")
	}
	parts := []string{changeOf(s.file.Outcome, r.Diff)}
	for _, line := range s.impact {
		parts = append(parts, line.String())
	}
	for _, f := range s.findings {
		parts = append(parts, f.Rule.ID, f.Shared(), f.Suppressed)
	}
	return strings.Join(parts, "\n")
}

// changeOf is what happens to an object, which is the same in others of its kind.
func changeOf(o *rehearsal.Outcome, opts show.Options) string {
	return o.Manifest.Kind.Group + "\n" + o.Manifest.Kind.Kind + "\n" + show.Effect(o, opts)
}

// mostSame is how many objects with the same change are named.
const mostSame = 20

// each counts the objects in which the same changes, and names them: 3 Deployments, and
// shop/a, shop/b, shop/c.
func (s *subject) each() (count, list string) {
	var names []string
	kind := ""
	for _, same := range append([]string{s.name}, s.same...) {
		of, name, _ := strings.Cut(manifest.Title(same), " ")
		kind, names = of, append(names, name)
	}
	slices.Sort(names)
	return plural(len(names), kind), show.Shared{Objects: names}.Line(mostSame)
}

// all are the objects of the plan in kubectl's order, those that are pruned, and
// others that there are findings about, with their texts.
func (r *Review) all(texts []show.File, opts Options) []*subject {
	var list []*subject
	byName := map[string]*subject{}
	add := func(name string) *subject {
		s := &subject{name: name}
		list, byName[name] = append(list, s), s
		return s
	}
	files := map[*rehearsal.Outcome]*show.File{}
	var pruned []*show.File
	for _, f := range texts {
		if f.Candidate != nil {
			pruned = append(pruned, &f)
		} else {
			files[f.Outcome] = &f
		}
	}
	for _, o := range r.Plan.Outcomes {
		if r.Shown != nil && !r.Shown(o.Manifest.Origin.File) {
			continue
		}
		s := add(o.Identity().String())
		s.action, s.place, s.file = strings.Replace(string(o.Action), string(rehearsal.Configured), changed, 1), o.Manifest.At(), files[o]
		switch {
		case o.Stopped:
			s.action = string(rehearsal.NotApplied)
		case s.action == changed && s.file == nil: // but for what every apply writes
			s.action = string(rehearsal.Unchanged)
		}
		if o.Action == rehearsal.Rejected {
			s.refusal = show.Rejection(o, r.Diff)
		}
	}
	for _, f := range pruned {
		s := add(f.Candidate.Live.ID().String())
		s.action, s.file = string(f.Candidate.Fate), f
	}
	if !r.Plan.Unread() {
		for _, o := range r.Plan.Left {
			if r.Shown != nil && !r.Shown(o.Origin.File) {
				continue
			}
			s := add(o.ID().String())
			s.action, s.place = removed, o.At()
		}
	}
	for _, f := range opts.listed(r.Lint) {
		s := byName[f.Object]
		if s == nil {
			s = add(f.Object)
		}
		s.findings = append(s.findings, f)
		if f.Severity == lint.Error && f.Suppressed == "" {
			s.refusal = "" // the finding says it, at its place
		}
	}
	told := r.told(opts)
	for _, s := range list {
		s.impact = slices.DeleteFunc(slices.Clone(r.Diff.Digest.Lines(s.name)), func(line show.Line) bool { return told.Has(s.name, line) })
	}
	return list
}

// ReviewText writes each object with what changes of it, equal changes once, and at the end,
// where a terminal shows it, what is to be fixed and decided, the verdict and the plan line.
func ReviewText(w io.Writer, r *Review, opts Options) error {
	out := bufio.NewWriter(w)
	if opts.Brief {
		writeBrief(out, written(func(out *bufio.Writer) {
			writeUnknown(out, r, opts)
			writeDangers(out, untold(r.Diff.Digest.Dangers(), opts.listed(r.Lint)), opts)
			writeVerdict(out, r, opts)
		}), r.Lint, opts)
		return out.Flush()
	}
	begun := false
	for _, part := range []func(*bufio.Writer, *Review, Options){writeChanges, writeUnknown, writeCauses, func(out *bufio.Writer, r *Review, opts Options) { writeSteps(out, opts.listed(r.Lint), r.Diff, opts) }, writeVerdict} {
		text := written(func(out *bufio.Writer) { part(out, r, opts) })
		if begun && text != "" {
			out.WriteByte('\n')
		}
		out.WriteString(text)
		begun = begun || text != ""
	}
	return out.Flush()
}

// writeUnknown writes what would complete the plan.
func writeUnknown(out *bufio.Writer, r *Review, opts Options) {
	out.WriteString(strings.Join(r.unknown(opts), ""))
}

// unknown are the lines about it.
func (r *Review) unknown(opts Options) (texts []string) {
	for _, line := range show.Lacking(r.Plan) {
		texts = append(texts, opts.fit(opts.paint(WarningWord, "?")+" "+line+"\n"))
	}
	return texts
}

// longest is how many lines of a created object a text shows: its manifest has them.
const longest = 12

// long is how many lines a created object has that are too many to show; 0 for others.
func (s *subject) long(r *Review) int {
	if s.action != string(rehearsal.Created) || s.file == nil {
		return 0
	}
	if added := s.hunks(r).added; added > longest {
		return added
	}
	return 0
}

// ReviewJSON writes the plan, and the reports of diff and lint, as one.
func ReviewJSON(w io.Writer, r *Review, _ Options) error { return writeJSON(w, r.toJSON()) }

func (r *Review) toJSON() any {
	withoutDigest := r.Diff
	withoutDigest.Digest = nil
	return struct {
		SchemaVersion int `json:"schemaVersion"`
		Plan          any `json:"plan"`
		Diff          any `json:"diff"`
		Lint          any `json:"lint"`
	}{SchemaVersion, r.Diff.Digest.ToJSON(), show.ToJSON(r.Plan, withoutDigest), ToJSON(r.Lint)}
}
