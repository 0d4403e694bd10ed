package rules

import (
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
)

var survivesApply = &lint.Rule{
	ID:       "survives-apply",
	Title:    "live fields that no manifest sets",
	Text:     "The live object has fields that neither the manifest nor last-applied has, and that are not defaults. Apply keeps them.",
	Why:      "A field that was set by hand was never reviewed, and is lost when the object is recreated.",
	Fix:      "Add the fields to the manifest, or remove them from the live object; threeway diff -o fields lists them.",
	Links:    []string{declarative + "#how-apply-calculates-differences-and-merges-changes", issue + "118367"},
	Severity: lint.Info,
	Needs:    lint.Live | lint.LastApplied,
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			kept := outermostAbsent(o, o.Manifest.Tree, liveOnly(o))
			if left, _ := leftBehind(p, o); left != nil {
				kept = slices.DeleteFunc(kept, func(path fieldpath.Path) bool { return slices.ContainsFunc(left, path.Equal) })
			}
			if len(kept) == 0 {
				continue
			}
			by, _ := removal(o, kept)
			p.Report(o, lint.Report{
				Path: kept[0], LivePath: kept[0], Fix: "add what you want to keep to " + o.Where(), Ways: by, Suggested: taken(o, kept),
				Message: "set only in the cluster; apply keeps it: " + named(kept),
			})
		}
	},
}

// taken are the edits that give the manifest the live values; none for a Secret, of
// which nothing is written, and for items of lists, which have no place.
func taken(o *lint.Object, paths []fieldpath.Path) (edits []edit.Edit) {
	for _, path := range paths {
		for n := range path {
			item := path[n].Keys != nil || path[n].IsIndex
			if _, there := o.Find(path[:n+1], o.Manifest.Tree); item && !there {
				return nil
			}
		}
		v, _ := o.Find(path, o.Before)
		edits = append(edits, edit.Set(path, v))
	}
	if o.Is("Secret") {
		return nil
	}
	return edits
}

// liveOnly lists the live fields that an apply keeps, although no manifest has
// set them, and that have an owner. implicit-rollout-strategy reports strategies.
func liveOnly(o *lint.Object) []fieldpath.Path {
	var kept []fieldpath.Path
	rollout := rolloutPath(o.Kind)
	for _, c := range o.Changes() {
		if rollout != nil && c.Path.HasPrefix(rollout) && strategyIn(o.Manifest.Tree, rollout) == nil {
			continue
		}
		if _, set := o.Find(c.Path, o.Outcome.Target()); set { // Helm does not look at the live values of a custom resource
			continue
		}
		if c.Reason == explain.Kept && !tellsStaying(o, c.Path) && !systemMetadata(c.Path) && !byController(o, c.Path) && hasManager(o, c.Path) {
			kept = append(kept, c.Path)
		}
	}
	return kept
}

// systemMetadata reports whether a field of the metadata belongs to the system.
func systemMetadata(p fieldpath.Path) bool {
	if p[0].Field != "metadata" {
		return false
	}
	return len(p) < 3 || rehearsal.ControllersNote(p[2].Field) || p[1].Field == "ownerReferences" || p[1].Field == "finalizers" || strings.Contains(p[2].Field, "kubernetes.io/") || strings.HasPrefix(p[2].Field, "meta.helm.sh/")
}

// hasManager reports whether a manager has written a live field: the addresses and
// ports that the server itself allocates have no owner.
func hasManager(o *lint.Object, p fieldpath.Path) bool {
	if len(o.Owners()) > 0 {
		return len(o.OwnersOf(p)) > 0
	}
	last := p[len(p)-1].Field
	return !rehearsal.Chosen(last) && !strings.HasPrefix(last, "ipFamil")
}
