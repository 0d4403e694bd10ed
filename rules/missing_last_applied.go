package rules

import (
	"slices"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/promise"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

var missingLastApplied = &lint.Rule{
	ID:    "missing-last-applied",
	Title: "the live object has no last-applied annotation",
	Text: "The live object has no record of the last-applied manifest: a client-side kubectl apply did not create it, or kubectl replace " +
		"removed the record. Reported where apply keeps a field that the manifest does not set. Objects that one manager applied " +
		"server-side are one finding. Also reported: an annotation that names another object, as in a copy; as an error, one that is not a JSON object, which makes kubectl reject each apply.",
	Why: "A client-side apply removes only fields that last-applied has. All others stay; kubectl warns and writes the annotation.",
	Fix: "Compare before the first apply: threeway diff -o fields lists what is kept. Or record the manifest first, with kubectl apply " +
		"set-last-applied --create-annotation. If you apply server-side, pass --server-side here, too.",
	Links:    []string{declarative + "#how-to-create-objects", issue + "123843"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ClientSide | lint.Kubectl,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.BadRecord {
			return nil
		}
		record := fieldpath.New("metadata", "annotations", rehearsal.LastAppliedKey)
		return &lint.Report{
			Message:  "the last-applied annotation of the live object is not a JSON object; apply is rejected: " + firstLine(f.Text),
			LivePath: record, Live: "not a JSON object",
			Ways: []lint.Way{{
				Words: "remove the annotation: ", Commands: []string{shell.Line("kubectl annotate", o.Target(), shell.Operand(rehearsal.LastAppliedKey+"-"))}, Paths: []fieldpath.Path{record},
				Then: "; the next apply writes it again, and removes no field that the manifest no longer has",
			}},
		}
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if name := tree.String(o.Original, "metadata", "name"); o.Before != nil && name != "" && name != o.Manifest.Name {
				p.Report(o, ofAnother(o))
			}
			if o.Before == nil || tree.Has(o.Before, "metadata", "annotations", rehearsal.LastAppliedKey) || o.LastApplied() != nil {
				continue
			}
			r := lint.Report{LivePath: fieldpath.New("metadata"), Live: "no " + rehearsal.LastAppliedKey}
			kept := outermostAbsent(o, o.Manifest.Tree, liveOnly(o))
			switch manager := appliedBy(o); {
			case manager != "":
				r.Group = "server-side by " + manager
				r.Message = "the live object was applied server-side by " + manager + "; a client-side apply does not remove fields that are removed from the manifest, and mixes two methods"
				r.Fix = "apply as before, here and with kubectl: " + serverSideFlags(manager)
			case len(kept) > 0:
				r.Message = withoutRecord(o) + "; apply keeps fields that the manifest does not set: " + named(kept)
				r.LivePath, r.Live = kept[0], ""
				r.Fix = "add what you want to keep to " + o.Where() + ", and remove the rest by hand: later applies do not remove it either"
			default:
				continue
			}
			p.Report(o, r)
		}
	},
}

// ofAnother says that the annotation names another object, whose copy this one is.
func ofAnother(o *lint.Object) lint.Report {
	record := fieldpath.New("metadata", "annotations", rehearsal.LastAppliedKey)
	r := lint.Report{
		LivePath: record, Live: "names " + tree.String(o.Original, "metadata", "name"),
		Message: "last-applied of the live object names " + tree.String(o.Original, "metadata", "name") + ": the object is a copy, and apply removes what the manifest of the original had and this one has not",
		Ways: []lint.Way{{
			Words: "to keep it, remove the annotation first: ", Commands: []string{shell.Line("kubectl annotate", o.Target(), shell.Operand(rehearsal.LastAppliedKey+"-"))}, Paths: []fieldpath.Path{record},
			Instead: "look at what this apply removes",
		}},
	}
	if removed := promise.Lost(o.Kind, o.Before, o.Result, false); len(removed) > 0 {
		r.Message += ": " + named(removed)
	}
	return r
}

// serverSideFlags are those of a server-side apply as the manager did it.
func serverSideFlags(manager string) string {
	if manager == rehearsal.DefaultManager {
		return "--server-side"
	}
	return "--server-side --field-manager=" + manager
}

// withoutRecord says why the annotation is missing, as far as the managers tell.
func withoutRecord(o *lint.Object) string {
	by := func(manager string) bool {
		return slices.ContainsFunc(o.Owners(), func(w owners.Entry) bool { return w.Manager == manager && w.Operation == owners.Update })
	}
	switch {
	case !by(owners.ClientSideApply):
		return "the live object was not created by kubectl apply"
	case by("kubectl-replace"):
		return "the last-applied annotation is gone: the live object was applied, and then replaced by kubectl replace without --save-config"
	}
	return "the last-applied annotation is gone, although the live object was applied client-side"
}
