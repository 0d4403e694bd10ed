package validation

import (
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// fixedFlowSpec checks that the two objects of each flow control kind which
// the server needs, exempt and catch-all, keep the spec that it gives them.
// builtin makes that spec from a name, typ is the type of specs.
//
// Source: ValidateFlowSchema and ValidateIfMandatoryPriorityLevelConfigurationObject
// of pkg/apis/flowcontrol/validation; the objects are from
// k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap.
func fixedFlowSpec(r *Request, typ string, builtin func(name string) tree.Object) field.ErrorList {
	name := tree.String(r.Object, "metadata", "name")
	spec := tree.Map(r.Object, "spec")
	want := builtin(name)
	if want == nil {
		return nil
	}
	detail := "spec of '%s' must equal the fixed value"
	have := maps.Clone(spec)
	if want["type"] == "Exempt" {
		detail = "spec of '%s' except the 'spec.exempt' field must equal the fixed value"
		delete(have, exempt)
	}
	if same(have, want) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec"), schema.Internal(typ, spec), fmt.Sprintf(detail, name))}
}

func builtinFlowSchema(name string) tree.Object {
	switch name {
	case exempt:
		return flowSchemaForAll(exempt, 1, nil, "system:masters")
	case "catch-all":
		return flowSchemaForAll("catch-all", 10_000, tree.Object{"type": "ByUser"}, "system:unauthenticated", "system:authenticated")
	}
	return nil
}

func flowSchemaForAll(level string, precedence int64, distinguisher any, groups ...string) tree.Object {
	var subjects []any
	for _, g := range groups {
		subjects = append(subjects, tree.Object{"kind": "Group", "group": tree.Object{"name": g}})
	}
	all := []any{"*"}
	return tree.Object{
		"priorityLevelConfiguration": tree.Object{"name": level},
		"matchingPrecedence":         precedence,
		"distinguisherMethod":        distinguisher,
		"rules": []any{tree.Object{
			"subjects":         subjects,
			"resourceRules":    []any{tree.Object{"verbs": all, "apiGroups": all, "resources": all, "namespaces": all, "clusterScope": true}},
			"nonResourceRules": []any{tree.Object{"verbs": all, "nonResourceURLs": all}},
		}},
	}
}

func builtinPriorityLevel(name string) tree.Object {
	switch name {
	case exempt:
		return tree.Object{"type": "Exempt"}
	case "catch-all":
		return tree.Object{"type": "Limited", "limited": tree.Object{
			"nominalConcurrencyShares": int64(5), "lendablePercent": int64(0), "limitResponse": tree.Object{"type": "Reject"}}}
	}
	return nil
}
