package custom

import "threeway/merge/tree"

// dropNulls removes null fields whose schema neither allows null nor has a
// default (pkg/apiserver/schema/defaulting/prunenulls.go).
func dropNulls(x any, s schema) {
	switch x := x.(type) {
	case map[string]any:
		for name, v := range x {
			sub, _ := s.field(name)
			if isForbiddenNull(v, sub) && sub["default"] == nil {
				delete(x, name)
			} else {
				dropNulls(v, sub)
			}
		}
	case []any:
		for _, v := range x {
			dropNulls(v, s.items())
		}
	}
}

// fillDefaults sets what is absent, or null against the schema, to the
// schema's default (pkg/apiserver/schema/defaulting/algorithm.go).
func fillDefaults(x any, s schema) {
	if s == nil {
		return
	}
	switch x := x.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for name := range properties {
			sub, _ := s.property(name)
			if v, ok := x[name]; sub["default"] != nil && (!ok || isForbiddenNull(v, sub)) {
				x[name] = defaultOf(sub)
			}
		}
		for name, v := range x {
			sub, how := s.field(name)
			if how == additional && isForbiddenNull(v, sub) {
				v = defaultOf(sub)
				x[name] = v
			}
			fillDefaults(v, sub)
		}
	case []any:
		items := s.items()
		for i, v := range x {
			if isForbiddenNull(v, items) {
				v = defaultOf(items)
				x[i] = v
			}
			fillDefaults(v, items)
		}
	}
}

func isForbiddenNull(v any, s schema) bool {
	return v == nil && s != nil && !s.flag("nullable")
}

// defaultOf copies the default of s, less what the schema does not have and
// what the metadata of resources in it cannot have
// (pkg/apiserver/schema/defaulting/prune.go).
func defaultOf(s schema) any {
	v := tree.Copy(s["default"])
	_ = new(coercion).value(nil, v, s)
	var p pruner
	p.value(v, s)
	return v
}
