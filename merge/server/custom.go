package server

import (
	"fmt"

	"threeway/merge/fault"
	"threeway/merge/schema"
	"threeway/merge/server/custom"
	"threeway/merge/tree"
)

func (s *Server) createCustom(d *custom.Definition, k schema.Kind, body tree.Object) Result {
	request := body
	body = tree.CopyObject(body)
	drop(tree.Map(body, "metadata"), "creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion", "managedFields")
	if r := s.admitCreate(k, body); r != nil {
		return Result{Rejection: r}
	}
	made := d.Create(k.Version, body)
	if made.Invalid != nil || len(made.Unknown) > 0 && s.Strict {
		return Result{Rejection: unreadable(k, body, undecodable(made.Unknown, made.Invalid, body))}
	}
	return s.tracked(answer(k, body, made), k, d, nil, func() tree.Object { return bringing(made.Object, request) })
}

// updateCustom takes a patched object through the rest of an update.
func (s *Server) updateCustom(d *custom.Definition, k schema.Kind, patched, live tree.Object) Result {
	if r := conflictingCustom(d, live, patched); r != nil {
		return Result{Rejection: r}
	}
	obj := tree.CopyObject(patched)
	keepMetadata(obj, live)
	made := d.Update(k.Version, obj, live)
	if made.Invalid != nil || len(made.Unknown) > 0 && s.Strict {
		quoted := func() string { return compact(patched) }
		return Result{Rejection: fault.InvalidPatch(quoted, patched, undecodable(made.Unknown, made.Invalid, patched))}
	}
	return s.tracked(answer(k, obj, made), k, d, live, func() tree.Object { return bringing(made.Object, patched) })
}

// answer turns what the registry made of a custom resource into a Result.
func answer(k schema.Kind, obj tree.Object, made custom.Result) Result {
	res := Result{Dropped: made.Unknown}
	for _, f := range fault.Fields(made.Warnings, obj) {
		res.Warnings = append(res.Warnings, f.Text)
	}
	if len(made.Errors) > 0 {
		res.Rejection = invalid(k, obj, made.Errors)
		return res
	}
	res.Object = made.Object
	return res
}

func conflictingCustom(d *custom.Definition, live, patched tree.Object) *fault.Rejection {
	asked := tree.String(patched, "metadata", "resourceVersion")
	if asked == "" || asked == tree.String(live, "metadata", "resourceVersion") {
		return nil
	}
	return modified(d.Plural()+"."+d.Group(), live)
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
