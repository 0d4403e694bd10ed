package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"threeway/command/inputs"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint/fix"
	"threeway/merge/fieldpath"
	"threeway/merge/show"
	"threeway/merge/text/shell"
	"threeway/merge/text/visible"
	"threeway/merge/workflow"
)

func handoverCommand(p *run.Program) *cli.Command {
	return &cli.Command{
		Name:      "handover",
		Usage:     "move fields to another manager, or objects to another tool",
		UsageText: "threeway handover [OBJECT] FIELD -f MANIFESTS --live SNAPSHOT [flags] | threeway handover --to APPLIER -f MANIFESTS --live SNAPSHOT [flags]",
		ArgsUsage: "[OBJECT] FIELD",
		Description: `Prints the steps, with the commands to run and the lines to edit, that move a
field from the manifest to another manager (an autoscaler, a controller, a person
with kubectl edit) without clearing or resetting it on the way. Each step is
rehearsed on the snapshot, and no file is changed. FIELD is a path as threeway
prints it. Pass OBJECT if more than one object has the field.

With --to, all objects go from the programs that apply them to another one, such as
from Helm to Flux: what its first run changes, takes over, removes, leaves behind
and deletes, with the steps before and after it.

Exit code: 0 the field keeps its value, 1 it does not, 2 bad input, or a field
that cannot be handed over; with --to 0, or 2 if an object is rejected.

Examples:
  # Leave the replicas to an autoscaler
  threeway handover spec.replicas -f deploy/web.yaml --live snapshot.yaml

  # The same for server-side apply
  threeway handover spec.replicas -f web.yaml --live snapshot.yaml --server-side

  # Move a release of Helm to Flux
  threeway handover --to flux -f deploy/ --live snapshot.yaml`,
		Flags: append(slices.Concat(request.PlanFlags(), request.HelmFlags(), request.ChartFlags(), request.ArgoFlags(), request.FluxFlags(), moveFlags()),
			&cli.BoolFlag{Name: "server-side", Category: request.CategoryApply, Usage: "the manifest is applied server-side"},
			&cli.StringFlag{Name: "field-manager", Category: request.CategoryApply, Usage: "`NAME` of the field manager that applies the manifest", DefaultText: "kubectl with --server-side, else kubectl-client-side-apply"},
			request.OutputFlag("handover", request.CategoryOwn),
		),
		Action: p.Does(runHandover),
	}
}

func runHandover(ctx context.Context, r *request.Request, std system.Streams) (system.ExitCode, error) {
	if r.MoveTo != "" {
		return runMove(ctx, r, std)
	}
	transfer, err := transfer(r)
	if err != nil {
		return 0, err
	}
	opts, err := inputs.Read(ctx, &r.Inputs, std)
	if err != nil {
		return 0, err
	}
	plan, err := inputs.Rehearsed(&r.Inputs, opts)
	if err != nil {
		return 0, err
	}
	if err := inputs.Unreadable(plan.Problems); err != nil {
		return 0, err
	}
	h, err := workflow.HandOver(plan, opts, transfer)
	if err != nil {
		return 0, err
	}
	secrets := inputs.SecretsOf(&r.Inputs)
	shown := show.Options{Secrets: secrets, ShowSecrets: r.ShowSecrets, Context: 3, Paint: run.Painter(r.Color, std.Out)}
	for i := range h.Steps {
		if h.Steps[i].Do == workflow.EditConfig {
			editFile(&h.Steps[i], h.Path, shown)
		}
	}
	if err := show.Handover(std.Out, h, shown); err != nil {
		return 0, err
	}
	if !r.Quiet {
		show.Say(std.Err, "note: ", slices.Concat(plan.Notes, h.Notes)...)
		fmt.Fprintln(std.Err, show.HandoverSummary(plan, h))
	}
	return r.Differs(!h.Holds()), nil
}

// transfer reads what is to be handed over.
func transfer(r *request.Request) (workflow.Transfer, error) {
	var t workflow.Transfer
	args := r.Args
	switch {
	case r.Format() != "text":
		return t, fmt.Errorf("-o %s only works with --to APPLIER: the steps for a field are for people", r.Format())
	case len(args) == 0:
		return t, fmt.Errorf("the field is missing: threeway handover spec.replicas …")
	case len(args) > 2:
		return t, fmt.Errorf("unexpected argument %q; handover takes an optional OBJECT and a FIELD", args[2])
	case len(r.Live) == 0:
		return t, fmt.Errorf("handover needs a snapshot of the live object: pass it with --live")
	case len(r.Kustomize) > 0:
		return t, fmt.Errorf("handover edits files, and manifests rendered with -k are in no file: find the field in the kustomization's sources, and use: %s | threeway handover … -f -", shell.Line("kubectl kustomize", shell.Path(r.Kustomize[0])))
	}
	if len(args) == 2 {
		t.Object = args[0]
	}
	field := args[len(args)-1]
	var err error
	if t.Path, err = fieldpath.Parse(field); err != nil {
		return t, fmt.Errorf("invalid path %q: %v; write it like spec.template.spec.containers[name=web].image", field, err)
	}
	return t, nil
}

// editFile makes the change of the manifest in the text of its file.
func editFile(s *workflow.HandoverStep, at fieldpath.Path, opts show.Options) {
	e := s.Edits[0]
	line, _, _ := e.Manifest.Position(at)
	s.Text += fmt.Sprintf(": %s:%d", visible.Line(filepath.ToSlash(e.Manifest.Origin.File)), line)
	s.Files = fix.New(func() string { return "" }).Steps([]workflow.Step{s.Step}, opts.Secrets, opts.ShowSecrets)[0].Files
	if why := s.Files[0].Why; why != "" {
		s.Text, s.Files = s.Text+fmt.Sprintf(", by hand (%s)", why), nil
	}
}
