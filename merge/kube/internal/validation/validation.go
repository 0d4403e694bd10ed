// Package validation holds the create and update validation of the API server
// for the built-in kinds: what pkg/apis/*/validation of Kubernetes rejects,
// in its order and its words, worked out on plain trees.
//
// Every rule is a function from values and a field path to a field.ErrorList.
// Those of a kind are a value of type Rules, named like the kind; the table of
// kinds in merge/kube/internal/server points to it.
//
// The rules are those of Kubernetes 1.36 with its default feature gates. What
// another minor checks differently is a row of merge/kube/internal/minors that the rule
// asks; what it says differently is a row of wordings.
package validation

import (
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Request is an object on its way into the store: decoded, defaulted and
// well-typed (every scalar has its schema's type; quantities are canonical
// strings), with the fields that the server owns already taken from Old.
type Request struct {
	Kind   schema.Kind
	Object tree.Object
	Old    tree.Object // nil on create
	Minor  int         // of the simulated server, e.g. 36

	// Namespace finds a namespace by its name, nil if it does not exist; known
	// is false where nothing tells. It may be nil itself.
	Namespace func(name string) (namespace tree.Object, known bool)

	// Families are the IP families that the cluster gives to Services
	// ("IPv4", "IPv6"), the default one first; nil when unknown.
	Families []string

	// Networks are the ranges of Service addresses, one per family; nil when
	// unknown.
	Networks []netip.Prefix

	// NodePort reports whether another Service holds a node port; nil if none does.
	NodePort func(port int64) bool
}

// Rules are those of one kind; empty for a kind that gets only the checks that
// every object gets. Both functions get a request whose Object is set; update
// is called when Old is set too.
type Rules struct {
	create, update validate
}

// validate gives what is wrong with a request.
type validate func(*Request) field.ErrorList

// inOrder is several, in the order in which the server lists what they find.
func inOrder(all ...validate) validate {
	return func(r *Request) (errs field.ErrorList) {
		for _, of := range all {
			errs = append(errs, of(r)...)
		}
		return errs
	}
}

// Validate returns why the server rejects the request, in the order in which
// it lists the causes and without repetitions; empty when it accepts. rules
// are those of the request's kind. A Service has to pass Allocate first.
//
// Source: BeforeCreate and BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest.
func Validate(r *Request, rules Rules) field.ErrorList {
	meta := field.NewPath("metadata")
	var errs field.ErrorList
	if r.Old == nil {
		if rules.create != nil {
			errs = worded(r, append(rules.create(r), staticName(r)...))
		}
		errs = declared(r, errs)
		if len(errs) == 0 {
			errs = worded(r, genericObjectMeta(tree.Map(r.Object, "metadata"), pathSegmentName, meta))
		}
		return errs
	}
	errs = genericObjectMeta(tree.Map(r.Object, "metadata"), pathSegmentName, meta)
	errs = append(errs, updatedGeneric(r)...)
	if rules.update != nil {
		errs = append(errs, rules.update(r)...)
	}
	return declared(r, worded(r, errs))
}
