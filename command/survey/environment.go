package survey

import (
	"maps"
	"path"
	"slices"
	"strings"

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
func (s *Survey) Divide(also ...*Survey) (list []Environment) {
	names, seen := map[string]string{}, map[string]bool{} // by directory, and by file
	var manifests, apart []string
	for _, one := range append([]*Survey{s}, also...) {
		for name, found := range one.siblings {
			for _, dir := range found {
				names[dir] = name
			}
		}
		apart = append(apart, one.apart()...)
		for _, file := range one.Manifests {
			if !seen[file] {
				seen[file], manifests = true, append(manifests, file)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	files := map[string][]string{} // by environment
	for _, file := range manifests {
		name, dir := rest, path.Dir(file)
		for ; dir != path.Dir(dir) && names[dir+"/"] == ""; dir = path.Dir(dir) {
		}
		if of := names[dir+"/"]; of != "" {
			name = of
		}
		files[name] = append(files[name], file)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != rest {
			list = append(list, Environment{name, placesIn(files, name, apart)})
		}
	}
	if files[rest] != nil {
		list = append(list, Environment{rest, placesIn(files, rest, apart)})
	}
	return list
}

// placesIn are the places of the files of one environment, without those of the others.
func placesIn(files map[string][]string, name string, apart []string) []string {
	others := slices.Clone(apart)
	for other, list := range files {
		if other != name {
			others = append(others, list...)
		}
	}
	return Places(files[name], others)
}

// environments finds directories beside each other that define the same objects, and so are
// applied to different clusters or namespaces, by their names. Two are, if at least half of
// the objects of the smaller one are in the other: a Namespace that each application declares
// makes none.
func (s *Survey) environments() map[string][]string {
	defines := map[string]map[manifest.Identity]bool{} // by directory, with all that is below
	in := map[manifest.Identity][]string{}             // the files
	for _, name := range s.Manifests {
		for _, id := range s.found[name].ids {
			if id.Kind == "Namespace" && id.Group == "" || id.Name == "" {
				continue
			}
			if !slices.Contains(in[id], name) {
				in[id] = append(in[id], name)
			}
			for dir := path.Dir(name); ; dir = path.Dir(dir) {
				if defines[dir] == nil {
					defines[dir] = map[manifest.Identity]bool{}
				}
				defines[dir][id] = true
				if dir == path.Dir(dir) {
					break
				}
			}
		}
	}
	type pair struct{ a, b string }
	shared := map[pair]int{}
	for _, files := range in {
		seen := map[pair]bool{}
		for i, file := range files {
			for _, other := range files[:min(i, mostCopies)] {
				if a, b, ok := siblings(file, other); ok && !seen[pair{a, b}] {
					seen[pair{a, b}] = true
					shared[pair{a, b}]++
				}
			}
		}
	}
	byName := map[string][]string{}
	for both, n := range shared {
		if n*2 < min(len(defines[both.a]), len(defines[both.b])) {
			continue
		}
		for _, dir := range []string{both.a, both.b} {
			if name := path.Base(dir); !slices.Contains(byName[name], dir+"/") {
				byName[name] = append(byName[name], dir+"/")
			}
		}
	}
	return byName
}

// mostCopies is with how many other definitions of an object each is compared: more
// environments than that are found by the others that they share it with.
const mostCopies = 16

// siblings are the directories beside each other that two files are below, the first in order
// first; ok is false if one of the files is in a directory above the other.
func siblings(file, other string) (a, b string, ok bool) {
	one, two := strings.Split(file, "/"), strings.Split(other, "/")
	one, two = one[:len(one)-1], two[:len(two)-1]
	for i := range min(len(one), len(two)) {
		if one[i] != two[i] {
			a, b = strings.Join(one[:i+1], "/"), strings.Join(two[:i+1], "/")
			return min(a, b), max(a, b), true
		}
	}
	return "", "", false
}
