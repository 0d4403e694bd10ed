package merge

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/schema"
	"threeway/merge/server"
	"threeway/merge/server/minors"
	"threeway/merge/server/policy"
	"threeway/merge/strategic"
	"threeway/merge/tree"
)

// object rehearses the apply of one object (kubectl pkg/cmd/apply/apply.go
// applyOneObject; pkg/cmd/diff/diff.go InfoObject.Merged).
func (r *run) object(config *manifest.Object) *Outcome {
	o := &Outcome{Kind: config.Kind, Resource: r.catalog.plural(config.Kind), Config: config, By: r.By, ServerSide: r.ServerSide, before: r.hidden[config.ID()]}
	o.learned = &learned{of: o}
	mapped := r.catalog.mapped(o.Kind)
	if serves, known := r.catalog.serves(mapped); !serves && known && !r.defines(mapped) {
		o.unserved = true
		o.later = r.secondApply(o)
		return o.refuse(r.noMatch(o))
	}
	o.unknown = !builtin(mapped) && r.catalog.served[mapped.GroupKind()] == nil && r.catalog.upcoming[mapped.GroupKind()] == nil
	if why := nameFault(config.Name); why != "" {
		return o.refuse(r.badName(o, why))
	}
	if mapped != o.Kind {
		return r.inSmallLetters(o, mapped)
	}
	if text := r.server.Deprecation(o.Kind); text != "" {
		o.Warnings = append(o.Warnings, fault.Warning{Text: fault.Words("%s", text), Path: fieldpath.New("apiVersion")})
	}
	o.Live = r.find(config.ID())
	r.apply(o)
	if no := o.Rejection; no != nil && no.Has(fault.BadValue) && len(no.Faults) == 1 {
		no.Also = r.server.Mistyped(mapped, config.Tree)
	}
	o.contested = func() ([]Contest, error) { return r.contest(o) }
	o.RejectedPods = func() fault.Text { return r.rejectedPods(o) }
	o.Fresh = sync.OnceValue(func() tree.Object {
		obj := tree.CopyObject(config.Tree)
		tree.DropNulls(obj)
		return r.server.Fresh(o.Kind, obj)
	})
	return o
}

// defines reports whether the set defines a kind before the applier applies objects of
// it.
func (r *run) defines(k schema.Kind) bool {
	d := r.catalog.upcoming[k.GroupKind()]
	return r.By != nil && r.By.definesFirst() && d != nil && d.versions[k.Version]
}

// secondApply is why the next apply rejects an object that this one rejects
// because its definition is among the manifests and not applied yet; nil if it
// does not.
func (r *run) secondApply(o *Outcome) *fault.Rejection {
	d := r.catalog.upcoming[o.Kind.GroupKind()]
	if d == nil || !d.versions[o.Kind.Version] || r.catalog.served[o.Kind.GroupKind()] != nil {
		return nil
	}
	next := &Outcome{Kind: o.Kind, Resource: o.Resource, Config: o.Config}
	r.apply(next)
	return next.Rejection
}

// apply rehearses the requests for one object, of which Live is known.
func (r *run) apply(o *Outcome) {
	switch {
	case r.By != nil:
		r.By.apply(r, o)
	case r.ServerSide != nil:
		r.applyServerSide(o)
	case o.Live == nil:
		r.create(o)
	default:
		r.update(o)
	}
}

func (o *Outcome) refuse(why *fault.Rejection) *Outcome {
	o.Action, o.Rejection = Rejected, why
	return o
}

// warn adds what kubectl says itself.
func (o *Outcome) warn(format string, args ...any) {
	o.Warnings = append(o.Warnings, fault.Warning{Text: fault.Words(format, args...), By: fault.Kubectl})
}

// badName is kubectl's refusal of a name with which it cannot ask the server.
func (r *run) badName(o *Outcome, why string) *fault.Rejection {
	why = fmt.Sprintf("invalid resource name %q: [%s]", o.Config.Name, why)
	no := fault.Refuse(fault.Words("%s", why), fault.Fault{Code: fault.Invalid, Detail: fault.Words("%s", why)})
	if r.Diff || r.ServerSide != nil {
		return no
	}
	return no.Around(func(message fault.Text) fault.Text {
		return fault.Join(fault.Words("error when retrieving current configuration of:\n%s\nfrom server for: %q: ", o.info(), o.Config.Origin.File), message)
	})
}

// create sends the config itself: in an apply with the annotation and without
// nulls, in a diff as it is.
func (r *run) create(o *Outcome) {
	body := tree.CopyObject(o.Target())
	if !r.Diff {
		annotated, err := annotated(o.Target(), true, r.Minor)
		if err != nil {
			o.refuse(fault.Refuse(fault.Of(err)))
			return
		}
		body = tree.CopyObject(annotated)
		if minors.CreatesWithoutNulls.In(r.Minor) {
			tree.DropNulls(body)
		}
	}
	if metadata := tree.Map(body, "metadata"); metadata != nil {
		delete(metadata, "resourceVersion")
	}
	o.Action, o.Patch, o.PatchType = Created, body, Create
	r.answer(o, r.server.Create(o.Kind, body), "creating")
}

// standIn is the manifest that stands in for the last-applied annotation of a
// live object, nil if there is none. A manifest without a namespace means the
// one that the apply goes to.
func (r *run) standIn(id manifest.Identity) tree.Object {
	last := r.LastApplied[id]
	if last == nil && id.Namespace == cmp.Or(r.Namespace, "default") {
		id.Namespace = ""
		last = r.LastApplied[id]
	}
	return last
}

// update computes the patch against the live object and has it applied.
func (r *run) update(o *Outcome) {
	o.Before = r.inVersion(o.Live, r.catalog.mapped(o.Kind))
	r.updateFrom(o)
}

// updateFrom is update of what Before has.
func (r *run) updateFrom(o *Outcome) {
	modified, err := annotated(o.Target(), !r.Diff, r.Minor)
	if err != nil {
		o.refuse(fault.Refuse(fault.Of(err)))
		return
	}
	var text string
	if o.lastApplied = r.standIn(o.Config.ID()); o.lastApplied == nil {
		o.lastApplied, text, err = ReadLastApplied(o.Before)
	}
	if !r.Diff && o.Live != nil && o.lastApplied == nil && !tree.Has(o.Before, "metadata", "annotations", LastAppliedKey) {
		o.warn("resource %s/%s is missing the %s annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.",
			o.Resource, o.Config.Name, LastAppliedKey)
	}
	switch {
	case err == nil:
		err = r.patch(o, modified)
	case schema.Lookup(o.Kind) != nil:
		o.warnNoStrategicPatch(err)
	}
	if err != nil {
		o.Patch = nil
		o.refuse(r.uncomputed(o, text, modified, err))
		return
	}
	if tree.Has(o.Before, "metadata", "deletionTimestamp") && !r.Diff {
		o.warn("Detected changes to resource %s which is currently being deleted.", o.Config.Name)
	}
	if len(o.Patch) == 0 {
		o.Action, o.Result = Unchanged, o.Before
		return
	}
	o.Action = Configured
	sent := o.Patch
	if r.Diff {
		// kubectl diff pins the patch to the version it has read.
		if version := tree.String(o.Before, "metadata", "resourceVersion"); version != "" {
			sent = tree.CopyObject(sent)
			tree.Set(sent, version, "metadata", "resourceVersion")
		}
	}
	r.answer(o, r.server.Patch(o.Kind, o.Before, sent), "patching")
}

// patch computes the patch: a strategic merge patch for a built-in kind, a
// JSON merge patch for others. A kind that kubectl has no Go type for falls
// back to the latter when the former cannot be computed
// (kubectl pkg/cmd/apply/patcher.go patchSimple).
func (r *run) patch(o *Outcome, modified tree.Object) (err error) {
	t := schema.Lookup(o.Kind)
	if t == nil {
		o.PatchType = JSONMerge
		o.Patch, err = strategic.JSONPatch(o.lastApplied, modified, o.Before)
		return err
	}
	o.PatchType = StrategicMerge
	if o.Patch, err = strategic.Patch(o.lastApplied, modified, o.Before, t, !r.KeepConflicts); err == nil {
		return nil
	}
	o.warnNoStrategicPatch(err)
	if o.Kind.Group == "apiextensions.k8s.io" || o.Kind.Group == "apiregistration.k8s.io" {
		o.PatchType = JSONMerge
		o.Patch, err = strategic.JSONPatch(o.lastApplied, modified, o.Before)
	}
	return err
}

// warnNoStrategicPatch says twice that a strategic merge patch cannot be
// computed, as kubectl does, which tries it with both OpenAPI versions.
func (o *Outcome) warnNoStrategicPatch(err error) {
	v3, v2 := fault.Of(err), fault.Of(err)
	if lookup := (*strategic.LookupError)(nil); errors.As(err, &lookup) {
		v3, v2 = fault.Words("%s", lookup.OpenAPI()), fault.Words("%s", lookup.OpenAPIV2())
	}
	o.Warnings = append(o.Warnings,
		fault.Warning{Text: fault.Join(fault.Words("error calculating patch from openapi v3 spec: "), v3), By: fault.Patcher},
		fault.Warning{Text: fault.Join(fault.Words("error calculating patch from openapi spec: "), v2), By: fault.Patcher})
}

// put replaces the live object by a whole manifest, which drops what that does not set.
func (r *run) put(o *Outcome, body tree.Object) {
	o.Action, o.Patch, o.PatchType = Configured, body, Put
	r.answer(o, r.server.Update(o.Kind, o.Before, body), "replacing")
	if o.Result != nil && tree.Equal(o.Before, o.Stored()) {
		o.Action, o.Patch = Unchanged, nil
	}
}

// answer takes over what the server said to the request.
func (r *run) answer(o *Outcome, res server.Result, verb string) {
	options := "PatchOptions"
	if o.PatchType == Create {
		options = "CreateOptions"
	}
	if no := server.ManagerRejection(options, r.Manager, r.Minor); no != nil {
		o.refuse(no.Around(r.around(o, verb)))
		return
	}
	o.Dropped = res.Dropped
	for _, f := range res.Dropped {
		if !r.Unwarned {
			o.Warnings = append(o.Warnings, fault.Warning{Text: f.Text, Path: f.Path})
		}
	}
	o.hear(res)
	if res.Rejection != nil {
		if r.By != nil {
			o.refuse(r.By.said(r, o, res.Rejection, verb))
		} else {
			o.refuse(res.Rejection.Around(r.around(o, verb)))
		}
		return
	}
	o.Result = res.Object
	o.owned = sync.OnceValue(func() tree.Object { return res.Owned(cmp.Or(r.Manager, owners.ClientSideApply), r.Live.NewestWrite) })
}

// requestOptions are those of the requests that kubectl sends.
func requestOptions(opts Options) server.RequestOptions {
	o := server.RequestOptions{DryRun: opts.Diff, Manager: cmp.Or(opts.Manager, owners.ClientSideApply)}
	if u := opts.User; u != nil {
		o.User = policy.Impersonate(u.Name, u.UID, u.Groups)
	}
	if opts.ServerSide != nil {
		o.Manager = cmp.Or(opts.ServerSide.Manager, DefaultManager)
	}
	switch {
	case opts.Diff:
	case opts.Unwarned:
		o.Validation = "Ignore"
	case opts.Lenient:
		o.Validation = "Warn"
	default:
		o.Validation = "Strict"
	}
	return o
}

func compact(obj tree.Object) string {
	s, err := EncodeLastApplied(obj)
	if err != nil {
		return ""
	}
	return s[:len(s)-1]
}

// inVersion is the live object as the server returns it in a version.
func (r *run) inVersion(live *manifest.Object, k schema.Kind) tree.Object {
	return r.server.Returned(k, r.converted(live, k), r.Exported)
}

// converted is the live object in another version.
func (r *run) converted(live *manifest.Object, k schema.Kind) tree.Object {
	if live.Kind == k {
		return live.Tree
	}
	if d := r.catalog.definition(k); d != nil {
		if obj, ok := d.Read(k.Version, live.Tree); ok {
			return obj
		}
	}
	return r.server.Convert(live.Tree, live.Kind, k)
}

// nameFault says what keeps kubectl from asking the server for an object of
// the name (client-go rest.Request.Name, IsValidPathSegmentName).
func nameFault(name string) string {
	var faults []string
	switch name {
	case ".", "..":
		return "may not be '" + name + "'"
	}
	for _, c := range []string{"/", "%"} {
		if strings.Contains(name, c) {
			faults = append(faults, "may not contain '"+c+"'")
		}
	}
	return strings.Join(faults, " ")
}
