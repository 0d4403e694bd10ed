package rules

import (
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// podSpec is the spec of the pods that an object of a built-in kind makes or is,
// and where it is; nil if it makes none.
func podSpec(k schema.Kind, obj tree.Object) (fieldpath.Path, tree.Object) {
	place := setting.PodSpecOf(k)
	if place == "" {
		return nil, nil
	}
	fields := strings.Split(place, ".")
	return fieldpath.New(fields...), tree.Map(obj, fields...)
}

// container is one container of a pod, and where it is.
type container struct {
	name string
	path fieldpath.Path
	tree tree.Object
}

// containers are those of a pod, and its init containers.
func containers(at fieldpath.Path, spec tree.Object) (list []container) {
	for _, field := range []string{"initContainers", "containers"} {
		for i, c := range tree.List(spec, field) {
			list = append(list, container{tree.String(c, "name"), at.Child(field).Item(i), tree.Map(c)})
		}
	}
	return list
}
