package main

import (
	"errors"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// union returns every type that the resources reach in any release: the first
// release that has a type or field gives its facts, all of them its bounds.
func union(releases []*release, resources []*resource) (map[string]*typ, error) {
	u := &merger{types: map[string]*typ{}}
	for _, r := range releases {
		for _, res := range resources {
			if err := u.add(r, res.typ); err != nil {
				return nil, fmt.Errorf("1.%d: %w", r.minor, err)
			}
		}
	}
	if err := errors.Join(u.differ...); err != nil {
		return nil, fmt.Errorf("facts that differ between releases: bound them by minors, or name them in unbounded:\n%w", err)
	}
	return u.types, u.bound(releases)
}

// bound leaves out the bounds that are the ends of what was looked at.
func (u *merger) bound(releases []*release) error {
	for _, t := range u.types {
		first, last := bounds(releases, t.name)
		for _, f := range t.fields {
			f.since, f.until = open(f.since, first), open(f.until, last)
			if err := f.addGates(releases); err != nil {
				return err
			}
		}
		t.since, t.until = open(t.since, first), open(t.until, last)
	}
	return nil
}

// bounds returns the lowest and highest minor in which the type's package was
// looked at.
func bounds(releases []*release, name string) (first, last int) {
	in, _, _ := strings.Cut(name, ".")
	for _, r := range releases {
		if r.has(in) && (first == 0 || r.minor < first) {
			first = r.minor
		}
		if r.has(in) && r.minor > last {
			last = r.minor
		}
	}
	return first, last
}

// open turns a bound at the end of what was looked at into none.
func open(minor, end int) int {
	if minor == end {
		return 0
	}
	return minor
}

// merger collects types from one release after the other.
type merger struct {
	types map[string]*typ // by full name
	seen  map[string]bool // "36 core/v1.PodSpec"
	// differ are the facts of later releases that are not those of the first.
	differ []error
}

// sameFacts holds what the tables say of a field for all minors to a release.
func sameFacts(r *release, t *typ, known, f *field) error {
	if strings.HasPrefix(t.name, "internal/") {
		return nil
	}
	facts := func(f *field) string {
		owned := "in one piece"
		switch {
		case f.typ == "bytes" || !strings.HasPrefix(f.typ, "[]"):
			owned = ""
		case f.listType == "map":
			owned = strings.Join(f.listKeys, ",")
		case f.listType == "set" || f.listType == "" && slices.Contains(f.patch, "merge"):
			owned = "each " + f.mergeKey
		}
		if f.listType == "" && f.mergeKey != "" {
			owned = f.mergeKey
		}
		return fmt.Sprintf("patch %q %s, owned %q, atomic %t, default %s", f.patch, f.mergeKey, owned, f.atomic, f.def)
	}
	was, is := facts(f), facts(known)
	if was == is || slices.Contains(unbounded, t.name+"."+f.json) {
		return nil
	}
	return fmt.Errorf("%s.%s in 1.%d: %s; in base: %s", t.name, f.json, r.minor, was, is)
}

// unbounded are fields whose facts changed without an effect that a minor shows: what
// older releases set by functions for defaults, names that default to nothing, and
// fields that no apply writes or that are off by default.
var unbounded = []string{
	"core/v1.AzureDiskVolumeSource.cachingMode", "core/v1.AzureDiskVolumeSource.fsType", "core/v1.AzureDiskVolumeSource.kind",
	"core/v1.AzureDiskVolumeSource.readOnly", "core/v1.ISCSIPersistentVolumeSource.iscsiInterface",
	"core/v1.ISCSIVolumeSource.iscsiInterface", "core/v1.RBDPersistentVolumeSource.keyring",
	"core/v1.RBDPersistentVolumeSource.pool", "core/v1.RBDPersistentVolumeSource.user", "core/v1.RBDVolumeSource.keyring",
	"core/v1.RBDVolumeSource.pool", "core/v1.RBDVolumeSource.user", "core/v1.ReplicationControllerSpec.minReadySeconds",
	"core/v1.ReplicationControllerSpec.replicas", "core/v1.ScaleIOPersistentVolumeSource.fsType",
	"core/v1.ScaleIOPersistentVolumeSource.storageMode", "core/v1.ScaleIOVolumeSource.fsType",
	"core/v1.ScaleIOVolumeSource.storageMode",
	"core/v1.ConfigMapEnvSource.name", "core/v1.ConfigMapKeySelector.name", "core/v1.ConfigMapProjection.name",
	"core/v1.ConfigMapVolumeSource.name", "core/v1.LocalObjectReference.name", "core/v1.SecretEnvSource.name",
	"core/v1.SecretKeySelector.name", "core/v1.SecretProjection.name",
	"core/v1.PodStatus.nodeAllocatableResourceClaimStatuses", "resource/v1alpha2.PodSchedulingContextSpec.potentialNodes",
	"resource/v1alpha2.ResourceClaimSchedulingStatus.unsuitableNodes", "resource/v1alpha2.ResourceClaimStatus.reservedFor",
	"resource/v1alpha3.DeviceRequest.adminAccess", "resource/v1beta1.ResourceClaimStatus.devices",
	"resource/v1beta2.ResourceClaimStatus.devices",
	"meta/v1.Condition.message", "scheduling/v1.PriorityClass.value", "scheduling/v1beta1.PriorityClass.value",
}

// add merges a type of a release, and all that it refers to.
func (u *merger) add(r *release, name string) error {
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	key := fmt.Sprint(r.minor, " ", name)
	if u.seen[key] {
		return nil
	}
	u.seen[key] = true
	t, err := r.read(name)
	if err != nil || t == nil {
		return err
	}
	u.merge(r, t)
	refs := named(t.underlying)
	if d, err := r.lookup(name); err == nil && d != nil && t.underlying == "" {
		refs = append(refs, r.embedded(d)...)
	}
	if strings.HasPrefix(t.underlying, "schemaor") {
		refs = append(refs, "apiextensions/v1.JSONSchemaProps")
	}
	for _, f := range t.fields {
		refs = append(refs, named(f.typ)...)
	}
	for _, ref := range refs {
		if err := u.add(r, ref); err != nil {
			return err
		}
	}
	return nil
}

// embedded names the structs that a struct embeds: their fields are the
// outer's, but error values are made of them alone.
func (r *release) embedded(d *decl) []string {
	st, ok := d.spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	var names []string
	for _, f := range st.Fields.List {
		if len(f.Names) > 0 {
			continue
		}
		if name, err := r.typeName(d, f.Type); err == nil && !strings.HasSuffix(name, ".TypeMeta") {
			names = append(names, strings.TrimPrefix(name, "*"))
		}
	}
	return names
}

// merge adds what is new of a type: a field goes where it is in this release,
// after the field before it. Internal types are printed in the order of their
// fields, so a field that has moved is one that is gone and one that is new.
func (u *merger) merge(r *release, t *typ) {
	known := u.types[t.name]
	if known == nil {
		known = &typ{name: t.name, underlying: t.underlying, atomic: t.atomic}
		u.types[t.name] = known
	}
	widen(&known.since, &known.until, r)
	at, ordered := 0, strings.HasPrefix(t.name, "internal/")
	for _, f := range t.fields {
		from := 0
		if ordered {
			from = at
		}
		i := slices.IndexFunc(known.fields[from:], func(k *field) bool { return k.json == f.json })
		if i += from; i < from {
			i = at
			copied := *f
			known.fields = slices.Insert(known.fields, i, &copied)
		}
		widen(&known.fields[i].since, &known.fields[i].until, r)
		if err := sameFacts(r, t, known.fields[i], f); err != nil {
			u.differ = append(u.differ, err)
		}
		for _, gate := range f.gates {
			if !slices.Contains(known.fields[i].gates, gate) {
				known.fields[i].gates = append(known.fields[i].gates, gate)
			}
		}
		at = i + 1
	}
}

// widen takes the release into the bounds.
func widen(since, until *int, r *release) {
	if *since == 0 {
		*since, *until = r.minor, r.minor
	}
	*since, *until = min(*since, r.minor), max(*until, r.minor)
}
