// Package helm rehearses what Helm does with one object of a release, and what it deletes.
package helm

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/applier"
	"threeway/merge/applier/flux"
	"threeway/merge/applier/helm"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/gap"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// Release says that Helm applies the manifests, as a release. The manifests are in
// Helm's order and without hooks (helm.Arrange).
type Release struct {
	Namespace, Name string
	// Original are the manifests of the revision that Helm compares with; nil if it
	// installs. From is its number, 0 if Original is not from a snapshot.
	Original *manifest.Set
	From     int
	// Rollback is the revision that the manifests are of; 0 for an install or upgrade.
	Rollback int
	// TakeOwnership is --take-ownership: objects without the release's marks are
	// adopted.
	TakeOwnership bool
	// TakeOver makes manager helm own by applying, before a server-side apply, what
	// it owns by updating: Helm does so when the release was applied client-side.
	TakeOver bool
	// History are the revisions in the snapshot.
	History helm.History
	// Major is Helm's version, 3 or 4.
	Major int
	// Hooks are the objects that Helm makes at its events.
	Hooks []helm.Hook
	// For is the HelmRelease by which Flux's helm-controller runs Helm; nil if a user
	// does.
	For *flux.HelmRelease
	// Replaces tells that a client-side apply sends the whole manifest, which drops what
	// it does not set: spec.upgrade.force of a HelmRelease.
	Replaces bool
}

// String is NAMESPACE/NAME.
func (rel *Release) String() string { return manifest.Placed(rel.Namespace, rel.Name) }

// Verb is what Helm does with the release: install, upgrade or rollback.
func (rel *Release) Verb() string {
	switch {
	case rel.Rollback > 0:
		return "rollback"
	case rel.Original == nil:
		return "install"
	}
	return "upgrade"
}

// Run is Verb.
func (rel *Release) Run() string { return rel.Verb() }

// Claim is that of the release.
func (rel *Release) Claim() applier.Claim {
	if rel.For != nil {
		return rel.For.Claim()
	}
	return applier.Claim{Program: applier.Helm, Kind: applier.Release, Namespace: rel.Namespace, Name: rel.Name}
}

// Title names the release and what Helm compares with.
func (rel *Release) Title(mode string) string {
	text := fmt.Sprintf("Helm %s of release %s", rel.Verb(), rel)
	if rel.For != nil {
		text = fmt.Sprintf("Flux %s of HelmRelease %s, release %s", rel.Verb(), rel.For, rel)
	}
	if rel.Rollback > 0 {
		return fmt.Sprintf("%s from revision %d to %d, %s", text, rel.From, rel.Rollback, mode)
	}
	text += ", " + mode
	if rel.From > 0 {
		text += fmt.Sprintf(", compared with revision %d", rel.From)
	}
	return text
}

// Arrange takes the hooks out of a set and puts the rest into Helm's order. A rollback
// has those of the revision. What the controller post-renders loses the line break at the end
// of each document (helm.sh/helm/v4/pkg/action/action.go annotateAndMerge).
func (rel *Release) Arrange(set *manifest.Set) rehearsal.Applier {
	rest, hooks := helm.Arrange(set.Objects)
	arranged := *rel
	if rel.For != nil && rel.Rollback == 0 {
		for i, o := range rest {
			rest[i] = o.WithoutLastBreak() // post-rendering cuts the documents off there
		}
	}
	if set.Objects = rest; rel.Rollback == 0 {
		arranged.Hooks = hooks
	}
	return &arranged
}

// Next installs where nothing is applied, and else upgrades from what is.
func (rel *Release) Next(applied *manifest.Set) rehearsal.Applier {
	next := *rel
	if next.Original = applied; applied != nil {
		next.From, next.Rollback = 0, 0
	}
	return &next
}

// Adapt gives the options as Helm goes by them: it is never kubectl diff, sets the
// namespace only of objects without one, and tells the server to reject unknown
// fields only server-side.
func (rel *Release) Adapt(opts rehearsal.Options) rehearsal.Options {
	opts.Diff, opts.Enforce, opts.Namespace, opts.Manager = false, false, rel.Namespace, rel.Claim().Manager()
	opts.FieldValidation = rehearsal.Strict
	if opts.ServerSide == nil {
		opts.FieldValidation = rehearsal.Warn
	}
	opts.ReadsLiveFirst = func(*rehearsal.Outcome) bool { return true }
	if rel.For != nil {
		ActFor(rel.For, &opts)
	}
	return opts
}

// Mark is a manifest with the marks of the release, which Helm adds when it
// applies and does not store (pkg/action/validate.go setMetadataVisitor). Those of a
// HelmRelease are stored, so that a rollback has them.
func (rel *Release) Mark(config tree.Object) tree.Object {
	if rel.For != nil && rel.Rollback == 0 {
		labels, annotations := rel.For.Marks()
		config = rehearsal.WithMarks(config, labels, annotations)
	}
	return rehearsal.WithMarks(config,
		map[string]string{applier.ManagedByLabel: applier.ManagedByHelm},
		map[string]string{applier.ReleaseName: rel.Name, applier.ReleaseNamespace: rel.Namespace})
}

// Begin finds the manifests of the release by identity, the first of those that are
// there twice. They are resolved as the manifests are. Helm refuses the whole run if the
// cluster no longer serves a kind of the last release (pkg/action/upgrade.go
// performUpgrade).
func (rel *Release) Begin(r *rehearsal.Run) error {
	if rel.Original == nil {
		return rel.recorded(r)
	}
	rel.Original.Build(manifest.Builder{Scope: r.Catalog.Scope, Resource: r.Catalog.Plural, Namespace: r.Namespace})
	r.Originals = map[manifest.Identity]*manifest.Object{}
	for _, o := range rel.Original.Objects {
		if r.Originals[o.ID()] == nil {
			r.Originals[o.ID()] = o
		}
	}
	for _, o := range rel.Original.Objects {
		if serves, known := r.Catalog.Serves(r.Catalog.Mapped(o.Kind)); !serves && known {
			return fmt.Errorf("unable to build kubernetes objects from current release manifest: resource mapping not found for name: %q namespace: %q from \"\": no matches for kind %q in version %q; Helm rejects the whole %s: move the release to a served version with the mapkubeapis plugin of Helm",
				o.Name, o.GivenNamespace, o.Kind.Kind, o.Kind.APIVersion(), rel.Verb())
		}
	}
	return rel.recorded(r)
}

// Unserved is Helm's rejection of a kind that is not served, with what it puts before
// the message but in an upgrade (pkg/action/{install,upgrade,rollback}.go).
func (rel *Release) Unserved(o *rehearsal.Outcome) *fault.Rejection {
	no := fault.Refuse(fault.Words("resource mapping not found for name: %q namespace: %q from \"\": no matches for kind %q in version %q\nensure CRDs are installed first",
		o.Manifest.Name, o.Manifest.GivenNamespace, o.Kind.Kind, o.Kind.APIVersion()), fault.Fault{Code: fault.UnknownKind, Path: fieldpath.New("kind")})
	what := "unable to build kubernetes objects from release manifest: "
	switch {
	case rel.Rollback > 0:
		what = "unable to build kubernetes objects from new release manifest: "
	case rel.Original != nil:
		return no.Bare(nil)
	}
	return no.Bare(func(message fault.Text) fault.Text { return fault.Join(fault.Words("%s", what), message) })
}

// Words is the server's answer with what Helm puts before the message.
func (rel *Release) Words(r *rehearsal.Run, o *rehearsal.Outcome, no *fault.Rejection, verb string) *fault.Rejection {
	var head fault.Text
	switch {
	case verb == "replacing":
		head = fault.Words("failed to replace object: ")
	case verb == "retrieving" && rel.isNew(r, o):
		unable, run := "Unable", "update"
		if rel.Major == 4 {
			unable = "unable"
		}
		if rel.Original == nil {
			run = "install"
		}
		head = fault.Words("%s to continue with %s: could not get information about the resource %s %q in namespace %q: ", unable, run, o.Kind.Kind, o.Manifest.Name, o.Manifest.Namespace)
	case verb == "retrieving":
		head = fault.Words("could not get information about the resource: ")
	case verb == "patching":
		head = fault.Words("cannot patch %q with kind %s: ", o.Manifest.Name, o.Kind.Kind)
	case rel.Original == nil:
		return no.Bare(nil)
	default:
		head = fault.Words("failed to create resource: ")
	}
	return no.Bare(func(message fault.Text) fault.Text { return fault.Join(head, message) })
}

// notes say what Helm does besides, and what the rehearsal leaves out.
func (rel *Release) notes(done rehearsal.Results) (notes []string) {
	refused, unserved, failed := 0, 0, false
	for _, o := range done.Outcomes {
		switch {
		case o.Action != rehearsal.Rejected:
			continue
		case o.Rejection.Has(fault.NotOwned):
			refused++
		case o.Unserved:
			unserved++
		}
		failed = true
	}
	switch {
	case unserved > 0:
		notes = append(notes, fmt.Sprintf("Helm rejects the whole %s before it changes anything, because of %s of a kind that the cluster does not serve",
			rel.Verb(), phrase.Count(unserved, "object")))
	case refused > 0:
		adopt := "--take-ownership adopts them, or give them the label and annotations of the release"
		switch {
		case rel.For != nil:
			adopt = "without spec." + rel.Verb() + ".disableTakeOwnership they are adopted, or give them the label and annotations of the release"
		case rel.Original == nil && released(done) != "":
			adopt = "pass --release " + released(done) + " if these are its manifests"
		}
		notes = append(notes, fmt.Sprintf("Helm rejects the whole %s before it changes anything, because of %s; %s",
			rel.Verb(), phrase.Count(refused, "live object that is not of the release", "live objects that are not of the release"), adopt))
	case failed:
		notes = append(notes, fmt.Sprintf("the %s fails: Helm marks the new revision as failed and deletes nothing, and what it has changed until then stays; the next upgrade compares with the same revision as this one", rel.Verb()))
	}
	if rel.For != nil {
		notes = append(notes, OfHelmRelease(rel.For)...)
	}
	return notes
}

// released is the release of the first object that Helm rejects because it is of another one; "" if it is
// of none.
func released(done rehearsal.Results) string {
	for _, o := range done.Outcomes {
		if o.Action == rehearsal.Rejected && o.Rejection.Has(fault.NotOwned) && o.Live != nil {
			if of := applier.Released(o.Live.Tree); of != "" {
				return of
			}
		}
	}
	return ""
}

// OfHelmRelease are the lines about what a HelmRelease says.
func OfHelmRelease(h *flux.HelmRelease) (notes []string) {
	if h.Suspended {
		notes = append(notes, fmt.Sprintf("HelmRelease %s is suspended: Flux applies nothing until %s", h, shell.Line("flux resume helmrelease", shell.Operand(h.Name).In(h.Namespace))))
	}
	return notes
}

// UndoneBy says when Flux corrects drift of a HelmRelease.
func UndoneBy(h *flux.HelmRelease) []string {
	switch {
	case h.Suspended:
		return nil
	case h.Detects == "enabled":
		return []string{fmt.Sprintf("HelmRelease %s detects drift: Flux undoes a change in the cluster at the next reconciliation", h)}
	}
	return []string{fmt.Sprintf("HelmRelease %s does not correct drift: Flux undoes a change in the cluster at the next upgrade or rollback, not before", h)}
}

// gaps are the hooks that this run of Helm makes, in its order, and what Flux renders.
func (rel *Release) gaps() []gap.Gap {
	var list []string
	for _, when := range []string{"pre-", "post-"} {
		event := when + rel.Verb()
		for _, h := range rel.Hooks {
			if slices.Contains(h.Events, event) {
				list = append(list, fmt.Sprintf("%s %s (%s)", h.Kind, h.Name, event))
			}
		}
	}
	gaps := rehearsal.Unrehearsed(list)
	if h := rel.For; h != nil && rel.Rollback == 0 && len(h.Renders) > 0 {
		gaps = append(gaps, gap.Gap{
			Code: gap.Unrehearsed, Needs: "manifests that were rendered with " + strings.Join(h.Renders, ", "),
			Note: fmt.Sprintf("HelmRelease %s has %s, which is not simulated: pass manifests that were rendered with it", h, strings.Join(h.Renders, ", ")),
		})
	}
	return gaps
}

// Undoes: nothing watches a release, unless Flux detects drift.
func (rel *Release) Undoes() []string {
	if rel.For != nil {
		return UndoneBy(rel.For)
	}
	return []string{"Helm undoes a change in the cluster at the next upgrade or rollback, not before"}
}

// stops marks what Helm does not get to: everything if it rejects the run before it
// changes anything; in an upgrade or rollback, what comes after an object that cannot be
// created, while it goes on after a patch that fails (pkg/kube/client.go update).
func (rel *Release) stops(r *rehearsal.Run, done rehearsal.Results) {
	whole, stopped := slices.ContainsFunc(done.Outcomes, func(o *rehearsal.Outcome) bool {
		return o.Unserved || o.Action == rehearsal.Rejected && (o.Rejection.Has(fault.NotOwned) || o.Unread() && rel.isNew(r, o))
	}), false
	done.Stop(func(o *rehearsal.Outcome) bool { return whole })
	for _, o := range done.Outcomes {
		o.Stopped = o.Stopped || stopped && o.Action != rehearsal.Rejected && o.Action != rehearsal.Unchanged
		stopped = stopped || rel.Original != nil && o.Action == rehearsal.Rejected && (o.Live == nil || o.Unread())
	}
}

// After finds what Helm deletes after the outcomes; any error before stops that.
func (rel *Release) After(r *rehearsal.Run, done rehearsal.Results) rehearsal.Aftermath {
	rel.stops(r, done)
	after := rehearsal.Aftermath{Notes: rel.notes(done), Gaps: rel.gaps()}
	if !done.Rejects() && rel.Original != nil {
		after.Prune = prune.ByRelease(r.Live, rel.Original.Objects, done.Applied(), rel.last())
		after.Gaps = append(after.Gaps, r.Uncovered(after.Prune, "Helm", rel.last())...)
		after.Gaps = append(after.Gaps, rel.deletes(r, after.Prune)...)
	}
	rel.records(r, &after)
	return after
}

// last names what Helm compares with.
func (rel *Release) last() string {
	if rel.From == 0 {
		return "the last release"
	}
	return fmt.Sprintf("revision %d of release %s", rel.From, rel)
}
