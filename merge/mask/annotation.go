package mask

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"threeway/merge/tree"
)

// packed are annotations whose copy of the object may be compressed.
var packed = []string{"objectset.rio.cattle.io/applied", "banzaicloud.com/last-applied"}

// CopiesObject reports whether an annotation holds a copy of its object, by its key.
func CopiesObject(key string) bool { return key == tree.LastApplied || slices.Contains(packed, key) }

// hideAnnotations masks copies of the values in annotations: kubectl's
// last-applied, and those in which other programs keep the same. If such an
// annotation cannot be parsed as an object, it is masked as a whole.
func hideAnnotations(from, to tree.Object, core bool) {
	a := openCopy(openCopy(from, "metadata"), "annotations")
	b := openCopy(openCopy(to, "metadata"), "annotations")
	for key := range keysOf(a, b) {
		x, y := parse(a[key]), parse(b[key])
		copies := CopiesObject(key)
		switch {
		case x == nil && y == nil:
			if copies && (a[key] != nil || b[key] != nil) {
				hideValue(a, b, key)
			}
		case copies || repeats(x) || repeats(y):
			maskedX, maskedY := hide(x, y, core)
			replace(a, key, maskedX)
			replace(b, key, maskedY)
		}
	}
}

// repeatsSecret reports whether an annotation of an object contains a Secret.
// That happens if an earlier manifest of the object had the kind Secret.
func repeatsSecret(o tree.Object) bool {
	for _, v := range tree.Map(o, "metadata", "annotations") {
		if text, ok := v.(string); ok && strings.Contains(text, `Secret"`) && IsSecret(parse(text)) {
			return true
		}
	}
	return false
}

// hideSecretsIn masks Secrets inside annotations.
func hideSecretsIn(a, b tree.Object) {
	for key := range keysOf(a, b) {
		x, y := parse(a[key]), parse(b[key])
		if !IsSecret(x) && !IsSecret(y) {
			continue
		}
		maskedX, maskedY := hide(x, y, isCore(x) || isCore(y))
		replace(a, key, maskedX)
		replace(b, key, maskedY)
	}
}

// keysOf returns the keys of both objects.
func keysOf(a, b tree.Object) tree.Object {
	keys := tree.Object{}
	maps.Copy(keys, a)
	maps.Copy(keys, b)
	return keys
}

// repeats reports whether an object looks like a copy of a Secret.
func repeats(o tree.Object) bool {
	return o["data"] != nil || o["stringData"] != nil
}

// parse parses an annotation as JSON and keeps numbers as written. It returns
// nil if the text is anything but one object.
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

// replace writes a masked object into the annotation it was read from, in
// kubectl's form: sorted keys, no blanks, a newline at the end if there was
// one. If masked is nil, the whole annotation is masked.
func replace(annotations tree.Object, key string, masked tree.Object) {
	text, _ := annotations[key].(string)
	switch {
	case masked != nil:
		var b strings.Builder
		_ = json.NewEncoder(&b).Encode(masked) // decoded JSON always encodes
		annotations[key] = b.String()
		if !strings.HasSuffix(text, "\n") {
			annotations[key] = strings.TrimSuffix(b.String(), "\n")
		}
	case annotations[key] != nil:
		annotations[key] = Value
	}
}
