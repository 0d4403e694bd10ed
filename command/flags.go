package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/settings"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

const (
	categoryKubectl = "FLAGS OF KUBECTL"
	categoryOwn     = "FLAGS OF THREEWAY"
)

// planFlags are what every command that rehearses an apply takes.
func planFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "filename", Aliases: []string{"f"}, Category: categoryKubectl, Usage: "manifests: a `FILE`, a directory, a glob, or - for stdin; repeatable or comma-separated"},
		&cli.BoolFlag{Name: "recursive", Aliases: []string{"R"}, Category: categoryKubectl, Usage: "read the directories of -f recursively"},
		kustomizeFlag(),
		&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Category: categoryKubectl, Usage: "`NAMESPACE` of objects without one; objects with another namespace are rejected"},
		&cli.StringFlag{Name: "as", Category: categoryKubectl, Usage: "who applies, for admission policies that ask: `USER`, such as system:serviceaccount:ci:deployer"},
		&cli.StringSliceFlag{Name: "as-group", Category: categoryKubectl, Usage: "a `GROUP` of the user of --as; repeatable"},
		&cli.StringFlag{Name: "as-uid", Category: categoryKubectl, Usage: "the `UID` of the user of --as"},
		&cli.StringFlag{Name: "selector", Aliases: []string{"l"}, Category: categoryKubectl, Usage: "only manifests whose labels match `SELECTOR`"},
		&cli.IntFlag{Name: "concurrency", Category: categoryKubectl, Usage: "use at most `N` cores, 0 for all; does not affect the result", DefaultText: "0"},
		maxInputFlag(),
		&cli.StringFlag{Name: "validate", Category: categoryKubectl, Usage: "what to do with unknown fields: `MODE` strict (or true) rejects the object; warn and ignore (or false) drop the fields, as diff always does", Value: strict},
		&cli.BoolFlag{Name: "show-secrets", Category: categoryKubectl, Usage: "show the values of Secrets unmasked"},
		maskEnvFlag(),
		configFlag(),
		&cli.StringSliceFlag{Name: "live", Category: categoryOwn, Usage: "snapshot `PATH` of live objects: file, directory, archive, or - for stdin; repeatable; diff, lint, review and upgrade take NAME=PATH for each of several clusters"},
		verboseFlag(),
		emptyClusterFlag(),
		&cli.StringFlag{Name: "stdin-name", Category: categoryOwn, Usage: "`NAME` to use for stdin in messages and reports", Value: manifest.Stdin},
		&cli.StringSliceFlag{Name: "last-applied", Category: categoryOwn, Usage: "`PATH` of the last-applied manifests, for live objects without the annotation"},
		&cli.StringSliceFlag{Name: "crd", Category: categoryOwn, Usage: "`PATH` of the cluster's CustomResourceDefinitions"},
		keyFlag(),
		&cli.StringFlag{Name: "kubernetes-version", Category: categoryOwn, Usage: "simulate Kubernetes `1.NN`", Value: fmt.Sprintf("1.%d", rehearsal.DefaultMinor)},
		&cli.BoolFlag{Name: "allow-empty", Category: categoryOwn, Usage: "do not fail if there are no objects"},
		&cli.BoolFlag{Name: "no-fail", Category: categoryOwn, Usage: "exit 0 instead of 1"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: categoryOwn, Usage: "print no summary, warnings or notes"},
		&cli.StringFlag{Name: "color", Category: categoryOwn, Usage: "`WHEN` to use color: auto, always, never", Value: "auto"},
	}
}

func verboseFlag() cli.Flag {
	return &cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Category: categoryOwn, Usage: "name what was skipped: files of the snapshot and, with lint, rules that do not apply to this run"}
}

func emptyClusterFlag() cli.Flag {
	return &cli.BoolFlag{Name: "empty-cluster", Category: categoryOwn, Usage: "accept an empty snapshot: the cluster has none of the exported kinds"}
}

// pathArguments is what commands take besides flags that rehearse the apply of
// manifests: they are the set, or choose what is shown of it.
const pathArguments = "[PATH...]"

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Aliases: []string{"c"}, Category: categoryOwn, Usage: "settings `FILE`, or '' for none", DefaultText: settings.FileName + " here or in a directory above, up to the top of the repository"}
}

func ignoreManagerFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "ignore-manager", Category: categoryOwn, Usage: "ignore fields owned by `NAME` in the snapshot; repeatable"}
}

// read reads what the request names.
func read(ctx context.Context, r *Request, std streams, diff bool) (merge.Options, error) {
	opts, err := planOptions(ctx, r, std)
	if err != nil {
		return opts, err
	}
	opts.Diff = diff
	if opts.Prune, err = pruneOptions(r); err != nil {
		return opts, err
	}
	if opts, err = fromBase(ctx, r, std, opts); err != nil {
		return opts, err
	}
	return opts, learn(r, opts.Config, opts.Live)
}

const withoutLive = "no --live: every object counts as absent from the cluster"

// rehearsed makes the plan, and returns an error for one that cannot show
// anything.
func rehearsed(r *Request, opts merge.Options) (*merge.Plan, error) {
	if shown := r.shown(); shown != nil {
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
		p.Notes = append(p.Notes, withoutLive)
	}
	if !r.ByGiven && p.Base == nil && p.Parts == nil {
		p.Notes = append(p.Notes, appliedBy(p, opts.Live)...)
	}
	p.Leave(otherAppliers(r, p, opts.Live)...)
	p.Notes = append(p.Notes, gatheredNotes(opts.Live, r.Verbose)...)
	for _, path := range r.Files {
		if dir := kustomizationOf(path); dir != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("%s has a kustomization.yaml, which kubectl apply -f reads as an object instead of building it; pass it with -k %s", dir, dir))
		}
	}
	if len(p.Set) == 0 && !r.AllowEmpty && !r.AsApplied && len(opts.Config.Problems) == 0 {
		return nil, fmt.Errorf("no objects passed to %s: check -f and -l, or pass --allow-empty", r.Command)
	}
	return p, nil
}

func planOptions(ctx context.Context, r *Request, std streams) (merge.Options, error) {
	opts := merge.Options{
		Options: rehearsal.Options{
			Minor:         r.Minor,
			Cores:         r.Limits.Cores,
			ServerSide:    r.ServerSide,
			Manager:       r.Manager,
			User:          r.User,
			KeepConflicts: r.KeepConflicts,
			Lenient:       r.Validate != strict,
			Unwarned:      r.Validate == ignore,
			Namespace:     r.Namespace,
			Enforce:       r.NamespaceGiven,
		},
		Before: r.Before,
	}
	if err := checkArguments(r); err != nil {
		return opts, err
	}
	if r.Selector != "" {
		match, err := selector.Parse(r.Selector)
		if err != nil {
			return opts, err
		}
		opts.Select = func(labels tree.Object) bool { return match.Matches(labels) }
	}
	var err error
	stdin := onlyOnce(std.in, slices.Concat(r.Files, r.Live, r.Base))
	if stdin == nil {
		return opts, fmt.Errorf("stdin can be read only once: pass - to one of -f, --live and --base")
	}
	if opts.Config, err = configSet(ctx, r, std, stdin); err != nil {
		return opts, err
	}
	notes, err := selected(r, opts.Config)
	if err != nil {
		return opts, err
	}
	if notes = append(notes, leftOut(r)...); r.SkipOtherFiles && r.PathsAreSet {
		notes = append(notes, skipLive(opts.Config)...)
	}
	exports := func(o manifest.Options) *manifest.Snapshot {
		if r.Trusted != nil {
			o.From = r.Trusted.Files
		}
		if r.Exports != nil && len(o.Paths) > 0 {
			return r.Exports(o)
		}
		return manifest.ReadSnapshot(o)
	}
	opts.Live = exports(manifest.Options{Paths: r.Live, Recursive: true, Stdin: stdin, StdinName: r.StdinName, Limits: r.Limits})
	if err := unreadable(opts.Live.Problems); err != nil {
		return opts, err
	}
	if opts.Notes, err = onServer(&opts, r); err != nil {
		return opts, err
	}
	opts.Notes, opts.EmptyCluster = append(opts.Notes, notes...), r.EmptyCluster
	if err := snapshot.Usable(opts.Live, opts.EmptyCluster, r.Live); err != nil {
		return opts, err
	}
	last := exports(manifest.Options{Paths: r.LastApplied, Recursive: true, Limits: r.Limits})
	if err := unreadable(last.Problems); err != nil {
		return opts, err
	}
	opts.LastApplied = map[manifest.Identity]tree.Object{}
	for o := range last.Objects() {
		opts.LastApplied[o.ID()] = o.Tree
	}
	crds := exports(manifest.Options{Paths: r.Definitions, Recursive: true, Limits: r.Limits})
	if err := unreadable(crds.Problems); err != nil {
		return opts, err
	}
	opts.Definitions = slices.Collect(crds.Objects())
	if r.Trusted != nil {
		opts.Notes = append(r.Trusted.Notes(), opts.Notes...)
	}
	if opts.Redaction, err = redactionKey(r.KeyFile); err != nil {
		return opts, err
	}
	switch {
	case r.By != nil:
		err = rehearseAs(ctx, r.By, r, std, &opts)
	case r.AsApplied:
		opts.Enforce = false // -n selects
		opts.Config, err = asApplied(r, opts, func(o *manifest.Object) bool { return !r.NamespaceGiven || o.Namespace == r.Namespace })
	default:
		several(ctx, r, std, &opts)
	}
	return opts, err
}

// checkArguments refuses what cannot be rehearsed.
func checkArguments(r *Request) error {
	if err := checkKustomize(r); err != nil {
		return err
	}
	for _, path := range r.Files {
		if chart := chartOf(path); chart != "" {
			return fmt.Errorf("%s is a Helm chart; render its templates first: %s | threeway %s -f -; or rehearse what helm does with it: --applier helm --release NAME %s", chart, shell.Line("helm template NAME", shell.Path(chart)), r.Command, shell.File("--chart", chart))
		}
	}
	if len(r.Files) == 0 && r.Kustomize == "" && !r.brings() {
		return fmt.Errorf("must specify one of -f and -k (-f takes a file, a directory, or - for stdin), or list manifests in %s", settings.FileName)
	}
	return checkColor(r)
}

func checkColor(r *Request) error {
	switch r.Color {
	case "auto", "always", "never":
		return nil
	}
	return fmt.Errorf("unknown value %q of --color: use auto, always or never", r.Color)
}

// onServer sets the minor that is simulated and that of the snapshot.
func onServer(opts *merge.Options, r *Request) (notes []string, err error) {
	told := snapshot.VersionOf(opts.Live)
	opts.Exported = told.Told()
	opts.Minor, notes, err = simulated(r, told)
	return notes, err
}

// simulated is the minor that a run simulates: the one that is asked for, else
// that of the snapshot, else the default, or for upgrade the one before --to. The
// note says what is worth knowing.
func simulated(r *Request, told snapshot.Version) (minor int, notes []string, err error) {
	if r.MinorFrom != "" {
		if why := told.Clash(r.Minor); why != "" {
			notes = []string{fmt.Sprintf("simulating Kubernetes 1.%d as %s says, although %s", r.Minor, r.MinorFrom, why)}
		}
		return r.Minor, notes, nil
	}
	usual := r.Minor
	if r.To != 0 {
		usual = max(r.To-1, rehearsal.OldestMinor)
	}
	minor = told.Likely(usual)
	switch {
	case minor < rehearsal.OldestMinor || minor > rehearsal.NewestMinor:
		return 0, nil, fmt.Errorf("the snapshot comes from Kubernetes 1.%d (%s), and 1.%d to 1.%d can be simulated; pass --kubernetes-version with the nearest one",
			minor, told.By(minor), rehearsal.OldestMinor, rehearsal.NewestMinor)
	case r.To != 0 && minor != told.Least && minor != told.Most:
		notes = []string{fmt.Sprintf("nothing tells which version the cluster runs: comparing with Kubernetes 1.%d, the one before; --kubernetes-version chooses another", minor)}
	case minor != r.Minor:
		notes = []string{fmt.Sprintf("simulating Kubernetes 1.%d, that of the snapshot: %s; --kubernetes-version chooses another", minor, told.By(minor))}
	}
	return minor, notes, nil
}

// minor reads a Kubernetes version: 1.34, v1.34, 1.34.2.
func minor(version string) (int, error) {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) >= 2 && parts[0] == "1" {
		if n, err := strconv.Atoi(parts[1]); err == nil {
			if n < rehearsal.OldestMinor || n > rehearsal.NewestMinor {
				return 0, fmt.Errorf("unknown Kubernetes version 1.%d: --kubernetes-version accepts 1.%d to 1.%d", n, rehearsal.OldestMinor, rehearsal.NewestMinor)
			}
			return n, nil
		}
	}
	return 0, fmt.Errorf("invalid --kubernetes-version %q: write it like 1.%d", version, rehearsal.DefaultMinor)
}

// onlyOnce returns stdin, or nil if two flags want it.
func onlyOnce(stdin io.Reader, paths []string) io.Reader {
	n := 0
	for _, p := range split(paths) {
		if p == "-" {
			n++
		}
	}
	if n > 1 {
		return nil
	}
	return stdin
}

// split takes the values of -f apart at commas, as kubectl does.
func split(values []string) []string {
	var paths []string
	for _, v := range values {
		paths = append(paths, strings.Split(v, ",")...)
	}
	return paths
}

// unreadable is the error of a snapshot that could not be read whole: what is
// missing from it would look absent from the cluster.
func unreadable(problems []manifest.Problem) error {
	if err := manifest.Err(problems); err != nil {
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "error: "))
	}
	return nil
}
