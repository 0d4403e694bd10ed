package workflow

import (
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

func (h *planner) step(s HandoverStep) { h.Steps = append(h.Steps, s) }

// removeFromConfig is the step that takes the field out of the config.
func (h *planner) removeFromConfig(p fieldpath.Path, text string) {
	h.config = without(h.config, p)
	h.step(HandoverStep{Do: EditConfig, Step: Step{Text: text, Edits: []Edited{{h.Outcome.Manifest, []edit.Edit{edit.Remove(p)}}}}, Stays: true})
}

// applyConfig is the step that applies the config as it is by now.
func (h *planner) applyConfig(as *rehearsal.ServerSide) error {
	o := h.apply(h.config, h.live, as)
	if err := h.accepted(o); err != nil {
		return err
	}
	h.step(HandoverStep{Do: ApplyConfig, Step: Step{Text: "Apply", Commands: []string{h.applyCommand()}}, Outcome: o, Stays: h.stays(o)})
	h.live = h.stored(o)
	return nil
}

// tooEarly rehearses the apply before the last steps, from the one of that
// number on, are done.
func (h *planner) tooEarly(config tree.Object, live *manifest.Object, from int) {
	if o := h.apply(config, live, h.opts.ServerSide); o.Action != rehearsal.Rejected && !h.stays(o) {
		h.Hasty, h.From = o, from
	}
}

// toWriter moves the field out of the config and out of what was last applied.
func (h *planner) toWriter() error {
	_, inConfig := h.Path.Find(h.config)
	_, inLast := h.Path.Find(h.last)
	if !inConfig && !inLast {
		why := "it already belongs to the other manager"
		was, _ := h.Outcome.Find(h.Path, h.Outcome.Before)
		if is, _ := h.Outcome.Find(h.Path, h.Outcome.Result); h.Outcome.Result != nil && !tree.Equal(was, is) {
			why = "apply resets it all the same, because of what the manifest has beside it; set it in the manifest"
		}
		return fmt.Errorf("%s: %s is neither in the manifest nor in last-applied: %s", h.Outcome.Identity(), h.Path, why)
	}
	p := h.extent()
	if inConfig {
		if err := h.checkRemoval(without(h.config, p)); err != nil {
			return err
		}
		text := "Remove the field from the manifest; it has never been applied"
		if inLast {
			text = "Remove the field from the manifest, but do not apply yet"
		}
		h.removeFromConfig(p, text)
	} else if parent := h.leaving(); len(parent) < len(p) {
		return fmt.Errorf("%s: the manifest no longer has %s, and the apply removes it with everything in it; hand over %s, or add it back", h.Outcome.Identity(), parent, parent)
	}
	if inLast {
		h.tooEarly(h.config, h.live, len(h.Steps)+1)
		h.removeFromLastApplied(p)
	}
	if err := h.applyConfig(nil); err != nil {
		return err
	}
	own, others := h.owners()
	if own && len(others) == 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("managedFields names %[2]s as the owner of %[1]s until the other manager changes it; a move to server-side apply before that would remove it", h.Path, h.applier()))
	}
	return h.leave(nil)
}

// removeFromLastApplied is the step that changes the annotation.
func (h *planner) removeFromLastApplied(p fieldpath.Path) {
	s := HandoverStep{Do: EditLastApplied, Step: Step{Text: "Remove it from last-applied"}, Old: h.last, New: without(h.last, p), Stays: true}
	o := h.Outcome.Manifest
	config, _ := rehearsal.LastAppliedText(h.config)
	last, _ := rehearsal.LastAppliedText(s.New)
	s.Commands = []string{shell.Line("kubectl apply edit-last-applied", kubectlName(o))}
	if config == last && h.inFile() && len(h.beside()) == 0 {
		s.Commands = []string{shell.Line("kubectl apply set-last-applied", shell.File("-f", o.Origin.File).In(h.namespace()))}
		s.New = h.config
	}
	h.last = s.New
	live := *h.live
	live.Tree = lastAppliedAs(live.Tree, s.New)
	h.live = &live
	h.step(s)
}

// leave is the step in which the other writer writes, and what an apply makes
// of that. A temporary manager, if there is one, is released where that keeps
// the field.
func (h *planner) leave(temporary *rehearsal.ServerSide) error {
	s := HandoverStep{Do: LeaveToWriter, Step: Step{Text: "From now on the field belongs to the other manager" + h.known()}, Stays: true}
	live, value, _ := h.write(h.live)
	if live == nil {
		h.step(s)
		if temporary != nil {
			h.Notes = append(h.Notes, h.holding())
		}
		return nil
	}
	s.Outcome = h.apply(h.config, live, h.opts.ServerSide)
	if err := h.accepted(s.Outcome); err != nil {
		return err
	}
	after, ok := h.Path.Find(s.Outcome.Result)
	s.Stays = ok && same(after, value)
	h.step(s)
	stored := h.stored(s.Outcome)
	if temporary == nil || !owners.Applies(stored.Tree, temporary.Manager) {
		return nil
	}
	empty := h.minimal()
	release := h.apply(empty, stored, temporary)
	after, ok = h.Path.Find(release.Result)
	if release.Action == rehearsal.Rejected || !ok || !same(after, value) {
		h.Notes = append(h.Notes, h.holding())
		return nil
	}
	h.step(HandoverStep{Do: ReleaseField, Step: Step{Text: fmt.Sprintf("After the other manager has changed the value, and not before, release %s: it also owns the parents of the field, which you could otherwise no longer remove through the manifest", temporary.Manager),
		Commands: []string{h.temporaryCommand()}, Input: empty}, Outcome: release, Stays: true})
	return nil
}

func (h *planner) holding() string {
	return fmt.Sprintf("the manager %s keeps owning the parents of %s; releasing it would remove them", handoverManager, h.Path)
}
