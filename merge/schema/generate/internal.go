package main

import (
	"maps"
	"slices"
	"strings"
)

// internalGroups are the groups whose internal types the server prints in
// error values.
var internalGroups = []string{
	"core", "apps", "batch", "autoscaling", "policy", "networking", "rbac", "storage",
	"scheduling", "discovery", "node", "certificates", "coordination",
	"admissionregistration", "flowcontrol", "resource", "apiextensions",
}

// addInternal adds the internal types that share their name with a type of
// the versioned API, and what they refer to. They have no bounds.
func addInternal(r *release, types map[string]*typ) error {
	u := &merger{types: map[string]*typ{}}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		in, base, _ := strings.Cut(name, ".")
		group, _, _ := strings.Cut(in, "/")
		if !slices.Contains(internalGroups, group) {
			continue
		}
		d, err := r.lookup("internal/" + group + "." + base)
		if err != nil {
			return err
		}
		if d == nil {
			continue
		}
		if err := u.add(r, "internal/"+group+"."+base); err != nil {
			return err
		}
	}
	for name, t := range u.types {
		if types[name] != nil {
			continue
		}
		t.since, t.until = 0, 0
		for _, f := range t.fields {
			f.since, f.until = 0, 0
		}
		types[name] = t
	}
	return nil
}
