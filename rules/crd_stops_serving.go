package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

var crdStopsServing = &lint.Rule{
	ID:       "crd-stops-serving",
	Title:    "a definition no longer serves a version in use",
	Text:     "A CustomResourceDefinition stops serving a version that a manifest uses, or that a manager of a live object wrote with.",
	Why:      "Within milliseconds the API server answers 404 for that version: to programs, and to manifests that come after the definition in the same apply.",
	Fix:      "Move the manifests and the programs to a version that stays, then stop serving the old one.",
	Links:    []string{"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/"},
	Severity: lint.Warning,
	Needs:    lint.Live,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.UnknownKind || o.Definition() == nil || !f.Path.Equal(apiVersion) {
			return nil
		}
		return &lint.Report{
			Path:    apiVersion,
			Message: "version " + o.Kind.Version + " is no longer served once the definition in this run is applied; apply is rejected",
			Notes:   []string{o.Definition().At() + " defines it"},
			Fix:     "move the manifest to a version that the definition serves",
		}
	},
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
					r.Message += phrase.Count(len(manifests), "manifest uses it, and is rejected from then on", "manifests use it, and are rejected from then on")
				default:
					r.Message += phrase.Some(managers) + " wrote live objects in this version"
				}
				p.Report(o, r)
			}
		})
	},
}

var apiVersion = fieldpath.New("apiVersion")

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
