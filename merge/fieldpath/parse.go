package fieldpath

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads what String prints, and what Kubernetes prints for a field
// (k8s.io/apimachinery/pkg/util/validation/field: Path.String):
// spec.containers[0].env[1].name, metadata.annotations[a.b/c]. A number in
// brackets is an index, text with "=" selects an item, other text is a name.
// The values of selections are strings, quoted or not: structured-merge-diff
// prints [port=80,protocol="TCP"].
func Parse(s string) (Path, error) {
	var p Path
	for rest := s; rest != ""; {
		if rest[0] == '[' {
			end := closing(rest)
			if end < 0 {
				return nil, fmt.Errorf("path %q: no ] after %q", s, rest)
			}
			p = append(p, bracketed(rest[1:end]))
			rest = rest[end+1:]
		} else {
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				return nil, fmt.Errorf("path %q: a name is missing before %q", s, rest)
			}
			p = append(p, Step{Field: rest[:end]})
			rest = rest[end:]
		}
		if after, ok := strings.CutPrefix(rest, "."); ok {
			if after == "" || after[0] == '[' {
				return nil, fmt.Errorf("path %q: a name is missing after the dot", s)
			}
			rest = after
		}
	}
	return p, nil
}

// closing returns the offset of the bracket that closes the one at the
// beginning of s: the first "]" that is followed by a new step or the end,
// because names may contain brackets too.
func closing(s string) int {
	if q, err := strconv.QuotedPrefix(s[1:]); err == nil && q[0] == '"' {
		if end := 1 + len(q); end < len(s) && s[end] == ']' {
			return end
		}
	}
	for i := 1; i < len(s); i++ {
		if s[i] == ']' && (i+1 == len(s) || s[i+1] == '.' || s[i+1] == '[') {
			return i
		}
	}
	return -1
}

func bracketed(in string) Step {
	if strings.HasPrefix(in, `"`) {
		name, err := strconv.Unquote(in)
		if err != nil {
			name = in
		}
		return Step{Field: name}
	}
	if i, err := strconv.Atoi(in); err == nil && i >= 0 {
		return Step{Index: i, IsIndex: true}
	}
	if !strings.Contains(in, "=") {
		return Step{Field: in}
	}
	var keys []Key
	for part := range strings.SplitSeq(in, ",") {
		name, value, ok := strings.Cut(part, "=")
		if !ok && len(keys) > 0 {
			// A comma inside the value of the key before it.
			last := &keys[len(keys)-1]
			last.Value = last.Value.(string) + "," + part
			continue
		}
		keys = append(keys, Key{name, value})
	}
	for i, k := range keys {
		if text, err := strconv.Unquote(k.Value.(string)); err == nil && k.Value.(string)[0] == '"' {
			keys[i].Value = text
		}
	}
	return Step{Keys: keys}
}
