package kustomize

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Sources finds where the fields of what a kustomization renders stand in its files.
type Sources struct {
	files Files
	roots []*Root
	docs  []*doc
	// settings are the kustomization files, as objects that know their lines.
	settings map[*Root]*manifest.Object
	affixes  []string
}

// doc is a resource, or a patch that is like one.
type doc struct {
	object *manifest.Object
	patch  bool
	// kind and name are regular expressions of a target, nil without one.
	kind, name *regexp.Regexp
	// inline is the place of a patch in the kustomization; nil if it is a file.
	inline func() manifest.Place
}

// Sources reads the files.
func (k *Kustomization) Sources(files Files, limits manifest.Limits) *Sources {
	s := &Sources{files: files, roots: k.Roots, settings: map[*Root]*manifest.Object{}}
	for _, r := range k.Roots {
		if list := s.objects(r.File, limits); len(list) > 0 {
			s.settings[r] = list[0]
		}
		for _, key := range []string{"namePrefix", "nameSuffix"} {
			if affix := tree.String(r.Tree, key); affix != "" {
				s.affixes = append(s.affixes, affix)
			}
		}
		for _, item := range tree.List(r.Tree, "resources") {
			if entry, _ := item.(string); slices.Contains(r.Names, path.Join(r.Dir, entry)) {
				for _, o := range s.objects(path.Join(r.Dir, entry), limits) {
					s.docs = append(s.docs, &doc{object: o})
				}
			}
		}
		for i, item := range tree.List(r.Tree, "patchesStrategicMerge") {
			entry, _ := item.(string)
			s.patch(r, fieldpath.New("patchesStrategicMerge").Item(i), entry, entry, nil, limits)
		}
		for i, item := range tree.List(r.Tree, "patches") {
			s.patch(r, fieldpath.New("patches").Item(i), tree.String(item, "path"), tree.String(item, "patch"), tree.Map(item, "target"), limits)
		}
	}
	return s
}

// patch adds a strategic merge patch. One in JSON has no objects, and is not found.
func (s *Sources) patch(r *Root, at fieldpath.Path, entry, text string, target tree.Object, limits manifest.Limits) {
	var inline func() manifest.Place
	var objects []*manifest.Object
	if file := path.Join(r.Dir, entry); entry != "" && slices.Contains(r.Names, file) {
		objects = s.objects(file, limits)
	} else {
		objects = objectsOf(r.File, []byte(text), limits)
		inline = func() manifest.Place { return s.settings[r].Place(at) }
	}
	exact := func(key string) *regexp.Regexp {
		pattern, _ := target[key].(string)
		if re, err := regexp.Compile("^(?:" + pattern + ")$"); pattern != "" && err == nil {
			return re
		}
		return nil
	}
	for _, o := range objects {
		s.docs = append(s.docs, &doc{object: o, patch: true, inline: inline, kind: exact("kind"), name: exact("name")})
	}
}

func (s *Sources) objects(file string, limits manifest.Limits) []*manifest.Object {
	text, _ := s.files.Read(file)
	return objectsOf(s.files.Name(file), text, limits)
}

// objectsOf are the objects of a text, also those that are not manifests.
func objectsOf(name string, text []byte, limits manifest.Limits) []*manifest.Object {
	set := manifest.ReadFiles([]manifest.File{{Name: name, Data: text}}, limits)
	list := slices.Clone(set.Objects)
	for _, p := range set.Problems {
		if p.Object != nil && p.Object.Tree != nil && !slices.Contains(list, p.Object) {
			list = append(list, p.Object)
		}
	}
	return list
}

// Place is where a field of a rendered object stands: in the resource or the patch that has
// its value, or in the file that a generator reads. Where that is not certain it is the
// entry of the kustomization that sets the field, or else the kustomization itself.
func (s *Sources) Place(o *manifest.Object, p fieldpath.Path) manifest.Place {
	value, has := p.Find(o.Tree)
	for !has && len(p) > 0 {
		p = p[:len(p)-1]
		value, has = p.Find(o.Tree)
	}
	docs, source := s.of(o)
	for i := len(docs) - 1; i >= 0 && len(p) > 0; i-- {
		at := inDoc(p, o.Tree, docs[i].object.Tree)
		found, has := at.Find(docs[i].object.Tree)
		switch {
		case at == nil || !has || tree.Compound(value) && (docs[i].patch || !tree.Compound(found)):
		case tree.Compound(value) || tree.Equal(found, value):
			return docs[i].place(at)
		default:
			i = 0 // something else has set it since
		}
	}
	if len(p) == 0 && source != nil {
		return source.place(nil)
	}
	return s.setting(o, p, value, source)
}

func (d *doc) place(at fieldpath.Path) manifest.Place {
	if d.inline != nil {
		return d.inline()
	}
	return d.object.Place(at)
}

// of are the resource of a rendered object, if only one can be, and its patches in the
// order in which they are applied.
func (s *Sources) of(o *manifest.Object) (docs []*doc, source *doc) {
	names := s.names(o.Name)
	var resources []*doc
	for _, d := range s.docs {
		if !d.patch && d.object.Kind.GroupKind() == o.Kind.GroupKind() && slices.Contains(names, d.object.Name) {
			resources = append(resources, d)
		}
	}
	if len(resources) > 1 {
		for _, key := range []func(d *doc) bool{
			func(d *doc) bool { return d.object.Namespace == tree.String(o.Tree, "metadata", "namespace") },
			func(d *doc) bool { return d.object.Name == o.Name },
		} {
			if same := slices.DeleteFunc(slices.Clone(resources), func(d *doc) bool { return !key(d) }); len(same) == 1 {
				resources = same
				break
			}
		}
	}
	if len(resources) != 1 {
		return nil, nil
	}
	source = resources[0]
	docs = []*doc{source}
	for _, d := range s.docs {
		if d.patch && d.patches(source.object) {
			docs = append(docs, d)
		}
	}
	return docs, source
}

// patches reports whether a patch is for a resource.
func (d *doc) patches(o *manifest.Object) bool {
	if d.kind == nil && d.name == nil {
		return d.object.Kind.GroupKind() == o.Kind.GroupKind() && d.object.Name == o.Name
	}
	return (d.kind == nil || d.kind.MatchString(o.Kind.Kind)) && (d.name == nil || d.name.MatchString(o.Name))
}

// names are those that a rendered object can have in its source.
func (s *Sources) names(name string) []string {
	list := []string{name}
	for i := 0; i < len(list) && len(list) < 64; i++ {
		for _, affix := range s.affixes {
			for _, cut := range []func(string, string) (string, bool){strings.CutPrefix, strings.CutSuffix} {
				if rest, ok := cut(list[i], affix); ok && rest != "" && !slices.Contains(list, rest) {
					list = append(list, rest)
				}
			}
		}
	}
	return list
}

// inDoc writes a path into a rendered object as one into its source: items by their name,
// or else as the same item, since their numbers differ; nil if the source has no such item.
func inDoc(p fieldpath.Path, rendered, source any) fieldpath.Path {
	out := fieldpath.Path{}
	for _, step := range p {
		next, _ := fieldpath.Path{step}.Find(rendered)
		if !step.IsIndex {
			out = out.Join(fieldpath.Path{step})
		} else if name, ok := tree.Map(next)["name"]; ok {
			out = out.Select(fieldpath.Key{Name: "name", Value: name})
		} else {
			list, _ := source.([]any)
			i := slices.IndexFunc(list, func(item any) bool { return tree.Equal(item, next) })
			if i < 0 {
				return nil
			}
			out = out.Item(i)
		}
		found, ok := out[len(out)-1:].Find(source)
		if !ok {
			return nil
		}
		rendered, source = next, found
	}
	return out
}

// setting is the place in a kustomization, the outermost that has one.
func (s *Sources) setting(o *manifest.Object, p fieldpath.Path, value any, source *doc) manifest.Place {
	for i := len(s.roots) - 1; i >= 0; i-- {
		r := s.roots[i]
		if source == nil {
			if place, ok := s.generated(r, o, p); ok {
				return place
			}
		}
		if at := entryFor(r.Tree, p, value, source); at != nil && s.settings[r] != nil {
			return s.settings[r].Place(at)
		}
	}
	last := s.roots[len(s.roots)-1]
	if s.settings[last] == nil {
		return manifest.Place{File: s.files.Name(last.File), Line: 1, Column: 1, Elsewhere: true}
	}
	place := s.settings[last].Place(nil)
	place.Source = "" // says nothing about the field
	return place
}

// entryFor is the entry of a kustomization that sets a field to a value; nil if none does.
func entryFor(k tree.Object, p fieldpath.Path, value any, source *doc) fieldpath.Path {
	text, isText := value.(string)
	switch {
	case len(p) == 0:
	case p[len(p)-1].Field == "namespace" && isText && tree.String(k, "namespace") == text:
		return fieldpath.New("namespace")
	case p[len(p)-1].Field == "image" && isText:
		for i, item := range tree.List(k, "images") {
			rest, is := strings.CutPrefix(text, cmp.Or(tree.String(item, "newName"), tree.String(item, "name")))
			if is && (rest == "" || strings.ContainsAny(rest[:1], ":@") && !strings.Contains(rest, "/")) {
				return fieldpath.New("images").Item(i)
			}
		}
	case p.String() == "spec.replicas" && source != nil:
		for i, item := range tree.List(k, "replicas") {
			if tree.String(item, "name") == source.object.Name {
				return fieldpath.New("replicas").Item(i)
			}
		}
	case isText:
		for _, key := range []string{"commonLabels", "commonAnnotations"} {
			if have, ok := tree.Map(k, key)[p[len(p)-1].Field]; ok && have == value {
				return fieldpath.New(key, p[len(p)-1].Field)
			}
		}
		for i, item := range tree.List(k, "labels") {
			if have, ok := tree.Map(item, "pairs")[p[len(p)-1].Field]; ok && have == value {
				return fieldpath.New("labels").Item(i).Child("pairs", p[len(p)-1].Field)
			}
		}
	}
	return nil
}

// hash is what kustomize adds to the names of what it generates.
var hash = regexp.MustCompile(`-[a-z0-9]{10}$`)

// generated is the place of what a generator of a root makes: the file with the value of a
// key, or else the generator.
func (s *Sources) generated(r *Root, o *manifest.Object, p fieldpath.Path) (place manifest.Place, ok bool) {
	key := map[string]string{"ConfigMap": "configMapGenerator", "Secret": "secretGenerator"}[o.Kind.Kind]
	names := append(s.names(o.Name), s.names(hash.ReplaceAllString(o.Name, ""))...)
	for i, item := range tree.List(r.Tree, key) {
		if key == "" || s.settings[r] == nil || !slices.Contains(names, tree.String(item, "name")) {
			continue
		}
		for _, file := range generated(item) {
			at := path.Join(r.Dir, file.path)
			text, there := s.files.Read(at)
			if len(p) < 2 || !there {
				continue
			}
			if file.key == p[1].Field {
				return manifest.Place{File: s.files.Name(at), Line: 1, Column: 1, Elsewhere: true}, true
			}
			for n, line := range bytes.Split(text, []byte("\n")) {
				if file.isEnv && bytes.HasPrefix(line, []byte(p[1].Field+"=")) {
					return manifest.Place{File: s.files.Name(at), Line: n + 1, Column: 1, Elsewhere: true}, true
				}
			}
		}
		return s.settings[r].Place(fieldpath.New(key).Item(i)), true
	}
	return place, false
}
