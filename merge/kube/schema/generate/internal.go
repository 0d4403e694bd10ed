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
// the versioned API, and what they refer to, of every release that has them.
func addInternal(releases []*release, types map[string]*typ) error {
	u := &merger{types: map[string]*typ{}}
	for _, r := range releases {
		for _, name := range slices.Sorted(maps.Keys(types)) {
			in, base, _ := strings.Cut(name, ".")
			group, _, _ := strings.Cut(in, "/")
			if !slices.Contains(internalGroups, group) {
				continue
			}
			if err := u.add(r, "internal/"+group+"."+base); err != nil {
				return err
			}
		}
	}
	if err := u.bound(releases); err != nil {
		return err
	}
	for name, t := range u.types {
		if types[name] == nil {
			types[name] = t
		}
	}
	return nil
}
