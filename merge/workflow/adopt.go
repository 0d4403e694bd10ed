// Package workflow plans what takes more than one apply, each step rehearsed on what
// the one before leaves: taking live objects over into manifests (Adopt), moving a field
// between the manifest and another writer (HandOver), objects from one applier to another
// (MoveTo), and making changes that cannot be made at once (Recipe).
package workflow

import (
	"fmt"
	"maps"
	"slices"

	"threeway/merge"
	"threeway/merge/applier"
	"threeway/merge/explain"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/mask"
	"threeway/merge/owners"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Adoption says what to make of live objects.
type Adoption struct {
	// Keep decides which live objects are wanted; nil wants all.
	Keep func(o *manifest.Object) bool
	// Secrets takes over Secrets too, and what else has values that Policy hides.
	Secrets bool
	Policy  *mask.Policy
	// Defaults keeps what the server would fill in again.
	Defaults bool
	// Without names managers whose fields are left to them.
	Without []string
}

// Adopted are configs made of live objects.
type Adopted struct {
	Manifests []*manifest.Object
	// Skipped counts the objects that belong in no manifest, by reason.
	Skipped map[string]int
	// Failed says of the others why applying their config would not leave them
	// as they are.
	Failed []string
	// Filled counts the configs that have their defaults, since they do not
	// come back otherwise.
	Filled int
	// Counted counts the objects whose generation the apply raises: a Deployment
	// counts a change of its annotations too.
	Counted int
}

// HoldsSecrets is why an object is skipped that has secret values and is no Secret.
const HoldsSecrets = "with values that .threeway.yaml masks; --show-secrets writes them, unmasked"

// Adopt makes a manifest of every live object of the options that may be
// managed by one, and rehearses the apply of each: it changes nothing but the
// last-applied annotation, or the object is among the Failed.
func Adopt(opts merge.Options, a Adoption) (*Adopted, error) {
	if opts.Minor == 0 {
		opts.Minor = rehearsal.DefaultMinor
	}
	opts.Manifests, opts.Diff, opts.Prune, opts.Select = &manifest.Set{}, false, nil, nil
	opts.Namespace, opts.Enforce = "", false
	r := merge.NewRehearsal(opts)
	result := &Adopted{Skipped: map[string]int{}}
	var wanted []*manifest.Object
	for o := range opts.Live.Objects() {
		switch why := applier.MadeByCluster(o); {
		case a.Keep != nil && !a.Keep(o):
		case why != "":
			result.Skipped[why]++
		case o.Kind.GroupKind() == "Secret" && !a.Secrets:
			result.Skipped["Secrets; --show-secrets writes them, unmasked"]++
		case a.Policy.Holds(o.Tree) && !a.Secrets:
			result.Skipped[HoldsSecrets]++
		default:
			wanted = append(wanted, o)
		}
	}
	type answer struct {
		config  *manifest.Object
		filled  bool
		counted bool
		fault   string
	}
	answers := make([]answer, len(wanted))
	opts.Cores.Do(len(wanted), func(i int) {
		live := wanted[i]
		config := configOf(r, live, a)
		fault, counted := altered(r, config)
		if fault != "" && !a.Defaults {
			whole := a
			whole.Defaults = true
			filled := configOf(r, live, whole)
			if fault, counted := altered(r, filled); fault == "" {
				answers[i] = answer{filled, true, counted, ""}
				return
			}
		}
		answers[i] = answer{config, false, counted, fault}
	})
	for i, got := range answers {
		if got.fault != "" {
			result.Failed = append(result.Failed, fmt.Sprintf("%s: %s", wanted[i].ID(), got.fault))
			continue
		}
		if got.filled {
			result.Filled++
		}
		if got.counted {
			result.Counted++
		}
		result.Manifests = append(result.Manifests, got.config)
	}
	return result, opts.Live.Failed()
}

// altered says what applying a config would change of the live object, besides
// the annotation; "" if nothing. counted tells whether it raises the generation.
func altered(r *rehearsal.Run, config *manifest.Object) (fault string, counted bool) {
	if n, _ := mask.Redacted(config.Tree); n > 0 {
		return "its values are redacted in the snapshot", false
	}
	o := r.Object(config)
	if o.Action == rehearsal.Rejected {
		return o.Rejection.OneLine(), false
	}
	was, _ := tree.Int(o.Before, "metadata", "generation")
	is, _ := tree.Int(o.Result, "metadata", "generation")
	before, after := withoutApply(o.Before), withoutApply(o.Result)
	if tree.Equal(before, after) {
		return "", was != is
	}
	for _, c := range explain.FieldChanges(o) {
		if c.Reason != explain.Kept {
			return fmt.Sprintf("applying the manifest would change %s", c.Path), false
		}
	}
	return "applying the manifest would change it", false
}

// withoutApply drops what every client-side apply writes: the annotation, its
// owner, and the generation, in which a Deployment counts annotations too.
func withoutApply(obj tree.Object) tree.Object {
	obj = tree.CopyObject(obj)
	tree.Delete(obj, "metadata", "annotations", rehearsal.LastAppliedKey)
	tree.Delete(obj, "metadata", "managedFields")
	tree.Delete(obj, "metadata", "generation")
	tree.DropNulls(obj)
	if annotations, ok := tree.Get(obj, "metadata", "annotations"); ok && tree.Empty(annotations) {
		tree.Delete(obj, "metadata", "annotations")
	}
	return obj
}

// configOf makes a config of a live object.
func configOf(r *rehearsal.Run, live *manifest.Object, a Adoption) *manifest.Object {
	last, _, _ := rehearsal.ReadLastApplied(live.Tree)
	obj := tree.CopyObject(live.Tree)
	if last == nil {
		last = tree.Object{}
	}
	cleanMetadata(obj, last)
	delete(obj, "status")
	tree.DropNulls(obj) // servers before 1.34 print the creationTimestamp of a template
	for _, path := range filledBySystem(live) {
		if !tree.Has(last, path...) {
			tree.Delete(obj, path...)
		}
	}
	if live.Kind.GroupKind() == "Pod" {
		dropToken(obj, last)
	}
	if len(a.Without) > 0 {
		for _, f := range owners.Of(live.Tree, nil) {
			if _, named := f.Path.Find(last); !named && ownedBy(f, a.Without) && !identifying(f.Path) {
				obj = tree.Map(f.Path.Without(obj))
			}
		}
	}
	if !a.Defaults {
		d := &defaults{obj: obj, complete: func(o tree.Object) tree.Object { return r.Completed(live.Kind, o) }, lists: schema.Lookup(live.Kind) != nil}
		if d.want = d.complete(obj); d.want != nil {
			for _, key := range filled(obj, d.lists) {
				d.drop(obj, key, last)
			}
		}
	}
	config := *live
	config.Tree = obj
	return &config
}

// filled lists the fields at the top of an object that the server fills in, or
// something in them: of a custom resource, where only its definition knows, all.
func filled(obj tree.Object, builtin bool) []string {
	if builtin {
		return []string{"spec", "data", "type", "webhooks", "subjects", "roleRef", "provisioner", "reclaimPolicy", "volumeBindingMode", "automountServiceAccountToken", "preemptionPolicy", "globalDefault"}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(obj)), func(key string) bool { return key == "apiVersion" || key == "kind" || key == "metadata" })
}

// identifying reports whether a path is of what names the object.
func identifying(p fieldpath.Path) bool {
	return len(p) < 2 || p[0].Field == "metadata" && (p[1].Field == "name" || p[1].Field == "namespace")
}

// ownedBy reports whether only these managers own a field.
func ownedBy(f owners.Owned, managers []string) bool {
	for _, w := range f.Owners {
		named := false
		for _, m := range managers {
			named = named || m == w.Manager
		}
		if !named {
			return false
		}
	}
	return true
}
