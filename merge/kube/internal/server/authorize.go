package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"threeway/merge/access"
	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Create simulates a POST of body. body is not changed.
func (s *Server) Create(k schema.Kind, body tree.Object) Result {
	return s.allowed(k, "create", body, func() Result { return s.create(k, body) })
}

// Patch simulates the patch of client-side apply on live: a strategic merge
// patch for built-in kinds, a JSON merge patch for others. Neither argument is
// changed.
func (s *Server) Patch(k schema.Kind, live, patch tree.Object) Result {
	return s.allowed(k, "patch", live, func() Result { return s.patch(k, live, patch) })
}

// Update simulates a PUT of body in the place of live. Neither argument is changed.
func (s *Server) Update(k schema.Kind, live, body tree.Object) Result {
	return s.allowed(k, "update", live, func() Result { return s.update(k, live, body) })
}

// Rewrite simulates a JSON patch that makes body of live. Neither argument is changed.
func (s *Server) Rewrite(k schema.Kind, live, body tree.Object) Result {
	return s.allowed(k, "patch", live, func() Result { return s.update(k, live, body) })
}

// Apply simulates a server-side apply on live, which is nil if there is no
// object of that name yet. Neither live nor the configuration is changed.
func (s *Server) Apply(k schema.Kind, live tree.Object, r serverside.Request) Result {
	return s.allowed(k, "patch", r.Manifest, func() Result { return s.apply(k, live, r) })
}

// ReadRoles reads the roles and bindings of the cluster when they are first asked for.
// covers tells whether the snapshot has all of a kind.
func (s *Server) ReadRoles(covers func(groupKind string) bool) func() *access.Roles {
	return sync.OnceValue(func() *access.Roles {
		var objects []tree.Object
		for _, kind := range access.Kinds {
			objects = append(objects, s.around().Objects(kind)...)
		}
		return access.New(s.Minor, objects, covers)
	})
}

// Grants reports whether objects of a kind decide what the user may do.
func (s *Server) Grants(k schema.Kind) bool { return s.asks() && k.Group == access.Group }

// Parametrizes reports whether rights for objects of the set depend on one of a kind.
func (s *Server) Parametrizes(k schema.Kind) bool {
	return s.asks() && k.Group == "admissionregistration.k8s.io" && strings.HasSuffix(k.Kind, "AdmissionPolicy")
}

// asks reports whether the requests of a user are held to its rights.
func (s *Server) asks() bool { return s.Roles != nil && s.Request.User != nil }

// allowed is the answer to a request about an object if the user may make it.
func (s *Server) allowed(k schema.Kind, verb string, obj tree.Object, answer func() Result) Result {
	d, no := s.Authorize(k, verb, tree.String(obj, "metadata", "namespace"), tree.String(obj, "metadata", "name"))
	if no != nil {
		return Result{Rejection: no}
	}
	res := answer()
	res.Undecided = append(res.Undecided, d...)
	return res
}

// Authorize is the refusal of a request of the user by the server's authorizer, if the
// roles refuse it, and what they need if they do not tell. An object that is created has
// its name in the body, which is not asked for (apiserver pkg/endpoints/filters/authorization.go).
func (s *Server) Authorize(k schema.Kind, verb, namespace, name string) ([]policy.Undecided, *fault.Rejection) {
	if verb == "create" {
		name = ""
	}
	if no := s.Impersonates(k, verb, namespace, name); no != nil {
		return nil, no
	}
	return s.authorize(k, verb, namespace, name)
}

func (s *Server) authorize(k schema.Kind, verb, namespace, name string) ([]policy.Undecided, *fault.Rejection) {
	if !s.asks() {
		return nil, nil
	}
	return s.refused(s.user(), s.request(k, verb, namespace, name))
}

func (s *Server) request(k schema.Kind, verb, namespace, name string) access.Request {
	if k == namespaceKind {
		namespace = name // whose own it is
	}
	return access.Request{Verb: verb, Group: k.Group, Resource: s.around().Plural(k), Namespace: namespace, Name: name}
}

// Impersonates is the refusal of a request because who makes it as a ServiceAccount may not
// (apiserver pkg/endpoints/filters/impersonation). Of no kind, it is one for what there is.
func (s *Server) Impersonates(k schema.Kind, verb, namespace, name string) *fault.Rejection {
	by := s.Request.By
	if by == nil || !s.asks() {
		return nil
	}
	toNamespace, to, is := access.Account(s.Request.User.Name)
	if !is || to == "" {
		return nil
	}
	q := access.Request{Verb: verb, URL: "/api/v1"}
	if k.Kind != "" {
		q = s.request(k, verb, namespace, name)
	}
	account := access.Request{Verb: "impersonate", Resource: "serviceaccounts", Namespace: toNamespace, Name: to}
	who, asks := access.User{Name: by.Name, Groups: by.Groups}, []access.Request{account}
	if minors.LimitedImpersonation.In(s.Minor) {
		q.Verb = "impersonate-on:serviceaccount:" + verb
		limited := account
		limited.Verb, limited.Group = "impersonate:serviceaccount", "authentication.k8s.io"
		if s.Roles().Decide(who, account).Allowed {
			return nil
		}
		asks = []access.Request{q, limited}
	}
	for _, ask := range asks {
		if _, no := s.refused(who, ask); no != nil {
			no.Faults[0].Code = fault.NotAs
			return no
		}
	}
	return nil
}

func (s *Server) refused(u access.User, q access.Request) ([]policy.Undecided, *fault.Rejection) {
	d := s.Roles().Decide(u, q)
	switch {
	case d.Allowed:
		return nil, nil
	case d.Needs != nil:
		return s.unauthorized(d.Needs), nil
	}
	scope := "at the cluster scope"
	if q.Namespace != "" {
		scope = fmt.Sprintf("in the namespace %q", q.Namespace)
	}
	if q.URL != "" {
		return nil, fault.Reject("Forbidden", fault.Words("forbidden: User %q cannot %s path %q", u.Name, q.Verb, q.URL), fault.Fault{Code: fault.NoRight})
	}
	why := fmt.Sprintf("User %q cannot %s resource %q in API group %q %s", u.Name, q.Verb, q.Resource, q.Group, scope)
	if d.Why != "" {
		why += ": " + s.whyNot(d)
	}
	return nil, forbidden(fault.NoRight, q.Resource, q.Group, q.Name, why, access.Smallest(q.Namespace, access.Rule{Groups: []string{q.Group}, Resources: []string{q.Resource}, Verbs: []string{q.Verb}}))
}

// whyNot is what the authorizer says of a request that it does not allow.
func (s *Server) whyNot(d access.Decision) string {
	switch {
	case d.Why == "":
		return ""
	case minors.AuthorizerNamed.In(s.Minor):
		return "rbac: RBAC: " + d.Why
	}
	return "RBAC: " + d.Why
}

// mayDo is what an expression of a policy is answered that asks the authorizer. A
// ServiceAccount that it names is in the groups of such only.
func (s *Server) mayDo(user *policy.User, q policy.Question) policy.Answer {
	if s.Roles == nil || user == nil && q.Account == "" {
		return policy.Answer{Needs: []string{policy.Authorizer}}
	}
	u := access.User{Name: "system:serviceaccount:" + q.AccountNamespace + ":" + q.Account, Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + q.AccountNamespace}}
	if q.Account == "" {
		u = access.User{Name: user.Name, Groups: user.Groups}
	}
	request := access.Request{Verb: q.Verb, URL: q.Path}
	if q.Path == "" {
		request = access.Request{Verb: q.Verb, Group: q.Group, Resource: q.Resource, Namespace: q.Namespace, Name: q.Object}
		if q.Subresource != "" {
			request.Resource += "/" + q.Subresource
		}
	}
	d := s.Roles().Decide(u, request)
	return policy.Answer{Allowed: d.Allowed, Needs: d.Needs, Reasons: func() (list, needs []string) {
		if d.Allowed {
			return s.Roles().Reasons(u, request)
		}
		return []string{s.whyNot(d)}, nil
	}}
}

// forbidden is a refusal for want of rights (apimachinery pkg/api/errors NewForbidden).
func forbidden(code fault.Code, resource, group, name, why string, lacks tree.Object) *fault.Rejection {
	if group != "" {
		resource += "." + group
	}
	if name != "" {
		resource += fmt.Sprintf(" %q", name)
	}
	return fault.Reject("Forbidden", fault.Words("%s is forbidden: %s", resource, why), fault.Fault{Code: code, Lacks: lacks})
}

// Lacks is the smallest role that gives the user those of some verbs about an object that
// it does not have; nil if it has them.
func (s *Server) Lacks(k schema.Kind, namespace, name string, verbs []string) tree.Object {
	rule := access.Rule{Groups: []string{k.Group}, Resources: []string{s.around().Plural(k)}}
	for _, verb := range verbs {
		if _, no := s.Authorize(k, verb, namespace, name); no != nil {
			rule.Verbs = append(rule.Verbs, verb)
		}
	}
	if rule.Verbs == nil {
		return nil
	}
	return access.Smallest(namespace, rule)
}

func (s *Server) user() access.User {
	return access.User{Name: s.Request.User.Name, Groups: s.Request.User.Groups}
}

// unauthorized is what the snapshot has to tell of the rights of the user.
func (s *Server) unauthorized(needs []string) []policy.Undecided {
	slices.Sort(needs)
	needs = slices.Compact(needs)
	return []policy.Undecided{{Kind: "RBAC for User", Policy: s.Request.User.Name, Needs: needs, Effect: policy.Rejects}}
}

// createsByApply asks for the right to create what a server-side apply finds absent, once
// it is valid (apiserver pkg/endpoints/handlers/patch.go, update.go withAuthorization). It
// reports whether the request goes on.
func (s *Server) createsByApply(res *Result, k schema.Kind, obj tree.Object) bool {
	if !res.applied {
		return true
	}
	d, no := s.authorize(k, "create", tree.String(obj, "metadata", "namespace"), tree.String(obj, "metadata", "name"))
	res.Undecided, res.Rejection = append(res.Undecided, d...), no
	return no == nil
}

// escalates is the refusal of a role with rules, or of a binding to a role with rules, that
// the user does not have, nor the right to escalate or bind
// (pkg/registry/rbac/{role,clusterrole,rolebinding,clusterrolebinding}/policybased).
func (s *Server) escalates(res *Result, k schema.Kind, obj, old tree.Object) *fault.Rejection {
	if !s.asks() || k.Group != access.Group || slices.Contains(s.Request.User.Groups, access.Masters) || old != nil && sameWithoutOwners(obj, old) {
		return nil
	}
	resource, namespace, name := s.around().Plural(k), tree.String(obj, "metadata", "namespace"), tree.String(obj, "metadata", "name")
	q := access.Request{Verb: "escalate", Group: k.Group, Resource: resource, Namespace: namespace}
	if old != nil || res.applied {
		q.Name = name
	}
	rules, whole := access.RulesOf(obj), false
	switch k.Kind {
	case "Role":
	case "ClusterRole":
		whole = gathers(obj) || gathers(old)
	default:
		role := access.RoleOf(namespace, obj)
		q.Verb, q.Resource, q.Name = "bind", "roles", role.Name
		if role.Kind == "ClusterRole" {
			q.Resource = "clusterroles"
		}
		found := false
		if rules, found = s.Roles().Rules(role); !found {
			d := s.Roles().Decide(s.user(), q)
			switch needs := append(d.Needs, s.Roles().Unknown(role)...); {
			case d.Allowed:
				return nil
			case needs != nil:
				res.Undecided = append(res.Undecided, s.unauthorized(needs)...)
				return nil
			}
			return fault.Reject("NotFound", fault.Words("%s", access.Missing(resource, role)), fault.Fault{Code: fault.Absent})
		}
	}
	d := s.Roles().Decide(s.user(), q)
	if d.Allowed {
		return nil
	}
	why, lacks, needs := s.Roles().Escalation(s.user(), resource, namespace, rules)
	if why == "" && whole {
		if why, lacks, needs = s.Roles().Escalation(s.user(), resource, "", access.Everything); why != "" {
			why = "must have cluster-admin privileges to use the aggregationRule"
		}
	}
	switch {
	case why == "":
		return nil
	case needs != nil || d.Needs != nil:
		res.Undecided = append(res.Undecided, s.unauthorized(append(needs, d.Needs...))...)
		return nil
	}
	return forbidden(fault.Escalates, resource, k.Group, name, why, access.Smallest(namespace, lacks...))
}

func gathers(role tree.Object) bool {
	return len(tree.List(role, "aggregationRule", "clusterRoleSelectors")) > 0
}

// sameWithoutOwners reports whether an update changes only what garbage collection goes by
// (pkg/registry/rbac/helpers.go IsOnlyMutatingGCFields).
func sameWithoutOwners(obj, old tree.Object) bool {
	bare := func(o tree.Object) tree.Object {
		o = maps.Clone(o)
		metadata := maps.Clone(tree.Map(o, "metadata"))
		drop(metadata, "ownerReferences", "finalizers", "selfLink", "managedFields")
		o["metadata"] = metadata
		return o
	}
	return tree.Equal(bare(obj), bare(old))
}
