package merge

import (
	"slices"
	"strings"

	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Base is a config set that stands in for a snapshot: it counts as what was
// last applied, and what the server makes of creating it as live.
type Base struct {
	// Name says where the set is from: a directory, or git:REVISION.
	Name string
	// Lacking says, once each, what of the base counts as absent.
	Lacking []string

	rejected []rejection
	// repeated are the manifests of the objects that the base has more than once, in their order.
	repeated map[manifest.Identity][]tree.Object
}

// From returns the options with the base set in place of a snapshot.
func (opts Options) From(base *manifest.Set, name string) (Options, error) {
	first := opts
	first.Manifests, first.Live, first.LastApplied = base, &manifest.Snapshot{}, nil
	first.Prune, first.Select, first.Diff = first.Prune.ofBase(), nil, false
	first.FieldValidation, first.Former, first.Gaps = rehearsal.Ignore, nil, nil
	if opts.By != nil {
		opts.By.Arrange(base)
		first.By, opts.By = opts.By.Next(nil), opts.By.Next(base)
	}
	// They are in the cluster by now, even those that were applied together
	// with the objects of their kinds.
	first.Definitions = slices.Clone(opts.Definitions)
	for _, o := range base.Objects {
		if o.Kind.GroupKind() == rehearsal.DefinitionKind {
			first.Definitions = append(first.Definitions, o)
		}
	}
	former := &Former{Name: "the base"}
	for _, o := range base.Objects {
		copied := *o
		former.given = append(former.given, &copied)
	}
	exported := map[manifest.Identity]tree.Object{}
	first.Manifests = withoutIdentity(base, exported)
	p, err := New(first)
	if err != nil {
		return opts, err
	}
	opts.Base, opts.LastApplied, opts.Former = &Base{Name: name}, nil, former
	stored := p.after(first.Live, (*rehearsal.Outcome).Stored)
	if p.ApplySet != nil && p.Refused == nil {
		stored = stored.With([]*manifest.Object{p.ApplySet.Parent(base.Objects)}, nil)
	}
	for id, its := range exported {
		if o := stored.Find(id); o != nil {
			for _, field := range identity {
				if v, ok := its[field]; ok {
					tree.Set(o.Tree, v, "metadata", field)
				}
			}
		}
	}
	opts.Live = assumeHealthy(stored)
	for _, problem := range p.Problems {
		if problem.Severity == manifest.Error && (unread(problem) || problem.Object.Name == "") {
			opts.Former.Problems = append(opts.Former.Problems, problem)
			opts.Base.Lacking = append(opts.Base.Lacking, unreadBase+problem.String())
		}
	}
	for _, o := range p.Outcomes {
		if o.Action != rehearsal.Rejected {
			opts.Former.Objects = append(opts.Former.Objects, o.Manifest)
		}
	}
	opts.Base.rejected, opts.Base.repeated = p.rejections(), p.repeated()
	return opts, nil
}

// unreadBase begins the note about a part of the base.
const unreadBase = "a part of the base cannot be read, and its objects count as absent: "

// identity are the fields of metadata that tell one object that the server stores from another
// of its name. A manifest that has them was exported from the live object.
var identity = []string{"uid", "resourceVersion"}

// withoutIdentity returns the set without these fields, and adds the metadata of the objects that
// have them to exported.
func withoutIdentity(base *manifest.Set, exported map[manifest.Identity]tree.Object) *manifest.Set {
	set := *base
	set.Objects = slices.Clone(base.Objects)
	for i, o := range set.Objects {
		if meta := tree.Map(o.Tree, "metadata"); tree.Has(meta, "uid") || tree.Has(meta, "resourceVersion") {
			exported[o.ID()] = meta
			copied := *o
			copied.Tree = tree.CopyObject(o.Tree)
			for _, field := range identity {
				tree.Delete(copied.Tree, "metadata", field)
			}
			set.Objects[i] = &copied
		}
	}
	return &set
}

// notes say what is assumed, of the kinds that change.
func (b *Base) notes(outcomes []*rehearsal.Outcome) []string {
	note := "no snapshot: assuming that the cluster matches " + b.Name
	var words []string
	for _, h := range healthy {
		if slices.ContainsFunc(outcomes, func(o *rehearsal.Outcome) bool {
			return o.Kind.GroupKind() == h.groupKind && !o.Stays() && o.Before != nil
		}) {
			words = append(words, h.word)
		}
	}
	if len(words) > 0 {
		note += "; assuming that " + sentence(words)
	}
	return append([]string{note}, b.Lacking...)
}

// chosen are the fields, by kind, that the cluster fills in if no manifest sets them, and
// that may not change afterwards: pkg/registry/core/service/storage/alloc.go, the
// controller that binds claims, the default StorageClass.
var chosen = map[string][]fieldpath.Path{
	"Service":               {fieldpath.New("spec", "clusterIP"), fieldpath.New("spec", "ipFamilies")},
	"PersistentVolumeClaim": {fieldpath.New("spec", "volumeName"), fieldpath.New("spec", "storageClassName")},
}

// chosenBefore is the field that an apply sets and that the cluster chose before, so that
// a base does not have it; nil if there is none.
func chosenBefore(o *rehearsal.Outcome) fieldpath.Path {
	if o.Action != rehearsal.Configured || tree.String(o.Before, "spec", "type") == "ExternalName" {
		return nil
	}
	for _, path := range chosen[o.Kind.GroupKind()] {
		_, was := path.Find(o.Before)
		if _, is := path.Find(o.Result); is && !was {
			return path
		}
	}
	return nil
}

// healthy says by kind what controllers have made of an object that is well, as
// far as the API server goes by it when the object changes: which fields of a
// claim may change, and what is fixed of a definition. For other kinds it does
// not matter: what may change of a Job, a Deployment or a PersistentVolume, its
// spec decides.
var healthy = []struct {
	groupKind, word string
	status          func(o tree.Object) tree.Object
}{
	// pkg/controller/volume/persistentvolume/pv_controller.go bindClaimToVolume
	{"PersistentVolumeClaim", "claims are bound", boundClaim},
	{"PersistentVolume", "volumes are bound", boundVolume},
	// k8s.io/apiextensions-apiserver pkg/controller/{status,establish}
	{rehearsal.DefinitionKind, "CustomResourceDefinitions are established", establishedDefinition},
}

func boundClaim(claim tree.Object) tree.Object {
	spec := tree.Map(claim, "spec")
	status := tree.Object{"phase": "Bound", "accessModes": spec["accessModes"]}
	if size, ok := tree.Get(spec, "resources", "requests", "storage"); ok {
		status["capacity"] = tree.Object{"storage": size}
	}
	if class := tree.String(spec, "volumeAttributesClassName"); class != "" {
		status["currentVolumeAttributesClassName"] = class
	}
	return status
}

func boundVolume(tree.Object) tree.Object { return tree.Object{"phase": "Bound"} }

func establishedDefinition(definition tree.Object) tree.Object {
	spec := tree.Map(definition, "spec")
	return tree.Object{
		"acceptedNames":  spec["names"],
		"storedVersions": tree.List(definition, "status", "storedVersions"),
		"conditions": []any{
			tree.Object{"type": "NamesAccepted", "status": "True", "reason": "NoConflicts", "message": "no conflicts found"},
			tree.Object{"type": "Established", "status": "True", "reason": "InitialNamesAccepted", "message": "the initial names have been accepted"},
		},
	}
}

// assumeHealthy gives the objects of a snapshot the status that they have when
// they are well.
func assumeHealthy(live *manifest.Snapshot) *manifest.Snapshot {
	var changed []*manifest.Object
	for _, h := range healthy {
		for o := range live.OfKind(h.groupKind) {
			well := *o
			well.Tree = tree.CopyObject(o.Tree)
			well.Tree["status"] = tree.Copy(h.status(well.Tree))
			changed = append(changed, &well)
		}
	}
	if changed == nil {
		return live
	}
	return live.With(changed, nil)
}

// sentence joins clauses: "a, b and c".
func sentence(clauses []string) string {
	if n := len(clauses) - 1; n > 0 {
		return strings.Join(clauses[:n], ", ") + " and " + clauses[n]
	}
	return strings.Join(clauses, "")
}
