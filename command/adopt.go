package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/show"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

func adoptCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "adopt",
		Usage:     "migrate live objects into manifests",
		UsageText: "threeway adopt --live SNAPSHOT [-o DIR] [flags]",
		Description: `Writes a manifest for each exported live object, without its status, the
server's metadata, and fields that equal their default. --without-manager also
leaves out fields that only that manager owns. Each manifest is checked: when
applied to the snapshot, it changes nothing but the last-applied annotation. An
object whose manifest would change more is named on stderr and left out. Objects
that a controller owns or the cluster itself creates are skipped and counted, and
so are Secrets unless you pass --show-secrets.

DIR must be new or empty. Without -o the manifests go to stdout.

Exit code: 0 done, 1 some objects were left out, 2 bad input.

Examples:
  # Bring a namespace that was created by hand under version control
  kubectl get deploy,svc -n shop -o yaml --show-managed-fields > snapshot.yaml
  threeway adopt --live snapshot.yaml -n shop -o deploy/

  # One file per app
  threeway adopt --live snapshot.yaml -o deploy/ --per-app

  # Leave the replicas to the autoscaler
  threeway adopt --live snapshot.yaml -o deploy/ --without-manager kube-controller-manager

  # The last-applied annotation that kubectl replace --save-config would set
  threeway adopt --live snapshot.yaml --last-applied`,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "live", Aliases: []string{"filename", "f"}, Category: request.CategoryOwn, Usage: "snapshot `PATH`: a file, a directory, or - for stdin; repeatable or comma-separated"},
			&cli.StringFlag{Name: "namespace", Aliases: []string{"n"}, Category: request.CategoryKubectl, Usage: "only objects in this `NAMESPACE`"},
			&cli.StringFlag{Name: "selector", Aliases: []string{"l"}, Category: request.CategoryKubectl, Usage: "only objects whose labels match `SELECTOR`"},
			&cli.BoolFlag{Name: "show-secrets", Category: request.CategoryKubectl, Usage: "also write Secrets, unmasked, to files that only you can read"},
			request.ConfigFlag(),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: request.CategoryOwn, Usage: "`DIR` to write to", DefaultText: "stdout"},
			&cli.BoolFlag{Name: "per-app", Category: request.CategoryOwn, Usage: "write one file per app, by the label app.kubernetes.io/name or app"},
			&cli.BoolFlag{Name: "keep-defaults", Category: request.CategoryOwn, Usage: "keep fields that equal their default"},
			&cli.StringSliceFlag{Name: "without-manager", Category: request.CategoryOwn, Usage: "leave out fields that only the manager `NAME` owns; repeatable"},
			&cli.BoolFlag{Name: "last-applied", Category: request.CategoryOwn, Usage: "print the last-applied annotation of each object, as kubectl replace --save-config would set it"},
			&cli.StringFlag{Name: "kubernetes-version", Category: request.CategoryOwn, Usage: "simulate Kubernetes `1.NN`", Value: fmt.Sprintf("1.%d", rehearsal.DefaultMinor)},
			&cli.BoolFlag{Name: "no-fail", Category: request.CategoryOwn, Usage: "exit 0 instead of 1"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: request.CategoryOwn, Usage: "print no summary"},
		},
		Action: p.Does(runAdopt),
	}
}

func runAdopt(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	dir := r.Destination()
	switch {
	case len(r.Args) > 0:
		return 0, fmt.Errorf("unexpected argument %q; pass the snapshot with --live", r.Args[0])
	case len(r.Live) == 0:
		return 0, fmt.Errorf("no snapshot: pass --live with a file, a directory, or - for stdin")
	case dir != "" && r.PrintLastApplied:
		return 0, fmt.Errorf("--last-applied prints to stdout; remove -o")
	case dir != "":
		if err := vacant(dir); err != nil {
			return 0, err
		}
	}
	secrets := inputs.SecretsOf(&r.Inputs)
	adopted, notes, err := adopt(r, std, secrets)
	if err != nil {
		return 0, err
	}
	switch {
	case r.PrintLastApplied:
		err = printLastApplied(std, adopted.Manifests)
	case dir == "":
		err = printManifests(std, adopted.Manifests)
	default:
		err = writeManifests(dir, adopted.Manifests, r.PerApp, secrets)
	}
	if err != nil {
		return 0, err
	}
	show.Say(std.Err, "not adopted: ", adopted.Failed...)
	if !r.Quiet {
		show.Say(std.Err, "note: ", notes...)
		for _, why := range slices.Sorted(maps.Keys(adopted.Skipped)) {
			fmt.Fprintf(std.Err, "skipped %d: %s\n", adopted.Skipped[why], why)
		}
		if adopted.Filled > 0 {
			fmt.Fprintf(std.Err, "note: defaults kept in %s: without them an apply would change the object\n", phrase.Count(adopted.Filled, "manifest"))
		}
		text := phrase.Count(len(adopted.Manifests), "object") + " adopted; applying the manifests changes nothing but the last-applied annotation"
		if adopted.Counted > 0 {
			text += fmt.Sprintf(" (and the generation of %d)", adopted.Counted)
		}
		fmt.Fprintln(std.Err, text)
	}
	return r.Differs(len(adopted.Failed) > 0), nil
}

// adopt reads the snapshot and makes the configs. The notes are about the version
// of the server that it rehearses with.
func adopt(r *request.Request, std system.Streams, secrets *mask.Policy) (adopted *workflow.Adopted, notes []string, err error) {
	match, err := selector.Parse(r.Selector)
	if err != nil {
		return nil, nil, err
	}
	live := manifest.ReadSnapshot(manifest.Options{Paths: request.Split(r.Live), Recursive: true, Stdin: std.In, Limits: r.Limits})
	if err := inputs.Unreadable(live.Problems); err != nil {
		return nil, nil, err
	}
	inputs.Learn(&r.Inputs, nil, live)
	opts := merge.Options{Options: rehearsal.Options{Cores: r.Limits.Cores, Inputs: rehearsal.Inputs{Live: live}}}
	if notes, err = inputs.OnServer(&opts, &r.Inputs); err != nil {
		return nil, nil, err
	}
	adopted, err = workflow.Adopt(opts, workflow.Adoption{
		Keep: func(o *manifest.Object) bool {
			return (!r.NamespaceGiven || o.Namespace == r.Namespace) && match.Matches(tree.Map(o.Tree, "metadata", "labels"))
		},
		Secrets: r.ShowSecrets, Policy: secrets, Defaults: r.KeepDefaults, Without: r.WithoutManagers,
	})
	if err != nil {
		return nil, nil, err
	}
	adopted.Manifests = slices.DeleteFunc(adopted.Manifests, func(o *manifest.Object) bool {
		text := []byte(show.Manifest(o))
		if bytes.Equal(secrets.Strike(text), text) {
			return false
		}
		adopted.Skipped[workflow.HoldsSecrets]++ // as the name of a field
		return true
	})
	if len(adopted.Manifests)+len(adopted.Failed)+len(adopted.Skipped) == 0 {
		return nil, nil, fmt.Errorf("no objects to adopt: check --live, -n and -l")
	}
	return adopted, notes, nil
}

// vacant refuses a directory that has something in it.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%v", err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty, and adopt overwrites nothing; pass a new directory to -o", dir)
	}
	return nil
}

func printManifests(std system.Streams, configs []*manifest.Object) error {
	for i, o := range configs {
		text := show.Manifest(o)
		if i > 0 {
			text = "---\n" + text
		}
		if _, err := fmt.Fprint(std.Out, text); err != nil {
			return err
		}
	}
	return nil
}

func printLastApplied(std system.Streams, configs []*manifest.Object) error {
	for _, o := range configs {
		text, err := rehearsal.LastAppliedText(o.Tree)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(std.Out, "# %s\n%s", o.ID(), text); err != nil {
			return err
		}
	}
	return nil
}

// writeManifests writes each object to NAMESPACE/KIND-NAME.yaml, or those of an
// app to NAMESPACE/APP.yaml. Names come from a snapshot: none leaves dir, which is
// vacant before, and again after a failure.
func writeManifests(dir string, configs []*manifest.Object, perApp bool, secrets *mask.Policy) error {
	files := map[string]system.NewFile{}
	for _, o := range configs {
		name := strings.ToLower(o.Kind.GroupKind()) + "-" + o.Name
		if perApp {
			for _, label := range []string{"app", "app.kubernetes.io/name"} {
				if app := tree.String(o.Tree, "metadata", "labels", label); app != "" {
					name = app
				}
			}
		}
		path := filepath.Join(pathPart(o.Namespace), pathPart(name)+".yaml")
		file := files[path]
		if file.Text != "" {
			file.Text += "---\n"
		}
		files[path] = system.NewFile{Path: path, Text: file.Text + show.Manifest(o), Private: file.Private || secrets.Holds(o.Tree)}
	}
	sorted := make([]system.NewFile, 0, len(files))
	for _, path := range slices.Sorted(maps.Keys(files)) {
		sorted = append(sorted, files[path])
	}
	return system.WriteNew(dir, sorted)
}

// pathPart makes one part of a path of a name, such as shop:reader, for any file
// system.
func pathPart(name string) string {
	escaped := strings.ReplaceAll(url.PathEscape(name), ":", "%3A")
	if strings.Trim(escaped, ".") == "" {
		return strings.ReplaceAll(escaped, ".", "%2E")
	}
	return escaped
}
