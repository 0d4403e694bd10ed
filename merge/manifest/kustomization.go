package manifest

import (
	"os"
	"path/filepath"

	"threeway/merge/kube/schema"
)

// kustomizationNames are the file names that kustomize looks for, in its order
// (sigs.k8s.io/kustomize/api/konfig).
var kustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// Kustomizations reads the kustomization files in the directories. They are not
// manifests, but manifests may have been rendered from them. Each gets a kind
// and the name of its directory, which the file may leave out. Files that
// cannot be read are skipped.
func Kustomizations(dirs []string) []*Object {
	var list []*Object
	for _, dir := range dirs {
		for _, name := range kustomizationNames {
			file := filepath.Join(dir, name)
			if info, err := os.Stat(file); err != nil || info.IsDir() {
				continue
			}
			set := Read(Options{Paths: []string{file}})
			objects := set.Objects
			for _, p := range set.Problems {
				if p.Object != nil && p.Object.Tree != nil {
					objects = append(objects, p.Object)
				}
			}
			if len(objects) == 1 {
				o := objects[0]
				o.Kind = schema.Kind{Group: "kustomize.config.k8s.io", Version: "v1beta1", Kind: "Kustomization"}
				if o.Name == "" && dir != "." {
					o.Name = filepath.Base(dir)
				}
				list = append(list, o)
			}
			break
		}
	}
	return list
}

// Directories lists the directories of the files that the set was read from.
// Standard input has none.
func (s *Set) Directories() []string {
	var dirs []string
	seen := map[string]bool{}
	add := func(file string) {
		if dir := filepath.Dir(file); file != "" && file != Stdin && !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	for _, o := range s.Objects {
		add(o.Origin.File)
	}
	for _, p := range s.Problems {
		add(p.File)
	}
	return dirs
}
