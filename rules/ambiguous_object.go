package rules

import (
	"fmt"
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var ambiguousObject = &lint.Rule{
	ID:    "ambiguous-object",
	Title: "an object is defined twice, or its namespace is ambiguous",
	Text: "Two manifests have the same kind, namespace and name (info if they are equal); or some objects have no namespace while others " +
		"do, and there is no -n; or an object names another namespace than -n, which kubectl rejects (error).",
	Why: "kubectl applies both manifests in the order of file names: fields that only the first has are set and then removed. An object " +
		"without a namespace goes to that of the current context.",
	Fix: "Remove one of the two manifests, or merge them. Set metadata.namespace in all objects, or in none and pass -n.",
	Links: []string{"https://github.com/homeport/dyff/issues/514",
		"https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/#setting-the-namespace-for-a-request"},
	Severity: lint.Warning,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.OtherNamespace {
			return nil
		}
		return &lint.Report{
			Path:    fieldpath.New("metadata", "namespace"),
			Message: "the object is in namespace " + o.Manifest.Namespace + ", not in the namespace of -n: kubectl rejects it",
			Fix:     "apply it without -n or with -n " + o.Manifest.Namespace + ", or remove its namespace",
		}
	},
	Run: func(p *lint.Pass) {
		reportHomeless(p)
		seen := map[manifest.Identity]*manifest.Object{}
		for _, o := range p.Set() {
			id := o.Manifest.ID()
			first := seen[id]
			if seen[id] = o.Manifest; first == nil {
				continue
			}
			r := lint.Report{
				Message: id.String() + " is defined twice, with different content; kubectl applies this one over the first",
				Notes:   []string{first.At() + " is the first"},
				Fix:     "remove one of the two",
			}
			if was, is := first.Origin.File, o.Manifest.Origin.File; was != is {
				r.Fix += "; to compare the files: " + shell.Line("threeway diff", shell.Path(was), shell.Path(is))
			}
			if tree.Equal(first.Tree, o.Manifest.Tree) {
				r.Severity, r.Message = lint.Info, id.String()+" is defined twice, with the same content"
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
		case o.Manifest.Namespace == "":
		case o.Manifest.Placed && (p.Plan.Parts == nil || o.Object().By.Claim().IsKubectl()):
			without = append(without, o)
		case named == nil:
			named = o.Manifest
		}
	}
	if p.Options.Enforce || !p.Plan.By.Claim().IsKubectl() || named == nil || len(without) == 0 {
		return
	}
	r := lint.Report{
		Path:    path,
		Message: "no namespace, unlike in other manifests: kubectl puts the object into the namespace of the current context",
		Notes:   []string{named.Place(path).String() + " is for " + named.Namespace},
		Fix:     "set metadata.namespace in all objects",
	}
	if !slices.ContainsFunc(without, func(o lint.Member) bool {
		return p.Options.Live == nil || p.Options.Live.FindEntry(o.Manifest.ID()) == nil
	}) {
		r.Severity = lint.Info
		r.Message = "the object has no namespace, but other manifests do; it is live in " + without[0].Manifest.Namespace + ", and goes to the namespace of the current context"
	}
	switch more := len(without) - 1; {
	case more == 1:
		r.Notes = append(r.Notes, "1 more object has no namespace")
	case more > 1:
		r.Notes = append(r.Notes, fmt.Sprintf("%d more objects have no namespace", more))
	}
	p.Report(without[0].Object(), r)
}
