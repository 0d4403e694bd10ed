package survey

import (
	"path"
	"slices"
	"strings"
	"threeway/command/kustomize"
)

// Places are where the manifests are.
func (s *Survey) Places() []string {
	return Places(s.Manifests, slices.Concat(s.Snapshots, s.Parts))
}

// Exports are where the snapshots are.
func (s *Survey) Exports() []string {
	return Places(s.Snapshots, slices.Concat(s.Manifests, s.Parts, s.otherPaths()))
}

// NotManifests are the files that are not read where the directory is.
func (s *Survey) NotManifests() []string {
	list := slices.Concat(s.Snapshots, s.Parts, s.otherPaths(), s.passed)
	for _, dir := range s.Kustomized {
		for _, name := range kustomize.FileNames {
			list = append(list, path.Join(dir, name))
		}
	}
	return list
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
	outermost := func(file string) string {
		for i, c := range file {
			if dir := file[:i+1]; c == '/' && !slices.ContainsFunc(others, func(other string) bool { return strings.HasPrefix(other, dir) }) {
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
