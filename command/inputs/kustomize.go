package inputs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"threeway/command/kustomize"
	"threeway/command/request"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge/disk"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/text/visible"
)

// kustomized are the manifests that a program makes of the kustomizations of -k, on the
// disk or at a revision of git. Those that the revision does not have are in absent, and those
// in same that are not rendered, because what they were is among the manifests.
func kustomized(ctx context.Context, r *request.Inputs, revision string, std system.Streams) (set *manifest.Set, same, absent []string, err error) {
	set = &manifest.Set{}
	for _, dir := range r.Kustomize {
		now := revision == "" || revision == system.Index
		if !now && slices.ContainsFunc(r.NotRendered, func(f request.Failing) bool { return f.Dir == dir }) {
			continue // what it was tells nothing
		}
		part, err := kustomizedIn(ctx, r, dir, revision, std)
		switch {
		case err != nil && part != nil && now && len(r.Base) > 0 && (!r.KustomizeTyped || r.Part != "") && r.LeavesUnchanged(ctx, dir):
			r.Unchanged, r.Failing = append(slices.Clone(r.Unchanged), dir), append(slices.Clone(r.Failing), request.Failing{Dir: dir, Why: err.Error()})
		case err != nil && part != nil && !now:
			// The others are still read.
			set.Problems = append(set.Problems, notRendered(revision, dir, err))
		case err != nil && part != nil && r.Judged && (r.Part != "" || !r.KustomizeTyped): // the others are rehearsed all the same
			r.NotRendered = append(slices.Clone(r.NotRendered), request.Failing{Dir: dir, Why: err.Error()})
		case err != nil && part != nil && r.Part != "":
			set.Problems = append(set.Problems, manifest.Problem{File: cmp.Or(kustomize.FileIn(disk.Files{}, filepath.ToSlash(dir)), dir), Text: err.Error()})
		case err != nil:
			return nil, nil, nil, err
		case part == nil:
			absent = append(absent, dir)
		case part == sameNowAsThen:
			same = append(same, dir)
		default:
			set.Add(part)
		}
	}
	return set, same, absent, nil
}

// Failing says why overlays cannot be rendered, now and before; where not all is told, they are counted
// among those that do not change.
func Failing(r *request.Inputs) (notes []string) {
	for _, f := range r.Failing {
		if r.Verbose {
			notes = append(notes, f.Dir+" is not rendered: "+f.Why+"; it does not change")
		}
	}
	return notes
}

// notRendered is the problem of a kustomization or a chart that cannot be rendered at a revision.
func notRendered(revision, at string, err error) manifest.Problem {
	return manifest.Problem{File: revision + ":" + filepath.ToSlash(filepath.Clean(at)), Text: err.Error()}
}

var sameNowAsThen = &manifest.Set{}

// kustomizedIn is kustomized of one directory; nil if the revision does not have it. With an
// error the set is empty if only this kustomization cannot be rendered.
func kustomizedIn(ctx context.Context, r *request.Inputs, dir, revision string, std system.Streams) (*manifest.Set, error) {
	var files kustomize.Files = disk.Files{}
	if old := r.Renamed[dir]; old != "" && revision != "" && revision != system.Index {
		dir = old
	}
	at := filepath.ToSlash(filepath.Clean(dir))
	from := dir
	gone := slices.Contains(r.Gone.Kustomize, dir)
	if slices.Contains(r.Unchanged, dir) || gone && (revision == "" || revision == system.Index) {
		return &manifest.Set{}, nil
	}
	if revision != "" {
		tree, err := r.AtStart, error(nil)
		if r.Start != request.GitBase+revision || !system.Within(dir, disk.Repository(r.Directory)) {
			if tree, err = system.RevisionAt(ctx, r.Limits, revision, dir); err != nil {
				return nil, err
			}
		}
		at = tree.At(dir)
		files, from = tree, tree.Name(at)
		if kustomize.FileIn(files, at) == "" {
			return nil, nil
		}
		if len(r.Base) == 0 && revision != system.Index && !gone && r.SameKustomization(ctx, tree, at, dir) {
			return sameNowAsThen, nil
		}
	} else if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("-k %s is not a local directory%s", visible.Line(dir), cmp.Or(manifest.Near(dir), "; pass the directory with kustomization.yaml (nothing is downloaded)"))
	}
	k := kustomize.Read(files, at)
	if excess := k.Excess(r.Limits.Input.Bytes()); excess != "" {
		return nil, fmt.Errorf("%s is not rendered: it %s; render it elsewhere and pass the result with -f", visible.Line(dir), excess)
	}
	confined := r.Trusted != nil || !r.KustomizeTyped
	if confined {
		if err := confine(k, dir, revision == "", r.Trusted != nil); err != nil {
			return &manifest.Set{}, err
		}
	}
	text, known := r.Rendered[from]
	if !known {
		var err error
		if text, err = render(ctx, r, k, files, dir, confined, std); err != nil {
			return &manifest.Set{}, err
		}
		if r.Rendered == nil {
			r.Rendered = map[string][]byte{}
		}
		r.Rendered[from] = text
	}
	set := manifest.ReadKustomized(from, text)
	if err := r.Variables.Substitute(ctx, r.Limits, revision, set, func(*manifest.Object) string { return r.Variables.FromTop(dir) }); err != nil {
		return nil, err
	}
	if len(k.Roots) == 0 {
		return set, nil
	}
	sources := sync.OnceValue(func() *kustomize.Sources { return k.Sources(files, r.Limits) })
	set.RenderedFrom(func(o *manifest.Object, p fieldpath.Path) manifest.Place { return sources().Place(o, p) })
	return set, nil
}

// Manifests are those of -f, and what a program renders for -k.
func Manifests(ctx context.Context, r *request.Inputs, std system.Streams, stdin io.Reader) (set *manifest.Set, err error) {
	revision := ""
	switch {
	case r.Brings():
		return &manifest.Set{}, nil
	case r.Staged:
		files, problems, err := staged(ctx, r, r.Present())
		if err != nil {
			return nil, err
		}
		set, revision = readTexts(r, files), system.Index
		set.Problems = append(problems, set.Problems...)
	case len(r.Files) > 0:
		var gone []manifest.Problem
		paths := r.Present()
		if r.Judged && !r.FilesGiven && len(paths) > 1 {
			paths = slices.DeleteFunc(paths, func(p string) bool {
				_, err := os.Lstat(p)
				absent := os.IsNotExist(err) && !strings.ContainsAny(p, "*?[")
				if absent {
					gone = append(gone, manifest.Problem{Text: fmt.Sprintf("the path %q does not exist", p)})
				}
				return absent
			})
		}
		set = manifest.Read(manifest.Options{Paths: paths, Recursive: r.Recursive, Stdin: stdin, Instead: r.Instead, Except: system.WithinAny(r.NotManifests), Unvalidated: r.Diff || r.FieldValidation == rehearsal.Ignore, Kept: r.Kept, Limits: r.Limits})
		set.Problems = append(gone, set.Problems...)
	default:
		set = &manifest.Set{}
	}
	if r.Sifts && !r.Staged {
		sift(r, set, func(file string) []byte {
			if r.Instead != nil {
				if text, ok := r.Instead(file); ok {
					return text
				}
			}
			text, _ := disk.ReadFile(file)
			return text
		})
	}
	if err := substitute(ctx, r, revision, set); err != nil {
		return nil, err
	}
	rendered, _, absent, err := kustomized(ctx, r, revision, std)
	switch {
	case err != nil:
		return nil, err
	case len(absent) > 0:
		return nil, fmt.Errorf("--staged: git's index has no kustomization at %s; add it first: git add, or remove the path", absent[0])
	}
	set.Add(rendered)
	if hidden := withoutUnreadBefore(ctx, r, set, func(file string) string { return file }); hidden != nil {
		r.Others = append(slices.Clip(r.Others), phrase.Count(len(hidden), "file", "files")+" cannot be read, as before the change: "+phrase.Abbreviated(hidden, 3))
	}
	return set, nil
}

// withoutUnreadBefore takes out of a set what cannot be read of files that stay as they are, and
// returns these. here is the path of a file now.
func withoutUnreadBefore(ctx context.Context, r *request.Inputs, set *manifest.Set, here func(file string) string) (files []string) {
	if !r.Judged || r.AtStart == nil || !r.OfChange() || r.Instead != nil && !r.Staged {
		return nil
	}
	set.Problems = slices.DeleteFunc(set.Problems, func(p manifest.Problem) bool {
		isObject := p.Object != nil && p.Object.Name != "" && p.Object.Kind.Kind != "" && p.Object.Kind.Version != "" // it is rejected, as before
		if p.Severity != manifest.Error || isObject || p.File == "" || !r.SameAsStart(ctx, here(p.File)) {
			return false
		}
		if !slices.Contains(files, p.File) {
			files = append(files, p.File)
		}
		return true
	})
	return files
}

// substitute puts the values of Flux into the manifests of files.
func substitute(ctx context.Context, r *request.Inputs, revision string, set *manifest.Set) error {
	return r.Variables.Substitute(ctx, r.Limits, revision, set, func(o *manifest.Object) string {
		if below, ok := strings.CutPrefix(o.Origin.File, revision+":"); ok && revision != "" {
			return below
		}
		return r.Variables.FromTop(o.Origin.File)
	})
}

// readTexts reads files that are not on the disk.
func readTexts(r *request.Inputs, files []manifest.File) *manifest.Set {
	set := manifest.ReadFiles(files, r.Limits)
	if r.Sifts {
		sift(r, set, func(file string) []byte {
			i := slices.IndexFunc(files, func(f manifest.File) bool { return f.Name == file })
			if i < 0 {
				return nil
			}
			return files[i].Data
		})
	}
	return set
}

// sift passes over the files of a set that are no manifests.
func sift(r *request.Inputs, set *manifest.Set, text func(file string) []byte) {
	excluded := func(file string) bool {
		if r.AtStart != nil {
			if below, ok := strings.CutPrefix(file, r.AtStart.Name("")); ok {
				file = r.AtStart.Here(below)
			}
		}
		return r.Settings.Excludes(file) && (r.Staged || !slices.Contains(r.Files, file))
	}
	set.Objects = slices.DeleteFunc(set.Objects, func(o *manifest.Object) bool { return excluded(o.Origin.File) })
	set.Problems = slices.DeleteFunc(set.Problems, func(p manifest.Problem) bool { return p.File != "" && excluded(p.File) })
	judged := func(o survey.Other) bool {
		file := o.Path
		if r.AtStart != nil {
			file = strings.TrimPrefix(file, r.AtStart.Name(""))
		}
		return r.PathsAreSet && !r.SkipOtherFiles && slices.ContainsFunc(r.Files, func(p string) bool { return filepath.ToSlash(filepath.Clean(p)) == filepath.ToSlash(file) })
	}
	others := survey.Sift(set, judged, text)
	r.NotJudged = append(slices.Clip(r.NotJudged), others...)
	if note := survey.Counted(others); note != "" && r.Verbose {
		r.Others = append(slices.Clip(r.Others), note)
	}
}

// confine refuses a kustomization that reads or starts more than files of this project, for
// a directory that was not typed, or that is a change of others.
func confine(k *kustomize.Kustomization, dir string, onDisk, trusted bool) error {
	if len(k.Roots) == 0 {
		return fmt.Errorf("%s has no %s; pass the directory of a kustomization", visible.Line(dir), request.KustomizationFiles[0])
	}
	what := k.Unconfined()
	for _, name := range k.Names() {
		if what == "" && onDisk && !disk.Inside(filepath.FromSlash(name), filepath.Join(dir, request.KustomizationFiles[0])) {
			what = "its kustomization names " + name + ", which is outside of the repository"
		}
	}
	if what == "" {
		return nil
	}
	way := "; if that is wanted, pass it yourself: " + visible.Line(shell.File("-k", dir).String())
	switch {
	case k.Broken != "":
		way = "; correct it"
	case trusted:
		way = "; with --trust that is part of the change: render it in a step before, to a new file in the repository, and pass that with -f"
	}
	return fmt.Errorf("%s is not rendered: %s%s", visible.Line(dir), visible.Line(what), way)
}

// offline are the only variables of a program that renders what others wrote. They keep it
// from starting git and helm, and from connecting to anything; kustomize before 5.0 writes
// others, such as a token, into a ConfigMap (sigs.k8s.io/kustomize/api/kv).
var offline = []string{"PATH=", "HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY="}

// render runs a program that renders a kustomization, in place or laid out from git. What
// that says on stderr is passed on of the manifests that are asked about.
func render(ctx context.Context, r *request.Inputs, k *kustomize.Kustomization, files kustomize.Files, dir string, confined bool, std system.Streams) ([]byte, error) {
	program, words, ok := system.Renderer()
	if !ok {
		return nil, fmt.Errorf("-k %s needs kubectl or kustomize, and neither is on the PATH; render it elsewhere and pass the result with -f", dir)
	}
	by := strings.Join(append(words, shell.Path(dir).String()), " ")
	at, to := dir, &renamed{to: io.Discard, from: system.Absolute(".") + string(filepath.Separator)}
	if revision, ok := files.(*system.Revision); ok {
		top, done, err := revision.LayOut(k.Dirs(), k.Names())
		if err != nil {
			return nil, err
		}
		defer done()
		at = filepath.Join(top, filepath.FromSlash(k.Dir))
		by += "' of '" + revision.Name(k.Dir)
		to.from, to.as = top+string(filepath.Separator), strings.TrimSuffix(revision.Name("x"), "x")
	} else {
		for _, root := range append([]*kustomize.Root{{Dir: dir}}, k.Roots...) {
			if err := disk.CheckTree(filepath.FromSlash(root.Dir)); err != nil {
				return nil, fmt.Errorf("-k %s: %w", visible.Line(dir), err)
			}
		}
		if kustomize.FileIn(files, dir) == "" {
			return nil, fmt.Errorf("%s has no kustomization.yaml; pass manifests with -f", visible.Line(dir))
		}
	}
	var env []string
	if confined {
		env = offline
	}
	if _, then := files.(*system.Revision); r.Verbose || r.KustomizeTyped && (!then || r.Staged) { // what kustomize deprecates is about no change
		to.to = std.Err
	}
	rendered, err := renderedBy(ctx, nil, to, r.Limits.Input.Bytes(), by, system.Program{Path: program, Args: []string{words[1], "--", at}, Env: env, Alone: confined})
	if err != nil {
		return nil, errors.New(to.in(err.Error()))
	}
	if !r.Quiet && at == dir && (r.KustomizeTyped || r.Verbose) {
		fmt.Fprintf(std.Err, "note: kustomizations are rendered with '%s'\n", strings.Join(words, " "))
	}
	return rendered, nil
}

// renamed writes a path in another way.
type renamed struct {
	to       io.Writer
	from, as string
}

func (w *renamed) in(text string) string { return strings.ReplaceAll(text, w.from, w.as) }

// Write passes on what it is given at once, as programs that end are read.
func (w *renamed) Write(p []byte) (int, error) {
	_, err := io.WriteString(w.to, w.in(string(p)))
	return len(p), err
}
