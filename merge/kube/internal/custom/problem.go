package custom

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/fault"
	"threeway/merge/kube/internal/minors"
)

// problem is one violation of a schema.
type problem struct {
	form  form
	path  string
	value any
	// limit is the largest or least allowed length or number.
	limit int64
	// allowed are the values of an enum.
	allowed []any
	// text tells the problem and identifies it: of problems with the same
	// text only the first is reported.
	text string
	// longer is how much longer the message is than the text.
	longer int
	// origin is set if the fault has a code of its own.
	origin fault.Code
}

// form is the kind of field error that a problem becomes.
type form int

const (
	invalid form = iota
	typeInvalid
	required
	unsupported
	tooLong
	tooMany
	tooFew // texts too
)

// report collects the problems of a value.
type report struct {
	problems []problem
	// texts are those of the problems, and size is how long they are together.
	texts map[string]bool
	size  int
	// matches counts checks. Of alternatives that all fail, the one with the
	// highest count is reported.
	matches int
}

func (r *report) add(p problem) {
	if r.texts[p.text] {
		return
	}
	if r.texts == nil {
		r.texts = map[string]bool{}
	}
	if r.size > fault.Longest {
		return // fault.Once says so
	}
	r.texts[p.text] = true
	r.size += len(p.text) + p.longer
	r.problems = append(r.problems, p)
}

// addf adds an invalid value; text follows "path in body ".
func (r *report) addf(path string, value any, text string, args ...any) {
	r.add(problem{path: path, value: value, text: path + " in body " + fmt.Sprintf(text, args...)})
}

// addBare adds a problem that is reported without a path.
func (r *report) addBare(text string, args ...any) {
	r.add(problem{text: fmt.Sprintf(text, args...)})
}

func (r *report) merge(other report) {
	for _, p := range other.problems {
		r.add(p)
	}
	r.matches += other.matches
}

func (r *report) valid() bool { return len(r.problems) == 0 }

// wrongType is a value of another type, or of another format, than wanted.
func wrongType(path, want, got string) problem {
	return problem{form: typeInvalid, path: path, value: got, text: fmt.Sprintf("%s in body must be of type %s: %q", path, want, got)}
}

// fieldError is the problem as the server reports it
// (kubeOpenAPIResultToFieldErrors in pkg/apiserver/validation/validation.go).
// The value stands at the path.
func (p problem) fieldError(path *field.Path, minor int) *field.Error {
	if p.path != "" && p.path != "." {
		path = path.Child(strings.TrimPrefix(p.path, "."))
	}
	value := p.value
	if value == nil {
		value = ""
	}
	switch p.form {
	case required:
		return field.Required(path, "")
	case unsupported:
		return field.NotSupported(path, p.value, p.allowedTexts())
	case tooLong:
		return field.TooLong(path, "", int(p.limit))
	case tooMany:
		n, _ := p.value.(int64)
		return field.TooMany(path, int(n), int(p.limit))
	case tooFew:
		if !minors.CustomTooFew.In(minor) {
			break
		}
		if text, ok := p.value.(string); ok {
			return field.TooShort(path, text, int(p.limit))
		}
		n, _ := p.value.(int64)
		return field.TooFew(path, int(n), int(p.limit))
	case typeInvalid:
		return field.TypeInvalid(path, value, p.text).WithOrigin(string(p.origin))
	}
	return field.Invalid(path, value, p.text)
}

func (p problem) allowedTexts() []string {
	texts := []string{}
	for _, v := range p.allowed {
		t, ok := v.(string)
		if !ok {
			text, _ := json.Marshal(v)
			t = string(text)
		}
		texts = append(texts, t)
	}
	return texts
}
