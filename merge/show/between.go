package show

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"threeway/merge/explain"
	"threeway/merge/mask"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// masked are the fields of an object with values that may be shown.
func (o Options) masked(m explain.Moved) []explain.Drift {
	if o.ShowSecrets || len(m.Fields) == 0 {
		return m.Fields
	}
	values := map[string]explain.Change{}
	for _, c := range explain.Leaves(m.Outcome.Masked(o.Secrets)) {
		values[c.Path.String()] = c
	}
	fields := slices.Clone(m.Fields)
	for i, f := range fields {
		for _, of := range []tree.Object{m.Outcome.Before, m.Outcome.Result} {
			fields[i].Path = o.Secrets.Path(of, fields[i].Path)
		}
		c, found := values[f.Path.String()]
		if fields[i].Old, fields[i].New = c.Old, c.New; !found {
			fields[i].Old, fields[i].New = mask.Value, mask.Value
		}
	}
	return fields
}

// Between writes what changed from one export of a cluster to the next, and by
// whom. Ages count back from the newest write.
func Between(w io.Writer, c *explain.Comparison, opts Options) error {
	out := bufio.NewWriter(w)
	t := table{head: []string{"BY", "AGE", "FIELD: BEFORE → AFTER"}}
	for _, m := range c.Objects {
		b := block{title: opts.paint(Strong, m.ID.String()) + " " + string(m.Fate)}
		if len(m.By) > 0 {
			b.title += " by " + writersText(m.By)
		}
		for _, f := range opts.masked(m) {
			before, after := apart(f.InOld, f.Old, f.InNew, f.New)
			b.rows = append(b.rows, tableRow{[]string{writersText(f.By), age(f.Since, opts.Newest)}, f.Path.String(), before + " → " + after})
		}
		t.blocks = append(t.blocks, b)
	}
	t.write(out, opts)
	return out.Flush()
}

// betweenCounts are the totals of a comparison of exports.
type betweenCounts struct {
	Compared  int `json:"compared"`
	Created   int `json:"created"`
	Changed   int `json:"changed"`
	Recreated int `json:"recreated"`
	Deleted   int `json:"deleted"`
	// OnlyStatus: only the status differs, or what the server keeps for itself.
	OnlyStatus  int `json:"onlyStatus"`
	NotCompared int `json:"notCompared"`
}

func countBetween(c *explain.Comparison) betweenCounts {
	n := betweenCounts{Compared: c.Compared, OnlyStatus: c.Quiet}
	for _, m := range c.Objects {
		switch m.Fate {
		case explain.Appeared:
			n.Created++
		case explain.Modified:
			n.Changed++
		case explain.Replaced:
			n.Recreated++
		case explain.Vanished:
			n.Deleted++
		}
	}
	for _, objects := range c.Apart {
		n.NotCompared += objects
	}
	return n
}

// BetweenNotes say what a comparison of exports cannot tell.
func BetweenNotes(c *explain.Comparison) (notes []string) {
	if len(c.Apart) > 0 {
		const most = 5
		var places []string
		for _, place := range slices.Sorted(maps.Keys(c.Apart)) {
			places = append(places, fmt.Sprintf("%d %s", c.Apart[place], place))
		}
		if len(places) > most {
			places = append(places[:most], fmt.Sprintf("and %d more", len(places)-most))
		}
		notes = append(notes, fmt.Sprintf("not compared, because only one of the exports has this kind, version or namespace: %s", strings.Join(places, ", ")))
	}
	if c.Unknown > 0 {
		notes = append(notes, fmt.Sprintf("values that are redacted in one export or with another key, so that nothing tells whether they changed: %d; redact both exports with the same key", c.Unknown))
	}
	return notes
}

// BetweenSummary is the line at the end.
func BetweenSummary(c *explain.Comparison) string {
	n, apart := countBetween(c), 0
	for _, objects := range c.Apart {
		apart += objects
	}
	text := fmt.Sprintf("objects: %d; created: %d, changed: %d, recreated: %d, deleted: %d; only status or bookkeeping: %d", n.Compared, n.Created, n.Changed, n.Recreated, n.Deleted, n.OnlyStatus)
	if apart > 0 {
		text += fmt.Sprintf("; not compared: %d", apart)
	}
	return text
}

// jsonMoved is an object in the JSON form of Between.
type jsonMoved struct {
	Object string           `json:"object"`
	Change string           `json:"change"` // created, changed, recreated or deleted
	By     []jsonOwner      `json:"by,omitempty"`
	Fields []jsonMovedField `json:"fields,omitempty"`
}

type jsonMovedField struct {
	Path   string      `json:"path"`
	Before *any        `json:"before,omitempty"`
	After  *any        `json:"after,omitempty"`
	By     []jsonOwner `json:"by"`
	Since  string      `json:"since,omitempty"`
}

// BetweenJSON writes the same as JSON.
func BetweenJSON(w io.Writer, c *explain.Comparison, opts Options) error {
	list := []jsonMoved{}
	for _, m := range c.Objects {
		j := jsonMoved{Object: m.ID.String(), Change: string(m.Fate), By: jsonOwners(owners.Owned{Owners: m.By})}
		for _, f := range opts.masked(m) {
			field := jsonMovedField{Path: f.Path.String(), By: jsonOwners(owners.Owned{Owners: f.By}), Since: f.Since}
			if field.By == nil {
				field.By = []jsonOwner{}
			}
			if f.InOld {
				field.Before = &f.Old
			}
			if f.InNew {
				field.After = &f.New
			}
			j.Fields = append(j.Fields, field)
		}
		list = append(list, j)
	}
	return writeJSON(w, struct {
		SchemaVersion int           `json:"schemaVersion"`
		Counts        betweenCounts `json:"counts"`
		Objects       []jsonMoved   `json:"objects"`
		Notes         []string      `json:"notes,omitempty"`
	}{SchemaVersion, countBetween(c), list, BetweenNotes(c)})
}
