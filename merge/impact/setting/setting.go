// Package setting is a table of facts about the fields of the built-in kinds: what a
// change of a field does to a running system.
//
// The table is data, in two parts. An [Area] says of a field, with all in it, which part
// of the cluster a change of it touches, and how: every field of every stable kind is in
// one. A [Setting] says more of one change: from some values to others, or when the field
// leaves the manifest, so that the API server gives it the default again or leaves it
// without a value; each is recorded from a real server in fixtures/settings.
package setting

import (
	"slices"
	"strings"
	"sync"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Setting is one fact: when this field leaves the manifest, this happens.
type Setting struct {
	// Kinds are the kinds that have the field, written Kind.group and separated
	// by spaces, or one of [Any], [PodSpec], [PodTemplate] and [Container].
	Kinds string
	// Field is the field, from the root of the object or of what Kinds names.
	// [] is any item of a list, * any field or key. A slash stands in place of
	// a dot where what is before it must still be in the manifest; the item of
	// a list that the field is in must be there anyway.
	Field string
	// From and To are the live value and the value after the apply that the
	// fact is about: "" any; a value, or several with | between them; "!x" not
	// x; "none" no value; "some" any value; "<" and ">" a To that is less or
	// more than From; "has x" and "lacks x" a list.
	From, To string
	Weight   Weight
	// Effect is what happens then, as a clause: "containers may run as root".
	Effect string
	// Link is the documentation of the field.
	Link string
	// Instead is a field that does the same, from the spec of the pod or the
	// root of the object: with it in the manifest nothing is lost. FIELD!=VALUE: nothing is lost
	// if the object has another value there after the apply.
	Instead string
}

// The sets of kinds that fields of pods are in.
const (
	Any         = "any"       // every kind, the custom ones too
	PodSpec     = "pods"      // the spec of a pod or of a template of pods
	PodTemplate = "templates" // a template of pods, with its metadata
	Container   = "containers"
)

// Weight says how much the fact matters.
type Weight uint8

const (
	alters Weight = iota + 1 // changes how something behaves
	stops                    // stops to protect, exposes, loses data, or starts what was stopped
)

// Grave reports whether something stops to protect, is exposed, loses data, or starts
// although it was stopped.
func (w Weight) Grave() bool { return w == stops }

const docs = "https://kubernetes.io/docs/"

// All returns the table, kind after kind.
func All() []Setting {
	return slices.Concat(podSettings, containerSettings, workloadSettings, networkSettings, policySettings, machinerySettings, metadataSettings)
}

// podSpecs says where each kind has the spec of its pods.
var podSpecs = map[string]string{
	"Pod":                   "spec",
	"PodTemplate":           "template.spec",
	"ReplicationController": "spec.template.spec",
	"Deployment.apps":       "spec.template.spec",
	"ReplicaSet.apps":       "spec.template.spec",
	"StatefulSet.apps":      "spec.template.spec",
	"DaemonSet.apps":        "spec.template.spec",
	"Job.batch":             "spec.template.spec",
	"CronJob.batch":         "spec.jobTemplate.spec.template.spec",
}

// PodSpecOf is where objects of a kind have the spec of their pods, its fields
// separated by dots; "" if they have none.
func PodSpecOf(k schema.Kind) string { return podSpecs[k.GroupKind()] }

// Places returns where an object of a kind has what a set of kinds names: the
// beginnings of paths, "" for the root; nil if it has none.
func Places(set string, k schema.Kind) []string {
	pods, hasPods := podSpecs[k.GroupKind()]
	switch {
	case set == Any || slices.Contains(strings.Fields(set), k.GroupKind()):
		return []string{""}
	case !hasPods:
		return nil
	case set == PodSpec:
		return []string{pods + "."}
	case set == Container:
		return []string{pods + ".containers[].", pods + ".initContainers[]."}
	case set == PodTemplate && k.Kind != "Pod":
		return []string{strings.TrimSuffix(pods, "spec")}
	}
	return nil
}

// Placed is a setting at one place of one kind.
type Placed struct {
	*Setting
	Pattern Pattern
	// Instead is where [Setting.Instead] is; nil if there is none.
	Instead *Pattern
	unless  string
}

// Replaced reports whether a manifest has [Setting.Instead], in every item of the list
// that this is in, or its object after the apply is one that has no use for the setting.
func (p Placed) Replaced(root, after tree.Object) bool {
	if p.Instead == nil {
		return false
	}
	if p.unless != "" {
		return !slices.ContainsFunc(p.Instead.Find(after), func(path fieldpath.Path) bool {
			v, _ := path.Find(after)
			return v == p.unless
		})
	}
	found := p.Instead.Find(root)
	for i, path := range found {
		for n, step := range path {
			list, _ := path[:n].Find(root)
			if step.IsIndex && (step.Index != i || len(found) != len(tree.List(list))) {
				return false
			}
		}
	}
	return len(found) > 0
}

var (
	table  = sync.OnceValue(All)
	placed memo.Table[string, []Placed] // by Kind.group
)

// Of returns the settings of a kind, with their places in its objects.
func Of(k schema.Kind) []Placed {
	return placed.Get(k.GroupKind(), func() []Placed { return placedIn(k) })
}

func placedIn(k schema.Kind) (list []Placed) {
	all := table()
	for i := range all {
		for _, at := range Places(all[i].Kinds, k) {
			p := Placed{Setting: &all[i], Pattern: ParsePattern(at + all[i].Field)}
			if all[i].Instead != "" {
				root := Places(PodSpec, k)
				if !slices.Contains([]string{PodSpec, Container}, all[i].Kinds) {
					root = []string{""}
				}
				field, unless, _ := strings.Cut(all[i].Instead, "!=")
				instead := ParsePattern(root[0] + field)
				p.Instead, p.unless = &instead, unless
			}
			list = append(list, p)
		}
	}
	return list
}
