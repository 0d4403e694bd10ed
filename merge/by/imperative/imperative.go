package imperative

import (
	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Applier rehearses a create, replace or delete. The manifests are those of a create or
// replace, or those that are not there to be deleted.
type Applier struct {
	kubectl.Kubectl
	*Command
	// Aftermath says what it deletes.
	Aftermath rehearsal.Aftermath
}

// New is the applier of a command.
func New(c *Command) *Applier { return &Applier{Command: c} }

// Title is the command.
func (a *Applier) Title(string) string { return "kubectl " + a.Verb }

// Run is what any of them is called.
func (a *Applier) Run() string { return "command" }

// Arrange leaves a set as it is.
func (a *Applier) Arrange(*manifest.Set) rehearsal.Applier { return a }

// Next is the same: what was done is in the live objects.
func (a *Applier) Next(*manifest.Set) rehearsal.Applier { return a }

// Adapt has the server drop unknown fields of what is deleted, and write as kubectl's
// manager does.
func (a *Applier) Adapt(opts rehearsal.Options) rehearsal.Options {
	if a.Verb == "delete" && opts.FieldValidation != rehearsal.Ignore {
		opts.FieldValidation = rehearsal.Warn
	}
	if opts.Manager == "" {
		opts.Manager = "kubectl-" + a.Verb
	}
	opts.ServerSide, opts.LastApplied = nil, nil
	return opts
}

// Apply sends the request for one object.
func (a *Applier) Apply(r *rehearsal.Run, o *rehearsal.Outcome) {
	body, err := o.Manifest.Tree, error(nil)
	if a.Has("save-config") || tree.Has(body, "metadata", "annotations", rehearsal.LastAppliedKey) { // CreateOrUpdateAnnotation of kubectl's pkg/util
		body, err = rehearsal.Annotated(body, r.Minor)
	}
	creates := a.Verb == "create"
	switch {
	case err != nil:
		o.Refuse(fault.Refuse(fault.Of(err)))
	case creates && o.Live != nil:
		o.Refuse(fault.Reject("AlreadyExists", fault.Words("%s %q already exists", resource(o), o.Manifest.Name)))
	case creates:
		o.Action, o.Patch, o.PatchType = rehearsal.Created, body, rehearsal.Create
		r.Answer(o, r.Server.Create(o.Kind, body), "creating")
	case o.Live == nil:
		o.Refuse(fault.Reject("NotFound", fault.Words("%s %q not found", resource(o), o.Manifest.Name)))
	default:
		o.Before = r.InVersion(o.Live, o.Kind)
		o.Original = bare(o.Before)
		was, version := tree.String(o.Before, resourceVersion...), tree.String(body, resourceVersion...)
		if version != "" && version != was {
			o.Refuse(fault.Reject("Conflict", fault.Words("Operation cannot be fulfilled on %s %q: the object has been modified; please apply your changes to the latest version and try again", resource(o), o.Manifest.Name)))
			return
		}
		body = tree.CopyObject(body)
		if was != "" {
			tree.Set(body, was, resourceVersion...)
		}
		r.Put(o, body)
	}
}

func resource(o *rehearsal.Outcome) string {
	if o.Kind.Group != "" {
		return o.Resource + "." + o.Kind.Group
	}
	return o.Resource
}

// Words are those of the server: kubectl adds none that matter.
func (a *Applier) Words(_ *rehearsal.Run, _ *rehearsal.Outcome, no *fault.Rejection, _ string) *fault.Rejection {
	return no
}

// After says what is deleted.
func (a *Applier) After(*rehearsal.Run, rehearsal.Results) rehearsal.Aftermath { return a.Aftermath }

var resourceVersion = []string{"metadata", "resourceVersion"}

// servers are the fields of an object that only the server writes, and the annotation that
// only kubectl apply does.
var servers = [][]string{
	{"status"}, resourceVersion, {"metadata", "managedFields"}, {"metadata", "uid"}, {"metadata", "creationTimestamp"}, {"metadata", "generation"}, {"metadata", "selfLink"},
	{"metadata", "deletionTimestamp"}, {"metadata", "deletionGracePeriodSeconds"}, {"metadata", "annotations", rehearsal.LastAppliedKey},
}

// bare is an object without what no manifest has.
func bare(obj tree.Object) tree.Object {
	out := tree.CopyObject(obj)
	for _, path := range servers {
		tree.Delete(out, path...)
	}
	if len(tree.Map(out, "metadata", "annotations")) == 0 {
		tree.Delete(out, "metadata", "annotations")
	}
	return out
}
