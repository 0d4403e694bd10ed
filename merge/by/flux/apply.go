package flux

import (
	"strings"

	"threeway/merge/applier/flux"
	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Apply rehearses what Flux does with one object: a forced dry run, the take-over of what
// kubectl owns, and, if one of them shows a difference, the apply
// (github.com/fluxcd/pkg/ssa/manager_apply.go ApplyAll).
func (k *Kustomization) Apply(r *rehearsal.Run, o *rehearsal.Outcome) {
	if kubectl.SmallLetters(r, o) {
		return
	}
	r.StartServerSide(o)
	if o.Manifest.Placed && o.Manifest.Namespace != "" {
		text := fault.Words("%s/%s namespace not specified: the server could not find the requested resource", o.Kind.Kind, o.Manifest.Name)
		o.Refuse(fault.Refuse(text, fault.Fault{Code: fault.Invalid, Path: fieldpath.New("metadata", "namespace"), Text: text}).Bare(nil))
		return
	}
	o.Marked = k.Manifest(o.Manifest.Tree, o.Kind)
	before := o.Before // as far as Flux sees it, which goes on without the right to get it
	why, _ := r.Forbids(o.Kind, "get", o.Manifest.Namespace, o.Manifest.Name, "")
	blind := why != ""
	unread := blind && o.Live != nil
	if unread {
		before = nil
	}
	if o.Skipped = flux.Skipped(o.Marked, before); o.Skipped != "" {
		o.Leave()
		return
	}
	request := kube.ApplyRequest{Manifest: o.Marked, Manager: FluxManager, Force: true, Time: r.Live.NewestWrite}
	dryRun := r.Server.Apply(o.Kind, o.Before, request)
	var cleanup tree.Object
	if !unread {
		cleanup = k.cleanup(o)
	}
	if no := dryRun.Rejection; no != nil {
		o.Patch = o.Marked
		if o.Live == nil && !blind || !immutable(no) || !k.Force && !flux.Says(o.Marked, flux.Force, "enabled") && !flux.Says(before, flux.Force, "enabled") {
			o.Refuse(k.Words(r, o, no, "dry-run"))
			return
		}
		if no := k.undeletable(r, o, blind); no != nil {
			o.Refuse(no)
			return
		}
		k.recreate(r, o, request, cleanup != nil)
		return
	}
	if cleanup != nil {
		res := r.Server.Patch(o.Kind, o.Before, cleanup)
		if res.Rejection != nil {
			o.Refuse(k.Words(r, o, res.Rejection, "metadata.managedFields cleanup"))
			return
		}
		o.TakenOver = res.Owned(FluxManager, r.Live.NewestWrite)
	}
	live := o.Taken()
	if o.Live != nil && o.TakenOver == nil && !unread && !drifted(k.Ignored.Without(live, dryRun.Object), k.Ignored.Without(dryRun.Object, dryRun.Object)) {
		o.Leave()
		return
	}
	if o.Live != nil && !unread {
		payload, err := k.Ignored.Payload(o.Marked, live, dryRun.Object, FluxManager)
		if err != nil {
			o.Refuse(fault.Refuse(fault.Of(err), fault.Fault{Code: fault.Invalid, Detail: fault.Of(err)}).Bare(nil))
			return
		}
		o.Marked, request.Manifest = payload, payload
	}
	o.Patch = o.Marked
	res := r.Server.Apply(o.Kind, live, request)
	o.TakeWarnings(res)
	if res.Rejection != nil {
		o.Refuse(k.Words(r, o, res.Rejection, "apply"))
		return
	}
	o.End(res.Object)
}

// former are the managers that Flux takes over
// (internal/controller/kustomization_controller.go apply).
func (k *Kustomization) former() []kube.Former {
	list := []kube.Former{
		{Prefix: "kubectl", Operation: owners.Apply}, {Prefix: "kubectl", Operation: owners.Update},
		{Prefix: "before-first-apply", Operation: owners.Update}, {Prefix: FluxManager, Operation: owners.Update},
	}
	for _, name := range k.Override {
		list = append(list, kube.Former{Prefix: name, Operation: owners.Apply}, kube.Former{Prefix: name, Operation: owners.Update})
	}
	return list
}

// cleanup is the patch that removes what other tools have left in the metadata of a live
// object, and takes over the fields of kubectl; nil if there is nothing to do
// (cleanupMetadata).
func (k *Kustomization) cleanup(o *rehearsal.Outcome) tree.Object {
	if o.Live == nil || flux.Says(o.Marked, flux.SSA, "Merge") || flux.Says(o.Before, flux.SSA, "Merge") {
		return nil
	}
	metadata := tree.Object{}
	if entries, changed := kube.TakeOver(tree.List(o.Before, "metadata", "managedFields"), k.former(), FluxManager); changed {
		metadata["managedFields"] = entries
	}
	for field, keys := range map[string][]string{
		"annotations": {rehearsal.LastAppliedKey, flux.Group + "/checksum", "fluxcd.io/sync-checksum"},
		"labels":      {"fluxcd.io/sync-gc-mark"},
	} {
		for _, key := range keys {
			if tree.Has(o.Before, "metadata", field, key) {
				tree.Set(metadata, nil, field, key)
			}
		}
	}
	if len(metadata) == 0 {
		return nil
	}
	return tree.Object{"metadata": metadata}
}

// undeletable is why Flux cannot delete an object that it recreates: it may not, or has not
// read it, and so asks for the deletion of an object without a name.
func (k *Kustomization) undeletable(r *rehearsal.Run, o *rehearsal.Outcome, blind bool) *fault.Rejection {
	text := fault.Words("resource name may not be empty")
	no := fault.Refuse(text, fault.Fault{Code: fault.Invalid, Text: text})
	if !blind {
		_, no = r.Server.Authorize(o.Kind, "delete", o.Manifest.Namespace, o.Manifest.Name)
	}
	if no == nil {
		return nil
	}
	return no.Bare(func(message fault.Text) fault.Text {
		return fault.Join(fault.Words("%s immutable field detected, failed to delete object: ", subject(o)), message)
	})
}

// recreate deletes the live object and creates it again. What it would have taken over is
// gone by then, which ends the run.
func (k *Kustomization) recreate(r *rehearsal.Run, o *rehearsal.Outcome, request kube.ApplyRequest, cleanup bool) {
	o.Recreated = true
	res := r.Server.Apply(o.Kind, nil, request)
	o.TakeWarnings(res)
	if res.Rejection != nil {
		o.Refuse(k.Words(r, o, res.Rejection, "dry-run"))
		return
	}
	if cleanup {
		text := fault.Words("%s metadata.managedFields cleanup failed: %s %q not found", subject(o), groupResource(o), o.Manifest.Name)
		o.Refuse(fault.Refuse(text, fault.Fault{Code: fault.Invalid, Path: fieldpath.New("metadata", "managedFields"), Text: text}).Bare(nil))
		return
	}
	o.Action, o.Result = rehearsal.Configured, res.Object
}

func groupResource(o *rehearsal.Outcome) string {
	if o.Kind.Group == "" {
		return o.Resource
	}
	return o.Resource + "." + o.Kind.Group
}

// immutable reports whether Flux takes a rejection for one of an immutable field
// (ssa/errors/immutable.go).
func immutable(no *fault.Rejection) bool {
	text := no.Text().String()
	return no.Reason == "Invalid" || no.Reason == "Conflict" || strings.Contains(text, "is immutable") || strings.Contains(text, "immutable field")
}

// drifted reports whether a dry run differs from the live object as far as Flux looks
// (ssa/manager_diff.go hasDrifted).
func drifted(live, dryRun tree.Object) bool {
	for _, field := range []string{"labels", "annotations"} {
		was, is := tree.Map(live, "metadata", field), tree.Map(dryRun, "metadata", field)
		if len(was)+len(is) > 0 && !tree.Equal(was, is) {
			return true
		}
	}
	return !tree.Equal(content(live), content(dryRun))
}

// content is an object without metadata and status.
func content(o tree.Object) tree.Object {
	o = tree.Shallow(o)
	delete(o, "metadata")
	delete(o, "status")
	return o
}
