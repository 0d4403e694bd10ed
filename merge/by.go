package merge

import (
	"fmt"
	"slices"

	"threeway/merge/applier"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Applier is a program other than kubectl that applies the manifests. Each is one
// value, in files of its own: Release is Helm.
type Applier interface {
	// Claim is the one that it has on the objects that it applies: Helm, release
	// shop/shop.
	Claim() applier.Claim
	// Title is what the summary says was rehearsed: Helm upgrade of release
	// shop/shop, client-side, compared with revision 7.
	Title(mode string) string
	// Run is what one run of it is called: upgrade, sync.
	Run() string
	// Manager is the field manager that it writes as.
	Manager() string
	// Arrange takes what it does not apply out of a set, such as hooks, and puts the
	// rest into its order. It returns itself with what it has taken out.
	Arrange(*manifest.Set) Applier

	// undoes says when it undoes what was changed in the cluster since its last run.
	undoes(*Plan) []string
	// options are those of a rehearsal as it goes by them.
	options(Options) Options
	// begin reads what it compares with, when a rehearsal starts.
	begin(*run)
	// refused is why it refuses the whole run before it changes anything; nil if it
	// does not.
	refused(*run) error
	// definesFirst tells that a definition of the set is served before it applies
	// objects of its kind.
	definesFirst() bool
	// apply rehearses what it does with one object, of which Live is known.
	apply(*run, *Outcome)
	// again makes of the rehearsal the one of applying another manifest after an
	// outcome, whose result is left.
	again(r *run, o *Outcome, left *manifest.Object)
	// unserved words the rejection of an object whose kind the cluster does not serve,
	// and said the server's answer to a request, which is creating or patching.
	unserved(*Outcome) *fault.Rejection
	said(r *run, o *Outcome, no *fault.Rejection, verb string) *fault.Rejection
	// notes say what it does besides, and what the rehearsal leaves out.
	notes(*run, *Plan) []string
	// leave finds what it deletes after the outcomes.
	leave(*run, *Plan)
	// fresh is it in a cluster where it has applied nothing yet.
	fresh() Applier
	// after is it after it has applied a set.
	after(applied *manifest.Set) Applier
}

// Undoes says when the applier undoes what was changed in the cluster; nothing if it is
// kubectl, which does so at the next apply.
func (p *Plan) Undoes() (notes []string) {
	for _, part := range p.Parts {
		notes = append(notes, part.Undoes()...)
	}
	if p.By == nil {
		return distinct(notes)
	}
	return p.By.undoes(p)
}

// withMarks is a manifest with labels and annotations added. Those of the manifest
// that are null become empty, and all of them are dropped where one is no string
// (apimachinery pkg/apis/meta/v1/unstructured GetLabels).
func withMarks(config tree.Object, labels, annotations map[string]string) tree.Object {
	obj, metadata := shallow(config), shallow(tree.Map(config, "metadata"))
	for field, marks := range map[string]map[string]string{"labels": labels, "annotations": annotations} {
		if len(marks) == 0 {
			continue
		}
		all := tree.Object{}
		for key, v := range tree.Map(metadata, field) {
			text, isText := v.(string)
			if !isText && v != nil {
				clear(all)
				break
			}
			all[key] = text
		}
		for key, v := range marks {
			all[key] = v
		}
		metadata[field] = all
	}
	obj["metadata"] = metadata
	return obj
}

// unrehearsed is the line about hooks, each with the phase that it belongs to; "" if
// there are none.
func unrehearsed(hooks []string) string {
	if len(hooks) == 0 {
		return ""
	}
	return fmt.Sprintf("%s not rehearsed, and what it changes is unknown: %s", count(len(hooks), "hook is", "hooks are"), join(hooks))
}

// stop marks the changes that the applier does not get to.
func (p *Plan) stop(at func(*Outcome) bool) {
	for _, o := range p.Outcomes {
		if o.Action == Created || o.Action == Configured {
			o.Stopped = at(o)
		}
	}
}

// rejects reports whether an object is rejected, after which Helm and Flux delete
// nothing.
func (p *Plan) rejects() bool {
	return slices.ContainsFunc(p.Outcomes, func(o *Outcome) bool { return o.Action == Rejected })
}

// applied are the objects of the set.
func (p *Plan) applied() map[manifest.Identity]bool {
	applied := map[manifest.Identity]bool{}
	for _, o := range p.Set {
		applied[o.Config.ID()] = true
	}
	return applied
}

// noteUncovered notes the kinds of which an applier may delete objects that the snapshot
// does not tell of. of is where the applier has them from.
func (p *Plan) noteUncovered(r *run, who, of string) {
	if len(p.Prune.Uncovered) == 0 || r.Base != nil || r.EmptyCluster {
		return
	}
	var names []string
	for _, k := range p.Prune.Uncovered {
		names = append(names, k.GroupKind())
	}
	p.Notes = append(p.Notes, fmt.Sprintf("the snapshot holds no %s: whether %s would delete any that %s has is unknown", join(names), who, of))
}
