package impact

import (
	"slices"

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

// uses are the places of a pod spec that read one ConfigMap or Secret.
type uses struct {
	env     []string // the keys that variables have
	envFrom bool
	volumes []volumeUse
}

// volumeUse is a ConfigMap or Secret as a source of a volume.
type volumeUse struct {
	volume string
	from   tree.Object
}

// mounts are the ways in which containers mount a volume.
type mounts struct {
	whole, expanded bool
	paths           map[string]bool // by subPath
}

// Read are the ConfigMaps and Secrets that pods of a spec read.
func Read(namespace string, spec tree.Object) []manifest.Identity {
	return (&reader{id: manifest.Identity{Namespace: namespace}, spec: spec}).read()
}

// read finds what the containers and volumes of the pod spec refer to, in order.
func (r *reader) read() (sources []manifest.Identity) {
	r.uses, r.mounts = map[manifest.Identity]*uses{}, map[string]*mounts{}
	of := func(kind, name string) *uses {
		id := manifest.Identity{Kind: kind, Namespace: r.id.Namespace, Name: name}
		if name == "" {
			return &uses{}
		}
		if r.uses[id] == nil {
			r.uses[id], sources = &uses{}, append(sources, id)
		}
		return r.uses[id]
	}
	for _, c := range containers(r.spec) {
		for _, e := range tree.List(c, "env") {
			for _, kind := range []string{"configMap", "secret"} {
				from := tree.Map(e, "valueFrom", kind+"KeyRef")
				u := of(kindOf[kind], tree.String(from, "name"))
				u.env = append(u.env, tree.String(from, "key"))
			}
		}
		for _, e := range tree.List(c, "envFrom") {
			for _, kind := range []string{"configMap", "secret"} {
				of(kindOf[kind], tree.String(e, kind+"Ref", "name")).envFrom = true
			}
		}
		for _, m := range tree.List(c, "volumeMounts") {
			r.mount(m)
		}
	}
	for _, c := range tree.List(r.spec, "initContainers") { // which have ended
		for _, kind := range []string{"configMap", "secret"} {
			for _, e := range tree.List(c, "env") {
				of(kindOf[kind], tree.String(e, "valueFrom", kind+"KeyRef", "name"))
			}
			for _, e := range tree.List(c, "envFrom") {
				of(kindOf[kind], tree.String(e, kind+"Ref", "name"))
			}
		}
	}
	for _, v := range tree.List(r.spec, "volumes") {
		for _, s := range append([]any{v}, tree.List(v, "projected", "sources")...) {
			for _, kind := range []string{"configMap", "secret"} {
				from := tree.Map(s, kind)
				for _, field := range []string{"secretName", "name"} {
					if name := tree.String(from, field); kind == "secret" || field == "name" {
						u := of(kindOf[kind], name)
						u.volumes = append(u.volumes, volumeUse{tree.String(v, "name"), from})
					}
				}
			}
		}
	}
	return sources
}

var kindOf = map[string]string{"configMap": "ConfigMap", "secret": "Secret"}

func (r *reader) mount(m any) {
	name, path, expanded := tree.String(m, "name"), tree.String(m, "subPath"), tree.String(m, "subPathExpr") != ""
	if r.mounts[name] == nil {
		r.mounts[name] = &mounts{paths: map[string]bool{}}
	}
	in := r.mounts[name]
	in.whole, in.expanded = in.whole || path == "" && !expanded, in.expanded || expanded
	if path != "" {
		in.paths[path] = true
	}
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

// readings are the ways in which the pods of a workload read the values of some keys of a
// ConfigMap or Secret, each once; nil if they read none of them. Keys that are gone are read as the files of a
// whole volume, which go too: other pods keep them, and new ones do not start or lack them.
func (r *reader) readings(source manifest.Identity, keys []string, gone ...string) (list []Reading) {
	u := r.uses[source]
	if u == nil {
		return nil
	}
	changed := map[string]bool{}
	for _, key := range keys {
		changed[key] = true
	}
	var whole, part bool
	for _, v := range u.volumes {
		files, in := v.files(keys, changed), r.mounts[v.volume]
		if len(tree.List(v.from, "items")) == 0 && in != nil && in.whole {
			files = slices.Concat(files, gone)
		}
		if in == nil || len(files) == 0 {
			continue
		}
		whole, part = whole || in.whole, part || in.expanded || slices.ContainsFunc(files, in.has)
	}
	for _, way := range []struct {
		Reading
		is bool
	}{{ByEnv, slices.ContainsFunc(u.env, func(key string) bool { return changed[key] })}, {ByEnvFrom, u.envFrom && len(keys) > 0}, {BySubPath, part}, {ByVolume, whole}} {
		if way.is {
			list = append(list, way.Reading)
		}
	}
	return list
}

// has reports whether a file, or a directory that it is in, is mounted by its subPath.
func (m *mounts) has(file string) bool {
	if len(m.paths) == 0 {
		return false
	}
	for end, c := range file {
		if c == '/' && m.paths[file[:end]] {
			return true
		}
	}
	return m.paths[file]
}

// files are those that a volume makes of some keys.
func (v volumeUse) files(keys []string, changed map[string]bool) (files []string) {
	items := tree.List(v.from, "items")
	if len(items) == 0 {
		return keys
	}
	for _, item := range items {
		if changed[tree.String(item, "key")] {
			files = append(files, tree.String(item, "path"))
		}
	}
	return files
}
