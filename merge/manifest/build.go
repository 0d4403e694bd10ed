package manifest

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// Builder has what kubectl needs to know to build a set.
type Builder struct {
	// Mapped reports whether kubectl finds the resource of a kind; nil finds all.
	Mapped func(schema.Kind) bool
	// Select is -l; nil selects all.
	Select func(labels tree.Object) bool
	// Scope reports whether a kind is namespaced, and whether it is known.
	Scope func(schema.Kind) (namespaced, known bool)
	// Resource is the plural name of a known kind, for kubectl's message about
	// an object without a name. If nil, it is derived from the kind.
	Resource func(schema.Kind) string
	// Diff is set for kubectl diff, ServerSide for a server-side apply, OneLine for a kubectl
	// that describes objects in one line.
	Diff, ServerSide, OneLine bool
	// Namespace is the namespace of objects that name none; "" means "default".
	Namespace string
	// Enforce is set if -n was passed: objects of other namespaces are
	// rejected.
	Enforce bool
}

// Build passes what was read through the steps of kubectl's builder, in its order, and
// returns the objects that are left to apply (cli-runtime pkg/resource/builder.go
// visitByPaths and Do, visitor.go, mapper.go). What a step drops goes through no later one.
//
//  1. Map the kind, of a list too, before its items; an object without a resource is left
//     to apply, which says so, and the run fails.
//  2. Select by -l, each item of a list by its own labels.
//  3. Give the namespace of the run to what names none; reject another one than that of
//     -n; remove that of a cluster-scoped object. Unknown kinds are not changed.
//  4. Reject what has no name. The builder does not: apply and diff do, one by one.
//
// What kubectl rejects moves from Objects to Problems. What -l drops stays in Objects, with
// its namespace. An object that is selected twice gets a Warning, because kubectl applies both.
func (s *Set) Build(b Builder) (selected []*Object) {
	if b.Namespace == "" {
		b.Namespace = "default"
	}
	for _, list := range s.Lists {
		if !b.mapped(list.Kind) {
			s.drop(list, func(o *Object) bool { return o.Origin.Document == list.Origin.Document })
			s.Problems = append(s.Problems, list.refuse(list.Unmapped(), ""))
		}
	}
	kept := s.Objects[:0]
	seen := map[Identity]*Object{}
	for _, o := range s.Objects {
		mapped := b.mapped(o.Kind)
		chosen := !mapped || b.Select == nil || b.Select(o.Labels())
		given := o.Namespace
		b.place(o)
		if chosen && mapped {
			if problem := b.reject(o, given); problem != nil {
				s.Problems = append(s.Problems, *problem)
				continue
			}
		}
		if kept = append(kept, o); !chosen {
			continue
		}
		selected = append(selected, o)
		if first := seen[o.ID()]; first == nil {
			seen[o.ID()] = o
		} else if o.Name != "" {
			s.Problems = append(s.Problems, o.problem(Warning, nil,
				"%s is defined twice, first in %s; kubectl applies both, one after the other: remove one", o.ID(), first.At()))
		}
	}
	clear(s.Objects[len(kept):])
	s.Objects = kept
	return selected
}

func (b Builder) mapped(k schema.Kind) bool { return b.Mapped == nil || b.Mapped(k) }

// Labels are the labels by which -l selects: none if one of them is no text
// (unstructured GetLabels). Only an item of a list can have such labels.
func (o *Object) Labels() tree.Object {
	labels := tree.Object{}
	for key, value := range tree.Map(o.Tree, "metadata", "labels") {
		text, isText := value.(string)
		if !isText && value != nil {
			return nil
		}
		labels[key] = text
	}
	return labels
}

// Unmapped is kubectl's error about an object whose kind the server does not serve
// (cli-runtime pkg/resource/mapper.go).
func (o *Object) Unmapped() fault.Fault {
	f := fault.Fault{Code: fault.UnknownKind, Path: fieldpath.New("kind")}
	if o.InList() {
		f.Text = fault.Words("unable to recognize no matches for kind %q in version %q", o.Kind.Kind, o.Kind.APIVersion())
	} else {
		f.Text = fault.Words("resource mapping not found for name: %q namespace: %q from %q: no matches for kind %q in version %q\nensure CRDs are installed first",
			o.Name, o.GivenNamespace, o.Origin.File, o.Kind.Kind, o.Kind.APIVersion())
	}
	return f
}

// place sets the namespace of an object (SetNamespace, FilterNamespace).
func (b Builder) place(o *Object) {
	if !o.Placed && o.Namespace != "" {
		o.GivenNamespace = o.Namespace
	}
	o.Placed = o.Placed || o.Namespace == ""
	switch namespaced, known := b.Scope(o.Kind); {
	case !known:
	case !namespaced:
		o.Namespace = ""
		tree.Delete(o.Tree, "metadata", "namespace")
	case o.Namespace == "":
		o.Namespace = b.Namespace
		setNamespace(o.Tree, b.Namespace)
	}
}

// reject returns a Problem if kubectl rejects the object, with the namespace that it
// came with, otherwise nil (RequireNamespace).
func (b Builder) reject(o *Object, namespace string) *Problem {
	namespaced, known := b.Scope(o.Kind)
	if !known {
		return nil
	}
	if namespaced && b.Enforce && namespace != "" && namespace != b.Namespace {
		p := o.refuse(fault.Fault{Code: fault.OtherNamespace, Path: fieldpath.New("metadata", "namespace"), Text: fault.Words(
			"the namespace from the provided object %q does not match the namespace %q. You must pass '--namespace=%s' to perform this operation.",
			namespace, b.Namespace, namespace)}, "")
		return &p
	}
	if o.Name != "" {
		return nil
	}
	p := b.nameless(o)
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
// rest.Request.Name; kubectl/pkg/cmd/apply, addSourceToErr around Helper.Get). A diff
// does not look at generateName.
func (b Builder) nameless(o *Object) Problem {
	if prefix := tree.String(o.Tree, "metadata", "generateName"); prefix != "" && !b.Diff {
		return o.refuse(fault.Fault{Code: fault.NoName, Path: fieldpath.New("metadata", "generateName"),
			Text: fault.Words("from %s: cannot use generate name with apply", prefix)}, "")
	}
	f := fault.Fault{Code: fault.NoName, Path: fieldpath.New("metadata"), Text: fault.Words("resource name may not be empty")}
	if b.Diff || b.ServerSide {
		return o.refuse(f, "")
	}
	resource := strings.ToLower(o.Kind.Kind) + "s"
	if b.Resource != nil {
		resource = b.Resource(o.Kind)
	}
	return o.refuse(f, "error when retrieving current configuration of:\n%s\nfrom server for: %q: %s", Described(o.Kind, resource, "", o.Namespace, b.OneLine), o.Origin.File)
}

// Described is how kubectl describes an object in errors (resource.Info.String), in one line
// or in two.
func Described(k schema.Kind, resource, name, namespace string, oneLine bool) string {
	between := "\n"
	if oneLine {
		between = ", "
	}
	gv := k.Group + "/" + k.Version
	return fmt.Sprintf("Resource: \"%s, Resource=%s\", GroupVersionKind: \"%s, Kind=%s\"%sName: %q, Namespace: %q", gv, resource, gv, k.Kind, between, name, namespace)
}

// drop removes what kubectl does not get to of the file of a document: all objects, lists
// and problems of which gone reports it.
func (s *Set) drop(document *Object, gone func(*Object) bool) {
	within := func(o *Object) bool { return o != nil && o.Origin.File == document.Origin.File && gone(o) }
	s.Objects, s.Checked, s.Lists = slices.DeleteFunc(s.Objects, within), slices.DeleteFunc(s.Checked, within), slices.DeleteFunc(slices.Clone(s.Lists), within)
	s.Problems = slices.DeleteFunc(s.Problems, func(p Problem) bool { return within(p.Object) })
}
