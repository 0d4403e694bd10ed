package manifest

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/schema"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

const validationOff = "if you choose to ignore these errors, turn validation off with --validate=false"

// validate returns kubectl's words for a document whose kind it cannot tell,
// or "" (k8s.io/kubectl/pkg/validation: getObjectKind, validateList).
func validate(doc *source.Document, value any) string {
	if doc.NumberErr != nil {
		return doc.NumberErr.Error()
	}
	errs := validateKind(value)
	obj, _ := value.(tree.Object)
	if errs == nil && obj["apiVersion"] == "v1" && obj["kind"] == "List" {
		items, ok := obj["items"].([]any)
		if !ok {
			return invalidObject
		}
		for _, item := range items {
			errs = append(errs, validateKind(item)...)
		}
	}
	return aggregate(errs)
}

const invalidObject = "invalid object to validate"

func validateKind(value any) (errs []string) {
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
// (unstructuredJSONScheme.Decode), and returns its words for what is wrong, or
// "". Whatever has a field "items" is a list; its items are returned.
func decodeObject(doc *source.Document, value any) (items []any, isList bool, words string) {
	obj, ok := value.(tree.Object)
	if !ok {
		return nil, false, "json: cannot unmarshal " + jsonType(value) + ofDetector
	}
	if doc.NumberErr != nil {
		return nil, false, doc.NumberErr.Error()
	}
	raw, isList := obj["items"]
	if isList {
		if items, words = decodeItems(raw); words != "" {
			return nil, true, words
		}
	}
	if kindOf(obj).Kind == "" {
		return nil, isList, fmt.Sprintf(missingKind+"'%s'", quoted(doc, obj))
	}
	return items, isList, ""
}

const ofDetector = " into Go value of type unstructured.detector"

const missingKind = "Object 'Kind' is missing in "

// decodeItems returns the items of a list; null is an object without fields.
func decodeItems(raw any) (items []any, words string) {
	items, ok := raw.([]any)
	if !ok && raw != nil {
		return nil, fmt.Sprintf("json: cannot unmarshal %s into Go struct field decodeList.items of type []json.RawMessage", jsonType(raw))
	}
	for i, item := range items {
		switch item.(type) {
		case nil:
			items[i] = tree.Object{}
		case tree.Object:
		default:
			return nil, fmt.Sprintf("json: cannot unmarshal %s into Go value of type map[string]interface {}", jsonType(item))
		}
	}
	return items, ""
}

// kindOf is the object's kind as kubectl sees it: none if the apiVersion is
// malformed.
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
