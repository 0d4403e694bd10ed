package merge

import (
	"encoding/json"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// managers looks up in managedFields who wrote a field last. The nil value
// knows nobody.
type managers struct {
	entries []tree.Object
	// object is the type of the live object, nil if it has none that is built in.
	object *schema.Type
}

// applier is the manager of kubectl apply itself, which is not worth naming.
const applier = "kubectl-client-side-apply"

func managersOf(live tree.Object) *managers {
	m := &managers{}
	for _, e := range tree.List(live, "metadata", "managedFields") {
		if entry, ok := e.(map[string]any); ok {
			m.entries = append(m.entries, entry)
		}
	}
	return m
}

// owner names the managers of the field at path, other than kubectl apply.
func (m *managers) owner(path fieldpath.Path) string {
	path = m.unit(path)
	var names []string
	for _, e := range m.entries {
		name := tree.String(e, "manager")
		if fields := tree.Map(e, "fieldsV1"); name != applier && (owns(fields, path) || ownsAround(fields, path)) {
			names = append(names, name)
		}
	}
	return strings.Join(distinct(names), ", ")
}

// others names, sorted, who owns the field at path besides the one that applies
// as name, and reports whether that one does too.
func (m *managers) others(path fieldpath.Path, name string) (names []string, own bool) {
	path = m.unit(path)
	for _, e := range m.entries {
		if fields := tree.Map(e, "fieldsV1"); !owns(fields, path) && !ownsAround(fields, path) {
			continue
		}
		if tree.String(e, "manager") == name && tree.String(e, "operation") == "Apply" {
			own = true
			continue
		}
		names = append(names, tree.String(e, "manager"))
	}
	return distinct(names), own
}

// unit is the part of a path that is owned as a whole: an object that is atomic,
// or all of the path.
func (m *managers) unit(path fieldpath.Path) fieldpath.Path {
	t, f := m.object, (*schema.Field)(nil)
	for i, s := range path {
		switch {
		case t == nil:
			return path
		case t.MapType == "atomic" || f != nil && f.MapType == "atomic":
			return path[:i]
		case s.Keys != nil || s.IsIndex:
			t, f = t.Elem, nil
		default:
			t, f = fieldType(t, s.Field)
		}
	}
	return path
}

// owns reports whether a set of fields in the FieldsV1 format has the path or
// something below it.
func owns(fields tree.Object, path fieldpath.Path) bool {
	if fields == nil {
		return false
	}
	if len(path) == 0 {
		return true
	}
	step := path[0]
	if step.Keys == nil && !step.IsIndex {
		next, ok := fields["f:"+step.Field].(map[string]any)
		return ok && owns(next, path[1:])
	}
	for key, v := range fields {
		if text, ok := strings.CutPrefix(key, "k:"); ok && hasKeys(text, step.Keys) {
			if next, ok := v.(map[string]any); ok && owns(next, path[1:]) {
				return true
			}
		}
		if text, ok := strings.CutPrefix(key, "v:"); ok && len(step.Keys) == 1 && step.Keys[0].Name == "" {
			var value any
			if json.Unmarshal([]byte(text), &value) == nil && value == step.Keys[0].Value {
				return true
			}
		}
	}
	return false
}

// hasKeys reports whether a list item's keys, as JSON, include those given.
func hasKeys(text string, keys []fieldpath.Key) bool {
	var have map[string]any
	if json.Unmarshal([]byte(text), &have) != nil {
		return false
	}
	for _, k := range keys {
		v := have[k.Name]
		if n, ok := v.(float64); ok {
			v = int64(n)
		}
		if v != k.Value {
			return false
		}
	}
	return len(keys) > 0
}
