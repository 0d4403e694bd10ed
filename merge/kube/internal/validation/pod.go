package validation

import (
	"encoding/json"
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

const (
	mirrorAnnotation      = "kubernetes.io/config.mirror"
	tolerationsAnnotation = "scheduler.alpha.kubernetes.io/tolerations"
)

// Rules of Pods and their templates.
var (
	Pod         = Rules{createPod, updatePod}
	PodTemplate = Rules{inOrder(namespaced(nameIsDNSSubdomain), ownTemplate), inOrder(updatedMeta, ownTemplate)}
)

// Binding checks the order to run a Pod on a Node.
//
// Source: ValidatePodBinding of pkg/apis/core/validation.
func Binding(r *Request) field.ErrorList {
	p := field.NewPath("target")
	var errs field.ErrorList
	if kind := tree.String(r.Object, "target", "kind"); kind != "" && kind != "Node" {
		errs = append(errs, field.NotSupported(p.Child("kind"), kind, []string{"Node", "<empty>"}))
	}
	switch name := tree.String(r.Object, "target", "name"); {
	case name == "":
		errs = append(errs, field.Required(p.Child("name"), ""))
	case len(errs) == 0 && minors.BindingNodeNames.In(r.Minor):
		errs = append(errs, dns1123Subdomain(name, p.Child("name"))...)
	}
	return errs
}

// createPod is ValidatePodCreate of pkg/apis/core/validation.
func createPod(r *Request) field.ErrorList {
	spec, meta, p := tree.Map(r.Object, "spec"), tree.Map(r.Object, "metadata"), field.NewPath("spec")
	opts := newPodOptions(r.Minor)
	opts.isPod = true
	errs := podMetaAndSpec(r, opts)
	if len(tree.List(spec, "ephemeralContainers")) > 0 {
		errs = append(errs, notAllowed(p.Child("ephemeralContainers"), "cannot be set on create"))
	}
	if tree.String(spec, "nodeName") != "" && len(tree.List(spec, "schedulingGates")) > 0 {
		errs = append(errs, notAllowed(p.Child("nodeName"), "cannot be set until all schedulingGates have been cleared"))
	}
	return append(errs, profilesMatch(tree.Map(meta, "annotations"), spec, p)...)
}

// podMetaAndSpec checks what holds for a Pod at any time.
//
// Source: validatePodMetadataAndSpec.
func podMetaAndSpec(r *Request, opts podOptions) field.ErrorList {
	meta, spec, p := tree.Map(r.Object, "metadata"), tree.Map(r.Object, "spec"), field.NewPath("spec")
	errs := namespacedMeta(r, nameIsDNSSubdomain)
	errs = append(errs, podAnnotations(tree.Map(meta, "annotations"), spec, field.NewPath("metadata", "annotations"), opts)...)
	errs = append(errs, podSpec(spec, meta, p, opts)...)
	if tree.String(spec, "serviceAccountName") == "" {
		for i, v := range tree.List(spec, "volumes") {
			for j, source := range tree.List(v, "projected", "sources") {
				if tree.Has(source, "serviceAccountToken") {
					at := p.Child("volumes").Index(i).Child("projected", "sources").Index(j).Child("serviceAccountToken")
					errs = append(errs, notAllowed(at, "must not be specified when serviceAccountName is not set"))
				}
			}
		}
	}
	for _, list := range []string{"containers", "initContainers"} {
		errs = append(errs, each(tree.List(spec, list), p.Child(list), imageWithoutPadding)...)
	}
	return errs
}

// ownTemplate checks that of a PodTemplate (ValidatePodTemplate, ValidatePodTemplateUpdate).
func ownTemplate(r *Request) field.ErrorList {
	return podTemplate(tree.Map(r.Object, "template"), field.NewPath("template"), podTemplateOptions(tree.Map(r.Old, "template"), r.Minor))
}

// podTemplate checks the template that a workload makes its Pods from.
//
// Source: ValidatePodTemplateSpec.
func podTemplate(template tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	set, spec := tree.Map(template, "metadata", "annotations"), tree.Map(template, "spec")
	errs := labelSet(tree.Map(template, "metadata", "labels"), p.Child("labels"))
	errs = append(errs, annotations(set, p.Child("annotations"))...)
	errs = append(errs, podAnnotations(set, spec, p.Child("annotations"), opts)...)
	errs = append(errs, podSpec(spec, nil, p.Child("spec"), opts)...)
	errs = append(errs, profilesMatch(set, spec, p.Child("spec"))...)
	if len(tree.List(spec, "ephemeralContainers")) > 0 {
		errs = append(errs, notAllowed(p.Child("spec", "ephemeralContainers"), "ephemeral containers not allowed in pod template"))
	}
	return errs
}

func profilesMatch(annotations, spec tree.Object, p *field.Path) field.ErrorList {
	return append(seccompMatches(annotations, spec, p), appArmorMatches(annotations, spec, p)...)
}

// podAnnotations checks the annotations that Kubernetes itself gives a
// meaning on Pods.
//
// Source: ValidatePodSpecificAnnotations.
func podAnnotations(set, spec tree.Object, p *field.Path, opts podOptions) field.ErrorList {
	var errs field.ErrorList
	if tree.Has(set, mirrorAnnotation) && tree.String(spec, "nodeName") == "" {
		errs = append(errs, field.Invalid(p.Key(mirrorAnnotation), tree.String(set, mirrorAnnotation),
			"must set spec.nodeName if mirror pod annotation is set"))
	}
	if text := tree.String(set, tolerationsAnnotation); text != "" {
		list, err := tolerationsOf(text)
		if err != nil {
			errs = append(errs, field.Invalid(p, tolerationsAnnotation, err.Error()))
		} else {
			errs = append(errs, tolerations(list, p.Child(tolerationsAnnotation), opts)...)
		}
	}
	if !opts.allowInvalidDeletionCost {
		errs = append(errs, deletionCost(set, p)...)
	}
	return append(errs, profileAnnotations(set, spec, p)...)
}

// tolerationsOf reads tolerations as upstream's internal type does, which has
// no names for JSON: keys match in any case.
func tolerationsOf(text string) ([]any, error) {
	type TolerationOperator string
	type TaintEffect string
	type Toleration struct {
		Key               string
		Operator          TolerationOperator
		Value             string
		Effect            TaintEffect
		TolerationSeconds *int64
	}
	var read []Toleration
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), "validation.", "core."))
	}
	var list []any
	for _, t := range read {
		toleration := tree.Object{"key": t.Key, "operator": string(t.Operator), "value": t.Value, "effect": string(t.Effect)}
		if t.TolerationSeconds != nil {
			toleration["tolerationSeconds"] = *t.TolerationSeconds
		}
		list = append(list, toleration)
	}
	return list, nil
}
