package survey

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"threeway/merge/manifest"
)

// Environment is a set of manifests of its own, by the name of its directories.
type Environment struct {
	Name string
	// Paths are the directories, and the files of what is in no environment.
	Paths []string
}

// rest is the name of what is in no environment.
const rest = "the rest"

// Divide returns the environments of the manifests of surveys, which are of the same directory
// at different times; none if there is one set. What is in no environment is one of its own.
func (s *Survey) Divide(also ...*Survey) []Environment {
	var manifests, apart []string
	for _, one := range append([]*Survey{s}, also...) {
		apart = append(apart, one.apart()...)
		manifests = append(manifests, one.Manifests...)
	}
	slices.Sort(manifests)
	return placed(s.DivideFiles(slices.Compact(manifests), also...), apart)
}

// DivideExports returns the clusters of the snapshots, by the names of their directories or
// files; none unless each is the name of an environment or of an overlay: several exports of one
// cluster have other names.
func (s *Survey) DivideExports() []Environment {
	list := divided(s.Snapshots, s.environments(s.Snapshots))
	var names []string
	for _, e := range s.Divide() {
		names = append(names, e.Name)
	}
	for _, dir := range s.Overlays {
		names = append(names, path.Base(dir))
	}
	if slices.ContainsFunc(list, func(e Environment) bool { return e.Name == rest || !slices.Contains(names, e.Name) }) {
		return nil
	}
	return placed(list, slices.Concat(s.Manifests, s.Parts, s.otherPaths()))
}

// placed are environments of files with their places, which have none of the other files.
func placed(list []Environment, apart []string) (places []Environment) {
	for i, e := range list {
		others := slices.Clone(apart)
		for j, other := range list {
			if i != j {
				others = append(others, other.Paths...)
			}
		}
		places = append(places, Environment{e.Name, Places(e.Paths, others)})
	}
	return places
}

// DivideFiles returns the environments of files, as Divide does, with each file.
func (s *Survey) DivideFiles(chosen []string, also ...*Survey) (list []Environment) {
	names := map[string]string{} // by path
	for _, one := range slices.Backward(append([]*Survey{s}, also...)) {
		maps.Copy(names, one.alternatives)
	}
	list = divided(chosen, names)
	for _, before := range also {
		list = renamed(list, s, before)
	}
	return list
}

// renamed joins an environment that is gone with one that is new and has its objects.
func renamed(list []Environment, now, before *Survey) []Environment {
	missing := func(e Environment, s *Survey) bool {
		return e.Name != rest && !slices.ContainsFunc(e.Paths, func(file string) bool { return s.found[filepath.ToSlash(file)] != nil })
	}
	objects := func(e Environment, s *Survey) map[manifest.Identity]bool {
		all := map[manifest.Identity]bool{}
		for _, file := range e.Paths {
			if f := s.found[filepath.ToSlash(file)]; f != nil {
				for _, id := range f.ids {
					all[id] = true
				}
			}
		}
		return all
	}
	for i := range list {
		if !missing(list[i], before) {
			continue
		}
		has := objects(list[i], now)
		gone := slices.IndexFunc(list, func(e Environment) bool {
			if !missing(e, now) {
				return false
			}
			for id := range objects(e, before) {
				if !has[id] {
					return false
				}
			}
			return true
		})
		if gone >= 0 {
			list[i].Paths = append(list[i].Paths, list[gone].Paths...)
			return renamed(slices.Delete(list, gone, gone+1), now, before)
		}
	}
	return list
}

// divided are the environments of files, by the names of paths.
func divided(chosen []string, names map[string]string) (list []Environment) {
	if len(names) == 0 {
		return nil
	}
	ofFiles := map[string]bool{} // directories with the names that files in them make
	for at, name := range names {
		if !strings.HasSuffix(at, "/") {
			ofFiles[path.Dir(at)+"/"+name] = true
		}
	}
	files := map[string][]string{} // by environment
	for _, file := range chosen {
		name := environmentOf(filepath.ToSlash(file), names, ofFiles)
		files[name] = append(files[name], file)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != "" {
			list = append(list, Environment{name, files[name]})
		}
	}
	if files[""] != nil {
		list = append(list, Environment{rest, files[""]})
	}
	return list
}

// Assumed says which environments a survey has found; "" if there are none.
func Assumed(list []Environment) string {
	var named []string
	for _, e := range list {
		if e.Name != rest {
			named = append(named, e.Name+" ("+some(e.Paths)+")")
		}
	}
	if named == nil {
		return ""
	}
	return "the same objects are defined in several places, which are checked separately, as environments: " + some(named) + "; if they are applied together, list them under manifests in .threeway.yaml"
}

// some are the first of a list.
func some(list []string) string {
	const most = 6
	if len(list) > most {
		list = append(list[:most:most], "…")
	}
	return strings.Join(list, ", ")
}

// Made says which directories and files make environments, and did not before; "" if none.
func (s *Survey) Made(before *Survey) string {
	var made []string
	for name := range s.alternatives {
		if before.alternatives[name] == "" {
			made = append(made, name)
		}
	}
	if made == nil {
		return ""
	}
	slices.Sort(made)
	return "the change defines the same objects in several places, which are checked separately, as environments: " + some(made)
}

// environmentOf is the environment of a file, named by each directory and the file that make
// some; "" if it is in none. A file that makes none has the name that another one of its
// directory has: web-prod.yaml and web-dev.yaml make jobs-prod.yaml one of prod.
func environmentOf(file string, names map[string]string, ofFiles map[string]bool) string {
	var parts []string
	for i, c := range file {
		if name := names[file[:i+1]]; c == '/' && name != "" {
			parts = append(parts, name)
		}
	}
	if name := names[file]; name != "" {
		return strings.Join(append(parts, name), "/")
	}
	var found []string
	for its, i := words(file), 0; i < len(its); i++ {
		for j := i + 1; j <= len(its); j++ {
			if name := strings.Join(its[i:j], "-"); ofFiles[path.Dir(file)+"/"+name] {
				found = append(found, name)
			}
		}
	}
	if len(found) == 1 { // else it is of one as much as of the other
		parts = append(parts, found[0])
	}
	return strings.Join(parts, "/")
}

// environments finds what of some files defines the same objects, and so is applied to different
// clusters or namespaces, by path: directories beside each other, one below the files of another, and files
// of a directory whose names differ in one part. They do, if at least half of the objects of the
// smaller one are in the other: a Namespace that each application declares makes none.
func (s *Survey) environments(of []string) map[string]string {
	defines := map[string]map[manifest.Identity]bool{} // by file, and by directory with all that is below
	in := map[manifest.Identity][]string{}             // the files
	for _, name := range of {
		for _, id := range s.found[name].ids {
			if id.Kind == "Namespace" && id.Group == "" || id.Name == "" {
				continue
			}
			if !slices.Contains(in[id], name) {
				in[id] = append(in[id], name)
			}
			for at := name; ; at = path.Dir(at) {
				if defines[at] == nil {
					defines[at] = map[manifest.Identity]bool{}
				}
				defines[at][id] = true
				if at == path.Dir(at) {
					break
				}
			}
		}
	}
	type pair struct{ a, b string }
	shared, beside := map[pair]int{}, map[string]int{}
	for _, files := range in {
		seen, together := map[pair]bool{}, map[string][]string{}
		for i, file := range files {
			together[path.Dir(file)] = append(together[path.Dir(file)], file)
			for _, other := range files[:min(i, mostCopies)] {
				if a, b := siblings(file, other); b != "" && !seen[pair{a, b}] {
					seen[pair{a, b}] = true
					shared[pair{a, b}]++
				}
			}
		}
		for _, group := range together {
			if len(group) > 1 {
				beside[strings.Join(group, "\n")]++
			}
		}
	}
	names := map[string]string{}
	for both, n := range shared {
		least := len(defines[both.b])
		if both.a != "" {
			least = min(least, len(defines[both.a]))
			if n*2 >= least {
				names[both.a+"/"] = path.Base(both.a)
			}
		}
		if n*2 >= least {
			names[both.b+"/"] = path.Base(both.b)
		}
	}
	// A file that is in several groups has its name of the largest one.
	groups := slices.SortedFunc(maps.Keys(beside), func(a, b string) int {
		return cmp.Or(strings.Count(b, "\n")-strings.Count(a, "\n"), strings.Compare(a, b))
	})
	for _, key := range groups {
		group := strings.Split(key, "\n")
		sizes := make([]int, len(group))
		for i, file := range group {
			sizes[i] = len(defines[file])
		}
		differ, alike := differing(group)
		n := beside[key] * 2
		several := func(name string) bool { return strings.Contains(name, "-") }
		if n < slices.Min(sizes) || alike == 0 && (n <= slices.Max(sizes) || slices.ContainsFunc(differ, several)) {
			continue // names of one word that have no part in common must have more than one object of two
		}
		for i, file := range group {
			if names[file] == "" && differ[i] != "" {
				names[file] = differ[i]
			}
		}
	}
	return names
}

// mostCopies is with how many other definitions of an object each is compared: more
// environments than that are found by the others that they share it with.
const mostCopies = 16

// siblings are the directories beside each other that two files are below, the first in order
// first; a is "" if one of the files is in a directory above b, which has the other one, and
// both are if the files are in one directory.
func siblings(file, other string) (a, b string) {
	one, two := strings.Split(file, "/"), strings.Split(other, "/")
	one, two = one[:len(one)-1], two[:len(two)-1]
	if len(one) > len(two) {
		one, two = two, one
	}
	for i := range two {
		switch below := strings.Join(two[:i+1], "/"); {
		case i == len(one):
			return "", below
		case one[i] != two[i]:
			a = strings.Join(one[:i+1], "/")
			return min(a, below), max(a, below)
		}
	}
	return "", ""
}

// differing are the parts in which the names of files of a directory differ, "" for one that is
// what the others begin and end with; alike is how many words are the same.
func differing(files []string) (differ []string, alike int) {
	names := make([][]string, len(files))
	for i, file := range files {
		names[i] = words(file)
	}
	least := slices.MinFunc(names, func(a, b []string) int { return len(a) - len(b) })
	before, behind := 0, 0
	same := func(at func(name []string) string) bool {
		return !slices.ContainsFunc(names, func(name []string) bool { return at(name) != at(least) })
	}
	for before < len(least) && same(func(name []string) string { return name[before] }) {
		before++
	}
	for before+behind < len(least) && same(func(name []string) string { return name[len(name)-1-behind] }) {
		behind++
	}
	for _, name := range names {
		differ = append(differ, strings.Join(name[before:len(name)-behind], "-"))
	}
	if distinct := slices.Sorted(slices.Values(differ)); len(slices.Compact(distinct)) < len(files) { // only the endings tell them apart
		for i, file := range files {
			differ[i] = strings.TrimPrefix(path.Ext(file), ".")
		}
		return differ, len(least)
	}
	return differ, before + behind
}

// words are the parts of the name of a file, without its ending.
func words(file string) []string {
	name := path.Base(file)
	return strings.FieldsFunc(strings.TrimSuffix(name, path.Ext(name)), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
