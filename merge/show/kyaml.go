package show

import (
	"bufio"
	"io"

	"sigs.k8s.io/yaml/kyaml"

	"threeway/merge"
	"threeway/merge/tree"
)

// ObjectsKYAML is ObjectsYAML with each document as kubectl's -o kyaml writes it
// (k8s.io/cli-runtime pkg/printers/kyaml.go).
func ObjectsKYAML(w io.Writer, plan *merge.Plan, opts Options) error {
	results, deleted := Results(plan.Outcomes, opts), Deleted(plan.Prune, opts)
	failed := make([]error, len(results)+len(deleted))
	_, err := inParts(w, opts.Cores, len(failed), "", func(out *bufio.Writer, i int) {
		var o tree.Object
		if i < len(results) {
			o = results[i]
		} else {
			o = deleted[i-len(results)]
		}
		failed[i] = WriteKYAML(out, o)
	})
	for _, failure := range failed {
		if err == nil {
			err = failure
		}
	}
	return err
}

// KYAML writes what JSON does as KYAML.
func KYAML(w io.Writer, plan *merge.Plan, opts Options) (differ bool, err error) {
	r, differ := reportOf(plan, opts)
	return differ, WriteKYAML(w, r)
}

// WriteKYAML writes a value that is made for JSON as KYAML.
func WriteKYAML(w io.Writer, v any) error {
	return (&kyaml.Encoder{}).FromObject(v, w)
}
