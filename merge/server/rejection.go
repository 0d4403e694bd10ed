package server

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/schema"
	"threeway/merge/serverside"
)

// Rejection is the server's refusal of a request. It is an error whose text is
// the message of the API status, without what kubectl adds to it.
type Rejection struct {
	// Reason is the status reason: Invalid, BadRequest, NotFound, Forbidden,
	// Conflict, InternalError, or "" for an internal error without one.
	Reason string
	// Kind and Name say what is invalid; both are empty when the request
	// itself is.
	Kind schema.Kind
	Name string
	// Causes are set for reason Invalid, in the server's order.
	Causes field.ErrorList
	// Message is set for every other reason.
	Message string
	// Conflicts are set for an apply that would change what others own.
	Conflicts serverside.Conflicts
}

func (r *Rejection) Error() string {
	if r.Reason != "Invalid" {
		return r.Message
	}
	texts := make([]string, len(r.Causes))
	for i, c := range r.Causes {
		texts[i] = c.Error()
	}
	text := texts[0]
	if len(texts) > 1 {
		text = "[" + strings.Join(texts, ", ") + "]"
	}
	return fmt.Sprintf("%s %q is invalid: %s", r.Kind.GroupKind(), r.Name, text)
}

// invalid makes the rejection of an object with the causes.
func invalid(kind schema.Kind, name string, causes field.ErrorList) *Rejection {
	return &Rejection{Reason: "Invalid", Kind: kind, Name: name, Causes: causes}
}

// invalidPatch is the rejection of a patch whose result does not decode.
// value is what the server quotes: the patch of a strategic merge, the patched
// object of a JSON merge.
func invalidPatch(value, detail string) *Rejection {
	return invalid(schema.Kind{}, "", field.ErrorList{field.Invalid(field.NewPath("patch"), value, detail)})
}

func badRequest(format string, args ...any) *Rejection {
	return &Rejection{Reason: "BadRequest", Message: fmt.Sprintf(format, args...)}
}

// strictError is the text of a strict decoding error.
func strictError(unknown []string) string {
	return "strict decoding error: " + unknownFields(unknown)
}

// unknownFields lists them as the server does.
func unknownFields(unknown []string) string {
	texts := make([]string, len(unknown))
	for i, path := range unknown {
		texts[i] = `unknown field "` + path + `"`
	}
	return strings.Join(texts, ", ")
}
