package server

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// invalid is the rejection of an object that does not pass validation.
func invalid(k schema.Kind, obj tree.Object, errs field.ErrorList) *fault.Rejection {
	faults := fault.Fields(errs, obj)
	if k.Kind == "CustomResourceDefinition" {
		for i, f := range faults {
			faults[i].Path = fieldpath.ParseIn(inVersion(f.Field), obj)
		}
	}
	return fault.InvalidObject(k.Kind, k.GroupKind(), tree.String(obj, "metadata", "name"), obj, faults)
}

// inVersion is where a definition of v1 has a field that the server names as its internal
// version does: what all versions share once, in the spec, and the webhook flat
// (apiextensions pkg/apis/apiextensions/v1/conversion.go).
func inVersion(name string) string {
	for _, f := range [...]struct{ internal, v1 string }{
		{"spec.validation", "spec.versions[0].schema"},
		{"spec.schema", "spec.versions[0].schema"},
		{"spec.subresources", "spec.versions[0].subresources"},
		{"spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"},
		{"spec.selectableFields", "spec.versions[0].selectableFields"},
		{"spec.conversion.webhookClientConfig", "spec.conversion.webhook.clientConfig"},
		{"spec.conversion.conversionReviewVersions", "spec.conversion.webhook.conversionReviewVersions"},
	} {
		if rest, is := strings.CutPrefix(name, f.internal); is {
			name = f.v1 + rest
			break
		}
	}
	if column, is := strings.CutSuffix(name, ".JSONPath"); is {
		return column + ".jsonPath"
	}
	return name
}

// unreadable is the rejection of a new object that does not decode.
func unreadable(k schema.Kind, body tree.Object, faults []fault.Fault) *fault.Rejection {
	head := fault.Words("%s in version %q cannot be handled as a %s: ", k.Kind, k.Version, k.Kind)
	r := fault.Reject("BadRequest", fault.Join(head, fault.Decoding(faults)), faults...)
	r.Object = body
	return r
}

// internal is an error of the server itself, without a reason.
func internal(doing string, err error) *fault.Rejection {
	return fault.Reject("", fault.Join(fault.Words("%s", doing), fault.Of(err)), fault.Fault{Code: fault.Invalid, Detail: fault.Of(err)})
}

// unstored is the rejection of an update whose live object does not decode.
func unstored(err error) *fault.Rejection { return internal("the live object does not decode: ", err) }

// notAllowed is the rejection of a request that no object of a kind takes.
func notAllowed() *fault.Rejection {
	return fault.Reject("MethodNotAllowed", fault.Words("the server does not allow this method on the requested resource"))
}

// groupResource is the plural.group of a built-in kind.
func groupResource(k schema.Kind) string {
	resource, _ := schema.Builtin(k)
	if k.Group == "" {
		return resource.Plural
	}
	return resource.Plural + "." + k.Group
}

// absent is the refusal of a server-side apply that names the uid of an object
// where there is none, or no version (apiserver pkg/endpoints/handlers/patch.go
// applyPatch and pkg/registry/generic/registry/store.go Update).
func absent(resource string, obj tree.Object) *fault.Rejection {
	if uid := tree.String(obj, "metadata", "uid"); uid != "" {
		return conflict(fault.OtherUID, "uid", resource, tree.String(obj, "metadata", "name"), "uid mismatch: the provided object specified uid "+uid+", and no existing object was found")
	}
	return noVersion(tree.String(obj, "metadata", "resourceVersion"))
}

// conflicting is the refusal of an object that names another resourceVersion than the live
// one's, or, where an update must name it, none: 0 is none
// (apiserver pkg/registry/generic/registry/store.go Update).
func conflicting(resource string, versioned bool, live, patched tree.Object) *fault.Rejection {
	asked, stored := tree.String(patched, "metadata", "resourceVersion"), tree.String(live, "metadata", "resourceVersion")
	if asked == stored {
		return nil
	}
	if r := noVersion(asked); r != nil {
		return r
	}
	n, _ := strconv.ParseUint(asked, 10, 64)
	was, _ := strconv.ParseUint(stored, 10, 64)
	switch {
	case n == 0 && versioned:
		plural, group, _ := strings.Cut(resource, ".")
		return invalid(schema.Kind{Group: group, Kind: plural}, patched, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), n, "must be specified for an update")})
	case n == 0 || n == was:
		return nil
	}
	return modified(resource, live)
}

// noVersion is the refusal of a resourceVersion that is not a number.
func noVersion(asked string) *fault.Rejection {
	if _, err := strconv.ParseUint(asked, 10, 64); asked != "" && err != nil {
		return internal("", err)
	}
	return nil
}

// modified is the rejection of an object with the resourceVersion of another
// state of the live one.
func modified(resource string, live tree.Object) *fault.Rejection {
	return conflict(fault.Modified, "resourceVersion", resource, tree.String(live, "metadata", "name"),
		"the object has been modified; please apply your changes to the latest version and try again")
}

// conflict is the rejection of an object that expects another one to be there
// (apimachinery pkg/api/errors NewConflict).
func conflict(code fault.Code, field, resource, name, detail string) *fault.Rejection {
	return fault.Reject("Conflict", fault.Words("Operation cannot be fulfilled on %s %q: %s", resource, name, detail),
		fault.Fault{Code: code, Path: fieldpath.New("metadata", field)})
}
