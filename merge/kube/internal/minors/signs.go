package minors

// Sign is a field that tells the minor of a server: either it writes the field into
// every object of a kind that it returns, or into none.
//
// What a server writes only when an object is created or changed, such as the
// generation of a HorizontalPodAutoscaler, is no sign.
type Sign struct {
	Kind string // KIND.GROUP
	// Given is a field beside it that every minor writes there. An object without
	// Given tells nothing: a tool has removed what the server wrote, or it was
	// never to be there.
	Given string
	Path  string
	// Null: the field is there as null before By; missing, it tells nothing,
	// because many tools remove nulls.
	Null bool
	By   Change
}

// Signs are those that are used. TestSigns in fixtures compares them with the
// recordings.
//
// Source: SetDefaults_StatefulSet in pkg/apis/apps/v1/defaults.go and
// SetDefaults_CSIDriver in pkg/apis/storage/v1/defaults.go of 1.37, which run when
// an object is read; CreationTimestamp of ObjectMeta in
// k8s.io/apimachinery/pkg/apis/meta/v1/types.go, omitzero since 1.34.
var Signs = []Sign{
	{Kind: "StatefulSet.apps", Given: "spec.updateStrategy.rollingUpdate.partition",
		Path: "spec.updateStrategy.rollingUpdate.maxUnavailable", By: StatefulSetUnavailable},
	{Kind: "CSIDriver.storage.k8s.io", Given: "spec.requiresRepublish", Path: "spec.preventPodSchedulingIfMissing", By: DriverScheduling},
	{Kind: "Deployment.apps", Path: "spec.template.metadata.creationTimestamp", Null: true, By: OmitsNullTimes},
	{Kind: "StatefulSet.apps", Path: "spec.template.metadata.creationTimestamp", Null: true, By: OmitsNullTimes},
	{Kind: "DaemonSet.apps", Path: "spec.template.metadata.creationTimestamp", Null: true, By: OmitsNullTimes},
	{Kind: "ReplicaSet.apps", Path: "spec.template.metadata.creationTimestamp", Null: true, By: OmitsNullTimes},
	{Kind: "ReplicationController", Path: "spec.template.metadata.creationTimestamp", Null: true, By: OmitsNullTimes},
	{Kind: "Job.batch", Path: "spec.template.metadata.creationTimestamp", Null: true, By: OmitsNullTimes},
	{Kind: "CronJob.batch", Path: "spec.jobTemplate.metadata.creationTimestamp", Null: true, By: OmitsNullTimes},
}
