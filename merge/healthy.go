package merge

import (
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// healthy says by kind what controllers have made of an object that is well, as
// far as the API server goes by it when the object changes: which fields of a
// claim may change, and what is fixed of a definition. For other kinds it does
// not matter: what may change of a Job, a Deployment or a PersistentVolume, its
// spec decides.
var healthy = []struct {
	groupKind, word string
	status          func(o tree.Object) tree.Object
}{
	// pkg/controller/volume/persistentvolume/pv_controller.go bindClaimToVolume
	{"PersistentVolumeClaim", "claims are bound", boundClaim},
	{"PersistentVolume", "volumes are bound", boundVolume},
	// k8s.io/apiextensions-apiserver pkg/controller/{status,establish}
	{rehearsal.DefinitionKind, "CustomResourceDefinitions are established", establishedDefinition},
}

func boundClaim(claim tree.Object) tree.Object {
	spec := tree.Map(claim, "spec")
	status := tree.Object{"phase": "Bound", "accessModes": spec["accessModes"]}
	if size, ok := tree.Get(spec, "resources", "requests", "storage"); ok {
		status["capacity"] = tree.Object{"storage": size}
	}
	if class := tree.String(spec, "volumeAttributesClassName"); class != "" {
		status["currentVolumeAttributesClassName"] = class
	}
	return status
}

func boundVolume(tree.Object) tree.Object { return tree.Object{"phase": "Bound"} }

func establishedDefinition(definition tree.Object) tree.Object {
	spec := tree.Map(definition, "spec")
	return tree.Object{
		"acceptedNames":  spec["names"],
		"storedVersions": tree.List(definition, "status", "storedVersions"),
		"conditions": []any{
			tree.Object{"type": "NamesAccepted", "status": "True", "reason": "NoConflicts", "message": "no conflicts found"},
			tree.Object{"type": "Established", "status": "True", "reason": "InitialNamesAccepted", "message": "the initial names have been accepted"},
		},
	}
}

// assumeHealthy gives the objects of a snapshot the status that they have when
// they are well, and returns what that assumes.
func assumeHealthy(live *manifest.Snapshot) (*manifest.Snapshot, []string) {
	var words []string
	var changed []*manifest.Object
	for _, h := range healthy {
		for o := range live.OfKind(h.groupKind) {
			well := *o
			well.Tree = tree.CopyObject(o.Tree)
			well.Tree["status"] = tree.Copy(h.status(well.Tree))
			changed = append(changed, &well)
			if !slices.Contains(words, h.word) {
				words = append(words, h.word)
			}
		}
	}
	if changed == nil {
		return live, nil
	}
	return live.With(changed, nil), words
}

// sentence joins clauses: "a, b and c".
func sentence(clauses []string) string {
	if n := len(clauses) - 1; n > 0 {
		return strings.Join(clauses[:n], ", ") + " and " + clauses[n]
	}
	return strings.Join(clauses, "")
}
