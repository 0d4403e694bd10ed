package lint

import (
	"slices"

	"threeway/merge/by/imperative"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/promise"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// attempt follows a way out of one finding about an object, or of several.
type attempt struct {
	*gate
	findings []*Finding
	o        *Object
	way      Way
	command  *imperative.Command
	live     *manifest.Object // as it is by now; nil if there is none
	edited   *manifest.Object
	gone     bool // the live object was deleted
}

// run is why the way does not work, "" if it does.
func (t *attempt) run() string {
	for _, step := range []func() string{t.forget, t.prepare, t.edit, t.first} {
		if why := step(); why != "" {
			return why
		}
	}
	run := t.o.bare.Run
	if t.way.First == ServerOnly {
		run = t.serverSide()
	}
	out := t.apply(run, t.live)
	if why := t.rejected(out, "apply is rejected: "); why != "" {
		return why
	}
	if !t.way.After && !t.finished(out) {
		return stays
	}
	if out.Result == nil {
		return "" // as before, for another reason
	}
	if why := t.lost(out); why != "" {
		return why
	}
	if t.way.After {
		t.live = out.Left(out.Stored())
		if why := t.commanded(); why != "" {
			return why
		}
		return t.lost(t.apply(run, t.live))
	}
	return t.next(run, out)
}

// forget removes fields from last-applied.
func (t *attempt) forget() string {
	if t.way.Forget == nil {
		return ""
	}
	if t.live == nil {
		return "there is no live object"
	}
	last, _, err := rehearsal.ReadLastApplied(t.live.Tree)
	if err != nil || last == nil {
		return "the live object has no last-applied that can be read"
	}
	var now any = last
	for _, p := range t.way.Forget {
		now = p.Without(now)
	}
	text, err := rehearsal.EncodeLastApplied(tree.Map(now))
	if err != nil {
		return err.Error()
	}
	left := *t.live
	left.Tree = tree.CopyObject(t.live.Tree)
	tree.Set(left.Tree, text, "metadata", "annotations", rehearsal.LastAppliedKey)
	t.live = &left
	return ""
}

// prepare runs a command before the apply.
func (t *attempt) prepare() string {
	if t.command == nil || t.way.After {
		return ""
	}
	return t.commanded()
}

// commanded runs the command on the live object.
func (t *attempt) commanded() string {
	if t.live == nil {
		return "there is no live object"
	}
	left := *t.live
	if deletes(t.command) {
		left.Tree, t.gone = nil, true
		t.live = &left
		return ""
	}
	after, no, err := t.command.On(t.o.bare.Run, t.live)
	switch {
	case err != nil:
		return err.Error()
	case no != nil:
		return "the command is rejected: " + t.o.Say(no.Brief())
	}
	if why := harms(t.live, after, t.way.Paths); why != "" {
		return why
	}
	left.Tree = after
	t.live = &left
	return ""
}

// edit edits the manifest.
func (t *attempt) edit() string {
	obj, err := edit.Object(t.o.bare.Manifest.Tree, t.way.Edits)
	if err != nil {
		return impossible
	}
	edited := *t.o.bare.Manifest
	edited.Tree, edited.Kind = obj, kindOf(obj)
	if edited.ID() != t.o.Identity() {
		return "it is then another object"
	}
	t.edited = &edited
	return ""
}

// first makes an apply before the usual one.
func (t *attempt) first() string {
	run := t.o.bare.Run
	switch t.way.First {
	case NoFirst, ServerOnly:
		return ""
	case ServerFirst:
		run = t.serverSide()
	case ClientFirst:
		run = t.clientSide()
	}
	out := t.apply(run, t.live)
	if out.Rejection != nil {
		return "that apply is rejected: " + newObject(out, nil, &t.p.Input).Faults()[0].Text
	}
	if t.way.First != SameFirst {
		if why := t.lost(out); why != "" {
			return why
		}
	}
	t.live = out.Left(out.Stored())
	return ""
}

// apply applies the edited manifest to a live object.
func (t *attempt) apply(run *rehearsal.Run, live *manifest.Object) *rehearsal.Outcome {
	switch {
	case run == nil: // kubectl has refused it before
		return t.p.Plan.Apply(t.edited)
	case live == nil:
		return run.Object(t.edited)
	case live == t.o.bare.Live:
		return run.Object(t.edited)
	}
	return run.On(live).Object(t.edited)
}

// rejected is the first fault of an outcome that is new.
func (t *attempt) rejected(out *rehearsal.Outcome, words string) string {
	if out.Rejection == nil {
		return ""
	}
	hidden := t.o.bare.Rejection != nil && t.o.bare.Rejection.Object == nil // decoding ends at the first fault
	for _, f := range newObject(out, nil, &t.p.Input).Faults() {
		known := slices.ContainsFunc(t.o.Faults(), func(old Fault) bool { return old.Text == f.Text })
		touched := len(f.Path) == 0 || slices.ContainsFunc(t.way.Edits, func(e edit.Edit) bool { return e.Path.Overlaps(f.Path) })
		if !known && (touched || !hidden) {
			return words + f.Text
		}
	}
	return ""
}

// finished reports whether the findings are gone.
func (t *attempt) finished(out *rehearsal.Outcome) bool {
	now := newObject(out, t.p.Options.LastApplied[out.Identity()], &t.p.Input)
	left := map[*Rule]map[string]bool{} // the findings that the rules have found, by rule
	for _, f := range t.findings {
		switch {
		case f.claimed != nil:
			if slices.ContainsFunc(now.Faults(), func(x Fault) bool { return x.Text == f.claimed.Text }) {
				return false
			}
		case f.Rule.Run != nil:
			if left[f.Rule] == nil {
				left[f.Rule] = map[string]bool{}
			}
			left[f.Rule][f.Fingerprint()] = true
		}
	}
	alone := *t.p
	alone.all = []*Object{now}
	for rule, wanted := range left {
		has := func(p *Pass) bool {
			return slices.ContainsFunc(p.found(rule), func(f *Finding) bool { return wanted[f.Fingerprint()] })
		}
		if has(&alone) && (!t.near[t.o] || has(t.p.with([]*rehearsal.Outcome{out}, nil))) { // what other objects tell of it
			return false
		}
	}
	return true
}

// lost is what an apply takes away that it should not: what the manifest has, and what the
// live object has, the apply without the advice leaves, and the advice does not name.
func (t *attempt) lost(out *rehearsal.Outcome) string {
	if out.Rejection != nil {
		return t.rejected(out, "apply is rejected: ")
	}
	plain := t.o.bare
	if lost := without(unkept(out), unkept(plain)); lost != nil {
		return "apply removes " + some(lost) + ", which the manifest has"
	}
	if plain.Before == nil || t.gone || out.Kind != plain.Kind {
		return ""
	}
	merged := plain.Result
	if merged == nil && plain.Rejection != nil {
		merged = plain.Rejection.Object
	}
	if merged == nil {
		return ""
	}
	gone := without(promise.Lost(out.Kind, plain.Before, out.Result, true), promise.Lost(out.Kind, plain.Before, merged, true))
	if lost := unnamed(gone, t.named()); len(lost) > 0 {
		return "apply also changes " + some(lost)
	}
	return ""
}

// named are the fields that the advice is about.
func (t *attempt) named() (paths []fieldpath.Path) {
	for _, p := range append(slices.Clone(t.way.Paths), t.way.Forget...) {
		paths = append(paths, t.o.Keyed(p, t.o.bare.Before))
	}
	for _, e := range t.way.Edits {
		paths = append(paths, e.Path, t.o.Keyed(e.Path, t.o.bare.Manifest.Tree))
	}
	for _, f := range t.findings {
		if len(f.Path) > 0 {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// next is what the next apply of the same manifest does that it should not, and would not
// without the advice.
func (t *attempt) next(run *rehearsal.Run, out *rehearsal.Outcome) string {
	plain := t.o.bare
	if run == nil {
		return ""
	}
	later := run.Next(out, t.edited)
	if later.Rejection != nil {
		if plain.Result != nil && plain.Run.Next(plain, plain.Manifest).Rejection != nil {
			return ""
		}
		return "the next apply is rejected: " + newObject(later, nil, &t.p.Input).Faults()[0].Text
	}
	if lost := without(unkept(later), unkept(out)); lost != nil {
		return "the next apply removes " + some(lost) + ", which the manifest has"
	}
	return ""
}

// unkept are the paths of what a manifest says that is not in the result.
func unkept(o *rehearsal.Outcome) (paths []fieldpath.Path) {
	for _, b := range promise.Said(o) {
		paths = append(paths, b.Path)
	}
	return paths
}

// without are the paths that are neither among others nor below one of them.
func without(paths, others []fieldpath.Path) (left []fieldpath.Path) {
	known := map[string]bool{}
	for _, p := range others {
		known[p.String()] = true
	}
	for _, p := range paths {
		n := 1
		for n <= len(p) && !known[p[:n].String()] {
			n++
		}
		if n > len(p) {
			left = append(left, p)
		}
	}
	return left
}
