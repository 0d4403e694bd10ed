package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

var ambiguousObject = &lint.Rule{
	ID:    "ambiguous-object",
	Title: "two manifests of one object, or no telling where it goes",
	Text: "Two manifests of the set have the same kind, namespace and name (info where they are equal). Or some objects name no namespace while " +
		"others do, and there is no -n. Or an object names another namespace than -n, which kubectl refuses (error).",
	Why: "kubectl applies both of two manifests, the second over the first: what only the first has is set and at once removed, and which one wins " +
		"depends on file names. And an object without a namespace goes wherever the context of whoever applies points, beside the others today and " +
		"into default tomorrow; -n does not help, as it refuses those that name another.",
	Fix: "Remove one of the two manifests, or merge them. Name the namespace in all objects of the set, or in none and pass -n.",
	Links: []string{"https://github.com/homeport/dyff/issues/514",
		"https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/#setting-the-namespace-for-a-request"},
	Severity: lint.Warning,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if !strings.HasPrefix(f.Text, "the namespace from the provided object ") {
			return nil
		}
		return &lint.Report{
			Path:    fieldpath.New("metadata", "namespace"),
			Message: "the object is for namespace " + o.Config.Namespace + ", which is not that of -n: kubectl refuses it",
			Fix:     "apply it in a run without -n or with -n " + o.Config.Namespace + ", or take its namespace out",
		}
	},
	Run: func(p *lint.Pass) {
		reportHomeless(p)
		seen := map[manifest.Identity]*manifest.Object{}
		for _, o := range p.Set() {
			id := o.Config.ID()
			first := seen[id]
			if seen[id] = o.Config; first == nil {
				continue
			}
			line, _, _ := first.Position(nil)
			r := lint.Report{
				Message: "the set has " + id.String() + " twice, and not the same; kubectl applies this one over the first",
				Notes:   []string{lint.At(first.Origin.File, line) + " is the first"},
				Fix:     "remove one of the two",
			}
			if tree.Equal(first.Tree, o.Config.Tree) {
				r.Severity, r.Message = lint.Info, "the set has "+id.String()+" twice, with the same content"
			}
			p.Report(o.Object(), r)
		}
	},
}

// reportHomeless reports, once, the objects that name no namespace among others
// that do.
func reportHomeless(p *lint.Pass) {
	path := fieldpath.New("metadata", "namespace")
	var without []lint.Member
	var named *manifest.Object
	for _, o := range p.Set() {
		switch {
		case o.Config.Namespace == "":
		case o.Config.Placed:
			without = append(without, o)
		case named == nil:
			named = o.Config
		}
	}
	if p.Options.Enforce || named == nil || len(without) == 0 {
		return
	}
	line, _, _ := named.Position(path)
	r := lint.Report{
		Path:    path,
		Message: "the object names no namespace, while others of the set do: it goes wherever the context points",
		Notes:   []string{lint.At(named.Origin.File, line) + " is for " + named.Namespace},
		Fix:     "set metadata.namespace, in all objects of the set",
	}
	if !slices.ContainsFunc(without, func(o lint.Member) bool {
		return p.Options.Live == nil || p.Options.Live.FindEntry(o.Config.ID()) == nil
	}) {
		r.Severity = lint.Info
		r.Message = "the object names no namespace, while others of the set do; it is live in " + without[0].Config.Namespace + ", but goes wherever the context points"
	}
	switch more := len(without) - 1; {
	case more == 1:
		r.Notes = append(r.Notes, "1 more object names none")
	case more > 1:
		r.Notes = append(r.Notes, fmt.Sprintf("%d more objects name none", more))
	}
	p.Report(without[0].Object(), r)
}
