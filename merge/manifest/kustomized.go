package manifest

import (
	"bytes"
	"path"
	"path/filepath"

	"sigs.k8s.io/yaml"

	"threeway/merge/tree"
)

// originAnnotation is where kustomize says what an object was made from, if the
// kustomization has "buildMetadata: [originAnnotations]". It is applied with
// the rest.
const originAnnotation = "config.kubernetes.io/origin"

// ReadKustomized reads what a kustomization was rendered to. As in the messages
// of kubectl, its file is the directory. The template of an object is the file
// that kustomize says it comes from.
func ReadKustomized(dir string, rendered []byte) *Set {
	set := Read(Options{Paths: []string{"-"}, Stdin: bytes.NewReader(rendered), StdinName: dir})
	for _, o := range set.Objects {
		o.Origin.Template = kustomizeOrigin(dir, o.Tree)
	}
	for i, p := range set.Problems {
		if p.Object != nil {
			p.Object.Origin.Template = kustomizeOrigin(dir, p.Object.Tree)
			set.Problems[i].Template = p.Object.Origin.Template
		}
	}
	return set
}

// kustomizeOrigin is the file that the object was made from: below dir, unless
// it is in a repository of its own, or the one that configures the generator.
// sigs.k8s.io/kustomize/api/resource.Origin has the fields.
func kustomizeOrigin(dir string, object tree.Object) string {
	text := tree.String(object, "metadata", "annotations", originAnnotation)
	var origin struct {
		Path         string `json:"path"`
		Repo         string `json:"repo"`
		Ref          string `json:"ref"`
		ConfiguredIn string `json:"configuredIn"`
	}
	if text == "" || yaml.Unmarshal([]byte(text), &origin) != nil {
		return ""
	}
	file := origin.Path
	if file == "" {
		file = origin.ConfiguredIn
	}
	switch {
	case file == "":
		return ""
	case origin.Repo == "":
		return path.Join(filepath.ToSlash(dir), filepath.ToSlash(file))
	case origin.Ref != "":
		return origin.Repo + "//" + file + "?ref=" + origin.Ref
	}
	return origin.Repo + "//" + file
}
