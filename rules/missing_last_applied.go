package rules

import (
	"threeway/lint"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var missingLastApplied = &lint.Rule{
	ID:    "missing-last-applied",
	Title: "the live object has no last-applied annotation",
	Text: "The object exists, but was not made by a client-side kubectl apply: it has no record of the manifest that was applied before. Info " +
		"where the live object has nothing that the manifest lacks. Objects that one manager applied server-side are one finding.",
	Why: "A client-side apply removes only fields that last-applied has. Whatever the live object has besides the manifest stays; kubectl " +
		"warns and writes the annotation, so the next apply sees what leaves the manifest from now on.",
	Fix: "Compare before the first apply: threeway diff -o fields lists what is kept. Or record the manifest first, with kubectl apply " +
		"set-last-applied --create-annotation. A set that is applied server-side goes on with --server-side, here and in kubectl apply.",
	Links:    []string{declarative + "#how-to-create-objects", issue + "123843"},
	Severity: lint.Warning,
	Needs:    lint.Live | lint.ClientSide,
	Since:    "0.1",
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			if o.Before == nil || tree.Has(o.Before, "metadata", "annotations", merge.LastAppliedKey) || o.LastApplied() != nil {
				continue
			}
			r := lint.Report{LivePath: fieldpath.New("metadata"), Live: "no " + merge.LastAppliedKey}
			kept := outermostAbsent(o.Config.Tree, liveOnly(o))
			switch manager := applier(o); {
			case manager != "":
				r.Group = "server-side by " + manager
				r.Message = "the live object was applied server-side by " + manager + "; a client-side apply does not remove fields that leave the manifest, and mixes two methods"
				r.Fix = "apply as before, here and with kubectl: " + serverSideFlags(manager)
			case len(kept) > 0:
				r.Message = "the live object was not made by kubectl apply; apply keeps what the manifest lacks: " + named(kept)
				r.LivePath, r.Live = kept[0], ""
				r.Fix = "add what you want to keep to the manifest, and remove the rest by hand: later applies do not remove it either"
			default:
				r.Group, r.Severity = "nothing kept", lint.Info
				r.Message = "the live object was not made by kubectl apply; it has nothing that the manifest lacks, and this apply adds the annotation"
				r.Fix = "none is needed; kubectl apply prints a warning once"
			}
			p.Report(o, r)
		}
	},
}

// serverSideFlags are those of a server-side apply as the manager did it.
func serverSideFlags(manager string) string {
	if manager == merge.DefaultManager {
		return "--server-side"
	}
	return "--server-side --field-manager=" + manager
}

// applier is who applied the live object server-side, or "".
func applier(o *lint.Object) string {
	for _, w := range o.Owners() {
		if w.Operation == "Apply" && w.Subresource == "" {
			return w.Manager
		}
	}
	return ""
}
