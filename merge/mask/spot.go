package mask

import (
	"encoding/base64"
	"fmt"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

// Spot is a hidden value, and where it is.
type Spot struct {
	// Path of the value, or of the text that has it inside.
	Path fieldpath.Path
	// Key is the key of the value; "" in a list.
	Key string
	// Of is the innermost object that has the value, and Field the path in it, without
	// the items of lists.
	Of    tree.Object
	Field fieldpath.Path
	// Base64 is set in the data of a Secret.
	Base64 bool
	// Whole is set in a Secret, which has only texts: any other value is replaced as one.
	Whole bool
	// Copied is set in a text that has an object inside, such as last-applied.
	Copied bool

	in      any // the object or the list that has it
	index   int
	plain   string // what stays in front of it: NAME=
	instead string // of a text with a copy: what stands for it
	name    string // the same in two versions of the object
	id      string // each has its own
}

// Value returns the value.
func (s *Spot) Value() any {
	var v any
	switch in := s.in.(type) {
	case tree.Object:
		v = in[s.Key]
	case []any:
		v = in[s.index]
	}
	if text, ok := v.(string); ok {
		return text[len(s.plain):]
	}
	return v
}

// Set replaces the value.
func (s *Spot) Set(v any) {
	if s.plain != "" {
		v = s.plain + fmt.Sprint(v)
	}
	switch in := s.in.(type) {
	case tree.Object:
		in[s.Key] = v
	case []any:
		in[s.index] = v
	}
}

// Text returns the value as a text, decoded from base64 in the data of a Secret if
// the server would decode it.
func (s *Spot) Text() string {
	text := Text(s.Value())
	if s.Base64 {
		return decoded(text)
	}
	return text
}

// decoded is what a text is base64 of, or the text if it is no base64.
func decoded(text string) string {
	if b, err := base64.StdEncoding.DecodeString(text); err == nil {
		return string(b)
	}
	return text
}
