package flux

import (
	"threeway/merge/manifest"
	"threeway/merge/placeholder"
	"threeway/merge/text/source"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// PostBuild says what a Kustomization puts in place of the variables of its manifests.
type PostBuild struct {
	// Path is the directory of the manifests, from the top of their source.
	Path      string
	Namespace string
	// Inline are the values in the Kustomization, which count before those of From.
	Inline map[string]string
	From   []ValuesFrom
}

// ValuesFrom names a ConfigMap or Secret with values. Of several, the last counts.
type ValuesFrom struct{ Kind, Name string }

// ReadPostBuild returns the substitutions of a Kustomization; nil if it has none.
func ReadPostBuild(o *manifest.Object) *PostBuild {
	post := tree.Map(o.Tree, "spec", "postBuild")
	if o.Kind.GroupKind() != GroupKind || len(post) == 0 {
		return nil
	}
	p := &PostBuild{Path: tree.String(o.Tree, "spec", "path"), Namespace: o.Namespace, Inline: texts(post, "substitute")}
	for _, from := range tree.List(post, "substituteFrom") {
		p.From = append(p.From, ValuesFrom{tree.String(from, "kind"), tree.String(from, "name")})
	}
	return p
}

// Substituted returns a manifest with values in place of ${VAR}, as kustomize-controller builds
// it (github.com/fluxcd/pkg/kustomize/kustomize_varsub.go), and the variables that have none.
// whole tells that all values are known, so that the default in ${VAR:=x} counts.
func Substituted(o tree.Object, values map[string]string, whole bool) (filled tree.Object, open []string) {
	if Says(o, Group+"/substitute", "disabled") {
		return o, nil
	}
	text, open := placeholder.Substitute(yamltext.YAML(o), values, whole)
	s := source.NewStream("", text)
	if s.Next() && s.Failure == nil {
		if filled, ok := s.Value.(tree.Object); ok {
			return filled, open
		}
	}
	return o, open
}
