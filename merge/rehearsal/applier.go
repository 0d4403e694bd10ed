package rehearsal

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/fault"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/text/phrase"
)

// Applier is a program that applies manifests: kubectl, Helm, Argo CD or Flux. Each is
// a value in a package of its own.
type Applier interface {
	// Claim is the one that it has on the objects that it applies: Helm, release
	// shop/shop.
	Claim() applier.Claim
	// Title is what the summary says was rehearsed: Helm upgrade of release
	// shop/shop, client-side, compared with revision 7.
	Title(mode string) string
	// Run is what one run of it is called: apply, upgrade, sync.
	Run() string
	// Undoes says when it undoes what was changed in the cluster since its last run,
	// if that is not the next run.
	Undoes() []string

	// Arrange takes what it does not apply out of a set, such as hooks, and puts the
	// rest into its order. It returns itself with what it has taken out.
	Arrange(*manifest.Set) Applier
	// Adapt gives the options of a rehearsal as it goes by them.
	Adapt(Options) Options
	// Begin reads what it compares with, when a rehearsal starts. The error is why it
	// refuses the whole run before it changes anything.
	Begin(*Run) error
	// Apply rehearses what it does with one object, of which Kind, Manifest and Live are
	// known. It sets Action, and either Result or Rejection, and the Patch that it sends. What
	// it cannot know it does not guess: it leaves that in Undecided, or is told in After.
	Apply(*Run, *Outcome)
	// Unserved words the rejection of an object whose kind the cluster does not serve,
	// and Words the server's answer to a request, which is retrieving, creating,
	// patching or replacing.
	Unserved(*Outcome) *fault.Rejection
	Words(r *Run, o *Outcome, no *fault.Rejection, verb string) *fault.Rejection
	// After is what it does after the outcomes. It marks those that it does not get to.
	After(*Run, Results) Aftermath
	// Next is it after it has applied a set, and, with nil, in a cluster where it has
	// applied nothing yet.
	Next(applied *manifest.Set) Applier
}

// Results are the outcomes of a set.
type Results struct {
	Set      []Planned
	Outcomes []*Outcome
}

// Aftermath is what an applier does after the outcomes of a set.
type Aftermath struct {
	// Notes say what it does besides, and what the rehearsal leaves out; Last those that
	// stand behind all others.
	Notes, Last []string
	// Gaps are what is unknown of it.
	Gaps []gap.Gap
	// Prune is what it deletes; nil if it deletes nothing.
	Prune *prune.Result
	// Extraneous is what it has applied before and no manifest has, deleted or not; nil
	// if that is not known.
	Extraneous *prune.Result
}

// Stop marks the changes that the applier does not get to.
func (done Results) Stop(at func(*Outcome) bool) {
	for _, o := range done.Outcomes {
		if o.Action == Created || o.Action == Configured {
			o.Stopped = at(o)
		}
	}
}

// Unread reports whether an object is rejected because the user may not get it, so that the
// applier does not get to apply it.
func (o *Outcome) Unread() bool {
	return o.Rejection.Has(fault.NoRight, fault.NotAs) && o.Applied == nil
}

// Named are the names of the outcomes of which something is so.
func (done Results) Named(is func(*Outcome) bool) (names []string) {
	for _, o := range done.Outcomes {
		if is(o) {
			names = append(names, o.Identity().String())
		}
	}
	return names
}

// Gone is the line about objects that a program deletes and cannot create again; "" if there
// are none.
func (done Results) Gone(by string) string {
	names := done.Named(func(o *Outcome) bool { return o.Action == Rejected && o.Recreated })
	if names == nil {
		return ""
	}
	return fmt.Sprintf("with force %s deletes %s, of which the server then rejects the new version, so that %s gone: %s", by,
		phrase.Count(len(names), "object"), map[bool]string{true: "it is", false: "they are"}[len(names) == 1], phrase.Abbreviated(names, 3))
}

// Rejects reports whether an object is rejected, after which Helm and Flux delete
// nothing.
func (done Results) Rejects() bool {
	return slices.ContainsFunc(done.Outcomes, func(o *Outcome) bool { return o.Action == Rejected })
}

// Applied are the objects of the set.
func (done Results) Applied() map[manifest.Identity]bool {
	applied := map[manifest.Identity]bool{}
	for _, o := range done.Set {
		applied[o.Manifest.ID()] = true
	}
	return applied
}

// Uncovered are the kinds of which an applier may delete objects that the snapshot does not
// tell of. of is where the applier has them from.
func (r *Run) Uncovered(deleted *prune.Result, who, of string) (gaps []gap.Gap) {
	if r.Assumed || r.EmptyCluster {
		return nil
	}
	var names []string
	for _, k := range deleted.Uncovered {
		names = append(names, k.GroupKind())
		gaps = append(gaps, gap.Gap{Code: gap.NotExported, Objects: []manifest.Identity{{Group: k.Group, Kind: k.Kind.Kind}}, Needs: "an export of " + k.GroupKind()})
	}
	for i := range gaps {
		gaps[i].Note = fmt.Sprintf("the snapshot holds no %s: whether %s would delete any that %s has is unknown", strings.Join(names, ", "), who, of)
	}
	return gaps
}
