// Package server is the API server's half of an apply: it decodes what kubectl
// sends, sets defaults, keeps the fields that are its own, and rejects what
// the real one would reject, in its words. It knows nothing of kubectl, files
// or flags.
//
// The order of steps is that of kube-apiserver (apiserver
// pkg/endpoints/handlers/{create,patch}.go, pkg/registry/rest,
// pkg/registry/generic/registry/store.go): decode, default, convert, mutating
// admission, the kind's strategy, validation. What depends on the cluster
// beyond the snapshot (webhooks, quotas, random values) is not simulated; see
// docs/limits.md.
package server

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"threeway/merge/schema"
	"threeway/merge/server/custom"
	"threeway/merge/server/defaults"
	"threeway/merge/server/validation"
	"threeway/merge/server/warnings"
	"threeway/merge/strategic"
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
	// Definition finds the CustomResourceDefinition that serves a kind.
	Definition func(schema.Kind) *custom.Definition
	// Cluster is what else is in the cluster, as far as the snapshot tells.
	Cluster Cluster

	types sync.Map // schema.Kind → serverside.Type
}

// Result is the answer to a request: the stored object, or a rejection.
type Result struct {
	Object    tree.Object
	Rejection *Rejection
	// Warnings are the server's, as kubectl prints them after "Warning: ".
	Warnings []string
	// Dropped are the paths of unknown fields that were left out.
	Dropped []string
	// Unevaluated names the CEL rules that apply but were not evaluated.
	Unevaluated []string

	// owners computes the managedFields of Object for who wrote it.
	owners func(manager, time string) []any
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

// Create simulates a POST of body. body is not changed.
func (s *Server) Create(k schema.Kind, body tree.Object) Result {
	if t := schema.Lookup(k); t != nil {
		return s.createBuiltin(k, t, body)
	}
	if d := s.Definition(k); d != nil {
		return s.createCustom(d, k, body)
	}
	return s.tracked(Result{Object: tree.CopyObject(body)}, k, nil, nil, func() tree.Object { return body })
}

// Patch simulates the patch of client-side apply on live: a strategic merge
// patch for built-in kinds, a JSON merge patch for others. Neither argument is
// changed.
func (s *Server) Patch(k schema.Kind, live, patch tree.Object) Result {
	if t := schema.Lookup(k); t != nil {
		return s.patchBuiltin(k, t, live, patch)
	}
	patched := strategic.JSONApply(live, patch)
	if d := s.Definition(k); d != nil {
		return s.updateCustom(d, k, patched, live)
	}
	return s.tracked(Result{Object: patched}, k, nil, live, func() tree.Object { return patched })
}

func (s *Server) createBuiltin(k schema.Kind, t *schema.Type, body tree.Object) Result {
	obj, unknown, err := decode(body, t, s.Minor, true)
	if err != nil || len(unknown) > 0 && s.Strict {
		detail := strictError(unknown)
		if err != nil {
			detail = err.Error()
		}
		return Result{Rejection: badRequest("%s in version %q cannot be handled as a %s: %s", k.Kind, k.Version, k.Kind, detail)}
	}
	s.complete(obj, t)
	return s.tracked(s.createDecoded(k, t, obj, Result{Warnings: warnUnknown(unknown), Dropped: unknown}), k, nil, nil, s.decodedAgain(body, t, true))
}

// decodedAgain decodes an object that is known to decode a second time: what
// the first time gave has gone through the rest of the request since. Its
// fields have owners if encoding prints them.
func (s *Server) decodedAgain(obj tree.Object, t *schema.Type, create bool) func() tree.Object {
	return func() tree.Object {
		again, _, _ := decode(obj, t, s.Minor, create)
		s.complete(again, t)
		return printed(again, t, s.Minor)
	}
}

// Fresh is a config as the server would store it if it created it, valid or
// not: what differs from the config is defaults. It is nil if it does not
// decode.
func (s *Server) Fresh(k schema.Kind, config tree.Object) tree.Object {
	t := schema.Lookup(k)
	if t == nil {
		if made := s.Create(k, config).Object; made != nil {
			return made
		}
		return config
	}
	obj, _, err := decode(config, t, s.Minor, true)
	if err != nil {
		return nil
	}
	s.complete(obj, t)
	if s.admitNew(k, t, obj) == nil {
		prepareNew(k, obj)
	}
	obj = settle(obj, t, s.Minor)
	tree.Delete(obj, "metadata", "uid")
	return s.readBack(obj, t)
}

// Completed is a config with its defaults, valid or not; nil if it does not
// decode.
func (s *Server) Completed(k schema.Kind, config tree.Object) tree.Object {
	t := schema.Lookup(k)
	if t == nil {
		if d := s.Definition(k); d != nil {
			return d.Completed(k.Version, config)
		}
		return config
	}
	obj, _, err := decode(config, t, s.Minor, true)
	if err != nil {
		return nil
	}
	s.complete(obj, t)
	return obj
}

// complete sets the defaults of a decoded object.
func (s *Server) complete(obj tree.Object, t *schema.Type) {
	defaults.Apply(obj, t, s.Minor)
	aliases(obj, t)
}

// createDecoded takes a decoded and complete object through the rest of a
// create.
func (s *Server) createDecoded(k schema.Kind, t *schema.Type, obj tree.Object, res Result) Result {
	if res.Rejection = s.admitNew(k, t, obj); res.Rejection != nil {
		return res
	}
	res.Warnings = append(res.Warnings, warnings.Preparing(warnings.Request{Kind: k, Object: obj, Minor: s.Minor})...)
	prepareNew(k, obj)
	return s.finish(res, k, t, obj, nil)
}

// admitNew is what comes before the strategy of the kind in a create.
func (s *Server) admitNew(k schema.Kind, t *schema.Type, obj tree.Object) *Rejection {
	metadata := tree.Map(obj, "metadata")
	drop(metadata, "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion", "managedFields")
	if r := s.admitCreate(k, obj); r != nil {
		return r
	}
	if r := s.beginService(k, obj, nil); r != nil {
		return r
	}
	dropDisabled(obj, nil, t)
	metadata["uid"] = randomUID
	return nil
}

// prepareNew is the strategy of the kind in a create.
func prepareNew(k schema.Kind, obj tree.Object) {
	strategyOf(k).prepareCreate(obj)
	if k.GroupKind() == "Job.batch" {
		generateSelector(obj)
	}
}

func (s *Server) patchBuiltin(k schema.Kind, t *schema.Type, live, patch tree.Object) Result {
	patched, err := strategic.Apply(live, patch, t)
	if err != nil {
		return Result{Rejection: patchError(err)}
	}
	if r := conflicting(k, live, patched); r != nil {
		return Result{Rejection: r}
	}
	obj, unknown, err := decode(patched, t, s.Minor, false)
	if err != nil || len(unknown) > 0 && s.Strict {
		detail := strictError(unknown)
		if err != nil {
			detail = err.Error()
		}
		return Result{Rejection: invalidPatch(fmt.Sprintf("%+v", strategic.Left(live, patch, t)), detail)}
	}
	obj["apiVersion"], obj["kind"] = k.APIVersion(), k.Kind // whatever $retainKeys has left of them
	s.complete(obj, t)
	return s.tracked(s.updateBuiltin(k, t, obj, live, Result{Warnings: warnUnknown(unknown), Dropped: unknown}), k, nil, live, s.decodedAgain(patched, t, false))
}

// updateBuiltin takes a decoded and complete object through the rest of an
// update.
func (s *Server) updateBuiltin(k schema.Kind, t *schema.Type, obj, live tree.Object, res Result) Result {
	old, _, err := decode(live, t, s.Minor, false)
	if err != nil {
		res.Rejection = &Rejection{Message: fmt.Sprintf("the live object does not decode: %v", err)}
		return res
	}
	s.complete(old, t)
	keepMetadata(obj, old)
	if res.Rejection = s.admitUpdate(k, obj, old); res.Rejection != nil {
		return res
	}
	if res.Rejection = s.beginService(k, obj, old); res.Rejection != nil {
		return res
	}
	dropDisabled(obj, old, t)
	strategy := strategyOf(k)
	if k.GroupKind() == "Service" {
		wipe(tree.Map(obj, "spec"), tree.Map(old, "spec"))
	}
	strategy.prepareUpdate(obj, old, func(field string) bool {
		return changed(obj, old, t, field, strategy.exact)
	})
	return s.finish(res, k, t, obj, old)
}

// finish validates the object and gives it the form in which it is read back.
func (s *Server) finish(res Result, k schema.Kind, t *schema.Type, obj, old tree.Object) Result {
	obj = settle(obj, t, s.Minor)
	request := &validation.Request{Kind: k, Object: obj, Old: old, Minor: s.Minor}
	if errs := validation.Validate(request); len(errs) > 0 {
		res.Rejection = invalid(k.Kind, tree.String(obj, "metadata", "name"), errs)
		return res
	}
	res.Warnings = append(res.Warnings, warnings.For(warnings.Request{Kind: k, Object: obj, Old: old, Minor: s.Minor})...)
	if res.Rejection = s.admit(request); res.Rejection != nil {
		return res
	}
	if old == nil {
		tree.Delete(obj, "metadata", "uid") // nobody can know it
	}
	res.Object = s.readBack(obj, t)
	if spec := tree.Map(res.Object, "spec"); k.GroupKind() == "Service" && tree.String(spec, "type") == "ExternalName" {
		delete(spec, "internalTrafficPolicy") // defaultOnReadInternalTrafficPolicy
	}
	return res
}

// readBack is an object, which it changes, as a later get returns it: reading
// from storage sets defaults once more.
func (s *Server) readBack(obj tree.Object, t *schema.Type) tree.Object {
	stored := readBack(obj, t, s.Minor)
	defaults.Apply(stored, t, s.Minor)
	return readBack(stored, t, s.Minor)
}

// beginService gives a Service its addresses and ports, before validation.
func (s *Server) beginService(k schema.Kind, obj, old tree.Object) *Rejection {
	if k.GroupKind() != "Service" {
		return nil
	}
	spec, oldSpec := tree.Map(obj, "spec"), tree.Map(old, "spec")
	retain(spec, oldSpec)
	cluster := s.Cluster.served()
	causes, err := validation.Allocate(&validation.Request{Kind: k, Object: obj, Old: old, Minor: s.Minor,
		Families: cluster.families, Networks: cluster.ranges, NodePorts: heldPorts(cluster.external, obj)})
	if len(causes) > 0 {
		return invalid(k.Kind, tree.String(obj, "metadata", "name"), causes)
	}
	var internal validation.InternalError
	switch {
	case errors.As(err, &internal):
		return &Rejection{Reason: "InternalError", Message: err.Error()}
	case err != nil:
		return &Rejection{Message: err.Error()}
	}
	if causes := s.addressClash(obj, old); len(causes) > 0 {
		return invalid(k.Kind, tree.String(obj, "metadata", "name"), causes)
	}
	allocate(spec, oldSpec, cluster.families, cluster.network)
	return nil
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

// conflicting is the refusal of an object that names another resourceVersion
// than the live one's.
func conflicting(k schema.Kind, live, patched tree.Object) *Rejection {
	asked := tree.String(patched, "metadata", "resourceVersion")
	if asked == "" || asked == tree.String(live, "metadata", "resourceVersion") {
		return nil
	}
	if _, err := strconv.ParseUint(asked, 10, 64); err != nil {
		return &Rejection{Message: err.Error()}
	}
	return conflict(groupResource(k), tree.String(live, "metadata", "name"), modified)
}

const modified = "the object has been modified; please apply your changes to the latest version and try again"

// conflict is the refusal of an object that expects another one to be there
// (apimachinery pkg/api/errors NewConflict).
func conflict(resource, name, detail string) *Rejection {
	return &Rejection{Reason: "Conflict", Message: fmt.Sprintf("Operation cannot be fulfilled on %s %q: %s", resource, name, detail)}
}

// groupResource is the plural.group of a built-in kind.
func groupResource(k schema.Kind) string {
	resource, _ := schema.Builtin(k)
	if k.Group == "" {
		return resource.Plural
	}
	return resource.Plural + "." + k.Group
}

// absent is the refusal of a server-side apply that names the uid of an object
// where there is none (apiserver pkg/endpoints/handlers/patch.go applyPatch).
func absent(resource string, obj tree.Object) *Rejection {
	uid := tree.String(obj, "metadata", "uid")
	if uid == "" {
		return nil
	}
	return conflict(resource, tree.String(obj, "metadata", "name"), "uid mismatch: the provided object specified uid "+uid+", and no existing object was found")
}

// patchError is the server's answer to a patch that cannot be applied
// (apiserver pkg/endpoints/handlers/patch.go interpretStrategicMergePatchError).
func patchError(err error) *Rejection {
	return &Rejection{Message: err.Error()}
}

func warnUnknown(unknown []string) []string {
	var texts []string
	for _, path := range unknown {
		texts = append(texts, unknownFields([]string{path}))
	}
	return texts
}
