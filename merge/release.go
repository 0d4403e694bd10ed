package merge

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/applier/helm"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/schema"
	"threeway/merge/strategic"
	"threeway/merge/tree"
)

// Release says that Helm applies the manifests, as a release. The manifests are in
// Helm's order and without hooks (helm.Arrange).
type Release struct {
	Namespace, Name string
	// Original are the manifests of the revision that Helm compares with; nil if it
	// installs. From is its number, 0 if Original is not from a snapshot.
	Original *manifest.Set
	From     int
	// Rollback is the revision that the manifests are of; 0 for an install or upgrade.
	Rollback int
	// TakeOwnership is --take-ownership: objects without the release's marks are
	// adopted.
	TakeOwnership bool
	// TakeOver makes manager helm own by applying, before a server-side apply, what
	// it owns by updating: Helm does so when the release was applied client-side.
	TakeOver bool
	// Major is Helm's version, 3 or 4.
	Major int
	// Hooks are the objects that Helm makes at its events.
	Hooks []helm.Hook
}

// HelmManager is the field manager of Helm (pkg/kube/client.go
// getManagedFieldsManager).
const HelmManager = "helm"

// String is NAMESPACE/NAME.
func (rel *Release) String() string { return rel.Namespace + "/" + rel.Name }

// Verb is what Helm does with the release: install, upgrade or rollback.
func (rel *Release) Verb() string {
	switch {
	case rel.Rollback > 0:
		return "rollback"
	case rel.Original == nil:
		return "install"
	}
	return "upgrade"
}

// asHelm are the options as Helm goes by them: it is never kubectl diff, sets the
// namespace only of objects without one, and tells the server to reject unknown
// fields only server-side.
func (opts Options) asHelm() Options {
	opts.Diff, opts.Enforce, opts.Namespace, opts.Manager = false, false, opts.Release.Namespace, HelmManager
	opts.Lenient = opts.ServerSide == nil
	return opts
}

// marked is a manifest with the marks of the release, which Helm adds when it
// applies and does not store (pkg/action/validate.go setMetadataVisitor).
func (rel *Release) marked(config tree.Object) tree.Object {
	return withMarks(config,
		map[string]string{applier.ManagedByLabel: applier.ManagedByHelm},
		map[string]string{applier.ReleaseName: rel.Name, applier.ReleaseNamespace: rel.Namespace})
}

// withMarks is a manifest with labels and annotations added. Those of the manifest
// that are null become empty, and all of them are dropped where one is no string
// (apimachinery pkg/apis/meta/v1/unstructured GetLabels).
func withMarks(config tree.Object, labels, annotations map[string]string) tree.Object {
	obj, metadata := shallow(config), shallow(tree.Map(config, "metadata"))
	for field, marks := range map[string]map[string]string{"labels": labels, "annotations": annotations} {
		if len(marks) == 0 {
			continue
		}
		all := tree.Object{}
		for key, v := range tree.Map(metadata, field) {
			text, isText := v.(string)
			if !isText && v != nil {
				clear(all)
				break
			}
			all[key] = text
		}
		for key, v := range marks {
			all[key] = v
		}
		metadata[field] = all
	}
	obj["metadata"] = metadata
	return obj
}

// originals are the manifests of the release by identity, the first of those that
// are there twice. They are resolved as the manifests are.
func (r *run) readOriginals() map[manifest.Identity]*manifest.Object {
	if r.Release == nil || r.Release.Original == nil {
		return nil
	}
	r.Release.Original.ResolveNamespaces(manifest.Resolve{Scope: r.catalog.scope, Resource: r.catalog.plural, Namespace: r.Namespace})
	originals := map[manifest.Identity]*manifest.Object{}
	for _, o := range r.Release.Original.Objects {
		if originals[o.ID()] == nil {
			originals[o.ID()] = o
		}
	}
	return originals
}

// unbuilt is how Helm wraps the message about a kind of the manifests that is not
// served; nil if it does not (pkg/action/{install,upgrade,rollback}.go).
func (rel *Release) unbuilt() func(fault.Text) fault.Text {
	if rel.Verb() == "upgrade" {
		return nil
	}
	what := "unable to build kubernetes objects from release manifest: "
	if rel.Rollback > 0 {
		what = "unable to build kubernetes objects from new release manifest: "
	}
	return func(message fault.Text) fault.Text { return fault.Join(fault.Words("%s", what), message) }
}

// unservedOriginal is Helm's refusal of the whole run, because the cluster no longer serves a
// kind of the last release (pkg/action/upgrade.go performUpgrade).
func (r *run) unservedOriginal() error {
	if r.Release == nil || r.Release.Original == nil {
		return nil
	}
	for _, o := range r.Release.Original.Objects {
		if serves, known := r.catalog.serves(r.catalog.mapped(o.Kind)); !serves && known {
			return fmt.Errorf("unable to build kubernetes objects from current release manifest: resource mapping not found for name: %q namespace: %q from \"\": no matches for kind %q in version %q; Helm rejects the whole %s: move the release to a served version with the mapkubeapis plugin of Helm",
				o.Name, o.GivenNamespace, o.Kind.Kind, o.Kind.APIVersion(), r.Release.Verb())
		}
	}
	return nil
}

// helm rehearses what Helm does client-side with one object
// (pkg/kube/client.go update, pkg/action/install.go performInstall).
func (r *run) helm(o *Outcome) {
	o.target, o.Released = r.Release.marked(o.Config.Tree), true
	if o.Live == nil {
		o.Action, o.Patch, o.PatchType = Created, o.target, Create
		r.answer(o, r.server.Create(o.Kind, o.target), "creating")
		return
	}
	o.Before = r.inVersion(o.Live, o.Kind)
	original, rejection := r.original(o)
	if rejection != nil {
		o.refuse(rejection)
		return
	}
	if err := r.helmPatch(o, original); err != nil {
		o.Patch = nil
		o.refuse(fault.Refuse(fault.Of(err), fault.Fault{Code: fault.Invalid, Detail: fault.Of(err)}).Bare(func(message fault.Text) fault.Text {
			return fault.Join(fault.Words("failed to create patch: "), message)
		}))
		return
	}
	if len(o.Patch) == 0 {
		o.Action, o.Result = Unchanged, o.Before
		return
	}
	o.Action = Configured
	r.answer(o, r.server.Patch(o.Kind, o.Before, o.Patch), "patching")
}

// original is the manifest that Helm computes the patch from: that of the last
// release. Of an object that it adopts that is the new manifest itself, so that
// nothing is removed; in a rollback it is the live object. A live object that is not
// of the release must have its marks.
func (r *run) original(o *Outcome) (tree.Object, *fault.Rejection) {
	last := r.originals[o.Config.ID()]
	if last != nil {
		o.lastApplied = last.Tree
		if last.Kind == o.Kind || r.Release.Rollback > 0 {
			return last.Tree, nil
		}
	}
	switch {
	case r.Release.Rollback > 0:
		o.FromLive = true
		return o.Before, nil
	case !r.Release.TakeOwnership:
		if no := r.Release.foreign(o); no != nil {
			return nil, no
		}
	}
	if last != nil { // in another version
		return last.Tree, nil
	}
	o.Adopted = true
	return o.target, nil
}

// foreign is Helm's refusal of a live object without the marks of the release; nil
// if it has them (pkg/action/validate.go checkOwnership).
func (rel *Release) foreign(o *Outcome) *fault.Rejection {
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
		verb, o.Kind.Kind, o.Config.Name, o.Config.Namespace, strings.Join(missing, "; "))
	return fault.Refuse(text, fault.Fault{Code: fault.NotOwned, Text: text}).Bare(nil)
}

// helmPatch computes the patch that Helm sends: a strategic three-way merge patch for
// the kinds of client-go and for definitions, for all others a JSON merge patch from
// the last manifest to the new one, which does not look at the live object; only an
// install that takes ownership does (pkg/kube/client.go createPatch, converter.go).
func (r *run) helmPatch(o *Outcome, original tree.Object) (err error) {
	if t := schema.Lookup(o.Kind); t != nil && o.Kind.Group != "apiregistration.k8s.io" {
		o.PatchType = StrategicMerge
		o.Patch, err = strategic.Patch(original, o.target, o.Before, t, true)
		return err
	}
	o.PatchType = JSONMerge
	if r.Release.TakeOwnership && r.Release.Original == nil {
		o.Patch, err = strategic.JSONPatch(original, o.target, o.Before)
		return err
	}
	o.Blind, o.Patch = true, strategic.JSONDifference(original, o.target)
	return nil
}

// said is how Helm wraps the server's message about a request; nil if it does not.
func (rel *Release) said(o *Outcome, verb string) func(fault.Text) fault.Text {
	var head fault.Text
	switch {
	case verb == "patching":
		head = fault.Words("cannot patch %q with kind %s: ", o.Config.Name, o.Kind.Kind)
	case rel.Original == nil:
		return nil
	default:
		head = fault.Words("failed to create resource: ")
	}
	return func(message fault.Text) fault.Text { return fault.Join(head, message) }
}

// helmNotes say what Helm does besides, and what the rehearsal leaves out.
func (r *run) helmNotes(p *Plan) (notes []string) {
	rel := r.Release
	refused, unserved, failed := 0, 0, false
	for _, o := range p.Outcomes {
		switch {
		case o.Action != Rejected:
			continue
		case o.Rejection.Has(fault.NotOwned):
			refused++
		case o.unserved:
			unserved++
		}
		failed = true
	}
	switch {
	case unserved > 0:
		notes = append(notes, fmt.Sprintf("Helm rejects the whole %s before it changes anything, because of %s of a kind that the cluster does not serve",
			rel.Verb(), count(unserved, "object", "objects")))
	case refused > 0:
		notes = append(notes, fmt.Sprintf("Helm rejects the whole %s before it changes anything, because of %s; --take-ownership adopts them, or give them the label and annotations of the release",
			rel.Verb(), count(refused, "live object that is not of the release", "live objects that are not of the release")))
	case failed:
		notes = append(notes, fmt.Sprintf("the %s fails: Helm marks the new revision as failed and deletes nothing, and what it has changed until then stays; the next upgrade compares with the same revision as this one", rel.Verb()))
	}
	if text := rel.hooks(); text != "" {
		notes = append(notes, text)
	}
	return notes
}

// hooks is the line about the hooks that this run of Helm makes, in its order; "" if
// there are none.
func (rel *Release) hooks() string {
	var list []string
	for _, when := range []string{"pre-", "post-"} {
		event := when + rel.Verb()
		for _, h := range rel.Hooks {
			if slices.Contains(h.Events, event) {
				list = append(list, fmt.Sprintf("%s %s (%s)", h.Kind, h.Name, event))
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%s not rehearsed, and what it changes is unknown: %s", count(len(list), "hook is", "hooks are"), strings.Join(list, ", "))
}

// leave finds what Helm deletes after the outcomes; any error before stops that.
func (r *run) leave(p *Plan) {
	rel := r.Release
	if rel.Original == nil {
		return
	}
	applied := map[manifest.Identity]bool{}
	for _, o := range p.Set {
		applied[o.Config.ID()] = true
	}
	for _, o := range p.Outcomes {
		if o.Action == Rejected {
			return
		}
	}
	p.Prune = prune.ByRelease(r.Live, rel.Original.Objects, applied, rel.last())
	if len(p.Prune.Uncovered) > 0 && r.Base == nil && !r.EmptyCluster {
		var names []string
		for _, k := range p.Prune.Uncovered {
			names = append(names, k.GroupKind())
		}
		p.Notes = append(p.Notes, fmt.Sprintf("the snapshot holds no %s: whether Helm would delete any that %s has is unknown", join(names), rel.last()))
	}
}

// last names what Helm compares with.
func (rel *Release) last() string {
	if rel.From == 0 {
		return "the last release"
	}
	return fmt.Sprintf("revision %d of release %s", rel.From, rel)
}
