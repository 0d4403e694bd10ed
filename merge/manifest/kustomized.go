package manifest

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"

	"sigs.k8s.io/yaml"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// originAnnotation names the source file of an object. kustomize adds it if the
// kustomization has "buildMetadata: [originAnnotations]". It is applied with
// the rest of the object.
const originAnnotation = "config.kubernetes.io/origin"

// ReadKustomized reads the rendered output of a kustomization. The file of its
// objects is the directory, as in kubectl's messages. The template of an object
// is the source file that kustomize names.
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

// Add adds what another set has.
func (s *Set) Add(other *Set) {
	s.Objects, s.Checked = append(s.Objects, other.Objects...), append(s.Checked, other.Checked...)
	s.Lists, s.Problems = append(s.Lists, other.Lists...), append(s.Problems, other.Problems...)
}

// RenderedFrom sets what finds the places of fields in the files that the objects were
// rendered from.
func (s *Set) RenderedFrom(place func(*Object, fieldpath.Path) Place) {
	for _, o := range slices.Concat(s.Objects, s.Checked, s.Lists) {
		o.RenderedFrom(place)
	}
	for i, p := range s.Problems {
		if p.Object != nil && p.Object.Tree != nil {
			p.Object.RenderedFrom(place)
			at := p.Object.Place(p.Fault.Path)
			s.Problems[i].File, s.Problems[i].Line, s.Problems[i].Column = at.File, at.Line, at.Column
		}
	}
}

// kustomizeOrigin returns the source file of the object: a path below dir, a
// file in another repository, or the file that configures the generator.
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
