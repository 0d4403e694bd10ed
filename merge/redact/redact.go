package redact

import (
	"encoding/base64"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/tree"
)

// Redactor replaces values and remembers which.
type Redactor struct {
	Key *Key
	// Policy says what is replaced besides the values of Secrets.
	Policy *mask.Policy
	// Values counts the replaced values in the objects themselves. Copies in
	// annotations are also replaced, but not counted.
	Values int
	// Copies counts the copies of them in other fields and objects that were replaced.
	Copies int

	seen *mask.Known
}

// File returns the text of a dump with the values replaced. Everything else
// stays as it is, byte for byte.
func (r *Redactor) File(file string, data []byte) (string, error) {
	return manifest.Rewrite(file, data, r.object)
}

// object redacts an object, or a List, and everything in it. It changes the object.
func (r *Redactor) object(o tree.Object) {
	if r.seen == nil {
		r.seen = mask.NewKnown()
	}
	found := r.Policy.Find(o)
	copies := found.Copies(r.copied)
	for _, s := range found.Spots {
		s.Set(r.instead(s, s.Value()))
	}
	found.Settle()
	r.seen.PublishNames(o)
	copies(o)
}

// instead is a value with all texts and numbers in it replaced.
func (r *Redactor) instead(s *mask.Spot, v any) any {
	if _, isText := v.(string); s.Whole && v != nil && !isText {
		v = mask.Text(v)
	}
	switch v := v.(type) {
	case tree.Object:
		for key, x := range v {
			v[key] = r.instead(s, x)
		}
		return v
	case []any:
		for i, x := range v {
			v[i] = r.instead(s, x)
		}
		return v
	case nil, bool:
		return v
	case string:
		if plain, encoded := decodedIn(s, v); encoded {
			return base64.StdEncoding.EncodeToString([]byte(r.token(s, plain)))
		}
	}
	return r.token(s, mask.Text(v))
}

// token is what stands for the plain value.
func (r *Redactor) token(s *mask.Spot, plain string) string {
	token := r.Key.token(plain)
	if token == plain {
		return plain
	}
	where := nameOf(s.Of) + " " + s.Field.String()
	if !strings.Contains(where, plain) { // a namespace or a name is not secret
		r.seen.Add(plain, where)
	}
	if !s.Copied {
		r.Values++
	}
	if s.Key == ".dockerconfigjson" || s.Key == ".dockercfg" {
		return `{"redacted":"` + token + `"}` // the server checks that it is JSON
	}
	return token
}

// nameOf is the identity of an object.
func nameOf(o tree.Object) string {
	group, _, grouped := strings.Cut(tree.String(o, "apiVersion"), "/")
	id := manifest.Identity{Kind: tree.String(o, "kind"), Namespace: tree.String(o, "metadata", "namespace"), Name: tree.String(o, "metadata", "name")}
	if grouped {
		id.Group = group
	}
	return id.String()
}

// decodedIn returns the plain value of a text in a spot, and whether it is in base64 in
// it. A value of data counts as such even if the server would not accept it.
func decodedIn(s *mask.Spot, text string) (plain string, encoded bool) {
	if !s.Base64 {
		return text, false
	}
	if b, err := base64.StdEncoding.DecodeString(text); err == nil {
		return string(b), true
	}
	return text, true
}

// FileOfCopies returns the text of a redacted dump with the copies of replaced values
// replaced, wherever they are.
func (r *Redactor) FileOfCopies(file, text string) (string, error) {
	return manifest.Rewrite(file, []byte(text), r.copies)
}

// copies replaces copies in the texts of an object.
func (r *Redactor) copies(o tree.Object) {
	mask.EachCopy(r.seen, o, func(f mask.Form) string {
		r.Copies++
		return r.copied(f)
	})
}

// copied is what stands for a copy of a value.
func (r *Redactor) copied(f mask.Form) string {
	token := r.Key.token(f.Value)
	if f.Base64 != nil {
		return f.Base64.EncodeToString([]byte(token))
	}
	return token
}
