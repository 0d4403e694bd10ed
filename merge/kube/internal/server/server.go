// Package server is the API server's half of an apply: it decodes what kubectl
// sends, sets defaults, keeps the fields that are its own, and rejects what
// the real one would reject, in its words. It knows nothing of kubectl, files
// or flags.
//
// The order of steps is that of kube-apiserver (apiserver
// pkg/endpoints/handlers/{create,patch}.go, pkg/registry/rest,
// pkg/registry/generic/registry/store.go): decode, default, convert, mutating
// admission, the kind's strategy, validation. What depends on the cluster
// beyond the snapshot (webhooks, random values) is not simulated; see
// docs/limits.md.
package server

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"threeway/merge/access"
	"threeway/merge/fault"
	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/defaults"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/internal/strategic"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/internal/warnings"
	"threeway/merge/kube/schema"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Server simulates one API server. The zero value does not work: Minor must be
// set. A Server may be used by several goroutines.
type Server struct {
	// Minor is the minor version, e.g. 36 for Kubernetes 1.36.
	Minor int
	// Strict rejects unknown fields, as kubectl apply asks for; otherwise they
	// are dropped with a warning, as kubectl diff has it.
	Strict bool
	// Literal takes the text of a placeholder for what it says; otherwise it stands for a value
	// that is not known.
	Literal bool
	// Definition finds the CustomResourceDefinition that serves a kind.
	Definition func(schema.Kind) *custom.Definition
	// World is what is known of the cluster; nil if nothing is.
	World World
	// Request are the options of all requests.
	Request RequestOptions
	// Roles decide what the user of the requests may do; nil if that is not asked.
	Roles func() *access.Roles

	wrap         sync.Once
	cluster      cluster
	types        memo.Table[schema.Kind, derived]
	readPolicies sync.Once
	policies     policies
	readWebhooks sync.Once
	webhooks     []*policy.Webhooks
}

// Result is the answer to a request: the stored object, or a rejection.
type Result struct {
	Object    tree.Object
	Rejection *fault.Rejection
	// Warnings are the server's, as kubectl prints them after "Warning: ".
	Warnings []fault.Warning
	// Dropped are the unknown fields that were left out, of which the server
	// warns first.
	Dropped []fault.Fault
	// Advice is what policies warn of; of that, Warnings have what the server sends.
	Advice []policy.Warning
	// Undecided are the expressions of policies on which the answer depends and
	// that need what is not known.
	Undecided []policy.Undecided
	// Mutations are what mutating policies have changed, in order.
	Mutations []policy.Change
	// Placeholders are those of the object where no literal text like them is valid. What
	// the server says of the values is unknown.
	Placeholders []string

	sent    tree.Object // a custom resource as it was before policies changed it
	applied bool        // a server-side apply finds no object, so that it creates one
	// owners computes the managedFields of Object for who wrote it.
	owners func(manager, time string) []any
}

// plain are warnings that quote no values of objects.
func plain(texts []string) []fault.Warning {
	list := make([]fault.Warning, len(texts))
	for i, text := range texts {
		list[i].Text = fault.Words("%s", text)
	}
	return list
}

// Deprecation is what the server says to every request in a version that is on
// its way out, be it a read; "" if the version stays.
func (s *Server) Deprecation(k schema.Kind) string {
	if schema.Lookup(k) != nil {
		return warnings.Deprecated(k, s.Minor)
	}
	if d := s.Definition(k); d != nil {
		return d.Deprecation(k.Version)
	}
	return ""
}

func (s *Server) create(k schema.Kind, body tree.Object) Result {
	if b, ok := lookup(k); ok {
		if b.row.serves == reading {
			return Result{Rejection: notAllowed()}
		}
		return s.createBuiltin(b, body)
	}
	if d := s.Definition(k); d != nil {
		return s.createCustom(d, k, body)
	}
	return s.tracked(Result{Object: tree.CopyObject(body)}, k, nil, nil, func() tree.Object { return body })
}

func (s *Server) patch(k schema.Kind, live, patch tree.Object) Result {
	if b, ok := lookup(k); ok {
		return s.patchBuiltin(b, live, patch)
	}
	patched := strategic.JSONApply(live, patch)
	if d := s.Definition(k); d != nil {
		return s.updateCustom(d, k, patched, live, false)
	}
	return s.tracked(Result{Object: patched}, k, nil, live, func() tree.Object { return patched })
}

func (s *Server) createBuiltin(k builtin, body tree.Object) Result {
	obj, unknown, err := s.decode(k, body, true)
	if err != nil || len(unknown) > 0 && s.Strict {
		return Result{Rejection: unreadable(k.Kind, body, undecodable(unknown, err, body))}
	}
	s.complete(k, obj)
	return s.tracked(s.createDecoded(k, obj, Result{Dropped: unknown}), k.Kind, nil, nil, s.decodedAgain(k, body, true))
}

// decodedAgain decodes an object that is known to decode a second time: what
// the first time gave has gone through the rest of the request since. Its
// fields have owners if encoding prints them.
func (s *Server) decodedAgain(k builtin, obj tree.Object, create bool) func() tree.Object {
	return func() tree.Object {
		again := decodeSent(obj, k.typ, s.Minor, create)
		if create {
			drop(tree.Map(again, "metadata"), systemFields...)
		}
		s.complete(k, again)
		return bringing(printedAs(again, k.typ, s.Minor, true), obj)
	}
}

// Fresh is a config as the server would store it if it created it, valid or
// not: what differs from the config is defaults. It is nil if it does not
// decode.
func (s *Server) Fresh(k schema.Kind, config tree.Object) tree.Object {
	b, ok := lookup(k)
	if !ok {
		return s.freshCustom(k, config)
	}
	obj, _, err := b.decode(config, s.Minor, true)
	if err != nil {
		return nil
	}
	s.complete(b, obj)
	if s.admitNew(b, obj) == nil && s.allocate(b, obj) == nil {
		b.row.prepareNew(obj, s.Minor)
	}
	obj = decodeAgain(obj, b.typ, s.Minor)
	tree.Delete(obj, "metadata", "uid")
	return s.readBack(b, obj)
}

// Completed is a config with its defaults, valid or not; nil if it does not
// decode.
func (s *Server) Completed(k schema.Kind, config tree.Object) tree.Object {
	b, ok := lookup(k)
	if !ok {
		if d := s.Definition(k); d != nil {
			return d.Completed(k.Version, config)
		}
		return config
	}
	obj, _, err := b.decode(config, s.Minor, true)
	if err != nil {
		return nil
	}
	s.complete(b, obj)
	return obj
}

// complete sets the defaults of a decoded object.
func (s *Server) complete(k builtin, obj tree.Object) {
	defaults.Apply(obj, k.typ, s.Minor)
	k.convert(obj, s.Minor)
	if k.row.name == "PodDisruptionBudget.policy" && !minors.ReservedInStrategy.In(s.Minor) {
		dropReserved(obj, nil, s.Minor)
	}
}

// createDecoded takes a decoded and complete object through the rest of a
// create.
func (s *Server) createDecoded(k builtin, obj tree.Object, res Result) Result {
	res.Warnings = append(res.Warnings, ownersOnce(obj, false)...)
	admit := func() *fault.Rejection { return s.admitNew(k, obj) }
	if res.Rejection = admit(); res.Rejection != nil || !s.mutateBuiltin(&res, k, obj, nil, admit) {
		return res
	}
	res.Warnings = append(res.Warnings, ownersOnce(obj, true)...)
	if res.Rejection = s.escalates(&res, k.Kind, obj, nil); res.Rejection != nil {
		return res
	}
	if res.Rejection = s.allocate(k, obj); res.Rejection != nil {
		return res
	}
	res.Warnings = append(res.Warnings, warnings.Preparing(warnings.Request{Kind: k.Kind, Object: obj, Minor: s.Minor})...)
	k.row.prepareNew(obj, s.Minor)
	return s.finish(res, k, obj, nil)
}

// admitNew is mutating admission in a create.
func (s *Server) admitNew(k builtin, obj tree.Object) *fault.Rejection {
	drop(tree.Map(obj, "metadata"), append(slices.Clip(systemFields), "resourceVersion", "managedFields")...)
	return s.admitCreate(k.Kind, obj)
}

// systemFields are those of the metadata that a create takes out of what is sent
// (apiserver pkg/registry/rest/meta.go WipeObjectMetaSystemFields).
var systemFields = []string{"creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"}

// allocate does what comes between admission and the strategy of the kind in a create.
func (s *Server) allocate(k builtin, obj tree.Object) *fault.Rejection {
	if k.row.allocate != nil {
		if r := k.row.allocate(s, k.Kind, obj, nil); r != nil {
			return r
		}
	}
	k.dropDisabled(obj, nil, s.Minor)
	tree.Set(obj, randomUID, "metadata", "uid")
	return nil
}

func (s *Server) patchBuiltin(k builtin, live, patch tree.Object) Result {
	patched, err := strategic.Apply(live, patch, k.typ)
	if strategic.BadFormat(err) {
		return Result{Rejection: fault.Reject("BadRequest", fault.Of(err), fault.Fault{Code: fault.Invalid, Detail: fault.Of(err)})}
	}
	if err != nil {
		return Result{Rejection: internal("", err)}
	}
	obj, unknown, err := s.decode(k, patched, false)
	if errors.As(err, new(inconvertible)) {
		return Result{Rejection: internal("", err)}
	}
	if err != nil || len(unknown) > 0 && s.Strict {
		quoted := func() string { return fmt.Sprintf("%+v", strategic.Left(live, patch, k.typ)) }
		return Result{Rejection: fault.InvalidPatch(quoted, patched, undecodable(unknown, err, patched))}
	}
	if r := conflicting(groupResource(k.Kind), k.row.versioned, live, patched); r != nil {
		return Result{Rejection: r, Warnings: ownersOnce(obj, true)} // the store compares after admission
	}
	obj["apiVersion"], obj["kind"] = k.APIVersion(), k.Kind.Kind // whatever $retainKeys has left of them
	s.complete(k, obj)
	return s.tracked(s.updateBuiltin(k, obj, live, Result{Dropped: unknown}), k.Kind, nil, live, s.decodedAgain(k, patched, false))
}

// updateBuiltin takes a decoded and complete object through the rest of an
// update.
func (s *Server) updateBuiltin(k builtin, obj, live tree.Object, res Result) Result {
	old, _, err := k.decode(live, s.Minor, false)
	if err != nil {
		res.Rejection = unstored(err)
		return res
	}
	s.complete(k, old)
	keepMetadata(obj, old)
	admit := func() *fault.Rejection {
		if k.row.admitChange != nil {
			k.row.admitChange(obj, old)
		}
		return nil
	}
	admit()
	if !s.mutateBuiltin(&res, k, obj, old, admit) {
		return res
	}
	res.Warnings = append(res.Warnings, ownersOnce(obj, true)...)
	if res.Rejection = s.escalates(&res, k.Kind, obj, old); res.Rejection != nil {
		return res
	}
	if k.row.allocate != nil {
		if res.Rejection = k.row.allocate(s, k.Kind, obj, old); res.Rejection != nil {
			return res
		}
	}
	if !k.row.countsFirst {
		k.dropDisabled(obj, old, s.Minor)
	}
	k.row.prepareUpdate(obj, old, s.Minor, func(field string) bool {
		now, as := k.whole(obj)
		before := s.stored(k, old)
		return changed(now, before, as.typ, field, k.row.exact)
	})
	if k.row.countsFirst {
		k.dropDisabled(obj, old, s.Minor)
	}
	return s.finish(res, k, obj, old)
}

// finish validates the object and gives it the form in which it is read back.
func (s *Server) finish(res Result, k builtin, obj, old tree.Object) Result {
	obj = decodeAgain(obj, k.typ, s.Minor)
	whole, _ := k.whole(obj)
	wholeOld, _ := k.whole(old)
	request := &validation.Request{Kind: k.Kind, Object: whole, Old: wholeOld, Minor: s.Minor, Namespace: s.around().Namespace}
	errs := s.beside(&res, request, k.row.validation)
	if len(errs) == 0 {
		errs = s.readsParameters(&res, k, whole, wholeOld)
	}
	if len(errs) > 0 {
		res.Rejection = k.invalid(obj, errs)
		res.Rejection.Old = old
		return res
	}
	res.Warnings = append(res.Warnings, warnings.For(warnings.Request{Kind: k.Kind, Object: obj, Old: old, Minor: s.Minor}, k.row.warnings)...)
	if !s.createsByApply(&res, k.Kind, obj) {
		return res
	}
	said, rejection := s.admit(request)
	res.Warnings = append(res.Warnings, plain(said)...)
	for _, check := range []func(*Server, *Result, *validation.Request) *fault.Rejection{(*Server).resize, (*Server).attests} {
		if rejection == nil {
			rejection = check(s, &res, request)
		}
	}
	if rejection == nil && k.row.check != nil {
		rejection = k.row.check(s, request)
	}
	if res.Rejection = rejection; rejection == nil {
		s.validatePolicies(&res, k.Kind, obj, old, s.view(k))
	}
	if res.Rejection != nil {
		return res
	}
	if old == nil {
		tree.Delete(obj, "metadata", "uid") // it cannot be known
	}
	res.Object = s.readBack(k, obj)
	if k.row.read != nil {
		k.row.read(res.Object)
	}
	return res
}

// readBack is an object, which it changes, as a later get returns it: reading
// from storage sets defaults once more.
func (s *Server) readBack(k builtin, obj tree.Object) tree.Object {
	stored, as := k.whole(readBack(obj, k.typ, s.Minor))
	defaults.Apply(stored, as.typ, s.Minor)
	if as.Kind != k.Kind {
		stored["apiVersion"] = k.APIVersion()
		k.row.between(stored, as.Version, k.Version)
	}
	return readBack(stored, k.typ, s.Minor)
}

// keepMetadata forces what rest.BeforeUpdate forces.
func keepMetadata(obj, old tree.Object) {
	metadata, oldMetadata := tree.Map(obj, "metadata"), tree.Map(old, "metadata")
	if tree.String(metadata, "uid") == "" {
		keep(metadata, oldMetadata, "uid")
	}
	drop(metadata, "creationTimestamp")
	for _, key := range []string{"creationTimestamp", "deletionTimestamp"} {
		if tree.Has(oldMetadata, key) {
			keep(metadata, oldMetadata, key)
		}
	}
	if !tree.Has(metadata, "deletionGracePeriodSeconds") {
		keep(metadata, oldMetadata, "deletionGracePeriodSeconds")
	}
	delete(metadata, "managedFields")
	if managed, ok := oldMetadata["managedFields"]; ok {
		metadata["managedFields"] = managed
	}
	keep(metadata, oldMetadata, "resourceVersion")
}
