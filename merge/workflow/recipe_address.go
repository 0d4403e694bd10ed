package workflow

import (
	"fmt"
	"slices"

	"threeway/merge/fieldpath"
	"threeway/merge/impact"
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

// changeBalancer gives the load balancer of a Service to another controller.
var changeBalancer = &Recipe{
	ID:    "change-load-balancer",
	Title: "Change the class of a load balancer",
	Text: "The class is fixed as long as the type is LoadBalancer. A second Service gets a load balancer of the new class, and the first one gives up its own when clients use " +
		"that. Inside the cluster the Service keeps its address.",
	Rules: []string{"immutable-field-change"},
	Kinds: []string{"Service"},
	Make: func(c *Case) []Step {
		was, now := tree.Map(c.Before, "spec"), tree.Map(c.Manifest.Tree, "spec")
		if tree.String(was, "type") != balanced || tree.String(now, "type") != balanced || was["loadBalancerClass"] == now["loadBalancerClass"] {
			return nil
		}
		edits := []edit.Edit{edit.Set(fieldpath.New("spec", "type"), "ClusterIP")}
		for _, field := range outside {
			if tree.Has(now, field) {
				edits = append(edits, edit.Remove(fieldpath.New("spec", field)))
			}
		}
		second := c.second(tree.Object{"spec": without(now, fieldpath.New("clusterIP"))})
		for i, port := range tree.List(now, "ports") {
			if tree.Has(port, "nodePort") {
				edits = append(edits, edit.Remove(fieldpath.New("spec", "ports").Item(i).Child("nodePort")))
				second.Tree = without(second.Tree, fieldpath.New("spec", "ports").Item(i).Child("nodePort"))
			}
		}
		if annotations := tree.Map(c.Manifest.Tree, "metadata", "annotations"); annotations != nil {
			tree.Set(second.Tree, tree.CopyObject(annotations), "metadata", "annotations")
		}
		return []Step{
			{Text: "Get a second load balancer, of the new class", Commands: []string{"kubectl apply -f -"}, Input: second.Tree,
				Meanwhile: "both lead to the pods; let the names of clients lead to the address that the status of the second Service has"},
			{Text: "Apply without a load balancer, now that no client uses the old one", Applies: true, Edits: []Edited{{c.Manifest, edits}}},
			{Text: "Apply the manifests as they are", Applies: true, Meanwhile: "both load balancers have the new class; let the names of clients lead to the first Service again"},
			deleted(second, ""),
		}
	},
}

const balanced = "LoadBalancer"

// outside are the fields that only a Service with a way in from outside the cluster may have.
var outside = []string{"loadBalancerClass", "loadBalancerSourceRanges", "loadBalancerIP", "allocateLoadBalancerNodePorts", "externalTrafficPolicy", "healthCheckNodePort"}

// closeWayIn takes the load balancer or the node ports from a Service.
var closeWayIn = &Recipe{
	ID:    "close-way-in",
	Title: "Take the load balancer or the node ports from a Service",
	Text: "Its address and its ports are gone with the apply, and are free for others. So all else is applied first, such as an Ingress for the same pods, and the " +
		"type when no client uses the old way in.",
	Rules: []string{"service-loses-address", "falls-back-to-default"},
	Kinds: []string{"Service"},
	Make: func(c *Case) []Step {
		was, now := tree.Map(c.Before, "spec"), tree.Map(c.Manifest.Tree, "spec")
		switch kind := tree.String(now, "type"); {
		case impact.ClosedNodePorts(c.Before, c.Result) == nil && (tree.String(was, "type") != balanced || tree.String(c.Result, "spec", "type") == balanced):
			return nil
		case tree.String(c.Result, "spec", "type") == tree.String(was, "type"):
			return c.none("a node port leads to one Service: the new one opens when the old one closes. Open the new one by a second Service, for clients to move, and keep that")
		case kind == "ExternalName":
			return c.none("its name leads to another host at once")
		}
		for _, port := range tree.List(was, "ports") {
			if !slices.ContainsFunc(tree.List(now, "ports"), func(stays any) bool { return samePort(stays, port) }) {
				return c.none(fmt.Sprintf("port %v goes with it: remove that in an apply of its own", tree.Map(port)["port"]))
			}
		}
		edits := []edit.Edit{edit.Set(fieldpath.New("spec", "type"), was["type"])}
		for _, field := range outside {
			if value, set := tree.Get(c.Original, "spec", field); set && !tree.Has(now, field) {
				edits = append(edits, edit.Set(fieldpath.New("spec", field), value))
			}
		}
		for i, port := range tree.List(now, "ports") {
			for _, old := range tree.List(c.Original, "spec", "ports") {
				if number := tree.Map(old)["nodePort"]; number != nil && samePort(port, old) && !tree.Has(port, "nodePort") {
					edits = append(edits, edit.Set(fieldpath.New("spec", "ports").Item(i).Child("nodePort"), number))
				}
			}
		}
		return []Step{
			{Text: "Apply with the old type", Applies: true, Edits: []Edited{{c.Manifest, edits}}, Meanwhile: "the old way in leads to the pods; let clients use another one"},
			{Text: "Apply the manifests as they are, now that no client uses the old way in", Applies: true},
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
