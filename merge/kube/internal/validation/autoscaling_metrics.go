package validation

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// metrics checks what the number of Pods depends on.
//
// Source: validateMetrics of pkg/apis/autoscaling/validation, as are the other
// functions of this file.
func metrics(r *Request, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	scalesToZero := false
	for i, m := range tree.List(r.Object, "spec", "metrics") {
		errs = append(errs, metric(m, knownReferenceVersions(r), p.Index(i))...)
		switch tree.String(m, "type") {
		case "Object", "External":
			scalesToZero = true
		}
	}
	if n, ok := tree.Int(r.Object, "spec", "minReplicas"); ok && n == 0 && !scalesToZero {
		errs = append(errs, field.Forbidden(p, "must specify at least one Object or External metric to support scaling to zero replicas"))
	}
	return errs
}

// knownReferenceVersions reports whether apiVersions of described objects have
// to parse: they have not, once one of the old object did not.
func knownReferenceVersions(r *Request) bool {
	if !minors.AutoscalerTargetVersion.In(r.Minor) {
		return false
	}
	for _, m := range tree.List(r.Old, "spec", "metrics") {
		if tree.String(m, "type") == "Object" && tree.Has(m, "object") &&
			len(referenceVersion(tree.String(m, "object", "describedObject", "apiVersion"), true, nil)) > 0 {
			return false
		}
	}
	return true
}

// referenceVersion checks an apiVersion; coreToo allows one without a group.
func referenceVersion(apiVersion string, coreToo bool, p *field.Path) field.ErrorList {
	switch slashes := strings.Count(apiVersion, "/"); {
	case slashes > 1:
		return field.ErrorList{field.Invalid(p, apiVersion, "unexpected GroupVersion string: "+apiVersion)}
	case !coreToo && (slashes == 0 || strings.HasPrefix(apiVersion, "/")):
		return field.ErrorList{field.Invalid(p, apiVersion, "apiVersion must specify API group")}
	}
	return nil
}

// metricSource is the field of a metric that goes with its type.
type metricSource struct {
	metricType, key string
	check           func(source tree.Object, knownVersions bool, p *field.Path) field.ErrorList
}

// metricSources lists the sources in the order in which they are looked at.
func metricSources() []metricSource {
	return []metricSource{
		{"Object", "object", objectMetric},
		{"External", "external", externalMetric},
		{"Pods", "pods", podsMetric},
		{"Resource", "resource", resourceMetric},
		{"ContainerResource", "containerResource", containerResourceMetric},
	}
}

func metric(m any, knownVersions bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	metricType := tree.String(m, "type")
	if metricType == "" {
		errs = append(errs, field.Required(p.Child("type"), "must specify a metric source type"))
	}
	errs = append(errs, oneOf(metricType, p.Child("type"), "ContainerResource", "External", "Object", "Pods", "Resource")...)
	var present, others []string
	var missing field.ErrorList
	for _, s := range metricSources() {
		source := tree.Map(m, s.key)
		if source != nil {
			if present = append(present, s.key); len(present) == 1 {
				errs = append(errs, s.check(source, knownVersions, p.Child(s.key))...)
			}
		}
		switch {
		case source == nil && s.metricType == metricType:
			missing = field.ErrorList{field.Required(p.Child(s.key), "must populate information for the given metric source")}
		case source != nil && s.metricType != metricType:
			others = append(others, s.key)
		}
	}
	errs = append(errs, missing...)
	if len(present) != 1 {
		for _, key := range others {
			errs = append(errs, field.Forbidden(p.Child(key), "must populate the given metric source only"))
		}
	}
	return errs
}

func objectMetric(source tree.Object, knownVersions bool, p *field.Path) field.ErrorList {
	described := tree.Map(source, "describedObject")
	errs := crossVersionReference(described, p.Child("describedObject"))
	if knownVersions {
		errs = append(errs, referenceVersion(tree.String(described, "apiVersion"), true, p.Child("describedObject", "apiVersion"))...)
	}
	errs = append(errs, metricName(source, p)...)
	errs = append(errs, metricTarget(source, p.Child("target"))...)
	if !tree.Has(source, "target", "value") && !tree.Has(source, "target", "averageValue") {
		errs = append(errs, field.Required(p.Child("target", "averageValue"), "must set either a target value or averageValue"))
	}
	return errs
}

func externalMetric(source tree.Object, _ bool, p *field.Path) field.ErrorList {
	errs := append(metricName(source, p), metricTarget(source, p.Child("target"))...)
	hasValue, hasAverage := tree.Has(source, "target", "value"), tree.Has(source, "target", "averageValue")
	if !hasValue && !hasAverage {
		errs = append(errs, field.Required(p.Child("target", "averageValue"), "must set either a target value for metric or a per-pod target"))
	}
	if hasValue && hasAverage {
		errs = append(errs, field.Forbidden(p.Child("target", "value"), "may not set both a target value for metric and a per-pod target"))
	}
	return errs
}

func podsMetric(source tree.Object, _ bool, p *field.Path) field.ErrorList {
	errs := append(metricName(source, p), metricTarget(source, p.Child("target"))...)
	if !tree.Has(source, "target", "averageValue") {
		errs = append(errs, field.Required(p.Child("target", "averageValue"), "must specify a positive target averageValue"))
	}
	return errs
}

func resourceMetric(source tree.Object, _ bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if tree.String(source, "name") == "" {
		errs = append(errs, field.Required(p.Child("name"), "must specify a resource name"))
	}
	return append(errs, utilizationTarget(source, p.Child("target"))...)
}

func containerResourceMetric(source tree.Object, _ bool, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	if name := tree.String(source, "name"); name == "" {
		errs = append(errs, field.Required(p.Child("name"), "must specify a resource name"))
	} else {
		errs = append(errs, containerResourceName(name, p.Child("name"))...)
	}
	if container := tree.String(source, "container"); container == "" {
		errs = append(errs, field.Required(p.Child("container"), "must specify a container"))
	} else {
		errs = append(errs, dns1123Label(container, p.Child("container"))...)
	}
	return append(errs, utilizationTarget(source, p.Child("target"))...)
}

// utilizationTarget checks a target that is a value or a percentage.
func utilizationTarget(source tree.Object, p *field.Path) field.ErrorList {
	errs := metricTarget(source, p)
	hasUtilization, hasAverage := tree.Has(source, "target", "averageUtilization"), tree.Has(source, "target", "averageValue")
	if !hasUtilization && !hasAverage {
		errs = append(errs, field.Required(p.Child("averageUtilization"), "must set either a target raw value or a target utilization"))
	}
	if hasUtilization && hasAverage {
		errs = append(errs, field.Forbidden(p.Child("averageValue"), "may not set both a target raw value and a target utilization"))
	}
	return errs
}

func metricName(source tree.Object, p *field.Path) field.ErrorList {
	name := tree.String(source, "metric", "name")
	at := p.Child("metric", "name")
	if name == "" {
		return field.ErrorList{field.Required(at, "must specify a metric name")}
	}
	return invalidEach(at, name, pathSegmentName(name, false))
}

func metricTarget(source tree.Object, p *field.Path) field.ErrorList {
	var errs field.ErrorList
	target := tree.Map(source, "target")
	switch targetType := tree.String(target, "type"); targetType {
	case "Utilization", "Value", "AverageValue":
	case "":
		errs = append(errs, field.Required(p.Child("type"), "must specify a metric target type"))
		fallthrough
	default:
		errs = append(errs, field.Invalid(p.Child("type"), named(targetType), "must be either Utilization, Value, or AverageValue"))
	}
	for _, key := range []string{"value", "averageValue"} {
		if q := quantity(target[key]); target[key] != nil && q.Sign() != 1 {
			errs = append(errs, field.Invalid(p.Child(key), q.String(), "must be positive"))
		}
	}
	if n, ok := tree.Int(target, "averageUtilization"); ok && n < 1 {
		errs = append(errs, field.Invalid(p.Child("averageUtilization"), n, "must be greater than 0"))
	}
	return errs
}
