package explain

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"threeway/merge/by/kubectl"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// Fate is what became of an object from one export of a cluster to the next.
type Fate string

// The fates.
const (
	Appeared  Fate = "created"
	Modified  Fate = "changed"
	Replaced  Fate = "recreated" // deleted, and created under the same name
	Vanished  Fate = "deleted"
	Untouched Fate = "unchanged"
)

// Moved is an object that is not the same in two exports.
type Moved struct {
	// Outcome has the object of the first export as Before and that of the second
	// as Result; either is nil where there is none.
	*rehearsal.Outcome
	ID   manifest.Identity
	Fate Fate
	// By are the managers of an object that appeared.
	By []owners.Owner
	// Fields are those that differ, with who changed them.
	Fields []Drift
	// Unknown counts the values that are redacted so that nothing tells whether
	// they differ.
	Unknown int
}

// Comparison is what changed between two exports of a cluster.
type Comparison struct {
	Objects []Moved // sorted by identity; without those that are unchanged
	// Compared counts the objects in either export. Quiet counts those of them in
	// which only the status, or what the server keeps for itself, differs.
	Compared, Quiet int
	// Apart counts, by kind and namespace, objects of one export that the other
	// was not asked for, or has in another version: nothing tells what changed.
	Apart map[string]int
	// Unknown counts redacted values that cannot be compared.
	Unknown int
}

// Decided reports whether everything in the exports was compared.
func (c *Comparison) Decided() bool { return len(c.Apart) == 0 && c.Unknown == 0 }

// Between compares two exports of a cluster. Objects with the same uid and
// resourceVersion are not decoded.
func Between(before, after *manifest.Snapshot) *Comparison {
	c := &Comparison{Apart: map[string]int{}}
	for _, e := range after.Entries {
		c.pair(before, before.FindEntry(e.ID()), e)
	}
	for _, e := range before.Entries {
		if after.FindEntry(e.ID()) == nil {
			c.pair(after, nil, e)
			if last := len(c.Objects) - 1; last >= 0 && c.Objects[last].ID == e.ID() {
				c.Objects[last] = vanished(c.Objects[last])
			}
		}
	}
	slices.SortFunc(c.Objects, func(a, b Moved) int { return cmp.Compare(a.ID.String(), b.ID.String()) })
	return c
}

// pair compares an entry with that of the other export, nil if it has none.
func (c *Comparison) pair(other *manifest.Snapshot, was, is *manifest.Entry) {
	switch {
	case was != nil && was.Same(is):
		c.Compared++
		return
	case was == nil && !asked(other, is):
		c.Apart[place(is)]++
		return
	case was != nil && was.Kind != is.Kind:
		c.Apart[place(is)+" as "+was.Kind.Version+" and "+is.Kind.Version]++
		return
	}
	c.Compared++
	now := is.Once()
	m := Moved{ID: is.ID(), Fate: Appeared, Outcome: &rehearsal.Outcome{By: kubectl.Kubectl{}, Kind: is.Kind, Manifest: now, Live: now, Action: rehearsal.Created, States: rehearsal.States{Result: now.Tree}}}
	if was == nil {
		for _, e := range owners.Read(now.Tree) {
			if !slices.ContainsFunc(m.By, e.Owner.Is) {
				m.By = append(m.By, e.Owner)
			}
		}
		c.Objects = append(c.Objects, m)
		return
	}
	then := was.Once()
	m.Fate, m.Live, m.Before, m.Action = Modified, then, then.Tree, rehearsal.Configured
	if was.UID != "" && is.UID != "" && was.UID != is.UID {
		m.Fate = Replaced
	}
	m.compare()
	c.Unknown += m.Unknown
	if len(m.Fields) == 0 && m.Fate == Modified {
		c.Quiet++
		return
	}
	c.Objects = append(c.Objects, m)
}

// vanished turns around what was found about an object of the first export.
func vanished(m Moved) Moved {
	o := *m.Outcome
	o.Before, o.Result = o.Result, nil
	return Moved{Outcome: &o, ID: m.ID, Fate: Vanished}
}

// asked reports whether an export would have an object if it was in the cluster:
// it covers the kind and has something in the namespace, or shows that the
// namespace is gone.
func asked(in *manifest.Snapshot, e *manifest.Entry) bool {
	if !in.Covers(e.Kind.Group, e.Kind.Kind) {
		return false
	}
	return e.Namespace == "" || slices.Contains(in.Namespaces(), e.Namespace) ||
		in.Covers("", "Namespace") && in.FindEntry(manifest.Identity{Kind: "Namespace", Name: e.Namespace}) == nil
}

// place names what an export was not asked for.
func place(e *manifest.Entry) string {
	if e.Namespace == "" {
		return e.Kind.GroupKind()
	}
	return e.Kind.GroupKind() + " in " + e.Namespace
}

// compare lists the fields that differ, with who changed them. What an owner has
// written since, it has changed; who removes a field owns it no more.
func (m *Moved) compare() {
	was, is := owners.Read(m.Before), owners.Read(m.Result)
	for _, c := range Leaves(m.Outcome) {
		name := c.Path[len(c.Path)-1].Field
		switch {
		case len(c.Path) == 3 && c.Path[0].Field == "metadata" && c.Path[1].Field == "annotations" && rehearsal.ControllersNote(name):
			continue
		case redactedApart(c.Old, c.New):
			m.Unknown++
			continue
		}
		d := Drift{Change: c}
		if c.InNew {
			d.By, d.Since = writers(since(is, was), c.Path, owners.ClientSideApply)
			if d.By == nil {
				d.By, d.Since = writers(is, c.Path, owners.ClientSideApply)
			}
		} else {
			for _, e := range was {
				if now := wroteSince(is, e.Owner); now != nil && e.Owns(c.Path) && !now.Owns(c.Path) {
					d.By, d.Since = append(d.By, now.Owner), max(d.Since, now.Time)
				}
			}
		}
		m.Fields = append(m.Fields, d)
	}
}

// since are the entries that were written after those of another export.
func since(now, then []owners.Entry) (list []owners.Entry) {
	for _, e := range now {
		if !slices.ContainsFunc(then, func(o owners.Entry) bool { return o.Owner == e.Owner }) {
			list = append(list, e)
		}
	}
	return list
}

// wroteSince is the entry of an owner that has another time than it had; nil if
// there is none.
func wroteSince(now []owners.Entry, then owners.Owner) *owners.Entry {
	for i, e := range now {
		if e.Is(then) && e.Time != then.Time {
			return &now[i]
		}
	}
	return nil
}

// redactedApart reports whether values are redacted with different keys, or only
// one of them is.
func redactedApart(a, b any) bool {
	x, y := keyOf(a), keyOf(b)
	return x != y && a != nil && b != nil
}

// keyOf is the part of the first redacted value in a value that names the key, ""
// if nothing in it is redacted.
func keyOf(v any) (key string) {
	switch v := v.(type) {
	case tree.Object:
		for _, name := range tree.Keys(v) {
			key = cmp.Or(key, keyOf(v[name]))
		}
	case []any:
		for _, item := range v {
			key = cmp.Or(key, keyOf(item))
		}
	case string:
		text := v
		if plain, err := base64.StdEncoding.DecodeString(v); err == nil {
			text = string(plain)
		}
		const length = 8
		if _, rest, ok := strings.Cut(text, token.Prefix); ok && len(rest) > length && rest[length] == '-' {
			return rest[:length]
		}
	}
	return key
}
