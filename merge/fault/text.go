package fault

import (
	"fmt"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Text is what kubectl or the server says. It keeps the values of objects that
// it quotes apart from the words, and makes one string of both only when it is
// asked to. Printed as it is, a Text shows no value. The zero Text is empty.
type Text struct{ parts []part }

// part is a piece of a text: words, or a value and what stands for it where it
// must not be seen.
type part struct {
	words string
	value func() string // nil: the part is only words
}

// Words is a text without values.
func Words(format string, args ...any) Text {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return Text{[]part{{words: format}}}
}

// Quote is a quoted value of an object. value is called only if the text is
// printed with its values; if they are masked, instead is printed.
func Quote(value func() string, instead string) Text {
	return Text{[]part{{instead, value}}}
}

// Masked is printed in place of a secret value.
const Masked = "***"

// LeastMasked is the length, in bytes, of the shortest word of a secret value that is masked in a
// text that repeats it: shorter ones are words of any text.
const LeastMasked = 6

// Value is a value of an object as %v prints it; masked it is Masked.
func Value(v any) Text {
	return Quote(func() string { return fmt.Sprint(v) }, Masked)
}

// Join makes one text of several.
func Join(texts ...Text) Text {
	var all Text
	for _, t := range texts {
		all.parts = append(all.parts, t.parts...)
	}
	return all
}

// Of is the text of an error. An error that quotes values says which by having
// a method FaultText; any other may quote them anywhere, as those of libraries do.
func Of(err error) Text {
	switch err := err.(type) {
	case interface{ FaultText() Text }:
		return err.FaultText()
	case *field.Error:
		return Fields(field.ErrorList{err}, nil)[0].Text
	}
	return Quote(sync.OnceValue(err.Error), Masked)
}

// Errorf is fmt.Errorf for an error that quotes values of objects, which are
// Texts among the arguments.
func Errorf(format string, args ...any) error { return quoting{format, args} }

type quoting struct {
	format string
	args   []any
}

func (q quoting) with(show func(Text) string) string {
	args := make([]any, len(q.args))
	for i, a := range q.args {
		if t, ok := a.(Text); ok {
			a = show(t)
		}
		args[i] = a
	}
	return fmt.Sprintf(q.format, args...)
}

func (q quoting) Error() string   { return q.with(Text.Unmasked) }
func (q quoting) FaultText() Text { return Quote(q.Error, q.with(Text.String)) }

// Wrap is an error with words in front of it that do not hide which values it
// quotes, as those of fmt.Errorf do.
func Wrap(words string, err error) error { return &wrapped{words, err} }

type wrapped struct {
	words string
	error
}

func (w *wrapped) Error() string   { return w.words + w.error.Error() }
func (w *wrapped) FaultText() Text { return Join(Words("%s", w.words), Of(w.error)) }

// Empty reports whether there is nothing to say.
func (t Text) Empty() bool { return len(t.parts) == 0 }

// String is the text with its values masked.
func (t Text) String() string { return t.render(false) }

// Unmasked is the text with its values, byte for byte as kubectl or the server
// prints it. It is for objects without secrets, and for users who ask for
// secrets.
func (t Text) Unmasked() string { return t.render(true) }

func (t Text) render(values bool) string {
	if len(t.parts) == 1 && t.parts[0].value == nil {
		return t.parts[0].words
	}
	var b strings.Builder
	for _, p := range t.parts {
		if values && p.value != nil {
			b.WriteString(p.value())
			continue
		}
		b.WriteString(p.words)
	}
	return b.String()
}

// MarshalText is String.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// GoString keeps %#v from showing values.
func (t Text) GoString() string { return fmt.Sprintf("%q", t.String()) }

// MaskedIf is String if the values are to be masked, else Unmasked.
func (t Text) MaskedIf(masked bool) string { return t.render(!masked) }
