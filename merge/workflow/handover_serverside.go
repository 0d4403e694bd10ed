package workflow

import (
	"fmt"

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
	h.step(HandoverStep{Do: ShareField, Step: Step{Text: fmt.Sprintf("Share the field with a temporary manager, %s, so that the server keeps it; a conflict here means that the other manager already has the field: continue with the next step", handoverManager),
		Commands: []string{h.temporaryCommand()}, Input: input}, Outcome: o, Stays: h.stays(o)})
	h.live = h.stored(o)
	return temporary, nil
}

// minimal is the object without any field but its name.
func (h *planner) minimal() tree.Object {
	metadata := tree.Object{"name": h.Outcome.Manifest.Name}
	if h.Outcome.Manifest.Namespace != "" {
		metadata["namespace"] = h.Outcome.Manifest.Namespace
	}
	return tree.Object{"apiVersion": h.Outcome.Kind.APIVersion(), "kind": h.Outcome.Kind.Kind, "metadata": metadata}
}
