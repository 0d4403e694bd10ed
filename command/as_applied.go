package command

import (
	"fmt"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/manifest"
)

// asApplied is the set of the manifests that were applied last to the live objects that
// it is asked for: their last-applied, or what --last-applied has of them.
func asApplied(r *Request, opts merge.Options, by applier.Program, asked func(*manifest.Object) bool) (*manifest.Set, error) {
	var files []manifest.File
	for o := range opts.Live.Objects() {
		if !asked(o) {
			continue
		}
		last, text, _ := merge.ReadLastApplied(o.Tree)
		if last == nil {
			if last = opts.LastApplied[o.ID()]; last == nil {
				continue
			}
			var err error
			if text, err = merge.EncodeLastApplied(last); err != nil {
				return nil, err
			}
		}
		files = append(files, manifest.File{Name: "last-applied of " + o.ID().String(), Data: []byte(text)})
	}
	if len(files) == 0 {
		return nil, notRecorded(by)
	}
	return manifest.ReadFiles(files, r.Limits), nil
}

// notRecorded is the error if no values are known that a program has applied.
func notRecorded(by applier.Program) error {
	return fmt.Errorf("nothing in the snapshot says which values %s applied last, as an apply that is server-side keeps none; pass the manifests with -f", by)
}
