package report

import (
	"io"
	"slices"

	"threeway/lint"
	"threeway/lint/report/webpage"
	"threeway/merge"
	diff "threeway/merge/report"
)

// ReviewHTML writes a page for a browser in which every object can be looked at
// in its four versions, with the reason of each field, its difference, its
// owners and its findings.
func ReviewHTML(w io.Writer, r *Review, opts Options) error {
	b := &pageBuilder{review: r, byName: map[string]int{}}
	for _, o := range r.Plan.Outcomes {
		if r.Shown == nil || r.Shown(o.Config.Origin.File) {
			s, err := diff.SheetOf(o, r.Diff)
			if err != nil {
				return err
			}
			b.add(s, lint.At(s.Source.File, s.Source.Line))
		}
	}
	if r.Plan.Prune != nil {
		for _, c := range r.Plan.Prune.Pruned() {
			b.add(diff.SheetOfPruned(c, r.Diff), "")
		}
		b.page.Prune = diff.PruneJSON(r.Plan)
	}
	for _, f := range opts.listed(r.Lint) {
		b.finding(f)
	}
	summary := diff.Summary(r.Plan) + "; " + Tally(r.Lint)
	b.page.Version, b.page.Rehearsed, b.page.Summary = opts.Version, diff.Rehearsed(r.Plan), summary
	b.page.Counts = diff.Count(r.Plan)
	b.page.Warnings = diff.Accidents(r.Plan)
	b.page.Notes, b.page.Skipped, b.page.Suppressed, b.page.Known = r.Lint.Notes, Skipped(r.Lint), len(r.Lint.Suppressed), r.Lint.Known
	for _, p := range r.Lint.Problems {
		b.page.Problems = append(b.page.Problems, p.String())
	}
	return webpage.Write(w, webpage.Page{Title: "threeway review", Summary: summary, Index: b.page, Parts: func(yield func(any) bool) {
		for _, s := range b.sheets {
			if !yield(s) {
				return
			}
		}
	}})
}

// pageIndex is what the page knows of every object at once. The part of the same
// number has the rest, a diff.Sheet.
type pageIndex struct {
	Version    string        `json:"version"`
	Rehearsed  string        `json:"rehearsed"`
	Summary    string        `json:"summary"`
	Counts     diff.Counts   `json:"counts"`
	Objects    []*pageObject `json:"objects"`
	Findings   []pageFinding `json:"findings"`
	Rules      []pageRule    `json:"rules,omitempty"`
	Prune      any           `json:"prune,omitempty"`
	Warnings   []string      `json:"warnings,omitempty"`
	Problems   []string      `json:"problems,omitempty"`
	Notes      []string      `json:"notes,omitempty"`
	Skipped    []string      `json:"skipped,omitempty"`
	Suppressed int           `json:"suppressed,omitempty"`
	Known      int           `json:"known,omitempty"`
}

type pageObject struct {
	Object    string         `json:"object"`
	Kind      string         `json:"kind,omitempty"`
	Namespace string         `json:"namespace,omitempty"`
	Name      string         `json:"name"`
	Action    string         `json:"action"`
	Differs   bool           `json:"differs,omitempty"`
	Place     string         `json:"place,omitempty"`
	Reasons   []merge.Reason `json:"reasons,omitempty"`
	Managers  []string       `json:"managers,omitempty"`
	Added     int            `json:"added,omitempty"`
	Removed   int            `json:"removed,omitempty"`
	Terms     string         `json:"terms,omitempty"`
	Findings  []int          `json:"findings,omitempty"`
}

// pageFinding is a finding with the row of the object's sheet and the line of
// its merged text that it belongs to, and the lines around its place.
type pageFinding struct {
	jsonFinding
	Row     int      `json:"row"`
	Merged  int      `json:"merged,omitempty"`
	Width   int      `json:"width,omitempty"`
	First   int      `json:"first,omitempty"`
	Excerpt []string `json:"excerpt,omitempty"`
}

type pageRule struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Why   string `json:"why"`
}

type pageBuilder struct {
	review *Review
	page   pageIndex
	sheets []*diff.Sheet
	byName map[string]int
}

func (b *pageBuilder) add(s *diff.Sheet, place string) {
	o := &pageObject{
		Object: s.Object, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name, Action: string(s.Action), Differs: s.Differs, Place: place,
		Reasons: s.ReasonWords(), Added: s.Added, Removed: s.Removed, Terms: s.Terms(),
	}
	for _, m := range s.Managers {
		if !slices.Contains(o.Managers, m.Manager) {
			o.Managers = append(o.Managers, m.Manager)
		}
	}
	b.byName[s.Object] = len(b.sheets)
	b.page.Objects = append(b.page.Objects, o)
	b.sheets = append(b.sheets, s)
}

func (b *pageBuilder) finding(f *lint.Finding) {
	i, known := b.byName[f.Object]
	if !known {
		b.add(diff.SheetOfOther(f.Object), "")
		i = len(b.sheets) - 1
	}
	first, excerpt := f.Excerpt(2)
	b.page.Objects[i].Findings = append(b.page.Objects[i].Findings, len(b.page.Findings))
	b.page.Findings = append(b.page.Findings, pageFinding{
		jsonFinding: finding(f), Row: b.sheets[i].Row(f.Path), Merged: b.sheets[i].Line(f.Path), Width: f.At().Width, First: first, Excerpt: excerpt,
	})
	if !slices.ContainsFunc(b.page.Rules, func(r pageRule) bool { return r.ID == f.Rule.ID }) {
		b.page.Rules = append(b.page.Rules, pageRule{f.Rule.ID, sentence(f.Rule.Title), f.Rule.Why})
	}
}
