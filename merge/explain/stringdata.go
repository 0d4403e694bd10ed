package explain

import (
	"encoding/base64"
	"maps"

	"threeway/merge/kube/schema"
	"threeway/merge/mask"
	"threeway/merge/tree"
)

// stringData is that of a Secret, nil if the object is none or has none.
func stringData(obj tree.Object) tree.Object {
	if schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind")).GroupKind() != "Secret" {
		return nil
	}
	return tree.Map(obj, "stringData")
}

// withStringData is a manifest of a Secret with its stringData in data, as the
// server stores it (pkg/apis/core/v1/conversion.go,
// Convert_v1_Secret_To_core_Secret). It reads a null as empty, unless a patch
// with it says nothing.
func withStringData(obj tree.Object, nulls bool) tree.Object {
	plain := stringData(obj)
	if len(plain) == 0 {
		return obj
	}
	data := maps.Clone(tree.Map(obj, "data"))
	if data == nil {
		data = tree.Object{}
	}
	for key, v := range plain {
		switch text, ok := v.(string); {
		case ok && masked(text):
			data[key] = text // the value that would tell is not known
		case ok:
			data[key] = base64.StdEncoding.EncodeToString([]byte(text))
		case v == nil && nulls:
			data[key] = ""
		}
	}
	obj = maps.Clone(obj)
	obj["data"] = data
	return obj
}

// masked reports whether a value stands for one that is hidden.
func masked(v any) bool { return v == mask.Value || v == mask.Before || v == mask.After }
