package kube

import (
	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/defaults"
	"threeway/merge/kube/internal/validation"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Definition is a CustomResourceDefinition made ready for use; Checked is what it says of one
// object.
type (
	Definition = custom.Definition
	Checked    = custom.Result
)

// CompileDefinition makes a CustomResourceDefinition ready for use by a server of a minor. The
// tree must not change afterwards.
func CompileDefinition(crd tree.Object, minor int) (*Definition, error) {
	return custom.Compile(crd, custom.Checks{Object: validation.CustomMeta(minor), Embedded: validation.EmbeddedMeta(minor), Minor: minor})
}

// ApplyDefaults sets the defaults of a built-in type in obj, in place.
func ApplyDefaults(obj tree.Object, t *schema.Type, minor int) { defaults.Apply(obj, t, minor) }
