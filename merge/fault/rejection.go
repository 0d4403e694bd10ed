package fault

import (
	"fmt"
	"strconv"
	"strings"

	"threeway/merge/tree"
)

// Rejection is the answer of kubectl or the server about an object that is not
// applied: the faults, and what they are wrapped in when they are printed.
type Rejection struct {
	// Reason is the status reason of the server: Invalid, BadRequest, NotFound,
	// Forbidden, Conflict, InternalError, or "" for an internal error.
	Reason string
	// Kubectl is set if kubectl itself refuses the object.
	Kubectl bool
	// Kind and Name say what is Invalid, GroupKind the kind with its group; all
	// are empty where the request is.
	Kind, GroupKind, Name string
	Faults                []Fault
	// Also are further faults of the manifest, which the server does not name: it ends at
	// the first value of the wrong type.
	Also []Fault
	// Object is what the paths of the faults lead into: the object that the
	// server validated or decoded. It is nil where that is the manifest.
	Object tree.Object
	// Old is the live object that a validated one was compared with.
	Old tree.Object
	// Message is set for every reason but Invalid, and where a policy rejects.
	Message Text
	// By is the object of the cluster that rejects; zero if the rules of the kind do.
	By Decider

	denied bool            // by a policy
	why    Text            // what Message says without the object; empty if it names none
	quoted func() string   // nil: it quotes nothing
	around func(Text) Text // nil: nothing
	// bare is set if another program than kubectl prints the error, as it is.
	bare func(Text) Text
	// unprefixed is set if kubectl does not write "error: " in front.
	unprefixed bool
}

// Decider is an object that decides over others: its kind with its group, and its name.
type Decider struct{ GroupKind, Name string }

// Forbid is the rejection of an object of a resource by admission.
func Forbid(resource, name, why string, faults ...Fault) *Rejection {
	return &Rejection{Reason: "Forbidden", Message: Words("%s %q is forbidden: %s", resource, name, why), Faults: faults, why: Words("%s", why)}
}

// DecidedBy says which object rejects.
func (r *Rejection) DecidedBy(groupKind, name string) *Rejection {
	r.By = Decider{groupKind, name}
	return r
}

// Refuse is kubectl's own refusal of an object.
func Refuse(message Text, faults ...Fault) *Rejection {
	return &Rejection{Kubectl: true, Message: message, Faults: faults}
}

// Unprefixed is Refuse for a message that kubectl prints as it is.
func Unprefixed(message Text, faults ...Fault) *Rejection {
	return &Rejection{Kubectl: true, Message: message, Faults: faults, unprefixed: true}
}

// Reject is the server's rejection of a request for another reason than that
// an object is invalid.
func Reject(reason string, message Text, faults ...Fault) *Rejection {
	return &Rejection{Reason: reason, Message: message, Faults: faults}
}

// InvalidObject is the server's rejection of an object that does not pass
// validation.
func InvalidObject(kind, groupKind, name string, obj tree.Object, faults []Fault) *Rejection {
	return &Rejection{Reason: "Invalid", Kind: kind, GroupKind: groupKind, Name: name, Object: obj, Faults: faults}
}

// InvalidPatch is the server's rejection of a patch whose result, obj, does not
// decode. quoted prints what the server quotes.
func InvalidPatch(quoted func() string, obj tree.Object, faults []Fault) *Rejection {
	return &Rejection{Reason: "Invalid", Object: obj, Faults: faults, quoted: quoted}
}

// Deny is the server's rejection of a request by admission policies. With the
// reason Invalid kubectl words it as it words an object that is invalid: resource
// and name, and the causes, which name no field; elsewhere it prints the message.
func Deny(reason, resource, name string, message Text, causes ...Text) *Rejection {
	r := &Rejection{Reason: reason, Kind: resource, Name: name, Message: message, denied: true}
	for _, c := range causes {
		r.Faults = append(r.Faults, Fault{Code: Policy, Text: c})
	}
	r.why = causes[0]
	return r
}

// Why is the reason alone, in words without the object, and who decides it; both are
// zero without a rejection.
func (r *Rejection) Why() (Text, Decider) {
	switch {
	case r == nil:
		return Text{}, Decider{}
	case !r.why.Empty():
		return r.why, r.By
	case r.Reason == "Invalid":
		return r.causes(), r.By
	}
	return r.Message, r.By
}

// Around sets how kubectl wraps a message: with the file, and the patch that it
// has sent. It wraps no message about an invalid object.
func (r *Rejection) Around(wrap func(Text) Text) *Rejection {
	r.around = wrap
	return r
}

// Bare sets that another program than kubectl prints the rejection: the error as it
// is, wrapped, or not if wrap is nil.
func (r *Rejection) Bare(wrap func(Text) Text) *Rejection {
	if r.bare = wrap; wrap == nil {
		r.bare = func(message Text) Text { return message }
	}
	return r
}

// Cause is one cause of an invalid object as the API lists it.
type Cause struct {
	Fault
	// Patch is set if Field is not one of the object, but the whole patch.
	Patch bool
}

// Causes are those of an invalid object, in the server's order; nil for another
// reason.
func (r *Rejection) Causes() []Cause {
	switch {
	case r.Reason != "Invalid":
		return nil
	case r.quoted != nil:
		f := Fault{Code: Invalid, Path: r.Faults[0].Path, Field: "patch", Type: "Invalid value", Detail: Decoding(r.Faults)}
		f.Text = Join(Words("patch: Invalid value"), Quote(func() string { return ": " + strconv.Quote(r.quoted()) }, ""), Words(": "), f.Detail)
		return []Cause{{f, true}}
	}
	list := make([]Cause, len(r.Faults))
	for i, f := range r.Faults {
		if r.denied {
			f.Text = Join(Words(": "), f.Text) // after the field, which there is none of
		}
		list[i] = Cause{Fault: f}
	}
	return list
}

// Text is what kubectl prints on stderr, without a newline at the end
// (kubectl pkg/cmd/util/helpers.go checkErr).
func (r *Rejection) Text() Text {
	switch {
	case r.bare != nil:
		return r.bare(r.err())
	case r.Reason == "Invalid":
		return r.invalid()
	case r.unprefixed:
		return r.wrap(r.Message)
	case r.Kubectl:
		return Join(Words("error: "), r.wrap(r.Message))
	}
	return Join(r.prefix(), r.wrap(r.Message))
}

// Listed is what kubectl apply prints where it refuses several objects: the
// messages of the errors, without what it makes of a single one
// (kubectl pkg/cmd/util/helpers.go MultipleErrors).
func (r *Rejection) Listed() Text {
	switch {
	case r.bare != nil:
		return r.Text()
	case r.Kubectl:
		return r.wrap(r.Message)
	case r.denied:
		return Join(r.prefix(), r.wrap(r.Message))
	case r.Reason != "Invalid":
		return r.Text()
	}
	return Join(r.prefix(), r.wrap(r.err()))
}

// err is the message of the error that client-go makes of the answer.
func (r *Rejection) err() Text {
	if r.Reason != "Invalid" {
		return r.Message
	}
	return Join(Words("%s %q is invalid: ", r.GroupKind, r.Name), r.causes())
}

// causes are the faults of an invalid object on one line.
func (r *Rejection) causes() Text {
	var texts []Text
	causes := r.Causes()
	for i, c := range causes {
		between := ", "
		if i == 0 {
			between = ""
			if len(causes) > 1 {
				between = "["
			}
		}
		texts = append(texts, Words("%s", between), c.Text)
	}
	if len(causes) > 1 {
		texts = append(texts, Words("]"))
	}
	return Join(texts...)
}

func (r *Rejection) wrap(message Text) Text {
	if r.around == nil {
		return message
	}
	return r.around(message)
}

// OneLine is the text with its values masked, as part of a sentence.
func (r *Rejection) OneLine() string {
	text := r.Text()
	if causes := r.Causes(); len(causes) > 1 {
		texts := []Text{Words("The %s %q is invalid: ", r.Kind, r.Name)}
		for i, c := range causes {
			if i > 0 {
				texts = append(texts, Words(" * "))
			}
			texts = append(texts, c.Text)
		}
		text = Join(texts...)
	}
	return strings.ReplaceAll(text.String(), "\n", " ")
}

// String is the text with its values masked.
func (r *Rejection) String() string { return r.Text().String() }

func (r *Rejection) prefix() Text {
	if r.Reason == "" {
		return Words("Error from server: ")
	}
	return Words("Error from server (%s): ", r.Reason)
}

func (r *Rejection) invalid() Text {
	if r.Kind == "" && r.Name == "" {
		return r.listed("The request is invalid: ")
	}
	return r.listed(fmt.Sprintf("The %s %q is invalid: ", r.Kind, r.Name))
}

// listed are the causes after a head, one a line if they are several.
func (r *Rejection) listed(words string) Text {
	head, causes := Words("%s", words), r.Causes()
	if len(causes) == 1 {
		return Join(head, causes[0].Text)
	}
	texts := []Text{head}
	for _, c := range causes {
		texts = append(texts, Words("\n* "), c.Text)
	}
	return Join(texts...)
}

// Brief is the text without what kubectl wraps around the message.
func (r *Rejection) Brief() Text {
	switch {
	case r.Reason == "Invalid":
		return r.invalid()
	case r.Kubectl || r.around != nil:
		return r.Message
	}
	return Join(r.prefix(), r.Message)
}

// About is what is said of one of the faults: its text, or, where it has none,
// that of the whole rejection without what is wrapped around it or quoted in it.
func (r *Rejection) About(f Fault) Text {
	switch {
	case !f.Text.Empty():
		return f.Text
	case r.quoted != nil:
		return Join(Words("patch: Invalid value: "), f.Detail)
	}
	return r.Brief()
}

// ServerMessage is the message in the server's answer, which a client prints that makes no
// text of its own of it.
func (r *Rejection) ServerMessage() Text {
	if r.denied {
		return r.Message
	}
	return r.err()
}

// Has reports whether a fault is of one of the codes.
func (r *Rejection) Has(codes ...Code) bool { return len(r.With(codes...)) > 0 }

// With are the faults of the codes.
func (r *Rejection) With(codes ...Code) []Fault {
	if r == nil {
		return nil
	}
	var list []Fault
	for _, f := range r.Faults {
		for _, c := range codes {
			if f.Code == c {
				list = append(list, f)
			}
		}
	}
	return list
}

// Decoding is what the server says of an object that does not decode: the first
// value that does not fit, else all unknown fields.
func Decoding(faults []Fault) Text {
	var unknown []string
	for _, f := range faults {
		if f.Code != UnknownField {
			return f.Detail
		}
		unknown = append(unknown, f.Text.String())
	}
	return Words("strict decoding error: %s", strings.Join(unknown, ", "))
}
