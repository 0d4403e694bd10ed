package request

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// KustomizationFiles are the names of the file that makes a directory one for -k.
var KustomizationFiles = kustomize.FileNames

// KustomizationOf is the directory of the kustomization that a value of -f names,
// by the directory or the file; "" if it names none.
func KustomizationOf(path string) string {
	if slices.Contains(KustomizationFiles, filepath.Base(path)) && system.IsRegular(path) {
		return filepath.Dir(path)
	}
	for _, name := range KustomizationFiles {
		if system.IsRegular(filepath.Join(path, name)) {
			return filepath.Clean(path)
		}
	}
	return ""
}

// ChartOf is the directory of the Helm chart that a value of -f names: by the
// directory, its Chart.yaml, or the templates in it; "" if it names none.
func ChartOf(path string) string {
	path = filepath.Clean(path)
	for _, dir := range []string{path, filepath.Dir(path)} {
		inside := dir == path || slices.Contains([]string{"Chart.yaml", "templates"}, filepath.Base(path))
		if inside && system.IsRegular(filepath.Join(dir, "Chart.yaml")) {
			return dir
		}
	}
	return ""
}

// fromSettings takes the manifests of the settings, of which paths choose some, or else
// the paths. Where other files are skipped, and where the settings have overlays, a file
// that a kustomization names stands for the overlays that are made of it.
func (v *Resolver) fromSettings(m *Manifests, paths []string) error {
	overlays := FromHere(v.file, v.file.Kustomize)
	if !v.has("kustomize") {
		overlays = nil
	}
	if all := v.file.AllManifests(); len(overlays)+len(all) > 0 {
		m.Files, m.Recursive, m.Kustomize = FromHere(v.file, all), len(all) > 0, overlays
		said := FromHere(v.file, v.file.Manifests)
		for _, e := range v.file.Environments {
			e.Paths = FromHere(v.file, e.Paths)
			m.Environments = append(m.Environments, e)
			said = append(said, e.Name+"="+strings.Join(e.Paths, " "))
		}
		if len(said) > 0 {
			v.goBy("manifests", said...)
		}
		if len(overlays) > 0 {
			v.goBy("kustomize", overlays...)
			m.patterns = overlays
		}
		if len(paths) > 0 && len(overlays) > 0 {
			given := paths
			m.Kustomize, paths = OverlaysOf(paths, Expanded(overlays))
			for _, p := range given {
				if !slices.Contains(paths, p) && m.besideOverlays(p) {
					paths = append(paths, p)
				}
			}
			if len(paths) == 0 {
				m.Files = nil
			}
		}
		if m.Chosen = paths; len(m.Files) > 0 || len(paths) == 0 {
			m.choose(paths)
			return nil
		}
		m.Chosen = nil
	}
	if m.SkipOtherFiles {
		m.Kustomize, paths = OverlaysOf(paths, nil)
		m.leaveUnrendered()
	}
	if len(paths) == 0 && v.looksAround(m) {
		paths = []string{"."}
	}
	if v.oldAndNew(paths) {
		m.Old, paths = paths[0], paths[1:]
	}
	m.Files, m.PathsAreSet = paths, len(paths)+len(m.Kustomize)+len(m.Unrendered) > 0
	if m.SkipOtherFiles {
		return nil
	}
	return v.surveyed(m, paths)
}

// Misnamed is what people call the file of the settings.
const Misnamed = ".threeway.yml"

// looksAround reports whether a command that names no manifests looks at those of the working
// directory, as a bare run does. Another applier may bring its own.
func (v *Resolver) looksAround(m *Manifests) bool {
	others := v.has("applier") && (v.IsSet("applier") || v.file.Applier != "")
	return slices.Contains([]string{"review", "lint"}, v.Command.Name) && !others && !m.SkipOtherFiles && (v.file.File != "" || !system.IsRegular(Misnamed))
}

// besideOverlays reports whether a directory may have manifests besides its overlays.
func (m *Manifests) besideOverlays(dir string) bool {
	return (disk.Files{}).IsDir(filepath.ToSlash(dir)) && !system.WithinAny(m.Kustomize)(dir) &&
		slices.ContainsFunc(m.Files, func(p string) bool { return system.Within(p, dir) || system.Within(dir, p) })
}

// choose leaves the environments that paths are in.
func (m *Manifests) choose(paths []string) {
	if len(paths) == 0 {
		return
	}
	m.Environments = slices.DeleteFunc(m.Environments, func(e settings.Environment) bool {
		return !slices.ContainsFunc(paths, func(p string) bool {
			return system.WithinAny(e.Paths)(p) || slices.ContainsFunc(e.Paths, system.WithinAny([]string{p}))
		})
	})
	if len(m.Environments) == 1 {
		m.Files, m.Environments = m.Environments[0].Paths, nil
	}
}

// oldAndNew reports whether diff gets two files of the same objects and nothing to compare
// them with, as dyff takes them: the old one and the new one.
func (v *Resolver) oldAndNew(paths []string) bool {
	if v.Command.Name != "diff" || len(paths) != 2 || v.IsSet("live") || v.IsSet("base") || v.IsSet("empty-cluster") || len(v.file.AllLive()) > 0 ||
		!system.IsRegular(paths[0]) || !system.IsRegular(paths[1]) {
		return false
	}
	defined := map[manifest.Identity]bool{}
	for _, o := range manifest.Read(manifest.Options{Paths: paths[:1]}).Objects {
		defined[o.ID()] = true
	}
	return slices.ContainsFunc(manifest.Read(manifest.Options{Paths: paths[1:]}).Objects, func(o *manifest.Object) bool { return defined[o.ID()] })
}

// leaveUnrendered drops overlays that no flag names and that cannot be rendered from the
// files of the repository alone.
func (m *Manifests) leaveUnrendered() {
	_, _, ok := system.Renderer()
	m.Kustomize = slices.DeleteFunc(m.Kustomize, func(dir string) bool {
		why := "rendering it needs kubectl or kustomize, and neither is on the PATH"
		if ok {
			if why = kustomize.Read(disk.Files{}, filepath.ToSlash(dir)).Unconfined(); why == "" {
				return false
			}
			why += "; pass it with -k to check it"
		}
		m.Unrendered = append(m.Unrendered, dir+" is not checked: "+why)
		return true
	})
}

// expandOverlays replaces patterns by the directories that they stand for.
func (m *Manifests) expandOverlays() error {
	for _, dir := range m.Kustomize {
		if dir == "" {
			return fmt.Errorf("-k: the directory is missing")
		}
		if len(Expanded([]string{dir})) == 0 {
			m.unmatched = append(m.unmatched, dir)
		}
	}
	m.patterns = append(m.patterns, m.Kustomize...)
	m.Kustomize = Expanded(m.Kustomize)
	return nil
}

// Plain are the directories that a pattern of kustomizations stands for and that have none.
func (m *Manifests) Plain() (list []string) {
	for _, pattern := range m.patterns {
		if !strings.ContainsAny(pattern, "*?[") {
			continue
		}
		matches, _ := filepath.Glob(pattern)
		for _, dir := range matches {
			if (disk.Files{}).IsDir(dir) && KustomizationOf(dir) != dir {
				list = append(list, dir)
			}
		}
	}
	return list
}

// Patterns names directories that are all overlays of one directory by a pattern.
func Patterns(dirs []string) (list []string) {
	for _, dir := range dirs {
		pattern := path.Join(path.Dir(dir), "*")
		if all := Expanded([]string{pattern}); len(all) > 1 && !slices.ContainsFunc(all, func(d string) bool { return !slices.Contains(dirs, filepath.ToSlash(d)) }) {
			dir = pattern
		}
		if !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	return list
}

// Expanded replaces patterns by the directories with a kustomization that they stand for.
func Expanded(dirs []string) (list []string) {
	for _, dir := range dirs {
		matches := []string{dir}
		if !(disk.Files{}).IsDir(dir) && strings.ContainsAny(dir, "*?[") {
			matches, _ = filepath.Glob(dir)
			matches = slices.DeleteFunc(matches, func(d string) bool { return KustomizationOf(d) != d })
		}
		for _, d := range matches {
			if !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
	}
	return list
}

// OverlaysOf are the overlays that one of the paths is a part of, and the paths that no
// kustomization names. among are the overlays to choose from; nil finds all that the
// repository has.
func OverlaysOf(paths, among []string) (overlays, rest []string) {
	underOne := slices.ContainsFunc(paths, func(p string) bool {
		top := disk.Top(p)
		for dir := filepath.Dir(system.Absolute(p)); ; dir = filepath.Dir(dir) {
			if kustomize.FileIn(disk.Files{}, filepath.ToSlash(dir)) != "" {
				return true
			}
			if dir == top || dir == filepath.Dir(dir) {
				return false
			}
		}
	})
	if !underOne && among == nil {
		return nil, paths
	}
	all := among
	if all == nil {
		all = kustomizationsBelow(system.Relative(disk.Top(paths[0])))
	}
	files := kustomize.Remember(disk.Files{})
	applied, named := survey.Overlays(files, all)
	if among != nil {
		applied = among
	}
	slashed := func(p string) string { return filepath.ToSlash(system.Relative(p)) }
	for _, dir := range applied {
		names := kustomize.Read(files, filepath.ToSlash(dir)).Names()
		if slices.ContainsFunc(paths, func(p string) bool {
			return slices.Contains(names, slashed(p)) || among != nil && system.Within(dir, p)
		}) {
			overlays = append(overlays, dir)
		}
	}
	for _, p := range paths {
		if !slices.Contains(named, slashed(p)) && !(among != nil && slices.ContainsFunc(overlays, func(dir string) bool { return system.Within(dir, p) })) {
			rest = append(rest, p)
		}
	}
	return overlays, rest
}

// kustomizationsBelow are the directories with a kustomization.
func kustomizationsBelow(root string) (dirs []string) {
	_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && file != root && survey.Passed(d.Name()):
			return fs.SkipDir
		case slices.Contains(KustomizationFiles, d.Name()):
			dirs = append(dirs, filepath.Dir(file))
		}
		return nil
	})
	return dirs
}
