package mask

import "bytes"

// Struck stands for a value that Strike has found. It needs no quotes in YAML or a shell,
// and is no markup.
const Struck = "MASKED"

// Strike replaces the known values in a text that is about to be printed: what finds
// secrets in objects has masked them before, so this is for those that came another way,
// such as the key of a map or a message. A format, a word of ours or a name may have a
// value by chance, so only those count that are unlikely enough to be found inside words.
func (k *Known) Strike(text []byte) []byte {
	if k == nil || !mayHold(text) || k.Empty() {
		return text
	}
	struck, _ := replaceForms(k, text, func(f Form) bool { return f.inside }, func(Form) string { return Struck })
	return struck
}

// Strike is that of the known values.
func (p *Policy) Strike(text []byte) []byte {
	if p == nil {
		return text
	}
	return p.Known.Strike(text)
}

// mayHold reports whether a text has a word as long as a value that counts, with a digit.
// Most have none where nothing of an object is printed; then no value needs to be read.
func mayHold(text []byte) bool {
	for word := range bytes.FieldsSeq(text) {
		if len(word) >= unlikelyLength && bytes.ContainsAny(word, "0123456789") {
			return true
		}
	}
	return false
}
