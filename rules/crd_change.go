package rules

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/kube"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
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
	old, err := kube.CompileDefinition(o.Before, minor)
	if err != nil {
		return nil
	}
	now, err := kube.CompileDefinition(o.Result, minor)
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
		if k.rejected { // by the new definition, too: what is stored stays
			if k.source, k.after = c.p.Options.Live.Find(k.source.ID()), nil; k.source != nil {
				k.after = k.source.Tree
			}
		}
		if k.after == nil {
			continue
		}
		change.objects++
		version := strings.TrimPrefix(tree.String(k.after, "apiVersion"), now.Group()+"/")
		if !slices.Contains(now.Versions(), version) || !slices.Contains(old.Versions(), version) {
			continue
		}
		was, is := old.Create(version, k.after), now.Create(version, k.after)
		if dropped := unknownFields(is, was); dropped.fields != nil {
			dropped.object = k.source
			change.drops = append(change.drops, dropped)
		}
		if refused := newErrors(is, was); refused.fields != nil && !c.p.Secrets.Holds(k.after) {
			refused.object = k.source
			change.rejects = append(change.rejects, refused)
		}
	}
	return change
}

// unknownFields are those that one definition drops and another does not.
func unknownFields(is, was kube.Checked) (list objectFields) {
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
func newErrors(is, was kube.Checked) (list objectFields) {
	if is.Invalid != nil || was.Invalid != nil {
		return list
	}
	for _, e := range addedErrors(is.Found(), was.Errors) {
		name := e.Field
		path, _ := fieldpath.Parse(name)
		if name == wholeObject {
			name, path = "the object", nil
		}
		if list.fields == nil {
			list.why = strings.TrimSuffix(e.Type.String()+": "+e.Detail, ": ")
			list.first = path
		}
		if !slices.Contains(list.fields, name) {
			list.fields = append(list.fields, name)
		}
	}
	return list
}

// wholeObject is the field of errors of the server about no field.
const wholeObject = "<nil>"

// addedErrors are those of a list that another one has not: the same words, or else
// as many errors of the type at the field, since a limit that changes has other words.
func addedErrors(is, was field.ErrorList) (added field.ErrorList) {
	type place struct{ kind, field string }
	type words struct {
		place
		detail string
	}
	at := func(e *field.Error) place { return place{string(e.Type), e.Field} }
	same, had := map[words]int{}, map[place]int{}
	for _, e := range was {
		same[words{at(e), e.Detail}]++
		had[at(e)]++
	}
	for _, e := range is {
		if w := (words{at(e), e.Detail}); same[w] > 0 {
			same[w]--
			had[at(e)]--
			continue
		}
		added = append(added, e)
	}
	return slices.DeleteFunc(added, func(e *field.Error) bool {
		had[at(e)]--
		return had[at(e)] >= 0
	})
}

// notesOf says of up to five objects which fields are concerned, and where.
func notesOf(list []objectFields) (notes []string) {
	for _, one := range list[:min(5, len(list))] {
		note := fmt.Sprintf("%s: %s: %s", one.object.Place(one.first).String(), one.object.ID(), phrase.Some(one.fields))
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

// counted is how many objects of a kind: "the only Widget", "3 of 7 Widget objects".
func (d *definitionChange) counted(list []objectFields, kind string) string {
	switch {
	case d.objects == 1:
		return "the only " + kind
	case len(list) == d.objects:
		return fmt.Sprintf("all %d %s objects", d.objects, kind)
	}
	return fmt.Sprintf("%d of %d %s objects", len(list), d.objects, kind)
}
