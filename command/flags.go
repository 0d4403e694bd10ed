package command

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/selector"
	"threeway/merge/snapshot"
	"threeway/merge/tree"
)

const (
	categoryKubectl = "FLAGS OF KUBECTL"
	categoryOwn     = "FLAGS OF THREEWAY"
)

// planFlags are what every command that rehearses an apply takes.
func planFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "filename", Aliases: []string{"f"}, Category: categoryKubectl, Usage: "config `FILE`, directory, glob, or - for stdin; repeatable, commas separate"},
		&cli.BoolFlag{Name: "recursive", Aliases: []string{"R"}, Category: categoryKubectl, Usage: "enter the directories of -f"},
		kustomizeFlag(),
		&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Category: categoryKubectl, Usage: "`NAMESPACE` of objects that name none; others are refused"},
		&cli.StringFlag{Name: "selector", Aliases: []string{"l"}, Category: categoryKubectl, Usage: "only config objects whose labels match the `SELECTOR`"},
		&cli.IntFlag{Name: "concurrency", Category: categoryKubectl, Usage: "use at most `N` cores, 0 for all; the result is the same", DefaultText: "0"},
		maxInputFlag(),
		&cli.BoolFlag{Name: "show-secrets", Category: categoryKubectl, Usage: "do not mask the values of Secrets"},
		maskEnvFlag(),
		&cli.StringSliceFlag{Name: "live", Category: categoryOwn, Usage: "snapshot `PATH` of live objects: file, directory, or - for stdin; repeatable"},
		emptyClusterFlag(),
		&cli.StringFlag{Name: "stdin-name", Category: categoryOwn, Usage: "`NAME` of stdin in messages and reports", Value: manifest.Stdin},
		&cli.StringSliceFlag{Name: "last-applied", Category: categoryOwn, Usage: "`PATH` of the configs last applied, where the snapshot lacks the annotation"},
		&cli.StringSliceFlag{Name: "crd", Category: categoryOwn, Usage: "`PATH` of CustomResourceDefinitions of the cluster"},
		keyFlag(),
		&cli.StringFlag{Name: "kubernetes-version", Category: categoryOwn, Usage: "simulate Kubernetes `1.NN`", Value: fmt.Sprintf("1.%d", merge.NewestMinor)},
		&cli.BoolFlag{Name: "allow-empty", Category: categoryOwn, Usage: "no config objects is no error"},
		&cli.BoolFlag{Name: "no-fail", Category: categoryOwn, Usage: "exit 0 where it would be 1"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: categoryOwn, Usage: "no summary, warnings or notes"},
		&cli.StringFlag{Name: "color", Category: categoryOwn, Usage: "`WHEN` to colour: auto, always, never", Value: "auto"},
	}
}

func emptyClusterFlag() cli.Flag {
	return &cli.BoolFlag{Name: "empty-cluster", Category: categoryOwn, Usage: "the cluster has none of the exported objects: take an empty snapshot at its word"}
}

func ignoreManagerFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "ignore-manager", Category: categoryOwn, Usage: "be silent about fields that `NAME` owns in the snapshot; repeatable"}
}

// plan reads what the flags name and rehearses the apply.
func plan(c *cli.Context, std streams, diff bool) (*merge.Plan, error) {
	opts, err := rehearsal(c, std, diff)
	if err != nil {
		return nil, err
	}
	return rehearsed(c, opts)
}

// rehearsal reads what the flags name.
func rehearsal(c *cli.Context, std streams, diff bool) (merge.Options, error) {
	opts, err := planOptions(c, std)
	if err != nil {
		return opts, err
	}
	opts.Diff = diff
	if opts.ServerSide, err = serverSide(c); err != nil {
		return opts, err
	}
	opts.Manager = c.String("field-manager")
	if opts.Prune, err = pruneOptions(c); err != nil {
		return opts, err
	}
	return fromBase(c, std, opts)
}

const withoutLive = "no --live: every object counts as absent from the cluster"

// rehearsed makes the plan, and refuses one of which nothing can be learnt.
func rehearsed(c *cli.Context, opts merge.Options) (*merge.Plan, error) {
	p, err := merge.New(opts)
	if err != nil {
		return nil, usageError("%v", err)
	}
	if p.Prune != nil && p.Base == nil && opts.Prune.ApplySet == "" && p.Prune.Unseen() {
		return nil, unseen(p.Prune, len(opts.Live.Entries) > 0)
	}
	if !c.IsSet("live") && p.Base == nil && !opts.EmptyCluster {
		p.Notes = append(p.Notes, withoutLive)
	}
	if len(p.Set) == 0 && !c.Bool("allow-empty") && len(opts.Config.Problems) == 0 {
		return nil, usageError("no objects passed to %s; check -f and -l, or pass --allow-empty", c.Command.Name)
	}
	return p, nil
}

func planOptions(c *cli.Context, std streams) (merge.Options, error) {
	var opts merge.Options
	if err := checkArguments(c); err != nil {
		return opts, err
	}
	var err error
	if opts.Minor, err = minor(c.String("kubernetes-version")); err != nil {
		return opts, err
	}
	if c.IsSet("selector") {
		match, err := selector.Parse(c.String("selector"))
		if err != nil {
			return opts, usageError("%v", err)
		}
		opts.Select = func(labels tree.Object) bool { return match.Matches(labels) }
	}
	stdin := onlyOnce(std.in, slices.Concat(c.StringSlice("filename"), c.StringSlice("live"), c.StringSlice("base")))
	if stdin == nil {
		return opts, usageError("stdin can be read only once: pass - to one of -f, --live and --base")
	}
	name := c.String("stdin-name")
	if opts.Config, err = configSet(c, std, stdin); err != nil {
		return opts, err
	}
	opts.Live = manifest.ReadSnapshot(manifest.Options{Paths: c.StringSlice("live"), Recursive: true, Stdin: stdin, StdinName: name})
	if err := unreadable(opts.Live.Problems); err != nil {
		return opts, err
	}
	opts.EmptyCluster = c.Bool("empty-cluster")
	if err := snapshot.Usable(opts.Live, opts.EmptyCluster, c.StringSlice("live")); err != nil {
		return opts, usageError("%v", err)
	}
	last := manifest.ReadSnapshot(manifest.Options{Paths: c.StringSlice("last-applied"), Recursive: true})
	if err := unreadable(last.Problems); err != nil {
		return opts, err
	}
	opts.LastApplied = map[manifest.Identity]tree.Object{}
	for o := range last.Objects() {
		opts.LastApplied[o.ID()] = o.Tree
	}
	crds := manifest.ReadSnapshot(manifest.Options{Paths: c.StringSlice("crd"), Recursive: true})
	if err := unreadable(crds.Problems); err != nil {
		return opts, err
	}
	opts.Definitions = slices.Collect(crds.Objects())
	if opts.Redaction, err = redactionKey(c); err != nil {
		return opts, err
	}
	switch c.String("validate") {
	case "", "strict", "true":
	case "warn":
		opts.Lenient = true
	case "ignore", "false":
		opts.Lenient, opts.Unwarned = true, true
	default:
		return opts, usageError("invalid - validate option %q; must be one of: strict (or true), warn, ignore (or false)", c.String("validate"))
	}
	opts.KeepConflicts = c.IsSet("overwrite") && !c.Bool("overwrite")
	opts.Namespace, opts.Enforce = c.String("namespace"), c.IsSet("namespace")
	return opts, nil
}

func checkArguments(c *cli.Context) error {
	if err := checkKustomize(c); err != nil {
		return err
	}
	switch {
	case c.Args().Present() && c.Command.ArgsUsage == "":
		return usageError("unexpected argument %q; name config files with -f", c.Args().First())
	case len(c.StringSlice("filename")) == 0 && !c.IsSet("kustomize"):
		return usageError("must specify one of -f and -k: -f names the config files, a directory, or - for stdin")
	}
	switch c.String("color") {
	case "auto", "always", "never":
	default:
		return usageError("--color must be auto, always or never, not %q", c.String("color"))
	}
	return nil
}

// minor reads a Kubernetes version: 1.34, v1.34, 1.34.2.
func minor(version string) (int, error) {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) >= 2 && parts[0] == "1" {
		if n, err := strconv.Atoi(parts[1]); err == nil {
			if n < merge.OldestMinor || n > merge.NewestMinor {
				return 0, usageError("Kubernetes 1.%d is not known; --kubernetes-version takes 1.%d to 1.%d", n, merge.OldestMinor, merge.NewestMinor)
			}
			return n, nil
		}
	}
	return 0, usageError("--kubernetes-version %q is no version; write 1.%d", version, merge.NewestMinor)
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
		return usageError("%s", strings.TrimPrefix(err.Error(), "error: "))
	}
	return nil
}
