package inputs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/kustomize"
	"threeway/command/request"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
)

// NotRead are the places of the manifests that are not looked at: what is below a directory
// of -f without -R, and submodules that are not checked out.
func NotRead(ctx context.Context, r *request.Inputs) (list gap.List) {
	if r.Brings() {
		return nil
	}
	for _, dir := range r.Present() {
		if n := belowOf(r, dir); n > 0 {
			below := filepath.ToSlash(filepath.Clean(dir)) + "/"
			was := phrase.Count(n, "file below "+below+" was", "files below "+below+" were")
			list.Add(gap.Gap{Code: gap.NotRead, Place: below, Text: was + " not read (-R)", Needs: "-R, to read the manifests below " + below})
		}
	}
	const pass, write = "render %s, and pass them with -f", "render %s, and list the result in the settings, or list the chart there under exclude"
	list.Add(unnamed(slices.DeleteFunc(slices.Clone(r.Unnamed), func(file string) bool { return !r.Beside.Tells(r.Part, file) }))...)
	if r.Beside.IsFirst(r.Part) { // what is of no set is said once
		for _, o := range r.Aside {
			list.Add(gap.Gap{Code: gap.NotRead, Place: o.Path, Text: o.Path + " changes, and is not read: " + o.What, Needs: "-f " + o.Path + ", to read it"})
		}
		kustomized := r.Kustomized
		if r.Trusted != nil {
			kustomized = r.Trusted.Kustomized
		}
		for _, dir := range kustomized {
			list.Add(gap.Gap{Code: gap.NotRead, Place: dir, Text: dir + " becomes a kustomization, and how it is applied is unknown", Needs: "-f " + dir + " or -k " + dir + ", as it is applied"})
		}
		list.Add(charts(gap.Unrehearsed, r.Charts, write)...)
	}
	if r.Trusted != nil {
		list.Add(charts(gap.NotRead, r.Trusted.NotRendered, pass)...)
	}
	var changed []string
	for _, f := range r.NotRendered {
		place := filepath.ToSlash(f.Dir)
		if f.Why == "" {
			changed = append(changed, place)
			continue
		}
		g := gap.Gap{Code: gap.NotRendered, Place: place, Text: place + " is not rendered", Needs: f.Why}
		if place == r.Part { // which is named beside it
			g = gap.Gap{Code: gap.NotRendered, Place: place, Text: "not rendered", Needs: strings.TrimPrefix(f.Why, place+" is ")}
		}
		list.Add(g)
	}
	list.Add(charts(gap.NotRendered, changed, pass)...)
	for _, dir := range r.Plain() {
		if dir = filepath.ToSlash(dir); changesPlain(r, dir) {
			list.Add(gap.Gap{Code: gap.NotRead, Place: dir, Text: dir + " changes, and is not rendered", Needs: "a kustomization in " + dir + ", or its manifests with -f"})
		}
	}
	if len(r.LeftOut) > 0 {
		names := phrase.Few(r.LeftOut)
		list.Add(gap.Gap{Code: gap.Unrehearsed, Place: r.LeftOut[0], Text: "the change excludes " + names + " from what is read", Needs: "the settings without the new entries of exclude, to read " + names})
	}
	for _, dir := range submodules(ctx, r) {
		list.Add(gap.Gap{Code: gap.NotRead, Place: dir, Text: "the submodule " + dir + " is not checked out", Needs: shell.Line("git submodule update --init", shell.Path(dir))})
	}
	return list
}

// charts is the gap of charts that change and that nothing renders; way is what to do about them.
func charts(code gap.Code, dirs []string, way string) gap.List {
	if len(dirs) == 0 {
		return nil
	}
	g := gap.Gap{Code: code, Place: dirs[0], Text: "the chart " + dirs[0] + ", which changes, is not rendered", Needs: "the manifests of the chart " + dirs[0] + ": " + fmt.Sprintf(way, "it")}
	if len(dirs) > 1 {
		g = gap.Gap{Code: code, Place: dirs[0], Text: fmt.Sprintf("%d charts, which change, are not rendered", len(dirs)), Needs: "the manifests of the charts " + strings.Join(dirs, ", ") + ": " + fmt.Sprintf(way, "each")}
	}
	return gap.List{g}
}

// notJudged are the templates and the encrypted files that the change edits, adds or removes.
func notJudged(ctx context.Context, r *request.Inputs) (list gap.List) {
	if r.AtStart == nil {
		return nil
	}
	var beside, templates []string
	for _, o := range r.NotJudged {
		file := o.Path
		if below, was := strings.CutPrefix(file, r.AtStart.Name("")); was {
			file = r.AtStart.Here(below)
		}
		place, changes := filepath.ToSlash(file), "changes"
		if _, err := os.Lstat(file); err != nil {
			changes = "is removed"
		}
		by, encrypted := strings.CutPrefix(o.What, survey.Encrypted)
		switch {
		case !slices.Contains([]string{survey.Template, survey.Unnamed}, o.What) && !encrypted || r.SameAsStart(ctx, file) || !r.Beside.Tells(r.Part, file):
		case o.What == survey.Unnamed && changes == "changes" && kustomize.Read(disk.Files{}, path.Dir(place)).Broken == "":
			if !slices.Contains(beside, place) {
				beside = append(beside, place)
			}
		case o.What == survey.Unnamed: // nothing applied it, or which files are applied is a gap
		case encrypted:
			list.Add(gap.Gap{Code: gap.Encrypted, Place: place, Text: place + ", which " + by + " has encrypted, " + changes, Needs: place + " without its encryption by " + by})
		default:
			if !slices.Contains(templates, place) {
				templates = append(templates, place)
			}
		}
	}
	list.Add(unnamed(beside)...)
	list.Add(unrendered(templates)...)
	return list
}

// unrendered is the gap of templates that change.
func unrendered(files []string) gap.List {
	if len(files) == 0 {
		return nil
	}
	if len(files) > 1 {
		g := gap.Gap{Code: gap.Unrehearsed, Place: files[0], Text: fmt.Sprintf("%d templates, which change, are not rendered", len(files)), Needs: "what is made of the templates " + strings.Join(files, ", ") + ": pass it with -f"}
		return gap.List{g}
	}
	how := "changes"
	if _, err := os.Lstat(filepath.FromSlash(files[0])); err != nil {
		how = "is removed"
	}
	g := gap.Gap{Code: gap.Unrehearsed, Place: files[0], Text: "the template " + files[0] + ", which " + how + ", is not rendered", Needs: "what is made of the template " + files[0] + ": pass it with -f"}
	return gap.List{g}
}

// unnamed is the gap of files that change and that no kustomization names.
func unnamed(files []string) gap.List {
	if len(files) == 0 {
		return nil
	}
	text := files[0] + " changes, and the kustomization beside it does not name it"
	if len(files) > 1 {
		text = fmt.Sprintf("%d files change that the kustomizations beside them do not name", len(files))
	}
	return gap.List{{Code: gap.Unrehearsed, Place: files[0], Text: text, Needs: strings.Join(files, ", ") + " under resources of the kustomization, or with -f"}}
}

// changesPlain reports whether the change adds or edits manifests in a directory without a
// kustomization that stands among overlays, and that no kustomization names. Argo CD applies it.
func changesPlain(r *request.Inputs, dir string) bool {
	if r.AtStart == nil {
		return false
	}
	return slices.ContainsFunc(manifest.Read(manifest.Options{Paths: []string{dir}, Recursive: true, Limits: r.Limits}).Objects, func(o *manifest.Object) bool {
		file := o.Origin.File
		before, had := r.AtStart.Read(r.AtStart.At(file))
		if now, problem := disk.ReadFile(file); had && problem == nil && bytes.Equal(before, now) {
			return false
		}
		_, unnamed := request.OverlaysOf([]string{file}, nil)
		return len(unnamed) > 0
	})
}

// belowOf counts the manifests below a directory of -f that are not read, because kubectl
// reads no directories in it.
func belowOf(r *request.Inputs, dir string) (n int) {
	if r.Recursive || dir == "-" || !(disk.Files{}).IsDir(dir) {
		return 0
	}
	found, err := survey.Look(disk.Files{}, r.Limits, func(string) bool { return true }, nil, dir)
	if err != nil {
		return 0
	}
	for _, file := range found.Manifests {
		in := filepath.Dir(filepath.FromSlash(file))
		if in != filepath.Clean(dir) && !slices.ContainsFunc(r.Files, func(p string) bool {
			p = system.Absolute(p)
			return p == system.Absolute(file) || p == system.Absolute(in)
		}) {
			n++
		}
	}
	return n
}

// submodules are those in the directories of manifests that are not checked out, unless the
// change leaves them at their commits.
func submodules(ctx context.Context, r *request.Inputs) (list []string) {
	top := disk.Repository(r.Directory)
	_, err := os.Lstat(filepath.Join(top, ".gitmodules"))
	if top == "" || err != nil && r.AtStart == nil {
		return nil
	}
	index, err := system.RevisionAt(ctx, r.Limits, system.Index, r.Directory)
	if err != nil {
		return nil
	}
	for name, commit := range index.Submodules() {
		here := index.Here(name)
		entries, _ := disk.ReadDir(here)
		within := func(p string) bool {
			if r.Trusted != nil && !r.FilesGiven && r.Settings.File == "" && system.IsRegular(p) {
				p = filepath.Dir(p) // where manifests are looked for
			}
			return system.Within(p, here) || system.Within(here, p) && r.Recursive
		}
		if len(entries) == 0 && slices.ContainsFunc(r.Present(), within) && (r.AtStart == nil || r.AtStart.Submodules()[name] != commit) {
			list = append(list, filepath.ToSlash(here))
		}
	}
	slices.Sort(list)
	return list
}
