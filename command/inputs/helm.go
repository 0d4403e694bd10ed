package inputs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/applier/flux"
	"threeway/merge/applier/helm"
	byhelm "threeway/merge/by/helm"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// release is a release of Helm that is rehearsed.
type release struct{ *request.Helm }

// rehearse finds what Helm compares with in the snapshot, or takes --last-applied.
func (h release) rehearse(ctx context.Context, r *request.Inputs, std system.Streams, opts *merge.Options) error {
	rel := &byhelm.Release{Namespace: h.Namespace, Name: h.Name, TakeOwnership: h.TakeOwnership, Major: h.Major, For: h.For}
	history := h.history(opts)
	rel.History = history
	var last *helm.Revision
	var err error
	switch {
	case h.Rollback != nil:
		last, err = h.earlierRevision(r.Limits, history, rel, opts)
	case len(r.LastApplied) > 0:
		rel.Original, err = lastManifests(r)
		opts.LastApplied = nil
	case len(r.Base) == 0:
		last, err = h.lastRevision(r, history, rel, opts)
	}
	if err != nil {
		return err
	}
	installs := rel.Original == nil && len(r.Base) == 0
	if r.AsApplied {
		if rel.Original == nil {
			return fmt.Errorf("the snapshot has no revision of release %s, so what Helm applied last is unknown; pass the manifests with -f", history)
		}
		opts.Manifests = &manifest.Set{Objects: slices.Clone(rel.Original.Objects)}
	}
	if h.Chart != "" {
		if opts.Manifests, err = h.render(ctx, r, std, h.Chart, installs, last, opts); err != nil {
			return err
		}
	}
	if h.Force && h.For == nil && opts.ServerSide == nil && len(r.Base) == 0 {
		return fmt.Errorf("the whole %s is rejected by Helm, because it applies release %s client-side and --force-conflicts is for server-side apply: remove --force-conflicts, or pass --server-side", rel.Verb(), history)
	}
	opts.By = rel.Arrange(opts.Manifests)
	return nil
}

// history is that of the release. Flux unlocks a pending release first.
func (h release) history(opts *merge.Options) helm.History {
	history := helm.ReadHistory(opts.Live, cmp.Or(h.Storage, h.Namespace), h.Name)
	if h.For != nil {
		return history.Unlocked()
	}
	return history
}

// as takes over what a HelmRelease says of the action.
func (h release) as(rel *byhelm.Release, action func(*flux.HelmRelease) flux.HelmAction) {
	if h.For != nil {
		a := action(h.For)
		h.ServerSide, rel.TakeOwnership, rel.Replaces = a.ServerSide, a.Adopts, a.Replaces
	}
}

// lastRevision reads the revision that helm upgrade --install compares with, and decides
// how Helm applies. It is nil if Helm installs.
func (h release) lastRevision(r *request.Inputs, history helm.History, rel *byhelm.Release, opts *merge.Options) (*helm.Revision, error) {
	stored, err := history.Upgrade()
	if err != nil {
		return nil, err
	}
	if stored == nil {
		h.as(rel, func(f *flux.HelmRelease) flux.HelmAction { return f.Install })
		if len(r.Live) > 0 && !opts.Live.Covers("", "Secret") && !opts.EmptyCluster {
			return nil, fmt.Errorf("the snapshot has no Secrets, so the last revision of release %s is unknown; export them too: %s; or pass what %s prints with --last-applied", history,
				shell.Line("kubectl get secrets", shell.Arg{}.In(history.Namespace), shell.Option("-o yaml")), shell.Line("helm get manifest", shell.Operand(history.Name)))
		}
		opts.ServerSide = h.Method(true, "")
		return nil, nil
	}
	h.as(rel, func(f *flux.HelmRelease) flux.HelmAction { return f.Upgrade })
	from, err := stored.Open(r.Limits.Input)
	if err != nil {
		return nil, err
	}
	newest := from
	if last := history.Last(); last.Revision != from.Revision {
		if newest, err = last.Open(r.Limits.Input); err != nil {
			return nil, err
		}
	}
	rel.From, rel.Original = from.Revision, manifestOf(history, from, r.Limits)
	opts.ServerSide = h.Method(false, newest.Method)
	rel.TakeOver = opts.ServerSide != nil && from.Method != "ssa"
	return from, nil
}

// earlierRevision reads the revision to go back to, whose manifests are applied, and the
// newest one, which Helm compares with.
func (h release) earlierRevision(limits manifest.Limits, history helm.History, rel *byhelm.Release, opts *merge.Options) (*helm.Revision, error) {
	newest, older, err := history.Rollback(*h.Rollback)
	if err != nil {
		return nil, err
	}
	from, err := newest.Open(limits.Input)
	if err != nil {
		return nil, err
	}
	to, err := older.Open(limits.Input)
	if err != nil {
		return nil, err
	}
	rel.From, rel.Original, rel.Rollback, rel.Hooks = from.Revision, manifestOf(history, from, limits), to.Revision, to.Hooks
	opts.Manifests = manifestOf(history, to, limits)
	h.as(rel, func(f *flux.HelmRelease) flux.HelmAction { return f.Restore })
	opts.ServerSide = h.Method(false, to.Method)
	return from, nil
}

// manifestOf reads the manifests of a revision.
func manifestOf(history helm.History, r *helm.Revision, limits manifest.Limits) *manifest.Set {
	name := fmt.Sprintf("release %s revision %d", history, r.Revision)
	return manifest.ReadFiles([]manifest.File{{Name: name, Data: []byte(r.Manifest)}}, limits)
}

// usualValues are those that a chart is rendered with if no flag gives any, and where
// they are from.
func (h release) usualValues(last *helm.Revision) (values tree.Object, from string) {
	switch {
	case h.For != nil:
		return h.For.Values, "HelmRelease " + h.For.String()
	case last != nil:
		return last.Values, fmt.Sprintf("revision %d", last.Revision)
	}
	return nil, ""
}

// renderAt renders the chart as a revision of git has it, with the values of the revision; no
// objects if it has no chart there.
func (h release) renderAt(ctx context.Context, r *request.Inputs, revision string, std system.Streams, opts merge.Options) (*manifest.Set, error) {
	tree, err := system.RevisionAt(ctx, r.Limits, revision, filepath.Dir(system.Absolute(h.Chart)))
	if err != nil {
		return nil, err
	}
	at := tree.At(h.Chart)
	if !tree.HasFile(at) && !tree.HasFile(path.Join(at, "Chart.yaml")) {
		return &manifest.Set{}, nil
	}
	dirs := []string{at}
	if tree.HasFile(at) {
		dirs[0] = path.Dir(at) // of an archive
	}
	for _, file := range h.Values {
		if !tree.HasFile(tree.At(file)) {
			return nil, fmt.Errorf("%s is not in git there, so what the chart was rendered with is unknown; render it as it was, and pass that with --base FILE", file)
		}
		dirs = append(dirs, path.Dir(tree.At(file)))
	}
	top, done, err := tree.LayOut(dirs, nil)
	if err != nil {
		return nil, err
	}
	defer done()
	before, quiet := *h.Helm, *r
	before.Chart, before.Values, quiet.Quiet = filepath.Join(top, filepath.FromSlash(at)), nil, true
	for _, file := range h.Values {
		before.Values = append(before.Values, filepath.Join(top, filepath.FromSlash(tree.At(file))))
	}
	return release{&before}.render(ctx, &quiet, std, tree.Name(at), false, nil, &opts)
}

// render runs the helm of this machine, which renders the chart and asks no
// cluster. Its output is called name. As helm upgrade does, it takes the values of the last revision if none are
// given (helm.sh/helm/v3/pkg/action/upgrade.go reuseValues).
func (h release) render(ctx context.Context, r *request.Inputs, std system.Streams, name string, installs bool, last *helm.Revision, opts *merge.Options) (*manifest.Set, error) {
	if _, err := os.Stat(h.Chart); err != nil {
		return nil, fmt.Errorf("--chart %s is no local directory or archive; fetch the chart first with helm pull (nothing is downloaded)", h.Chart)
	}
	for _, path := range append([]string{h.Chart}, h.Values...) {
		if err := disk.CheckTree(path); err != nil {
			return nil, fmt.Errorf("--chart %s: %w", h.Chart, err)
		}
	}
	if git := gitIn(h.Chart); git != "" {
		return nil, fmt.Errorf("--chart %s: its templates may read %s, where a job may have its token; write .git/ into the .helmignore of the chart", h.Chart, git)
	}
	if err := helm.CheckRelease(h.Namespace + "/" + h.Name); err != nil {
		return nil, err
	}
	program, err := system.Which("helm")
	if err != nil {
		return nil, fmt.Errorf("--chart %s needs helm, which is not on the PATH; render it elsewhere with helm template and pass the result with -f", h.Chart)
	}
	args := []string{"template", "--namespace", h.Namespace, "--kube-version", fmt.Sprintf("1.%d.0", r.Minor),
		"--api-versions", strings.Join(rehearsal.Served(opts.Options), ",")}
	if !installs {
		args = append(args, "--is-upgrade")
	}
	for _, file := range h.Values {
		args = append(args, "--values", file)
	}
	for _, value := range h.Set {
		args = append(args, "--set", value)
	}
	// A schema of values may refer to pages of the net.
	var env []string
	if r.Trusted != nil {
		env = offline
	}
	var in io.Reader
	values, from := h.usualValues(last)
	if len(h.Values)+len(h.Set) == 0 && len(values) > 0 {
		text, err := json.Marshal(values)
		if err != nil {
			return nil, fmt.Errorf("read the values of %s: %w", from, err)
		}
		args, in, from = append(args, "--values", "-"), bytes.NewReader(text), " with the values of "+from
	} else {
		from = ""
	}
	by := shell.Line("helm template", shell.Operand(h.Name), shell.Path(name))
	args = append(args, "--", h.Name, h.Chart)
	rendered, err := renderedBy(ctx, in, std.Err, r.Limits.Input.Bytes(), by, system.Program{Path: program, Args: args, Env: env})
	if err != nil {
		return nil, err
	}
	if err := h.define(ctx, r, std, system.Program{Path: program, Env: env}, installs, opts); err != nil {
		return nil, err
	}
	if !r.Quiet {
		fmt.Fprintf(std.Err, "note: %s is the output of '%s'%s\n", h.Chart, by, from)
	}
	return manifest.ReadFiles([]manifest.File{{Name: name, Data: rendered}}, r.Limits), nil
}

// gitIn is a directory of git that the templates of a chart may read with .Files; "" if
// there is none, or if the chart leaves all of them out
// (helm.sh/helm/v3/internal/ignore).
func gitIn(chart string) (git string) {
	ignored, _ := disk.ReadFile(filepath.Join(chart, ".helmignore"))
	for line := range strings.Lines(string(ignored)) {
		if strings.TrimSpace(line) == ".git/" {
			return ""
		}
	}
	_ = filepath.WalkDir(chart, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == ".git" {
			git = file
			return fs.SkipAll
		}
		return nil
	})
	return git
}

// define adds the definitions in crds/ of the chart that the run creates before its objects to
// those that the cluster serves, and says what becomes of them: Helm creates at an install
// what is not there (pkg/action/install.go installCRDs), Flux what a HelmRelease says.
func (h release) define(ctx context.Context, r *request.Inputs, std system.Streams, helm system.Program, installs bool, opts *merge.Options) error {
	policy, verb := "Create", "helm install"
	switch {
	case h.For != nil && installs:
		policy, verb = h.For.Definitions[0], "HelmRelease "+h.For.String()
	case h.For != nil:
		policy, verb = h.For.Definitions[1], "HelmRelease "+h.For.String()
	case !installs:
		policy, verb = "Skip", "helm upgrade"
	}
	by := shell.Line("helm show crds", shell.Path(h.Chart))
	helm.Args = []string{"show", "crds", "--", h.Chart}
	shown, err := renderedBy(ctx, nil, std.Err, r.Limits.Input.Bytes(), by, helm)
	if err != nil {
		return err
	}
	created, left := 0, 0
	for _, o := range manifest.ReadFiles([]manifest.File{{Name: h.Chart + "/crds", Data: shown}}, r.Limits).Objects {
		if policy == "Skip" || policy == "Create" && opts.Live.Find(o.ID()) != nil {
			left++
			continue
		}
		created++
		opts.Definitions = append(opts.Definitions, o)
	}
	if created > 0 && !r.Quiet {
		fmt.Fprintf(std.Err, "note: %s applies %s in crds/ of %s before the objects; the plan does not count them\n", verb, phrase.Count(created, "definition"), h.Chart)
	}
	if left > 0 && !r.Quiet {
		fmt.Fprintf(std.Err, "note: %s leaves %s in crds/ of %s as they are in the cluster, and adds none: apply them before\n", verb, phrase.Count(left, "definition"), h.Chart)
	}
	return nil
}
