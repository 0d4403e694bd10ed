package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var crdStopsServing = &lint.Rule{
	ID:    "crd-stops-serving",
	Title: "a definition no longer serves a version in use",
	Text: "A CustomResourceDefinition stops serving a version, or removes it, and a manifest uses that version, or a manager of a live object " +
		"wrote in it.",
	Why: "The API server answers requests in that version with 404 as soon as it has the new definition: the manifest is rejected, and programs of " +
		"that version stop working.",
	Fix:      "Move the manifests and the programs to a version that stays, then stop serving the old one.",
	Links:    []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Since:    "0.10",
	Run: func(p *lint.Pass) {
		c := clusterOf(p)
		definitionChanges(p, func(o *lint.Object, change *definitionChange) {
			for _, version := range change.unserved {
				manifests, managers := c.usersOf(o, version)
				if len(manifests)+len(managers) == 0 {
					continue
				}
				r := lint.Report{
					Path:    fieldpath.New("spec", "versions").Select(fieldpath.Key{Name: "name", Value: version}).Child("served"),
					Message: "version " + version + " is no longer served: ",
					Notes:   manifests[:min(5, len(manifests))],
					Fix:     "move what uses " + version + " to another version first",
				}
				switch {
				case manifests != nil:
					r.Severity = lint.Error
					r.Message += counted(len(manifests), "manifest") + " use it, and the next apply of them is rejected"
				default:
					r.Message += phrase.Some(managers) + " wrote live objects in this version"
				}
				p.Report(o, r)
			}
		})
	},
}

// usersOf are the manifests of the set in a version of a definition's kind, with
// their places, and the managers that write live objects in it.
func (c *cluster) usersOf(o *lint.Object, version string) (manifests, managers []string) {
	group := tree.String(o.Result, "spec", "group")
	for k := range c.ofKind(tree.String(o.Result, "spec", "names", "kind") + "." + group) {
		if _, inSet := c.set[k.source.ID()]; inSet && k.source.Kind.Version == version {
			manifests = append(manifests, k.source.At()+": "+k.source.ID().String())
		}
		for _, w := range owners.Read(k.before) {
			if strings.HasPrefix(w.Manager, "kubectl") {
				continue // it takes the version of the manifest
			}
			if w.APIVersion == group+"/"+version && !slices.Contains(managers, w.Manager) {
				managers = append(managers, w.Manager)
			}
		}
	}
	return manifests, managers
}
