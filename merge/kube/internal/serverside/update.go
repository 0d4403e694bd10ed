package serverside

import (
	"cmp"
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/fault"
	"threeway/merge/tree"
)

// maxUpdaters is the maximum number of Update entries of an object. The oldest
// are merged into entries of the manager ancient.
const (
	maxUpdaters = 10
	ancient     = "ancient-changes"
)

// Update returns the managedFields of obj after a manager has changed live to
// obj by an update. The manager owns the fields that it set or changed, and
// other managers lose them. For a new object, live has only the fields that are
// always present. A stored object without managedFields gets none, and one that
// does not match its type loses or keeps them (apimachinery
// pkg/util/managedfields/internal/fieldmanager.go UpdateNoErrors,
// skipnonapplied.go).
func (m *Manager) Update(live, obj tree.Object, isNew bool, manager, time string) []any {
	owned := startingFrom(live, obj)
	if len(owned.fields) == 0 && !isNew {
		return nil
	}
	op := &operation{Manager: m, live: tree.WithoutManagedFields(live), request: Request{Time: time}, owned: owned}
	var entries []any
	took, err := op.update(tree.WithoutManagedFields(obj), manager)
	if err == nil {
		entries, err = op.owned.write(map[string]bool{op.self.key(): took})
	}
	if err != nil && m.KeepsOwners {
		return tree.List(live, "metadata", "managedFields")
	}
	return entries
}

// startingFrom decodes the managedFields that an update builds on. Those of the
// new object come first, so that a client can change them: an empty list, or a
// list with one empty entry, resets them. If the new object has none, or they
// cannot be decoded, those of the live object are used (apimachinery
// pkg/util/managedfields/internal/fieldmanager.go decodeLiveOrNew).
func startingFrom(live, obj tree.Object) *managed {
	value, _ := tree.Get(obj, "metadata", "managedFields")
	brought, isList := value.([]any)
	if isList && (len(brought) == 0 || len(brought) == 1 && len(tree.Map(brought[0])) == 0) {
		return newManaged()
	}
	if owned, err := readManaged(brought); err == nil && len(owned.fields) > 0 {
		return owned
	}
	if owned, err := readManaged(tree.List(live, "metadata", "managedFields")); err == nil {
		return owned
	}
	return newManaged()
}

// update adds the fields that obj changes to an Update entry of the manager,
// and reports whether there are any.
func (op *operation) update(obj tree.Object, manager string) (took bool, err error) {
	live, err := op.typed(op.live, typed.AllowDuplicates)
	if err != nil {
		return false, fault.Wrap(fmt.Sprintf("failed to convert live object (%s) to smd typed: ", ObjectName(op.live, op.Kind)), err)
	}
	now, err := op.typed(obj, typed.AllowDuplicates)
	if err != nil {
		return false, fault.Wrap(fmt.Sprintf("failed to convert new object (%s) to smd typed: ", ObjectName(obj, op.Kind)), err)
	}
	const current = "current-operation"
	version := fieldpath.APIVersion(op.Kind.APIVersion())
	_, fields, err := op.updater().Update(live, now, version, op.owned.fields, current)
	if err != nil {
		return false, fmt.Errorf("failed to update ManagedFields (%s): %w", ObjectName(obj, op.Kind), err)
	}
	op.owned.fields = fields
	op.owned.strip(current)
	op.self = owner{Manager: manager, Operation: updates, APIVersion: string(version)}
	_, took = op.owned.fields[current]
	op.owned.join(current, op.self, op.request.Time)
	op.owned.limit()
	return took, nil
}

// join adds the fields of the entry key to the entry of an owner (apimachinery
// pkg/util/managedfields/internal/managedfieldsupdater.go).
func (m *managed) join(key string, to owner, time string) {
	set, ok := m.fields[key]
	if !ok {
		return
	}
	delete(m.fields, key)
	self := to.key()
	if before, ok := m.fields[self]; ok {
		set = fieldpath.NewVersionedSet(set.Set().Union(before.Set()), set.APIVersion(), set.Applied())
	}
	m.fields[self], m.owners[self], m.times[self] = set, to, time
}

// limit merges the oldest Update entries of each version until there are few
// enough (apimachinery pkg/util/managedfields/internal/capmanagers.go).
func (m *managed) limit() {
	var keys []string
	for key, set := range m.fields {
		if !set.Applied() {
			keys = append(keys, key)
		}
	}
	left := len(keys)
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(seconds(m.times[a]), seconds(m.times[b])), cmp.Compare(a, b))
	})
	oldest := map[fieldpath.APIVersion]string{}
	for _, key := range keys {
		if left <= maxUpdaters {
			return
		}
		set, time := m.fields[key], m.times[key]
		version := set.APIVersion()
		first, ok := oldest[version]
		if !ok {
			oldest[version] = key
			continue
		}
		bucket := owner{Manager: ancient, Operation: updates, APIVersion: string(version)}
		if _, ok := m.fields[bucket.key()]; !ok {
			m.fields[bucket.key()] = m.fields[first]
			delete(m.fields, first)
		}
		joined := set.Set().Union(m.fields[bucket.key()].Set())
		m.fields[bucket.key()] = fieldpath.NewVersionedSet(joined, version, false)
		m.owners[bucket.key()], m.times[bucket.key()] = bucket, time
		delete(m.fields, key)
		left--
	}
}
