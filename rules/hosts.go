package rules

import (
	"regexp"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
	"threeway/rules/reference"
)

var byHost = &reference.Fact{Effect: "requests to it fail"}

// hostText finds names that stand for a Service in a text: as the host of an
// address, before a port, or with its namespace and svc. The others are words.
var hostText = regexp.MustCompile(`(?:://(?:[^/@ ]*@)?|^|[ ,=@])([a-z]([-a-z0-9]*[a-z0-9])?)(?:\.([a-z0-9]([-a-z0-9]*[a-z0-9])?)(\.svc(?:\.[-a-z0-9.]*)?)?)?(:[0-9]+)?(?:[/, ?]|$)`)

// hostReferences are the Services that the environment and the arguments of an
// object's containers name as hosts.
func hostReferences(k schema.Kind, namespace string, obj tree.Object) (list []reference.Reference) {
	at, spec := podSpec(k, obj)
	find := func(text string, path func() fieldpath.Path) {
		for _, m := range hostText.FindAllStringSubmatch(text, -1) {
			isURL := len(m[0]) > 3 && m[0][:3] == "://"
			if !isURL && m[5] == "" && m[6] == "" {
				continue // any word
			}
			id := manifest.Identity{Kind: "Service", Namespace: namespace, Name: m[1]}
			if m[3] != "" {
				id.Namespace = m[3]
			}
			list = append(list, reference.Reference{Fact: byHost, Path: path(), To: id})
		}
	}
	for _, c := range containers(at, spec) {
		for i, env := range tree.List(c.tree, "env") {
			find(tree.String(env, "value"), func() fieldpath.Path { return c.path.Child("env").Item(i).Child("value") })
		}
		for _, field := range []string{"command", "args"} {
			for i, arg := range tree.List(c.tree, field) {
				text, _ := arg.(string)
				find(text, func() fieldpath.Path { return c.path.Child(field).Item(i) })
			}
		}
	}
	return list
}
