package merge

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// Reason says why a field is as it is in the result. The set is closed.
type Reason string

// The reasons.
const (
	Set          Reason = "set"           // config differs from live
	Added        Reason = "added"         // config has it, live had not
	Cleared      Reason = "cleared"       // in last-applied, gone from config
	Nulled       Reason = "nulled"        // config says null
	Kept         Reason = "kept"          // live only
	Defaulted    Reason = "defaulted"     // the server fills it in
	ReplacedList Reason = "replaced-list" // a list that does not merge
	Reordered    Reason = "reordered"     // same items, another order
	Normalised   Reason = "normalised"    // the server writes it differently or owns it
	Dropped      Reason = "dropped"       // unknown to the server
	OwnedBy      Reason = "owned-by"      // not in config, and others own it
	Conflict     Reason = "conflict"      // config sets it to something else than who owns it
)

// Change is one field of an outcome and the reason for it. A field that is on
// neither side (Dropped) has only its path.
type Change struct {
	Path        fieldpath.Path
	Old, New    any
	InOld       bool
	InNew       bool
	Reason      Reason
	Explanation string
	// Owners are the managers that the reason is about: those that own a field,
	// OwnedBy, or that it is in Conflict with.
	Owners []string
}

// Changes lists the fields that differ between Before and Result, those that
// live has and nobody's config knows, and those that were dropped, by path.
// A rejected object has only its conflicts.
func (o *Outcome) Changes() []Change {
	if o.Action == Rejected {
		return o.conflicts()
	}
	w := &walker{path: make(fieldpath.Path, 0, few), ids: make([]any, 0, 3*few), keys: make([]fieldpath.Key, 0, 2*few), managers: managersOf(o.Before), applier: o.applier}
	if o.Action != Created {
		w.fresh = o.fresh
	}
	w.managers.object = schema.Lookup(o.Kind)
	w.object(w.managers.object, o.Before, o.Result, sides{last: value{o.lastApplied, true}, config: value{o.Config.Tree, true}})
	for _, path := range o.dropped {
		if p, err := fieldpath.Parse(path); err == nil {
			w.changes = append(w.changes, Change{Path: p, Reason: Dropped, Explanation: "the server does not know this field"})
		}
	}
	return w.changes
}

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
type sides struct{ last, config, live, result value }

// few is what most objects do not exceed in depth, and most lists in length.
const few = 12

// walker compares the sides field by field.
type walker struct {
	// path is where the walk stands. It grows and shrinks in place, since most
	// fields are not worth a path of their own.
	path     fieldpath.Path
	steps    []fieldpath.Step // of the paths of all changes
	ids      []any            // of the items of the lists that are being compared
	keys     []fieldpath.Key  // of the items that were compared
	changes  []Change
	managers *managers
	// applier is who applies server-side, "" in a client-side apply.
	applier string
	// fresh is the object as creating the config anew would give it; what live
	// shares with it is a default and not worth a line.
	fresh func() tree.Object
	// defaults are what fresh has on the way to where the walk stands, as far as
	// anybody has asked: at path[:i] is defaults[i].
	defaults []any
}

func (w *walker) field(key string, parent *schema.Type, s sides) {
	w.path = append(w.path, fieldpath.Step{Field: key})
	switch {
	case len(w.path) <= 3 && serverOwned(w.path):
	case !compound(s.live.v) && !compound(s.result.v):
		w.leaf(s, false)
	default:
		t, f := fieldType(parent, key)
		w.value(t, f, s)
	}
	w.leave()
}

// leave ends the walk of a field or an item.
func (w *walker) leave() {
	w.path = w.path[:len(w.path)-1]
	w.defaults = w.defaults[:min(len(w.defaults), len(w.path)+1)]
}

// compound reports whether a value has parts.
func compound(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// fieldType is what the schema says of a field or of the key of a map: its type
// and, of a field, how it merges.
func fieldType(parent *schema.Type, key string) (*schema.Type, *schema.Field) {
	switch {
	case parent != nil && parent.Form == schema.Struct:
		if f := parent.Field(key); f != nil {
			return f.Type, f
		}
	case parent != nil && parent.Form == schema.Map:
		return parent.Elem, nil
	}
	return nil, nil
}

func (w *walker) value(t *schema.Type, f *schema.Field, s sides) {
	live, liveMap := s.live.v.(map[string]any)
	result, resultMap := s.result.v.(map[string]any)
	if liveMap && resultMap || (liveMap && !s.result.ok || resultMap && !s.live.ok) && len(live)+len(result) > 0 {
		w.object(t, live, result, s)
		return
	}
	oldList, liveList := s.live.v.([]any)
	newList, resultList := s.result.v.([]any)
	if liveList && resultList && f != nil && f.Merge {
		w.mergedList(t, f, oldList, newList, s)
		return
	}
	w.leaf(s, liveList || resultList)
}

func (w *walker) object(t *schema.Type, live, result tree.Object, s sides) {
	last, _ := s.last.v.(map[string]any)
	config, _ := s.config.v.(map[string]any)
	field := func(key string, live, result value) {
		sub := sides{config: of(config, key), live: live, result: result}
		if s.config.ok && s.config.v == nil {
			sub.config = value{nil, true} // null above clears all below
		}
		if sub.config.ok && live.ok && result.ok && !compound(live.v) && tree.Equal(live.v, result.v) {
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
		w.value(elem, nil, sides{last: itemAt(last, inLast.of(id)), config: itemAt(config, inConfig.of(id)), live: live, result: result})
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
		w.add(Change{Path: w.here(), Old: live, New: result, InOld: true, InNew: true, Reason: Reordered, Explanation: "same items in the order of the config"})
	}
}

// leaf judges a value that is compared as a whole.
func (w *walker) leaf(s sides, list bool) {
	same := s.live.ok == s.result.ok && tree.Equal(s.live.v, s.result.v)
	if same && (!s.live.ok || s.config.ok || s.last.ok || w.isDefault(s.live.v)) {
		return
	}
	c := Change{Path: w.here(), Old: s.live.v, New: s.result.v, InOld: s.live.ok, InNew: s.result.ok}
	if same {
		c.Reason, c.Explanation = Kept, "not in config or last-applied"
		if w.applier != "" {
			c = w.kept(c)
		}
		w.add(c)
		return
	}
	c.Reason, c.Explanation = judge(s, list)
	if w.applier != "" {
		c.Explanation = w.reworded(c, s)
	}
	w.add(c)
}

// judge finds the reason for a difference between live and result.
func judge(s sides, list bool) (Reason, string) {
	switch {
	case s.config.ok && s.config.v == nil && s.live.ok:
		if s.result.ok {
			return Nulled, "config says null; the server sets its default"
		}
		return Nulled, "config says null"
	case s.config.ok && !s.live.ok:
		return Added, "config has it, live has not"
	case s.config.ok && list && s.result.ok:
		return ReplacedList, "the list does not merge: config's replaces live's"
	case s.config.ok && s.result.ok:
		return Set, "config differs from live"
	case s.last.ok && !s.result.ok:
		return Cleared, "in last-applied, gone from config"
	case s.last.ok:
		return Defaulted, "in last-applied, gone from config; the server sets its default"
	case s.result.ok && !s.live.ok:
		return Defaulted, "the server sets its default"
	case !s.result.ok:
		return Cleared, "not in config, and what config sets excludes it"
	}
	return Normalised, "the server writes it"
}

func (w *walker) add(c Change) {
	if owner := w.managers.owner(c.Path); w.applier == "" && owner != "" && c.Explanation != "" {
		c.Explanation += " (" + owner + ")"
	}
	if w.changes == nil {
		w.changes = make([]Change, 0, few+few/3)
	}
	w.changes = append(w.changes, c)
}

// here is where the walk stands, as a path that stays as it is.
func (w *walker) here() fieldpath.Path {
	if w.steps == nil {
		w.steps = make([]fieldpath.Step, 0, few*few/2)
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
	if w.defaults == nil {
		w.defaults = append(make([]any, 0, few), w.fresh())
	}
	for i := len(w.defaults); i <= len(w.path); i++ {
		below, ok := w.path[i-1 : i].Find(w.defaults[i-1])
		if !ok {
			return false
		}
		w.defaults = append(w.defaults, below)
	}
	return tree.Equal(w.defaults[len(w.path)], v)
}

// serverOwned reports whether a field is none of a config's business.
func serverOwned(p fieldpath.Path) bool {
	switch p[0].Field {
	case "status":
		return true
	case "apiVersion", "kind":
		return len(p) == 1
	}
	if p[0].Field != "metadata" || len(p) < 2 {
		return false
	}
	switch p[1].Field {
	case "managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds":
		return true
	case "annotations":
		return len(p) == 3 && p[2].Field == LastAppliedKey
	}
	return false
}
