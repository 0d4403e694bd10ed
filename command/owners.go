package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/merge/applier"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/owners"
	"threeway/merge/selector"
	"threeway/merge/show"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

func ownersCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "owners",
		Usage:     "show who owns which field",
		UsageText: "threeway owners SNAPSHOT [PATH] | threeway owners -f MANIFESTS --live SNAPSHOT [PATH]",
		ArgsUsage: "[PATH]",
		Description: `With only a snapshot, prints for each field which manager owns it, by which
operation and subresource, and when.
With manifests as well, prints which of their fields other managers own, and
whether an apply takes them over (the manifest has another value), shares them (the
value is the same), or, with --applier flux or argocd, removes them. A manager of
Helm, Argo CD or Flux is shown with its release, Application or Kustomization.
PATH is a field: only it and the fields below it are printed. Values are never
printed. -f alone may name a snapshot as well. The snapshot needs its
managedFields:
kubectl get KINDS -A --show-managed-fields -o yaml

Exit code: 0 done, 2 bad input.

Examples:
  # Who owns what?
  threeway owners --live snapshot.yaml

  # Who sets the replicas?
  threeway owners --live snapshot.yaml spec.replicas

  # Which conflicts would a move to server-side apply meet?
  threeway owners -f deploy/ --live snapshot.yaml --server-side

  # What would Flux take over, and remove?
  threeway owners -f deploy/ --live snapshot.yaml --applier flux --kustomization shop`,
		Flags: append(slices.Concat(request.Without(request.PlanFlags(), "show-secrets", "validate", "last-applied"), request.LookFlags()),
			&cli.BoolFlag{Name: "server-side", Category: request.CategoryApply, Usage: "assume that the manifests are applied server-side"},
			&cli.BoolFlag{Name: "force-conflicts", Category: request.CategoryApply, Usage: "with --applier helm: take over fields of other managers"},
			&cli.StringFlag{Name: "field-manager", Category: request.CategoryApply, Usage: "`NAME` to apply as", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
			request.OutputFlag("owners", request.CategoryOwn),
		),
		Action: p.Does(runOwners),
	}
}

func runOwners(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	field := ""
	if len(r.Args) > 1 {
		return 0, fmt.Errorf("unexpected argument %q; owners takes one PATH", r.Args[1])
	}
	if len(r.Args) > 0 {
		field = r.Args[0]
	}
	below, err := fieldpath.Parse(field)
	if err != nil {
		return 0, fmt.Errorf("invalid path %q: %v; write it like spec.template.spec.containers[name=web].image", field, err)
	}
	secrets := inputs.SecretsOf(&r.Inputs)
	find, unowned := ownersOf, "no manager owns"
	if len(r.Files)+len(r.Kustomize) > 0 {
		find, unowned = contestedBy, "no other manager owns"
	}
	objects, live, err := find(ctx, r, std, below, secrets)
	if err != nil {
		return 0, err
	}
	opts := show.Options{Paint: run.Painter(r.Color, std.Out), Width: system.Width(std.Out)}
	if err := show.Ownerships[r.Format()](std.Out, objects, opts); err != nil {
		return 0, err
	}
	var bare []manifest.Identity
	for o := range live.Objects() {
		if !owners.Recorded(o.Tree) {
			bare = append(bare, o.ID())
		}
	}
	if err := live.Failed(); err != nil {
		return 0, err
	}
	switch {
	case r.Quiet || slices.ContainsFunc(objects, show.Ownership.Found):
	case field != "":
		fmt.Fprintf(std.Err, "note: %s %s in any object; PATH is a field, such as spec.replicas\n", unowned, field)
	case bare == nil:
		fmt.Fprintf(std.Err, "note: %s a field of these objects\n", unowned)
	}
	if bare != nil && !r.Quiet {
		fmt.Fprintf(std.Err, "note: without managedFields, so that their owners are unknown: %d of %s; export them with: %s\n", len(bare), phrase.Count(len(live.Entries), "live object"), manifest.ExportManagers(bare...))
	}
	return system.ExitOK, nil
}

// ownersOf lists the owners in the snapshot.
func ownersOf(_ context.Context, r *request.Request, std system.Streams, below fieldpath.Path, secrets *mask.Policy) ([]show.Ownership, *manifest.Snapshot, error) {
	if len(r.Live) == 0 {
		return nil, nil, fmt.Errorf("no snapshot: pass --live with a file, a directory, or - for stdin; -f names the manifests whose fields other managers may own")
	}
	match, err := selector.Parse(r.Selector)
	if err != nil {
		return nil, nil, err
	}
	live := manifest.ReadSnapshot(manifest.Options{Paths: r.Live, Recursive: true, Stdin: std.In, Limits: r.Limits})
	if err := inputs.Unreadable(live.Problems); err != nil {
		return nil, nil, err
	}
	if len(live.Entries) == 0 {
		return nil, nil, fmt.Errorf("no objects in the snapshot: check --live")
	}
	inputs.Learn(&r.Inputs, nil, live)
	var objects []show.Ownership
	lists := applier.ReadLists(live)
	for o := range live.Objects() {
		if r.NamespaceGiven && o.Namespace != r.Namespace || !match.Matches(tree.Map(o.Tree, "metadata", "labels")) {
			continue
		}
		objects = append(objects, show.Ownership{Object: o, Claims: lists.Claims(o), Fields: owners.Of(secrets.Object(o.Tree), below)})
	}
	if len(objects) == 0 {
		return nil, nil, fmt.Errorf("no objects of the snapshot are chosen: check -n and -l")
	}
	return objects, live, nil
}

// contestedBy lists the fields of the manifests that others own in the snapshot.
func contestedBy(ctx context.Context, r *request.Request, std system.Streams, below fieldpath.Path, secrets *mask.Policy) ([]show.Ownership, *manifest.Snapshot, error) {
	opts, err := inputs.Read(ctx, &r.Inputs, std)
	if err != nil {
		return nil, nil, err
	}
	p, err := inputs.Rehearsed(&r.Inputs, opts)
	if err != nil {
		return nil, nil, err
	}
	if err := inputs.Unreadable(p.Problems); err != nil {
		return nil, nil, err
	}
	var objects []show.Ownership
	lists, absent := applier.ReadLists(opts.Live), 0
	for _, o := range p.Outcomes {
		contested, err := o.Contested()
		one := show.Ownership{Object: o.Manifest}
		if o.Live == nil {
			absent++
		} else {
			one.Claims = lists.Claims(o.Live)
		}
		if err != nil {
			one.Refusal = "cannot be merged with the live object; 'threeway diff --server-side' shows why"
			fmt.Fprintf(std.Err, "note: %s %s\n", o.Identity(), one.Refusal)
		}
		for _, f := range contested {
			last := len(one.Contested) - 1
			f.Path = secrets.Path(o.Manifest.Tree, f.Path)
			if f.Path.HasPrefix(below) && (last < 0 || !one.Contested[last].Path.Equal(f.Path)) {
				one.Contested = append(one.Contested, f)
			}
		}
		objects = append(objects, one)
	}
	if absent > 0 && !r.Quiet {
		fmt.Fprintf(std.Err, "note: not in the snapshot, so that their owners are unknown: %d of %s of the manifests\n", absent, phrase.Count(len(objects), "object"))
	}
	return objects, opts.Live, nil
}
