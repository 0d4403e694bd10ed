package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// createRuntimeClass checks a new RuntimeClass. Source of this file:
// pkg/apis/node/validation.
func createRuntimeClass(r *Request) field.ErrorList {
	errs := genericObjectMeta(tree.Map(r.Object, "metadata"), nameIsDNSSubdomain, field.NewPath("metadata"))
	if handler := tree.String(r.Object, "handler"); handler == "" {
		errs = append(errs, field.Required(field.NewPath("handler"), ""))
	} else {
		errs = append(errs, dns1123Label(handler, field.NewPath("handler"))...)
	}
	if overhead := tree.Map(r.Object, "overhead"); overhead != nil {
		limits := tree.Object{"limits": tree.Map(overhead, "podFixed")}
		errs = append(errs, resourceRequirements(limits, nil, field.NewPath("overhead"), podOptions{})...)
	}
	scheduling := tree.Map(r.Object, "scheduling")
	p := field.NewPath("scheduling")
	errs = append(errs, labelSet(tree.Map(scheduling, "nodeSelector"), p.Child("nodeSelector"))...)
	return append(errs, uniqueTolerations(tree.List(scheduling, "tolerations"), p.Child("tolerations"))...)
}

func uniqueTolerations(list []any, p *field.Path) field.ErrorList {
	errs := tolerations(list, p, podOptions{})
	type id struct{ key, operator, value, effect string }
	seen := map[id]bool{}
	for i, t := range list {
		this := id{tree.String(t, "key"), tree.String(t, "operator"), tree.String(t, "value"), tree.String(t, "effect")}
		if seen[this] {
			errs = append(errs, field.Duplicate(p.Index(i), schema.Internal("core/v1.Toleration", t)))
		}
		seen[this] = true
	}
	return errs
}
