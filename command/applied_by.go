package command

import (
	"fmt"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/manifest"
)

// appliers are the flags that rehearse a program that applies objects.
var appliers = map[applier.Kind]string{
	applier.Release:       applierHelm + " --release ",
	applier.Application:   applierArgoCD + " --app ",
	applier.Kustomization: applierFlux + " --kustomization ",
	applier.HelmRelease:   applierFlux + " --helmrelease ",
}

// otherAppliers are the live objects of a set that another program applies, of those
// that threeway rehearses: what that would do is unknown.
func otherAppliers(r *Request, p *merge.Plan, snapshot *manifest.Snapshot) (list []merge.Unknown) {
	if r.ByGiven || p.Base != nil || p.By != nil {
		return nil
	}
	lists := applier.ReadLists(snapshot)
	for _, o := range p.Outcomes {
		if o.Live == nil {
			continue
		}
		if claims := lists.Claims(o.Live); len(claims) == 1 && appliers[claims[0].Kind] != "" {
			list = append(list, merge.Unknown{Gap: merge.OtherApplier, Object: o.Identity(),
				Needs: "--applier " + appliers[claims[0].Kind] + claims[0].FullName() + " (or --applier " + applierKubectl + " if kubectl is to apply them)"})
		}
	}
	return list
}

// appliedBy is the note that another program applies all live objects of a set, with
// the flags that rehearse it. There is none if no other program does, if several do, or
// if it is one that threeway does not rehearse.
func appliedBy(p *merge.Plan, snapshot *manifest.Snapshot) []string {
	var by applier.Claim
	live, lists := 0, applier.ReadLists(snapshot)
	for _, o := range p.Outcomes {
		if o.Live == nil {
			continue
		}
		claims := lists.Claims(o.Live)
		if len(claims) == 0 && o.Live.Kind.GroupKind() == "CustomResourceDefinition.apiextensions.k8s.io" {
			continue // Argo CD never marks definitions, nor does Helm those of a chart's crds/
		}
		if len(claims) != 1 || live > 0 && !claims[0].Same(by) {
			return nil
		}
		by = claims[0]
		live++
	}
	flags := appliers[by.Kind]
	if flags == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s applies %s (%s), and makes other patches of the same manifests than kubectl; to rehearse those, pass --applier %s; --applier %s drops this note",
		by.Program, plural(live, "live object"), by.By(), flags+by.FullName(), applierKubectl)}
}
