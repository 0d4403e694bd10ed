// Package serverside rehearses server-side apply: who owns which field of an
// object, what an apply merges, removes and takes over, and its conflicts. It
// follows k8s.io/apimachinery (pkg/util/managedfields/internal) and merges with
// sigs.k8s.io/structured-merge-diff, on types derived from the schema table and
// from CustomResourceDefinitions.
//
// It does not know defaults and validation, which come later, or the rest of
// the server: a Manager gets a function that converts objects.
package serverside

import (
	"errors"
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/fault"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// ErrNotServed is the error of a Manager's functions for a version that the
// server does not have. Entries of managedFields of such versions are dropped.
var ErrNotServed = errors.New("version not served")

// BadRequest is an error of the request itself, with the server's text.
type BadRequest string

func (e BadRequest) Error() string { return string(e) }

// FaultText is the text of the error, which quotes no values.
func (e BadRequest) FaultText() fault.Text { return fault.Words("%s", string(e)) }

const managedFieldsSet BadRequest = "metadata.managedFields must be nil"

// Manager is the field management of objects of one kind, requested at one
// version.
type Manager struct {
	Kind schema.Kind
	// Type returns how fields are owned at a version of the kind.
	Type func(apiVersion string) (Type, error)
	// Convert returns an object of the kind at another version, without
	// defaults.
	Convert func(obj tree.Object, apiVersion string) (tree.Object, error)
	// Reset returns the top-level fields that the server accepts from no
	// manager, at a version of the kind.
	Reset func(apiVersion string) []string
	// KeepsOwners: an update that cannot be tracked leaves managedFields as they
	// are. Without it they are removed.
	KeepsOwners bool
	// EachKey: an item of a list needs each merge key that has no default. Without it
	// one is enough.
	EachKey bool
}

// Request is one server-side apply.
type Request struct {
	Manifest tree.Object
	Manager  string
	Force    bool   // take over fields of other managers
	Time     string // time of new entries of managedFields, "" for none
}

// Apply merges the configuration into the live object, which has the manager's
// version and the server's form. For a new object, live has only apiVersion and
// kind. It returns the object without managedFields, not defaulted and not in
// the server's form, and its managedFields. The errors are Conflicts,
// BadRequest, and those that the server reports as internal errors. Neither
// live nor the configuration is changed; the object shares parts of them.
func (m *Manager) Apply(live tree.Object, r Request) (tree.Object, []any, error) {
	owned, err := readManaged(tree.List(live, "metadata", "managedFields"))
	if err != nil {
		return nil, nil, fmt.Errorf("failed to decode managed fields: %w", err)
	}
	if kind := schema.ParseKind(tree.String(r.Manifest, "apiVersion"), tree.String(r.Manifest, "kind")); kind != m.Kind {
		return nil, nil, BadRequest("invalid object type: " + KindName(kind))
	}
	op := &operation{Manager: m, live: tree.WithoutManagedFields(live), request: r, owned: owned}
	obj, changed, err := op.applyOrTakeOver()
	if err != nil {
		return nil, nil, err
	}
	if r.Manager == kubectl {
		obj = followLastApplied(obj, r.Manifest)
	}
	fresh := map[string]bool{}
	if changed {
		fresh[op.self.key()] = true
		op.owned.times[op.self.key()] = r.Time
	}
	entries, err := op.owned.write(fresh)
	if err != nil {
		return nil, nil, fmt.Errorf("failed to encode managed fields: %w", err)
	}
	return obj, entries, nil
}

// KindName prints a kind as the server does in internal errors.
func KindName(k schema.Kind) string {
	return fmt.Sprintf("%s/%s, Kind=%s", k.Group, k.Version, k.Kind)
}

// ObjectName returns the name of an object in the server's internal errors.
func ObjectName(obj tree.Object, k schema.Kind) string {
	return fmt.Sprintf("%s/%s; %s", tree.String(obj, "metadata", "namespace"), tree.String(obj, "metadata", "name"), KindName(k))
}

// updater returns structured-merge-diff's updater for the kind.
func (op *operation) updater() *merge.Updater {
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	add := func(version fieldpath.APIVersion) {
		if fields := op.Reset(string(version)); len(fields) > 0 && reset[version] == nil {
			reset[version] = fieldpath.NewSet()
			for _, field := range fields {
				reset[version].Insert(fieldpath.MakePathOrDie(field))
			}
		}
	}
	add(fieldpath.APIVersion(op.Kind.APIVersion()))
	for _, set := range op.owned.fields {
		add(set.APIVersion())
	}
	builder := merge.UpdaterBuilder{Converter: converter{op.Manager}, IgnoreFilter: fieldpath.NewExcludeFilterSetMap(reset)}
	return builder.BuildUpdater()
}

// converter converts typed values for the updater
// (apimachinery pkg/util/managedfields/internal/versionconverter.go).
type converter struct{ *Manager }

// Convert implements merge.Converter.
func (c converter) Convert(value *typed.TypedValue, version fieldpath.APIVersion) (*typed.TypedValue, error) {
	obj, ok := value.AsValue().Unstructured().(map[string]any)
	if !ok {
		return value, fmt.Errorf("failed to convert value to unstructured for type %T", value.AsValue().Unstructured())
	}
	if tree.String(obj, "apiVersion") == string(version) {
		return value, nil
	}
	t, err := c.Type(string(version))
	if err != nil {
		return value, err
	}
	converted, err := c.Manager.Convert(obj, string(version))
	if err != nil {
		return value, err
	}
	return c.as(t, converted)
}

// IsMissingVersionError implements merge.Converter.
func (c converter) IsMissingVersionError(err error) bool { return errors.Is(err, ErrNotServed) }
