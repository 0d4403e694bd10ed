package setting

// workloadSettings are the fields of what runs pods, besides those of the pods,
// and of what scales and protects them.
var workloadSettings = []Setting{
	{"Deployment.apps ReplicaSet.apps StatefulSet.apps ReplicationController", "spec.replicas", "0", "1", stops, "a pod starts although the workload was scaled to zero", docs + "concepts/workloads/controllers/deployment/#replicas", ""},
	{"Deployment.apps ReplicaSet.apps StatefulSet.apps DaemonSet.apps ReplicationController", "spec.minReadySeconds", "", "", alters, "a new pod counts as available as soon as it is ready", docs + "concepts/workloads/controllers/deployment/#min-ready-seconds", ""},
	{"Deployment.apps", "spec.paused", "true", "none", stops, "the paused rollout continues", docs + "concepts/workloads/controllers/deployment/#pausing-and-resuming-a-deployment", ""},
	{"Deployment.apps", "spec.strategy.type", "Recreate", "RollingUpdate", stops, "old and new pods run at the same time", strategyPage, ""},
	{"Deployment.apps", "spec.strategy.rollingUpdate.maxUnavailable", "", "some", alters, "a rollout may remove a different number of pods at a time", strategyPage, ""},
	{"Deployment.apps", "spec.strategy.rollingUpdate.maxSurge", "", "some", alters, "a rollout may add a different number of pods at a time", strategyPage, ""},
	{"DaemonSet.apps", "spec.updateStrategy.type", "OnDelete", "RollingUpdate", stops, "a change of the template restarts the pods at once", docs + "tasks/manage-daemon/update-daemon-set/#daemonset-update-strategy", ""},
	{"DaemonSet.apps", "spec.updateStrategy.rollingUpdate.maxUnavailable", "", "some", alters, "a rollout may remove a different number of pods at a time", docs + "tasks/manage-daemon/update-daemon-set/", ""},
	{"DaemonSet.apps", "spec.updateStrategy.rollingUpdate.maxSurge", "", "some", alters, "a rollout stops the old pod of a node before the new one starts", docs + "tasks/manage-daemon/update-daemon-set/", ""},
	{"StatefulSet.apps", "spec.updateStrategy.type", "OnDelete", "RollingUpdate", stops, "pods with an older template are restarted at once", statefulPage + "#update-strategies", ""},
	{"StatefulSet.apps", "spec.updateStrategy.rollingUpdate.partition", "!0", "0", stops, "the rollout continues to every pod", statefulPage + "#partitions", ""},
	{"StatefulSet.apps", "spec.updateStrategy.rollingUpdate.maxUnavailable", "!1", "1", alters, "a rollout removes one pod at a time", statefulPage + "#maximum-unavailable-pods", ""},
	{"StatefulSet.apps", "spec.persistentVolumeClaimRetentionPolicy.whenDeleted", "Delete", "Retain", alters, "the claims stay when the StatefulSet is deleted", statefulPage + "#persistentvolumeclaim-retention", ""},
	{"StatefulSet.apps", "spec.persistentVolumeClaimRetentionPolicy.whenScaled", "Delete", "Retain", alters, "the claims stay when the StatefulSet is scaled down", statefulPage + "#persistentvolumeclaim-retention", ""},
	{"StatefulSet.apps", "spec.ordinals", "", "none", stops, "pods get different ordinals, and so different PersistentVolumeClaims and data", statefulPage + "#start-ordinal", ""},

	{"Job.batch", "spec.suspend", "true", "false", stops, "the Job starts", jobPage + "#suspending-a-job", ""},
	{"Job.batch", "spec.parallelism", "0", "1", stops, "the Job starts pods again", jobPage + "#controlling-parallelism", ""},
	{"Job.batch", "spec.parallelism", "!0", "some", alters, "one pod runs at a time", jobPage + "#controlling-parallelism", ""},
	{"Job.batch", "spec.activeDeadlineSeconds", "", "none", alters, "the Job is no longer stopped after this time", jobPage + "#job-termination-and-cleanup", ""},
	{"Job.batch", "spec.backoffLimit", "", "some", alters, "the number of failures after which the Job fails changes", jobPage + "#pod-backoff-failure-policy", ""},
	{"Job.batch", "spec.ttlSecondsAfterFinished", "", "none", alters, "the finished Job is no longer deleted", jobPage + "#ttl-mechanism-for-finished-jobs", ""},

	{"CronJob.batch", "spec.suspend", "true", "false", stops, "the CronJob starts Jobs again", cronPage + "#schedule-suspension", ""},
	{"CronJob.batch", "spec.concurrencyPolicy", "Forbid", "Allow", stops, "a Job may start while the previous one is still running", cronPage + "#concurrency-policy", ""},
	{"CronJob.batch", "spec.concurrencyPolicy", "Replace", "Allow", stops, "a new Job runs beside the previous one instead of replacing it", cronPage + "#concurrency-policy", ""},
	{"CronJob.batch", "spec.timeZone", "", "none", alters, "Jobs start in the time zone of the controller", cronPage + "#time-zones", ""},
	{"CronJob.batch", "spec.startingDeadlineSeconds", "", "none", alters, "a late Job starts, no matter how late it is", cronPage + "#starting-deadline", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.suspend", "true", "none", stops, "new Jobs start at once instead of waiting", jobPage + "#suspending-a-job", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.parallelism", "", "none", alters, "new Jobs run one pod at a time", jobPage + "#controlling-parallelism", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.completions", "", "none", alters, "the number of pods that new Jobs must complete changes", jobPage + "#parallel-jobs", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.completionMode", "Indexed", "none", alters, "the pods of new Jobs have no index", jobPage + "#completion-mode", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.activeDeadlineSeconds", "", "none", alters, "new Jobs are no longer stopped after this time", jobPage + "#job-termination-and-cleanup", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.backoffLimit", "", "none", alters, "new Jobs fail after six failures", jobPage + "#pod-backoff-failure-policy", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.backoffLimitPerIndex", "", "none", alters, "new Jobs count failures together, not per index", jobPage + "#backoff-limit-per-index", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.maxFailedIndexes", "", "none", alters, "new Jobs continue no matter how many indexes fail", jobPage + "#backoff-limit-per-index", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.ttlSecondsAfterFinished", "", "none", alters, "finished Jobs are no longer deleted automatically", jobPage + "#ttl-mechanism-for-finished-jobs", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.podFailurePolicy", "", "none", alters, "every pod failure counts", jobPage + "#pod-failure-policy", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.podReplacementPolicy", "", "none", alters, "the pod replacement policy changes", jobPage + "#pod-replacement-policy", ""},
	{"CronJob.batch", "spec.jobTemplate.spec.successPolicy", "", "none", alters, "new Jobs need all pods to succeed", jobPage + "#success-policy", ""},

	{"HorizontalPodAutoscaler.autoscaling", "spec.minReplicas", "", "<", stops, "the autoscaler may scale down to one pod", autoscalePage, ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.metrics", "", "", alters, "the autoscaler targets 80% CPU instead", autoscalePage + "#api-object", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleDown.selectPolicy", "Disabled", "", stops, "the autoscaler removes pods again", autoscalePage + "#scaling-policies", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleUp.selectPolicy", "Disabled", "", stops, "the autoscaler adds pods again", autoscalePage + "#scaling-policies", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleDown.selectPolicy", "Min", "", alters, "the autoscaler removes pods faster", autoscalePage + "#scaling-policies", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleUp.selectPolicy", "Min", "", alters, "the autoscaler adds pods faster", autoscalePage + "#scaling-policies", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleDown.stabilizationWindowSeconds", "", "", alters, "the autoscaler waits longer or shorter before it removes pods", autoscalePage + "#stabilization-window", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleUp.stabilizationWindowSeconds", "", "", alters, "the autoscaler waits longer or shorter before it adds pods", autoscalePage + "#stabilization-window", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleDown.policies", "", "", alters, "how fast the autoscaler removes pods changes", autoscalePage + "#scaling-policies", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleUp.policies", "", "", alters, "how fast the autoscaler adds pods changes", autoscalePage + "#scaling-policies", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleDown.tolerance", "", "none", alters, "the tolerance for removing pods changes", autoscalePage + "#tolerance", ""},
	{"HorizontalPodAutoscaler.autoscaling", "spec.behavior.scaleUp.tolerance", "", "none", alters, "the tolerance for adding pods changes", autoscalePage + "#tolerance", ""},

	{"PodDisruptionBudget.policy", "spec.minAvailable", "", "none", stops, "a drain may evict all pods at the same time", budgetPage, "spec.maxUnavailable"},
	{"PodDisruptionBudget.policy", "spec.maxUnavailable", "", "none", stops, "a drain may evict all pods at the same time", budgetPage, "spec.minAvailable"},
	{"PodDisruptionBudget.policy", "spec.unhealthyPodEvictionPolicy", "AlwaysAllow", "none", alters, "pods that are not healthy may block a drain", budgetPage + "#unhealthy-pod-eviction-policy", ""},
	{"PodDisruptionBudget.policy", "spec.selector", "", "none", stops, "the budget protects no pod", budgetPage, ""},
}

const (
	strategyPage  = docs + "concepts/workloads/controllers/deployment/#strategy"
	statefulPage  = docs + "concepts/workloads/controllers/statefulset/"
	cronPage      = docs + "concepts/workloads/controllers/cron-jobs/"
	autoscalePage = docs + "tasks/run-application/horizontal-pod-autoscale/"
	budgetPage    = docs + "tasks/run-application/configure-pdb/"
)
