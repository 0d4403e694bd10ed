package validation

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// podOptions loosens the checks of a pod spec where the old object already
// has what they would forbid, and says whether it is that of a pod. What
// depends on feature gates alone is decided as they are by default.
//
// Source: GetValidationOptionsFromPodSpecAndMeta of pkg/api/pod.
type podOptions struct {
	minor int
	isPod bool // not a template

	allowInvalidDeletionCost             bool
	allowInvalidLabelValueInSelector     bool
	allowInvalidLabelValueInNodeAffinity bool
	allowInvalidSpreadSelector           bool
	legacySpreadLabelKeys                bool
	allowIndivisibleHugePages            bool
	allowNonLocalTokenPath               bool
	allowHostSysctls                     bool
	allowSELinuxMountOption              bool
	allowRestartContainerForInit         bool
	allowRestartRules                    bool
	allowRestartAllContainers            bool
	allowEmptyImageReference             bool
	allowSysAdmin                        bool
	allowTolerationComparison            bool
	allowUserNamespaceOnHostNetwork      bool
	allowUserNamespaceWithDevices        bool
}

// podTemplateOptions gives the options for a template; old is the one it
// replaces, nil on create.
func podTemplateOptions(old tree.Object, minor int) podOptions {
	spec := tree.Map(old, "spec")
	if old == nil || spec == nil {
		return newPodOptions(minor)
	}
	affinity := tree.Map(spec, "affinity")
	ownNS := hasOwnUserNamespace(spec)
	return podOptions{
		minor:                                minor,
		allowInvalidDeletionCost:             len(deletionCost(tree.Map(old, "metadata", "annotations"), nil)) > 0,
		allowInvalidLabelValueInSelector:     hasInvalidAffinitySelector(affinity),
		allowInvalidLabelValueInNodeAffinity: hasInvalidNodeLabelValue(tree.Map(affinity, "nodeAffinity", requiredTerms)),
		allowInvalidSpreadSelector: hasSpread(spec, func(c any) bool {
			return len(labelSelector(tree.Map(c, "labelSelector"), selectorOptions{}, nil)) > 0
		}),
		legacySpreadLabelKeys:           !minors.SpreadKeysMerge.In(minor) || hasSpread(spec, func(c any) bool { return len(matchLabelKeys(c, nil)) > 0 }),
		allowIndivisibleHugePages:       hasIndivisibleHugePages(spec),
		allowNonLocalTokenPath:          hasNonLocalTokenPath(spec),
		allowHostSysctls:                hasHostSysctl(spec),
		allowSELinuxMountOption:         minors.SELinuxMountOption.In(minor) || tree.Has(spec, "securityContext", "seLinuxChangePolicy"),
		allowRestartRules:               minors.ContainerRestartRules.In(minor) || hasRestartRules(spec),
		allowRestartAllContainers:       minors.RestartAllContainers.In(minor) || hasRestartAllContainers(spec),
		allowRestartContainerForInit:    !minors.ResizeRestartInit.In(minor) || hasRestartContainerForInit(spec),
		allowEmptyImageReference:        !minors.ImageReferences.In(minor) || hasEmptyImageReference(spec),
		allowSysAdmin:                   minors.SysAdminKept.In(minor) && hasContainerWith(spec, hasSysAdmin),
		allowTolerationComparison:       hasTolerationComparison(spec),
		allowUserNamespaceOnHostNetwork: ownNS && tree.Bool(spec, "hostNetwork"),
		allowUserNamespaceWithDevices:   ownNS && hasContainerWith(spec, func(c any) bool { return len(tree.List(c, "volumeDevices")) > 0 }),
	}
}

// newPodOptions gives the options for what replaces nothing.
func newPodOptions(minor int) podOptions {
	return podOptions{
		minor:                        minor,
		legacySpreadLabelKeys:        !minors.SpreadKeysMerge.In(minor),
		allowSELinuxMountOption:      minors.SELinuxMountOption.In(minor),
		allowRestartRules:            minors.ContainerRestartRules.In(minor),
		allowRestartAllContainers:    minors.RestartAllContainers.In(minor),
		allowRestartContainerForInit: !minors.ResizeRestartInit.In(minor),
		allowEmptyImageReference:     !minors.ImageReferences.In(minor),
	}
}

func hasEmptyImageReference(spec tree.Object) bool {
	return slices.ContainsFunc(tree.List(spec, "volumes"), func(v any) bool {
		return tree.Has(v, "image") && tree.String(v, "image", "reference") == ""
	})
}

func hasSpread(spec tree.Object, is func(c any) bool) bool {
	return slices.ContainsFunc(tree.List(spec, "topologySpreadConstraints"), is)
}

func hasContainerWith(spec tree.Object, is func(c any) bool) bool {
	found := false
	eachContainer(spec, nil, func(c any, _ *field.Path) { found = found || is(c) })
	return found
}

func hasIndivisibleHugePages(spec tree.Object) bool {
	indivisible := func(list tree.Object) bool {
		for r, v := range list {
			if isHugePages(r) && !isMultipleOfPage(r, quantity(v)) {
				return true
			}
		}
		return false
	}
	return indivisible(tree.Map(spec, "overhead")) || hasContainerWith(spec, func(c any) bool {
		return indivisible(tree.Map(c, "resources", "limits")) || indivisible(tree.Map(c, "resources", "requests"))
	})
}

func hasNonLocalTokenPath(spec tree.Object) bool {
	for _, v := range tree.List(spec, "volumes") {
		for _, s := range tree.List(v, "projected", "sources") {
			if tree.Has(s, "serviceAccountToken") && len(localFilePath(tree.String(s, "serviceAccountToken", "path"), nil)) > 0 {
				return true
			}
		}
	}
	return false
}

func hasHostSysctl(spec tree.Object) bool {
	return slices.ContainsFunc(tree.List(spec, "securityContext", "sysctls"), func(s any) bool {
		return len(hostSysctl(spec, tree.String(s, "name"), nil)) > 0
	})
}

// hasRestartRules is containerRestartRulesInUse of pkg/api/pod.
func hasRestartRules(spec tree.Object) bool {
	return slices.ContainsFunc(tree.List(spec, "containers"), func(c any) bool { return tree.Has(c, "restartPolicy") }) ||
		slices.ContainsFunc(tree.List(spec, "initContainers"), func(c any) bool {
			return tree.Has(c, "restartPolicy") && !isSidecar(c) || len(tree.List(c, "restartPolicyRules")) > 0
		})
}

// hasRestartAllContainers is restartAllContainersActionInUse of pkg/api/pod.
func hasRestartAllContainers(spec tree.Object) bool {
	return hasContainerWith(spec, func(c any) bool {
		return slices.ContainsFunc(tree.List(c, "restartPolicyRules"), func(rule any) bool { return tree.String(rule, "action") == "RestartAllContainers" })
	}) || slices.ContainsFunc(tree.List(spec, "initContainers"), func(c any) bool {
		return isSidecar(c) && len(tree.List(c, "restartPolicyRules")) > 0
	})
}

func hasRestartContainerForInit(spec tree.Object) bool {
	for _, c := range tree.List(spec, "initContainers") {
		for _, policy := range tree.List(c, "resizePolicy") {
			if !isSidecar(c) && tree.String(policy, "restartPolicy") == "RestartContainer" {
				return true
			}
		}
	}
	return false
}

func hasTolerationComparison(spec tree.Object) bool {
	return slices.ContainsFunc(tree.List(spec, "tolerations"), func(t any) bool {
		operator := tree.String(t, "operator")
		return operator == "Lt" || operator == "Gt"
	})
}

const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost"

// deletionCost checks the annotation that says which pod goes first: a 32-bit
// integer without plus sign and leading zeros.
//
// Source: GetDeletionCostFromPodAnnotations of pkg/apis/core/helper.
func deletionCost(set tree.Object, p *field.Path) field.ErrorList {
	s := tree.String(set, deletionCostAnnotation)
	if !tree.Has(set, deletionCostAnnotation) || s == "0" {
		return nil
	}
	if _, err := strconv.ParseInt(s, 10, 32); err == nil && s[0] != '+' && s[0] != '0' {
		return nil
	}
	return field.ErrorList{field.Invalid(p.Key(deletionCostAnnotation), s, "must be a 32bit integer")}
}
