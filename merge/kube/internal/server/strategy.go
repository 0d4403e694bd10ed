package server

import (
	"slices"
	"strconv"
	"strings"

	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// prepareNew sets the fields of a new object that the server owns.
func (row *kind) prepareNew(obj tree.Object, minor int) {
	if row.status == owned {
		delete(obj, "status")
	}
	if row.first > 0 && row.counting.In(minor) {
		setGeneration(obj, row.first)
	}
	if row.create != nil {
		row.create(obj, minor)
	}
}

// prepareUpdate sets the fields that the server owns from old, and counts the
// generation; changed compares a field of the two semantically.
func (row *kind) prepareUpdate(obj, old tree.Object, minor int, changed func(field string) bool) {
	for _, field := range row.ownedFields() {
		delete(obj, field)
		keep(obj, old, field)
	}
	generation, _ := tree.Int(old, "metadata", "generation")
	setGeneration(obj, generation)
	if row.update != nil {
		row.update(obj, old, changed)
	}
	if row.counted != "" && row.counting.In(minor) && changed(row.counted) || row.annotations && !sameEntries(obj, old, "annotations") {
		setGeneration(obj, generation+1)
	}
}

// ownedFields are the top-level fields that an update takes from the stored
// object, so that no apply can own them (GetResetFields in
// pkg/registry/GROUP/KIND/strategy.go).
func (row *kind) ownedFields() []string {
	if row.status == ordinary {
		return row.kept
	}
	return append(slices.Clone(row.kept), "status")
}

// finalizedNamespace gives a new Namespace the finalizer that lets its objects
// go first.
func finalizedNamespace(namespace tree.Object, _ int) {
	const name = "kubernetes"
	if finalizers := tree.List(namespace, "spec", "finalizers"); !slices.Contains(finalizers, any(name)) {
		tree.Set(namespace, append(slices.Clone(finalizers), name), "spec", "finalizers")
	}
}

// keepFinalizers keeps those of a Namespace's spec.
func keepFinalizers(namespace, old tree.Object, _ func(string) bool) {
	spec := tree.Map(namespace, "spec")
	delete(spec, "finalizers")
	keep(spec, tree.Map(old, "spec"), "finalizers")
}

// localService is the status of an APIService that the API server itself
// serves.
func localService(service tree.Object, _ int) {
	if !tree.Has(service, "spec", "service") {
		service["status"] = tree.Object{"conditions": []any{tree.Object{
			"type": "Available", "status": "True", "reason": "Local", "message": "Local APIServices are always available"}}}
	}
}

func updateEndpointSlice(slice, old tree.Object, changed func(string) bool) {
	if changed("addressType") || changed("endpoints") || changed("ports") || !sameEntries(slice, old, "labels") {
		generation, _ := tree.Int(old, "metadata", "generation")
		setGeneration(slice, generation+1)
	}
}

// dropTopology follows dropTopologyOnV1: no one can add the field
// (pkg/registry/discovery/endpointslice/strategy.go).
func dropTopology(slice, old tree.Object, _ int) {
	if tree.Equal(slice["endpoints"], old["endpoints"]) {
		return
	}
	for _, e := range tree.List(slice, "endpoints") {
		delete(tree.Map(e), "deprecatedTopology")
	}
}

func setGeneration(obj tree.Object, n int64) {
	if n == 0 {
		tree.Delete(obj, "metadata", "generation")
		return
	}
	tree.Set(obj, n, "metadata", "generation")
}

// sameEntries compares labels or annotations; none and an empty map are equal.
func sameEntries(obj, old tree.Object, key string) bool {
	a, b := tree.Map(obj, "metadata", key), tree.Map(old, "metadata", key)
	return len(a) == 0 && len(b) == 0 || tree.Equal(a, b)
}

// newDaemonSet counts the generations of the template, which conversion shows
// as an annotation, from 1.
func newDaemonSet(ds tree.Object, _ int) {
	if n, err := strconv.ParseInt(tree.String(ds, "metadata", "annotations", templateGenerationKey), 10, 64); err != nil || n < 1 {
		templateGeneration(ds, "1")
	}
}

// updateDaemonSet keeps the generation of the template, and raises it when the
// template changed.
func updateDaemonSet(obj, old tree.Object, changed func(string) bool) {
	was := tree.String(old, "metadata", "annotations", templateGenerationKey)
	if changed("spec.template") {
		was = increment(was)
	}
	templateGeneration(obj, was)
}

func storedVersionAgain(crd, _ tree.Object, _ func(string) bool) { storedVersion(crd, 0) }

// storedVersion adds the storage version to status.storedVersions.
func storedVersion(crd tree.Object, _ int) {
	for _, v := range tree.List(crd, "spec", "versions") {
		if !tree.Bool(v, "storage") {
			continue
		}
		name := tree.String(v, "name")
		stored := tree.List(crd, "status", "storedVersions")
		for _, s := range stored {
			if s == name {
				return
			}
		}
		status := tree.CopyObject(tree.Map(crd, "status"))
		if status == nil {
			status = tree.Object{}
		}
		status["storedVersions"] = append(append([]any(nil), stored...), name)
		crd["status"] = status
		return
	}
}

func secretNamesAgain(sa, _ tree.Object, _ func(string) bool) { secretNames(sa, 0) }

// secretNames follows cleanSecretReferences of ServiceAccounts.
func secretNames(sa tree.Object, _ int) {
	for _, s := range tree.List(sa, "secrets") {
		if ref, ok := s.(map[string]any); ok {
			for k := range ref {
				if k != "name" {
					delete(ref, k)
				}
			}
		}
	}
}

func newClaim(pvc tree.Object, _ int) { claimSources(pvc, nil) }

func changedClaim(pvc, old tree.Object, _ func(string) bool) { claimSources(pvc, old) }

// claimSources follows EnforceDataSourceBackwardsCompatibility and
// NormalizeDataSources (pkg/api/persistentvolumeclaim/util.go).
func claimSources(pvc, old tree.Object) {
	spec, oldSpec := tree.Map(pvc, "spec"), tree.Map(old, "spec")
	if tree.String(spec, "dataSourceRef", "namespace") != "" && !tree.Has(oldSpec, "dataSourceRef") {
		delete(spec, "dataSourceRef") // gate CrossNamespaceVolumeDataSource is off
	}
	source, ref := tree.Map(spec, "dataSource"), tree.Map(spec, "dataSourceRef")
	if source != nil && ref == nil && !tree.Has(oldSpec, "dataSource") && !tree.Has(oldSpec, "dataSourceRef") {
		group, kind := tree.String(source, "apiGroup"), tree.String(source, "kind")
		if !(kind == "PersistentVolumeClaim" && group == "" || kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io") {
			delete(spec, "dataSource")
			return
		}
	}
	switch {
	case source != nil && ref == nil:
		spec["dataSourceRef"] = tree.CopyObject(source)
	case ref != nil && source == nil && tree.String(ref, "namespace") == "":
		source := tree.CopyObject(ref)
		delete(source, "namespace")
		spec["dataSource"] = source
	}
}

// changed compares a field of two decoded objects. With exact, an empty list
// and none differ.
func changed(obj, old tree.Object, t *schema.Type, path string, exact bool) bool {
	keys := strings.Split(path, ".")
	a, _ := tree.Get(obj, keys...)
	b, _ := tree.Get(old, keys...)
	if tree.Equal(a, b) {
		return false
	}
	for _, key := range keys {
		f := t.Field(key)
		if f == nil {
			return !tree.Equal(a, b)
		}
		t = f.Type
	}
	return !validation.Equal(a, b, t, exact)
}
