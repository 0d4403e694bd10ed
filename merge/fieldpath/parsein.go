package fieldpath

import (
	"fmt"
	"strings"
)

// ParseIn is Parse for the path of a field in v. It uses v where Kubernetes
// prints different paths in the same way: app.kubernetes.io/name is one key or
// four names, z[0] is a key or an item of z. From the first step that v does
// not have, it is Parse, and nil where that fails.
func ParseIn(s string, v any) Path {
	var p Path
	for rest := strings.TrimPrefix(s, "."); rest != ""; {
		m, _ := v.(map[string]any)
		name, after := longestKey(rest, m)
		if name == "" {
			step, left, err := first(rest)
			if err != nil {
				return nil
			}
			if m != nil && rest[0] == '[' {
				step = Step{Field: rest[1:closing(rest)]} // a key that is not in the map
			}
			p, rest = append(p, step), left
		} else {
			p, rest = append(p, Step{Field: name}), after
		}
		rest = strings.TrimPrefix(rest, ".")
		v, _ = p[len(p)-1:].Find(v)
	}
	return p
}

// longestKey returns the longest key of the map that the text begins with, bare
// or in brackets, and the text after it; "" if there is none.
func longestKey(s string, m map[string]any) (key, after string) {
	if len(m) == 0 {
		return "", ""
	}
	try := func(k, rest string) {
		if len(k) <= len(key) || rest != "" && rest[0] != '.' && rest[0] != '[' {
			return
		}
		if _, ok := m[k]; ok {
			key, after = k, rest
		}
	}
	// Look keys up instead of going through the map, which may be large.
	for i := 1; i <= len(s); i++ {
		try(s[:i], s[i:])
		if s[0] == '[' && s[i-1] == ']' {
			try(s[1:i-1], s[i:])
		}
	}
	return key, after
}

// first returns the first step of a path, and the rest.
func first(s string) (Step, string, error) {
	end := strings.IndexAny(s, ".[")
	switch {
	case s[0] == '[':
		end = closing(s) + 1
	case end < 0:
		end = len(s)
	}
	if end <= 0 {
		return Step{}, "", fmt.Errorf("path %q: a name or ] is missing", s)
	}
	p, err := Parse(s[:end])
	if err != nil {
		return Step{}, "", err
	}
	return p[0], s[end:], nil
}
