package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/owners"
)

// drifted is an outcome with where live has moved.
type drifted struct {
	*merge.Outcome
	fields []explain.Drift
}

// DriftCounts are the totals of a drift report: fields that the next apply sets
// back, keeps, or is refused for, those of the config that wait to be applied,
// objects that drifted, that are applied server-side, that are not live, and of
// which nothing says what was last applied.
type DriftCounts struct {
	Objects     int `json:"objects"`
	Drifted     int `json:"drifted"`
	Undone      int `json:"undone"`
	Kept        int `json:"kept"`
	Conflicting int `json:"conflicting"`
	Pending     int `json:"pending"`
	ServerSide  int `json:"serverSide"`
	Absent      int `json:"absent"`
	Unknown     int `json:"unknown"`
}

// drift finds what drifted, with values that may be shown.
func drift(plan *merge.Plan, opts Options) (list []drifted, counts DriftCounts) {
	counts.Objects = len(plan.Outcomes)
	for _, o := range plan.Outcomes {
		o = opts.compared(o)
		fields, pending, known := explain.DriftOf(o)
		counts.Pending += pending
		if o.AppliedServerSide() {
			counts.ServerSide++
		}
		switch {
		case o.Live == nil && o.Action != merge.Rejected:
			counts.Absent++
			list = append(list, drifted{o, nil})
			continue
		case o.Action == merge.Rejected:
			continue
		case !known:
			counts.Unknown++
		}
		if len(fields) == 0 {
			continue
		}
		values := map[string]explain.Change{}
		for _, c := range opts.view(o).Changes() {
			values[c.Path.String()] = c
		}
		for i, f := range fields {
			shown := values[f.Path.String()]
			fields[i].Old, fields[i].New = shown.Old, shown.New
			switch driftWord(f) {
			case "conflicts":
				counts.Conflicting++
			case "undoes":
				counts.Undone++
			default:
				counts.Kept++
			}
		}
		counts.Drifted++
		list = append(list, drifted{o, fields})
	}
	return list, counts
}

// driftWord is what the next apply does to a field.
func driftWord(f explain.Drift) string {
	switch {
	case f.Contended:
		return "conflicts"
	case f.Undone():
		return "undoes"
	}
	return "keeps"
}

// Drift writes where live has moved since the last apply while the config has
// not, and reports whether it has. Ages count back from newest.
func Drift(w io.Writer, plan *merge.Plan, newest string, opts Options) (differ bool, err error) {
	out := bufio.NewWriter(w)
	list, counts := drift(plan, opts)
	for _, o := range list {
		fmt.Fprintln(out, opts.paint(Strong, o.Identity().String()))
		if o.fields == nil {
			fmt.Fprintln(out, "  not in the snapshot: deleted, or never applied; the next apply creates it")
			continue
		}
		rows := [][]string{{"APPLY", "FIELD", "BY", "AGE", "LIVE", "CONFIG"}}
		for _, f := range o.fields {
			config := "-"
			if f.Undone() {
				config = either(f.InNew, f.New)
			}
			rows = append(rows, []string{driftWord(f), f.Path.String(), writersText(f.By), age(f.Since, newest), either(f.InOld, f.Old), config})
		}
		writeColumns(out, rows, opts)
	}
	return counts.Drifted+counts.Absent > 0, out.Flush()
}

func writersText(by []owners.Owner) string {
	if len(by) == 0 {
		return "unknown"
	}
	var names []string
	for _, w := range by {
		name := w.Manager
		if w.Subresource != "" {
			name += " (" + w.Subresource + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// DriftSummary is the line at the end, with what else is worth knowing before it.
func DriftSummary(plan *merge.Plan, opts Options) (lines []string) {
	_, c := drift(plan, opts)
	if c.Unknown > 0 {
		lines = append(lines, fmt.Sprintf("note: %d of %d objects have no last-applied and were not applied server-side by the manager, so their drift is unknown; pass --last-applied or --field-manager, or use threeway diff -o fields", c.Unknown, c.Objects))
	}
	if c.Pending > 0 {
		lines = append(lines, fmt.Sprintf("note: fields that differ because the manifest changed since the last apply: %d; threeway diff shows them", c.Pending))
	}
	if c.Conflicting > 0 {
		lines = append(lines, fmt.Sprintf("note: drifted fields that make the next server-side apply fail with a conflict: %d; --force-conflicts resets them", c.Conflicting))
	}
	text := fmt.Sprintf("%d objects: %d drifted, %d absent; the next apply undoes %s and keeps %d; %s", c.Objects, c.Drifted, c.Absent, countOf(c.Undone, "field"), c.Kept, Rehearsed(plan))
	if c.ServerSide > 0 {
		text += fmt.Sprintf(", server-side apply of %d", c.ServerSide)
	}
	return append(lines, text)
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
	Path   string      `json:"path"`
	Apply  string      `json:"apply"` // undoes, keeps or conflicts
	Live   *any        `json:"live,omitempty"`
	Config *any        `json:"config,omitempty"`
	By     []jsonOwner `json:"by"`
	Since  string      `json:"since,omitempty"`
}

// DriftJSON writes the same as JSON.
func DriftJSON(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	found, counts := drift(plan, opts)
	list := []jsonDrift{}
	for _, o := range found {
		line, _, _ := o.Config.Position(nil)
		j := jsonDrift{Object: o.Identity().String(), Mode: "client-side", Absent: o.fields == nil, Fields: []jsonDriftField{}, Source: jsonLocation{o.Config.Origin.File, line}}
		if o.AppliedServerSide() {
			j.Mode = "server-side"
		}
		for _, f := range o.fields {
			field := jsonDriftField{Path: f.Path.String(), Apply: driftWord(f), By: jsonOwners(owners.Owned{Owners: f.By}), Since: f.Since}
			if field.By == nil {
				field.By = []jsonOwner{}
			}
			if f.InOld {
				field.Live = &f.Old
			}
			if f.Undone() && f.InNew {
				field.Config = &f.New
			}
			j.Fields = append(j.Fields, field)
		}
		list = append(list, j)
	}
	return counts.Drifted+counts.Absent > 0, writeJSON(w, struct {
		SchemaVersion int         `json:"schemaVersion"`
		Kubernetes    string      `json:"kubernetes"`
		Counts        DriftCounts `json:"counts"`
		Objects       []jsonDrift `json:"objects"`
		Notes         []string    `json:"notes,omitempty"`
	}{SchemaVersion, kubernetes(plan), counts, list, plan.Notes})
}
