package validation

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// createNamespace checks a new Namespace. Source: ValidateNamespace of
// pkg/apis/core/validation.
func createNamespace(r *Request) field.ErrorList {
	errs := clusterMeta(r, nameIsDNSLabel)
	p := field.NewPath("spec", "finalizers")
	for _, f := range stringsOf(tree.List(r.Object, "spec", "finalizers")) {
		errs = append(errs, invalidEach(p, f, isLabelKey(f))...)
		if !strings.Contains(f, "/") && !slices.Contains([]string{"kubernetes", "orphan", "foregroundDeletion"}, f) {
			errs = append(errs, field.Invalid(p, f, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

func updateNamespace(r *Request) field.ErrorList {
	return append(createNamespace(r), updatedMeta(r)...)
}

// PodSecurity returns why that admission plugin rejects the labels of a
// Namespace that Validate accepts.
//
// Source: ValidateNamespace of k8s.io/pod-security-admission/admission.
func PodSecurity(r *Request) field.ErrorList {
	errs := podSecurityLabels(tree.Map(r.Object, "metadata", "labels"))
	old := podSecurityLabels(tree.Map(r.Old, "metadata", "labels"))
	sameText := func(a, b *field.Error) bool { return a.Error() == b.Error() }
	if slices.EqualFunc(errs, old, sameText) {
		return nil
	}
	return errs
}

// podSecurityLabels checks the labels that say which policy Pods are held
// against.
//
// Source: PolicyToEvaluate of k8s.io/pod-security-admission/api.
func podSecurityLabels(labels tree.Object) field.ErrorList {
	const prefix = "pod-security.kubernetes.io/"
	p := field.NewPath("metadata", "labels")
	var errs field.ErrorList
	for _, mode := range []string{"enforce", "audit", "warn"} {
		if level, ok := labels[prefix+mode]; ok {
			switch level {
			case "privileged", "baseline", "restricted":
			default:
				errs = append(errs, field.Invalid(p.Key(prefix+mode), level, "must be one of privileged, baseline, restricted"))
			}
		}
		key := prefix + mode + "-version"
		if version, ok := labels[key]; ok && !isPolicyVersion(tree.String(labels, key)) {
			errs = append(errs, field.Invalid(p.Key(key), version, `must be "latest" or "v1.x"`))
		}
	}
	return errs
}

func isPolicyVersion(s string) bool {
	minor, ok := strings.CutPrefix(s, "v1.")
	if !ok {
		return s == "latest"
	}
	n, err := strconv.Atoi(minor)
	return err == nil && strconv.Itoa(n) == minor && n >= 0
}
