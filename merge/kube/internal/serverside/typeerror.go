package serverside

import (
	"errors"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TypeError is the error for an object that does not match its type.
type TypeError struct {
	// Faults are the errors in the configuration; none if the live object does
	// not match.
	Faults []fault.Fault
	text   fault.Text
}

func (e *TypeError) Error() string { return e.text.Unmasked() }

// FaultText returns the text of the error.
func (e *TypeError) FaultText() fault.Text { return e.text }

// typeError returns structured-merge-diff's error about an object in its role,
// the patch or live.
func typeError(role string, obj tree.Object, kind schema.Kind, err error) error {
	head := fault.Words("failed to create typed %s object (%s): ", role, ObjectName(obj, kind))
	var all typed.ValidationErrors
	if !errors.As(err, &all) {
		return &TypeError{text: fault.Join(head, fault.Of(err))}
	}
	e, texts := &TypeError{}, []fault.Text{head}
	if len(all) > 1 {
		texts = append(texts, fault.Words("errors:"))
	}
	for _, one := range all {
		f := typeFault(one, obj)
		if len(all) > 1 {
			texts = append(texts, fault.Words("\n  "))
		}
		if one.Path != "" {
			texts = append(texts, fault.Quote(func() string { return one.Path }, unkeyed(one.Path)), fault.Words(": "))
		}
		texts = append(texts, f.Detail)
		if role == "patch" {
			e.Faults = append(e.Faults, f)
		}
	}
	e.text = fault.Join(texts...)
	return e
}

// typeFault returns one error as a fault. structured-merge-diff returns only a
// text (typed/validate.go), from which typeFault derives the facts.
func typeFault(err typed.ValidationError, obj tree.Object) fault.Fault {
	f := fault.Fault{Code: fault.BadValue, Field: err.Path, Detail: fault.Value(err.ErrorMessage)}
	f.Path = fieldpath.ParseIn(strings.TrimPrefix(err.Path, "."), obj)
	key, duplicate := strings.CutPrefix(err.ErrorMessage, "duplicate entries for key ")
	words, got, wrong := strings.Cut(err.ErrorMessage, ", got ")
	switch {
	case err.ErrorMessage == "field not declared in schema":
		f.Code, f.Detail = fault.UnknownField, fault.Words("%s", err.ErrorMessage)
	case duplicate:
		f.Code, f.Detail = fault.DuplicateKey, fault.Join(fault.Words("duplicate entries for key "), fault.Value(key))
		f.Item, _ = fieldpath.Parse(key)
	case wrong && strings.HasPrefix(words, "expected "):
		f.Detail = fault.Join(fault.Words("%s", words), fault.Quote(func() string { return ", got " + got }, ""))
	}
	f.Text = f.Detail
	if len(f.Path) > 0 {
		f.Text = fault.Join(fault.Words("%s: ", f.Path), f.Detail)
	}
	return f
}

// unkeyed is a path before the first key of a list or value of a set, which may be secret.
func unkeyed(path string) string {
	for at := range path {
		if path[at] == '[' && at+1 < len(path) && (path[at+1] < '0' || path[at+1] > '9') {
			return path[:at]
		}
	}
	return path
}

// Faults returns the errors in the configuration.
func (e BadRequest) Faults() []fault.Fault {
	if e == managedFieldsSet {
		return []fault.Fault{{Code: fault.ManagedFieldsSet, Path: fieldpath.New("metadata", "managedFields")}}
	}
	return nil
}
