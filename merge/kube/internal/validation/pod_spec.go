package validation

import (
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// podSpec checks a pod spec; meta is the metadata of the pod, nil in a
// template.
//
// Source: ValidatePodSpec of pkg/apis/core/validation.
func podSpec(spec, meta tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	valid, errs := volumes(spec, meta, p.Child("volumes"), opts)
	errs = append(errs, podResourceClaims(tree.List(spec, "resourceClaims"), meta, p.Child("resourceClaims"))...)
	pod := newPodContext(spec, valid, opts)
	errs = append(errs, containers(pod, p.Child("containers"))...)
	errs = append(errs, initContainers(pod, p.Child("initContainers"))...)
	errs = append(errs, ephemeralContainers(pod, p.Child("ephemeralContainers"))...)
	errs = append(errs, podResources(pod, p)...)
	errs = append(errs, hostNetworkPorts(spec, p, opts)...)
	errs = append(errs, requiredOneOf(tree.String(spec, "restartPolicy"), p.Child("restartPolicy"), "Always", "OnFailure", "Never")...)
	errs = append(errs, dnsPolicy(tree.String(spec, "dnsPolicy"), p.Child("dnsPolicy"))...)
	errs = append(errs, labelSet(tree.Map(spec, "nodeSelector"), p.Child("nodeSelector"))...)
	errs = append(errs, podSecurityContext(spec, p.Child("securityContext"), opts)...)
	errs = append(errs, affinity(tree.Map(spec, "affinity"), p.Child("affinity"), opts)...)
	errs = append(errs, dnsConfig(spec, opts, p.Child("dnsConfig"))...)
	errs = append(errs, gates(spec, p)...)
	errs = append(errs, topologySpread(tree.List(spec, "topologySpreadConstraints"), p.Child("topologySpreadConstraints"), opts)...)
	errs = append(errs, hostProcess(spec, p)...)
	errs = append(errs, userNamespaces(spec, p, opts)...)
	errs = append(errs, podNames(spec, p)...)
	errs = append(errs, tolerations(tree.List(spec, "tolerations"), p.Child("tolerations"), opts)...)
	errs = append(errs, hostAliases(tree.List(spec, "hostAliases"), p.Child("hostAliases"))...)
	errs = append(errs, podClasses(spec, p, opts)...)
	errs = append(errs, operatingSystem(spec, p, opts)...)
	errs = append(errs, schedulingGroup(spec, p.Child("schedulingGroup"))...)
	return append(errs, fileKeyVolumes(spec, p)...)
}

// gates checks readiness and scheduling gates.
//
// Source: validateReadinessGates and validateSchedulingGates of
// pkg/apis/core/validation.
func gates(spec tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, g := range tree.List(spec, "readinessGates") {
		condition := tree.String(g, "conditionType")
		errs = append(errs, qualifiedName(condition, p.Child("readinessGates").Index(i).Child("conditionType"))...)
	}
	seen := map[string]bool{}
	for i, g := range tree.List(spec, "schedulingGates") {
		name, at := tree.String(g, "name"), p.Child("schedulingGates").Index(i)
		errs = append(errs, qualifiedName(name, at)...)
		if seen[name] {
			errs = append(errs, field.Duplicate(at, name))
		}
		seen[name] = true
	}
	return errs
}

// podNames checks the names by which a pod is known and those it runs under.
func podNames(spec tree.Object, p *field.Path) field.ErrorList {
	errs := hostnameOverride(spec, p.Child("hostnameOverride"))
	for _, key := range []string{"serviceAccountName", "nodeName"} {
		if name := tree.String(spec, key); name != "" {
			errs = append(errs, dns1123Subdomain(name, p.Child(key))...)
		}
	}
	if deadline, ok := tree.Int(spec, "activeDeadlineSeconds"); ok {
		errs = append(errs, invalidEach(p.Child("activeDeadlineSeconds"), deadline, isInRange(deadline, 1, math.MaxInt32))...)
	}
	for _, key := range []string{"hostname", "subdomain"} {
		if name := tree.String(spec, key); name != "" {
			errs = append(errs, dns1123Label(name, p.Child(key))...)
		}
	}
	return errs
}

// hostnameOverride checks the name that a pod gives itself.
//
// Source: validatePodHostName of pkg/apis/core/validation.
func hostnameOverride(spec tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(spec, "hostnameOverride") {
		return nil
	}
	var errs field.ErrorList
	name := tree.String(spec, "hostnameOverride")
	if tree.Bool(spec, "setHostnameAsFQDN") {
		errs = append(errs, notAllowed(p, "may not be specified when setHostnameAsFQDN is true"))
	}
	if tree.Bool(spec, "hostNetwork") {
		errs = append(errs, notAllowed(p, "may not be specified when hostNetwork is true"))
	}
	if len(name) > 64 {
		errs = append(errs, field.TooLong(p, "", 64))
	}
	return append(errs, dns1123Subdomain(name, p)...)
}

// podClasses checks priority, runtime class and the overhead of the latter.
func podClasses(spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	if name := tree.String(spec, "priorityClassName"); name != "" {
		errs = append(errs, dns1123Subdomain(name, p.Child("priorityClassName"))...)
	}
	if tree.Has(spec, "runtimeClassName") {
		errs = append(errs, dns1123Subdomain(tree.String(spec, "runtimeClassName"), p.Child("runtimeClassName"))...)
	}
	if tree.Has(spec, "preemptionPolicy") {
		errs = append(errs, requiredOneOf(tree.String(spec, "preemptionPolicy"), p.Child("preemptionPolicy"), "PreemptLowerPriority", "Never")...)
	}
	return append(errs, overhead(tree.Map(spec, "overhead"), p.Child("overhead"), opts)...)
}

// overhead checks what a runtime needs beside the containers; upstream
// checks it as limits of a container.
func overhead(list tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	return limitsAndRequests(tree.Object{"limits": list}, containerResourceName, p, opts)
}

func schedulingGroup(spec tree.Object, p *field.Path) field.ErrorList {
	if !tree.Has(spec, "schedulingGroup") {
		return nil
	}
	p = p.Child("podGroupName")
	if !tree.Has(spec, "schedulingGroup", "podGroupName") {
		return field.ErrorList{field.Invalid(p, nil, "must specify one of: `podGroupName`")}
	}
	return dns1123Subdomain(tree.String(spec, "schedulingGroup", "podGroupName"), p)
}
