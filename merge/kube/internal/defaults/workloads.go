package defaults

import (
	"math"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// workloadRows follow pkg/apis/{apps,batch,autoscaling,policy}/v*/defaults.go.
var workloadRows = []row{
	{"apps/v1.Deployment", "spec.replicas", int64(1)},
	{"apps/v1.Deployment", "spec.strategy.type", "RollingUpdate"},
	{"apps/v1.Deployment", "spec.revisionHistoryLimit", int64(10)},
	{"apps/v1.Deployment", "spec.progressDeadlineSeconds", int64(600)},
	{"apps/v1.DaemonSet", "spec.updateStrategy.type", "RollingUpdate"},
	{"apps/v1.DaemonSet", "spec.revisionHistoryLimit", int64(10)},
	{"apps/v1.StatefulSet", "spec.podManagementPolicy", "OrderedReady"},
	{"apps/v1.StatefulSet", "spec.persistentVolumeClaimRetentionPolicy", tree.Object{}},
	{"apps/v1.StatefulSet", "spec.persistentVolumeClaimRetentionPolicy.whenDeleted", "Retain"},
	{"apps/v1.StatefulSet", "spec.persistentVolumeClaimRetentionPolicy.whenScaled", "Retain"},
	{"apps/v1.StatefulSet", "spec.replicas", int64(1)},
	{"apps/v1.StatefulSet", "spec.revisionHistoryLimit", int64(10)},
	{"apps/v1.ReplicaSet", "spec.replicas", int64(1)},

	{"batch/v1.PodFailurePolicyOnPodConditionsPattern", "status", of{&minors.ConditionStatusDefault, "True"}},
	{"batch/v1.Job", "spec.completionMode", "NonIndexed"},
	{"batch/v1.Job", "spec.suspend", false},
	{"batch/v1.Job", "spec.manualSelector", false},
	{"batch/v1.CronJob", "spec.concurrencyPolicy", "Allow"},
	{"batch/v1.CronJob", "spec.suspend", false},
	{"batch/v1.CronJob", "spec.successfulJobsHistoryLimit", int64(3)},
	{"batch/v1.CronJob", "spec.failedJobsHistoryLimit", int64(1)},

	{"autoscaling/v1.HorizontalPodAutoscaler", "spec.minReplicas", int64(1)},
	{"autoscaling/v2.HorizontalPodAutoscaler", "spec.minReplicas", int64(1)},
	{"autoscaling/v2.HorizontalPodAutoscaler", "spec.metrics", []any{tree.Object{
		"type": "Resource",
		"resource": tree.Object{
			"name":   "cpu",
			"target": tree.Object{"type": "Utilization", "averageUtilization": int64(80)},
		},
	}}},
}

func workloadRules() map[string]rule {
	return map[string]rule{
		"apps/v1.Deployment":  deployment,
		"apps/v1.DaemonSet":   daemonSet,
		"apps/v1.StatefulSet": statefulSet,
		"batch/v1.Job":        job,
		"autoscaling/v2.HorizontalPodAutoscaler": func(hpa tree.Object, _ int) {
			if behavior := tree.Map(hpa, "spec", "behavior"); behavior != nil {
				scalingRules(behavior, "scaleUp", tree.Object{
					"stabilizationWindowSeconds": int64(0),
					"selectPolicy":               "Max",
					"policies":                   []any{scaling("Pods", 4), scaling("Percent", 100)},
				})
				scalingRules(behavior, "scaleDown", tree.Object{
					"selectPolicy": "Max",
					"policies":     []any{scaling("Percent", 100)},
				})
			}
		},
	}
}

func scaling(kind string, value int64) any {
	return tree.Object{"type": kind, "value": value, "periodSeconds": int64(15)}
}

// scalingRules follows copyHPAScalingRules (autoscaling/v2/defaults.go).
func scalingRules(behavior tree.Object, name string, defaults tree.Object) {
	rules := tree.Map(behavior, name)
	if rules == nil {
		rules = tree.Object{}
		behavior[name] = rules
	}
	for k, v := range defaults {
		if rules[k] == nil {
			rules[k] = v
		}
	}
}

// rolling returns the rollingUpdate object of an update strategy, made if
// need be, or nil if the strategy is another.
func rolling(strategy tree.Object) tree.Object {
	if tree.String(strategy, "type") != "RollingUpdate" {
		return nil
	}
	if tree.Map(strategy, "rollingUpdate") == nil {
		strategy["rollingUpdate"] = tree.Object{}
	}
	return tree.Map(strategy, "rollingUpdate")
}

// orSet sets a pointer field that is null.
func orSet(m tree.Object, key string, v any) {
	if m[key] == nil {
		m[key] = v
	}
}

// deployment follows SetDefaults_Deployment.
func deployment(d tree.Object, _ int) {
	if r := rolling(tree.Map(d, "spec", "strategy")); r != nil {
		orSet(r, "maxUnavailable", "25%")
		orSet(r, "maxSurge", "25%")
	}
}

// daemonSet follows SetDefaults_DaemonSet.
func daemonSet(ds tree.Object, _ int) {
	if r := rolling(tree.Map(ds, "spec", "updateStrategy")); r != nil {
		orSet(r, "maxUnavailable", int64(1))
		orSet(r, "maxSurge", int64(0))
	}
}

// statefulSet follows SetDefaults_StatefulSet: the rollingUpdate object is made
// only where the type was left out too.
func statefulSet(sts tree.Object, minor int) {
	strategy := tree.Map(sts, "spec", "updateStrategy")
	if strategy == nil {
		return
	}
	if tree.String(strategy, "type") == "" {
		strategy["type"] = "RollingUpdate"
		rolling(strategy)
	}
	if r := tree.Map(strategy, "rollingUpdate"); r != nil && strategy["type"] == "RollingUpdate" {
		orSet(r, "partition", int64(0))
		if minors.StatefulSetUnavailable.In(minor) {
			orSet(r, "maxUnavailable", int64(1))
		}
	}
}

// conditionStatus follows SetDefaults_PodFailurePolicyOnPodConditionsPattern.
func conditionStatus(pattern tree.Object) {
	if tree.Empty(pattern["status"]) {
		pattern["status"] = "True"
	}
}

// job follows SetDefaults_Job.
func job(j tree.Object, _ int) {
	spec := tree.Map(j, "spec")
	for _, r := range tree.List(spec, "podFailurePolicy", "rules") {
		for _, pattern := range tree.List(r, "onPodConditions") {
			conditionStatus(tree.Map(pattern))
		}
	}
	if spec["completions"] == nil && spec["parallelism"] == nil {
		spec["completions"] = int64(1)
	}
	orSet(spec, "parallelism", int64(1))
	backoff := int64(6)
	if spec["backoffLimitPerIndex"] != nil {
		backoff = math.MaxInt32
	}
	orSet(spec, "backoffLimit", backoff)
	if labels := tree.Map(spec, "template", "metadata", "labels"); labels != nil && len(tree.Map(j, "metadata", "labels")) == 0 {
		tree.Set(j, labels, "metadata", "labels") // the same map: what is added to one is added to both
	}
	replace := "TerminatingOrFailed"
	if spec["podFailurePolicy"] != nil {
		replace = "Failed"
	}
	orSet(spec, "podReplacementPolicy", replace)
}
