package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"threeway/merge/tree"
)

// param is what a binding evaluates a policy with: an object, null, or one that is
// not known.
type param struct {
	object  tree.Object
	unknown string // what is not known
}

// unknownParamKind is the error of a policy whose paramKind no server has, nil if
// it is served or none is named. known is false where the snapshot cannot tell.
func (p *Policies) unknownParamKind(of *Policy) (err error, known bool) {
	if of.params == nil {
		return nil, true
	}
	served, _, known := p.world.Serves(*of.params)
	if served || !known {
		return nil, known
	}
	k := of.params
	return fmt.Errorf("failed to find resource referenced by paramKind: '%s/%s, Kind=%s'", k.Group, k.Version, k.Kind), true
}

// collect lists the params of a binding: each is a reason to evaluate the policy
// once. An error is one of the configuration.
//
// Source: CollectParams of policy/generic/policy_dispatcher.go.
func (p *Policies) collect(of *Policy, b binding, r *Request) ([]param, error) {
	ref := tree.Map(b.spec, "paramRef")
	if of.params == nil || ref == nil {
		return []param{{}}, nil
	}
	_, namespaced, known := p.world.Serves(*of.params)
	if !known {
		return []param{{unknown: of.params.Kind + " " + tree.String(ref, "name")}}, nil
	}
	namespace := tree.String(ref, "namespace")
	switch {
	case namespaced && namespace == "" && r.Namespace == "":
		return nil, errors.New("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")
	case namespaced && namespace == "":
		namespace = r.Namespace
	case !namespaced && namespace != "":
		return nil, errors.New("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
	}
	list, known := p.world.Params(*of.params, namespace)
	found := selected(list, ref)
	if len(found) == 0 && !known {
		where := ""
		if namespace != "" {
			where = " in namespace " + namespace
		}
		return []param{{unknown: join(of.params.Kind, tree.String(ref, "name")) + where}}, nil
	}
	if len(found) == 0 && tree.String(ref, "parameterNotFoundAction") == "Deny" {
		return nil, errors.New("no params found for policy binding with `Deny` parameterNotFoundAction")
	}
	return found, nil
}

// selected are the objects that a paramRef names or selects, by namespace and
// name.
func selected(list []tree.Object, ref tree.Object) []param {
	name, selector := tree.String(ref, "name"), tree.Map(ref, "selector")
	var found []param
	for _, obj := range list {
		if name != "" && tree.String(obj, "metadata", "name") == name || name == "" && tree.Selects(selector, labels(obj)) {
			found = append(found, param{object: obj})
		}
	}
	slices.SortFunc(found, func(a, b param) int {
		return cmp.Compare(tree.String(a.object, "metadata", "name"), tree.String(b.object, "metadata", "name"))
	})
	return found
}

func join(kind, name string) string {
	if name == "" {
		return kind
	}
	return kind + " " + name
}
