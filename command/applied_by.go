package command

import (
	"fmt"
	"slices"

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

// appliedBy are the notes that other programs apply all live objects of a set, one for
// each release, Application and so on, with the flags that rehearse it. There are none if
// an object has no applier, several, or one that threeway does not rehearse.
func appliedBy(p *merge.Plan, snapshot *manifest.Snapshot) (notes []string) {
	var by []applier.Claim
	var objects []int
	live, lists := 0, applier.ReadLists(snapshot)
	for _, o := range p.Outcomes {
		if o.Live == nil {
			continue
		}
		claims := lists.Claims(o.Live)
		if len(claims) == 0 && o.Live.Kind.GroupKind() == "CustomResourceDefinition.apiextensions.k8s.io" {
			continue // Argo CD never marks definitions, nor does Helm those of a chart's crds/
		}
		if len(claims) != 1 || appliers[claims[0].Kind] == "" {
			return nil
		}
		i := slices.IndexFunc(by, claims[0].Same)
		if i < 0 {
			i, by, objects = len(by), append(by, claims[0]), append(objects, 0)
		}
		objects[i]++
		live++
	}
	for i, c := range by {
		which, alone := plural(live, "live object"), ""
		if len(by) > 1 {
			alone = " with its manifests alone"
			which = fmt.Sprintf("%d of %d live objects", objects[i], live)
		}
		notes = append(notes, fmt.Sprintf("%s applies %s (%s), and makes other patches of the same manifests than kubectl; to rehearse those, pass --applier %s%s; --applier %s drops this note",
			c.Program, which, c.By(), appliers[c.Kind]+c.FullName(), alone, applierKubectl))
	}
	return notes
}
