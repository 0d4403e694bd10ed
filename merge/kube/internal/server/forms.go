package server

import (
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// decodeAgain decodes an object that was decoded and then changed. What decodes
// has no findings. Like readBack, it does so in place: three of the five times
// that an update decodes, there is next to nothing to do.
func decodeAgain(obj tree.Object, t *schema.Type, minor int) tree.Object {
	d := decoding{minor: minor, create: true, owned: true}
	return d.object(obj, t)
}

// printed is a decoded object, which it changes, as encoding prints it: without
// the lists and maps that are empty and may be left out.
func printed(obj tree.Object, t *schema.Type, minor int) tree.Object {
	return printedAs(obj, t, minor, false)
}

func printedAs(obj tree.Object, t *schema.Type, minor int, sent bool) tree.Object {
	d := decoding{minor: minor, create: true, owned: true, printed: true, sent: sent}
	return d.object(obj, t)
}

// decodeSent decodes an object, and its second time, as an update is compared with
// the stored one: of a list that is owned as one piece, as reflect.DeepEqual
// compares it, for which 1024Mi and 1Gi differ, and an empty list and none
// (structured-merge-diff value/listreflect.go).
func decodeSent(obj tree.Object, t *schema.Type, minor int, create bool) tree.Object {
	d := decoding{minor: minor, create: create, sent: true}
	return d.object(obj, t)
}

// readBack is a decoded object, which it changes, as a later get returns it.
func readBack(obj tree.Object, t *schema.Type, minor int) tree.Object {
	d := decoding{minor: minor, create: true, owned: true, stored: true, asJSON: t.Name == "apiextensions/v1.CustomResourceDefinition"}
	return d.object(obj, t)
}
