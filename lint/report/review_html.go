package report

import (
	"encoding/json"
	"io"
	"slices"

	"threeway/lint"
	"threeway/lint/report/webpage"
	"threeway/merge/parallel"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
)

// ReviewHTML writes a page for a browser in which every object can be looked at
// in its four versions, with the reason of each field, its difference, its
// owners and its findings.
func ReviewHTML(w io.Writer, r *Review, opts Options) error {
	p := r.index(opts)
	parts := webpage.Parts{Strike: r.Diff.Secrets.Strike}
	sources := r.pageSources(opts)
	err := parallel.InOrder(r.Diff.Cores, len(sources), func(i int) pageEntry { return sources[i].entry() }, func(e pageEntry) error {
		p.add(e)
		parts.Add(e.part)
		return e.err
	})
	if err != nil {
		return err
	}
	return webpage.Write(w, webpage.Page{Title: "threeway review", Summary: p.Summary, Index: p, Parts: &parts})
}

// index is what the page knows besides its objects.
func (r *Review) index(opts Options) *pageIndex {
	p := &pageIndex{
		Version: opts.Version, Plan: r.Diff.Digest.ToJSON(), Rehearsed: show.Rehearsed(r.Plan), Summary: r.Summed(), Counts: show.Count(r.Plan, r.Diff),
		About: r.About, Findings: []*pageFinding{},
		pageNotes: pageNotes{Warnings: show.Accidents(r.Plan.Prune), Notes: r.Lint.Notes, Skipped: Skipped(r.Lint, false), Suppressed: len(r.Lint.Suppressed), Known: r.Lint.Known},
	}
	p.Untold = untold(r.Diff.Digest.Dangers(), opts.listed(r.Lint))
	if r.Plan.Base != nil {
		p.Base = r.Plan.Base.Name
	}
	if r.Plan.Prune != nil {
		p.Prune = show.PruneJSON(r.Plan.Prune)
	}
	for _, problem := range r.Lint.Problems {
		p.Problems = append(p.Problems, problem.String())
	}
	return p
}

// pageSource is an object of the page, and the findings about it.
type pageSource struct {
	sheet    func() (*show.Sheet, error)
	effect   func() string // nil if it is not in the manifests
	findings []*lint.Finding
	impact   []show.Line
	danger   int
}

// pageSources are the objects of the page: those of the plan in kubectl's order,
// those that are pruned, and others that there are findings about.
func (r *Review) pageSources(opts Options) []*pageSource {
	var list []*pageSource
	byName := map[string]*pageSource{}
	add := func(name string, sheet func() (*show.Sheet, error)) *pageSource {
		s := &pageSource{sheet: sheet, impact: r.Diff.Digest.Lines(name), danger: r.Diff.Digest.Danger(name)}
		list, byName[name] = append(list, s), s
		return s
	}
	for _, o := range r.Plan.Outcomes {
		if r.Shown == nil || r.Shown(o.Manifest.Origin.File) {
			add(o.Identity().String(), func() (*show.Sheet, error) { return show.SheetOf(o, r.Diff) }).effect = func() string { return changeOf(o, r.Diff) }
		}
	}
	for _, c := range r.Plan.Prune.Pruned() {
		add(c.Live.ID().String(), func() (*show.Sheet, error) { return show.SheetOfPruned(c, r.Diff), nil })
	}
	for _, f := range opts.listed(r.Lint) {
		s := byName[f.Object]
		if s == nil {
			s = add(f.Object, func() (*show.Sheet, error) { return show.SheetOfOther(f.Object), nil })
		}
		s.findings = append(s.findings, f)
	}
	return list
}

// pageEntry is what a page has of one object.
type pageEntry struct {
	object   *pageObject
	findings []*pageFinding
	rules    []*lint.Rule
	part     json.RawMessage
	effect   string // on an object that is changed
	err      error
}

func (source *pageSource) entry() (e pageEntry) {
	s, err := source.sheet()
	if err != nil {
		return pageEntry{err: err}
	}
	e.part, e.err = json.Marshal(s)
	e.object = &pageObject{
		Object: s.Object, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name, Action: string(s.Action), Differs: s.Differs,
		Reasons: s.ReasonWords(), Added: s.Added, Removed: s.Removed, Starts: s.Starts, Terms: s.Terms(),
	}
	if s.Stopped {
		e.object.Action = string(rehearsal.NotApplied)
	}
	e.object.Lines, e.object.Danger = texts(source.impact), source.danger
	if s.Differs && s.Action == rehearsal.Configured {
		e.effect = source.effect()
	}
	if s.Source.File != "" {
		e.object.Place = lint.At(s.Source.File, s.Source.Line)
	}
	listed := map[string]bool{}
	for _, m := range s.Managers {
		if !listed[m.Manager] {
			listed[m.Manager] = true
			e.object.Managers = append(e.object.Managers, m.Manager)
		}
	}
	for _, f := range source.findings {
		first, excerpt := f.Excerpt(2)
		e.rules = append(e.rules, f.Rule)
		e.findings = append(e.findings, &pageFinding{
			jsonFinding: finding(f), Row: s.Row(f.Path), Merged: s.Line(f.Path), Gone: s.Gone(f.Path), Width: f.At().Width, First: first, Excerpt: excerpt, Missing: f.At().Missing != nil, Add: f.At().Added(),
		})
	}
	return e
}

// add puts an object and its findings into the index.
func (p *pageIndex) add(e pageEntry) {
	if e.err != nil {
		return
	}
	for i, f := range e.findings {
		e.object.Findings = append(e.object.Findings, len(p.Findings))
		p.Findings = append(p.Findings, f)
		if rule := e.rules[i]; !slices.ContainsFunc(p.Rules, func(r pageRule) bool { return r.ID == rule.ID }) {
			p.Rules = append(p.Rules, pageRule{rule.ID, sentence(rule.Title), rule.Why})
		}
	}
	p.Objects = append(p.Objects, e.object)
	if first := p.effects[e.effect]; first > 0 {
		e.object.Same = first
	} else if e.effect != "" {
		if p.effects == nil {
			p.effects = map[string]int{}
		}
		p.effects[e.effect] = len(p.Objects)
	}
}

// pageIndex is what the page knows of every object at once. The part of the same
// number has the rest, a show.Sheet.
type pageIndex struct {
	Version   string         `json:"version"`
	Plan      any            `json:"plan"`
	Rehearsed string         `json:"rehearsed"`
	About     string         `json:"about,omitempty"` // which manifests, against what
	Summary   string         `json:"summary"`
	Base      string         `json:"base,omitempty"` // what live is assumed from
	Counts    show.Counts    `json:"counts"`
	Clusters  []pageCluster  `json:"clusters,omitempty"`
	Overlays  bool           `json:"overlays,omitempty"` // the clusters are overlays
	Dangers   []show.Danger  `json:"dangers,omitempty"`  // of all clusters
	Untold    []show.Danger  `json:"untold,omitempty"`   // those that no finding tells
	Objects   []*pageObject  `json:"objects"`
	Findings  []*pageFinding `json:"findings"`
	Rules     []pageRule     `json:"rules,omitempty"`
	Prune     any            `json:"prune,omitempty"`
	pageNotes

	effects map[string]int // numbers of the first objects that change so
}

// pageNotes are what the page says about no object.
type pageNotes struct {
	Warnings   []string `json:"warnings,omitempty"`
	Problems   []string `json:"problems,omitempty"`
	Notes      []string `json:"notes,omitempty"`
	Skipped    []string `json:"skipped,omitempty"`
	Suppressed int      `json:"suppressed,omitempty"`
	Known      int      `json:"known,omitempty"`
}

type pageObject struct {
	Object    string   `json:"object"`
	Kind      string   `json:"kind,omitempty"`
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"`
	Action    string   `json:"action"`
	Differs   bool     `json:"differs,omitempty"`
	Place     string   `json:"place,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	Managers  []string `json:"managers,omitempty"`
	Added     int      `json:"added,omitempty"`
	Removed   int      `json:"removed,omitempty"`
	Terms     string   `json:"terms,omitempty"`
	Lines     []string `json:"impact,omitempty"`
	Danger    int      `json:"danger,omitempty"`
	Starts    int      `json:"starts,omitempty"`
	// Same is the number, from 1, of the first object in which the same changes.
	Same     int   `json:"same,omitempty"`
	Findings []int `json:"findings,omitempty"`
	// Clusters are those of several on which this happens to the object, and Base is
	// its name without them.
	Clusters []string `json:"clusters,omitempty"`
	Base     string   `json:"base,omitempty"`
}

// pageFinding is a finding with the row of the object's sheet and the line of its merged
// text that it belongs to, or of the live text if the field is gone, and the lines around
// its place.
type pageFinding struct {
	jsonFinding
	Row     int      `json:"row"`
	Merged  int      `json:"merged,omitempty"`
	Gone    int      `json:"gone,omitempty"`
	Width   int      `json:"width,omitempty"`
	First   int      `json:"first,omitempty"`
	Excerpt []string `json:"excerpt,omitempty"`
	// Missing: the manifest does not have the field. Add are the lines that would begin it.
	Missing bool     `json:"missing,omitempty"`
	Add     []string `json:"add,omitempty"`
}

type pageRule struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Why   string `json:"why"`
}
