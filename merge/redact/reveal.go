package redact

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/token"
	"threeway/merge/tree"
)

// Reveal returns a copy of a redacted live object with values of its manifest
// put back: those that are equal, which the key proves; and, without the key,
// all values that might be equal. assumed are the paths of the latter. If live
// has nothing to put back, revealed is nil.
func Reveal(config, live tree.Object, key *Key) (revealed tree.Object, assumed []fieldpath.Path) {
	if !holdsToken(live) {
		return nil, nil
	}
	r := &revealer{key: key, known: map[string]string{}, secret: mask.IsSecret(config)}
	revealed = tree.CopyObject(live)
	r.object(config, revealed)
	if annotations := tree.Map(revealed, "metadata", "annotations"); annotations != nil {
		if text, ok := annotations[tree.LastApplied].(string); ok {
			r.last = true
			if text, err := manifest.Rewrite("", []byte(text), func(root tree.Object) { r.object(config, root) }); err == nil {
				annotations[tree.LastApplied] = text
			}
		}
	}
	return revealed, r.assumed
}

// holdsToken reports whether a value contains a token.
func holdsToken(v any) bool {
	found := false
	mask.EachPlain(v, func(s string) { found = found || strings.Contains(s, token.Prefix) })
	return found
}

// revealer walks through the manifest and the live object at the same time.
type revealer struct {
	key    *Key
	secret bool
	// known are the values that were put back for tokens of the live object.
	// Its last-applied has the same tokens for the same values.
	known   map[string]string
	last    bool // in last-applied
	assumed []fieldpath.Path
}

func (r *revealer) object(config, live tree.Object) {
	if !r.secret {
		r.value(nil, config, live)
		return
	}
	data, stringData := tree.Map(config, "data"), tree.Map(config, "stringData")
	for _, field := range []string{"data", "stringData"} {
		values := tree.Map(live, field)
		for _, key := range slices.Sorted(maps.Keys(values)) {
			redacted, encoded := decoded(field, values[key])
			token := token.Find(redacted)
			inString, ok := stringData[key].(string)
			inData, ok2 := data[key].(string)
			plain := inString
			if !ok {
				plain, _ = decoded("data", inData)
			}
			if token == "" || !ok && !ok2 || !r.equal(token, plain, fieldpath.New(field, key)) {
				continue
			}
			switch {
			case !encoded:
				values[key] = plain
			case r.last && ok2:
				values[key] = inData // as data has it
			default:
				values[key] = base64.StdEncoding.EncodeToString([]byte(plain))
			}
		}
	}
}

// equal decides whether the value behind a token counts as the value in the
// manifest.
func (r *revealer) equal(redacted, plain string, at fieldpath.Path) bool {
	length, known := token.KnownLength(redacted)
	switch {
	case r.key.made(redacted):
		return r.key.token(plain) == redacted
	case known && length != len(plain):
		return false
	case r.last:
		value, ok := r.known[redacted]
		return ok && value == plain
	}
	r.known[redacted] = plain
	r.assumed = append(r.assumed, at)
	return true
}

// value reveals the strings below a path, in place.
func (r *revealer) value(at fieldpath.Path, config, live any) {
	switch live := live.(type) {
	case tree.Object:
		c, _ := config.(tree.Object)
		for _, key := range slices.Sorted(maps.Keys(live)) {
			x, ok := c[key]
			if !ok {
				continue
			}
			path := at.Child(key)
			if s := r.same(path, x, live[key]); s != nil {
				live[key] = s
			} else {
				r.value(path, x, live[key])
			}
		}
	case []any:
		c, _ := config.([]any)
		for i, item := range live {
			path := at.Item(i)
			x := counterpart(c, item, i)
			if name := tree.String(item, "name"); name != "" {
				path = at.Select(fieldpath.Key{Name: "name", Value: name})
			}
			if s := r.same(path, x, item); s != nil {
				live[i] = s
			} else {
				r.value(path, x, item)
			}
		}
	}
}

// same returns the manifest's value for a token, a text or a number, or nil.
func (r *revealer) same(at fieldpath.Path, config, live any) any {
	switch config.(type) {
	case tree.Object, []any, nil, bool:
		return nil
	}
	redacted, _ := live.(string)
	if token := token.Find(redacted); token != "" && r.equal(token, mask.Text(config), at) {
		return config
	}
	if text, isText := config.(string); isText && r.inside(at, text, redacted) {
		return config
	}
	return nil
}

// inside reports whether a text of the manifest is a live one in which copies of values
// are redacted.
func (r *revealer) inside(at fieldpath.Path, config, redacted string) bool {
	tokens := token.All(redacted)
	if len(tokens) == 0 {
		return false
	}
	for _, each := range tokens {
		before, after, _ := strings.Cut(redacted, each)
		rest, begins := strings.CutPrefix(config, before)
		end := len(rest) - len(after)
		if next := token.All(after); len(next) > 0 {
			after, _, _ = strings.Cut(after, next[0])
			end = strings.Index(rest, after)
		}
		if !begins || end < 0 || after != "" && !strings.HasPrefix(rest[end:], after) || !r.equal(each, rest[:end], at) {
			return false
		}
		config, redacted = rest[end:], redacted[len(before)+len(each):]
	}
	return true
}

// counterpart returns the manifest's item for an item of a live list: the one
// with the same name, if it has a name.
func counterpart(config []any, item any, i int) any {
	if name := tree.String(item, "name"); name != "" {
		for _, x := range config {
			if tree.String(x, "name") == name {
				return x
			}
		}
		return nil
	}
	if i < len(config) {
		return config[i]
	}
	return nil
}

// decoded returns the plain value of a key of a Secret. A value of data is base64 if
// the server accepts it; then encoded is true.
func decoded(field string, v any) (plain string, encoded bool) {
	return decodedIn(&mask.Spot{Base64: field == "data"}, mask.Text(v))
}
