package policy

import (
	"maps"
	"slices"

	"threeway/merge/kube/internal/cel"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// userInfo is what needs the user is said to need, if it is not known.
const userInfo = "request.userInfo"

// Authorizer is what an expression needs that asks for the rights of an unknown user.
const Authorizer = "authorizer"

// prepare is what the expressions of a policy see of a request that it matches at
// a version.
func (p *Policies) prepare(of *Policy, r *Request, requested Resource, at param) *input {
	in := &input{compiled: of.compile(), params: at, old: r.Old, rehearsed: r.Rehearsed}
	if r.Object != nil {
		in.object = withUnknown(r.Object, r.Unknown)
	}
	in.unknown = map[string]string{}
	in.authorizer, in.requestResource = cel.Authorizers(func(q cel.Question) cel.Answer {
		return p.world.Authorize(r.User, q)
	}, cel.Question{Group: requested.Group, Resource: requested.Plural, Namespace: r.Namespace, Object: r.Name})
	if r.User == nil {
		in.unknown[userInfo] = userInfo
	}
	if slices.Contains(r.Unknown, "name") {
		in.unknown["request.name"] = "request.name"
	}
	in.request = variableRequest(r, requested)
	if at.unknown != "" {
		in.unknown["params"] = at.unknown
	}
	in.hidden = of.params != nil && of.params.GroupKind() == "Secret"
	if r.Namespace == "" || requested.Kind == namespaceKind {
		return in
	}
	namespace, _ := p.world.Namespace(r.Namespace)
	if namespace == nil {
		in.unknown["namespaceObject"] = "Namespace " + r.Namespace
		return in
	}
	in.namespace = namespaceObject(namespace)
	return in
}

// namespaceObject is a Namespace without what CreateNamespaceObject of
// admission/plugin/cel/condition.go leaves out.
func namespaceObject(live tree.Object) tree.Object {
	obj := tree.Object{}
	for _, key := range []string{"metadata", "spec", "status"} {
		if m := tree.Map(live, key); m != nil {
			obj[key] = maps.Clone(m)
		} else {
			obj[key] = tree.Object{}
		}
	}
	delete(tree.Map(obj, "metadata"), "managedFields")
	delete(tree.Map(obj, "metadata"), "ownerReferences")
	return obj
}

// variableRequest is the variable request: of the version that the policy matches,
// and beside it of the version that the client asked for.
//
// Source: CreateAdmissionRequest of admission/plugin/cel/condition.go.
func variableRequest(r *Request, requested Resource) tree.Object {
	request := tree.Object{
		"kind": kindObject(r.Kind), "resource": resourceObject(r.Resource),
		"requestKind": kindObject(requested.Kind), "requestResource": resourceObject(requested),
		"operation": r.operation(), "dryRun": r.DryRun, "options": r.Options,
		"userInfo": tree.Object{},
	}
	if r.User != nil {
		request["userInfo"] = r.User.object()
	}
	if r.Name != "" {
		request["name"] = r.Name
	}
	if r.Namespace != "" {
		request["namespace"] = r.Namespace
	}
	return request
}

func kindObject(k schema.Kind) tree.Object {
	return tree.Object{"group": k.Group, "version": k.Version, "kind": k.Kind}
}

func resourceObject(r Resource) tree.Object {
	return tree.Object{"group": r.Group, "version": r.Version, "resource": r.Plural}
}

// withUnknown is an object that a policy is to see, which is not changed, with
// values that are not known.
func withUnknown(obj tree.Object, fields []string) tree.Object {
	obj = maps.Clone(obj)
	metadata := maps.Clone(tree.Map(obj, "metadata"))
	if metadata == nil {
		metadata = tree.Object{}
	}
	for _, field := range fields {
		metadata[field] = notYetKnown("object.metadata." + field)
	}
	obj["metadata"] = metadata
	return obj
}
