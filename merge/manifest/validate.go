package manifest

import (
	"slices"
	"strings"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/schema"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

const validationOff = "if you choose to ignore these errors, turn validation off with --validate=false"

// validate returns kubectl's error for a document whose kind is unknown, or ""
// (k8s.io/kubectl/pkg/validation validateList).
func validate(doc *source.Document, value any) string {
	if doc.NumberErr != nil {
		return doc.NumberErr.Error()
	}
	errs := KindFaults(value)
	obj, _ := value.(tree.Object)
	if errs == nil && obj["apiVersion"] == "v1" && obj["kind"] == "List" {
		items, ok := obj["items"].([]any)
		if !ok {
			return invalidObject
		}
		for _, item := range items {
			errs = append(errs, KindFaults(item)...)
		}
	}
	return aggregate(errs)
}

const invalidObject = "invalid object to validate"

// KindFaults returns kubectl's errors for a document, or an item of a v1 List,
// whose kind is unknown (k8s.io/kubectl/pkg/validation getObjectKind).
func KindFaults(value any) (errs []string) {
	obj, ok := value.(tree.Object)
	if !ok {
		return []string{invalidObject}
	}
	switch v := obj["apiVersion"].(type) {
	case nil:
		errs = append(errs, "apiVersion not set")
	case string:
		if !validAPIVersion(v) {
			errs = append(errs, "unexpected GroupVersion string: "+v)
		}
	default:
		errs = append(errs, "apiVersion isn't string type")
	}
	switch obj["kind"].(type) {
	case nil:
		errs = append(errs, "kind not set")
	case string:
	default:
		errs = append(errs, "kind isn't string type")
	}
	return errs
}

// validAPIVersion is schema.ParseGroupVersion's rule: at most one slash.
func validAPIVersion(s string) bool { return strings.Count(s, "/") <= 1 || s == "/" }

// aggregate joins messages as utilerrors.Aggregate prints them: each once.
func aggregate(errs []string) string {
	var seen []string
	for _, e := range errs {
		if !slices.Contains(seen, e) {
			seen = append(seen, e)
		}
	}
	if len(seen) < 2 {
		return strings.Join(seen, "")
	}
	return "[" + strings.Join(seen, ", ") + "]"
}

// decodeObject checks what kubectl checks when it decodes a document
// (unstructuredJSONScheme.Decode), and returns what is wrong, in its words, or
// nil. Any object with a field "items" is a list; its items are returned.
func decodeObject(doc *source.Document, value any) (items []any, isList bool, bad *fault.Fault) {
	obj, ok := value.(tree.Object)
	if !ok {
		bad = badValue(nil, "json: cannot unmarshal %s into Go value of type unstructured.detector", jsonType(value))
		bad.Code = fault.NoObject
		return nil, false, bad
	}
	if doc.NumberErr != nil {
		return nil, false, badValue(nil, "%s", doc.NumberErr)
	}
	raw, isList := obj["items"]
	if isList {
		if items, bad = decodeItems(raw); bad != nil {
			return nil, true, bad
		}
	}
	if kindOf(obj).Kind == "" {
		bad = badValue(nil, "Object 'Kind' is missing in '%s'", quoted(doc, obj))
		bad.Code = fault.MissingKind
		return nil, isList, bad
	}
	return items, isList, nil
}

// badValue is the fault of a value, in kubectl's words.
func badValue(at fieldpath.Path, format string, args ...any) *fault.Fault {
	return &fault.Fault{Code: fault.BadValue, Path: at, Text: fault.Words(format, args...)}
}

// decodeItems returns the items of a list; null is an object without fields.
func decodeItems(raw any) (items []any, bad *fault.Fault) {
	items, ok := raw.([]any)
	if !ok && raw != nil {
		return nil, badValue(fieldpath.New("items"), "json: cannot unmarshal %s into Go struct field decodeList.items of type []json.RawMessage", jsonType(raw))
	}
	for i, item := range items {
		switch item.(type) {
		case nil:
			items[i] = tree.Object{}
		case tree.Object:
		default:
			return nil, badValue(fieldpath.New("items").Item(i), "json: cannot unmarshal %s into Go value of type map[string]interface {}", jsonType(item))
		}
	}
	return items, nil
}

// kindOf returns the object's kind as kubectl sees it; it is empty if the
// apiVersion is malformed.
func kindOf(obj tree.Object) schema.Kind {
	version := tree.String(obj, "apiVersion")
	if !validAPIVersion(version) {
		return schema.Kind{}
	}
	return schema.ParseKind(version, tree.String(obj, "kind"))
}

// jsonType names the type of a value as encoding/json does.
func jsonType(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case []any:
		return "array"
	case tree.Object:
		return "object"
	}
	return "number"
}
