package source

import "threeway/merge/tree"

// DecodeParts decodes what k keeps of one object. The result is valid until the
// scratch is used again. ok is false for what Decode must decode.
func (f Form) DecodeParts(text string, k *Keep, limit Limit, scratch *Scratch) (obj tree.Object, ok bool) {
	var v any
	switch f {
	case FormJSON:
		s := newSkipper(text, scratch)
		v, ok = s.value(k)
	case FormFlow:
		p := flowParser{text: text, keys: scratch.start(), scratch: scratch}
		v, ok = p.value(k)
	case FormItem:
		obj, ok = decodeElement(text, k, limit, scratch)
		return obj, ok
	case FormBlock:
		obj, _, ok = decodeBlock(text, k, limit, scratch)
		return obj, ok
	}
	obj, _ = v.(tree.Object)
	return obj, ok && obj != nil
}
