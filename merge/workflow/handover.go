package workflow

import (
	"fmt"
	"strings"

	"threeway/merge"
	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Transfer asks for the move of a field from the manifest to another manager.
type Transfer struct {
	// Object names the object as the reports do (shop/Deployment.apps/web) or as
	// kubectl does (deployment/web); "" if there is only one with the field.
	Object string
	Path   fieldpath.Path
}

// Handover is the move of a field, step by step, each rehearsed on what the one
// before leaves.
type Handover struct {
	Transfer
	// Outcome is the apply of the config as it is.
	Outcome *rehearsal.Outcome
	// Value is that of the field in the live object.
	Value any
	Steps []HandoverStep
	// Hasty is the apply of the last config before the step of the number From
	// was done; nil if that does no harm.
	Hasty *rehearsal.Outcome
	From  int
	Notes []string
}

// HandoverStep is one thing to do.
type HandoverStep struct {
	Step
	Do HandoverAction
	// Old and New are what was last applied, before and after.
	Old, New tree.Object
	// Outcome is what the command does to the live object, nil if nothing.
	Outcome *rehearsal.Outcome
	// Stays tells whether the field has the same value afterwards.
	Stays bool
}

// HandoverAction is what a step is about. The set is closed.
type HandoverAction string

// The actions.
const (
	EditConfig      HandoverAction = "edit-config"       // change the config file
	EditLastApplied HandoverAction = "edit-last-applied" // change the annotation of the live object
	ShareField      HandoverAction = "share"             // a temporary manager applies the field alone
	ApplyConfig     HandoverAction = "apply"             //
	LeaveToWriter   HandoverAction = "leave"             // the other writer writes
	ReleaseField    HandoverAction = "release"           // the temporary manager applies nothing
)

// handoverManager shares the field while it is handed over.
const handoverManager = "handover"

// Holds reports whether the field has its value after every step.
func (h *Handover) Holds() bool {
	for _, s := range h.Steps {
		if !s.Stays {
			return false
		}
	}
	return true
}

// HandOver says how to move a field of one object of the plan, and rehearses
// that on the live objects of opts, which are those that the plan was made with.
// The error says why it cannot be moved.
func HandOver(p *merge.Plan, opts merge.Options, t Transfer) (*Handover, error) {
	if len(t.Path) == 0 {
		return nil, fmt.Errorf("the field is missing; write its path, such as spec.replicas")
	}
	o, err := holder(p.Outcomes, t)
	if err != nil {
		return nil, err
	}
	opts.Prune, opts.Base, opts.Diff = nil, nil, false
	h := &planner{Handover: &Handover{Transfer: t, Outcome: o}, opts: opts, config: o.Manifest.Tree, last: o.Original}
	if err := h.check(); err != nil {
		return nil, err
	}
	h.start()
	switch {
	case opts.ServerSide != nil:
		err = h.toWriterServerSide()
	default:
		err = h.toWriter()
	}
	if err != nil {
		return nil, err
	}
	return h.Handover, opts.Live.Failed()
}

// holder finds the object whose field is to be moved.
func holder(outcomes []*rehearsal.Outcome, t Transfer) (*rehearsal.Outcome, error) {
	var named, have []*rehearsal.Outcome
	for _, o := range outcomes {
		if t.Object != "" && !called(o.Manifest, t.Object) {
			continue
		}
		named = append(named, o)
		_, inConfig := t.Path.Find(o.Manifest.Tree)
		_, inLast := t.Path.Find(o.Original)
		if inConfig || inLast {
			have = append(have, o)
		}
	}
	switch {
	case len(named) == 0:
		return nil, fmt.Errorf("no manifest has the object %s; write it as reports do: shop/Deployment.apps/web", t.Object)
	case len(named) == 1:
		return named[0], nil
	case len(have) == 1:
		return have[0], nil
	case len(have) == 0:
		return nil, fmt.Errorf("no object of the manifests has %s; threeway owners prints the paths of fields", t.Path)
	}
	return nil, fmt.Errorf("%d objects have %s; name one before the field, such as %s", len(have), t.Path, have[0].Identity())
}

// called reports whether a name is that of the object.
func called(o *manifest.Object, name string) bool {
	id := o.ID().String()
	if strings.EqualFold(id, name) || strings.EqualFold(o.Kind.GroupKind()+"/"+o.Name, name) || strings.EqualFold(o.Kind.Kind+"/"+o.Name, name) {
		return true
	}
	return o.Namespace != "" && strings.EqualFold(o.Namespace+"/"+o.Kind.Kind+"/"+o.Name, name)
}

// planner rehearses a handover, and collects its steps.
type planner struct {
	*Handover
	opts merge.Options
	// config, last and live are those of the object as the steps so far leave
	// them.
	config, last tree.Object
	live         *manifest.Object
	// keys are, for each step of the path that selects an element, the fields
	// that identify one.
	keys [][]string
}

// start puts what was last applied into the annotation, where the steps find it.
func (h *planner) start() {
	h.Value, _ = h.Path.Find(h.Outcome.Before)
	live := *h.Outcome.Live
	if h.opts.LastApplied[h.Outcome.Identity()] != nil {
		live.Tree = lastAppliedAs(live.Tree, h.last)
	}
	h.live, h.opts.LastApplied = &live, nil
}

// lastAppliedAs is a live object with another last-applied annotation.
func lastAppliedAs(live, last tree.Object) tree.Object {
	text, err := rehearsal.EncodeLastApplied(last)
	if err != nil {
		return live
	}
	live = tree.CopyObject(live)
	tree.Set(live, text, "metadata", "annotations", rehearsal.LastAppliedKey)
	return live
}

// apply rehearses the apply of a config to a live object.
func (h *planner) apply(config tree.Object, live *manifest.Object, as *rehearsal.ServerSide) *rehearsal.Outcome {
	object := *h.Outcome.Manifest
	object.Tree = config
	opts := h.opts
	opts.ServerSide, opts.Select = as, nil
	opts.Manifests = &manifest.Set{Objects: []*manifest.Object{&object}}
	opts.Live = h.opts.Live.With([]*manifest.Object{live}, nil)
	return merge.NewRehearsal(opts, &object).Object(&object)
}

// write rehearses that another manager changes the value of the field.
func (h *planner) write(live *manifest.Object) (after *manifest.Object, value any, rejection *fault.Rejection) {
	value, ok := another(h.Value, h.keysOfLast())
	if !ok {
		return nil, nil, nil
	}
	opts := h.opts
	opts.ServerSide, opts.Manifests = nil, &manifest.Set{}
	r := kubectl.Requests{Run: merge.NewRehearsal(opts)}
	before := r.InVersion(live, h.Outcome.Kind)
	changed := tree.Map(put(before, before, h.Path, h.keys, value))
	written, no := r.Write(h.Outcome.Manifest, before, changed, "another-writer")
	if written == nil {
		return nil, nil, no
	}
	obj := *h.Outcome.Manifest
	obj.Tree = written
	value, ok = h.Path.Find(obj.Tree)
	if !ok || tree.Equal(value, h.Value) {
		return nil, nil, nil // as good as none
	}
	return &obj, value, nil
}

// stored is the live object that an apply leaves.
func (h *planner) stored(o *rehearsal.Outcome) *manifest.Object {
	obj := *o.Manifest
	obj.Tree = o.Stored()
	return &obj
}

// stays reports whether the field has its value after an apply.
func (h *planner) stays(o *rehearsal.Outcome) bool {
	v, ok := h.Path.Find(o.Result)
	return ok && same(v, h.Value)
}

// same compares values but for nulls, which only older servers print.
func same(a, b any) bool {
	a, b = tree.Copy(a), tree.Copy(b)
	tree.DropNulls(a)
	tree.DropNulls(b)
	return tree.Equal(a, b)
}

// accepted is the refusal of an apply on the way as an error.
func (h *planner) accepted(o *rehearsal.Outcome) error {
	if o.Action != rehearsal.Rejected {
		return nil
	}
	return fmt.Errorf("%s: the apply would be rejected, so nothing can be handed over: %s; threeway diff shows the details", o.Identity(), strings.TrimPrefix(firstLine(o.Rejection.Text().String()), "error: "))
}

func firstLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > 1 && strings.HasSuffix(strings.TrimSpace(lines[0]), ":") {
		return strings.TrimSpace(lines[0]) + " " + strings.TrimPrefix(strings.TrimSpace(lines[1]), "* ")
	}
	return lines[0]
}

// owners are those who own the field in the live object: who applies the
// config, and the others.
func (h *planner) owners() (own bool, others []owners.Owner) {
	for _, w := range owners.Read(h.live.Tree) {
		switch {
		case !w.Owns(h.Path):
		case h.opts.ServerSide != nil && w.Applies() && w.Manager == h.opts.ServerSide.Manager,
			h.opts.ServerSide == nil && !w.Applies() && w.Manager == h.applier():
			own = true
		default:
			others = append(others, w.Owner)
		}
	}
	return own, others
}

// keysOfLast are the fields by which the path's last step selects an element.
func (h *planner) keysOfLast() []string { return h.keys[len(h.keys)-1] }
