package server

import (
	"fmt"

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
	switch {
	case made.Invalid != nil:
		return Result{Rejection: badRequest("%s in version %q cannot be handled as a %s: %s", k.Kind, k.Version, k.Kind, made.Invalid)}
	case len(made.Unknown) > 0 && s.Strict:
		return Result{Rejection: badRequest("%s in version %q cannot be handled as a %s: %s", k.Kind, k.Version, k.Kind, strictError(made.Unknown))}
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
	switch {
	case made.Invalid != nil:
		return Result{Rejection: invalidPatch(compact(patched), made.Invalid.Error())}
	case len(made.Unknown) > 0 && s.Strict:
		return Result{Rejection: invalidPatch(compact(patched), strictError(made.Unknown))}
	}
	return s.tracked(answer(k, obj, made), k, d, live, func() tree.Object { return bringing(made.Object, patched) })
}

// answer turns what the registry made of a custom resource into a Result.
func answer(k schema.Kind, obj tree.Object, made custom.Result) Result {
	res := Result{Warnings: warnUnknown(made.Unknown), Dropped: made.Unknown}
	for _, rule := range made.Unevaluated {
		res.Unevaluated = append(res.Unevaluated, fmt.Sprint(rule))
	}
	if len(made.Errors) > 0 {
		res.Rejection = invalid(k, tree.String(obj, "metadata", "name"), made.Errors)
		return res
	}
	res.Object = made.Object
	return res
}

func conflictingCustom(d *custom.Definition, live, patched tree.Object) *Rejection {
	asked := tree.String(patched, "metadata", "resourceVersion")
	if asked == "" || asked == tree.String(live, "metadata", "resourceVersion") {
		return nil
	}
	return conflict(d.Plural()+"."+d.Group(), tree.String(live, "metadata", "name"), modified)
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
