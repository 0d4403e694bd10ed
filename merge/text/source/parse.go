package source

import "threeway/merge/tree"

// ParseObject decodes JSON that consists of one object, such as the
// last-applied annotation. The result is that of
// UnmarshalCaseSensitivePreserveInts of sigs.k8s.io/json, in a tenth of the
// time. ok is false if that fails; null is a nil object.
func ParseObject(text string) (obj tree.Object, ok bool) {
	p := jsonParser{text: text}
	v, ok := p.document()
	if p.skipSpace(); !ok || p.numberErr != nil || p.pos < len(text) {
		return nil, false
	}
	obj, ok = v.(tree.Object)
	return obj, ok || v == nil
}

// DecodeJSON decodes JSON that begins with an object. Unlike ParseObject it
// accepts numbers out of range and text after the object.
func DecodeJSON(text string) (obj tree.Object, ok bool) {
	return (*Shared)(nil).decodeJSON(text, false)
}

// decodeJSON is DecodeJSON, with what the object has in common with others.
func (s *Shared) decodeJSON(text string, copies bool) (obj tree.Object, ok bool) {
	p := jsonParser{text: text, shared: s}
	if copies {
		p.copies = &arena{}
	}
	if v, is := p.document(); is {
		obj, ok = v.(tree.Object)
	}
	return obj, ok
}
