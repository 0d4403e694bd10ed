package server

import (
	"bytes"
	"encoding/json"
	"slices"

	"threeway/merge/schema"
	"threeway/merge/tree"
)

// The two versions of HorizontalPodAutoscaler: v1 has a field for the CPU
// utilization only, and keeps everything else as JSON in annotations
// (pkg/apis/autoscaling/v1/conversion.go).

const scalerPrefix = "autoscaling.alpha.kubernetes.io/"

// scalerAnnotations hold in v1 what only v2 has fields for
// (pkg/apis/autoscaling/annotations.go); v2 hides them.
var scalerAnnotations = []string{
	scalerPrefix + "metrics",
	scalerPrefix + "current-metrics",
	scalerPrefix + "conditions",
	scalerPrefix + "behavior",
	scalerPrefix + "scale-down-tolerance",
	scalerPrefix + "scale-up-tolerance",
}

// scaleOnCPU gives a v1 autoscaler without any metric the default of 80 % CPU.
func scaleOnCPU(hpa tree.Object) {
	spec := tree.Map(hpa, "spec")
	if spec != nil && spec["targetCPUUtilizationPercentage"] == nil && !tree.Has(hpa, "metadata", "annotations", scalerPrefix+"metrics") {
		spec["targetCPUUtilizationPercentage"] = int64(80)
	}
}

func scalerToV1(hpa tree.Object) {
	spec, status := tree.Map(hpa, "spec"), tree.Map(hpa, "status")
	var others, current []any
	for _, m := range tree.List(spec, "metrics") {
		if n, ok := tree.Int(m, "resource", "target", "averageUtilization"); ok && isCPU(m) {
			spec["targetCPUUtilizationPercentage"] = n
		} else {
			others = append(others, metricToV1(m, "target"))
		}
	}
	for _, m := range tree.List(status, "currentMetrics") {
		if n, ok := tree.Int(m, "resource", "current", "averageUtilization"); ok && isCPU(m) {
			status["currentCPUUtilizationPercentage"] = n
		}
		current = append(current, metricToV1(m, "current"))
	}
	annotate(hpa, "metrics", others)
	annotate(hpa, "current-metrics", current)
	annotate(hpa, "conditions", tree.List(status, "conditions"))
	if behavior := tree.Map(spec, "behavior"); behavior != nil {
		if text, err := json.Marshal(schema.Internal("autoscaling/v2.HorizontalPodAutoscalerBehavior", behavior)); err == nil {
			tree.Set(hpa, string(text), "metadata", "annotations", scalerPrefix+"behavior")
		}
	}
	drop(spec, "metrics", "behavior")
	drop(status, "currentMetrics", "conditions")
}

// scalerToV2 gives the CPU utilization of v1 as a metric.
func scalerToV2(hpa tree.Object) {
	spec := tree.Map(hpa, "spec")
	if n, ok := tree.Int(spec, "targetCPUUtilizationPercentage"); ok {
		spec["metrics"] = []any{tree.Object{"type": "Resource", "resource": tree.Object{
			"name": "cpu", "target": tree.Object{"type": "Utilization", "averageUtilization": n}}}}
		delete(spec, "targetCPUUtilizationPercentage")
	}
}

func isCPU(metric any) bool {
	return tree.String(metric, "type") == "Resource" && tree.String(metric, "resource", "name") == "cpu"
}

// metricToV1 flattens a metric; values is the object that holds its numbers in
// v2, "target" or "current".
func metricToV1(m any, values string) any {
	out := tree.CopyObject(m.(map[string]any))
	for _, name := range []string{"resource", "containerResource", "pods", "object", "external"} {
		source := tree.Map(out, name)
		if source == nil {
			continue
		}
		numbers := tree.Map(source, values)
		delete(source, values)
		for from, to := range map[string]string{"averageUtilization": "AverageUtilization", "averageValue": "AverageValue", "value": "Value"} {
			if v, ok := numbers[from]; ok {
				source[values+to] = v
			}
		}
		metric := tree.Map(source, "metric")
		delete(source, "metric")
		if metric != nil {
			source["metricName"] = metric["name"]
			selector := "selector"
			if name == "external" {
				selector = "metricSelector"
			}
			if metric["selector"] != nil {
				source[selector] = metric["selector"]
			}
		}
		if name == "object" {
			source["target"] = source["describedObject"]
			delete(source, "describedObject")
			if v, ok := source[values+"AverageValue"]; ok {
				source["averageValue"] = v
				delete(source, values+"AverageValue")
			}
			orSet(source, values+"Value", "0")
		}
	}
	return out
}

func orSet(m tree.Object, key string, v any) {
	if m[key] == nil {
		m[key] = v
	}
}

func annotate(hpa tree.Object, name string, list []any) {
	if len(list) > 0 {
		tree.Set(hpa, annotationJSON(list), "metadata", "annotations", scalerPrefix+name)
	}
}

// annotationOrder is the order of fields in the Go types whose JSON the
// annotations hold (k8s.io/api/autoscaling/v1 MetricSpec, MetricStatus and
// HorizontalPodAutoscalerCondition and their parts); no two of them disagree.
var annotationOrder = []string{
	"type", "status", "lastTransitionTime", "reason", "message",
	"object", "pods", "resource", "containerResource", "external",
	"kind", "name", "apiVersion",
	"target", "metricName", "metricSelector", "targetValue",
	"targetAverageUtilization", "targetAverageValue", "currentValue",
	"currentAverageUtilization", "currentAverageValue", "selector",
	"averageValue", "container", "matchLabels", "matchExpressions",
	"key", "operator", "values",
}

// annotationJSON marshals with the fields in annotationOrder.
func annotationJSON(v any) string {
	var b bytes.Buffer
	writeOrdered(&b, v)
	return b.String()
}

func writeOrdered(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a, c string) int {
			return slices.Index(annotationOrder, a) - slices.Index(annotationOrder, c)
		})
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonText(k) + ":")
			writeOrdered(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeOrdered(b, x)
		}
		b.WriteByte(']')
	default:
		b.WriteString(jsonText(v))
	}
}
