package server

import (
	"encoding/json"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// The two versions of HorizontalPodAutoscaler: v1 has a field for the CPU
// utilization only, and keeps everything else as JSON in annotations
// (pkg/apis/autoscaling/v1/conversion.go). The internal version is that of v2.

const scalerPrefix = "autoscaling.alpha.kubernetes.io/"

// scalerStatus are the annotations of v1 that hold status.
var scalerStatus = []string{scalerPrefix + "current-metrics", scalerPrefix + "conditions"}

// scalerAnnotations hold in v1 what only v2 has fields for
// (pkg/apis/autoscaling/annotations.go); v2 hides them.
var scalerAnnotations = append([]string{
	scalerPrefix + "metrics",
	scalerPrefix + "behavior",
	scalerPrefix + "scale-down-tolerance",
	scalerPrefix + "scale-up-tolerance",
}, scalerStatus...)

// convertAutoscaler normalizes what v1 has in annotations, in which wrong JSON is lost.
func convertAutoscaler(hpa tree.Object, version string) {
	switch version {
	case "v1":
		scalerToV2(hpa)
		scalerToV1(hpa)
	case "v2":
		dropAnnotations(hpa, scalerAnnotations)
	}
}

// convertScaler converts a HorizontalPodAutoscaler in place.
func convertScaler(hpa tree.Object, from, to string) {
	switch {
	case from == "v2" && to == "v1":
		scalerToV1(hpa)
	case from == "v1" && to == "v2":
		scalerToV2(hpa)
	}
}

// newScaler removes the status that v1 has in annotations.
func newScaler(hpa tree.Object, _ int) { dropAnnotations(hpa, scalerStatus) }

// updateScaler keeps the status that v1 has in annotations.
func updateScaler(hpa, old tree.Object, _ func(string) bool) {
	dropAnnotations(hpa, scalerStatus)
	for _, key := range scalerStatus {
		if text, ok := tree.Map(old, "metadata", "annotations")[key]; ok {
			tree.Set(hpa, text, "metadata", "annotations", key)
		}
	}
}

func scalerToV1(hpa tree.Object) {
	spec, status := tree.Map(hpa, "spec"), tree.Map(hpa, "status")
	dropAnnotations(hpa, scalerAnnotations)
	var others, current []flatMetric
	for _, m := range tree.List(spec, "metrics") {
		if n, ok := tree.Int(m, "resource", "target", "averageUtilization"); !ok || !isCPU(m) {
			others = append(others, metricToV1(m, "target"))
		} else if !tree.Has(spec, "targetCPUUtilizationPercentage") {
			spec["targetCPUUtilizationPercentage"] = n
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
	annotate(hpa, "conditions", recast[[]flatCondition](tree.List(status, "conditions")))
	if behavior := tree.Map(spec, "behavior"); behavior != nil {
		tree.Set(hpa, jsonText(schema.Internal("autoscaling/v2.HorizontalPodAutoscalerBehavior", behavior)), "metadata", "annotations", scalerPrefix+"behavior")
	}
	drop(spec, "metrics", "behavior")
	drop(status, "currentMetrics", "conditions")
}

// annotate writes a list as JSON, unless it is empty.
func annotate[T any](hpa tree.Object, name string, list []T) {
	if len(list) > 0 {
		tree.Set(hpa, jsonText(list), "metadata", "annotations", scalerPrefix+name)
	}
}

// scalerToV2 makes fields of the CPU utilization and of the annotations of v1.
// Without any metric the target is 80 % of the CPU.
func scalerToV2(hpa tree.Object) {
	spec, status := tree.Map(hpa, "spec"), tree.Map(hpa, "status")
	if spec == nil {
		return
	}
	var metrics []any
	if list, ok := annotated[[]flatMetric](hpa, "metrics"); ok {
		metrics = metricsToV2(list, "target")
	}
	if n, ok := tree.Int(spec, "targetCPUUtilizationPercentage"); ok {
		metrics = append(metrics, scaleOnCPU("target", tree.Object{"type": "Utilization", "averageUtilization": n}))
	} else if len(metrics) == 0 {
		metrics = []any{scaleOnCPU("target", tree.Object{"type": "Utilization", "averageUtilization": int64(80)})}
	}
	spec["metrics"] = metrics
	if b, ok := annotated[flatBehavior](hpa, "behavior"); ok && b != (flatBehavior{}) {
		spec["behavior"] = recast[tree.Object](b)
	}
	if list, ok := annotated[[]flatMetric](hpa, "current-metrics"); ok {
		tree.Set(hpa, metricsToV2(list, "current"), "status", "currentMetrics")
	} else if n, ok := tree.Int(status, "currentCPUUtilizationPercentage"); ok {
		status["currentMetrics"] = []any{scaleOnCPU("current", tree.Object{"averageUtilization": n})}
	}
	if list, ok := annotated[[]flatCondition](hpa, "conditions"); ok {
		tree.Set(hpa, recast[[]any](list), "status", "conditions")
	}
	drop(spec, "targetCPUUtilizationPercentage")
	drop(status, "currentCPUUtilizationPercentage")
	dropAnnotations(hpa, scalerAnnotations)
}

// annotated reads an annotation; ok is false if there is none or its JSON is wrong.
func annotated[T any](hpa tree.Object, name string) (v T, ok bool) {
	text, ok := tree.Map(hpa, "metadata", "annotations")[scalerPrefix+name].(string)
	ok = ok && json.Unmarshal([]byte(text), &v) == nil
	return v, ok
}

// scaleOnCPU is the metric of the CPU utilization.
func scaleOnCPU(values string, numbers tree.Object) any {
	return tree.Object{"type": "Resource", "resource": tree.Object{"name": "cpu", values: numbers}}
}

func isCPU(metric any) bool {
	return tree.String(metric, "type") == "Resource" && tree.String(metric, "resource", "name") == "cpu"
}
