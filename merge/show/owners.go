package show

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
)

// Ownership is an object with the fields that have owners, or with those of its
// config that others own.
type Ownership struct {
	Object *manifest.Object
	// Claims are those of the programs that apply the live object, by which their managers
	// are known.
	Claims    []applier.Claim
	Fields    []owners.Owned
	Contested []rehearsal.Contest
	Refusal   string // why nothing can be said
}

// Found reports whether there is anything to write.
func (o Ownership) Found() bool { return len(o.Fields)+len(o.Contested) > 0 || o.Refusal != "" }

// Owners writes who owns the fields of objects, or what of a config others own,
// one line for each owner of each field. No values are written.
func Owners(w io.Writer, objects []Ownership, opts Options) error {
	out := bufio.NewWriter(w)
	t := table{head: []string{"MANAGER", "OPERATION", "WRITTEN", "FIELD"}}
	applied := slices.ContainsFunc(objects, Ownership.applied)
	if applied {
		t.head = slices.Insert(t.head, 1, "APPLIER")
	}
	if slices.ContainsFunc(objects, func(o Ownership) bool { return o.Contested != nil }) {
		t.head = append([]string{"APPLY"}, t.head...)
	}
	for _, o := range objects {
		if rows := ownerRows(o, applied); len(rows) > 0 {
			t.blocks = append(t.blocks, block{title: opts.paint(Strong, o.Object.ID().String()), rows: rows})
		}
	}
	t.write(out, opts)
	return out.Flush()
}

// applied reports whether an owner is the manager of a program that applies the object.
func (o Ownership) applied() bool {
	by := func(f owners.Owned) bool {
		return slices.ContainsFunc(f.Owners, func(w owners.Owner) bool { return o.applier(w) != "" })
	}
	return slices.ContainsFunc(o.Fields, by) || slices.ContainsFunc(o.Contested, func(c rehearsal.Contest) bool { return by(c.Owned) })
}

// applier is what an owner writes for: Helm release shop/shop; "" if that is unknown. Two
// of one program have one manager.
func (o Ownership) applier(w owners.Owner) string {
	var by []string
	for _, c := range o.Claims {
		if c.WritesAs(w.Manager) {
			by = append(by, string(c.Program)+" "+c.By())
		}
	}
	return strings.Join(by, " or ")
}

func ownerRows(o Ownership, applied bool) (rows []tableRow) {
	add := func(first []string, f owners.Owned) {
		for _, owner := range f.Owners {
			cells := append(first[:len(first):len(first)], owner.String())
			if applied {
				cells = append(cells, o.applier(owner))
			}
			rows = append(rows, tableRow{cells: append(cells, owner.Operation, cmp.Or(owner.Time, "-")), field: f.Path.String()})
		}
	}
	for _, f := range o.Fields {
		add(nil, f)
	}
	for _, c := range o.Contested {
		add([]string{contestWord(c)}, c.Owned)
	}
	return rows
}

// contestWord is what an apply does to a field that others own.
func contestWord(c rehearsal.Contest) string {
	switch {
	case c.Removed:
		return "removes"
	case c.Taken:
		return "takes"
	}
	return "shares"
}

// jsonOwned is an object in the JSON form of Owners.
type jsonOwned struct {
	Object  string       `json:"object"`
	Fields  []jsonField  `json:"fields"`
	Refusal string       `json:"refusal,omitempty"`
	Source  jsonLocation `json:"source"`
}

type jsonLocation struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

type jsonField struct {
	Path   string      `json:"path"`
	Apply  string      `json:"apply,omitempty"` // takes, shares or removes
	Owners []jsonOwner `json:"owners"`
}

type jsonOwner struct {
	Manager     string `json:"manager"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource,omitempty"`
	APIVersion  string `json:"apiVersion"`
	Time        string `json:"time,omitempty"`
	// Applier is what the manager writes for: Helm release shop/shop.
	Applier string `json:"applier,omitempty"`
}

// OwnersJSON writes the same as JSON.
func OwnersJSON(w io.Writer, objects []Ownership, _ Options) error {
	list := []jsonOwned{}
	for _, o := range objects {
		line, _, _ := o.Object.Position(nil)
		j := jsonOwned{Object: o.Object.ID().String(), Fields: []jsonField{}, Refusal: o.Refusal, Source: jsonLocation{o.Object.Origin.File, line}}
		for _, f := range o.Fields {
			j.Fields = append(j.Fields, jsonField{f.Path.String(), "", o.jsonOwners(f)})
		}
		for _, c := range o.Contested {
			j.Fields = append(j.Fields, jsonField{c.Path.String(), contestWord(c), o.jsonOwners(c.Owned)})
		}
		list = append(list, j)
	}
	return writeJSON(w, struct {
		SchemaVersion int         `json:"schemaVersion"`
		Objects       []jsonOwned `json:"objects"`
	}{SchemaVersion, list})
}

// jsonOwners are the owners with what they write for.
func (o Ownership) jsonOwners(f owners.Owned) []jsonOwner {
	list := jsonOwners(f)
	for i, w := range f.Owners {
		list[i].Applier = o.applier(w)
	}
	return list
}

func jsonOwners(f owners.Owned) []jsonOwner {
	var list []jsonOwner
	for _, o := range f.Owners {
		list = append(list, jsonOwner{Manager: o.Manager, Operation: o.Operation, Subresource: o.Subresource, APIVersion: o.APIVersion, Time: o.Time})
	}
	return list
}
