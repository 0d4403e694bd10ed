package server

import (
	"cmp"
	"fmt"
	"path"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/policy"
	"threeway/merge/kube/internal/warnings"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

func (s *Server) createCustom(d *custom.Definition, k schema.Kind, body tree.Object) Result {
	request := body
	body = tree.CopyObject(body)
	drop(tree.Map(body, "metadata"), "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion", "managedFields")
	repeated := ownersOnce(body, false)
	if r := s.admitCreate(k, body); r != nil {
		return Result{Rejection: r}
	}
	var asked Result
	made := s.asking(d, k, nil, &asked).Create(k.Version, body)
	if made.Invalid != nil || len(made.Unknown) > 0 && s.Strict {
		return Result{Rejection: unreadable(k, body, undecodable(made.Unknown, made.Invalid, body))}
	}
	res := s.answer(k, body, nil, made, asked)
	res.Warnings = append(repeated, res.Warnings...)
	return s.tracked(res, k, d, nil, func() tree.Object { return bringing(asked.decoded(made), request) })
}

// unconverted is the rejection of a request that only a conversion webhook can answer, from
// the version of the request into the stored one or back, if there is no Service at which to
// call it (apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go).
func (s *Server) unconverted(k schema.Kind, from string) *fault.Rejection {
	c, needed := s.Definition(k).Converter(k.Version)
	if !needed || c.Service == "" || !s.around().lacksService(c.Namespace, c.Service) {
		return nil
	}
	return fault.Reject("", fault.Words("conversion webhook for %s/%s, Kind=%s failed: Post \"%s?timeout=30s\": service %q not found", k.Group, from, k.Kind, c.URL, c.Service),
		fault.Fault{Code: fault.Absent, Detail: fault.Words("its conversion webhook cannot be called: Service %s/%s does not exist", c.Namespace, c.Service)})
}

// Unread is the rejection of every request, in the version, about a live object that is
// stored in another one and cannot be converted. An export in the version of the request
// shows that it can (apiserver pkg/storage/etcd3/store.go, corrupt_obj_deleter.go).
func (s *Server) Unread(k schema.Kind, live tree.Object) *fault.Rejection {
	d := s.Definition(k)
	if d == nil || d.Stored() == "" || tree.String(live, "apiVersion") != k.Group+"/"+d.Stored() {
		return nil
	}
	no := s.unconverted(k, d.Stored())
	if no == nil || !minors.CorruptObjects.In(s.Minor) {
		return no
	}
	meta := tree.Map(live, "metadata")
	key := path.Join("/", k.Group, d.Plural(), tree.String(meta, "namespace"), tree.String(meta, "name"))
	return fault.Reject("InternalError", fault.Join(fault.Words("Internal error occurred: StorageError: corrupt object, Code: 7, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=%s: ",
		key, cmp.Or(tree.String(meta, "resourceVersion"), "unknown")), no.Message), no.Faults...)
}

// freshCustom is a custom resource as it is stored when it is created, without what
// policies make of it; the config itself if it is not.
func (s *Server) freshCustom(k schema.Kind, config tree.Object) tree.Object {
	d := s.Definition(k)
	if d == nil {
		return tree.CopyObject(config)
	}
	body := tree.CopyObject(config)
	drop(tree.Map(body, "metadata"), "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion", "managedFields")
	made := d.Create(k.Version, body)
	if made.Invalid != nil || len(made.Errors) > 0 || len(made.Unknown) > 0 && s.Strict {
		return config
	}
	return made.Object
}

// updateCustom takes an object, sent or patched, through the rest of an update.
func (s *Server) updateCustom(d *custom.Definition, k schema.Kind, patched, live tree.Object, sent bool) Result {
	obj := tree.Shallow(patched, "metadata")
	keepMetadata(obj, live)
	repeated := ownersOnce(obj, true)
	var asked Result
	made := s.asking(d, k, live, &asked).Update(k.Version, obj, live)
	if made.Invalid != nil || len(made.Unknown) > 0 && s.Strict {
		faults := undecodable(made.Unknown, made.Invalid, patched)
		if sent {
			return Result{Rejection: unreadable(k, patched, faults)}
		}
		return Result{Rejection: fault.InvalidPatch(func() string { return compact(patched) }, patched, faults)}
	}
	if r := conflicting(d.Plural()+"."+d.Group(), true, live, patched); r != nil {
		return Result{Rejection: r, Warnings: repeated}
	}
	res := s.answer(k, obj, live, made, asked)
	res.Warnings = append(repeated, res.Warnings...)
	made.Sent = tree.Share(made.Sent, live) // which is kept, to tell the owners
	return s.tracked(res, k, d, live, func() tree.Object { return bringing(asked.decoded(made), patched) })
}

// asking is the definition with the policies, whose answer goes into a Result.
func (s *Server) asking(d *custom.Definition, k schema.Kind, old tree.Object, to *Result) *custom.Definition {
	all, itself := s.admissionPolicies(), func(o tree.Object) tree.Object { return o }
	var a custom.Admission
	if all.mutating != nil {
		a.Mutate = func(obj tree.Object) tree.Object {
			to.sent = obj
			request := func(o tree.Object) *policy.Request { return s.policyRequest(k, o, old, itself) }
			changed, ok := s.mutate(to, k, obj, mutation{customObjects{s, d}, request, func(tree.Object) *fault.Rejection { return nil }})
			switch {
			case !ok:
				return nil
			case changed != nil:
				return tree.CopyObject(changed)
			}
			return tree.CopyObject(obj)
		}
	}
	if all.validating != nil || to.applied && s.asks() {
		a.Validate = func(obj tree.Object) {
			if s.createsByApply(to, k, obj) {
				s.validatePolicies(to, k, obj, old, itself)
			}
		}
	}
	if a.Mutate == nil && a.Validate == nil {
		return d
	}
	return d.With(a)
}

// decoded is a custom resource before policies have changed it.
func (res *Result) decoded(made custom.Result) tree.Object {
	if res.sent != nil {
		return res.sent
	}
	return made.Sent
}

// answer turns what the registry made of a custom resource, and what policies said
// of it, into a Result.
func (s *Server) answer(k schema.Kind, obj, old tree.Object, made custom.Result, asked Result) Result {
	res := asked
	res.Dropped, res.Warnings = made.Unknown, nil
	for _, f := range fault.Fields(made.Warnings, obj) {
		res.Warnings = append(res.Warnings, fault.Warning{Text: f.Text, Path: f.Path})
	}
	if made.Undecided {
		res.Undecided = append(res.Undecided, policy.Undecided{Kind: "CustomResourceDefinition", Policy: s.Definition(k).Plural() + "." + k.Group, Needs: []string{custom.Unmatched}, Effect: policy.Rejects})
	}
	if errs := s.besideFilled(&res, made.Errors, obj, old, nil); len(errs) > 0 {
		res.Rejection = invalid(k, obj, errs)
		return res
	}
	res.Warnings = append(res.Warnings, warnings.For(warnings.Request{Kind: k, Object: obj, Old: old, Minor: s.Minor}, warnings.CustomResource)...)
	res.Warnings = append(res.Warnings, asked.Warnings...)
	if res.Rejection == nil && old == nil {
		res.Rejection = s.unconverted(k, k.Version)
	}
	if res.Rejection == nil {
		res.Object = made.Object
	}
	return res
}

// compact is the object as JSON the way the server quotes it: sorted keys, no
// spaces, HTML characters escaped.
func compact(obj tree.Object) string {
	text, err := tree.AppendJSON(nil, obj)
	if err != nil {
		return fmt.Sprint(obj)
	}
	return string(text)
}
