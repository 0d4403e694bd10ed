package merge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/gap"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// PruneOptions ask for a preview of kubectl apply --prune.
type PruneOptions struct {
	// All, Selector and Allowlist are kubectl's --all, -l and
	// --prune-allowlist.
	All          bool
	Selector     selector.Selector
	SelectorText string
	Allowlist    []string
	// ApplySet is kubectl's --applyset, or empty.
	ApplySet string
	// Elsewhere reads the manifests of the whole set, of which the config may
	// be a part; nil if that is not known.
	Elsewhere func() *manifest.Set
	// LastFile tells which file a deleted manifest was last in; nil if there
	// is no history to ask.
	LastFile func(*manifest.Entry) (string, error)
	// Recorded is how the set is pruned as a rule; nil if that is not recorded.
	Recorded *prune.Selection
	// Others are the selections of other sets of the repository.
	Others []*prune.Selection
	// Root is the directory of the whole set, which Elsewhere reads. Guessed is
	// set if it was not passed: it is the top of the repository.
	Root    string
	Guessed bool
	// Tolerant goes on without the prune where kubectl refuses the whole run,
	// and says why in Plan.Refused.
	Tolerant bool
}

// validate refuses what kubectl refuses before it looks at any object. kubectl
// diff wants neither --all nor -l and takes no offence at --server-side.
func (p *PruneOptions) validate(diff, serverSide bool) error {
	switch {
	case p.ApplySet == "" && diff:
		return nil
	case p.ApplySet == "":
		return prune.CheckAllowlist(p.All || p.SelectorText != "", serverSide)
	case p.All:
		return fmt.Errorf("--all is incompatible with --applyset")
	case p.SelectorText != "":
		return fmt.Errorf("--selector is incompatible with --applyset")
	case len(p.Allowlist) > 0:
		return fmt.Errorf("--prune-allowlist is incompatible with --applyset")
	}
	return nil
}

// pruning is the state of the preview during a rehearsal.
type pruning struct {
	*PruneOptions
	set     *prune.ApplySet
	kinds   []prune.Kind
	forbids prune.Forbids
}

// newPruning reads the options against the snapshot. The errors are kubectl's, in its order
// (kubectl pkg/cmd/apply/apply.go ToOptions and Validate).
func (r *run) newPruning() (p *pruning, err error) {
	p = &pruning{PruneOptions: r.given.Prune}
	if p.ApplySet != "" {
		namespace := ""
		if r.Enforce {
			namespace = r.Namespace
		}
		if p.set, err = prune.ParseApplySet(p.ApplySet, namespace, r.ApplySets()); err != nil {
			return nil, err
		}
	}
	p.kinds, err = prune.ParseKinds(p.Allowlist, func(k schema.Kind) (bool, bool) {
		serves, known := r.Catalog.Serves(k)
		namespaced, scoped := r.Catalog.Scope(k)
		return namespaced || !scoped, serves || !known
	})
	if err == nil && p.All && p.SelectorText != "" {
		err = fmt.Errorf("cannot set --all and --selector at the same time")
	}
	if err == nil && p.set != nil {
		err = p.set.Validate(r.Live)
	}
	if err == nil {
		err = p.validate(r.Diff, r.ServerSide != nil)
	}
	return p, err
}

// startPruning reads the options, labels the objects and looks the parent up,
// in kubectl's order. It returns nil if there is nothing to prune by, for the
// reason that the plan then has.
func (r *run) startPruning(objects []*manifest.Object, plan *Plan) (*pruning, error) {
	p, err := r.newPruning()
	if p != nil {
		plan.ApplySet = p.set
	}
	if err != nil {
		return nil, r.given.Prune.refused(err, plan)
	}
	p.forbids = r.forbids(plan)
	if p.set == nil {
		return p, nil
	}
	for _, o := range objects {
		if err := r.given.Prune.refused(p.set.Label(o), plan); err != nil {
			return nil, err
		}
	}
	if err := r.given.Prune.refused(p.set.Load(r.Live, p.forbids), plan); err != nil || plan.Refused != nil {
		return nil, err
	}
	// kubectl updates the parent before it applies anything.
	if ns, known := r.NamespaceOf(p.set.Namespace); known && ns == nil && p.set.Namespaced() {
		return nil, r.given.Prune.refused(p.set.Homeless(), plan)
	}
	if err := r.given.Prune.refused(r.storesParent(p.set, objects), plan); err != nil || plan.Refused != nil {
		return nil, err
	}
	return p, nil
}

// storesParent writes the parent of an ApplySet as kubectl does before it applies anything; nil
// if the server stores it (kubectl pkg/cmd/apply/applyset.go updateParent).
func (r *run) storesParent(set *prune.ApplySet, objects []*manifest.Object) error {
	parent := set.Parent(objects)
	request := kube.ApplyRequest{Manifest: parent.Tree, Manager: "kubectl-applyset", Force: true, Time: r.Live.NewestWrite}
	if o := r.Live.Find(parent.ID()); o != nil {
		if no := r.Server.Apply(parent.Kind, r.InVersion(o, parent.Kind), request).Rejection; no != nil {
			return set.Rejected(no.ServerMessage().String())
		}
	} else if no := r.Server.Apply(parent.Kind, nil, request).Rejection; no != nil {
		return set.Rejected(no.ServerMessage().Unmasked()) // it has nothing but what the flags say
	}
	return nil
}

// ofBase are the options of the apply that has made the base live: only an ApplySet marks
// its objects.
func (p *PruneOptions) ofBase() *PruneOptions {
	if p == nil || p.ApplySet == "" || p.Recorded != nil && p.Recorded.Selects() && p.Recorded.ApplySet != p.ApplySet {
		return nil
	}
	return &PruneOptions{ApplySet: p.ApplySet, Tolerant: true}
}

// refused keeps a refusal in the plan if that is asked for, else returns it.
func (p *PruneOptions) refused(err error, plan *Plan) error {
	var refusal *prune.Refusal
	if !p.Tolerant || !errors.As(err, &refusal) {
		return err
	}
	plan.Refused = append(plan.Refused, refusal)
	return nil
}

// preview finds what would be pruned after the outcomes; any error before
// stops kubectl's prune.
func (r *run) preview(p *pruning, plan *Plan) {
	for _, problem := range plan.Problems {
		if problem.Severity == manifest.Error {
			plan.Notes = append(plan.Notes, "nothing is pruned: kubectl skips prune after any error")
			return
		}
	}
	visited := prune.Visited{Objects: map[manifest.Identity]bool{}, UIDs: map[string]bool{}, Namespaces: map[string]bool{}}
	for _, o := range plan.Outcomes {
		if o.Action == rehearsal.Rejected {
			plan.Notes = append(plan.Notes, "nothing is pruned: kubectl skips prune after any error")
			return
		}
		visited.Objects[o.Identity()] = true
		if uid := tree.String(o.Before, "metadata", "uid"); uid != "" {
			visited.UIDs[uid] = true
		}
		if o.Manifest.Namespace != "" {
			visited.Namespaces[o.Manifest.Namespace] = true
		}
	}
	if p.set != nil {
		plan.Prune = prune.ByApplySet(r.Live, visited, p.set, p.forbids)
	} else {
		plan.Prune = prune.ByAllowlist(r.Live, visited, r.allowlist(p))
	}
	if r.EmptyCluster {
		plan.Prune.Uncovered = nil
	}
	plan.Warnings = append(plan.Warnings, r.listWarnings(plan, len(visited.Namespaces) > 0 || p.set == nil && r.allowlist(p).Namespace != "")...)
	switch {
	case p.Elsewhere == nil, r.EmptyCluster:
	case p.set == nil && len(r.Live.Entries) == 0:
		plan.Prune.Siblings = r.siblings(p, visited)
	case len(plan.Prune.Candidates) > 0:
		plan.Prune.Locate(p.Elsewhere(), r.Catalog.Scope, r.Namespace)
	}
	if p.LastFile != nil {
		plan.Prune.Trace(p.LastFile)
	}
	plan.Notes = append(plan.Notes, plan.Prune.Notes...)
	if p.Recorded != nil {
		plan.Notes = append(plan.Notes, r.otherSelection(p, visited, plan.Prune)...)
	}
	if !r.Assumed && !r.EmptyCluster {
		var names []string
		var gaps []gap.Gap
		for _, k := range plan.Prune.Uncovered {
			names = append(names, k.GroupKind())
			gaps = append(gaps, gap.Gap{Code: gap.NotExported, Objects: whole(k.Kind), Needs: exportOf + k.GroupKind()})
		}
		for i := range gaps {
			gaps[i].Note = "the snapshot holds no " + strings.Join(names, ", ") + ": whether prune would delete any of them is unknown"
		}
		plan.Add(gaps...)
	}
}

// listWarnings are the server's warnings of deprecated kinds, which it sends when
// prune lists the objects of each kind that it looks at, namespaced ones in the
// visited namespaces only. kubectl prints each warning once.
func (r *run) listWarnings(plan *Plan, namespaces bool) []string {
	var warnings []string
	for _, k := range plan.Prune.Kinds {
		text := r.Server.Deprecation(k.Kind)
		says := func(w fault.Warning) bool { return w.String() == text }
		said := slices.ContainsFunc(plan.Outcomes, func(o *rehearsal.Outcome) bool { return slices.ContainsFunc(o.Warnings, says) })
		if text != "" && !said && (namespaces || !k.Namespaced) {
			warnings = append(warnings, text)
		}
	}
	return phrase.Distinct(warnings)
}

func (r *run) allowlist(p *pruning) prune.Allowlist {
	opts := prune.Allowlist{Kinds: p.kinds, Selector: p.Selector, SelectorText: p.SelectorText, Forbids: p.forbids}
	if r.Enforce && !r.Diff {
		opts.Namespace = r.Namespace // which a diff looks at only if an object is in it
	}
	return opts
}

// forbids are the server's refusals of requests of the prune. What the roles do not tell is
// a note.
func (r *run) forbids(plan *Plan) prune.Forbids {
	return func(verb string, k prune.Kind, namespace, name string) string {
		why, unknown := r.Forbids(k.Kind, verb, namespace, name, "may end the prune")
		plan.Add(unknown...)
		return why
	}
}

// siblings lists the manifests below the root, outside of the config set, whose
// objects would be deleted if they are live.
func (r *run) siblings(p *pruning, visited prune.Visited) []*manifest.Object {
	whole := p.Elsewhere()
	whole.Build(manifest.Builder{Scope: r.Catalog.Scope, Namespace: r.Namespace})
	live := (&manifest.Snapshot{}).With(whole.Objects, nil)
	for _, e := range live.Entries {
		e.LastApplied = true
	}
	var list []*manifest.Object
	for _, c := range prune.ByAllowlist(live, visited, r.allowlist(p)).Pruned() {
		list = append(list, c.Live.Object())
	}
	return list
}

// Selection is how the run selects what is pruned.
func (p *PruneOptions) Selection() *prune.Selection {
	return &prune.Selection{Selector: p.SelectorText, All: p.All, Allowlist: p.Allowlist, ApplySet: p.ApplySet}
}

// otherSelection says what the selection recorded for the set would prune and
// this one keeps, and the reverse: after a change of selector, allowlist or
// mode objects go that were never meant to, or are left behind.
func (r *run) otherSelection(p *pruning, visited prune.Visited, now *prune.Result) []string {
	rec := p.Recorded
	if !rec.Selects() {
		return nil
	}
	if rec.String() == p.Selection().String() {
		return nil
	}
	was, why := r.recorded(p, visited)
	if why != "" {
		return []string{rec.Source + " " + why}
	}
	now.More, now.Less = now.Without(was), was.Without(now)
	var notes []string
	if now.More != nil {
		notes = append(notes, fmt.Sprintf("this run prunes objects that the selection in %s (%s) would not: %s", rec.Source, rec, names(now.More)))
	}
	if now.Less != nil {
		notes = append(notes, fmt.Sprintf("this run keeps objects that the selection in %s (%s) would prune: %s", rec.Source, rec, names(now.Less)))
	}
	return notes
}

// recorded is what the selection on record would prune, or why that is unknown.
func (r *run) recorded(p *pruning, visited prune.Visited) (was *prune.Result, why string) {
	rec := p.Recorded
	if rec.ApplySet != "" {
		set, err := prune.ParseApplySet(rec.ApplySet, cmp.Or(rec.Namespace, r.Namespace), r.ApplySets())
		if err == nil {
			err = set.Load(r.Live, p.forbids)
		}
		if err != nil {
			return nil, fmt.Sprintf("records the ApplySet %s, which cannot be used: %v", rec.ApplySet, err)
		}
		if r.Live.Find(set.Identity()) == nil {
			return nil, fmt.Sprintf("records --prune %s, but this run uses %s, which does not see the same objects", rec, p.Selection())
		}
		return prune.ByApplySet(r.Live, visited, set, p.forbids), ""
	}
	labels, err := selector.Parse(rec.Selector)
	if err != nil {
		return nil, fmt.Sprintf("records the selector %q, which cannot be read: %v", rec.Selector, err)
	}
	kinds, err := prune.ParseKinds(rec.Allowlist, func(k schema.Kind) (bool, bool) {
		serves, _ := r.Catalog.Serves(k)
		namespaced, _ := r.Catalog.Scope(k)
		return namespaced, serves
	})
	if err != nil {
		return nil, fmt.Sprintf("records an allowlist that cannot be read: %v", err)
	}
	opts := r.allowlist(p)
	opts.Kinds, opts.Selector, opts.SelectorText = kinds, labels, rec.Selector
	was = prune.ByAllowlist(r.Live, visited, opts)
	if p.Elsewhere != nil {
		was.Locate(p.Elsewhere(), r.Catalog.Scope, r.Namespace)
	}
	return was, ""
}

func names(list []prune.Candidate) string {
	var all []string
	for _, c := range list {
		all = append(all, c.Live.ID().String())
	}
	return strings.Join(all, ", ")
}

// staying says which objects an applier keeps although they are in no manifest, and why.
func staying(r *prune.Result) (notes []string) {
	if r == nil {
		return nil
	}
	names := map[string][]string{}
	var whys []string
	for _, c := range r.Candidates {
		if c.Fate != prune.Stays {
			continue
		}
		if names[c.Why] == nil {
			whys = append(whys, c.Why)
		}
		names[c.Why] = append(names[c.Why], c.Live.ID().String())
	}
	for _, why := range whys {
		notes = append(notes, "in no manifest, and kept: "+phrase.Abbreviated(names[why], 3)+"; "+why)
	}
	return notes
}
