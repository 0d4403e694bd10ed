package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const (
	isImmutable         = "field is immutable"
	isCleared           = "field cannot be cleared once set"
	severalSlashes      = "must not contain more than one slash"
	annotationsMaxBytes = 256 << 10
)

// objectMeta is the metadata check of the create validation of most kinds:
// name says which names the kind allows. The namespace of an object of a
// cluster-scoped kind is not looked at: the server clears it before.
//
// Source: ValidateObjectMeta of pkg/apis/core/validation. Kinds that call
// k8s.io/apimachinery/pkg/api/validation directly (apiextensions,
// admissionregistration, …) use genericObjectMeta.
func objectMeta(meta tree.Object, namespaced bool, name nameFunc, p *field.Path) field.ErrorList {
	if !namespaced && tree.Has(meta, "namespace") {
		meta = maps.Clone(meta)
		delete(meta, "namespace")
	}
	errs := genericObjectMeta(meta, name, p)
	return append(errs, standardFinalizers(meta, p.Child("finalizers"))...)
}

// objectMetaUpdate is the metadata check of the update validation of most
// kinds; genericObjectMetaUpdate is the one without the finalizer names.
//
// Source: ValidateObjectMetaUpdate of pkg/apis/core/validation.
func objectMetaUpdate(meta, old tree.Object, p *field.Path) field.ErrorList {
	errs := genericObjectMetaUpdate(meta, old, p)
	return append(errs, standardFinalizers(meta, p.Child("finalizers"))...)
}

// genericObjectMeta checks the metadata that every created object has.
//
// Source: ValidateObjectMetaAccessor of
// k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
func genericObjectMeta(meta tree.Object, name nameFunc, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if generate := tree.String(meta, "generateName"); generate != "" {
		errs = append(errs, invalidEach(p.Child("generateName"), generate, name(generate, true))...)
	}
	if n := tree.String(meta, "name"); n == "" {
		errs = append(errs, field.Required(p.Child("name"), "name or generateName is required"))
	} else {
		errs = append(errs, invalidEach(p.Child("name"), n, name(n, false))...)
	}
	if ns := tree.String(meta, "namespace"); ns != "" {
		errs = append(errs, invalidEach(p.Child("namespace"), ns, nameIsDNSLabel(ns, false))...)
	}
	if g, ok := tree.Int(meta, "generation"); ok {
		errs = append(errs, nonNegative(g, p.Child("generation"))...)
	}
	errs = append(errs, labelsAnnotationsOwners(meta, p)...)
	return append(errs, finalizers(tree.List(meta, "finalizers"), p.Child("finalizers"))...)
}

// genericObjectMetaUpdate checks new metadata against old. The fields that
// the server takes over from the old object when the new one lacks them (uid,
// creationTimestamp, generation, deletionTimestamp, resourceVersion) are
// compared only where they can still differ.
//
// Source: ValidateObjectMetaAccessorUpdate of
// k8s.io/apimachinery/pkg/api/validation/objectmeta.go, after BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest.
func genericObjectMetaUpdate(meta, old tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	deleted := tree.Has(old, "deletionTimestamp")
	if deleted {
		errs = append(errs, noNewFinalizers(meta, old, p.Child("finalizers"))...)
	}
	errs = append(errs, immutable(tree.String(meta, "name"), tree.String(old, "name"), p.Child("name"))...)
	errs = append(errs, immutable(tree.String(meta, "namespace"), tree.String(old, "namespace"), p.Child("namespace"))...)
	if uid := tree.String(meta, "uid"); uid != "" {
		errs = append(errs, immutable(uid, tree.String(old, "uid"), p.Child("uid"))...)
	}
	if !deleted {
		errs = append(errs, immutable(meta["deletionTimestamp"], nil, p.Child("deletionTimestamp"))...)
	}
	if grace := meta["deletionGracePeriodSeconds"]; grace != nil {
		errs = append(errs, immutable(grace, old["deletionGracePeriodSeconds"], p.Child("deletionGracePeriodSeconds"))...)
	}
	return append(errs, labelsAnnotationsOwners(meta, p)...)
}

func labelsAnnotationsOwners(meta tree.Object, p *field.Path) field.ErrorList {
	errs := labelSet(tree.Map(meta, "labels"), p.Child("labels"))
	errs = append(errs, annotations(tree.Map(meta, "annotations"), p.Child("annotations"))...)
	return append(errs, ownerReferences(tree.List(meta, "ownerReferences"), p.Child("ownerReferences"))...)
}

// annotations checks the keys and the total size of a set of annotations.
func annotations(set tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	size := 0
	for _, k := range sortedKeys(set) {
		size += len(k) + len(tree.String(set, k))
		errs = append(errs, invalidEach(p, k, isLabelKey(strings.ToLower(k)))...)
	}
	if size > annotationsMaxBytes {
		errs = append(errs, field.TooLong(p, "", annotationsMaxBytes))
	}
	return errs
}

func ownerReferences(refs []any, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	controller := ""
	for i, ref := range refs {
		kind, name := tree.String(ref, "kind"), tree.String(ref, "name")
		errs = append(errs, ownerReference(ref, p.Index(i))...)
		if !tree.Bool(ref, "controller") {
			continue
		}
		if this := kind + "/" + name; controller == "" {
			controller = this
		} else {
			errs = append(errs, field.Invalid(p, schema.Internal("[]meta/v1.OwnerReference", refs), fmt.Sprintf(
				"Only one reference can have Controller set to true. Found \"true\" in references for %v and %v", controller, this)))
		}
	}
	return errs
}

// ownerReference makes the errors of Kubernetes 1.37.
func ownerReference(ref any, p *field.Path) field.ErrorList {
	const empty = "must not be empty"
	var errs field.ErrorList
	apiVersion, kind := tree.String(ref, "apiVersion"), tree.String(ref, "kind")
	if strings.HasSuffix(apiVersion, "/") || strings.Count(apiVersion, "/") > 1 {
		errs = append(errs, field.Invalid(p.Child("apiVersion"), apiVersion, "must be <group>/<version> or <version>"))
	}
	for _, key := range []string{"apiVersion", "kind", "name", "uid"} {
		if tree.String(ref, key) == "" {
			errs = append(errs, field.Required(p.Child(key), empty))
		}
	}
	if apiVersion == "v1" && kind == "Event" {
		errs = append(errs, field.Invalid(p, internalOrNull("meta/v1.OwnerReference", ref), "/v1, Kind=Event is disallowed from being an owner"))
	}
	return errs
}

func finalizers(list []any, p *field.Path) field.ErrorList {
	const orphan, foreground = "orphan", "foregroundDeletion"
	var errs field.ErrorList
	for _, f := range list {
		s, _ := f.(string)
		errs = append(errs, invalidEach(p, s, isLabelKey(s))...)
	}
	if slices.Contains(list, any(orphan)) && slices.Contains(list, any(foreground)) {
		errs = append(errs, field.Invalid(p, list, fmt.Sprintf("finalizer %s and %s cannot be both set", orphan, foreground)))
	}
	return errs
}

func standardFinalizers(meta tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, f := range tree.List(meta, "finalizers") {
		s, _ := f.(string)
		switch {
		case strings.Contains(s, "/"), s == "kubernetes", s == "orphan", s == "foregroundDeletion":
		default:
			errs = append(errs, field.Invalid(p.Index(i), s, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

func noNewFinalizers(meta, old tree.Object, p *field.Path) field.ErrorList {
	was := tree.List(old, "finalizers")
	var added []string
	for _, f := range tree.List(meta, "finalizers") {
		if s, _ := f.(string); !slices.Contains(was, f) && !slices.Contains(added, s) {
			added = append(added, s)
		}
	}
	if len(added) == 0 {
		return nil
	}
	slices.Sort(added)
	return field.ErrorList{field.Forbidden(p, fmt.Sprintf(
		"no new finalizers can be added if the object is being deleted, found new finalizers %#v", added))}
}
