package show

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/visible"
)

// drifted is an outcome with where live has moved.
type drifted struct {
	*rehearsal.Outcome
	fields    []explain.Drift
	judgement explain.Judgement
	newest    string // of its fields' writes
}

// absent reports whether the object is not in the snapshot.
func (d drifted) absent() bool { return d.Live == nil }

// DriftCounts are the totals of a drift report: fields that the next apply sets
// back, keeps, is refused for, would set back if it were accepted, or may set back; those
// of the config that wait to be applied; objects that drifted, that are applied
// server-side, that are not live, and that cannot be judged; fields that --since and
// --ignore-manager leave out.
type DriftCounts struct {
	Objects     int `json:"objects"`
	Drifted     int `json:"drifted"`
	Undone      int `json:"undone"`
	Kept        int `json:"kept"`
	Conflicting int `json:"conflicting"`
	Rejected    int `json:"rejected"`
	Unsure      int `json:"unsure"`
	Pending     int `json:"pending"`
	ServerSide  int `json:"serverSide"`
	ByManagers  int `json:"byManagers"`
	Absent      int `json:"absent"`
	Unknown     int `json:"unknown"`
	Older       int `json:"older,omitempty"`
	Ignored     int `json:"ignored,omitempty"`
}

// Fails reports whether something drifted, or may have.
func (c DriftCounts) Fails() bool { return c.Drifted+c.Absent+c.Unknown > 0 }

// drift finds what drifted, with values that may be shown, the newest first.
func drift(plan *merge.Plan, opts Options) (list []drifted, counts DriftCounts) {
	counts.Objects = len(plan.Outcomes)
	for _, o := range plan.Outcomes {
		whole := o
		o = opts.compared(o)
		if o.AppliedServerSide() {
			counts.ServerSide++
		}
		if o.Live == nil {
			if o.Action != rehearsal.Rejected {
				counts.Absent++
				list = append(list, drifted{Outcome: o})
			}
			continue
		}
		fields, pending, judgement := explain.DriftOf(o)
		counts.Pending += pending
		if len(opts.IgnoreManagers) > 0 {
			all, _, _ := explain.DriftOf(whole)
			counts.Ignored += len(all) - len(fields)
		}
		switch {
		case !judgement.Judged():
			counts.Unknown++
			list = append(list, drifted{Outcome: o, judgement: judgement})
			continue
		case judgement == explain.ByManagers:
			counts.ByManagers++
		}
		d := drifted{Outcome: o, judgement: judgement}
		for _, f := range opts.maskedDrift(o, fields) {
			if opts.Since > 0 && !within(f.Since, opts.Newest, opts.Since) {
				counts.Older++
				continue
			}
			switch f.Effect {
			case explain.Conflicts:
				counts.Conflicting++
			case explain.Undoes:
				counts.Undone++
			case explain.Blocked:
				counts.Rejected++
			case explain.Unknown:
				counts.Unsure++
			default:
				counts.Kept++
			}
			d.fields, d.newest = append(d.fields, f), max(d.newest, f.Since)
		}
		if d.fields == nil {
			continue
		}
		slices.SortStableFunc(d.fields, func(a, b explain.Drift) int { return strings.Compare(b.Since, a.Since) })
		counts.Drifted++
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b drifted) int { return strings.Compare(b.newest, a.newest) })
	return list, counts
}

// unread is what hides objects from drift: the rest that a plan does not tell is about
// the next apply.
func unread(all gap.List) (list gap.List) {
	for _, g := range all {
		if g.Code == gap.NoPath || g.Code == gap.Unread || g.Code == gap.NotRead {
			list = append(list, g)
		}
	}
	return list
}

// maskedDrift are fields with values that may be shown.
func (o Options) maskedDrift(out *rehearsal.Outcome, fields []explain.Drift) []explain.Drift {
	if o.ShowSecrets || len(fields) == 0 || !out.HasSecrets(o.Secrets) {
		return fields
	}
	if shown := out.Intended(); shown != nil {
		out = shown
	}
	masked := out.Masked(o.Secrets)
	for i, f := range fields {
		if f.InOld {
			fields[i].Old, _ = f.Path.Find(masked.Before)
		}
		if result := masked.Result; f.InNew {
			if fields[i].New, _ = f.Path.Find(result); f.Effect == explain.Unknown {
				fields[i].New, _ = f.Path.Find(masked.Target())
			}
		}
	}
	return fields
}

// within reports whether a write is no older than a span before the newest one. One
// without a time may be.
func within(written, newest string, span time.Duration) bool {
	t, err := time.Parse(time.RFC3339, written)
	now, err2 := time.Parse(time.RFC3339, newest)
	return err != nil || err2 != nil || now.Sub(t) <= span
}

// Drift writes where live has moved since the last apply while the config has
// not, and reports whether it has, or may have.
func Drift(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	out := bufio.NewWriter(w)
	list, counts := drift(plan, opts)
	t := table{head: []string{"APPLY", "BY", "WRITTEN", "FIELD: LIVE → MANIFEST"}}
	for _, o := range list {
		b := block{title: opts.paint(Strong, o.Identity().String())}
		switch {
		case o.absent():
			b.lines = []string{"not in the snapshot: deleted, or never applied; the next apply creates it"}
		case !o.judgement.Judged():
			b.lines = []string{"cannot be judged: " + needs(o.judgement, o.Identity())}
		}
		for _, f := range o.fields {
			live, config := apart(f.InOld, f.Old, f.InNew, f.New)
			if f.Undone() {
				live += " → " + config
			}
			b.rows = append(b.rows, tableRow{[]string{string(f.Effect), writersText(f.By), cmp.Or(f.Since, "-")}, f.Path.String(), live})
		}
		t.blocks = append(t.blocks, b)
	}
	t.write(out, opts)
	return counts.Fails(), out.Flush()
}

// needs says why an object cannot be judged, and what would help.
func needs(j explain.Judgement, of ...manifest.Identity) string {
	switch j {
	case explain.BadRecord:
		return "its last-applied annotation is not a JSON object, and it has no managedFields; export it with: " + manifest.ExportManagers(of...) + ", or pass --last-applied"
	case explain.Managerless:
		return "it has neither last-applied nor managedFields; export it with: " + manifest.ExportManagers(of...) + ", or pass --last-applied"
	}
	return "it has no last-applied, and no program that applies manifests is among its managers; pass --last-applied, or use threeway diff -o fields"
}

func writersText(by []owners.Owner) string {
	if len(by) == 0 {
		return "unknown"
	}
	var names []string
	for _, w := range by {
		names = append(names, w.String())
	}
	return strings.Join(names, ", ")
}

// DriftSummary is the line at the end, with what else is worth knowing before it.
func DriftSummary(plan *merge.Plan, opts Options) (lines []string) {
	list, c := drift(plan, opts)
	lines = driftNotes(list, c, opts)
	text := ""
	if incomplete := Incomplete(unread(plan.Gaps)); incomplete != "" {
		text = incomplete + "; "
	}
	text += fmt.Sprintf("%d of %s drifted, %d absent", c.Drifted, phrase.Count(c.Objects, "object"), c.Absent)
	if c.Unknown > 0 {
		text += fmt.Sprintf(", %d cannot be judged", c.Unknown)
	}
	of := ""
	if c.Older+c.Ignored > 0 {
		of = "of them "
	}
	text += fmt.Sprintf("; %sthe next apply reverts %s and keeps %d", of, phrase.Count(c.Undone, "field"), c.Kept)
	if c.Unsure > 0 {
		text += fmt.Sprintf(", for %d it is unknown", c.Unsure)
	}
	text += "; " + Rehearsed(plan)
	if c.ServerSide > 0 {
		text += fmt.Sprintf(", server-side apply of %d", c.ServerSide)
	}
	return append(lines, text)
}

func driftNotes(list []drifted, c DriftCounts, opts Options) (lines []string) {
	note := func(format string, args ...any) {
		lines = append(lines, "note: "+visible.Line(fmt.Sprintf(format, args...)))
	}
	unnamed := 0
	var bare []manifest.Identity
	for _, o := range list {
		if !o.absent() && len(o.fields) > 0 && !owners.Recorded(o.Live.Tree) {
			unnamed, bare = unnamed+len(o.fields), append(bare, o.Identity())
		}
	}
	if bare != nil {
		note("%s of %s without managedFields: who changed them, and when, is unknown; export them with: %s", phrase.Count(unnamed, "drifted field"), phrase.Count(len(bare), "object"), manifest.ExportManagers(bare...))
	}
	if c.ByManagers > 0 {
		help := "; pass the manifests with -f"
		if opts.ManifestsGiven {
			help = ", and looks like a field that is new in the manifest"
		}
		note("%s judged by managedFields alone, because the values that were applied last are not known: what was removed in the cluster leaves no trace there%s", phrase.Count(c.ByManagers, "object"), help)
	}
	if c.Unsure > 0 {
		note("what the next apply does to %s is unknown: it reverts those that the manifests set, or conflicts over them, and keeps the others; pass the manifests with -f", phrase.Count(c.Unsure, "drifted field"))
	}
	if c.Pending > 0 {
		note("%s because the manifest is newer (see threeway diff)", phrase.Count(c.Pending, "more field differs", "more fields differ"))
	}
	if c.Conflicting > 0 {
		note("drifted fields that make the next server-side apply fail with a conflict: %d; --force-conflicts resets them", c.Conflicting)
	}
	if c.Rejected > 0 {
		note("drifted fields that the next apply cannot reset, because it is rejected: %d", c.Rejected)
	}
	if c.Ignored > 0 {
		note("drifted fields of %s: %d; they are left out, and the next apply may revert them", "--ignore-manager "+phrase.Abbreviated(opts.IgnoreManagers, 3), c.Ignored)
	}
	if c.Older > 0 {
		note("drifted fields that were written earlier than --since: %d; they are left out, and the next apply may revert them", c.Older)
	}
	return lines
}

// jsonDrift is an object in the JSON form of Drift.
type jsonDrift struct {
	Object string           `json:"object"`
	Absent bool             `json:"absent,omitempty"`
	Mode   string           `json:"mode"`
	Fields []jsonDriftField `json:"fields"`
	Source jsonLocation     `json:"source"`
}

type jsonDriftField struct {
	Path     string      `json:"path"`
	Apply    string      `json:"apply"` // undoes, keeps, conflicts, rejected or unknown
	Live     *any        `json:"live,omitempty"`
	Manifest *any        `json:"config,omitempty"`
	By       []jsonOwner `json:"by"`
	Since    string      `json:"since,omitempty"`
}

// DriftJSON writes the same as JSON.
func DriftJSON(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	found, counts := drift(plan, opts)
	list, unknown := []jsonDrift{}, append([]jsonGap{}, GapsJSON(unread(plan.Gaps))...)
	for _, o := range found {
		line, _, _ := o.Manifest.Position(nil)
		j := jsonDrift{Object: o.Identity().String(), Mode: "client-side", Absent: o.absent(), Fields: []jsonDriftField{}, Source: jsonLocation{o.Manifest.Origin.File, line}}
		if o.AppliedServerSide() {
			j.Mode = "server-side"
		}
		if !o.judgement.Judged() {
			unknown = append(unknown, jsonGap{Code: "cannot-be-judged", Object: j.Object, Needs: needs(o.judgement, o.Identity())})
			continue
		}
		for _, f := range o.fields {
			field := jsonDriftField{Path: f.Path.String(), Apply: string(f.Effect), By: jsonOwners(owners.Owned{Owners: f.By}), Since: f.Since}
			if field.By == nil {
				field.By = []jsonOwner{}
			}
			if f.InOld {
				field.Live = &f.Old
			}
			if f.Undone() && f.InNew {
				field.Manifest = &f.New
			}
			j.Fields = append(j.Fields, field)
		}
		list = append(list, j)
	}
	return counts.Fails(), writeJSON(w, struct {
		SchemaVersion int         `json:"schemaVersion"`
		Kubernetes    string      `json:"kubernetes"`
		Complete      bool        `json:"complete"`
		Counts        DriftCounts `json:"counts"`
		Objects       []jsonDrift `json:"objects"`
		Unknown       []jsonGap   `json:"unknown"`
		Notes         []string    `json:"notes,omitempty"`
	}{SchemaVersion, kubernetes(plan), len(unknown) == 0, counts, list, unknown, plan.Notes})
}
