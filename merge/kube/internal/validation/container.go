package validation

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/tree"
)

// podContext is what the checks of a container need to know of its pod.
type podContext struct {
	spec       tree.Object
	volumes    map[string]tree.Object // valid volumes by name
	claims     []string               // names of resource claims
	opts       podOptions
	ownUserNS  bool // hostUsers is false
	neverAgain bool // the pod's restartPolicy is Never
}

func newPodContext(spec tree.Object, volumes map[string]tree.Object, opts podOptions) *podContext {
	c := &podContext{spec: spec, volumes: volumes, opts: opts}
	for _, claim := range tree.List(spec, "resourceClaims") {
		if name := tree.String(claim, "name"); name != "" {
			c.claims = append(c.claims, name)
		}
	}
	c.ownUserNS = hasOwnUserNamespace(spec)
	c.neverAgain = tree.String(spec, "restartPolicy") == "Never"
	return c
}

// hasOwnUserNamespace reports whether hostUsers is set to false.
func hasOwnUserNamespace(spec tree.Object) bool {
	return tree.Has(spec, "hostUsers") && !tree.Bool(spec, "hostUsers")
}

// container checks what holds for containers of all three lists.
//
// Source: validateContainerCommon of pkg/apis/core/validation.
func container(c any, pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name := tree.String(c, "name"); name == "" {
		errs = append(errs, field.Required(p.Child("name"), ""))
	} else {
		errs = append(errs, dns1123Label(name, p.Child("name"))...)
	}
	errs = append(errs, required(c, p, "image")...)
	errs = append(errs, requiredOneOf(tree.String(c, "terminationMessagePolicy"), p.Child("terminationMessagePolicy"),
		"File", "FallbackToLogsOnError")...)
	errs = append(errs, containerPorts(tree.List(c, "ports"), p.Child("ports"))...)
	errs = append(errs, env(tree.List(c, "env"), pod.opts, p.Child("env"))...)
	errs = append(errs, envFrom(tree.List(c, "envFrom"), pod.opts, p.Child("envFrom"))...)
	errs = append(errs, volumeMounts(c, pod, p.Child("volumeMounts"))...)
	errs = append(errs, volumeDevices(c, pod, p.Child("volumeDevices"))...)
	errs = append(errs, pullPolicy(tree.String(c, "imagePullPolicy"), p.Child("imagePullPolicy"))...)
	errs = append(errs, resourceRequirements(tree.Map(c, "resources"), pod.claims, p.Child("resources"), pod.opts)...)
	errs = append(errs, resizePolicy(tree.List(c, "resizePolicy"), pod, p.Child("resizePolicy"))...)
	return append(errs, securityContext(tree.Map(c, "securityContext"), !pod.ownUserNS, pod.opts.allowSysAdmin, p.Child("securityContext"))...)
}

// containers checks the list of regular containers.
//
// Source: validateContainers of pkg/apis/core/validation.
func containers(pod *podContext, p *field.Path) field.ErrorList {
	list := tree.List(pod.spec, "containers")
	if len(list) == 0 {
		return field.ErrorList{field.Required(p, "")}
	}
	var errs field.ErrorList
	names := map[string]bool{}
	for i, c := range list {
		at := p.Index(i)
		errs = append(errs, container(c, pod, at)...)
		name := tree.String(c, "name")
		if names[name] {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		}
		names[name] = true
		errs = append(errs, lifecycle(c, pod, at.Child("lifecycle"))...)
		errs = append(errs, probes(c, pod, at)...)
		errs = append(errs, containerRestartPolicy(c, pod.opts, at)...)
	}
	return append(errs, hostPortConflicts(list, p)...)
}

// initContainers checks the list of init containers; those with restart
// policy Always (sidecars) may have probes and a lifecycle.
//
// Source: validateInitContainers of pkg/apis/core/validation.
func initContainers(pod *podContext, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	names := namesOf(tree.List(pod.spec, "containers"))
	for i, c := range tree.List(pod.spec, "initContainers") {
		at := p.Index(i)
		errs = append(errs, container(c, pod, at)...)
		errs = append(errs, initRestartPolicy(c, pod.opts, at)...)
		name := tree.String(c, "name")
		if names[name] {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		} else if name != "" {
			names[name] = true
		}
		// Init containers run one after the other: no conflicts between them.
		errs = append(errs, hostPortConflicts([]any{c}, p)...)
		if isSidecar(c) {
			errs = append(errs, lifecycle(c, pod, at.Child("lifecycle"))...)
			errs = append(errs, probes(c, pod, at)...)
			continue
		}
		for _, key := range []string{"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"} {
			if tree.Has(c, key) {
				errs = append(errs, notAllowed(at.Child(key), "may not be set for init containers without restartPolicy=Always"))
			}
		}
		errs = append(errs, initResizePolicy(c, pod, at)...)
	}
	return errs
}

// ephemeralContainers checks the list of ephemeral containers.
//
// Source: validateEphemeralContainers of pkg/apis/core/validation.
func ephemeralContainers(pod *podContext, p *field.Path) field.ErrorList {
	const no = "cannot be set for an Ephemeral Container"
	var errs field.ErrorList
	others := namesOf(tree.List(pod.spec, "containers"), tree.List(pod.spec, "initContainers"))
	names := maps.Clone(others)
	for i, c := range tree.List(pod.spec, "ephemeralContainers") {
		at := p.Index(i)
		errs = append(errs, container(c, pod, at)...)
		errs = append(errs, imageWithoutPadding(c, at)...)
		name, target := tree.String(c, "name"), tree.String(c, "targetContainerName")
		if names[name] {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		}
		names[name] = true
		if target != "" && !others[target] {
			errs = append(errs, field.NotFound(at.Child("targetContainerName"), target))
		}
		for _, key := range []string{"ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules",
			"livenessProbe", "readinessProbe", "startupProbe", "lifecycle"} {
			// An empty list is one, but resources are a struct upstream.
			if tree.Has(c, key) && (key != "resources" || len(tree.Map(c, key)) > 0) {
				errs = append(errs, notAllowed(at.Child(key), no))
			}
		}
		for j, mount := range tree.List(c, "volumeMounts") {
			for _, key := range []string{"subPath", "subPathExpr"} {
				if tree.String(mount, key) != "" {
					errs = append(errs, notAllowed(at.Child("volumeMounts").Index(j).Child(key), no))
				}
			}
		}
	}
	return errs
}

// imageWithoutPadding holds for pods, not for pod templates.
func imageWithoutPadding(c any, p *field.Path) field.ErrorList {
	image := tree.String(c, "image")
	if strings.TrimSpace(image) == image {
		return nil
	}
	return field.ErrorList{field.Invalid(p.Child("image"), image, "must not have leading or trailing whitespace")}
}

func pullPolicy(policy string, p *field.Path) field.ErrorList {
	return requiredOneOf(policy, p, "Always", "IfNotPresent", "Never")
}

func isSidecar(initContainer any) bool {
	return tree.String(initContainer, "restartPolicy") == "Always"
}

func containerNames(list []any) []string {
	var names []string
	for _, c := range list {
		names = append(names, tree.String(c, "name"))
	}
	return names
}

func namesOf(lists ...[]any) map[string]bool {
	names := map[string]bool{}
	for _, name := range containerNames(slices.Concat(lists...)) {
		names[name] = true
	}
	return names
}

// eachContainer visits the containers of a pod spec in the order in which
// checks across all three lists report them.
func eachContainer(spec tree.Object, p *field.Path, visit func(c any, p *field.Path)) {
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for i, c := range tree.List(spec, list) {
			visit(c, p.Child(list).Index(i))
		}
	}
}
