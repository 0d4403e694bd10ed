// Package inputs reads what a request names: manifests, snapshots, their base and
// what another applier keeps, and makes of it the options of a rehearsal.
package inputs

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"threeway/command/request"
	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// Read reads all that a rehearsal is made of: the manifests, from files, a program or the
// index of git, what the cluster or --base has, what another applier keeps of its last run,
// and what may be pruned. It fails on flags that contradict each other, on a snapshot that
// is not whole, and on paths that choose nothing; what is wrong with a manifest is a
// problem of the set. Options that it has returned may be rehearsed more than once.
func Read(ctx context.Context, r *request.Inputs, std system.Streams) (merge.Options, error) {
	opts := merge.Options{
		Options: rehearsal.Options{
			Minor:     r.Minor,
			Cores:     r.Limits.Cores,
			Progress:  r.Limits.Progress,
			Namespace: r.Namespace,
			Enforce:   r.NamespaceGiven,
			Inputs:    rehearsal.Inputs{EmptyCluster: r.EmptyCluster},
			Applying:  r.Applying,
		},
		Before: r.Before,
	}
	if err := checkArguments(ctx, r); err != nil {
		return opts, err
	}
	if r.Selector != "" {
		match, err := selector.Parse(r.Selector)
		if err != nil {
			return opts, err
		}
		opts.Select = func(labels tree.Object) bool { return match.Matches(labels) }
	}
	stdin := OnlyOnce(std.In, slices.Concat(r.Files, r.Live, r.Base))
	if stdin == nil {
		return opts, fmt.Errorf("stdin can be read only once: pass - to one of -f, --live and --base")
	}
	var err error
	if opts.Manifests, err = Manifests(ctx, r, std, stdin); err != nil {
		return opts, err
	}
	all := slices.Clone(opts.Manifests.Objects)
	hooks := &hooks{now: withoutHooks(r, opts.Manifests)}
	r.AllowEmpty = r.AllowEmpty || len(hooks.now) > 0
	opts.Gaps = NotRead(ctx, r)
	notes, err := selected(r, opts.Manifests)
	if err != nil {
		return opts, err
	}
	notes = slices.Concat(notes, r.Others, Failing(r), hooks.notes())
	notes = append(notes, leftOut(r, opts.Manifests)...)
	if err := readCluster(r, stdin, &opts); err != nil {
		return opts, err
	}
	if opts.Notes = append(opts.Notes, notes...); r.Trusted != nil {
		opts.Notes = append(r.Trusted.Notes(), opts.Notes...)
	}
	switch {
	case r.By != nil:
		err = rehearseAs(ctx, r.By, r, std, &opts)
	case r.AsApplied:
		opts.Enforce = false // -n selects
		opts.Manifests, err = asApplied(r, opts, func(o *manifest.Object) bool { return !r.NamespaceGiven || o.Namespace == r.Namespace })
	default:
		divideByApplier(ctx, r, std, &opts)
	}
	if err != nil {
		return opts, err
	}
	if opts.Prune, err = pruneOptions(r); err != nil {
		return opts, err
	}
	if opts.Former, err = former(ctx, r, opts.Manifests, hooks, std); err != nil {
		return opts, err
	}
	if opts, err = fromBase(ctx, r, std, opts, hooks); err != nil {
		return opts, err
	}
	opts.Gaps.Add(slices.Concat(hooks.gaps(r), notJudged(ctx, r))...)
	if r.Variables != nil {
		opts.Open, all = r.Variables.Open(), append(all, r.Variables.Secrets()...)
	}
	Learn(r, append(all, opts.Manifests.Objects...), opts.Live)
	return opts, nil
}

// readCluster reads what the cluster has: the snapshot with its version, what was applied
// last to objects without the annotation, definitions, and the key of redacted values.
func readCluster(r *request.Inputs, stdin io.Reader, opts *merge.Options) (err error) {
	read := func(o manifest.Options) (*manifest.Snapshot, error) {
		live := reading(r)(o)
		return live, Unreadable(live.Problems)
	}
	if opts.Live, err = read(manifest.Options{Paths: r.Live, Stdin: stdin}); err != nil {
		return err
	}
	if opts.Notes, err = OnServer(opts, r); err != nil {
		return err
	}
	if err := snapshot.Usable(opts.Live, opts.EmptyCluster, r.Live); err != nil {
		return err
	}
	last, err := read(manifest.Options{Paths: r.LastApplied})
	if err != nil {
		return err
	}
	opts.LastApplied = map[manifest.Identity]tree.Object{}
	for o := range last.Objects() {
		opts.LastApplied[o.ID()] = o.Tree
	}
	Learn(r, nil, last)
	if opts.Definitions, opts.Schemas, err = Kinds(r, opts.Manifests.Objects); err != nil {
		return err
	}
	opts.Definitions = slices.DeleteFunc(opts.Definitions, func(o *manifest.Object) bool { return opts.Live.FindEntry(o.ID()) != nil })
	opts.Redaction, err = RedactionKey(r.KeyFile)
	return err
}

// reading reads exports as a request wants it.
func reading(r *request.Inputs) func(manifest.Options) *manifest.Snapshot {
	return func(o manifest.Options) *manifest.Snapshot {
		o.Recursive, o.Limits = true, r.Limits
		if r.Trusted != nil {
			o.From = r.Trusted.Files
		}
		if r.Exports != nil && len(o.Paths) > 0 {
			return r.Exports(o)
		}
		return manifest.ReadSnapshot(o)
	}
}

// Kinds reads what paths have of custom kinds: definitions, and schemas, of which those of the
// objects must be readable.
func Kinds(r *request.Inputs, objects []*manifest.Object) ([]*manifest.Object, *manifest.Schemas, error) {
	definitions, set, problems := manifest.ReadKinds(manifest.Options{Paths: r.Definitions}, reading(r))
	for _, o := range objects {
		if err := set.Check(o.Kind); err != nil {
			return nil, nil, err
		}
	}
	return definitions, set, Unreadable(problems)
}

// WithoutLive is the note of a run that knows nothing of the cluster.
const WithoutLive = "no snapshot and no --base: every object is treated as new"

// Rehearsed makes the plan, and returns an error for one that cannot show
// anything.
func Rehearsed(r *request.Inputs, opts merge.Options) (*merge.Plan, error) {
	if shown := r.Shown(); shown != nil {
		opts.Only = func(o *manifest.Object) bool { return shown(o.Origin.File) }
	}
	p, err := merge.New(opts)
	if err != nil {
		return nil, err
	}
	if opts.Prune != nil && p.Prune != nil && p.Base == nil && opts.Prune.ApplySet == "" && p.Prune.Unseen() {
		return nil, unseen(p.Prune, len(opts.Live.Entries) > 0)
	}
	if len(r.Live) == 0 && p.Base == nil && !opts.EmptyCluster {
		p.Notes = append(p.Notes, WithoutLive)
	}
	if !r.ByGiven && p.Base == nil && p.Parts == nil {
		p.Notes = append(p.Notes, appliedBy(p.Outcomes, opts.Live)...)
	}
	p.Add(OtherAppliers(r, p, opts.Live)...)
	p.Notes = append(p.Notes, GatheredNotes(opts.Live, r.Verbose)...)
	for _, path := range r.Files {
		if dir := request.KustomizationOf(path); dir != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("%s has a kustomization.yaml, which kubectl apply -f reads as an object instead of building it; pass it with -k %s", dir, dir))
		}
	}
	if len(p.Set) == 0 && opts.Former.None() && !r.AllowEmpty && len(r.Unchanged) == 0 && !r.IsOverlay() && !r.AsApplied && manifest.Err(opts.Manifests.Problems) == nil && !(p.Diff && p.Prune != nil) {
		run := p.By.Run()
		if p.Diff {
			run = "diff" // where kubectl says nothing, and prunes
		}
		if n := len(opts.Manifests.Objects); n > 0 && r.Selector != "" {
			return nil, fmt.Errorf("no objects passed to %s: -l %s selects none of %s", run, r.Selector, phrase.Count(n, "object"))
		}
		return nil, fmt.Errorf("no objects passed to %s: check -f and -l", run)
	}
	return p, nil
}

// checkArguments returns an error for what cannot be rehearsed.
func checkArguments(ctx context.Context, r *request.Inputs) error {
	if r.Staged && (r.SOPS || r.Fixes || r.Brings()) {
		return fmt.Errorf("--staged reads the manifests of git's index as they are; remove --sops, --fix and --chart, or remove --staged")
	}
	for _, path := range r.Files {
		if chart := request.ChartOf(path); chart != "" && !(r.Trusted != nil && !r.FilesGiven) {
			return isChart(chart, r.Command)
		}
	}
	switch s := r.Survey; {
	case len(r.Files)+len(r.Kustomize) > 0 || r.Brings():
		return nil
	case s != nil && r.AtStart != nil && len(s.Charts)+len(r.NotRendered) > 0 || s != nil && slices.ContainsFunc(s.Others, func(o survey.Other) bool { return o.What == survey.Template }): // what of them changes is a gap
		r.AllowEmpty = true
		return nil
	}
	return noManifests(ctx, r)
}

// noManifests says why a run has no manifests, and where there are some.
func noManifests(ctx context.Context, r *request.Inputs) error {
	s := r.Survey
	switch {
	case s != nil && len(s.Charts) > 0:
		return isChart(s.Charts[0], r.Command)
	case s != nil && len(s.Others) > 0:
		return fmt.Errorf("no manifests in %s: %s", phrase.Few(s.Roots), survey.Counted(s.Others))
	case s != nil && !slices.Equal(s.Roots, []string{"."}):
		return fmt.Errorf("no YAML or JSON files in %s", phrase.Few(s.Roots))
	case r.Settings.File == "" && system.IsRegular(request.Misnamed):
		return fmt.Errorf("no manifests given; the settings are read from %s: rename %s", settings.FileName, request.Misnamed)
	}
	s, err := request.Survey(ctx, nil, r.Settings.Excludes, ".")
	if err != nil {
		return err
	}
	places := append(s.Places(), s.Overlays...)
	if len(places) == 0 {
		return fmt.Errorf("no manifests given, and none found here; pass a file, a directory, or - for stdin with -f, or list them in %s", settings.FileName)
	}
	args := []shell.Arg{shell.File("-f", places[0])}
	switch {
	case len(places) > 1 && r.Command != "guard":
		args = []shell.Arg{shell.Path(".")}
	case len(s.Manifests) == 0:
		args[0] = shell.File("-k", places[0])
	case strings.HasSuffix(places[0], "/"):
		args = append(args, shell.Option("-R"))
	}
	return fmt.Errorf("no manifests given; found %s: try %s, or list them in %s", phrase.Few(places), shell.Line("threeway", append([]shell.Arg{shell.Operand(r.Command)}, args...)...), settings.FileName)
}

func isChart(chart, command string) error {
	return fmt.Errorf("%s is a Helm chart; render its templates first: %s | threeway %s -f -; or rehearse what helm does with it: --applier helm --release NAME %s", chart, shell.Line("helm template NAME", shell.Path(chart)), command, shell.File("--chart", chart))
}

// OnlyOnce returns stdin, or nil if two flags want it.
func OnlyOnce(stdin io.Reader, paths []string) io.Reader {
	n := 0
	for _, p := range request.Split(paths) {
		if p == "-" {
			n++
		}
	}
	if n > 1 {
		return nil
	}
	return stdin
}

// Unreadable is the error of a snapshot that could not be read whole: what is
// missing from it would look absent from the cluster.
func Unreadable(problems []manifest.Problem) error {
	if err := manifest.Err(problems); err != nil {
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "error: "))
	}
	return nil
}
