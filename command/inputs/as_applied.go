package inputs

import (
	"cmp"
	"slices"

	"threeway/command/request"
	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/by/helm"
	"threeway/merge/explain"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// asApplied is the set of the manifests that were applied last to the live objects that
// it is asked for: their last-applied, or what --last-applied has of them.
func asApplied(r *request.Inputs, opts merge.Options, asked func(*manifest.Object) bool) (*manifest.Set, error) {
	var files []manifest.File
	for o := range opts.Live.Objects() {
		if !asked(o) {
			continue
		}
		last, text, _ := rehearsal.ReadLastApplied(o.Tree)
		if last == nil {
			if last = opts.LastApplied[o.ID()]; last == nil {
				continue
			}
			var err error
			if text, err = rehearsal.EncodeLastApplied(last); err != nil {
				return nil, err
			}
		}
		name := "last-applied of " + o.ID().String()
		if own := rehearsal.Named(last, o.ID()); !tree.Equal(own, last) {
			var err error
			if text, err = rehearsal.EncodeLastApplied(own); err != nil {
				return nil, err
			}
			name += ", which names " + cmp.Or(tree.String(last, "metadata", "namespace"), o.Namespace) + "/" + tree.String(last, "metadata", "name")
		}
		files = append(files, manifest.File{Name: name, Data: []byte(text)})
	}
	return manifest.ReadFiles(files, r.Limits), nil
}

// WithoutManifest are the live objects for which no manifest stands, and of which managedFields
// may say what drifted: those of the program that applies, or all but what the cluster
// makes itself. unapplied counts those that no program applies.
func WithoutManifest(r *request.Inputs, opts merge.Options, p *merge.Plan) (list []*manifest.Object, unapplied int) {
	if _, known := p.By.(*helm.Release); known {
		return nil, 0 // the revision has all its objects
	}
	given := map[manifest.Identity]bool{}
	for _, o := range p.Set {
		given[o.Manifest.ID()] = true
	}
	lists := applier.ReadLists(opts.Live)
	for o := range opts.Live.Objects() {
		claims := lists.Claims(o)
		switch {
		case given[o.ID()], applier.MadeByCluster(o) != "",
			opts.Select != nil && !opts.Select(tree.Map(o.Tree, "metadata", "labels")):
		case p.By.Claim().IsKubectl() && r.NamespaceGiven && o.Namespace != r.Namespace,
			!p.By.Claim().IsKubectl() && !slices.ContainsFunc(claims, p.By.Claim().Same):
		case claims == nil && owners.Recorded(o.Tree) && !slices.ContainsFunc(owners.Read(o.Tree), func(e owners.Entry) bool { return explain.Applies(e.Owner) }):
			unapplied++
		default:
			list = append(list, o)
		}
	}
	return list, unapplied
}
