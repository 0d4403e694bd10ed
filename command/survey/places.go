package survey

import (
	"path"
	"slices"
	"strings"

	"threeway/command/kustomize"
)

// Places are where the manifests are.
func (s *Survey) Places() []string { return Places(s.Manifests, s.apart()) }

// apart are the files that are applied, and are no manifests, or say how.
func (s *Survey) apart() []string {
	return slices.Concat(s.Snapshots, s.schemas, s.Parts, s.Kustomizations())
}

// Kustomizations are the files that kustomizations are made of, with those that may make the
// directories with one such.
func (s *Survey) Kustomizations() (list []string) {
	for _, part := range s.Parts {
		if !strings.HasSuffix(part, "/") {
			list = append(list, part)
		}
	}
	for _, dir := range s.Kustomized {
		for _, name := range kustomize.FileNames {
			list = append(list, path.Join(dir, name))
		}
	}
	return list
}

// Passed are the names of the files and directories below some that are not looked at.
func (s *Survey) Passed(below []string) (names []string) {
	for _, p := range s.passed {
		if name := path.Base(p); !slices.Contains(names, name) && slices.ContainsFunc(below, func(dir string) bool { return strings.HasSuffix(dir, "/") && strings.HasPrefix(p, dir) }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Exports are where the snapshots are.
func (s *Survey) Exports() []string {
	return Places(s.Snapshots, slices.Concat(s.Manifests, s.Parts, s.otherPaths()))
}

// Schemas are where the schemas of custom kinds are.
func (s *Survey) Schemas() []string {
	return Places(s.schemas, slices.Concat(s.Manifests, s.Snapshots, s.Parts, s.Kustomizations(), s.otherPaths()))
}

// NotManifests are the files that are not read where the directory is.
func (s *Survey) NotManifests() []string {
	return slices.Concat(s.Snapshots, s.schemas, s.Parts, s.otherPaths(), s.passed, s.Kustomizations())
}

// Leaves returns a function that says why a file is left out of the manifests, as a clause; "" if it is
// none that may be one.
func (s *Survey) Leaves() func(file string) string {
	why := map[string]string{}
	for _, p := range s.passed {
		why[p] = "no manifests are looked for there"
	}
	for _, file := range s.Snapshots {
		why[file] = "it counts as a snapshot"
	}
	return func(file string) string {
		for at := file; ; at = path.Dir(at) {
			if why[at] != "" || at == "." || at == "/" {
				return why[at]
			}
		}
	}
}

// otherPaths are the files that hold nothing to judge.
func (s *Survey) otherPaths() (list []string) {
	for _, o := range s.Others {
		list = append(list, o.Path)
	}
	return list
}

// Places names files by the directories that have them and none of the others: the
// innermost ones, or files where there is none.
func Places(files, others []string) []string {
	mixed := map[string]bool{} // the directories that have others
	for _, other := range others {
		for i, c := range other {
			if c == '/' {
				mixed[other[:i+1]] = true
			}
		}
	}
	outermost := func(file string) string {
		for i, c := range file {
			if dir := file[:i+1]; c == '/' && !mixed[dir] {
				return dir
			}
		}
		return file
	}
	common := map[string]string{} // by the outermost directory
	for _, file := range files {
		top, dir := outermost(file), path.Dir(file)+"/"
		before, ok := common[top]
		for ok && !strings.HasPrefix(dir, before) {
			before = path.Dir(strings.TrimSuffix(before, "/")) + "/"
		}
		if common[top] = before; !ok {
			common[top] = dir
		}
	}
	var list []string
	for _, file := range files {
		place := outermost(file)
		if place != file {
			place = common[place]
		}
		if !slices.Contains(list, place) {
			list = append(list, place)
		}
	}
	return list
}
