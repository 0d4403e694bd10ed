package impact

import (
	"slices"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Reading is the way in which a pod reads a ConfigMap or Secret.
type Reading string

// The ways.
const (
	ByEnv     Reading = "env"     // env with valueFrom: read when the container starts
	ByEnvFrom Reading = "envFrom" // as the pod starts
	BySubPath Reading = "subPath" // a volume mounted with subPath: never updated
	ByVolume  Reading = "volume"  // a volume: the kubelet updates its files
)

// sources are the ConfigMaps and Secrets that the containers and volumes of a pod
// spec refer to.
func sources(namespace string, spec tree.Object) []manifest.Identity {
	var list []manifest.Identity
	add := func(kind, name string) {
		id := manifest.Identity{Kind: kind, Namespace: namespace, Name: name}
		if name != "" && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	for _, c := range containers(spec) {
		for _, e := range tree.List(c, "env") {
			add("ConfigMap", tree.String(e, "valueFrom", "configMapKeyRef", "name"))
			add("Secret", tree.String(e, "valueFrom", "secretKeyRef", "name"))
		}
		for _, e := range tree.List(c, "envFrom") {
			add("ConfigMap", tree.String(e, "configMapRef", "name"))
			add("Secret", tree.String(e, "secretRef", "name"))
		}
	}
	for _, v := range tree.List(spec, "volumes") {
		for _, s := range append([]any{v}, tree.List(v, "projected", "sources")...) {
			add("ConfigMap", tree.String(s, "configMap", "name"))
			add("Secret", tree.String(s, "secret", "secretName"))
			add("Secret", tree.String(s, "secret", "name"))
		}
	}
	return list
}

// containers are those of a pod spec whose environment stays what it was when they
// started: init containers, which have ended, only where they go on as sidecars.
func containers(spec tree.Object) []any {
	list := slices.Clone(tree.List(spec, "containers"))
	for _, c := range tree.List(spec, "initContainers") {
		if tree.String(c, "restartPolicy") == "Always" {
			list = append(list, c)
		}
	}
	return list
}

// readings are the ways in which the pods of a workload read some keys of a
// ConfigMap or Secret, each once; nil if they read none of them.
func (r *reader) readings(source manifest.Identity, keys []string) []Reading {
	var list []Reading
	add := func(way Reading) {
		if !slices.Contains(list, way) {
			list = append(list, way)
		}
	}
	ref := map[string]string{"ConfigMap": "configMap", "Secret": "secret"}[source.Kind]
	for _, c := range containers(r.spec) {
		for _, e := range tree.List(c, "env") {
			from := tree.Map(e, "valueFrom", ref+"KeyRef")
			if tree.String(from, "name") == source.Name && slices.Contains(keys, tree.String(from, "key")) {
				add(ByEnv)
			}
		}
		for _, e := range tree.List(c, "envFrom") {
			if tree.String(e, ref+"Ref", "name") == source.Name {
				add(ByEnvFrom)
			}
		}
		for _, m := range tree.List(c, "volumeMounts") {
			files := r.files(tree.String(m, "name"), ref, source.Name, keys)
			path, sub := tree.String(m, "subPath"), tree.String(m, "subPathExpr")
			switch {
			case len(files) == 0:
			case path == "" && sub == "":
				add(ByVolume)
			case sub != "" || slices.ContainsFunc(files, func(f string) bool { return f == path || strings.HasPrefix(f, path+"/") }):
				add(BySubPath)
			}
		}
	}
	slices.Sort(list)
	return list
}

// files are those that a volume makes of some keys of a ConfigMap or Secret.
func (r *reader) files(volume, ref, name string, keys []string) []string {
	var files []string
	for _, v := range tree.List(r.spec, "volumes") {
		if tree.String(v, "name") != volume {
			continue
		}
		for _, s := range append([]any{v}, tree.List(v, "projected", "sources")...) {
			from := tree.Map(s, ref)
			if from == nil || tree.String(from, "name") != name && tree.String(from, "secretName") != name {
				continue
			}
			items := tree.List(from, "items")
			if len(items) == 0 {
				files = append(files, keys...)
			}
			for _, item := range items {
				if slices.Contains(keys, tree.String(item, "key")) {
					files = append(files, tree.String(item, "path"))
				}
			}
		}
	}
	return files
}
