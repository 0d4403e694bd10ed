package workflow

import (
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// moveRoutes changes the hosts or paths of an Ingress.
var moveRoutes = &Recipe{
	ID:    "move-routes",
	Title: "Change a host or a path of an Ingress",
	Text:  "The Ingress serves the old routes besides the new ones until no client uses them.",
	Rules: []string{"ingress-loses-route"},
	Kinds: []string{"Ingress.networking.k8s.io"},
	Make: func(c *Case) []Step {
		if c.Live == nil {
			return nil
		}
		var edits []edit.Edit
		add := func(field string, item tree.Object) {
			edits = append(edits, edit.Append(fieldpath.New("spec", field), item))
		}
		stay, gone := map[string]map[string]bool{}, map[any]bool{} // the paths of hosts
		for _, rule := range tree.List(c.Manifest.Tree, "spec", "rules") {
			host := tree.String(rule, "host")
			for _, path := range tree.List(rule, "http", "paths") {
				if stay[host] == nil {
					stay[host] = map[string]bool{}
				}
				stay[host][tree.String(path, "path")] = true
			}
		}
		for _, rule := range tree.List(c.Before, "spec", "rules") {
			host := tree.String(rule, "host")
			lost := slices.DeleteFunc(slices.Clone(tree.List(rule, "http", "paths")), func(path any) bool { return stay[host][tree.String(path, "path")] })
			if len(lost) == 0 {
				continue
			}
			gone[host] = stay[host] == nil
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

// moveClass has the controller of another class serve an Ingress.
var moveClass = &Recipe{
	ID:    "move-class",
	Title: "Change the class of an Ingress",
	Text: "The controllers of two classes have different addresses. A second Ingress has the new class until the names of the hosts lead to the new address. The webhook of " +
		"ingress-nginx rejects a second Ingress with the same host and path if it serves both.",
	Rules: []string{"ingress-loses-route"},
	Kinds: []string{"Ingress.networking.k8s.io"},
	Make: func(c *Case) []Step {
		was, now := impact.IngressClass(c.Before), impact.IngressClass(c.Manifest.Tree)
		if c.Live == nil || was == "" || now == "" || was == now {
			return nil
		}
		second := c.second(tree.Object{"spec": c.Manifest.Tree["spec"]})
		if annotations := tree.Map(c.Manifest.Tree, "metadata", "annotations"); annotations != nil {
			tree.Set(second.Tree, tree.CopyObject(annotations), "metadata", "annotations")
		}
		return []Step{
			{Text: "Serve the routes by the new class, too, with a second Ingress", Commands: []string{shell.Line("kubectl apply -f -")}, Input: second.Tree,
				Meanwhile: "both classes serve the hosts; let their names lead to the address that the status of the second Ingress has"},
			{Text: "Apply the manifests, now that no client uses the old address", Applies: true},
			deleted(second, ""),
		}
	},
}
