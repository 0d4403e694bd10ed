// Package flux rehearses what Flux does with one object: of a Kustomization, and where it corrects
// the drift of a HelmRelease.
package flux

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/applier/flux"
	"threeway/merge/applier/helm"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// FluxManager is the field manager of kustomize-controller.
const FluxManager = applier.KustomizationManager

// Kustomization says that Flux applies the manifests, which are what a build of the
// Kustomization gives.
type Kustomization struct {
	flux.Kustomization
	// Override are managers that are taken over besides: --override-manager of the
	// controller.
	Override []string
	// skipped are the manifests that Flux leaves alone (flux.Skipped).
	skipped []*manifest.Object
}

// Run is what Flux calls a run.
func (k *Kustomization) Run() string { return "reconciliation" }

// Claim is that of the labels on its objects.
func (k *Kustomization) Claim() applier.Claim {
	return applier.Claim{Program: applier.Flux, Kind: applier.Kustomization, Namespace: k.Namespace, Name: k.Name}
}

// Title names the Kustomization.
func (k *Kustomization) Title(string) string {
	return fmt.Sprintf("Flux reconciliation of Kustomization %s, inventory of %s", k, phrase.Count(len(k.Inventory), "object"))
}

// Arrange puts a set into Flux's order and takes out what Flux skips.
func (k *Kustomization) Arrange(set *manifest.Set) rehearsal.Applier {
	arranged := *k
	set.Objects, arranged.skipped = k.Kustomization.Arrange(set.Objects)
	return &arranged
}

// Adapt gives the options of a forced server-side apply. Definitions are a stage of their own, and Flux waits for them.
func (k *Kustomization) Adapt(opts rehearsal.Options) rehearsal.Options {
	opts.Diff, opts.Enforce, opts.Namespace, opts.Manager, opts.FieldValidation = false, false, k.TargetNamespace, FluxManager, rehearsal.Warn
	opts.ActAs(k.Users(opts.Live))
	opts.DefinesFirst, opts.ServerSide = true, &rehearsal.ServerSide{Force: true, Manager: FluxManager}
	return opts
}

// Begin compares with what is live.
func (k *Kustomization) Begin(*rehearsal.Run) error { return nil }

// Next has the set in its inventory.
func (k *Kustomization) Next(applied *manifest.Set) rehearsal.Applier {
	next := *k
	if next.Inventory = nil; applied == nil {
		return &next
	}
	for _, o := range slices.Concat(applied.Objects, k.skipped) {
		next.Inventory = append(next.Inventory, o.ID())
	}
	return &next
}

// Unserved is the answer to a kind that the cluster does not serve.
func (k *Kustomization) Unserved(o *rehearsal.Outcome) *fault.Rejection {
	text := fault.Words("%s dry-run failed: no matches for kind %q in version %q", subject(o), o.Kind.Kind, o.Kind.APIVersion())
	return fault.Refuse(text, fault.Fault{Code: fault.UnknownKind, Path: fieldpath.New("kind")}).Bare(nil)
}

// Words is the server's answer to a dry run or an apply as Flux words it
// (ssa/errors/dryrun.go).
func (k *Kustomization) Words(_ *rehearsal.Run, o *rehearsal.Outcome, no *fault.Rejection, verb string) *fault.Rejection {
	if verb == "retrieving" {
		verb = "dry-run"
	}
	head := fault.Words("%s %s failed: ", subject(o), verb)
	if no.Reason != "" {
		head = fault.Words("%s %s failed (%s): ", subject(o), verb, no.Reason)
	}
	return no.Bare(func(message fault.Text) fault.Text { return fault.Join(head, message) })
}

// subject is an object in Flux's messages (ssa/utils/fmt.go FmtUnstructured).
func subject(o *rehearsal.Outcome) string {
	return name(o.Kind.Kind, o.Manifest.Namespace, o.Manifest.Name)
}

func name(kind, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return kind + "/" + name
}

// notes say what Flux does besides, and what the rehearsal leaves out.
func (k *Kustomization) notes(done rehearsal.Results) (notes []string) {
	if k.Suspended {
		notes = append(notes, fmt.Sprintf("Kustomization %s is suspended: Flux applies nothing until %s", k, shell.Line("flux resume kustomization", shell.Operand(k.Name).In(k.Namespace))))
	}
	var skipped, removed, hooks []string
	var failed *rehearsal.Outcome
	taken := 0
	for _, o := range k.skipped {
		skipped = append(skipped, o.ID().String())
	}
	for _, o := range done.Outcomes {
		if helm.IsHook(o.Manifest) {
			hooks = append(hooks, o.Identity().String())
		}
		switch {
		case o.Action == rehearsal.Rejected:
			if failed == nil {
				failed = o
			}
			continue
		case o.Skipped != "":
			skipped = append(skipped, o.Identity().String())
		case o.TakenOver != nil:
			taken++
			for _, path := range rehearsal.Removed(o.TakenOver, o.Result) {
				removed = append(removed, fmt.Sprintf("%s of %s", path, o.Identity()))
			}
		}
	}
	if skipped != nil {
		notes = append(notes, fmt.Sprintf("%s skipped by %s or %s: %s", phrase.Count(len(skipped), "object is", "objects are"), flux.Reconcile, flux.SSA, phrase.Abbreviated(skipped, 3)))
	}
	if hooks != nil {
		notes = append(notes, fmt.Sprintf("Flux applies %s of Helm as plain objects, with the others and not at their events: %s", phrase.Count(len(hooks), "hook"), phrase.Abbreviated(hooks, 3)))
	}
	if taken > 0 {
		text := fmt.Sprintf("Flux takes over what kubectl owns of %s", phrase.Count(taken, "object"))
		if removed != nil {
			text += fmt.Sprintf(", and so removes %s, which no dry run or diff of Flux shows: %s", phrase.Count(len(removed), "field"), phrase.Abbreviated(removed, 3))
		}
		notes = append(notes, text)
	}
	if text := done.Gone("Flux"); text != "" {
		notes = append(notes, text)
	}
	if failed != nil {
		notes = append(notes, fmt.Sprintf("the reconciliation fails: nothing of the stage of %s and of later ones is applied, only what kubectl owns may have been taken over; nothing is deleted, and Flux tries again", failed.Identity()))
	}
	return notes
}

// Undoes: Flux applies at every interval.
func (k *Kustomization) Undoes() []string {
	if k.Suspended || k.Interval == "" {
		return nil
	}
	return []string{fmt.Sprintf("Flux undoes a change in the cluster at the next reconciliation, every %s", k.Interval)}
}

// After finds what leaves the inventory. A run that fails deletes nothing.
func (k *Kustomization) After(r *rehearsal.Run, done rehearsal.Results) rehearsal.Aftermath {
	after := rehearsal.Aftermath{Notes: k.notes(done)}
	if len(k.Build) > 0 {
		const flux = "what flux build kustomization prints"
		after.Gaps = append(after.Gaps, gap.Gap{
			Code: gap.Unrehearsed, Needs: flux,
			Note: fmt.Sprintf("Kustomization %s has %s, which change the manifests before they are applied and are not simulated: pass %s", k, strings.Join(k.Build, ", "), flux),
		})
	}
	if done.Rejects() {
		failed := slices.IndexFunc(done.Outcomes, func(o *rehearsal.Outcome) bool { return o.Action == rehearsal.Rejected })
		stage := flux.Stage(done.Outcomes[failed].Kind)
		done.Stop(func(o *rehearsal.Outcome) bool { return flux.Stage(o.Kind) >= stage })
		return after
	}
	applied := done.Applied()
	for _, o := range k.skipped {
		applied[o.ID()] = true
	}
	of := "the inventory of Kustomization " + k.String()
	kept := func(live tree.Object) string {
		if !k.Prune {
			return "Kustomization " + k.String() + " does not have spec.prune: true; the object is only dropped from the inventory"
		}
		return k.Kept(live)
	}
	after.Prune = prune.ByInventory(r.Live, prune.Inventory{Objects: k.Inventory, Compare: flux.Compare, Kept: kept, Why: "in " + of + ", and in no manifest"}, applied)
	if k.Prune {
		after.Gaps = append(after.Gaps, r.Uncovered(after.Prune, "Flux", of)...)
	}
	var fails string
	after.Gaps = append(after.Gaps, r.Spare(after.Prune, []string{"get", "delete"}, func(c prune.Candidate, verb, why string) {
		doing := map[string]string{"get": "query", "delete": "delete"}[verb]
		fails += fmt.Sprintf("%s %s failed: %s;", name(c.Live.Kind.Kind, c.Live.Namespace, c.Live.Name), doing, why)
	})...)
	if fails != "" {
		after.Prune.Failed = "delete failed, errors: " + fails
	}
	return after
}
