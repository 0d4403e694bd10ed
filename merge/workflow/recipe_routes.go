package workflow

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// moveRoutes changes the hosts or paths of an Ingress.
var moveRoutes = &Recipe{
	ID:    "move-routes",
	Title: "Change a host or a path of an Ingress",
	Text:  "The Ingress serves the old routes besides the new ones until no client uses them.",
	Rules: []string{"ingress-loses-route"},
	Make: func(c *Case) []Step {
		if !c.is("Ingress.networking.k8s.io") || c.Live == nil {
			return nil
		}
		var edits []edit.Edit
		add := func(field string, item tree.Object) {
			edits = append(edits, edit.Append(fieldpath.New("spec", field), item))
		}
		rules := tree.List(c.Manifest.Tree, "spec", "rules")
		of := func(host string) (paths []any) {
			for _, rule := range rules {
				if tree.String(rule, "host") == host {
					paths = append(paths, tree.List(rule, "http", "paths")...)
				}
			}
			return paths
		}
		gone := map[any]bool{}
		for _, rule := range tree.List(c.Before, "spec", "rules") {
			host := tree.String(rule, "host")
			stay := of(host)
			lost := slices.DeleteFunc(slices.Clone(tree.List(rule, "http", "paths")), func(path any) bool {
				return slices.ContainsFunc(stay, func(now any) bool { return tree.String(now, "path") == tree.String(path, "path") })
			})
			if len(lost) == 0 {
				continue
			}
			gone[host] = len(stay) == 0
			old := tree.Object{"http": tree.Object{"paths": lost}}
			if host != "" {
				old["host"] = host
			}
			add("rules", old)
		}
		for _, tls := range tree.List(c.Before, "spec", "tls") {
			if slices.ContainsFunc(tree.List(tls, "hosts"), func(host any) bool { return gone[host] }) {
				add("tls", tree.CopyObject(tree.Map(tls)))
			}
		}
		if edits == nil {
			return nil
		}
		return []Step{
			{Text: "Apply with the old routes besides", Applies: true, Edits: []Edited{{c.Manifest, edits}}, Meanwhile: "both are served; the log of the ingress controller tells who still uses the old ones"},
			{Text: "Apply the manifests as they are, now that no client uses the old routes", Applies: true},
		}
	},
}
