package manifest

import (
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Resolve are the options of ResolveNamespaces.
type Resolve struct {
	// Scope reports whether a kind is namespaced, and whether it is known.
	Scope func(schema.Kind) (namespaced, known bool)
	// Resource is the plural name of a known kind, for kubectl's message about
	// an object without a name. If nil, it is derived from the kind.
	Resource func(schema.Kind) string
	// Unread is set if kubectl does not get the live object before it sends the
	// request: in a server-side apply and in a diff.
	Unread bool
	// Namespace is the namespace of objects that name none; "" means "default".
	Namespace string
	// Enforce is set if -n was passed: objects of other namespaces are
	// rejected.
	Enforce bool
}

// ResolveNamespaces gives each object the namespace that kubectl would apply it
// to, also in its tree, and removes the namespace of cluster-scoped objects
// (cli-runtime SetNamespace, RequireNamespace, FilterNamespace). Unknown kinds
// are not changed. Objects that kubectl rejects here (a namespace other than
// that of -n, no name, only generateName) move from Objects to Problems. An
// object that is defined twice stays, with a Warning, because kubectl applies
// both.
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
				"%s is defined twice, first in %s; kubectl applies both, one after the other: remove one", o.ID(), first.At()))
		}
	}
	clear(s.Objects[len(kept):])
	s.Objects = kept
}

// resolve sets the namespace of one object. It returns a Problem if kubectl
// rejects the object, otherwise nil.
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

// setNamespace does nothing if metadata is not an object. Only an item of a
// List can have that, and the server rejects it.
func setNamespace(obj tree.Object, namespace string) {
	if meta, ok := obj["metadata"]; ok && meta != nil {
		if _, ok := meta.(tree.Object); !ok {
			return
		}
	}
	tree.Set(obj, namespace, "metadata", "namespace")
}

// nameless is kubectl's error about an object without a name (client-go
// rest.Request.Name; kubectl/pkg/cmd/apply, addSourceToErr around Helper.Get).
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
