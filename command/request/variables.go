package request

import (
	"bytes"
	"context"
	"encoding/base64"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/applier/flux"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Variables are what Flux substitutes in the manifests of a repository, on the disk, in the
// index and at revisions. They are read once there is a manifest with ${VAR}.
type Variables struct {
	directory string
	// trusted is the revision that a change of others starts from, "" if there is none.
	trusted string
	// start is the revision that any change starts from, of which known are the Kustomizations
	// and the objects with values; "" if it is not known.
	start string
	known map[string]int
	mutex sync.Mutex
	at    map[string][]substitution
	open  map[string]bool
	// secrets are the Secrets with values that were substituted.
	secrets []*manifest.Object
}

// substitution is what Flux substitutes in the manifests below a directory.
type substitution struct {
	dir    string // from the top of the repository
	values map[string]string
	whole  bool // no other values are known to be used
	isNew  bool // the change adds it
}

// newVariables returns those of the repository of a directory.
func newVariables(directory string, trusted *system.Trusted) *Variables {
	revision := ""
	if trusted != nil {
		revision = strings.TrimPrefix(trusted.Name, GitBase)
	}
	return &Variables{directory: directory, trusted: revision, start: revision, at: map[string][]substitution{}, open: map[string]bool{}}
}

// Open are the variables that have no value, in all that was substituted.
func (v *Variables) Open() []string { return slices.Sorted(maps.Keys(v.open)) }

// Secrets are those that values are from.
func (v *Variables) Secrets() []*manifest.Object { return v.secrets }

// Substitute substitutes in the manifests of a set; revision is "" for the disk. place is the
// path of an object's file, or of the directory that it is rendered from.
func (v *Variables) Substitute(ctx context.Context, limits manifest.Limits, revision string, set *manifest.Set, place func(o *manifest.Object) string) error {
	if v == nil || disk.Repository(v.directory) == "" {
		return nil
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for i, o := range set.Objects {
		if !hasVariable(o.Tree) {
			continue
		}
		at := place(o)
		values, whole, err := v.valuesFor(ctx, limits, revision, at)
		if err != nil {
			return err
		}
		if values == nil {
			continue
		}
		if v.trusted != "" && revision != v.trusted {
			// A Kustomization that the change adds may be one that nothing applies.
			before, _, err := v.valuesFor(ctx, limits, v.trusted, at)
			switch {
			case err != nil:
				return err
			case before == nil:
				_, open := flux.Substituted(o.Tree, nil, false)
				v.leaveOpen(open)
				continue
			}
		}
		filled, open := flux.Substituted(o.Tree, values, whole)
		v.leaveOpen(open)
		copied := *o
		copied.Tree, copied.Name, copied.Namespace = filled, tree.String(filled, "metadata", "name"), tree.String(filled, "metadata", "namespace")
		set.Objects[i] = &copied
	}
	return nil
}

// FromTop is a path from the top of the repository, with slashes.
func (v *Variables) FromTop(file string) string {
	rel, err := filepath.Rel(disk.Repository(v.directory), system.Absolute(file))
	if err != nil {
		return ".."
	}
	return filepath.ToSlash(rel)
}

// differ reports whether a place has other values at a revision than at one before.
func (v *Variables) differ(ctx context.Context, limits manifest.Limits, revision, before, place string) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	now, whole, err := v.valuesFor(ctx, limits, revision, place)
	then, was, err2 := v.valuesFor(ctx, limits, before, place)
	return err != nil || err2 != nil || whole != was || !maps.Equal(now, then)
}

func (v *Variables) leaveOpen(names []string) {
	for _, name := range names {
		v.open[name] = true
	}
}

func hasVariable(v any) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, "${")
	case map[string]any:
		for key, value := range v {
			if hasVariable(value) || hasVariable(key) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasVariable)
	}
	return false
}

// valuesFor are the values for a file or a directory: those of the innermost directory, in
// which all agree, with those that the change adds for it; nil if Flux substitutes nothing
// there. whole tells that there are no others.
func (v *Variables) valuesFor(ctx context.Context, limits manifest.Limits, revision, place string) (values map[string]string, whole bool, err error) {
	list, err := v.substitutionsAt(ctx, limits, revision)
	if err != nil {
		return nil, false, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(s substitution) bool { return s.dir != place && !survey.Under(s.dir, place) })
	some := slices.ContainsFunc(list, func(s substitution) bool { return !s.isNew })
	innermost := ""
	for _, s := range list {
		if !(some && s.isNew) && len(s.dir) > len(innermost) {
			innermost = s.dir
		}
	}
	whole = true
	for _, s := range list {
		if s.dir != innermost && !(some && s.isNew) {
			continue
		}
		if values == nil {
			values = s.values
		}
		whole = whole && s.whole && maps.Equal(s.values, values)
		values = maps.Clone(values)
		maps.DeleteFunc(values, func(name, value string) bool { other, ok := s.values[name]; return !ok || other != value })
	}
	return values, whole, nil
}

// substitutionsAt are those at a revision. What the change adds counts as new, since it may be
// something that nothing applies.
func (v *Variables) substitutionsAt(ctx context.Context, limits manifest.Limits, revision string) ([]substitution, error) {
	if list, known := v.at[revision]; known {
		return list, nil
	}
	if v.start != "" && v.known == nil && revision != v.start {
		if _, err := v.substitutionsAt(ctx, limits, v.start); err != nil {
			return nil, err
		}
	}
	files, err := v.read(ctx, limits, revision)
	if err != nil {
		return nil, err
	}
	list, seen := v.substitutions(files)
	if v.at[revision] = list; revision == v.start {
		v.known = seen
	}
	return list, nil
}

// read are the manifests of the repository, by their paths from its top.
func (v *Variables) read(ctx context.Context, limits manifest.Limits, revision string) (files []manifest.File, err error) {
	if revision != "" {
		at, err := system.RevisionAt(ctx, limits, revision, v.directory)
		if err != nil {
			return nil, err
		}
		names := slices.DeleteFunc(slices.Clone(at.Paths()), func(name string) bool { return !manifest.IsManifest(name) })
		at.Load(names)
		for _, name := range names {
			if text, ok := at.Read(name); ok {
				files = append(files, manifest.File{Name: name, Data: text})
			}
		}
		return files, nil
	}
	top := disk.Repository(v.directory)
	err = filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && file != top && survey.Passed(d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() && manifest.IsManifest(file) && len(files) < survey.Most:
			if text, err := disk.ReadFile(file); err == nil {
				rel, _ := filepath.Rel(top, file)
				files = append(files, manifest.File{Name: filepath.ToSlash(rel), Data: text})
			}
		}
		return nil
	})
	return files, err
}

// substitutions are those of the Kustomizations in files. seen counts these and the objects with
// values.
func (v *Variables) substitutions(files []manifest.File) (list []substitution, seen map[string]int) {
	var posts []*flux.PostBuild
	var from []*manifest.Object
	names := map[string]bool{}
	seen = map[string]int{}
	see := func(o *manifest.Object) {
		seen[whatIs(o)]++
		seen[whereIs(o)]++
	}
	for _, o := range objectsWith(files, flux.Group) {
		if p := flux.ReadPostBuild(o); p != nil {
			posts, from = append(posts, p), append(from, o)
			see(o)
			for _, source := range p.From {
				names[source.Name] = true
			}
		}
	}
	sources := map[flux.ValuesFrom][]*manifest.Object{}
	for _, o := range objectsWith(files, slices.Sorted(maps.Keys(names))...) {
		is := flux.ValuesFrom{Kind: o.Kind.GroupKind(), Name: o.Name}
		if names[is.Name] && (is.Kind == "ConfigMap" || is.Kind == "Secret") {
			sources[is] = append(sources[is], o)
			see(o)
		}
	}
	isNew := func(o *manifest.Object) bool {
		return v.known != nil && v.known[whereIs(o)] == 0 && seen[whatIs(o)] > v.known[whatIs(o)] // else it was moved
	}
	for i, p := range posts {
		s := substitution{dir: path.Join(".", p.Path), values: map[string]string{}, whole: true, isNew: isNew(from[i])}
		for _, source := range p.From {
			if len(sources[source]) == 0 { // it has others, as far as the repository tells
				s.whole = false
				continue
			}
			o := nearest(sources[source], from[i].Origin.File, p.Namespace)
			if before := nearest(slices.DeleteFunc(slices.Clone(sources[source]), isNew), from[i].Origin.File, p.Namespace); o == nil || before != nil && before != o {
				clear(s.values) // which it may have, too
				s.whole = false
				continue
			}
			s.whole = v.take(s.values, o) && s.whole
		}
		for name, value := range p.Inline {
			if s.values[name] = value; strings.Contains(value, "${") { // which another Kustomization substitutes
				delete(s.values, name)
				s.whole = false
			}
		}
		list = append(list, s)
	}
	return list, seen
}

// whatIs is a text for an object with the directory that it is about, and whereIs for one in its
// file.
func whatIs(o *manifest.Object) string {
	return o.ID().String() + " " + tree.String(o.Tree, "spec", "path")
}
func whereIs(o *manifest.Object) string { return o.Origin.File + " " + whatIs(o) }

// take adds the values of a ConfigMap or Secret, and reports whether all can be read.
func (v *Variables) take(values map[string]string, o *manifest.Object) (all bool) {
	texts := tree.Map(o.Tree, "data")
	if o.Kind.Kind == "Secret" {
		texts = secretTexts(o.Tree)
		v.secrets = append(v.secrets, o)
	}
	all = true
	for key, value := range texts {
		text, ok := value.(string)
		if ok = ok && !strings.HasPrefix(text, "ENC[") && !strings.Contains(text, "${"); !ok {
			delete(values, key)
			all = false
			continue
		}
		values[key] = strings.ReplaceAll(text, "\n", "") // as the controller does
	}
	return all
}

// secretTexts are the values of a Secret as text.
func secretTexts(secret tree.Object) tree.Object {
	texts := tree.Object{}
	for key, value := range tree.Map(secret, "data") {
		texts[key] = value
		if text, err := base64.StdEncoding.DecodeString(tree.String(value)); err == nil {
			texts[key] = string(text)
		}
	}
	maps.Copy(texts, tree.Map(secret, "stringData"))
	return texts
}

// nearest is the object that stands nearest to a file, of those that may be in a namespace; nil
// if several do.
func nearest(list []*manifest.Object, file, namespace string) (found *manifest.Object) {
	best := -1
	for _, o := range list {
		if o.Namespace != "" && namespace != "" && o.Namespace != namespace {
			continue
		}
		common := 0
		for common < min(len(file), len(o.Origin.File)) && file[common] == o.Origin.File[common] {
			common++
		}
		switch common = strings.LastIndexByte(file[:common], '/'); {
		case found == nil || common > best:
			found, best = o, common
		case common == best:
			found = nil
			best++
		}
	}
	return found
}

// objectsWith are the objects of the files that have one of the texts.
func objectsWith(files []manifest.File, texts ...string) []*manifest.Object {
	has := slices.DeleteFunc(slices.Clone(files), func(f manifest.File) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(f.Data, []byte(text)) })
	})
	return manifest.ReadFiles(has, manifest.Limits{}).Objects
}
