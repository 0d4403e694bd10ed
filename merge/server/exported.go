package server

import (
	"slices"
	"strings"

	"threeway/merge/schema"
	"threeway/merge/server/minors"
	"threeway/merge/tree"
)

// Returned is a live object, which it does not change, as this server returns it
// although one of another minor has exported it: without the fields that its type
// does not have, and with the defaults that only this minor sets. A server reads
// what another has stored in the same way (apiserver
// pkg/storage/etcd3/store.go decode; unknown fields are no error there).
//
// An object of this minor, or of one that is not known (exported 0), stays as it
// is unless it has a field that this minor does not know, or lacks one that this
// minor shows in every object; or unless it is hand-written, so that it may lack
// defaults.
func (s *Server) Returned(k schema.Kind, live tree.Object, exported int) tree.Object {
	hand := HandWritten(live)
	b, ok := lookup(k)
	switch {
	case !ok && hand && s.Definition(k) != nil:
		return s.Definition(k).Completed(k.Version, live)
	case !ok, !hand && (exported == s.Minor || exported == 0 && !strange(live, b.typ, s.Minor) && !s.showsMore(k, live)):
		return live
	}
	obj, _, err := b.decode(live, s.Minor, true)
	if err != nil {
		return live
	}
	s.complete(b, obj)
	return s.readBack(b, obj)
}

// HandWritten reports whether no server can have stored a live object: each has a uid.
func HandWritten(live tree.Object) bool { return tree.String(live, "metadata", "uid") == "" }

// showsMore reports whether a live object lacks what this server shows in every object
// of its kind, though it has what each server writes beside it: a field, or a null in
// the metadata of a template.
func (s *Server) showsMore(k schema.Kind, live tree.Object) bool {
	kind := k.GroupKind()
	return slices.ContainsFunc(minors.Signs, func(sign minors.Sign) bool {
		if sign.Kind != kind || sign.By.In(s.Minor) == sign.Null {
			return false
		}
		path := strings.Split(sign.Path, ".")
		given := strings.Split(sign.Given, ".")
		if sign.Null {
			given = path[:len(path)-2]
		}
		_, shown := tree.Get(live, path...)
		return !shown && tree.Has(live, given...)
	})
}

// strange reports whether a value has a field that its type does not have in a
// minor, though another minor's has it. A field of no minor is left to the decoder.
func strange(x any, t *schema.Type, minor int) bool {
	switch t.Form {
	case schema.Struct:
		m, _ := x.(tree.Object)
		for key, v := range m {
			if f := t.Field(key); f != nil && v != nil && (!f.In(minor) || strange(v, f.Type, minor)) {
				return true
			}
		}
	case schema.Map:
		m, _ := x.(tree.Object)
		for _, v := range m {
			if strange(v, t.Elem, minor) {
				return true
			}
		}
	case schema.List:
		l, _ := x.([]any)
		for _, v := range l {
			if strange(v, t.Elem, minor) {
				return true
			}
		}
	}
	return false
}
