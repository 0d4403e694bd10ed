package rules

import (
	"fmt"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
)

var crdDropsStoredVersion = &lint.Rule{
	ID:       "crd-drops-stored-version",
	Title:    "a definition drops a version that objects are stored in",
	Text:     "The manifest of the CustomResourceDefinition does not have a version that status.storedVersions of the live one lists.",
	Why:      "Objects may still be stored in that version, so the server rejects the whole definition, including the new version of the kind.",
	Fix:      "Keep the version, with served: false, until a storage migration has rewritten the objects and the version is removed from status.storedVersions.",
	Links:    []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.StoredVersion {
			return nil
		}
		gone, _ := f.Path.Find(o.Rejection.Object)
		version := fmt.Sprint(gone)
		return &lint.Report{
			Path: fieldpath.New("spec", "versions"), LivePath: fieldpath.New("status", "storedVersions"),
			Message: "the manifest no longer has version " + version + ", but objects may be stored in it; apply is rejected",
			Fix:     "keep " + version + " with served: false until the objects are migrated and status.storedVersions no longer has it",
		}
	},
}
