package explain

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// why is a reason in general and in particular.
type why struct {
	reason      Reason
	explanation string
}

// leaf judges a value that is compared as a whole.
func (w *walker) leaf(s sides, list bool) {
	same := s.live.ok == s.result.ok && tree.Equal(s.live.v, s.result.v)
	if same && w.helm != nil && w.helm.Blind && s.live.ok && s.config.ok && s.config.v != nil && !tree.Equal(s.config.v, s.live.v) {
		here := w.here()
		w.add(Change{Path: here, At: w.at(s, here), Old: s.live.v, New: s.result.v, InOld: true, InNew: true, Reason: Kept, Explanation: unseen})
		return
	}
	inString := same && s.live.ok && !s.config.ok && w.isData(w.lastPlain)
	if same && !inString && (!s.live.ok || s.config.ok || s.last.ok && w.applier == "" || w.isDefault(s.live.v)) {
		return
	}
	here := w.here()
	c := Change{Path: here, At: w.at(s, here), Old: s.live.v, New: s.result.v, InOld: s.live.ok, InNew: s.result.ok}
	c.Bookkeeping = same && !inString && w.managers.bookkeeping(c.Path)
	switch {
	case inString:
		c.Reason, c.Explanation = Kept, leftString
	case same && w.applier != "":
		c = w.keptByOwners(c, s.last.ok)
	case same && w.helm != nil && w.helm.Adopted:
		c.Reason, c.Explanation = Kept, keptAdopted
	case same && w.annotated:
		c.Reason, c.Explanation = Kept, keptLive
	case same:
		c.Reason, c.Explanation = Kept, keptUnknown
	default:
		because := w.judge(s, list)
		c.Reason, c.Explanation = because.reason, because.explanation
		if w.applier != "" && s.config.ok {
			if others, _ := w.managers.others(c.Path, w.applier); len(others) > 0 {
				c.Explanation += ", taken from " + strings.Join(others, ", ")
			}
		}
	}
	w.add(c)
}

// at is where the manifest has the field where the walk stands, here, nil if it does
// not.
func (w *walker) at(s sides, here fieldpath.Path) fieldpath.Path {
	if !s.config.ok {
		return nil
	}
	if w.isData(w.plain) {
		return fieldpath.New("stringData", w.path[1].Field)
	}
	return here
}

// isData reports whether the walk stands at the data of a key of stringData.
func (w *walker) isData(plain tree.Object) bool {
	if len(w.path) != 2 || w.path[0].Field != "data" {
		return false
	}
	_, has := plain[w.path[1].Field]
	return has
}

// judge finds the reason for a difference between live and result.
func (w *walker) judge(s sides, list bool) why {
	switch {
	case s.gone != nil:
		return *s.gone
	case !s.result.ok && (!s.config.ok || s.config.v == nil):
		return w.whyRemoved(s)
	case s.config.ok && s.config.v == nil:
		return w.whyNulled(s)
	case !s.config.ok:
		return w.whyServer(s)
	case !s.live.ok:
		return why{w.undoneOr(s, Added), w.textAdded(s)}
	case list && tree.Empty(s.config.v) && !tree.Empty(s.live.v):
		return why{w.undoneOr(s, ReplacedList), replaced}
	case !s.result.ok && tree.Equal(s.config.v, s.live.v):
		return why{Excluded, notStored}
	case !s.result.ok:
		return why{Set, notStored}
	case tree.Equal(s.config.v, s.live.v):
		return why{Normalized, serverChanges}
	case list && w.applier != "" && w.managers.object == nil && len(tree.List(s.result.v)) > len(tree.List(s.config.v)):
		return why{Set, merged} // as the definition of a custom resource says
	case list:
		return why{w.undoneOr(s, ReplacedList), replaced}
	}
	return why{w.undoneOr(s, Set), w.textSet(s)}
}

// unless is the reason for a value of the manifest: Undone, if only live has changed.
func (w *walker) undoneOr(s sides, reason Reason) Reason {
	if s.last.ok && !w.owned() && !masked(s.last.v) && !masked(s.config.v) && tree.Equal(s.last.v, s.config.v) && !(s.live.ok && tree.Equal(s.live.v, s.last.v)) {
		return Undone
	}
	return reason
}

// whyNulled is the reason for a value of the result that is null in the manifest.
func (w *walker) whyNulled(s sides) why {
	switch {
	case !s.live.ok:
		return why{Defaulted, serverSets}
	case w.isDefault(s.result.v):
		return why{Nulled, nulledReset}
	}
	return why{Nulled, nulledStored}
}

// whyServer is the reason for a value of the result that the manifest does not
// set.
func (w *walker) whyServer(s sides) why {
	switch {
	case !s.live.ok:
		return why{Defaulted, serverSets}
	case !s.last.ok && !w.patchRemoves(s.left) && !w.owned():
		if text := w.excluded(); text != "" {
			return why{Normalized, text + "; reset to the server's default"}
		}
		return why{Normalized, serverChanges}
	case w.isDefault(s.result.v):
		return why{Defaulted, leftReset}
	}
	return why{Normalized, left + "; " + serverChanges}
}

func (w *walker) textAdded(s sides) string {
	switch {
	case w.created || w.annotated && !s.last.ok:
		return added
	case s.last.ok:
		return addedBack
	}
	return addedUnknown
}

func (w *walker) textSet(s sides) string {
	switch {
	case w.owned():
		return changed // who else changed it would own it
	case masked(s.last.v) || masked(s.config.v):
		return anotherValue // the values that would tell are masked
	case s.last.ok && tree.Equal(s.last.v, s.config.v) && w.helm != nil:
		return setBackReleased
	case s.last.ok && tree.Equal(s.last.v, s.config.v):
		return setBack
	case s.last.ok:
		return changed
	case w.annotated:
		return overwritten
	}
	return anotherValue
}

// whyRemoved is the reason why a live field that the manifest does not set is
// not in the result.
func (w *walker) whyRemoved(s sides) why {
	switch {
	case s.config.ok:
		return why{Nulled, nulled}
	case w.helm != nil && w.helm.FromLive:
		return why{Cleared, leftLive}
	case s.last.ok, w.owned():
		return why{Cleared, left}
	case !w.annotated && w.ownedClientSide():
		return why{Cleared, leftOwned}
	case w.patchRemoves(s.left):
		return why{Cleared, "removed together with " + w.path[:s.left].String()}
	}
	if text := w.excluded(); text != "" {
		return why{Excluded, text}
	}
	if w.applier != "" {
		unit := w.managers.unit(w.path)
		if w.managers.object == nil {
			unit = w.managers.wholeIn(w.path)
		}
		if _, sets := w.items.Find(unit, w.manifest); sets && len(unit) < len(w.path) {
			return why{Excluded, fmt.Sprintf("replaced together with %s (atomic)", unit)}
		}
	}
	return why{Excluded, serverRemoves}
}

// excluded says which field of the manifest excludes the one where the walk stands; "" if none does.
func (w *walker) excluded() string {
	for n := range w.path {
		parent, _ := w.items.Find(w.path[:n], w.patch)
		retained := tree.List(parent, "$retainKeys")
		if len(retained) > 0 && w.path[n].Keys == nil && !slices.Contains(retained, any(w.path[n].Field)) {
			return fmt.Sprintf("excluded by %s, which the manifest sets (retainKeys)", joinAny(retained))
		}
	}
	return ""
}

// patchRemoves reports whether the patch removes the parent at that depth of
// where the walk stands.
func (w *walker) patchRemoves(depth int) bool {
	if depth == 0 {
		return false
	}
	v, ok := w.items.Find(w.path[:depth], w.patch)
	return ok && (v == nil || tree.String(v, "$patch") == "delete")
}

func joinAny(list []any) string {
	var names []string
	for _, v := range list {
		names = append(names, fmt.Sprint(v))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// owned reports whether the manager that applies server-side has applied the field
// where the walk stands.
func (w *walker) owned() bool {
	if w.applier == "" {
		return false
	}
	_, own := w.managers.others(w.path, w.applier)
	return own
}

// ownedClientSide reports whether in a server-side apply kubectl owns the field
// where the walk stands from a client-side apply before.
func (w *walker) ownedClientSide() bool {
	if w.applier == "" {
		return false
	}
	others, _ := w.managers.others(w.path, w.applier)
	return slices.Contains(others, owners.ClientSideApply)
}

// keptByOwners says of a field that a server-side apply leaves alone who owns it.
func (w *walker) keptByOwners(c Change, applied bool) Change {
	others, own := w.managers.others(c.Path, w.applier)
	c.Reason = Kept
	switch {
	case len(others) == 0 && len(w.managers.all()) == 0:
		c.Explanation = "not in the manifest; its owner is unknown without managedFields; kept"
	case len(others) == 0 && own:
		c.Explanation = left + ", but the server keeps it"
	case len(others) == 0:
		c.Explanation = "not in the manifest, and no manager owns it; kept"
	case own:
		c.Reason, c.Owners, c.Explanation = OwnedBy, others, left+", but "+owning(others)+" it too; kept"
	case applied:
		c.Reason, c.Owners, c.Explanation = OwnedBy, others, left+", but "+owning(others)+" it; kept"
	default:
		c.Reason, c.Owners, c.Explanation = OwnedBy, others, "not in the manifest; "+owning(others)+" it; kept"
	}
	return c
}

func owning(managers []string) string {
	if len(managers) == 1 {
		return managers[0] + " owns"
	}
	return strings.Join(managers, ", ") + " own"
}
