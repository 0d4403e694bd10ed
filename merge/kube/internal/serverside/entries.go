package serverside

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"threeway/merge/owners"
	"threeway/merge/tree"
)

// owner identifies an entry of managedFields. A manager has one entry for
// apply, and one for updates for each version (apimachinery
// pkg/util/managedfields/internal/managedfields.go BuildManagerIdentifier).
type owner struct {
	Manager     string `json:"manager,omitempty"`
	Operation   string `json:"operation,omitempty"`
	APIVersion  string `json:"apiVersion,omitempty"`
	Subresource string `json:"subresource,omitempty"`
}

// The operations of managedFields.
const (
	applies = owners.Apply
	updates = owners.Update
)

// key returns the owner's name in structured-merge-diff. Conflicts are sorted
// by it.
func (o owner) key() string {
	text, _ := json.Marshal(o)
	return string(text)
}

// String returns the owner as the server prints it in conflicts.
func (o owner) String() string {
	text := fmt.Sprintf("%q", o.Manager)
	if o.Subresource != "" {
		text += fmt.Sprintf(" with subresource %q", o.Subresource)
	}
	if o.Operation == updates {
		text += " using " + o.APIVersion
	}
	return text
}

// managed is the decoded managedFields of an object.
type managed struct {
	fields fieldpath.ManagedFields
	owners map[string]owner
	times  map[string]string
}

func newManaged() *managed {
	return &managed{fieldpath.ManagedFields{}, map[string]owner{}, map[string]string{}}
}

// readManaged decodes managedFields.
func readManaged(entries []any) (*managed, error) {
	m := newManaged()
	for i, e := range entries {
		o := owner{tree.String(e, "manager"), tree.String(e, "operation"), tree.String(e, "apiVersion"), tree.String(e, "subresource")}
		version := o.APIVersion
		switch {
		case o.Operation != applies && o.Operation != updates:
			return nil, fmt.Errorf("operation must be `Apply` or `Update`")
		case version == "":
			return nil, fmt.Errorf("apiVersion must not be empty")
		}
		switch kind := tree.String(e, "fieldsType"); kind {
		case "FieldsV1":
		case "":
			return nil, fmt.Errorf("missing fieldsType in managed fields entry %d", i)
		default:
			return nil, fmt.Errorf("invalid fieldsType %q in managed fields entry %d", kind, i)
		}
		if o.Operation == applies {
			o.APIVersion = ""
		}
		set, err := owners.Fields(e)
		if err != nil {
			return nil, fmt.Errorf("error decoding the fields of %v: %w", o, err)
		}
		key := o.key()
		m.fields[key] = fieldpath.NewVersionedSet(set, fieldpath.APIVersion(version), o.Operation == applies)
		m.owners[key], m.times[key] = o, tree.String(e, "time")
	}
	return m, nil
}

// write encodes managedFields in the server's order: by operation, then by
// time. Entries of this request are the latest, whatever their time is.
func (m *managed) write(fresh map[string]bool) ([]any, error) {
	keys := make([]string, 0, len(m.fields))
	for key := range m.fields {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		p, q := m.owners[a], m.owners[b]
		return cmp.Or(
			cmp.Compare(p.Operation, q.Operation),
			compareBool(fresh[a], fresh[b]),
			cmp.Compare(seconds(m.times[a]), seconds(m.times[b])),
			cmp.Compare(p.Manager, q.Manager),
			cmp.Compare(m.fields[a].APIVersion(), m.fields[b].APIVersion()),
			cmp.Compare(p.Subresource, q.Subresource),
		)
	})
	entries := make([]any, 0, len(keys))
	for _, key := range keys {
		fields, err := owners.FieldsV1(m.fields[key].Set())
		if err != nil {
			return nil, fmt.Errorf("error encoding the fields of %v: %w", m.owners[key], err)
		}
		entries = append(entries, m.owners[key].entry(string(m.fields[key].APIVersion()), m.times[key], fields))
	}
	return entries, nil
}

func (o owner) entry(apiVersion, time string, fields tree.Object) tree.Object {
	e := tree.Object{"operation": o.Operation, "apiVersion": apiVersion, "fieldsType": "FieldsV1", "fieldsV1": fields}
	for key, v := range map[string]string{"manager": o.Manager, "subresource": o.Subresource, "time": time} {
		if v != "" {
			e[key] = v
		}
	}
	return e
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// seconds returns a time of managedFields for comparison; no time is the
// earliest.
func seconds(text string) int64 {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0
	}
	return t.Unix()
}

// SetEntries sets the object's managedFields, or removes them if there are
// none.
func SetEntries(obj tree.Object, entries []any) {
	if len(entries) == 0 {
		tree.Delete(obj, "metadata", "managedFields")
		return
	}
	tree.Set(obj, entries, "metadata", "managedFields")
}

// WithEntries returns the object with these managedFields instead of its own;
// the rest is shared.
func WithEntries(obj tree.Object, entries []any) tree.Object {
	obj = tree.Shallow(obj, "metadata")
	SetEntries(obj, entries)
	return obj
}

// SameEntries compares managedFields without the times.
func SameEntries(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool {
		p, q := tree.Map(x), tree.Map(y)
		if p == nil || q == nil {
			return tree.Equal(x, y)
		}
		p, q = tree.Shallow(p), tree.Shallow(q)
		delete(p, "time")
		delete(q, "time")
		return tree.Equal(p, q)
	})
}
