package manifest

import (
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/tree"
)

// Resolve says how ResolveNamespaces decides.
type Resolve struct {
	// Scope tells whether a kind is namespaced, and whether it is known.
	Scope func(schema.Kind) (namespaced, known bool)
	// Resource is the plural name of a known kind, for kubectl's message about
	// an object without a name; nil makes it up from the kind.
	Resource func(schema.Kind) string
	// Unread is set where kubectl does not get the live object before it sends
	// the request: in a server-side apply and a diff.
	Unread bool
	// Namespace is the one for objects that name none; "" is "default".
	Namespace string
	// Enforce is set if -n was given: an object of another namespace is refused.
	Enforce bool
}

// ResolveNamespaces gives each object the namespace that kubectl would apply
// it to, in its tree too, or takes it from a cluster-scoped one (cli-runtime
// SetNamespace, RequireNamespace, FilterNamespace). Kinds that are not known
// are left alone. Objects that kubectl refuses here (another namespace than
// -n's, no name, generateName only) move from Objects to Problems; an object
// that the set holds twice stays, since kubectl applies both, with a Warning.
func (s *Set) ResolveNamespaces(opts Resolve) {
	if opts.Namespace == "" {
		opts.Namespace = "default"
	}
	kept := s.Objects[:0]
	seen := map[Identity]*Object{}
	for _, o := range s.Objects {
		if problem := o.resolve(opts); problem != nil {
			s.Problems = append(s.Problems, *problem)
			continue
		}
		kept = append(kept, o)
		if first := seen[o.ID()]; first == nil {
			seen[o.ID()] = o
		} else if o.Name != "" {
			s.Problems = append(s.Problems, o.problem(Warning, nil,
				"%s is defined twice, first in %s; kubectl applies both, one after the other: remove one", o.ID(), first.at()))
		}
	}
	clear(s.Objects[len(kept):])
	s.Objects = kept
}

// resolve settles one object's namespace, and returns why kubectl refuses it.
func (o *Object) resolve(opts Resolve) *Problem {
	if !o.Placed && o.Namespace != "" {
		o.GivenNamespace = o.Namespace
	}
	o.Placed = o.Placed || o.Namespace == ""
	namespaced, known := opts.Scope(o.Kind)
	switch {
	case !known:
		return nil
	case !namespaced:
		o.Namespace = ""
		tree.Delete(o.Tree, "metadata", "namespace")
	case o.Namespace == "":
		o.Namespace = opts.Namespace
		setNamespace(o.Tree, opts.Namespace)
	case opts.Enforce && o.Namespace != opts.Namespace:
		p := o.refuse(fault.Fault{Code: fault.OtherNamespace, Path: fieldpath.New("metadata", "namespace"), Text: fault.Words(
			"the namespace from the provided object %q does not match the namespace %q. You must pass '--namespace=%s' to perform this operation.",
			o.Namespace, opts.Namespace, o.Namespace)}, "")
		return &p
	}
	if o.Name != "" {
		return nil
	}
	p := o.nameless(opts)
	return &p
}

// setNamespace does nothing to an object whose metadata is no object, which
// only an item of a List can have: the server refuses it.
func setNamespace(obj tree.Object, namespace string) {
	if meta, ok := obj["metadata"]; ok && meta != nil {
		if _, ok := meta.(tree.Object); !ok {
			return
		}
	}
	tree.Set(obj, namespace, "metadata", "namespace")
}

// nameless is kubectl's refusal of an object without a name
// (client-go rest.Request.Name; kubectl/pkg/cmd/apply, addSourceToErr around
// Helper.Get).
func (o *Object) nameless(opts Resolve) Problem {
	if prefix := tree.String(o.Tree, "metadata", "generateName"); prefix != "" {
		return o.refuse(fault.Fault{Code: fault.NoName, Path: fieldpath.New("metadata", "generateName"),
			Text: fault.Words("from %s: cannot use generate name with apply", prefix)}, "")
	}
	f := fault.Fault{Code: fault.NoName, Path: fieldpath.New("metadata"), Text: fault.Words("resource name may not be empty")}
	if opts.Unread {
		return o.refuse(f, "")
	}
	resource := strings.ToLower(o.Kind.Kind) + "s"
	if opts.Resource != nil {
		resource = opts.Resource(o.Kind)
	}
	gv := o.Kind.Group + "/" + o.Kind.Version
	return o.refuse(f, "error when retrieving current configuration of:\nResource: \"%s, Resource=%s\", GroupVersionKind: \"%s, Kind=%s\"\nName: \"\", Namespace: %q\nfrom server for: %q: %s",
		gv, resource, gv, o.Kind.Kind, o.Namespace, o.Origin.File)
}
