package imperative

import (
	"slices"
	"strings"

	"threeway/merge/by/kubectl"
	"threeway/merge/fault"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Applier rehearses a command. The manifests are those of a create or replace, the objects
// that an edit makes of the live ones, or those that are not there to be deleted.
type Applier struct {
	kubectl.Kubectl
	*Command
	// Aftermath says what it deletes.
	Aftermath rehearsal.Aftermath

	refused map[manifest.Identity]*fault.Rejection // why an edit is not made
}

// New is the applier of a command.
func New(c *Command) *Applier {
	return &Applier{Command: c, refused: map[manifest.Identity]*fault.Rejection{}}
}

// Title is the command.
func (a *Applier) Title(string) string { return "kubectl " + a.Verb }

// Run is what any of them is called.
func (a *Applier) Run() string { return "command" }

// Arrange leaves a set as it is.
func (a *Applier) Arrange(*manifest.Set) rehearsal.Applier { return a }

// Next is the same: what was done is in the live objects.
func (a *Applier) Next(*manifest.Set) rehearsal.Applier { return a }

// Adapt has the server drop unknown fields where kubectl asks for nothing else, and write
// as kubectl's manager does.
func (a *Applier) Adapt(opts rehearsal.Options) rehearsal.Options {
	if a.Verb != "create" && a.Verb != "replace" {
		opts.Lenient = true
	}
	if a.Verb == "rollout undo" {
		opts.Manager = "kubectl" // which its patch leaves to the name of the program
	} else if opts.Manager == "" {
		first, _, _ := strings.Cut(a.Verb, " ")
		opts.Manager = "kubectl-" + first
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
	creates := a.Verb == "create" || a.Verb == "autoscale" && tree.Has(body, "spec") // or there is nothing to scale
	switch no := a.refused[o.Identity()]; {
	case no != nil:
		o.Refuse(no)
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
		body = tree.CopyObject(body)
		if a.Verb != "replace" {
			restore(body, o.Before, servers...)
		} else if restore(body, o.Before, resourceVersion); tree.String(body, resourceVersion...) != tree.String(o.Before, resourceVersion...) {
			o.Refuse(fault.Reject("Conflict", fault.Words("Operation cannot be fulfilled on %s %q: the object has been modified; please apply your changes to the latest version and try again", resource(o), o.Manifest.Name)))
			return
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

// restore adds fields that an object lacks.
func restore(obj, from tree.Object, paths ...[]string) {
	for _, path := range paths {
		if value, has := tree.Get(from, path...); has && !tree.Has(obj, path...) {
			tree.Set(obj, tree.Copy(value), path...)
		}
	}
}

// Manifest is what an edit makes of a live object, without what no manifest has. owned
// tells that the edit touches that.
func (a *Applier) Manifest(e *manifest.Entry, edit Edit) (made *manifest.Object, owned bool) {
	live := e.Object()
	after := tree.CopyObject(live.Tree)
	if no := edit(live.Kind, after); no != nil {
		a.refused[live.ID()], after = no, tree.CopyObject(live.Tree)
	}
	owned = slices.ContainsFunc(servers, func(path []string) bool {
		was, _ := tree.Get(live.Tree, path...)
		is, _ := tree.Get(after, path...)
		return !tree.Equal(was, is)
	})
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		owned = owned || tree.String(live.Tree, path...) != tree.String(after, path...)
	}
	return &manifest.Object{Kind: live.Kind, Namespace: live.Namespace, GivenNamespace: live.Namespace, Name: live.Name, Tree: bare(after)}, owned
}
