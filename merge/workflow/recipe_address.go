package workflow

import (
	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// changeAddress gives a Service another address, or none.
var changeAddress = &Recipe{
	ID:    "change-address",
	Title: "Change the address of a Service: headless or not, or of another IP family",
	Text: "A Service keeps its address, except as an ExternalName. So its name leads to a second Service for the same pods while it is one, and gets the new address " +
		"after that. Who has looked up the old address has to look up the name again.",
	Rules: []string{"immutable-field-change", "removed-field-stays"},
	Kinds: []string{"Service"},
	Links: []string{"https://github.com/kubernetes/kubernetes/issues/24040"},
	Make: func(c *Case) []Step {
		was, now := tree.Map(c.Before, "spec"), tree.Map(c.Manifest.Tree, "spec")
		if !readdressed(was, now) {
			return nil
		}
		for _, spec := range []tree.Object{was, now} {
			if kind := tree.String(spec, "type"); kind != "" && kind != "ClusterIP" {
				return c.none("a Service of type " + kind + " would lose its node ports, and its load balancer, with its address")
			}
		}
		spec := tree.Object{"selector": was["selector"], "ports": was["ports"]}
		if headless(was) {
			spec["clusterIP"] = "None"
		}
		second := c.second(tree.Object{"spec": spec})
		edits := []edit.Edit{edit.Set(fieldpath.New("spec", "type"), "ExternalName"), edit.Set(fieldpath.New("spec", "externalName"), second.Name+"."+second.Namespace+clusterDomain)}
		for _, field := range addresses {
			if tree.Has(now, field) {
				edits = append(edits, edit.Remove(fieldpath.New("spec", field)))
			}
		}
		return []Step{
			{Text: "Make a second Service for the same pods", Commands: []string{shell.Line("kubectl apply -f -")}, Input: second.Tree},
			{Text: "Apply with a name that leads to the second Service", Applies: true, Edits: []Edited{{c.Manifest, edits}},
				Meanwhile: "the old address is gone and the name leads to the pods, if the domain of the cluster is cluster.local; wait until clients have looked it up again"},
			{Text: "Apply the manifests as they are: the Service has its new address", Applies: true},
			deleted(second, ""),
		}
	},
}

const clusterDomain = ".svc.cluster.local"

// addresses are the fields that an address is in.
var addresses = []string{"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}

func headless(spec tree.Object) bool { return spec["clusterIP"] == "None" }

// readdressed reports whether a Service is to have another address than it keeps.
func readdressed(was, now tree.Object) bool {
	first := func(spec tree.Object, list, field string) any {
		for _, v := range tree.List(spec, list) {
			return v
		}
		return spec[field]
	}
	asked := func(list, field string) bool {
		v := first(now, list, field)
		return v != nil && v != first(was, list, field)
	}
	return headless(was) != headless(now) || asked("clusterIPs", "clusterIP") || asked("ipFamilies", "")
}
