package rehearsal

import (
	"cmp"
	"slices"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/placeholder"
	"threeway/merge/tree"
)

// Object is the outcome of applying one manifest (kubectl pkg/cmd/apply/apply.go
// applyOneObject; pkg/cmd/diff/diff.go InfoObject.Merged). It always has an Action; it has
// either a Result or a Rejection. What is not known is in Undefined and Undecided.
func (r *Run) Object(config *manifest.Object) *Outcome {
	o := &Outcome{Kind: config.Kind, Manifest: config, Run: r, By: r.By, Admission: Admission{mutated: r.Mutated[config.ID()]}}
	o.Resource, o.ServerSide = r.Catalog.Plural(config.Kind), r.ServerSide
	o.learned = &learned{of: o}
	mapped := r.Catalog.Mapped(o.Kind)
	if !r.Maps(o.Kind) {
		o.Unserved = true
		o.Later = r.secondApply(o)
		return o.Refuse(r.By.Unserved(o))
	}
	if o.Kind.Version == "" {
		return o.Refuse(r.notFound(o, ""))
	}
	var alone *manifest.Schema // which is all that is known of the kind
	if !builtin(mapped) && r.Catalog.served[mapped.GroupKind()] == nil && r.Catalog.upcoming[mapped.GroupKind()] == nil {
		alone = r.Catalog.schemas.Of(mapped)
		o.Undefined = alone == nil
	}
	if d := r.redefined[mapped.GroupKind()]; d != nil && !d.versions[mapped.Version] {
		return o.Refuse(r.unversioned(o))
	}
	if why := manifest.NameFault(config.Name); why != "" && (r.Literal || !placeholder.In(config.Name)) {
		return o.Refuse(r.badName(o, why))
	}
	if mapped == o.Kind {
		if text := r.Server.Deprecation(o.Kind); text != "" {
			o.Warnings = append(o.Warnings, fault.Warning{Text: fault.Words("%s", text), Path: fieldpath.New("apiVersion")})
		}
		o.Live = r.Find(config.ID())
	}
	if o.Live != nil {
		if no := r.Server.Unread(o.Kind, o.Live.Tree); no != nil {
			return o.Refuse(r.By.Words(r, o, no, "retrieving"))
		}
	}
	if r.reads(o) {
		d, no := r.Server.Authorize(mapped, "get", config.Namespace, config.Name)
		if no != nil {
			o.Warnings = nil
			return r.unauthorized(o.Refuse(r.By.Words(r, o, no, "retrieving")))
		}
		defer func() { o.Undecided = append(o.Undecided, d...) }()
	}
	r.By.Apply(r, o)
	if alone != nil {
		o.Undecided = append(o.Undecided, r.untold(o, alone)...)
	}
	if mapped != o.Kind {
		return o
	}
	r.unauthorized(o)
	if no := o.Rejection; no != nil && no.Has(fault.BadValue) && len(no.Faults) == 1 {
		no.Also = r.Server.Mistyped(mapped, config.Tree)
	}
	o.contested = func() ([]Contest, error) { return r.contest(o) }
	o.RejectedPods = sync.OnceValue(func() Refusal { return r.rejectedPods(o) })
	o.Fresh = sync.OnceValue(func() tree.Object {
		obj := config.Tree
		if tree.HasNulls(obj) {
			obj = tree.CopyObject(obj)
			tree.DropNulls(obj)
		}
		return tree.Share(r.Server.Fresh(o.Kind, obj), o.Result)
	})
	return o
}

// untold is what the schema of a kind leaves open about an object, and its definition would tell:
// the server ignores the status of an object that has it as a subresource, rejects a number
// of replicas below zero that can be scaled, and keeps what the stored version has.
func (r *Run) untold(o *Outcome, alone *manifest.Schema) (list []kube.Undecided) {
	add := func(needs string, effect kube.Effect) {
		list = append(list, kube.Undecided{Kind: "CustomResourceDefinition", Policy: o.Resource + "." + o.Kind.Group, Needs: []string{needs}, Effect: effect})
	}
	if alone.Untold && (alone.Status || tree.Has(o.Result, "status")) && (o.Manifest.Tree["status"] != nil || tree.Has(o.Patch, "status")) {
		add("whether status is a subresource", "change")
	}
	if n, _ := tree.Int(o.Result, "spec", "replicas"); n < 0 && (alone.Untold || alone.Scale) {
		add("whether scale is a subresource", "reject")
	}
	if _, known := r.Catalog.Scope(o.Kind); !known && slices.ContainsFunc(r.Server.Policies(), func(p *kube.Policy) bool { return p.Asks(o.Kind, o.Resource) }) {
		add("whether it is in a namespace", "reject")
	}
	if o.Result != nil && r.Catalog.storesLess(o.Kind, o.Result) {
		add("which version is stored", "change")
	}
	return list
}

// Maps reports whether the applier finds the resource of a kind, of a list too: for sure if
// the cluster serves it, and where nothing tells.
func (r *Run) Maps(k schema.Kind) bool {
	k = r.Catalog.Mapped(k)
	serves, known := r.Catalog.Serves(k)
	return serves || !known || r.defines(k) || r.Catalog.lists(k)
}

// defines reports whether the set defines a kind before the applier applies objects of
// it.
func (r *Run) defines(k schema.Kind) bool {
	d := r.Catalog.upcoming[k.GroupKind()]
	return r.DefinesFirst && d != nil && d.versions[k.Version]
}

// definition is the one that the server answers by when the next object is applied.
func (r *Run) definition(k schema.Kind) *kube.Definition {
	if d := r.redefined[k.GroupKind()]; d != nil {
		if compiled := d.compile(); compiled != nil {
			return compiled
		}
	}
	return r.Catalog.definition(k)
}

// unversioned is the answer to a request in a version that the server no longer serves:
// a client that found it before it began does not find the object, and creates it.
func (r *Run) unversioned(o *Outcome) *fault.Rejection {
	if r.ServerSide != nil {
		return r.notFound(o, " (patch "+o.Resource+"."+o.Kind.Group+" "+o.Manifest.Name+")")
	}
	return r.notFound(o, " (post "+o.Resource+"."+o.Kind.Group+")")
}

// notFound is the answer at an address that the server does not have, as that of a version, or
// of none.
func (r *Run) notFound(o *Outcome, request string) *fault.Rejection {
	verb := "creating"
	if r.ServerSide != nil {
		verb = "retrieving"
	}
	return r.By.Words(r, o, fault.Reject("NotFound", fault.Words("the server could not find the requested resource%s", request),
		fault.Fault{Code: fault.UnknownKind, Path: fieldpath.New("apiVersion")}), verb)
}

// secondApply is why the next apply rejects an object that this one rejects
// because its definition is among the manifests and not applied yet; nil if it
// does not.
func (r *Run) secondApply(o *Outcome) *fault.Rejection {
	d := r.Catalog.upcoming[o.Kind.GroupKind()]
	if d == nil || !d.versions[o.Kind.Version] || r.Catalog.served[o.Kind.GroupKind()] != nil {
		return nil
	}
	next := &Outcome{Kind: o.Kind, Manifest: o.Manifest, By: r.By, Request: Request{Resource: o.Resource}}
	r.By.Apply(r, next)
	return next.Rejection
}

// Refuse makes a rejection of the outcome.
func (o *Outcome) Refuse(why *fault.Rejection) *Outcome {
	o.Action, o.Rejection = Rejected, why
	return o
}

// Leave makes an outcome of which nothing changes.
func (o *Outcome) Leave() { o.Action, o.Result = Unchanged, o.Before }

// Warn adds what kubectl says itself.
func (o *Outcome) Warn(format string, args ...any) {
	o.Warnings = append(o.Warnings, fault.Warning{Text: fault.Words(format, args...), By: fault.Kubectl})
}

// Put replaces the live object by a whole manifest, which drops what that does not set.
func (r *Run) Put(o *Outcome, body tree.Object) {
	o.Action, o.Patch, o.PatchType = Configured, body, Put
	r.Answer(o, r.Server.Update(o.Kind, o.Before, body), "replacing")
	if o.Result != nil && tree.Equal(o.Before, o.Stored()) {
		o.Action, o.Patch = Unchanged, nil
	}
}

// Answer takes over what the server said to the request in Patch and PatchType, which
// the verb says: creating, patching or replacing.
func (r *Run) Answer(o *Outcome, res kube.Result, verb string) {
	options := "PatchOptions"
	if o.PatchType == Create {
		options = "CreateOptions"
	}
	if no := r.Server.ManagerRejection(options, r.Manager); no != nil {
		o.Refuse(r.By.Words(r, o, no, verb))
		return
	}
	o.Dropped = res.Dropped
	for _, f := range res.Dropped {
		if !r.FieldValidation.is(Ignore) {
			o.Warnings = append(o.Warnings, fault.Warning{Text: f.Text, Path: f.Path})
		}
	}
	o.TakeWarnings(res)
	if res.Rejection != nil {
		o.Refuse(r.By.Words(r, o, res.Rejection, verb))
		return
	}
	o.Result = res.Object
	o.Owned = sync.OnceValue(func() tree.Object { return res.Owned(cmp.Or(r.Manager, owners.ClientSideApply), r.Live.NewestWrite) })
}

// InVersion is the live object as the server returns it in a version.
func (r *Run) InVersion(live *manifest.Object, k schema.Kind) tree.Object {
	if live.Kind == k && live.IsServed(r.Minor) && schema.Lookup(k) != nil { // a definition may be another by now
		return live.Tree
	}
	return r.Server.Returned(k, r.converted(live, k))
}

// converted is the live object in another version.
func (r *Run) converted(live *manifest.Object, k schema.Kind) tree.Object {
	if live.Kind == k {
		return live.Tree
	}
	if d := r.definition(k); d != nil {
		if obj, ok := d.Read(k.Version, live.Tree); ok {
			return obj
		}
	}
	return r.Server.Convert(live.Tree, live.Kind, k)
}

// unauthorized says of an object that the user may not apply all rights for that. A
// request that is refused because of one finds no handler, which would have warned.
func (r *Run) unauthorized(o *Outcome) *Outcome {
	if !o.Rejection.Has(fault.NoRight) {
		return o
	}
	var verbs []string
	if r.reads(o) {
		verbs = append(verbs, "get")
	}
	switch {
	case o.PatchType == Put:
		verbs = append(verbs, "update")
	case r.ServerSide != nil || o.Live != nil:
		verbs = append(verbs, "patch")
	}
	if o.Live == nil {
		verbs = append(verbs, "create")
	}
	if lacks := r.Server.Lacks(o.Kind, o.Manifest.Namespace, o.Manifest.Name, verbs); lacks != nil { // else it lacks what recreates the object
		o.Rejection.Faults[0].Lacks = lacks
	}
	return o
}

// reads reports whether the applier reads an object before it applies it.
func (r *Run) reads(o *Outcome) bool {
	if r.ReadsLiveFirst != nil {
		return r.ReadsLiveFirst(o)
	}
	return r.ServerSide == nil || r.Diff
}
