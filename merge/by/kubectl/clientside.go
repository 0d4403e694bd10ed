package kubectl

import (
	"errors"

	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Create sends the config itself: in an apply with the annotation and without
// nulls, in a diff as it is.
func (r Requests) Create(o *rehearsal.Outcome) {
	body := tree.CopyObject(o.Target())
	if !r.Diff {
		withText, err := rehearsal.Annotated(o.Target(), r.Minor)
		if err != nil {
			o.Refuse(fault.Refuse(fault.Of(err)))
			return
		}
		body = tree.CopyObject(withText)
		if kube.CreatesWithoutNulls.In(r.Minor) {
			tree.DropNulls(body)
		}
	}
	if metadata := tree.Map(body, "metadata"); metadata != nil {
		delete(metadata, "resourceVersion")
	}
	o.Action, o.Patch, o.PatchType = rehearsal.Created, body, rehearsal.Create
	r.Answer(o, r.Server.Create(o.Kind, body), "creating")
}

// update computes the patch against the live object and has it applied.
func (r Requests) update(o *rehearsal.Outcome) {
	o.Before = r.InVersion(o.Live, r.Catalog.Mapped(o.Kind))
	r.UpdateFrom(o)
}

// UpdateFrom is update of what Before has.
func (r Requests) UpdateFrom(o *rehearsal.Outcome) {
	plain := rehearsal.Plain(o.Target(), r.Minor)
	text := tree.String(o.Before, "metadata", "annotations", rehearsal.LastAppliedKey)
	anew, err := rehearsal.EncodeAgain(plain, text)
	if err != nil {
		o.Refuse(fault.Refuse(fault.Of(err)))
		return
	}
	modified := plain
	if !r.Diff {
		modified = rehearsal.WithLastApplied(plain, anew)
	}
	o.Original = r.StandIn(o.Manifest.ID())
	switch {
	case o.Original != nil:
		text = ""
	case text == anew && tree.Decoded(plain):
		o.Original = plain // what parsing the text would give
	default:
		o.Original, _, err = rehearsal.ReadLastApplied(o.Before)
		with := tree.Shallow(o.Manifest.Tree)
		delete(with, "metadata") // a namespace is written into them
		o.Original = tree.Share(o.Original, with)
	}
	if !r.Diff && o.Live != nil && o.Original == nil && !tree.Has(o.Before, "metadata", "annotations", rehearsal.LastAppliedKey) {
		o.Warn("resource %s/%s is missing the %s annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.",
			o.Resource, o.Manifest.Name, rehearsal.LastAppliedKey)
	}
	switch {
	case err == nil:
		err = r.patch(o, modified)
	case schema.Lookup(o.Kind) != nil:
		warnNoStrategicPatch(o, err)
	}
	if err != nil {
		o.Patch = nil
		o.Refuse(uncomputed(r.Run, o, text, modified, err))
		return
	}
	defer func() {
		if o.Rejection == nil && tree.Has(o.Before, "metadata", "deletionTimestamp") && !r.Diff {
			o.Warn("Detected changes to resource %s which is currently being deleted.", o.Manifest.Name)
		}
	}()
	if len(o.Patch) == 0 {
		o.Leave()
		return
	}
	o.Action = rehearsal.Configured
	sent := o.Patch
	if r.Diff {
		// kubectl diff pins the patch to the version it has read.
		if version := tree.String(o.Before, "metadata", "resourceVersion"); version != "" {
			sent = tree.CopyObject(sent)
			tree.Set(sent, version, "metadata", "resourceVersion")
		}
	}
	r.Answer(o, r.Server.Patch(o.Kind, o.Before, sent), "patching")
}

// patch computes the patch: a strategic merge patch for a built-in kind, a
// JSON merge patch for others. A kind that kubectl has no Go type for falls
// back to the latter when the former cannot be computed
// (kubectl pkg/cmd/apply/patcher.go patchSimple).
func (r Requests) patch(o *rehearsal.Outcome, modified tree.Object) (err error) {
	t := schema.Lookup(o.Kind)
	if t == nil {
		o.PatchType = rehearsal.JSONMerge
		o.Patch, err = kube.Patch(o.Original, modified, o.Before, nil, true)
		return err
	}
	o.PatchType = rehearsal.StrategicMerge
	if o.Patch, err = kube.Patch(o.Original, modified, o.Before, t, !r.KeepConflicts); err == nil {
		return nil
	}
	warnNoStrategicPatch(o, err)
	if o.Kind.Group == "apiextensions.k8s.io" || o.Kind.Group == "apiregistration.k8s.io" {
		o.PatchType = rehearsal.JSONMerge
		o.Patch, err = kube.Patch(o.Original, modified, o.Before, nil, true)
	}
	return err
}

// warnNoStrategicPatch says twice that a strategic merge patch cannot be
// computed, as kubectl does, which tries it with both OpenAPI versions.
func warnNoStrategicPatch(o *rehearsal.Outcome, err error) {
	v3, v2 := fault.Of(err), fault.Of(err)
	if lookup := (*kube.LookupError)(nil); errors.As(err, &lookup) {
		v3, v2 = fault.Words("%s", lookup.OpenAPI()), fault.Words("%s", lookup.OpenAPIV2())
	}
	o.Warnings = append(o.Warnings,
		fault.Warning{Text: fault.Join(fault.Words("error calculating patch from openapi v3 spec: "), v3), By: fault.Patcher},
		fault.Warning{Text: fault.Join(fault.Words("error calculating patch from openapi spec: "), v2), By: fault.Patcher})
}

// Write is the object that a manager's patch leaves which makes the changed object
// of the one before, or why the server refuses it; both are nil if nothing changes
// or no patch can be computed.
func (r Requests) Write(manifest *manifest.Object, before, changed tree.Object, manager string) (tree.Object, *fault.Rejection) {
	o := &rehearsal.Outcome{Kind: manifest.Kind, Manifest: manifest, States: rehearsal.States{Before: before}, Request: rehearsal.Request{Original: before}}
	if err := r.patch(o, changed); err != nil || len(o.Patch) == 0 {
		return nil, nil
	}
	res := r.Server.Patch(o.Kind, before, o.Patch)
	if res.Rejection != nil {
		return nil, res.Rejection
	}
	return res.Owned(manager, r.Live.NewestWrite), nil
}
