package serverside

import (
	"bytes"
	"encoding/json"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"threeway/merge/tree"
)

// maxAnnotations is the maximum size of all annotations together (apimachinery
// pkg/api/validation/objectmeta.go).
const maxAnnotations = 256 * 1024

// stillAsLastApplied returns the fields of the annotation that have the same
// value in the live object; nil if the annotation cannot be read.
func (op *operation) stillAsLastApplied() *fieldpath.Set {
	text := tree.String(op.live, "metadata", "annotations", tree.LastApplied)
	if text == "" {
		return nil
	}
	live, err := op.typed(op.live)
	if err != nil {
		return nil
	}
	config, err := decode(text)
	if err != nil || tree.String(config, "apiVersion") != op.Kind.APIVersion() {
		return nil
	}
	last, err := op.typed(config)
	if err != nil {
		return nil
	}
	set, err := last.ToFieldSet()
	if err != nil {
		return nil
	}
	diff, err := last.Compare(live)
	if err != nil {
		return nil
	}
	return set.Difference(diff.Modified).Difference(diff.Added).Difference(diff.Removed)
}

// followLastApplied updates the annotation of an object that has it to the
// configuration that is applied server-side. If it would become too large, it
// is removed (apimachinery
// pkg/util/managedfields/internal/lastappliedupdater.go).
func followLastApplied(obj, config tree.Object) tree.Object {
	if tree.String(obj, "metadata", "annotations", tree.LastApplied) == "" {
		return obj
	}
	obj = tree.Shallow(obj, "metadata")
	metadata := tree.Map(obj, "metadata")
	annotations := tree.Shallow(tree.Map(metadata, "annotations"))
	metadata["annotations"] = annotations
	annotations[tree.LastApplied] = encode(config)
	size := 0
	for k, v := range annotations {
		text, _ := v.(string)
		size += len(k) + len(text)
	}
	if size > maxAnnotations {
		delete(annotations, tree.LastApplied)
	}
	return obj
}

// encode returns the configuration in the form of the annotation: without the
// annotation itself, and with annotations converted to a map of strings, in
// which null is "" (apimachinery pkg/apis/meta/v1/unstructured
// NestedNullCoercingStringMap).
func encode(config tree.Object) string {
	if annotations, ok := tree.Get(config, "metadata", "annotations"); ok {
		config = tree.Shallow(config, "metadata")
		metadata := tree.Map(config, "metadata")
		delete(metadata, "annotations")
		if kept, ok := annotations.(map[string]any); ok {
			kept = tree.Shallow(kept)
			delete(kept, tree.LastApplied)
			for k, v := range kept {
				if v == nil {
					kept[k] = ""
				}
			}
			metadata["annotations"] = kept
		}
	}
	text, _ := json.Marshal(config)
	return string(text) + "\n"
}

// decode parses the annotation and keeps integers as integers.
func decode(text string) (tree.Object, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var obj tree.Object
	if err := d.Decode(&obj); err != nil {
		return nil, err
	}
	numbers(obj)
	return obj, nil
}

// numbers turns the numbers in v to int64 or float64, in place.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = numbers(x)
		}
	case []any:
		for i, x := range v {
			v[i] = numbers(x)
		}
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	}
	return v
}
