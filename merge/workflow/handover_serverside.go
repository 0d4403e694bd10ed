package workflow

import (
	"fmt"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// toWriterServerSide lets a temporary manager share the field, so that the
// server keeps it when the config no longer has it.
func (h *planner) toWriterServerSide() error {
	_, inConfig := h.Path.Find(h.config)
	own, others := h.owners()
	as, p := h.opts.ServerSide, h.extent()
	switch {
	case !inConfig && !own:
		return fmt.Errorf("%s: %s is not in the manifest, and %s does not own it: it already belongs to the other manager", h.Outcome.Identity(), h.Path, as.Manager)
	case inConfig:
		if err := h.checkRemoval(without(h.config, p)); err != nil {
			return err
		}
	}
	temporary, err := h.kept(p, others)
	if err != nil {
		return err
	}
	if inConfig {
		h.removeFromConfig(p, "Remove the field from the manifest")
	}
	if err := h.applyConfig(as); err != nil {
		return err
	}
	return h.leave(temporary)
}

// kept sees to it that the server keeps the field: others own all of it, or a
// temporary manager does.
func (h *planner) kept(p fieldpath.Path, others []owners.Owner) (*rehearsal.ServerSide, error) {
	early := h.apply(without(h.config, p), h.live, h.opts.ServerSide)
	if err := h.accepted(early); err != nil {
		return nil, err
	}
	if !h.stays(early) {
		h.Hasty, h.From = early, 1
		return h.share()
	}
	if len(others) > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("%s also owns %s, so the server keeps it", ownerTexts(others), h.Path))
	}
	return nil, nil
}

// share is the step in which a temporary manager applies the field alone.
func (h *planner) share() (*rehearsal.ServerSide, error) {
	temporary := &rehearsal.ServerSide{Manager: handoverManager}
	input := tree.Map(put(h.minimal(), h.Outcome.Before, h.Path, h.keys, h.Value))
	o := h.apply(input, h.live, temporary)
	if err := h.accepted(o); err != nil {
		return nil, err
	}
	h.step(HandoverStep{Do: ShareField, Text: fmt.Sprintf("Share the field with a temporary manager, %s, so that the server keeps it; a conflict here means that the other manager already has the field: continue with the next step", handoverManager),
		Command: h.temporaryCommand(), Input: input, Outcome: o, Stays: h.stays(o)})
	h.live = h.stored(o)
	return temporary, nil
}

// toConfigServerSide applies the live value, which is no conflict and shares
// the field.
func (h *planner) toConfigServerSide() error {
	have, inConfig := h.Path.Find(h.config)
	own, others := h.owners()
	if inConfig && own && tree.Equal(have, h.Value) {
		text := ""
		if len(others) > 0 {
			text = fmt.Sprintf("; %s also owns it, so the first change of the value needs --force-conflicts", ownerTexts(others))
		}
		return fmt.Errorf("%s: %s is in the manifest and %s owns it: it already belongs to the manifest%s", h.Outcome.Identity(), h.Path, h.opts.ServerSide.Manager, text)
	}
	h.stop(others)
	h.addToConfig(have, inConfig)
	if err := h.applyConfig(h.opts.ServerSide); err != nil {
		return err
	}
	var appliers []string
	for _, w := range others {
		if w.Applies() {
			appliers = append(appliers, w.Manager)
		}
	}
	if len(appliers) > 0 {
		h.step(HandoverStep{Do: StopWriter, Text: fmt.Sprintf("Only now may %s remove the field from what it applies", strings.Join(appliers, ", ")), Stays: true})
	}
	if len(others) > len(appliers) {
		h.Notes = append(h.Notes, "the other managers stay owners until the value changes: the first apply that changes it needs --force-conflicts")
	}
	return nil
}

// minimal is the object without any field but its name.
func (h *planner) minimal() tree.Object {
	metadata := tree.Object{"name": h.Outcome.Manifest.Name}
	if h.Outcome.Manifest.Namespace != "" {
		metadata["namespace"] = h.Outcome.Manifest.Namespace
	}
	return tree.Object{"apiVersion": h.Outcome.Kind.APIVersion(), "kind": h.Outcome.Kind.Kind, "metadata": metadata}
}
