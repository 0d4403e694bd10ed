package redact

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
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

	seen []original
}

// original is a value that was replaced, and where it was.
type original struct{ value, where string }

// File returns the text of a dump with the values replaced. Everything else
// stays as it is, byte for byte.
func (r *Redactor) File(file string, data []byte) (string, error) {
	return manifest.Rewrite(file, data, func(root tree.Object) { r.walk(root, false) })
}

// walk redacts an object, or a List, and everything in it. copied is set for
// copies in annotations.
func (r *Redactor) walk(v any, copied bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			r.walk(x, copied)
		}
	case tree.Object:
		if mask.IsSecret(v) {
			r.secret(v, copied)
			return
		}
		secrets := tree.String(v, "kind") == "SecretList"
		for _, path := range r.Policy.Declared(v) {
			r.declared(v, path, v, copied)
		}
		for spot := range r.Policy.Values(v) {
			where := nameOf(v) + " " + spot.Path.String()
			spot.In[spot.Key] = r.texts(spot.In[spot.Key], where, copied)
		}
		r.Policy.Forget(v)
		r.annotations(v, false)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			x := v[key]
			switch list, isList := x.([]any); {
			case secrets && key == "items" && isList:
				for _, item := range list {
					if o, ok := item.(tree.Object); ok {
						r.secret(o, copied)
					}
				}
			case key == "env" && isList:
				r.env(list, v, copied)
				r.walk(list, copied)
			default:
				r.walk(x, copied)
			}
		}
	}
}

// secret redacts a Secret.
func (r *Redactor) secret(o tree.Object, copied bool) {
	where := manifest.Identity{Kind: "Secret", Namespace: tree.String(o, "metadata", "namespace"), Name: tree.String(o, "metadata", "name")}.String()
	for _, field := range []string{"data", "stringData"} {
		values, ok := o[field].(tree.Object)
		if !ok {
			if o[field] != nil {
				o[field] = r.replace(text(o[field]), where+" "+field, copied)
			}
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			v := values[key]
			if v == nil {
				continue
			}
			plain, encoded := decoded(field, v)
			token := r.replace(plain, where+" "+field+"."+key, copied)
			if isJSON(key) && token != "" && mask.Token(plain) == "" {
				token = `{"redacted":"` + token + `"}` // the server checks that it is JSON
			}
			if encoded {
				token = base64.StdEncoding.EncodeToString([]byte(token))
			}
			values[key] = token
		}
	}
	r.annotations(o, true)
}

// isJSON reports whether the server requires JSON under a key of data.
func isJSON(key string) bool { return key == ".dockerconfigjson" || key == ".dockercfg" }

// decoded returns the plain value of a key. A value of data is base64 if the
// server accepts it; then encoded is true.
func decoded(field string, v any) (plain string, encoded bool) {
	s := text(v)
	if field == "stringData" {
		return s, false
	}
	if b, err := base64.StdEncoding.DecodeString(s); err == nil {
		return string(b), true
	}
	return s, true
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, _ := json.Marshal(v) // decoded JSON always encodes
	return string(b)
}

// replace returns the token for a value.
func (r *Redactor) replace(value, where string, copied bool) string {
	token := r.Key.token(value)
	if token != value {
		if !strings.Contains(where, value) { // a namespace or a name is not secret
			r.seen = append(r.seen, original{value, where})
		}
		if !copied {
			r.Values++
		}
	}
	return token
}

// env redacts the environment variables of a container.
func (r *Redactor) env(list []any, container tree.Object, copied bool) {
	for _, item := range list {
		name := tree.String(item, "name")
		if variable := tree.Map(item); variable["value"] != nil && r.Policy.HidesEnv(name) {
			variable["value"] = r.texts(variable["value"], "env "+name+" of container "+tree.String(container, "name"), copied)
		}
	}
}

// declared redacts a field that the policy names, in an object or in the items
// of a list. All texts and numbers in it are replaced.
func (r *Redactor) declared(v any, path fieldpath.Path, of tree.Object, copied bool) {
	if list, ok := v.([]any); ok {
		for _, item := range list {
			r.declared(item, path, of, copied)
		}
	}
	o, ok := v.(tree.Object)
	if !ok || o[path[0].Field] == nil {
		return
	}
	if len(path) > 1 {
		r.declared(o[path[0].Field], path[1:], of, copied)
		return
	}
	o[path[0].Field] = r.texts(o[path[0].Field], nameOf(of)+" "+path[0].Field, copied)
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

// texts replaces the texts and numbers in a value.
func (r *Redactor) texts(v any, where string, copied bool) any {
	switch v := v.(type) {
	case tree.Object:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = r.texts(v[key], where+"."+key, copied)
		}
	case []any:
		for i, item := range v {
			v[i] = r.texts(item, where, copied)
		}
	case nil, bool:
	default:
		return r.replace(text(v), where, copied)
	}
	return v
}

// annotations redacts the copies of the object in its annotations: JSON, as
// kubectl and kapp store it, and for a Secret any annotation that contains its
// values.
func (r *Redactor) annotations(o tree.Object, secret bool) {
	annotations := tree.Map(o, "metadata", "annotations")
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		value := text(annotations[key])
		if strings.HasPrefix(strings.TrimSpace(value), "{") {
			changed, err := manifest.Rewrite("", []byte(value), func(root tree.Object) {
				if secret && !mask.IsSecret(root) {
					r.secret(root, true)
				} else {
					r.walk(root, true)
				}
			})
			if err == nil {
				if changed != value {
					annotations[key] = changed
				}
				continue
			}
		}
		copies := mask.CopiesObject(key)
		if secret && (copies || r.repeats(value)) || copies && !r.Policy.Idle() {
			annotations[key] = r.Key.token(value)
		}
	}
}

// repeats reports whether a text contains a value that was replaced.
func (r *Redactor) repeats(text string) bool {
	return slices.ContainsFunc(r.seen, func(o original) bool {
		return telling(o.value) && (strings.Contains(text, o.value) || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(o.value))))
	})
}
