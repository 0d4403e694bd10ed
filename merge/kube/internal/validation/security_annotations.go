package validation

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

const (
	seccompPodAnnotation       = "seccomp.security.alpha.kubernetes.io/pod"
	seccompContainerAnnotation = "container.seccomp.security.alpha.kubernetes.io/" // and the container's name
	appArmorAnnotation         = "container.apparmor.security.beta.kubernetes.io/" // and the container's name
)

// profileAnnotations checks the annotations that once set seccomp and
// AppArmor profiles.
//
// Source: ValidateSeccompPodAnnotations and ValidateAppArmorPodAnnotations of
// pkg/apis/core/validation.
func profileAnnotations(set, spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.Has(set, seccompPodAnnotation) {
		errs = append(errs, seccompAnnotation(tree.String(set, seccompPodAnnotation), p.Child(seccompPodAnnotation))...)
	}
	for _, k := range sortedKeys(set) {
		if strings.HasPrefix(k, seccompContainerAnnotation) {
			errs = append(errs, seccompAnnotation(tree.String(set, k), p.Child(k))...)
		}
	}
	for _, k := range sortedKeys(set) {
		name, ok := strings.CutPrefix(k, appArmorAnnotation)
		if !ok {
			continue
		}
		if !hasContainer(spec, name) {
			errs = append(errs, field.Invalid(p.Key(k), name, "container not found"))
		}
		switch profile := tree.String(set, k); {
		case profile == "", profile == "runtime/default", profile == "unconfined", strings.HasPrefix(profile, "localhost/"):
		default:
			errs = append(errs, field.Invalid(p.Key(k), profile, fmt.Sprintf("invalid AppArmor profile name: %q", profile)))
		}
	}
	return errs
}

func hasContainer(spec tree.Object, name string) bool {
	found := false
	eachContainer(spec, nil, func(c any, _ *field.Path) { found = found || tree.String(c, "name") == name })
	return found
}

func seccompAnnotation(profile string, p *field.Path) field.ErrorList {
	if path, ok := strings.CutPrefix(profile, "localhost/"); ok {
		return localPath(path, p)
	}
	switch profile {
	case "runtime/default", "docker/default", "unconfined":
		return nil
	}
	return field.ErrorList{field.Invalid(p, profile, "must be a valid seccomp profile")}
}

// seccompMatches checks that seccomp profiles of fields are the same as those
// of annotations.
//
// Source: validateSeccompAnnotationsAndFields of pkg/apis/core/validation.
func seccompMatches(set, spec tree.Object, p *field.Path) field.ErrorList {
	match := func(key string, profile tree.Object, p *field.Path) field.ErrorList {
		if profile == nil || !tree.Has(set, key) {
			return nil
		}
		return profileMatches(tree.String(set, key), profile, "seccomp", p.Child("securityContext", "seccompProfile"))
	}
	errs := match(seccompPodAnnotation, tree.Map(spec, "securityContext", "seccompProfile"), p)
	eachContainer(spec, p, func(c any, p *field.Path) {
		errs = append(errs, match(seccompContainerAnnotation+tree.String(c, "name"), tree.Map(c, "securityContext", "seccompProfile"), p)...)
	})
	return errs
}

// appArmorMatches is seccompMatches for AppArmor, where containers have the
// pod's profile if they have none.
//
// Source: validateAppArmorAnnotationsAndFieldsMatchOnCreate of
// pkg/apis/core/validation.
func appArmorMatches(set, spec tree.Object, p *field.Path) field.ErrorList {
	if tree.String(spec, "os", "name") == "windows" {
		return nil
	}
	var errs field.ErrorList
	eachContainer(spec, p, func(c any, p *field.Path) {
		profile := tree.Map(c, "securityContext", "appArmorProfile")
		if profile == nil {
			profile = tree.Map(spec, "securityContext", "appArmorProfile")
		}
		if key := appArmorAnnotation + tree.String(c, "name"); profile != nil && tree.Has(set, key) {
			errs = append(errs, profileMatches(tree.String(set, key), profile, "apparmor", p.Child("securityContext", "appArmorProfile"))...)
		}
	})
	return errs
}

// profileMatches compares an annotation with a profile of the given kind.
func profileMatches(annotation string, profile tree.Object, kind string, p *field.Path) field.ErrorList {
	matches, what, at := true, "type", p.Child("type")
	switch tree.String(profile, "type") {
	case "Unconfined":
		matches = annotation == "unconfined"
	case "RuntimeDefault":
		matches = annotation == "runtime/default" || kind == "seccomp" && annotation == "docker/default"
	case "Localhost":
		path, ok := strings.CutPrefix(annotation, "localhost/")
		if matches = ok; ok {
			matches = tree.Has(profile, "localhostProfile") && tree.String(profile, "localhostProfile") == path
			what, at = "profile", p.Child("localhostProfile")
		}
	}
	if matches {
		return nil
	}
	return field.ErrorList{field.Forbidden(at, kind+" "+what+" in annotation and field must match")}
}
