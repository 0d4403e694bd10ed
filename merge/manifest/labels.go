package manifest

import (
	"encoding/binary"

	"threeway/merge/tree"
)

// packed is texts in one string, each after its length. The labels of an entry
// take a third of the memory of a mapping like that.
type packed string

// appendLabels appends the keys and values of labels to texts. ok is false if a
// value is not a text.
func appendLabels(b []byte, labels tree.Object) (texts []byte, ok bool) {
	for key, value := range labels {
		text, isText := value.(string)
		if !isText {
			return b, false
		}
		b = append(binary.AppendUvarint(b, uint64(len(key))), key...)
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	return b, true
}

// next cuts off the first text.
func (p packed) next() (text string, rest packed) {
	length, n := 0, 0
	for shift := 0; ; shift += 7 {
		c := p[n]
		n++
		if length |= int(c&0x7f) << shift; c < 0x80 {
			break
		}
	}
	return string(p[n : n+length]), p[n+length:]
}

// Label returns the value of a label, "" if the object has none.
func (e *Entry) Label(name string) string {
	if e.text == nil {
		return tree.String(e.object.Tree, "metadata", "labels", name)
	}
	var key, value string
	for rest := e.labels; rest != ""; {
		key, rest = rest.next()
		if value, rest = rest.next(); key == name {
			return value
		}
	}
	return ""
}

// Labels returns the labels of the object.
func (e *Entry) Labels() tree.Object {
	if e.text == nil {
		return tree.Map(e.object.Tree, "metadata", "labels")
	}
	labels := tree.Object{}
	var key, value string
	for rest := e.labels; rest != ""; {
		key, rest = rest.next()
		value, rest = rest.next()
		labels[key] = value
	}
	return labels
}
