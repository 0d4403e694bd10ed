// Package explain says of the outcome of an apply what changes in an object and
// why: a reason for every field (Of), the four versions of an object side by side
// (Align), and where the live object has moved since the last apply (DriftOf). It
// finds out nothing about the apply; that is package merge.
package explain

import (
	"slices"
	"strings"
	"sync"

	"threeway/merge/applier"
	"threeway/merge/by/helm"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Change is one field of an outcome and the reason for it. A field that is on
// neither side (Dropped) has only its path.
type Change struct {
	Path fieldpath.Path
	// At is where the manifest has the field: Path, but for data of a Secret that
	// the manifest has in stringData. It is nil if the manifest does not have it.
	At          fieldpath.Path
	Old, New    any
	InOld       bool
	InNew       bool
	Reason      Reason
	Explanation string
	// Bookkeeping says that the field is kept, and the cluster's own business: an
	// allocated address, a controller's annotation.
	Bookkeeping bool
	// Owners are the managers that the reason is about: those that own a field,
	// OwnedBy, that it is in Conflict with, or whose change is Undone.
	Owners []string
}

// FieldChanges lists the fields that differ between Before and Result, those that
// are live and in no manifest, and those that were dropped, by path. What is
// removed with its parent is listed field by field. A rejected object has only
// its conflicts. The list is shared by all who ask.
func FieldChanges(o *rehearsal.Outcome) []Change {
	type leaves []Change
	return rehearsal.Remember(o, func() leaves { return changesOf(o, false) })
}

// Changes is Leaves with one change for each object, map or list that is removed as a
// whole: what people read.
func Changes(o *rehearsal.Outcome) []Change { return changesOf(o, true) }

func changesOf(o *rehearsal.Outcome, fold bool) []Change {
	if o.Action == rehearsal.Rejected {
		return conflicts(o)
	}
	last := o.Original
	if o.Applier != "" && !owners.Applies(o.Taken(), o.Applier) {
		last, _, _ = rehearsal.ReadLastApplied(o.Before) // of an older client-side apply
	}
	w := walkers.Get().(*walker)
	defer w.release()
	*w = walker{
		path: w.path, ids: w.ids, defaults: w.defaults,
		managers: &managers{live: o.Taken()}, manifest: o.Target(), applier: o.Applier, patch: o.Patch, fold: fold,
		created: o.Before == nil, annotated: last != nil, helm: helm.Of(o), plain: stringData(o.Manifest.Tree), lastPlain: stringData(last),
	}
	by := o.By.Claim()
	w.managers.own = by.Manager()
	if o.Action != rehearsal.Created {
		w.fresh = o.Fresh
	}
	w.managers.object = schema.Lookup(o.Kind)
	w.object(w.managers.object, o.Before, o.Result, sides{last: value{withStringData(last, o.Applier != ""), true}, config: value{withStringData(o.Target(), o.Applier != ""), true}})
	byPolicies(w.changes, o)
	if o.Manifest.Placed {
		for i, c := range w.changes {
			if c.Path.Equal(namespacePath) {
				w.changes[i].Reason, w.changes[i].Explanation, w.changes[i].At = Defaulted, placed, nil
			}
		}
	}
	if by.Program != applier.Kubectl {
		w.sayMarks(o)
		w.sayTaken(o)
	}
	for _, f := range o.Dropped {
		w.changes = append(w.changes, Change{Path: f.Path, At: f.Path, Reason: Dropped, Explanation: unknownField})
	}
	return w.changes
}

// walkers have the room that walkers before them needed.
var walkers = sync.Pool{New: func() any { return &walker{} }}

// release keeps nothing of the object.
func (w *walker) release() {
	clear(w.path[:cap(w.path)])
	clear(w.ids[:cap(w.ids)])
	clear(w.defaults[:cap(w.defaults)])
	*w = walker{path: w.path[:0], ids: w.ids[:0], defaults: w.defaults[:0]}
	walkers.Put(w)
}

var namespacePath = fieldpath.New("metadata", "namespace")

// value is a value that may be absent.
type value struct {
	v  any
	ok bool
}

func of(m tree.Object, key string) value {
	v, ok := m[key]
	return value{v, ok}
}

// sides are the four versions of one field.
type sides struct {
	last, config, live, result value
	// left is the length of the path to the highest parent, or to the field, that
	// last-applied has and the manifest does not; 0 if there is none.
	left int
	// gone is why the object around it is removed as a whole; nil if it is not.
	gone *why
}

// removed reports whether apply removes a live field that the manifest does not
// set: all that is in it goes for the same reason.
func (s sides) removed() bool {
	return s.live.ok && !s.result.ok && (!s.config.ok || s.config.v == nil)
}

// usualSize is what most objects do not exceed in depth, and most lists in length.
const usualSize = 12

// walker compares the sides field by field.
type walker struct {
	// path is where the walk stands. It grows and shrinks in place, since most
	// fields are not worth a path of their own.
	path     fieldpath.Path
	steps    []fieldpath.Step // of the paths of all changes
	ids      []any            // of the items of the lists that are being compared
	keys     []fieldpath.Key  // of the items that were compared
	items    fieldpath.Finder
	changes  []Change
	managers *managers
	// applier is who applies server-side, "" in a client-side apply.
	applier  string
	patch    tree.Object // as kubectl sends it
	manifest tree.Object
	// fold says that what is removed as a whole is one change.
	fold      bool
	created   bool // there is no live object
	annotated bool // there is a last-applied
	helm      *helm.Outcome
	// plain and lastPlain are the stringData of a Secret: in the manifest and as it
	// was applied last.
	plain, lastPlain tree.Object
	// fresh is the object as creating the config anew would give it; what live
	// shares with it is a default and not worth a line. nil: nothing is known.
	fresh func() tree.Object
	// defaults are what fresh has on the way to where the walk stands, as far
	// as they were needed: defaults[i] belongs to path[:i].
	defaults []any
}

func (w *walker) field(key string, parent *schema.Type, s sides) {
	w.path = append(w.path, fieldpath.Step{Field: key})
	w.enter(&s)
	switch {
	case len(w.path) <= 3 && rehearsal.ServerOwned(w.path):
	case !tree.Compound(s.live.v) && !tree.Compound(s.result.v):
		w.leaf(s, false)
	default:
		t, f := parent.Child(key)
		w.value(t, f, s)
	}
	w.leave()
}

// enter notes whether the field or item where the walk stands has left the
// manifest.
func (w *walker) enter(s *sides) {
	if s.left == 0 && s.last.ok && !s.config.ok {
		s.left = len(w.path)
	}
}

// leave ends the walk of a field or an item.
func (w *walker) leave() {
	w.path = w.path[:len(w.path)-1]
	w.defaults = w.defaults[:min(len(w.defaults), len(w.path)+1)]
}

func (w *walker) value(t *schema.Type, f *schema.Field, s sides) {
	if s.gone == nil && s.removed() && tree.Compound(s.live.v) {
		if w.fold {
			w.leaf(s, false)
			return
		}
		gone := w.whyRemoved(s)
		s.gone = &gone
	}
	live, liveMap := s.live.v.(map[string]any)
	result, resultMap := s.result.v.(map[string]any)
	if liveMap && resultMap || (liveMap && !s.result.ok || resultMap && !s.live.ok) && len(live)+len(result) > 0 {
		w.object(t, live, result, s)
		return
	}
	oldList, liveList := s.live.v.([]any)
	newList, resultList := s.result.v.([]any)
	if (liveList || w.fold && !s.live.ok && len(newList) > 0 && !f.Keyless(newList)) && resultList && f != nil && f.Merge {
		w.mergedList(t, f, oldList, newList, s)
		return
	}
	w.leaf(s, (liveList || resultList) && (f == nil || !f.Merge))
}

func (w *walker) object(t *schema.Type, live, result tree.Object, s sides) {
	last, _ := s.last.v.(map[string]any)
	config, _ := s.config.v.(map[string]any)
	field := func(key string, live, result value) {
		sub := sides{config: of(config, key), live: live, result: result, left: s.left, gone: s.gone}
		if s.config.ok && s.config.v == nil {
			sub.config = value{nil, true} // null above clears all below
		}
		if sub.config.ok && live.ok && result.ok && !tree.Compound(live.v) && tree.Equal(live.v, result.v) && !(w.helm != nil && w.helm.Blind) {
			return // like most of what a config sets
		}
		sub.last = of(last, key)
		w.field(key, t, sub)
	}
	from, shared := len(w.changes), 0
	for key, v := range live {
		other := of(result, key)
		if other.ok {
			shared++
		}
		field(key, value{v, true}, other)
	}
	if shared < len(result) {
		for key, v := range result {
			if _, ok := live[key]; !ok {
				field(key, value{}, value{v, true})
			}
		}
	}
	w.sort(from)
}

// sort puts the changes of one object, which were found in the random order of
// its keys, into the order of its keys. There are far fewer of them than keys.
func (w *walker) sort(from int) {
	if len(w.changes)-from < 2 {
		return
	}
	depth := len(w.path)
	slices.SortStableFunc(w.changes[from:], func(a, b Change) int {
		return strings.Compare(a.Path[depth].Field, b.Path[depth].Field)
	})
}

// mergedList compares the items of a list that merges, by what tells them apart.
func (w *walker) mergedList(t *schema.Type, f *schema.Field, live, result []any, s sides) {
	var elem *schema.Type
	if t != nil {
		elem = t.Elem
	}
	room := len(w.ids)
	defer func() { w.ids = w.ids[:room] }()
	keys, liveIDs, resultIDs := w.tellingKeys(f, elem, live, result)
	if keys == nil {
		w.leaf(s, false)
		return
	}
	changed, moved := len(w.changes), false
	last, config := tree.List(s.last.v), tree.List(s.config.v)
	inLast, inConfig := placesOf(w.itemIDs(last, keys, elem)), placesOf(w.itemIDs(config, keys, elem))
	inLive, inResult := placesOf(liveIDs), placesOf(resultIDs)
	item := func(id, x any, live, result value) {
		w.path = append(w.path, w.itemStep(x, keys, elem))
		sub := sides{last: itemAt(last, inLast.of(id)), config: itemAt(config, inConfig.of(id)), live: live, result: result, left: s.left, gone: s.gone}
		w.enter(&sub)
		w.value(elem, nil, sub)
		w.leave()
	}
	for i, x := range live {
		at := inResult.of(liveIDs[i])
		moved = moved || at != i
		item(liveIDs[i], x, value{x, true}, itemAt(result, at))
	}
	for i, x := range result {
		if inLive.of(resultIDs[i]) < 0 {
			item(resultIDs[i], x, value{}, value{x, true})
		}
	}
	if moved && len(w.changes) == changed && !tree.Equal(live, result) {
		order := otherOrder
		if configIDs := w.itemIDs(config, keys, elem); inOrder(configIDs, inResult) {
			order = reordered
		}
		here := w.here()
		w.add(Change{Path: here, At: w.at(s, here), Old: live, New: result, InOld: true, InNew: true, Reason: Reordered, Explanation: order})
	}
}

func (w *walker) add(c Change) {
	if owner := w.managers.owner(c.Path); w.applier == "" && owner != "" && c.Explanation != "" {
		if c.Reason == Undone {
			c.Owners = []string{owner}
		} else {
			c.Explanation += " (" + owner + ")"
		}
	}
	if w.changes == nil {
		w.changes = make([]Change, 0, usualSize/3)
	}
	w.changes = append(w.changes, c)
}

// here is where the walk stands, as a path that stays as it is.
func (w *walker) here() fieldpath.Path {
	if cap(w.steps)-len(w.steps) < len(w.path) {
		w.steps = make([]fieldpath.Step, 0, max(usualSize, 2*cap(w.steps), len(w.path)))
	}
	from := len(w.steps)
	w.steps = append(w.steps, w.path...)
	return slices.Clip(w.steps[from:])
}

// isDefault reports whether a freshly created config would have the value too.
func (w *walker) isDefault(v any) bool {
	if w.fresh == nil {
		return false
	}
	if len(w.defaults) == 0 {
		w.defaults = append(w.defaults, w.fresh())
	}
	for i := len(w.defaults); i <= len(w.path); i++ {
		below, ok := w.items.Find(w.path[i-1:i], w.defaults[i-1])
		if !ok {
			return false
		}
		w.defaults = append(w.defaults, below)
	}
	return tree.Equal(w.defaults[len(w.path)], v)
}
