package server

import (
	"cmp"
	"strings"
	"unicode"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// RequestOptions are the options of the requests that kubectl sends, as far as
// policies see them.
type RequestOptions struct {
	DryRun bool
	// Manager is the field manager; Validation is Strict, Warn or Ignore, "" if
	// kubectl asks for none.
	Manager, Validation string
	// User is who sends them, nil if that is not known, and By who impersonates it; nil if
	// that is not known or none does.
	User, By *policy.User
}

// object is the CreateOptions or UpdateOptions of a request; a patch is an update
// (patchToUpdateOptions of apiserver pkg/endpoints/handlers/patch.go).
func (o RequestOptions) object(update bool) tree.Object {
	obj := tree.Object{"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions"}
	if update {
		obj["kind"] = "UpdateOptions"
	}
	if o.DryRun {
		obj["dryRun"] = []any{"All"}
	}
	for key, value := range map[string]string{"fieldManager": o.Manager, "fieldValidation": o.Validation} {
		if value != "" {
			obj[key] = value
		}
	}
	return obj
}

// policies are the admission policies of the cluster.
type policies struct{ validating, mutating *policy.Policies }

// admissionPolicies reads those of the snapshot when it is first asked. A policy
// that the same set of manifests makes is not among them: the server looks for new
// ones once a second (policy_source.go of apiserver
// pkg/admission/plugin/policy/generic), and a dry run makes none.
func (s *Server) admissionPolicies() *policies {
	s.readPolicies.Do(func() {
		s.policies.validating = s.policiesOf("ValidatingAdmissionPolicy")
		s.policies.mutating = s.policiesOf("MutatingAdmissionPolicy")
	})
	return &s.policies
}

// Policies are the admission policies of the snapshot that have bindings.
func (s *Server) Policies() []*policy.Policy {
	return policy.All(s.admissionPolicies().validating, s.admissionPolicies().mutating)
}

func (s *Server) policiesOf(kind string) *policy.Policies {
	const group = "admissionregistration.k8s.io"
	served, ok := schema.Builtin(schema.Kind{Group: group, Version: "v1", Kind: kind})
	if !ok || !served.In(s.Minor) {
		return nil
	}
	found := s.completed(kind + "." + group)
	if len(found) == 0 {
		return nil
	}
	return policy.Read(kind, found, s.completed(kind+"Binding."+group), asked{s}, s.Minor)
}

// completed are the live objects of a kind with their defaults.
func (s *Server) completed(groupKind string) (list []tree.Object) {
	for _, obj := range s.around().Objects(groupKind) {
		k := schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind"))
		if obj := s.Completed(k, obj); obj != nil {
			list = append(list, obj)
		}
	}
	return list
}

// Calls lists the webhooks of the snapshot that the server asks before it stores an
// object in place of an old one, nil on create. They are not called: what they would
// answer is unknown.
func (s *Server) Calls(k schema.Kind, obj, old tree.Object) (calls []policy.Call) {
	s.readWebhooks.Do(func() {
		for _, kind := range []string{policy.MutatingWebhooks, policy.ValidatingWebhooks} {
			if found := s.completed(kind + ".admissionregistration.k8s.io"); found != nil {
				s.webhooks = append(s.webhooks, policy.ReadWebhooks(kind, found, asked{s}, s.Minor))
			}
		}
	})
	if s.webhooks == nil {
		return nil
	}
	r := s.policyRequest(k, obj, old, func(o tree.Object) tree.Object { return o })
	r.Unknown = unknownOf(old)
	for _, all := range s.webhooks {
		calls = append(calls, all.Calls(r)...)
	}
	return calls
}

// asked is what policies ask a server about its cluster.
type asked struct{ *Server }

func (a asked) Namespace(name string) (tree.Object, bool) { return a.around().Namespace(name) }

func (a asked) Serves(k schema.Kind) (served, namespaced, known bool) { return a.around().Serves(k) }

func (a asked) Equivalent(k schema.Kind) []policy.Resource { return a.equivalent(k) }

func (a asked) Convert(obj tree.Object, from, to schema.Kind) tree.Object {
	return a.inVersion(obj, from, to)
}

func (a asked) Authorize(user *policy.User, q policy.Question) policy.Answer { return a.mayDo(user, q) }

// Params lists the live objects of a kind in a namespace at the version of the
// kind. Whether the snapshot lacks some is known of a dump of every kind, and taken
// to be known where it has one of them.
func (s asked) Params(k schema.Kind, namespace string) (list []tree.Object, known bool) {
	for _, obj := range s.around().Objects(k.GroupKind()) {
		if tree.String(obj, "metadata", "namespace") != namespace {
			continue
		}
		list = append(list, s.inVersion(obj, schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind")), k))
	}
	return list, s.around().Complete() || len(list) > 0
}

// inVersion is an object at another version of its kind.
func (s *Server) inVersion(obj tree.Object, from, to schema.Kind) tree.Object {
	if from == to {
		return obj
	}
	if b, ok := lookup(to); ok {
		return printed(s.Convert(obj, from, to), b.typ, s.Minor)
	}
	if d := s.Definition(to); d != nil {
		if converted, err := d.Convert(to.Version, obj); err == nil {
			return converted
		}
	}
	return obj
}

// equivalent lists the other versions in which a kind is served. Events are the
// only ones in two groups.
func (s *Server) equivalent(k schema.Kind) (list []policy.Resource) {
	if lookup, ok := schema.Builtin(k); ok {
		for _, r := range schema.Resources() {
			same := r.Group == k.Group || k.Kind == "Event"
			if same && r.Plural == lookup.Plural && r.Kind != k && r.In(s.Minor) && r.OnByDefault() {
				list = append(list, policy.Resource{Kind: r.Kind, Plural: r.Plural})
			}
		}
		return list
	}
	d := s.Definition(k)
	if d == nil {
		return nil
	}
	for _, version := range d.Versions() {
		if d.Served(version) && version != k.Version {
			list = append(list, policy.Resource{Kind: schema.Kind{Group: k.Group, Version: version, Kind: k.Kind}, Plural: d.Plural()})
		}
	}
	return list
}

// validatePolicies asks the validating policies about an object that has passed
// validation, and adds what they say to the result. view is an object as the server
// prints it.
func (s *Server) validatePolicies(res *Result, k schema.Kind, obj, old tree.Object, view func(tree.Object) tree.Object) {
	all := s.admissionPolicies().validating
	if all == nil || policy.Exempt(k) {
		return
	}
	r := s.policyRequest(k, obj, old, view)
	r.Unknown = unknownOf(old)
	verdict := all.Validate(r)
	for _, w := range verdict.Warnings {
		if text := w.Text(); !strings.ContainsFunc(text.String(), unicode.IsControl) { // which no header takes (NewWarningHeader of k8s.io/apimachinery/pkg/util/net)
			res.Warnings = append(res.Warnings, fault.Warning{Text: text})
		}
	}
	res.Advice = append(res.Advice, verdict.Warnings...)
	res.Undecided = append(res.Undecided, verdict.Undecided...)
	if d := verdict.Denial; d != nil {
		res.Rejection = s.denied(r, d)
	}
}

// Deletes is the refusal of the delete of a live object by the validating policies, and what of
// that is not known.
func (s *Server) Deletes(k schema.Kind, old tree.Object) ([]policy.Undecided, *fault.Rejection) {
	var res Result
	s.validatePolicies(&res, k, nil, old, func(o tree.Object) tree.Object { return o })
	return res.Undecided, res.Rejection
}

// unknownOf are the fields of metadata of which only the server knows more than that they are there.
func unknownOf(old tree.Object) []string {
	if old == nil {
		return []string{"managedFields", "uid", "creationTimestamp"}
	}
	return []string{"managedFields"}
}

// policyRequest is a request as policies see it. That about a Namespace has its
// name as namespace.
func (s *Server) policyRequest(k schema.Kind, obj, old tree.Object, view func(tree.Object) tree.Object) *policy.Request {
	r := &policy.Request{
		Resource: policy.Resource{Kind: k, Plural: s.around().Plural(k)},
		User:     s.Request.User,
		DryRun:   s.Request.DryRun,
		Options:  RequestOptions{DryRun: s.Request.DryRun}.object(false),
	}
	if r.Options["kind"] = "DeleteOptions"; obj != nil {
		r.Options, r.Object = s.Request.object(old != nil), view(obj)
	}
	if old != nil {
		r.Old = view(old)
	}
	for _, o := range []tree.Object{obj, old} {
		r.Name, r.Namespace = cmp.Or(r.Name, tree.String(o, "metadata", "name")), cmp.Or(r.Namespace, tree.String(o, "metadata", "namespace"))
	}
	if k == namespaceKind {
		r.Namespace = r.Name
	}
	return r
}

// denied words a rejection by a policy (NewForbidden of apiserver
// pkg/admission/errors.go, whose reason the policy replaces).
func (s *Server) denied(r *policy.Request, d *policy.Denial) *fault.Rejection {
	resource := r.Plural
	if r.Group != "" {
		resource += "." + r.Group
	}
	forbidden := fault.Join(fault.Words("%s %q is forbidden: ", resource, r.Name), d.Message)
	return fault.Deny(d.Reason, r.Plural, r.Name, forbidden, d.Message).DecidedBy("ValidatingAdmissionPolicy.admissionregistration.k8s.io", d.Policy)
}
