package server

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/access"
	"threeway/merge/fault"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// readsParameters is the refusal of an admission policy with a kind of parameters that the
// user may not get everywhere, or of a binding to parameters that it may not read. A binding
// is asked about again at each update, as its parameterNotFoundAction is compared as a pointer
// (pkg/registry/admissionregistration/{validating,mutating}admissionpolicy{,binding}/authz.go).
func (s *Server) readsParameters(res *Result, k builtin, obj, old tree.Object) field.ErrorList {
	kind, isBinding := strings.CutSuffix(k.Kind.Kind, "Binding")
	of, ref := tree.Map(obj, "spec", "paramKind"), tree.Map(obj, "spec", "paramRef")
	if !s.asks() || k.Group != "admissionregistration.k8s.io" || !strings.HasSuffix(kind, "AdmissionPolicy") || slices.Contains(s.Request.User.Groups, access.Masters) ||
		!isBinding && (of == nil || tree.Equal(of, tree.Map(old, "spec", "paramKind"))) || isBinding && ref == nil {
		return nil
	}
	q := access.Request{Verb: "get", Group: "*", Resource: "*", Namespace: "*", Name: "*"}
	policy, unfound := tree.String(obj, "spec", "policyName"), ""
	if isBinding {
		if q.Name, q.Namespace = tree.String(ref, "name"), tree.String(ref, "namespace"); q.Name == "" {
			q.Verb = "list"
		}
		found := s.around().find(kind+"."+k.Group, "", policy)
		if of = tree.Map(found, "spec", "paramKind"); found == nil {
			unfound = "get policy " + policy
		}
	}
	if of != nil {
		kind := schema.ParseKind(tree.String(of, "apiVersion"), tree.String(of, "kind"))
		q.Group = kind.Group
		if serves, _, known := s.around().Serves(kind); serves || !known {
			q.Resource = s.around().Plural(kind)
		} else {
			unfound = fmt.Sprintf("resolve paramKind &{%s %s}", tree.String(of, "apiVersion"), kind.Kind)
		}
	}
	d := s.Roles().Decide(s.user(), q)
	if !d.Allowed && strings.HasPrefix(unfound, "get") && !s.around().tells(kind+"."+k.Group) {
		d.Needs = append(d.Needs, kind+"."+k.Group)
	}
	switch {
	case d.Allowed:
		return nil
	case d.Needs != nil:
		res.Undecided = append(res.Undecided, s.unauthorized(d.Needs)...)
		return nil
	}
	user := fmt.Sprintf("&{%s %s %v map[]}", s.Request.User.Name, s.Request.User.UID, s.Request.User.Groups)
	switch at := field.NewPath("spec", "paramRef"); {
	case !isBinding:
		return field.ErrorList{field.Forbidden(field.NewPath("spec", "paramKind"), fmt.Sprintf(`user %s must have "get" permission on all objects of the referenced paramKind (kind=%s, apiVersion=%s)`,
			user, tree.String(of, "kind"), tree.String(of, "apiVersion")))}
	case unfound != "":
		return field.ErrorList{field.Forbidden(at, fmt.Sprintf(`unable to %s to determine minimum required permissions and user %s does not have "%s" permission for all groups, versions and resources`, unfound, user, q.Verb))}
	case kind == "MutatingAdmissionPolicy": // which the server words the wrong way round
		return field.ErrorList{field.Forbidden(at, fmt.Sprintf(`user %s does not have "%s" permission on the object referenced by paramRef`, q.Verb, user))}
	default:
		return field.ErrorList{field.Forbidden(at, fmt.Sprintf(`user %s does not have "%s" permission on the object referenced by paramRef`, user, q.Verb))}
	}
}

// attests is the refusal of a bundle of a signer that the user may not attest for
// (plugin/pkg/admission/certificates/ctbattest).
func (s *Server) attests(res *Result, r *validation.Request) *fault.Rejection {
	signer := tree.String(r.Object, "spec", "signerName")
	if !s.asks() || r.Kind.GroupKind() != "ClusterTrustBundle.certificates.k8s.io" || signer == "" || r.Old != nil && sameWithoutOwners(r.Object, r.Old) {
		return nil
	}
	domain, _, _ := strings.Cut(signer, "/")
	var needs []string
	for _, name := range []string{signer, domain + "/*"} {
		d := s.Roles().Decide(s.user(), access.Request{Verb: "attest", Group: r.Kind.Group, Resource: "signers", Name: name})
		if d.Allowed {
			return nil
		}
		needs = append(needs, d.Needs...)
	}
	if needs != nil {
		res.Undecided = append(res.Undecided, s.unauthorized(needs)...)
		return nil
	}
	return s.around().forbidden(r.Kind, r.Object, fmt.Sprintf("user not permitted to attest for signerName %q", signer))
}
