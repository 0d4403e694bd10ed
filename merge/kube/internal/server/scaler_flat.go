package server

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	kjson "sigs.k8s.io/json"

	"threeway/merge/tree"
)

// What the annotations of autoscaling/v1 hold, in the order in which Go prints it.
// The five sources of a metric share one type: no two of them order their fields
// differently (k8s.io/api/autoscaling/v1 MetricSpec, MetricStatus and
// HorizontalPodAutoscalerCondition, pkg/apis/autoscaling HorizontalPodAutoscalerBehavior).
type (
	flatMetric struct {
		Type              string      `json:"type"`
		Object            *flatSource `json:"object,omitempty"`
		Pods              *flatSource `json:"pods,omitempty"`
		Resource          *flatSource `json:"resource,omitempty"`
		ContainerResource *flatSource `json:"containerResource,omitempty"`
		External          *flatSource `json:"external,omitempty"`
	}
	flatSource struct {
		Target                    *flatReference     `json:"target,omitempty"`
		Name                      string             `json:"name,omitempty"`
		MetricName                *string            `json:"metricName,omitempty"`
		MetricSelector            *flatSelector      `json:"metricSelector,omitempty"`
		TargetValue               *resource.Quantity `json:"targetValue,omitempty"`
		TargetAverageUtilization  *int32             `json:"targetAverageUtilization,omitempty"`
		TargetAverageValue        *resource.Quantity `json:"targetAverageValue,omitempty"`
		CurrentValue              *resource.Quantity `json:"currentValue,omitempty"`
		CurrentAverageUtilization *int32             `json:"currentAverageUtilization,omitempty"`
		CurrentAverageValue       *resource.Quantity `json:"currentAverageValue,omitempty"`
		Selector                  *flatSelector      `json:"selector,omitempty"`
		AverageValue              *resource.Quantity `json:"averageValue,omitempty"`
		Container                 string             `json:"container,omitempty"`
	}
	flatReference struct {
		Kind       string `json:"kind"`
		Name       string `json:"name"`
		APIVersion string `json:"apiVersion,omitempty"`
	}
	flatSelector struct {
		MatchLabels      map[string]string `json:"matchLabels,omitempty"`
		MatchExpressions []struct {
			Key      string   `json:"key"`
			Operator string   `json:"operator"`
			Values   []string `json:"values,omitempty"`
		} `json:"matchExpressions,omitempty"`
	}
	flatCondition struct {
		Type               string `json:"type"`
		Status             string `json:"status"`
		LastTransitionTime string `json:"lastTransitionTime,omitempty"`
		Reason             string `json:"reason,omitempty"`
		Message            string `json:"message,omitempty"`
		ObservedGeneration *int64 `json:"observedGeneration,omitempty"`
	}
	flatBehavior struct {
		ScaleUp   *flatRules `json:"scaleUp,omitempty"`
		ScaleDown *flatRules `json:"scaleDown,omitempty"`
	}
	flatRules struct {
		StabilizationWindowSeconds *int32  `json:"stabilizationWindowSeconds,omitempty"`
		SelectPolicy               *string `json:"selectPolicy,omitempty"`
		Policies                   []struct {
			Type          string `json:"type"`
			Value         int32  `json:"value"`
			PeriodSeconds int32  `json:"periodSeconds"`
		} `json:"policies,omitempty"`
		Tolerance *resource.Quantity `json:"tolerance,omitempty"`
	}
)

// recast reads the JSON of a value as another type: a tree as one of the types
// above, or one of those as a tree.
func recast[T any](from any) (to T) {
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(jsonText(from)), &to); err != nil {
		panic(err) // what decodes fits both
	}
	return to
}

var metricSources = []string{"resource", "containerResource", "pods", "object", "external"}

// flatNumbers are those that v1 has of each source; conversion loses the others.
var flatNumbers = map[string][]string{
	"resource": {"averageUtilization", "averageValue"}, "containerResource": {"averageUtilization", "averageValue"},
	"pods": {"averageValue"}, "object": {"averageValue", "value"}, "external": {"averageValue", "value"},
}

// metricToV1 flattens a metric of v2; values is the object that holds its numbers
// there, "target" or "current".
func metricToV1(m any, values string) flatMetric {
	out := tree.Object{"type": tree.String(m, "type")}
	for _, name := range metricSources {
		source := tree.CopyObject(tree.Map(m, name))
		if source == nil {
			continue
		}
		out[name] = source
		numbers := tree.CopyObject(tree.Map(source, values))
		delete(source, values)
		orZero(numbers, alwaysThere(name, values))
		for from, to := range map[string]string{"averageUtilization": "AverageUtilization", "averageValue": "AverageValue", "value": "Value"} {
			if v, ok := numbers[from]; ok && slices.Contains(flatNumbers[name], from) {
				source[values+to] = v
			}
		}
		if metric := tree.Map(source, "metric"); metric != nil {
			delete(source, "metric")
			source["metricName"] = tree.String(metric, "name")
			if metric["selector"] != nil {
				source[selectorOf(name)] = metric["selector"]
			}
		}
		if name == "object" {
			source["target"] = source["describedObject"]
			delete(source, "describedObject")
			if v, ok := source[values+"AverageValue"]; ok {
				source["averageValue"] = v
				delete(source, values+"AverageValue")
			}
		}
	}
	return recast[flatMetric](out)
}

// metricsToV2 is the reverse.
func metricsToV2(list []flatMetric, values string) []any {
	metrics := make([]any, len(list))
	for i, m := range list {
		flat := recast[tree.Object](m)
		out := tree.Object{"type": m.Type}
		metrics[i] = out
		for _, name := range metricSources {
			from := tree.Map(flat, name)
			if from == nil {
				continue
			}
			source := tree.Object{}
			out[name] = source
			numbers := tree.Object{}
			for from, v := range from {
				switch from {
				case values + "Value":
					numbers["value"] = v
				case values + "AverageValue", "averageValue":
					numbers["averageValue"] = v
				case values + "AverageUtilization":
					numbers["averageUtilization"] = v
				case "name", "container":
					source[from] = v
				}
			}
			orZero(numbers, alwaysThere(name, values))
			if values == "target" {
				completeTarget(name, numbers)
			}
			source[values] = numbers
			switch name {
			case "pods", "object", "external":
				metric := tree.Object{"name": tree.String(from, "metricName")}
				if selector, ok := from[selectorOf(name)]; ok {
					metric["selector"] = selector
				}
				source["metric"] = metric
			}
			if name == "object" {
				source["describedObject"] = from["target"]
			}
		}
	}
	return metrics
}

func selectorOf(source string) string {
	if source == "external" {
		return "metricSelector"
	}
	return "selector"
}

// alwaysThere is the number of a metric that its type of v1 cannot be without.
func alwaysThere(source, values string) string {
	switch {
	case source == "object", source == "external" && values == "current":
		return "value"
	case source == "pods", source != "external" && values == "current":
		return "averageValue"
	}
	return ""
}

// completeTarget says which of its numbers a target is for.
func completeTarget(source string, target tree.Object) {
	zero := resource.Quantity{}
	value, hasValue := target["value"].(string)
	switch _, utilization := target["averageUtilization"]; {
	case source == "object" && tree.Has(target, "averageValue"):
		target["type"] = "AverageValue"
		if q, err := resource.ParseQuantity(value); err == nil && q.Cmp(zero) == 0 {
			delete(target, "value")
		}
	case hasValue:
		target["type"] = "Value"
	case utilization:
		target["type"] = "Utilization"
	default:
		target["type"] = "AverageValue"
	}
}

func orZero(numbers tree.Object, key string) {
	if key != "" && numbers[key] == nil {
		numbers[key] = "0"
	}
}
