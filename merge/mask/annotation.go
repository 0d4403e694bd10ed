package mask

import (
	"encoding/json"
	"io"
	"strings"

	"threeway/merge/tree"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// hideLastApplied masks what the last-applied annotations repeat of the
// values. One that does not read as an object is masked as a whole, as nobody
// can tell where its secrets are.
func hideLastApplied(from, to tree.Object) {
	a := openCopy(openCopy(from, "metadata"), "annotations")
	b := openCopy(openCopy(to, "metadata"), "annotations")
	x, y := parse(a[lastApplied]), parse(b[lastApplied])
	if x == nil && y == nil {
		if a[lastApplied] != nil || b[lastApplied] != nil {
			hideValue(a, b, lastApplied)
		}
		return
	}
	maskedX, maskedY := hide(x, y)
	replace(a, maskedX)
	replace(b, maskedY)
}

// parse reads an annotation's JSON, keeping numbers as they are written. It
// returns nil if there is no object in it, or anything else with it.
func parse(annotation any) tree.Object {
	text, _ := annotation.(string)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var o tree.Object
	if d.Decode(&o) != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil
	}
	return o
}

// replace writes a masked object into the annotation it was read from, in the
// form kubectl writes it: sorted keys, no blanks, a newline at the end if
// there was one. Without an object the annotation is masked as a whole.
func replace(annotations, masked tree.Object) {
	text, _ := annotations[lastApplied].(string)
	switch {
	case masked != nil:
		var b strings.Builder
		_ = json.NewEncoder(&b).Encode(masked) // decoded JSON always encodes
		annotations[lastApplied] = b.String()
		if !strings.HasSuffix(text, "\n") {
			annotations[lastApplied] = strings.TrimSuffix(b.String(), "\n")
		}
	case annotations[lastApplied] != nil:
		annotations[lastApplied] = Value
	}
}
