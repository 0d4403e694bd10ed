package request

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"threeway/command/kustomize"
	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/manifest"
)

// tracked returns a function that reports whether git's index has a file, which is read when it
// is asked; outside of a repository there is none.
func tracked(ctx context.Context) func(file string) bool {
	index := sync.OnceValues(func() (*system.Revision, error) { return system.RevisionAt(ctx, manifest.Limits{}, system.Index, ".") })
	return func(file string) bool {
		at, err := index()
		return err == nil && at.HasFile(at.At(filepath.FromSlash(file)))
	}
}

// Survey surveys paths once in a run, without what is excluded; nil leaves out nothing. from are the
// files of the disk, which a run reads once; nil reads them.
func Survey(ctx context.Context, from kustomize.Files, excluded func(file string) bool, paths ...string) (*survey.Survey, error) {
	limits, err := Limits()
	if err != nil {
		return nil, err
	}
	if from == nil {
		from = disk.Files{}
	}
	return system.Once(ctx, "survey "+strings.Join(paths, "\x00"), func() (*survey.Survey, error) {
		return survey.Look(from, limits, tracked(ctx), excluded, paths...)
	})
}

// surveyed reads directories of the command line with everything below them: manifests,
// overlays and environments.
func (v *Resolver) surveyed(m *Manifests, paths []string) error {
	var dirs []string
	for _, p := range paths {
		if (disk.Files{}).IsDir(p) {
			dirs = append(dirs, p)
		}
	}
	if len(dirs) == 0 || v.IsSet("trust") || v.Command.Name == "guard" {
		return nil
	}
	s, err := Survey(v.Context.Context, v.disk, v.file.Excludes, dirs...)
	if err != nil {
		return err
	}
	m.Recursive = true
	if len(s.Manifests)+len(s.Overlays) == 0 && len(s.Snapshots) > 0 {
		return nil // what was named is judged
	}
	m.Survey, m.NotManifests = s, s.NotManifests()
	if m.SOPS { // which makes manifests of them
		m.NotManifests = slices.DeleteFunc(m.NotManifests, func(p string) bool {
			return slices.Contains(s.Others, survey.Other{Path: p, What: survey.Encrypted + "SOPS"})
		})
	}
	if len(s.Manifests) == 0 {
		m.Files = slices.DeleteFunc(slices.Clone(m.Files), func(p string) bool { return slices.Contains(dirs, p) })
	}
	if v.has("kustomize") {
		for _, dir := range s.Overlays {
			m.Kustomize = append(m.Kustomize, filepath.FromSlash(dir))
		}
		if _, _, ok := system.Renderer(); !ok {
			m.leaveUnrendered()
		}
	}
	if m.Divided = len(paths) == len(dirs); m.Divided {
		m.divide(s.Divide())
	}
	return nil
}

// kustomizedBelow takes out of the directories of the settings what kustomizations are made of,
// and renders those. Where others bring the change, only those count that were there before it:
// a new one must not narrow what is looked at. start is nil if it is not known.
func (v *Resolver) kustomizedBelow(r *Request, start *system.Revision) error {
	if r.Settings.File == "" || r.FilesGiven || r.Survey != nil || !r.Recursive || !v.has("kustomize") {
		return nil
	}
	var dirs []string
	for _, p := range r.Files {
		if (disk.Files{}).IsDir(p) {
			dirs = append(dirs, p)
		}
	}
	if len(dirs) == 0 {
		return nil
	}
	s, err := Survey(v.Context.Context, v.disk, v.file.Excludes, dirs...)
	if err != nil || len(s.Kustomized) == 0 {
		return err
	}
	counts := func(dir string) bool {
		return r.Trusted == nil || start != nil && kustomize.FileIn(start, start.At(filepath.FromSlash(dir))) != ""
	}
	if slices.ContainsFunc(s.Kustomized, func(dir string) bool { return !counts(dir) }) {
		return nil
	}
	r.NotManifests = slices.Concat(r.NotManifests, s.Kustomizations())
	for _, o := range s.Others {
		if o.What != survey.Unnamed || r.Trusted != nil {
			continue
		}
		r.NotManifests, r.NotJudged = append(r.NotManifests, o.Path), append(r.NotJudged, o)
		if i := slices.IndexFunc(r.Chosen, func(p string) bool { return system.Absolute(p) == system.Absolute(o.Path) }); i >= 0 {
			if r.Chosen = slices.Delete(slices.Clone(r.Chosen), i, i+1); len(r.Chosen) == 0 {
				r.Files, dirs = nil, nil
			}
			r.Unchosen = append(r.Unchosen, o.Path)
		}
	}
	if len(s.Manifests) == 0 {
		r.Files = slices.DeleteFunc(slices.Clone(r.Files), func(p string) bool { return slices.Contains(dirs, p) })
	}
	var below []string
	all := Expanded(r.Kustomize)
	overlays, _ := survey.Overlays(v.disk, slices.Concat(s.Kustomized, all))
	for _, dir := range overlays {
		if dir = filepath.FromSlash(dir); !slices.Contains(all, dir) && !slices.Contains(below, dir) {
			below = append(below, dir)
		}
	}
	switch {
	case len(r.Chosen) > 0:
		below, r.Chosen = OverlaysOf(r.Chosen, below)
		if len(r.Chosen) == 0 {
			r.Files = nil
		}
	case dirs == nil:
		return nil
	}
	r.Kustomize = slices.Concat(r.Kustomize, below)
	return nil
}

// divide sets the environments.
func (m *Manifests) divide(list []survey.Environment) {
	m.Environments = nil
	for _, e := range list {
		m.Environments = append(m.Environments, settings.Environment(e))
	}
}

// surveyOf surveys files of a revision, by their paths in it. now is a survey of the disk.
func surveyOf(at *system.Revision, names []string, limits manifest.Limits, now *survey.Survey) *survey.Survey {
	at.Load(names)
	texts := system.NewTexts()
	for _, name := range names {
		text, ok := at.Read(name)
		if here := filepath.ToSlash(at.Here(name)); ok {
			texts.Add(here, text)
		}
	}
	return survey.Of(texts, texts.Paths(), limits, now)
}

// divideChosen divides the files that a hook was given, and those that the next commit removes.
// All of them stay: what is no manifest is one of the rest, and gone if it was one.
func (v *Resolver) divideChosen(r *Request) error {
	if !r.Staged || !r.PathsAreSet || len(r.Files) == 0 {
		return nil
	}
	index, err := system.RevisionAt(v.Context.Context, r.Limits, system.Index, r.Directory)
	if err != nil {
		return err
	}
	surveyed := func(at *system.Revision) *survey.Survey {
		var names []string
		for _, file := range r.Files {
			names = append(names, at.At(file))
		}
		return surveyOf(at, names, r.Limits, &survey.Survey{})
	}
	now, before := surveyed(index), &survey.Survey{}
	if r.AtStart != nil {
		before = surveyed(r.AtStart)
	}
	for _, o := range now.Others {
		if slices.Contains(before.Manifests, o.Path) && !slices.Contains(r.Gone.Files, o.Path) {
			r.Gone.Files = append(r.Gone.Files, o.Path)
		}
	}
	r.divide(now.DivideFiles(r.Files, before))
	return nil
}

// surveyedAt adds what the directories of the command line had at the commit that the change
// starts from: environments, manifests and overlays that are gone, and files that were no
// manifests.
func (v *Resolver) surveyedAt(r *Request, at *system.Revision) {
	within := system.WithinAny(append(v.Args().Slice(), r.Survey.Roots...))
	var names []string
	for _, name := range at.Paths() {
		if within(at.Here(name)) && !v.file.Excludes(at.Here(name)) && (manifest.IsManifest(name) || slices.Contains(KustomizationFiles, path.Base(name))) {
			names = append(names, name)
		}
	}
	then := surveyOf(at, names, r.Limits, r.Survey)
	r.NotJudged = slices.Concat(r.NotJudged, r.Survey.Others, then.Others)
	files := r.current(v.Context.Context, at)
	for _, dir := range slices.Concat(r.Survey.Charts, then.Charts) {
		if !slices.Contains(r.NotRendered, Failing{dir, ""}) && v.changesChart(files, at, dir) {
			r.NotRendered = append(r.NotRendered, Failing{dir, ""})
		}
	}
	r.NotAtStart = then.NotManifests()
	if len(r.Survey.Manifests) == 0 {
		for _, file := range then.Manifests {
			r.Files, r.Gone.Files = append(r.Files, file), append(r.Gone.Files, file)
		}
	}
	renamed := slices.Collect(maps.Values(r.Renamed))
	for _, dir := range then.Overlays {
		if kustomize.FileIn(disk.Files{}, dir) == "" && !slices.ContainsFunc(renamed, func(old string) bool { return filepath.ToSlash(old) == dir }) {
			r.Kustomize, r.Gone.Kustomize = append(slices.Clone(r.Kustomize), dir), append(r.Gone.Kustomize, dir)
		}
	}
	if r.Divided {
		r.divide(r.Survey.Divide(then))
	}
	for _, e := range r.Environments {
		for _, p := range e.Paths {
			if !isThere(p) {
				r.Gone.Files = append(r.Gone.Files, p)
			}
		}
	}
}
