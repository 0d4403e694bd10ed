package rules

import (
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
)

var crdDropsStoredVersion = &lint.Rule{
	ID:    "crd-drops-stored-version",
	Title: "a definition drops a version that objects are stored in",
	Text:  "The new CustomResourceDefinition has no longer a version that status.storedVersions of the live one lists.",
	Why: "Objects may still be stored in that version, and the server could not read them any more; it rejects the definition, and the " +
		"new version of the kind never comes.",
	Fix:      "Keep the version, with served: false, until a storage migration has rewritten the objects and the version is removed from status.storedVersions.",
	Bad:      lint.Example{Live: storedInBeta, Config: crontabDefinition},
	Good:     lint.Example{Live: storedInBeta, Config: strings.Replace(crontabDefinition, "  - name: v1\n", "  - name: v1beta1\n    served: false\n    storage: false\n    schema: {openAPIV3Schema: {type: object}}\n  - name: v1\n", 1)},
	NearMiss: lint.Example{Live: strings.Replace(storedInBeta, "storedVersions: [v1beta1]", "storedVersions: [v1]", 1), Config: crontabDefinition},
	Links:    []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#upgrade-existing-objects-to-a-new-stored-version"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		version, _, ok := strings.Cut(f.Detail, " was previously a storage version")
		if !ok {
			return nil
		}
		version = version[strings.LastIndexByte(version, ' ')+1:]
		return &lint.Report{
			Path: fieldpath.New("spec", "versions"), LivePath: fieldpath.New("status", "storedVersions"),
			Message: "version " + version + " is gone, but objects may be stored in it; apply is rejected",
			Fix:     "keep " + version + " with served: false until the objects are migrated and status.storedVersions no longer has it",
		}
	},
}

const storedInBeta = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com, uid: 3f5b7d1e-0000-4000-8000-000000000002, resourceVersion: "5", generation: 1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec:
  group: stable.example.com
  scope: Namespaced
  conversion: {strategy: None}
  names: {plural: crontabs, singular: crontab, kind: CronTab, listKind: CronTabList}
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
status:
  storedVersions: [v1beta1]
  acceptedNames: {plural: crontabs, singular: crontab, kind: CronTab, listKind: CronTabList}
  conditions: []
`
