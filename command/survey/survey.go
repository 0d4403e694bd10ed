// Package survey looks at the files below a directory once, decodes each, and says of each
// what it is: manifests that kubectl would apply, live objects, a part of a kustomization or
// of a chart, or something else. It also finds the environments of a repository.
package survey

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// Survey is what is below a directory. Paths have slashes, and are as the files are named.
type Survey struct {
	// Roots are the directories that were named.
	Roots                []string
	Manifests, Snapshots []string
	// Overlays are the kustomizations that no other one is made of, and Charts the
	// directories of Helm charts.
	Overlays, Charts []string
	// Kustomized are all directories with a kustomization.
	Kustomized []string
	// Parts are the files that kustomizations are made of, and the charts, with a slash.
	Parts []string
	// Others are the YAML and JSON files that are none of these.
	Others []Other
	// Partial: there are more files than a survey looks at.
	Partial bool
	// Unread are the directories that cannot be read.
	Unread []string

	// objects are the manifests and the parts of kustomizations and charts that hold objects.
	objects map[string]bool
	found   map[string]*file
	// schemas are the files of a catalog, whose names tell a custom kind, and crds/ of charts.
	schemas []string
	// passed are the files and directories that are not looked at by their names.
	passed []string
	// alternatives are the names of the directories, with a slash, and of the files that define
	// the same objects, by path.
	alternatives map[string]string
}

// Other is a file that holds nothing to judge.
type Other struct {
	Path string
	// What it is, with an article: a configuration of eksctl.
	What string
}

// Most is how many files a survey decodes: a home directory must not take minutes.
const Most = 20_000

// Look surveys the files below directories of the disk, without hidden directories, those of
// dependencies and test data; a root may be a file. tracked reports whether git's index has a
// file, and excluded whether a file or a directory is left out; nil leaves out none. from are the
// files of the disk.
func Look(from kustomize.Files, limits manifest.Limits, tracked, excluded func(file string) bool, roots ...string) (*Survey, error) {
	if excluded == nil {
		excluded = func(string) bool { return false }
	}
	var files, passed, unread []string
	partial := false
	for _, root := range roots {
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && file == root:
				return err
			case err != nil:
				unread = append(unread, filepath.ToSlash(file))
			case d.IsDir() && file != root && (Passed(d.Name()) || excluded(file)):
				passed = append(passed, filepath.ToSlash(file))
				return fs.SkipDir
			case file != root && !d.IsDir() && (strings.HasPrefix(d.Name(), ".") && manifest.IsManifest(file) || excluded(file)):
				passed = append(passed, filepath.ToSlash(file))
			case len(files) == Most:
				partial = true
				return fs.SkipAll
			case holds(d.Name()) && isFile(file, d) || file == root && !d.IsDir() && manifest.IsManifest(file):
				files = append(files, filepath.ToSlash(file))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	s := of(from, files, tracked, func(i int) *file {
		return decoded(reading(filepath.FromSlash(files[i]), limits))
	}, limits)
	s.Roots, s.Partial, s.Unread, s.passed = roots, partial, unread, passed
	return s, nil
}

// isFile reports whether an entry is a file, or a link to one.
func isFile(file string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// Of surveys files that are not on the disk, as at a revision of git. A file is not decoded
// again if now, a survey of the disk, has it with the same text.
func Of(from kustomize.Files, files []string, limits manifest.Limits, now *Survey) *Survey {
	var passed []string
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool {
		hidden := slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return dir != "." && dir != ".." && Passed(dir) })
		if !hidden && holds(path.Base(name)) {
			return false
		}
		if manifest.IsManifest(name) {
			passed = append(passed, name)
		}
		return true
	})
	s := of(from, files, func(string) bool { return true }, func(i int) *file {
		text, _ := from.Read(files[i])
		if f := now.found[files[i]]; f != nil {
			if here, err := disk.ReadFile(files[i]); err == nil && bytes.Equal(here, text) {
				return f
			}
		}
		return decoded(manifest.Options{Paths: []string{files[i]}, Limits: limits, From: func(name string) ([]manifest.File, bool, error) {
			return []manifest.File{{Name: name, Data: text}}, true, nil
		}})
	}, limits)
	s.passed = passed
	return s
}

// holds reports whether a file may hold objects, or makes its directory a chart or a
// kustomization.
func holds(name string) bool {
	return slices.Contains(kustomize.FileNames, name) || !Passed(name) && manifest.IsManifest(name)
}

// Passed reports whether a directory holds no manifests of the project.
func Passed(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "vendor", "testdata"}, name)
}

func of(from kustomize.Files, files []string, tracked func(file string) bool, decode func(i int) *file, limits manifest.Limits) *Survey {
	from = kustomize.Remember(from)
	s := &Survey{objects: map[string]bool{}, found: map[string]*file{}}
	decodes := make([]*file, len(files))
	limits.Cores.Do(len(files), func(i int) {
		if name := path.Base(files[i]); name != chartFile && !slices.Contains(kustomize.FileNames, name) {
			decodes[i] = decode(i)
		}
	})
	for i, name := range files {
		switch f := decodes[i]; {
		case path.Base(name) == chartFile:
			s.Charts = append(s.Charts, path.Dir(name))
		case f == nil:
			s.Kustomized = append(s.Kustomized, path.Dir(name))
		default:
			s.found[name] = f
		}
	}
	s.Overlays, s.Parts = Overlays(from, s.Kustomized)
	for _, dir := range s.Charts {
		s.Parts = append(s.Parts, dir+"/")
	}
	s.sort(files, tracked)
	s.leaveUnnamed(from)
	s.alternatives = s.environments(s.Manifests)
	return s
}

// sort puts each file where it belongs.
func (s *Survey) sort(files []string, tracked func(file string) bool) {
	parts := map[string]bool{}
	for _, name := range s.Parts {
		parts[name] = true
	}
	elsewhere := map[manifest.Identity]bool{}
	for _, f := range s.found {
		if !f.stored && !f.exported {
			for _, id := range f.ids {
				elsewhere[id] = true
			}
		}
	}
	for _, name := range files {
		f := s.found[name]
		switch {
		case f == nil:
		case f.exported && (!tracked(name) || slices.ContainsFunc(f.ids, func(id manifest.Identity) bool { return elsewhere[id] }) || f.isList()),
			f.stored && (elsewhere[f.ids[0]] || !tracked(name)):
			s.Snapshots = append(s.Snapshots, name)
		case f.other == Schema:
			s.schemas = append(s.schemas, name)
		case f.other == "":
			s.objects[name] = true
			switch inChart := s.inChart(name); {
			case inChart && strings.Contains(name, "/crds/"):
				s.schemas = append(s.schemas, name)
			case !parts[name] && !inChart:
				s.Manifests = append(s.Manifests, name)
			}
		case !parts[name] && !s.inChart(name):
			s.Others = append(s.Others, Other{name, f.other})
		}
	}
}

// Unnamed is what a file is beside a kustomization that does not name it: neither kubectl apply -k,
// Flux nor Argo CD applies it.
const Unnamed = "beside a kustomization that does not name it"

// leaveUnnamed takes what no kustomization names out of the manifests, beside one that can be read.
func (s *Survey) leaveUnnamed(from kustomize.Files) {
	names := map[string]bool{} // by directory, of those that have manifests that none names
	s.Manifests = slices.DeleteFunc(s.Manifests, func(name string) bool {
		dir := path.Dir(name)
		if _, seen := names[dir]; !seen {
			names[dir] = Names(from, dir)
		}
		if names[dir] {
			s.Others = append(s.Others, Other{name, Unnamed})
		}
		return names[dir]
	})
}

// Names reports whether a directory has a kustomization that names files, or cannot be read.
func Names(from kustomize.Files, dir string) bool {
	if kustomize.FileIn(from, dir) == "" {
		return false
	}
	k := kustomize.Read(from, dir)
	return k.Broken != "" || len(k.Names()) > 1
}

// CountUnnamed adds what no kustomization names to the manifests, but for that in some
// directories.
func (s *Survey) CountUnnamed(but []string) {
	s.Others = slices.DeleteFunc(s.Others, func(o Other) bool {
		counts := o.What == Unnamed && !slices.Contains(but, path.Dir(o.Path))
		if counts {
			s.Manifests = append(s.Manifests, o.Path)
		}
		return counts
	})
	slices.Sort(s.Manifests)
}

// chartFile makes a directory a Helm chart.
const chartFile = "Chart.yaml"

// inChart reports whether a file is in a Helm chart.
func (s *Survey) inChart(file string) bool {
	return slices.ContainsFunc(s.Charts, func(dir string) bool { return Under(dir, file) })
}

// Templates are the files of objects that a program renders, and that are in no chart.
func (s *Survey) Templates() (list []string) {
	for _, o := range s.Others {
		if text, err := disk.ReadFile(filepath.FromSlash(o.Path)); o.What == Template && err == nil && begins.Match(text) {
			list = append(list, o.Path)
		}
	}
	return list
}

// HasObjects reports whether a file has objects that are not live, whatever names it.
func (s *Survey) HasObjects(file string) bool { return s.objects[file] }

// Under reports whether a file is below a directory; both have slashes.
func Under(dir, file string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }

// Overlays are those of the directories with a kustomization that are applied: that no
// other one is made of, and that are no component. named are the files that all are made
// of.
func Overlays(from kustomize.Files, dirs []string) (overlays, named []string) {
	under, files := map[string]bool{}, map[string]bool{}
	for _, dir := range dirs {
		k := kustomize.Read(from, filepath.ToSlash(dir))
		for _, r := range k.Roots {
			under[r.Dir] = under[r.Dir] || r.Dir != k.Dir || r.IsComponent()
		}
		for _, name := range k.Names() {
			files[name] = true
		}
	}
	overlays = slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return under[path.Clean(filepath.ToSlash(dir))] })
	return overlays, slices.Sorted(maps.Keys(files))
}
