package server

import (
	"errors"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/placeholder"
	"threeway/merge/tree"
)

// apply applies as a patch what has placeholders in place of the types of its schema.
func (s *Server) apply(k schema.Kind, live tree.Object, r serverside.Request) Result {
	res := s.applyBySchema(k, live, r)
	switch {
	case s.Literal || res.Rejection == nil || res.Rejection.Reason != "" || placeholder.Names([]any{r.Manifest, live}) == nil:
		return res
	case live == nil:
		return s.create(k, r.Manifest)
	}
	return s.patch(k, live, r.Manifest)
}

func (s *Server) applyBySchema(k schema.Kind, live tree.Object, r serverside.Request) Result {
	if b, ok := lookup(k); ok {
		switch b.row.serves {
		case reading:
			return Result{Rejection: notAllowed()}
		case creation:
			return Result{Rejection: fault.Reject("NotFound", fault.Words("the server could not find the requested resource"))}
		}
		return s.applyBuiltin(b, live, r)
	}
	if d := s.Definition(k); d != nil {
		return s.applyCustom(d, k, live, r)
	}
	m := s.manager(k, nil)
	if live == nil {
		live = blank(k)
	}
	obj, entries, err := m.Apply(live, r)
	if err != nil {
		return Result{Rejection: applyError(err)}
	}
	return withManaged(Result{Object: tree.CopyObject(obj)}, live, entries)
}

// applyBuiltin merges on the live object in its decoded form; what comes of it
// goes the way of a create or an update
// (apiserver pkg/endpoints/handlers/patch.go applyPatcher).
func (s *Server) applyBuiltin(k builtin, live tree.Object, r serverside.Request) Result {
	base, err := s.read(k, live)
	if err != nil {
		return Result{Rejection: unstored(err)}
	}
	merged, entries, err := s.manager(k.Kind, nil).Apply(base, r)
	if err != nil {
		return Result{Rejection: applyError(err)}
	}
	obj, _, err := s.decode(k, merged, false)
	if errors.As(err, new(inconvertible)) {
		return Result{Rejection: internal("failed to convert to unversioned ("+serverside.ObjectName(merged, k.Kind)+"): ", err)}
	}
	if err != nil {
		return Result{Rejection: unconvertible(r.Manifest, k.Kind, fault.Wrap("unable to convert unstructured object to "+serverside.KindName(k.Kind)+": ", err))}
	}
	s.complete(k, obj)
	if live == nil {
		if rejection := absent(groupResource(k.Kind), obj); rejection != nil {
			return Result{Rejection: rejection}
		}
		return withManaged(s.createDecoded(k, obj, Result{applied: true}), nil, entries)
	}
	if rejection := conflicting(groupResource(k.Kind), k.row.versioned, live, obj); rejection != nil {
		return Result{Rejection: rejection}
	}
	return withManaged(s.updateBuiltin(k, obj, live, Result{}), live, entries)
}

// read is the stored object in its decoded form, complete; of one that is nil
// the empty one.
func (s *Server) read(k builtin, live tree.Object) (tree.Object, error) {
	if live == nil {
		base, _, err := k.decode(blank(k.Kind), s.Minor, false)
		return base, err
	}
	base, _, err := k.decode(live, s.Minor, false)
	if err == nil {
		s.complete(k, base)
		base = printed(base, k.typ, s.Minor)
	}
	return base, err
}

func (s *Server) applyCustom(d *custom.Definition, k schema.Kind, live tree.Object, r serverside.Request) Result {
	base := live
	if live == nil {
		base = blank(k)
	}
	obj, entries, err := s.manager(k, d).Apply(base, r)
	if err != nil {
		return Result{Rejection: applyError(err)}
	}
	obj = tree.CopyObject(obj)
	if live == nil {
		if rejection := absent(d.Plural()+"."+d.Group(), obj); rejection != nil {
			return Result{Rejection: rejection}
		}
		drop(tree.Map(obj, "metadata"), "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion")
		if rejection := s.admitCreate(k, obj); rejection != nil {
			return Result{Rejection: rejection}
		}
	} else {
		if rejection := conflicting(d.Plural()+"."+d.Group(), true, live, obj); rejection != nil {
			return Result{Rejection: rejection}
		}
		keepMetadata(obj, live)
	}
	asked := Result{applied: live == nil}
	made := s.asking(d, k, live, &asked).Apply(k.Version, obj, live)
	if made.Invalid != nil {
		return Result{Rejection: unconvertible(r.Manifest, k, made.Invalid)}
	}
	return withManaged(s.answer(k, obj, live, made, asked), live, entries)
}

// withManaged gives the stored object its managedFields. Where nothing but
// their times would change, those stay as well
// (apiserver pkg/endpoints/handlers/fieldmanager/equality.go).
func withManaged(res Result, live tree.Object, entries []any) Result {
	if res.Rejection != nil {
		return res
	}
	before := tree.List(live, "metadata", "managedFields")
	if live != nil && serverside.SameEntries(before, entries) && sameWithout(res.Object, live) {
		entries = before
	}
	serverside.SetEntries(res.Object, entries)
	return res
}

// sameWithout compares objects without their managedFields.
func sameWithout(a, b tree.Object) bool {
	return tree.Equal(tree.WithoutManagedFields(a), tree.WithoutManagedFields(b))
}

func blank(k schema.Kind) tree.Object {
	return tree.Object{"apiVersion": k.APIVersion(), "kind": k.Kind}
}

// applyError is the server's answer to an apply that cannot be merged.
func applyError(err error) *fault.Rejection {
	var conflicts serverside.Conflicts
	var bad serverside.BadRequest
	var typed *serverside.TypeError
	switch {
	case errors.As(err, &conflicts):
		return fault.Reject("Conflict", fault.Of(err), conflicts.Faults()...)
	case errors.As(err, &bad):
		return fault.Reject("BadRequest", fault.Of(err), bad.Faults()...)
	case errors.As(err, &typed):
		return fault.Reject("", fault.Of(err), typed.Faults...)
	}
	return internal("", err)
}

// unconvertible is the answer to an object that does not fit the Go type, or
// the schema, of its kind.
func unconvertible(config tree.Object, k schema.Kind, err error) *fault.Rejection {
	head := fault.Words("failed to convert new object (%s) to proper version: ", serverside.ObjectName(config, k))
	return fault.Reject("", fault.Join(head, fault.Of(err)), faultOf(err, config))
}

// Owners returns the managedFields that a server-side apply on a stored object
// would lead to if nothing came after it: neither defaults nor validation.
func (s *Server) Owners(k schema.Kind, live tree.Object, r serverside.Request) ([]any, error) {
	b, ok := lookup(k)
	if !ok {
		_, entries, err := s.manager(k, s.Definition(k)).Apply(live, r)
		return entries, err
	}
	base, err := s.read(b, live)
	if err != nil {
		return nil, err
	}
	_, entries, err := s.manager(k, nil).Apply(base, r)
	return entries, err
}
