package helm

import (
	"fmt"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Outcome is what Helm alone knows of an outcome.
type Outcome struct {
	// Adopted tells that Helm takes a live object into the release that was not in
	// the last one, and so removes nothing from it.
	Adopted bool
	// FromLive tells that Helm compared with the live object itself, which a rollback
	// does with an object that the last revision does not have: what the manifest does
	// not set is removed.
	FromLive bool
	// Blind tells that Patch was computed without the live object, as Helm does for
	// custom resources: what changed there stays.
	Blind bool
}

// Of is what Helm knows of an outcome; nil if another program applies it.
func Of(o *rehearsal.Outcome) *Outcome {
	helm, _ := o.Applied.(*Outcome)
	return helm
}

// Apply rehearses what Helm does with one object (pkg/kube/client.go update,
// pkg/action/install.go performInstall).
func (rel *Release) Apply(r *rehearsal.Run, o *rehearsal.Outcome) {
	if kubectl.SmallLetters(r, o) {
		return
	}
	o.Marked = rel.Mark(o.Manifest.Tree)
	helm := &Outcome{}
	o.Applied = helm
	if r.ServerSide != nil {
		rel.applyServerSide(r, o, helm)
		return
	}
	if o.Live == nil {
		o.Action, o.Patch, o.PatchType = rehearsal.Created, o.Marked, rehearsal.Create
		r.Answer(o, r.Server.Create(o.Kind, o.Marked), "creating")
		return
	}
	o.Before = r.InVersion(o.Live, o.Kind)
	original, rejection := rel.original(r, o, helm)
	if rejection != nil {
		o.Refuse(rejection)
		return
	}
	if rel.Replaces {
		r.Put(o, o.Marked)
		return
	}
	if err := rel.patch(o, helm, original); err != nil {
		o.Patch = nil
		o.Refuse(fault.Refuse(fault.Of(err), fault.Fault{Code: fault.Invalid, Detail: fault.Of(err)}).Bare(func(message fault.Text) fault.Text {
			return fault.Join(fault.Words("failed to create patch: "), message)
		}))
		return
	}
	if len(o.Patch) == 0 {
		o.Leave()
		return
	}
	o.Action = rehearsal.Configured
	r.Answer(o, r.Server.Patch(o.Kind, o.Before, o.Patch), "patching")
}

// original is the manifest that Helm computes the patch from: that of the last
// release. Of an object that it adopts that is the new manifest itself, so that
// nothing is removed; in a rollback it is the live object. A live object that is not
// of the release must have its marks.
func (rel *Release) original(r *rehearsal.Run, o *rehearsal.Outcome, helm *Outcome) (tree.Object, *fault.Rejection) {
	last := r.Originals[o.Manifest.ID()]
	if last != nil {
		o.Original = last.Tree
		if last.Kind == o.Kind || rel.Rollback > 0 {
			return last.Tree, nil
		}
	}
	switch {
	case rel.Rollback > 0:
		helm.FromLive = true
		return o.Before, nil
	case !rel.TakeOwnership:
		if no := rel.foreign(o); no != nil {
			return nil, no
		}
	}
	if last != nil { // in another version
		return last.Tree, nil
	}
	helm.Adopted = true
	return o.Marked, nil
}

// foreign is Helm's refusal of a live object without the marks of the release; nil
// if it has them (pkg/action/validate.go checkOwnership).
func (rel *Release) foreign(o *rehearsal.Outcome) *fault.Rejection {
	var missing []string
	require := func(what, field, key, want string) {
		actual, ok := tree.Get(o.Before, "metadata", field, key)
		switch {
		case !ok:
			missing = append(missing, fmt.Sprintf("%s validation error: missing key %q: must be set to %q", what, key, want))
		case actual != want:
			missing = append(missing, fmt.Sprintf("%s validation error: key %q must equal %q: current value is %q", what, key, want, actual))
		}
	}
	require("label", "labels", applier.ManagedByLabel, applier.ManagedByHelm)
	require("annotation", "annotations", applier.ReleaseName, rel.Name)
	require("annotation", "annotations", applier.ReleaseNamespace, rel.Namespace)
	if missing == nil {
		return nil
	}
	verb := "update"
	if rel.Original == nil {
		verb = "install"
	}
	unable := "Unable"
	if rel.Major == 4 {
		unable = "unable"
	}
	text := fault.Words(unable+" to continue with %s: %s %q in namespace %q exists and cannot be imported into the current release: invalid ownership metadata; %s",
		verb, o.Kind.Kind, o.Manifest.Name, o.Manifest.Namespace, strings.Join(missing, "; "))
	return fault.Refuse(text, fault.Fault{Code: fault.NotOwned, Text: text}).Bare(nil)
}

// patch computes the patch that Helm sends: a strategic three-way merge patch for
// the kinds of client-go and for definitions, for all others a JSON merge patch from
// the last manifest to the new one, which does not look at the live object; only an
// install that takes ownership does (pkg/kube/client.go createPatch, converter.go).
func (rel *Release) patch(o *rehearsal.Outcome, helm *Outcome, original tree.Object) (err error) {
	if t := schema.Lookup(o.Kind); t != nil && o.Kind.Group != "apiregistration.k8s.io" {
		o.PatchType = rehearsal.StrategicMerge
		o.Patch, err = kube.Patch(original, o.Marked, o.Before, t, true)
		return err
	}
	o.PatchType = rehearsal.JSONMerge
	if rel.TakeOwnership && rel.Original == nil {
		o.Patch, err = kube.Patch(original, o.Marked, o.Before, nil, true)
		return err
	}
	helm.Blind, o.Patch = true, kube.JSONDifference(original, o.Marked)
	return nil
}
