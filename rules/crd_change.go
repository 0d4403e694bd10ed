package rules

import (
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/server/custom"
	"threeway/merge/server/validation"
	"threeway/merge/tree"
)

// definitionChange is what a changed CustomResourceDefinition does to the objects
// of its kind: those of the set as they are after the apply, and the other live ones.
type definitionChange struct {
	objects  int
	drops    []objectFields // fields that the new schema does not have
	rejects  []objectFields // values that it does not allow
	unserved []string       // versions that are no longer served
}

// objectFields are fields of one object that have the same trouble.
type objectFields struct {
	object *manifest.Object
	inSet  bool
	fields []string
	first  fieldpath.Path
	// why is what is wrong with the first one.
	why string
}

// definitionChanges yields the definitions that the apply changes, with what that
// does.
func definitionChanges(p *lint.Pass, found func(o *lint.Object, change *definitionChange)) {
	c := clusterOf(p)
	for o := range p.Accepted() {
		if !o.Is(definitionKind) || o.Before == nil || tree.Equal(o.Before["spec"], o.Result["spec"]) {
			continue
		}
		if change := lint.Shared(o, func() *definitionChange { return c.definitionChange(o) }); change != nil {
			found(o, change)
		}
	}
}

const definitionKind = "CustomResourceDefinition.apiextensions.k8s.io"

func (c *cluster) definitionChange(o *lint.Object) *definitionChange {
	minor := c.p.Plan.Minor
	checks := custom.Checks{Object: validation.CustomMeta(minor), Embedded: validation.EmbeddedMeta(minor)}
	old, err := custom.Compile(o.Before, checks)
	if err != nil {
		return nil
	}
	now, err := custom.Compile(o.Result, checks)
	if err != nil {
		return nil
	}
	change := &definitionChange{}
	for _, version := range old.Versions() {
		if old.Served(version) && !now.Served(version) {
			change.unserved = append(change.unserved, version)
		}
	}
	for k := range c.ofKind(now.Kind() + "." + now.Group()) {
		if k.after == nil || k.rejected {
			continue
		}
		change.objects++
		_, inSet := c.set[k.source.ID()]
		version := strings.TrimPrefix(tree.String(k.after, "apiVersion"), now.Group()+"/")
		if !slices.Contains(now.Versions(), version) || !slices.Contains(old.Versions(), version) {
			continue
		}
		was, is := old.Create(version, k.after), now.Create(version, k.after)
		one := objectFields{object: k.source, inSet: inSet}
		if dropped := unknownFields(is, was); dropped.fields != nil {
			dropped.object, dropped.inSet = one.object, one.inSet
			change.drops = append(change.drops, dropped)
		}
		if refused := newErrors(is, was); refused.fields != nil && !c.p.Secrets.Holds(k.after) {
			refused.object, refused.inSet = one.object, one.inSet
			change.rejects = append(change.rejects, refused)
		}
	}
	return change
}

// unknownFields are those that one definition drops and another does not.
func unknownFields(is, was custom.Result) (list objectFields) {
	had := map[string]bool{}
	for _, f := range was.Unknown {
		had[f.Field] = true
	}
	for _, f := range is.Unknown {
		if !had[f.Field] {
			if list.fields == nil {
				list.first = f.Path
			}
			list.fields = append(list.fields, f.Field)
		}
	}
	return list
}

// newErrors are the faults that one definition finds and another does not. Values
// are not named.
func newErrors(is, was custom.Result) (list objectFields) {
	if is.Invalid != nil || was.Invalid != nil {
		return list
	}
	had := map[string]bool{}
	for _, e := range was.Errors {
		had[string(e.Type)+e.Field] = true
	}
	for _, e := range is.Errors {
		if had[string(e.Type)+e.Field] || slices.Contains(list.fields, e.Field) {
			continue
		}
		if list.fields == nil {
			list.why = strings.TrimSuffix(e.Type.String()+": "+e.Detail, ": ")
			list.first, _ = fieldpath.Parse(e.Field)
		}
		list.fields = append(list.fields, e.Field)
	}
	return list
}

// notesOf says of up to five objects which fields are concerned, and where.
func notesOf(list []objectFields) (notes []string) {
	for _, one := range list[:min(5, len(list))] {
		line, _, _ := one.object.Position(one.first)
		note := fmt.Sprintf("%s: %s: %s", lint.At(one.object.Origin.File, line), one.object.ID(), someOf(one.fields))
		if one.why != "" {
			note += " (" + one.why + ")"
		}
		notes = append(notes, note)
	}
	if more := len(list) - 5; more > 0 {
		notes = append(notes, fmt.Sprintf("and %d more", more))
	}
	return notes
}

// counted is how many objects of a kind: "1 Widget", "3 of 7 Widgets".
func (d *definitionChange) counted(list []objectFields, kind string) string {
	switch {
	case d.objects == 1:
		return "the only " + kind
	case len(list) == d.objects:
		return fmt.Sprintf("all %d %ss", d.objects, kind)
	}
	return fmt.Sprintf("%d of %d %ss", len(list), d.objects, kind)
}
