package request

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
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
	"threeway/rules"
)

// Gone are paths that the change has removed, or no longer names: they are read as they were
// before it.
type Gone struct{ Files, Kustomize []string }

// comparing are the commands that say what left the manifests.
var comparing = []string{"diff", "guard", "lint", "review"}

// startOf is the revision that the change starts from; "" if there is none to compare with.
func (v *Resolver) startOf(r *Request) string {
	if _, imperative := r.By.(*Command); imperative || r.Brings() {
		return ""
	}
	switch {
	case len(r.Base) > 0:
		revision, inGit := strings.CutPrefix(r.Base[0], GitBase)
		if !inGit {
			return ""
		}
		return revision
	case !slices.Contains(comparing, v.Command.Name) || slices.Contains(r.Files, "-"):
	case r.Trusted != nil:
		return strings.TrimPrefix(r.Trusted.Name, GitBase)
	case len(r.Live)+len(r.Clusters) == 0:
	case r.Staged && system.HasCommit(v.Context.Context):
		return "HEAD"
	case !r.Staged:
		return system.Base(v.Context.Context)
	}
	return ""
}

// since finds the commit that the change starts from, and what of the paths it has removed:
// of those that were typed, of the settings, and of the settings as they were.
func (v *Resolver) since(r *Request) error {
	r.Judged = slices.Contains([]string{"guard", "lint", "review"}, v.Command.Name)
	if revision := v.startOf(r); revision != "" {
		at, err := system.RevisionAt(v.Context.Context, r.Limits, revision, r.Directory)
		if err != nil {
			return nil // what reads the revision says why
		}
		r.Start, r.AtStart = GitBase+revision, at
		if r.Variables.start == "" {
			r.Variables.start = revision
		}
		v.gone(r, at)
		places := slices.Clone(r.Files)
		if err := v.leaveOut(r, at); err != nil {
			return err
		}
		if r.Survey != nil {
			v.surveyedAt(r, at)
		}
		if !r.KustomizeTyped {
			r.Kustomize = slices.DeleteFunc(slices.Clone(r.Kustomize), v.file.Excludes)
		}
		if err := v.kustomizedBelow(r, at); err != nil {
			return err
		}
		v.leaveUnchanged(r, at)
		v.changedBeside(r, at)
		v.aside(r, at, places)
		if r.Settings.File != "" && !r.FilesGiven && !r.KustomizeTyped {
			v.changedCharts(r, at)
		}
	} else if err := v.kustomizedBelow(r, nil); err != nil {
		return err
	}
	if err := v.divideChosen(r); err != nil {
		return err
	}
	for _, pattern := range r.unmatched {
		if !slices.ContainsFunc(r.Gone.Kustomize, func(dir string) bool { return matches(pattern, dir) }) {
			return fmt.Errorf("-k %s: no directory with a %s has such a name", pattern, KustomizationFiles[0])
		}
	}
	return nil
}

func (v *Resolver) gone(r *Request, at *system.Revision) {
	files, overlays := v.before(r, at)
	files = append(files, v.unstaged(r, at)...)
	for _, p := range files {
		if !system.WithinAny(r.Files)(p) {
			r.Files, r.Gone.Files = append(slices.Clone(r.Files), p), append(r.Gone.Files, p)
		}
	}
	for _, p := range r.Files {
		if p != "-" && !slices.Contains(r.Gone.Files, p) && at.Holds(p) && !isThere(p) {
			r.Gone.Files = append(r.Gone.Files, p)
		}
	}
	if r.PathsAreSet && r.SkipOtherFiles {
		left, _ := removed(at, onDisk(at))
		other := func(p string) bool {
			return slices.Contains(r.Gone.Files, p) && !slices.Contains(files, filepath.ToSlash(p)) && !slices.Contains(left, filepath.ToSlash(filepath.Clean(p)))
		}
		r.Files = slices.DeleteFunc(slices.Clone(r.Files), other)
		r.Gone.Files = slices.DeleteFunc(r.Gone.Files, other)
	}
	then := kustomizationsAt(at)
	isNow := func(dir string) bool { return kustomize.FileIn(disk.Files{}, filepath.ToSlash(dir)) != "" }
	r.Renamed = renamed(at, without(r.Kustomize, then), slices.DeleteFunc(slices.Clone(then), isNow))
	chosen := func(string) bool { return true }
	if v.Command.ArgsUsage == PathArguments && v.Args().Present() {
		chosen = system.WithinAny(v.Args().Slice())
	}
	was := map[string]bool{}
	for _, old := range r.Renamed {
		was[old] = true
	}
	names, which := matching(slices.Concat(r.patterns, overlays)), matching(r.Kustomize)
	for _, dir := range then {
		named, i := names(dir) >= 0, which(dir)
		switch {
		case was[dir] && i >= 0 && !isNow(dir):
			r.Kustomize = slices.Delete(slices.Clone(r.Kustomize), i, i+1)
			which = matching(r.Kustomize)
		case !named || was[dir] || i >= 0 && isNow(dir) || i < 0 && !chosen(dir):
		case i < 0:
			r.Kustomize = append(slices.Clone(r.Kustomize), dir)
			which = matching(r.Kustomize)
			fallthrough
		default:
			r.Gone.Kustomize = append(r.Gone.Kustomize, dir)
		}
	}
}

// NamesBefore begins the names of files of the revision that a run compares with, as main: does;
// "" without one.
func (r *Request) NamesBefore() string {
	for _, name := range append(slices.Clone(r.Base), r.Start) {
		if revision, inGit := strings.CutPrefix(name, GitBase); inGit {
			return revision + ":"
		}
	}
	return ""
}

// isThere reports whether there is a file to read at a path or a pattern.
func isThere(p string) bool {
	found, _ := filepath.Glob(p)
	if _, err := os.Lstat(p); err == nil {
		found = []string{p}
	}
	some := false
	for _, top := range found {
		_ = filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() && (file == top || manifest.IsManifest(file)) {
				some = true
				return fs.SkipAll
			}
			return nil
		})
	}
	return some
}

// before are the paths that the settings had at the revision; none if the paths were typed.
func (v *Resolver) before(r *Request, at *system.Revision) (files, overlays []string) {
	old := v.settingsAt(r, at)
	if r.FilesGiven || r.KustomizeTyped || old == nil {
		return nil, nil
	}
	if overlays = FromHere(old, old.Kustomize); !v.has("kustomize") {
		overlays = nil
	}
	return FromHere(old, old.AllManifests()), overlays
}

// settingsAt are the settings that the revision has, empty ones if it has none; nil if they are
// the same, or count: with --trust.
func (v *Resolver) settingsAt(r *Request, at *system.Revision) *settings.Config {
	if r.Settings.File == "" || r.Trusted != nil {
		return nil
	}
	now, err := disk.ReadFile(r.Settings.File)
	text, had := at.Read(at.At(r.Settings.File))
	if err != nil || had && bytes.Equal(text, now) {
		return nil
	}
	if !had {
		return &settings.Config{File: r.Settings.File}
	}
	none := func(string) (map[string][]byte, bool, error) { return nil, true, nil }
	old, _ := settings.ParseFrom(none, r.Settings.File, text, RuleIDs(rules.All())) // what is wrong in them is no matter now
	return old
}

// leaveOut finds the files that the change excludes, and that were looked at before it.
func (v *Resolver) leaveOut(r *Request, at *system.Revision) error {
	old := v.settingsAt(r, at)
	if old == nil || v.IsSet("filename") || slices.Equal(old.Exclude(), v.file.Exclude()) {
		return nil
	}
	index, err := system.RevisionAt(v.Context.Context, r.Limits, system.Index, r.Directory)
	if err != nil {
		return err
	}
	chosen := system.WithinAny([]string{filepath.Dir(r.Settings.File)})
	if v.Args().Present() {
		chosen = system.WithinAny(v.Args().Slice())
	}
	for _, from := range []*system.Revision{at, index} {
		for _, name := range from.Paths() {
			here := from.Here(name)
			if !manifest.IsManifest(name) || !chosen(here) || !v.file.Excludes(here) || old.Excludes(here) || slices.ContainsFunc(strings.Split(name, "/"), survey.Passed) {
				continue
			}
			text, _ := from.Read(name)
			if here = filepath.ToSlash(here); !slices.Contains(r.LeftOut, here) && (slices.Contains(KustomizationFiles, path.Base(name)) || survey.HasObjects(text)) {
				r.LeftOut = append(r.LeftOut, here)
			}
		}
	}
	return nil
}

// unstaged are the manifests that the next commit removes, of which no hook is told.
func (v *Resolver) unstaged(r *Request, at *system.Revision) (files []string) {
	if !r.Staged || r.FilesGiven && !r.PathsAreSet || r.Settings.File != "" && !r.PathsAreSet || r.KustomizeTyped {
		return nil
	}
	next, err := system.RevisionAt(v.Context.Context, r.Limits, system.Index, r.Directory)
	if err != nil {
		return nil
	}
	files, _ = removed(at, next.HasFile)
	return files
}

// manifestAt reports whether a revision has objects in a file that are no live ones.
func manifestAt(at *system.Revision, file string) bool {
	text, _ := at.Read(at.At(file))
	objects := manifest.ReadFiles([]manifest.File{{Name: file, Data: text}}, manifest.Limits{}).Objects
	return len(objects) > 0 && (!objects[0].IsLive() || survey.Text(file, text) == "")
}

// matching returns which of some patterns stands for a directory, or is its path; -1 if none.
func matching(patterns []string) func(dir string) int {
	here := system.Absolute(".")
	from := func(p string) string {
		if !filepath.IsAbs(p) {
			p = filepath.Join(here, p)
		}
		return filepath.ToSlash(p)
	}
	var all []string
	first := map[string]int{}
	for i, pattern := range patterns {
		all = append(all, from(pattern))
		if _, known := first[all[i]]; !known {
			first[all[i]] = i
		}
	}
	globs := slices.ContainsFunc(all, func(pattern string) bool { return strings.ContainsAny(pattern, `*?[\`) })
	return func(dir string) int {
		dir = from(dir)
		i, named := first[dir]
		if !named {
			i = len(all)
		}
		if globs {
			for j, pattern := range all[:i] {
				if same, _ := path.Match(pattern, dir); same {
					return j
				}
			}
		}
		if named {
			return i
		}
		return -1
	}
}

// matches reports whether a directory is one, or is one that a pattern stands for.
func matches(pattern, dir string) bool { return matching([]string{pattern})(dir) >= 0 }

func without(dirs, others []string) []string {
	is := map[int]bool{}
	which := matching(dirs)
	for _, other := range others {
		is[which(other)] = true
	}
	var list []string
	for i, dir := range dirs {
		if !is[i] {
			list = append(list, dir)
		}
	}
	return list
}

// kustomizationsAt are the directories with a kustomization that a revision has.
func kustomizationsAt(at *system.Revision) (dirs []string) {
	for _, file := range at.Paths() {
		if !slices.Contains(KustomizationFiles, path.Base(file)) {
			continue
		}
		if dir := at.Here(path.Dir(file)); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// renamed finds the new overlays that are old ones with another path: most of their files
// have the same names and texts.
func renamed(at *system.Revision, dirs, olds []string) map[string]string {
	list := map[string]string{}
	for _, dir := range dirs {
		best := 0
		for _, old := range olds {
			score := alike(at, dir, old)
			if score > 0 && path.Base(filepath.ToSlash(dir)) == path.Base(filepath.ToSlash(old)) {
				score++
			}
			if score > best {
				best, list[dir] = score, old
			}
		}
	}
	return list
}

// alike is how much of an overlay is in one of the revision, in percent; 0 if that is less
// than a half.
func alike(at *system.Revision, dir, old string) int {
	now, then := kustomize.Read(disk.Files{}, filepath.ToSlash(dir)), kustomize.Read(at, at.At(old))
	same, all := 0, 0
	for _, root := range now.Roots {
		if root.Dir != now.Dir {
			continue
		}
		for _, name := range root.Names {
			below, err := filepath.Rel(root.Dir, name)
			if err != nil {
				continue
			}
			text, _ := disk.Files{}.Read(name)
			before, ok := at.Read(path.Join(then.Dir, filepath.ToSlash(below)))
			if all++; ok && bytes.Equal(text, before) {
				same++
			}
		}
	}
	if 2*same < all || all == 0 {
		return 0
	}
	return 100 * same / all
}
