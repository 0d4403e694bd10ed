package workflow

import (
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// narrowSchema takes fields or values from the schema of a custom kind.
var narrowSchema = &Recipe{
	ID:    "narrow-schema",
	Title: "Drop a field of a custom kind, or allow fewer values",
	Text: "The API server shows objects without a field that the schema has no longer, and the next write deletes its value. So the schema has the new fields first, and " +
		"what it had besides; what the objects have is moved while it allows both.",
	Rules: []string{"crd-drops-fields", "stops-being-writable"},
	Kinds: []string{"CustomResourceDefinition.apiextensions.k8s.io"},
	Make: func(c *Case) []Step {
		var edits []edit.Edit
		for i, v := range tree.List(c.Manifest.Tree, "spec", "versions") {
			for _, was := range tree.List(c.Before, "spec", "versions") {
				if tree.String(was, "name") == tree.String(v, "name") {
					edits = append(edits, widened(fieldpath.New("spec", "versions").Item(i).Join(fieldpath.New("schema", "openAPIV3Schema")), schemaOf(was), schemaOf(v))...)
				}
			}
		}
		if edits == nil {
			return nil
		}
		kind := tree.String(c.Before, "spec", "names", "kind")
		return []Step{
			{Text: "Apply with what the schema has today, and with what is new", Applies: true, Edits: []Edited{{c.Manifest, edits}}, Meanwhile: "every " + kind + " is read and written as before"},
			{Text: fmt.Sprintf("Correct each %s that the finding names, in the cluster and in manifests, until a review with a new snapshot names none", kind)},
			{Text: "Apply the manifests as they are", Applies: true},
		}
	},
}

// widened are the edits of a schema with which it allows what another does, too. One has properties or
// additionalProperties, not both.
func widened(at fieldpath.Path, was, now tree.Object) (edits []edit.Edit) {
	if tree.Has(was, "additionalProperties") != tree.Has(now, "additionalProperties") {
		return []edit.Edit{edit.Set(at, was)}
	}
	for _, key := range tree.KeysOfBoth(was, now) {
		old, had := was[key]
		switch new, has := now[key]; {
		case key == "properties":
			for _, name := range tree.Keys(tree.Map(old)) {
				if property, stays := tree.Map(new)[name]; stays {
					edits = append(edits, widened(at.Child(key).Child(name), tree.Map(tree.Map(old)[name]), tree.Map(property))...)
				} else {
					edits = append(edits, edit.Set(at.Child(key).Child(name), tree.Map(old)[name]))
				}
			}
		case key == "items" && had && has:
			edits = append(edits, widened(at.Child(key), tree.Map(old), tree.Map(new))...)
		case key == "description", key == "default", had && has && tree.Equal(old, new):
		case had:
			edits = append(edits, edit.Set(at.Child(key), old))
		default:
			edits = append(edits, edit.Remove(at.Child(key)))
		}
	}
	return edits
}
