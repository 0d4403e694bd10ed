package merge

import (
	"fmt"
	"maps"
	"slices"

	"threeway/merge/gap"
	"threeway/merge/placeholder"
	"threeway/merge/text/phrase"
)

// unfilled adds the placeholders that have no value in objects that change. ${VAR} is one
// everywhere, if it stands anywhere where no literal text like it is valid.
func (r *run) unfilled(p *Plan) {
	is := map[string]bool{}
	for _, name := range r.given.Open {
		is[name] = true
	}
	for _, o := range p.Outcomes {
		for _, name := range slices.Concat(o.Placeholders, placeholder.Names(o.Manifest.Name), placeholder.Names(o.Manifest.Namespace)) {
			is[name] = true
		}
	}
	if len(is) == 0 || r.Literal {
		return
	}
	open, g := map[string]bool{}, gap.Gap{Code: gap.Placeholder}
	var objects []string
	for _, o := range changing(p.Outcomes) {
		found := slices.DeleteFunc(placeholder.Names(o.Manifest.Tree), func(name string) bool { return !is[name] })
		for _, name := range found {
			open[name] = true
		}
		if len(found) > 0 {
			g.Objects, objects = append(g.Objects, o.Identity()), append(objects, o.Identity().String())
		}
	}
	if objects == nil {
		return
	}
	names := phrase.Abbreviated(slices.Sorted(maps.Keys(open)), 12)
	const how = "pass the manifests with their values, as flux build, envsubst or the template's program prints them, with -f -"
	g.Needs = "the values of " + names + ": " + how
	g.Note = fmt.Sprintf("nothing here gives the values of %s: %s compared as text, and not checked where the values matter: %s; to check them, %s",
		names, phrase.Count(len(objects), "object that changes is", "objects that change are"), phrase.Abbreviated(objects, 5), how)
	p.Add(g)
}
