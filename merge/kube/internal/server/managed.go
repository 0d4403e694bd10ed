package server

import (
	"fmt"

	"threeway/merge/kube/internal/custom"
	"threeway/merge/kube/internal/minors"
	"threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// tracked remembers how to tell the owners of what a create or an update has
// stored: sent makes the object as it was decoded, with defaults, before
// admission and the strategy of its kind had their turn, and live is the one
// before, nil if there was none
// (apiserver pkg/endpoints/handlers/{create,patch}.go).
func (s *Server) tracked(res Result, k schema.Kind, d *custom.Definition, live tree.Object, sent func() tree.Object) Result {
	if res.Rejection != nil {
		return res
	}
	res.Object = tree.Share(res.Object, live)
	stored := res.Object
	res.owners = func(manager, time string) []any {
		before := live
		if live == nil {
			before = blank(k)
		}
		if b, ok := lookup(k); ok {
			var err error
			if before, err = s.read(b, live); err != nil {
				return nil
			}
			if live != nil {
				before = s.decodedAgain(b, live, false)()
			}
		}
		entries := s.manager(k, d).Update(before, sent(), live == nil, manager, time)
		if had := tree.List(live, "metadata", "managedFields"); serverside.SameEntries(had, entries) && sameWithout(stored, live) {
			return had
		}
		return entries
	}
	return res
}

// bringing is an object with the managedFields of the request that it was
// decoded from; an empty list is not the same as none.
func bringing(obj, request tree.Object) tree.Object {
	value, _ := tree.Get(request, "metadata", "managedFields")
	entries, isList := value.([]any)
	obj = serverside.WithEntries(obj, entries)
	if isList && len(entries) == 0 {
		tree.Set(obj, entries, "metadata", "managedFields")
	}
	return obj
}

// Owned is the object of a create or an update with the managedFields that it
// has when manager sent it; new entries bear the time. Working them out takes
// about as long as the rest of the request, so it is done for who asks.
func (res Result) Owned(manager, time string) tree.Object {
	if res.owners == nil {
		return res.Object
	}
	return serverside.WithEntries(res.Object, res.owners(manager, time))
}

// manager is the field management of a kind; d defines the kind if it is a
// custom one that has a definition.
func (s *Server) manager(k schema.Kind, d *custom.Definition) *serverside.Manager {
	m := &serverside.Manager{
		Kind:    k,
		Type:    func(string) (serverside.Type, error) { return serverside.Deduced(), nil },
		Convert: renamed,
		Reset:   func(string) []string { return nil },
		EachKey: !minors.PartialKeys.In(s.Minor),

		KeepsOwners: minors.KeepsOwners.In(s.Minor),
	}
	switch {
	case d != nil:
		m.Type = func(apiVersion string) (serverside.Type, error) { return s.customType(d, at(k, apiVersion)) }
		m.Convert = func(obj tree.Object, apiVersion string) (tree.Object, error) {
			return d.Convert(at(k, apiVersion).Version, obj)
		}
		m.Reset = func(apiVersion string) []string {
			if apiVersion == k.APIVersion() && d.StatusSubresource(k.Version) {
				return []string{"status"}
			}
			return nil
		}
	case schema.Lookup(k) != nil:
		m.Type = func(apiVersion string) (serverside.Type, error) { return s.builtinType(at(k, apiVersion)) }
		m.Convert = func(obj tree.Object, apiVersion string) (tree.Object, error) {
			return s.convertApplied(obj, at(k, tree.String(obj, "apiVersion")), at(k, apiVersion))
		}
		reset := kindOf(k).ownedFields()
		m.Reset = func(string) []string { return reset }
	}
	return m
}

// Extract is what a manager has applied server-side of a live object of a kind; nil
// if it has applied nothing.
func (s *Server) Extract(k schema.Kind, live tree.Object, manager string) tree.Object {
	return s.manager(k, s.Definition(k)).Extract(live, manager)
}

// at is the kind at another apiVersion.
func at(k schema.Kind, apiVersion string) schema.Kind { return schema.ParseKind(apiVersion, k.Kind) }

// renamed is what conversion does to a resource of which nothing is known.
func renamed(obj tree.Object, apiVersion string) (tree.Object, error) {
	out := make(tree.Object, len(obj))
	for key, v := range obj {
		out[key] = v
	}
	out["apiVersion"] = apiVersion
	return out, nil
}

// builtinType is how fields of a built-in kind are owned. Versions that are
// not on by default have no published type.
func (s *Server) builtinType(k schema.Kind) (serverside.Type, error) {
	return s.typeOf(k, func() (t serverside.Type, err error) {
		r, ok := schema.Builtin(k)
		if !ok || !r.In(s.Minor) || !r.OnByDefault() {
			return t, serverside.ErrNotServed
		}
		return serverside.Builtin(schema.Lookup(k), s.Minor), nil
	})
}

func (s *Server) customType(d *custom.Definition, k schema.Kind) (serverside.Type, error) {
	return s.typeOf(k, func() (t serverside.Type, err error) {
		openAPI, keepUnknown, err := d.OpenAPI(k.Version)
		if err != nil {
			return t, err
		}
		return serverside.Custom(openAPI, keepUnknown, s.Minor), nil
	})
}

// derived is the type of a kind, or why it has none.
type derived struct {
	serverside.Type
	err error
}

// typeOf derives a type once.
func (s *Server) typeOf(k schema.Kind, derive func() (serverside.Type, error)) (serverside.Type, error) {
	t := s.types.Get(k, func() derived {
		t, err := derive()
		return derived{t, err}
	})
	return t.Type, t.err
}

// convertApplied is conversion during an apply: through the types of both
// versions, without defaults.
func (s *Server) convertApplied(obj tree.Object, from, to schema.Kind) (tree.Object, error) {
	source, _ := lookup(from)
	out, _, err := source.decode(obj, s.Minor, false)
	if err != nil {
		return nil, fmt.Errorf("unable to convert unstructured object to %s: %w", serverside.KindName(from), err)
	}
	if from == to {
		return out, nil
	}
	out["apiVersion"] = to.APIVersion()
	convertBetween(out, from, to)
	target, _ := lookup(to)
	converted, _, err := target.decode(out, s.Minor, false)
	return converted, err
}

// Upgrade simulates the patch with which kubectl makes manager own, by
// applying, what client-side apply owns of a stored object. It reports whether
// there is anything to change.
func (s *Server) Upgrade(k schema.Kind, obj tree.Object, manager, time string) (tree.Object, bool) {
	entries, ok := serverside.Upgrade(tree.List(obj, "metadata", "managedFields"), manager)
	return s.upgraded(k, obj, entries, ok, manager, time)
}

// UpgradeFrom is Upgrade of what managers of given names own by updating, as Helm
// does with its own.
func (s *Server) UpgradeFrom(k schema.Kind, obj tree.Object, names []string, manager, time string) (tree.Object, bool) {
	entries, ok := serverside.UpgradeFrom(tree.List(obj, "metadata", "managedFields"), names, manager)
	return s.upgraded(k, obj, entries, ok, manager, time)
}

func (s *Server) upgraded(k schema.Kind, obj tree.Object, entries []any, ok bool, manager, time string) (tree.Object, bool) {
	if !ok {
		return obj, false
	}
	upgraded := tree.CopyObject(obj)
	serverside.SetEntries(upgraded, entries)
	serverside.SetEntries(upgraded, s.manager(k, s.Definition(k)).Update(upgraded, upgraded, false, manager, time))
	return upgraded, true
}
