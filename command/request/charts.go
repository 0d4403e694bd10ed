package request

import (
	"bytes"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"threeway/command/survey"
	"threeway/command/system"
)

// changedCharts finds the charts below the settings that are not as they were at the revision.
func (v *Resolver) changedCharts(r *Request, start *system.Revision) {
	index, err := system.RevisionAt(v.Context.Context, r.Limits, system.Index, r.Directory)
	if err != nil {
		return
	}
	var dirs []string
	for _, name := range slices.Concat(start.Paths(), index.Paths()) {
		dir := path.Dir(name)
		if path.Base(name) == "Chart.yaml" && !slices.Contains(dirs, dir) && !slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool { return part != "." && survey.Passed(part) }) {
			dirs = append(dirs, dir)
		}
	}
	files := r.current(v.Context.Context, start)
	for _, dir := range dirs {
		here := index.Here(dir)
		inner := slices.ContainsFunc(dirs, func(other string) bool { return other != dir && survey.Under(other, dir) })
		if inner || v.file.Excludes(here) || !system.Within(here, filepath.Dir(r.Settings.File)) {
			continue
		}
		if v.changesChart(files, start, files.at(here)) {
			r.Charts = append(r.Charts, filepath.ToSlash(here))
		}
	}
	slices.Sort(r.Charts)
}

// changesChart reports whether a chart has other files than at the start of the change, but for
// archives that git does not have, which "helm dependency build" makes, and for text about it that
// no template reads.
func (v *Resolver) changesChart(files *current, start *system.Revision, dir string) bool {
	inGit := tracked(v.Context.Context)
	reads := sync.OnceValue(func() bool { // a template that changes is a change itself
		return slices.ContainsFunc(start.Paths(), func(name string) bool {
			if !survey.Under(files.top(dir), name) {
				return false
			}
			text, _ := start.Read(name)
			switch {
			case path.Base(name) == "Chart.yaml": // another chart may read those of this one
				return bytes.Contains(text, []byte("dependencies"))
			case strings.Contains("/"+name, "/templates/"):
				return bytes.Contains(text, []byte(".Files"))
			}
			return path.Ext(name) == ".tgz"
		})
	})
	return files.differs(start, dir, func(file string) bool {
		file = filepath.ToSlash(file)
		return path.Ext(file) == ".tgz" && !inGit(file) || path.Ext(file) == ".md" && !strings.Contains(file, "/templates/") && !reads()
	})
}
