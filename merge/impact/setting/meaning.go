package setting

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/merge/access"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/memo"
	"threeway/merge/tree"
)

// Meaning is a field of which different values may mean the same, or one is safer than
// another.
type Meaning struct {
	// Kinds and Field are written as those of a [Setting].
	Kinds, Field string
	// canon makes equal what means the same in a namespace; nil leaves values as they are.
	canon func(namespace string, v any) any
	// within reports whether what one canonical value allows is allowed by another; nil if
	// values do not compare so.
	within func(inner, outer any) bool
	// More and Less say of a change that it allows more or less than before.
	More, Less string
	// order is 1 if the new value is safer than the old one, -1 if it is less safe; not ok if
	// they cannot be compared. nil: none is safer. Safer says of a change to a safer value what
	// it does, Weaker of one to a less safe value; without them the new value allows less or more.
	order         func(was, is any) (order int, ok bool)
	Safer, Weaker string
	// Both says of a change that it allows more and less than before; "" if More and Less say it.
	Both string
	// brief is what sentences show of a value; nil: the value.
	brief func(v any) any
	// named says what one canonical value allows and another does not, for {more} and {less}; nil: nothing.
	named func(inner, outer any) string
	// Values says what the field does with a new value, or with a new one in place of an old one:
	// "old>new"; "*" is any new one.
	Values map[string]string
	// Usual is up to which a higher value is safer in any case; above it, only up to three times
	// the old one. 0: any.
	Usual float64
	// Class is that of a change that this says; "" if it is that of the area.
	Class Class
	// Partial tells that within looks at a part of the values: those that it takes for equal are not.
	Partial bool
	// Part tells that the field says nothing without what it is in.
	Part bool
	// Whole tells that only a change of the field as a whole is meant, and none of what is in it.
	Whole bool
	// OfPod tells that a container without a value has that of its pod.
	OfPod bool
}

// Meanings are the fields with a meaning of their own, so that no field of them is looked
// at alone.
var Meanings = []*Meaning{
	{Kinds: Any, Field: "metadata.finalizers", canon: unordered},
	{Kinds: Any, Field: "metadata.ownerReferences", canon: unordered},

	{Kinds: PodSpec, Field: "imagePullSecrets", canon: unordered},
	{Kinds: "DaemonSet.apps", Field: "spec.template.spec.tolerations", canon: tolerations}, // a DaemonSet stops pods, too: its area says so
	{Kinds: "DaemonSet.apps", Field: "spec.template.spec.affinity", canon: unordered},
	{Kinds: "DaemonSet.apps", Field: "spec.template.spec.nodeSelector", canon: unordered},
	{Kinds: PodSpec, Field: "tolerations", canon: tolerations, within: tolerates, brief: taints, More: "new pods tolerate {new} (was {old})|new pods may run on nodes with more taints", Less: "new pods tolerate {new} (was {old})|new pods no longer run on nodes with some taints", Both: "new pods tolerate {new} rather than {old}|new pods tolerate some taints that they did not, and no longer tolerate others"},
	{Kinds: PodSpec, Field: "nodeSelector", canon: orNone, within: hasLabels, More: onNodes + "new pods may run on nodes without some labels", Less: onNodes + "new pods run only on nodes with more labels", Both: onNodes + "new pods run on nodes with different labels"},
	{Kinds: PodSpec, Field: "affinity", canon: orNone, order: prefers, Safer: "new pods prefer some nodes, and run on others if those are full", within: schedules, Partial: true, brief: avoided, More: "new pods may run on more nodes, or share one", Less: "new pods fit on fewer nodes", Both: "new pods share no {new} with the pods that they avoid (was {old})|new pods fit on different nodes, or share them with different pods"},
	{Kinds: PodSpec, Field: "topologySpreadConstraints", canon: unordered, order: prefers, Safer: "new pods are spread over nodes where possible", within: spread, More: "more new pods may share a node or zone, and go down with it", Less: "new pods that cannot be spread do not start"},
	{Kinds: PodSpec, Field: "readinessGates", canon: unordered},
	{Kinds: PodSpec, Field: "schedulingGates", canon: unordered},
	{Kinds: PodSpec, Field: "securityContext.supplementalGroups", canon: orEmpty, within: subset, More: "containers get more supplementary groups", Less: "containers lose supplementary groups, and may no longer read files of those groups"},
	{Kinds: PodSpec, Field: "securityContext.runAsGroup", OfPod: true, order: leavesRoot, Safer: "containers no longer run in the group root", Weaker: "containers run in the group root"},
	{Kinds: Container, Field: "securityContext.runAsGroup", OfPod: true, order: leavesRoot, Safer: "the container no longer runs in the group root", Weaker: "the container runs in the group root"},
	{Kinds: PodSpec, Field: "securityContext.fsGroup", order: ranked(notRoot), Safer: "files in volumes no longer belong to the group root", Weaker: "files in volumes belong to the group root"},
	{Kinds: PodSpec, Field: "securityContext.fsGroupChangePolicy", canon: or("Always"), order: wants("OnRootMismatch"), Safer: "the group of files in a volume is set only if that of its root differs", Weaker: "the group of all files in a volume is set at each start: pods with large volumes start later"},
	{Kinds: PodSpec, Field: "shareProcessNamespace", Class: Isolation, order: avoids(true), Safer: "containers of a pod no longer see the processes of each other", Weaker: "containers of a pod see the processes of each other, and their environment"},
	{Kinds: PodSpec, Field: "enableServiceLinks", Class: Isolation, canon: or(true), order: wants(false), Safer: "containers no longer get environment variables for every Service", Weaker: "containers get environment variables for every Service"},
	{Kinds: PodSpec, Field: "preemptionPolicy", canon: or("PreemptLowerPriority"), order: wants("Never"), Less: "new pods wait for room and preempt no other pods", More: "new pods may preempt others"},
	{Kinds: PodSpec, Field: "dnsConfig", canon: orNone, order: looksUp, Safer: "new pods look names up with other options, and find the same"},
	{Kinds: PodSpec, Field: "serviceAccountName", canon: or("default")},
	{Kinds: PodSpec, Field: "dnsPolicy", Values: map[string]string{"Default": "new pods use the DNS server of their node, and no longer find Services by name", "None": "new pods use only the DNS servers in dnsConfig", "Default>ClusterFirst": "new pods use the DNS server of the cluster first", "None>ClusterFirst": "new pods use the DNS server of the cluster first", "ClusterFirstWithHostNet": "new pods use the DNS server of the cluster first, also in the network of their node"}},
	{Kinds: PodSpec, Field: "volumes[].*.readOnly", Part: true, order: wants(true), Class: Isolation, Safer: "pods cannot write to the volume", Weaker: "new pods may write to the volume"},
	{Kinds: PodSpec, Field: "volumes[].emptyDir.sizeLimit", Class: Protection, Part: true, order: smaller, Less: "pods that write more to the volume are evicted", More: "the volume may use more of the disk of the node"},
	{Kinds: Container, Field: "volumeMounts[].readOnly", order: wants(true), Class: Isolation, Safer: "the container cannot write to the volume", Weaker: "the container may write to the volume"},
	{Kinds: Container, Field: "ports[].hostIP", Class: Isolation, canon: anyAddress, order: avoids("0.0.0.0"), Less: "the port is open on one address of the node alone", More: "the port is open on every address of the node"},
	{Kinds: Container, Field: "terminationMessagePolicy", Class: Protection, canon: or("File"), order: wants("FallbackToLogsOnError"), Safer: "the status of a container that fails shows the end of its log", Weaker: "the status of a container that fails no longer shows the end of its log"},
	{Kinds: PodSpec, Field: "securityContext.sysctls", canon: unordered, order: asksNode, brief: parameters, Safer: "new pods no longer need a node that allows unsafe kernel parameters", Weaker: "new pods set {new} (was {old}): only a node that allows the unsafe ones starts them|new pods set {new}: only a node that allows the unsafe ones starts them|only a node that allows unsafe kernel parameters starts new pods", Values: map[string]string{"*": "new pods set {new} (was {old})|new pods set {new}|new pods set different kernel parameters"}},
	{Kinds: PodSpec, Field: "automountServiceAccountToken", order: wants(false), Safer: "new pods get no token for the API server", Weaker: "new pods get a token for the API server"},
	{Kinds: PodSpec, Field: "hostNetwork", order: avoids(true), Safer: "new pods leave the network of their node", Weaker: "new pods use the network of their node"},
	{Kinds: PodSpec, Field: "hostPID", order: avoids(true), Safer: "new pods no longer see the processes of their node", Weaker: "new pods see the processes of their node"},
	{Kinds: PodSpec, Field: "hostIPC", order: avoids(true), Safer: "new pods no longer share the IPC namespace of their node", Weaker: "new pods share the IPC namespace of their node"},
	{Kinds: PodSpec, Field: "hostUsers", order: wants(false), Safer: "root in new pods is no longer root on the node", Weaker: "root in new pods is root on the node"},
	{Kinds: PodSpec, Field: "securityContext.runAsUser", OfPod: true, order: ranked(notRoot), Safer: "containers no longer run as root", Weaker: "containers run as root"},
	{Kinds: PodSpec, Field: "securityContext.supplementalGroupsPolicy", order: ranked(func(v any) int { return map[any]int{"Strict": 1}[v] }), Safer: "containers no longer get the groups of their image", Weaker: "containers also get the groups of their image"},
	{Kinds: PodSpec, Field: "volumes[].secret.defaultMode", canon: or(int64(0o644)), within: fewerBits, More: "more users of new pods may read or write the files of a Secret", Safer: "fewer users of new pods may read the files of a Secret"},
	{Kinds: PodSpec, Field: "volumes[].projected.defaultMode", canon: or(int64(0o644)), within: fewerBits, More: "more users of new pods may read or write the files of a volume", Safer: "fewer users of new pods may read the files of a volume"},
	{Kinds: PodSpec, Field: "securityContext.runAsNonRoot", OfPod: true, order: wants(true), Safer: "containers that would run as root do not start", Weaker: "containers may run as root"},
	{Kinds: PodSpec, Field: "securityContext.seccompProfile", OfPod: true, order: ranked(seccomp), Safer: "containers may make fewer system calls", Weaker: "containers may make all system calls"},
	{Kinds: Container, Field: "securityContext.runAsNonRoot", OfPod: true, order: wants(true), Safer: "the container does not start if it would run as root", Weaker: "the container may run as root"},
	{Kinds: Container, Field: "securityContext.runAsUser", OfPod: true, order: ranked(notRoot), Safer: "the container no longer runs as root", Weaker: "the container runs as root"},
	{Kinds: Container, Field: "imagePullPolicy", order: ranked(pulls), Safer: "the image is pulled for more new pods", Weaker: "new pods run whichever image their node has under this name"},
	{Kinds: Container, Field: "securityContext.seccompProfile", OfPod: true, order: ranked(seccomp), Safer: "the container may make fewer system calls", Weaker: "the container may make all system calls"},
	{Kinds: PodSpec, Field: "securityContext.appArmorProfile", OfPod: true, canon: or(map[string]any{"type": "RuntimeDefault"}), order: ranked(seccomp), Safer: "an AppArmor profile confines containers", Weaker: "no AppArmor profile confines containers"},
	{Kinds: Container, Field: "securityContext.appArmorProfile", OfPod: true, canon: or(map[string]any{"type": "RuntimeDefault"}), order: ranked(seccomp), Safer: "an AppArmor profile confines the container", Weaker: "no AppArmor profile confines the container"},
	{Kinds: Container, Field: "securityContext.allowPrivilegeEscalation", order: wants(false), Safer: "processes of the container cannot gain privileges through setuid programs", Weaker: "processes of the container can gain privileges through setuid programs"},
	{Kinds: Container, Field: "securityContext.readOnlyRootFilesystem", order: wants(true), Safer: "the container cannot write outside of volumes", Weaker: "the container may write to its own file system"},
	{Kinds: Container, Field: "securityContext.procMount", canon: or("Default")},
	{Kinds: Container, Field: "volumeMounts[].mountPropagation", Class: Isolation, canon: or("None")},
	{Kinds: Container, Field: "securityContext.privileged", order: avoids(true), Safer: "the container no longer has full control of the node", Weaker: "the container has full control of the node"},
	{Kinds: Container, Field: "securityContext.capabilities", canon: capabilities, within: capable, More: "the container has more capabilities on the node", Safer: "the container has fewer capabilities on the node"},
	{Kinds: Container, Field: "lifecycle.preStop", order: waits, Safer: "a container waits before it stops"},
	{Kinds: Container, Field: "livenessProbe.initialDelaySeconds", canon: or(int64(0)), order: larger, Usual: 600, Part: true, Safer: "a container that fails is restarted later", Weaker: "a container that fails is restarted sooner"},
	{Kinds: Container, Field: "livenessProbe.periodSeconds", order: larger, Usual: 60, Part: true, Safer: restartsLater, Weaker: restartsSooner},
	{Kinds: Container, Field: "livenessProbe.timeoutSeconds", order: larger, Usual: 60, Part: true, Safer: "a container that fails is restarted later", Weaker: "a container that fails is restarted sooner"},
	{Kinds: Container, Field: "livenessProbe.failureThreshold", order: larger, Usual: 10, Part: true, Safer: restartsLater, Weaker: restartsSooner},
	{Kinds: Container, Field: "startupProbe.initialDelaySeconds", canon: or(int64(0)), order: larger, Usual: 600, Part: true, Safer: "a container has more time to start", Weaker: "a container has less time to start"},
	{Kinds: Container, Field: "startupProbe.periodSeconds", order: larger, Usual: 60, Part: true, Safer: moreToStart, Weaker: lessToStart},
	{Kinds: Container, Field: "startupProbe.failureThreshold", order: larger, Usual: 60, Part: true, Safer: moreToStart, Weaker: lessToStart},
	{Kinds: "ServiceAccount", Field: "automountServiceAccountToken", order: wants(false), Safer: "new pods get no token for the API server", Weaker: "new pods get a token for the API server"},
	{Kinds: "ServiceAccount", Field: "imagePullSecrets", canon: unordered},
	{Kinds: "ServiceAccount", Field: "secrets", canon: unordered},

	{Kinds: "Deployment.apps", Field: "spec.strategy.rollingUpdate.maxUnavailable", canon: portion, order: stopsFewer, Safer: fewerAtOnce, Weaker: moreAtOnce},
	{Kinds: "StatefulSet.apps DaemonSet.apps", Field: "spec.updateStrategy.rollingUpdate.maxUnavailable", canon: portion, order: stopsFewer, Safer: "the next rollouts stop fewer pods at a time", Weaker: "the next rollouts stop more pods at a time"},
	// Controllers delete all revisions but the current one (pkg/controller/deployment/sync.go, cleanupDeployment).
	{Kinds: "Deployment.apps StatefulSet.apps DaemonSet.apps", Field: "spec.revisionHistoryLimit", Class: Protection, order: avoids(int64(0)), Safer: "old revisions are kept, for kubectl rollout undo", Weaker: "no old revision is kept, so kubectl rollout undo fails"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.selector", canon: unordered},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.unhealthyPodEvictionPolicy", canon: or("IfHealthyBudget"), order: avoids("AlwaysAllow"), Safer: "a drain no longer evicts pods that are not ready while too few are", Weaker: "a drain may evict pods that are not ready while too few are"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.metrics", canon: unordered, order: targets, Safer: "the autoscaler runs more pods at the same load", Weaker: "the autoscaler runs fewer pods at the same load"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.behavior.scaleUp.selectPolicy", canon: or("Max"), Values: map[string]string{"Disabled": "the autoscaler no longer starts pods", "Disabled>Max": "the autoscaler starts pods again", "Disabled>Min": "the autoscaler starts pods again"}},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.behavior.scaleDown.selectPolicy", canon: or("Max"), Values: map[string]string{"Disabled": "the autoscaler no longer stops pods", "Disabled>Max": "the autoscaler stops pods again", "Disabled>Min": "the autoscaler stops pods again"}},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.behavior", canon: behavior, order: stopsLater, Safer: "the autoscaler stops pods later after the load falls", Weaker: "the autoscaler stops pods sooner after the load falls"},
	{Kinds: "DaemonSet.apps", Field: "spec.updateStrategy.rollingUpdate.maxSurge", canon: portion, order: larger, Usual: 600, Safer: "the next rollouts may start more pods at a time", Weaker: "the next rollouts may start fewer pods at a time"},
	{Kinds: "Deployment.apps", Field: "spec.strategy.type", order: avoids("Recreate"), Safer: "rollouts start new pods before old ones stop", Weaker: "rollouts stop all pods before new ones start"},
	{Kinds: "PersistentVolume", Field: "spec.persistentVolumeReclaimPolicy", order: wants("Retain"), Safer: "the data is kept when the claim goes", Weaker: "the data is deleted when the claim goes, or at once if it is gone"},
	{Kinds: "Deployment.apps", Field: "spec.strategy.rollingUpdate.maxSurge", canon: portion, order: larger, Usual: 600, Safer: startsMore, Weaker: startsFewer},
	{Kinds: "CronJob.batch", Field: "spec.schedule", canon: schedule, Values: map[string]string{"*": "Jobs start at {new} instead of {old}|Jobs start at other times"}},
	{Kinds: "CronJob.batch", Field: "spec.concurrencyPolicy", Values: map[string]string{"Replace": "a new run kills the previous one if it is still running (Replace)", "Forbid": "a run that is due while the previous one is still running is skipped (Forbid)"}},
	{Kinds: "StatefulSet.apps", Field: "spec.updateStrategy.type", Values: map[string]string{"OnDelete": "pods keep the old template until they are deleted by hand", "RollingUpdate": "the controller replaces pods that have an old template"}},
	{Kinds: "DaemonSet.apps", Field: "spec.updateStrategy.type", Values: map[string]string{"OnDelete": "pods keep the old template until they are deleted by hand", "RollingUpdate": "the controller replaces pods that have an old template"}},
	{Kinds: "StatefulSet.apps", Field: "spec.persistentVolumeClaimRetentionPolicy.whenDeleted", canon: or("Retain"), order: wants("Retain"), Safer: "claims are kept when the StatefulSet is deleted", Weaker: "claims and their data are deleted with the StatefulSet"},
	{Kinds: "StatefulSet.apps", Field: "spec.persistentVolumeClaimRetentionPolicy.whenScaled", canon: or("Retain"), order: wants("Retain"), Safer: "claims are kept when the StatefulSet is scaled down", Weaker: "claims and their data are deleted when the StatefulSet is scaled down"},
	{Kinds: "Service", Field: "spec.internalTrafficPolicy", Values: map[string]string{"Local": "traffic from inside the cluster goes to pods on its own node, and nowhere if there are none"}},
	{Kinds: "Service", Field: "spec.externalTrafficPolicy", canon: or("Cluster"), Values: map[string]string{"Local": "traffic from outside goes to pods on the node that it reaches, and nowhere if there are none"}},
	{Kinds: "Service", Field: "spec.allocateLoadBalancerNodePorts", canon: or(true), Values: map[string]string{"true": "new ports of the Service are open on the nodes, too", "false": "new ports of the Service are not open on the nodes"}},
	{Kinds: "Service", Field: "spec.sessionAffinity", canon: or("None"), Values: map[string]string{"ClientIP": "requests of one client go to the same pod"}},
	{Kinds: "Service", Field: "spec.publishNotReadyAddresses", order: avoids(true), Safer: "traffic no longer goes to pods that are not ready", Weaker: "traffic goes to pods that are not ready, too"},
	{Kinds: "Service", Field: "spec.ports", canon: unordered},
	{Kinds: "Service", Field: "spec.externalIPs", canon: unordered},
	{Kinds: "Service", Field: "spec.loadBalancerSourceRanges", canon: addresses, within: inRanges, More: "more addresses can reach the load balancer", Less: "addresses can no longer reach the load balancer: only {new} can|addresses can no longer reach the load balancer"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.rules", canon: routes, order: serves, named: unserved, More: "the Ingress now routes {more}|the Ingress routes more requests", Less: "the Ingress no longer routes {less}|the Ingress routes fewer requests"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.tls", canon: certificates, order: secures, Safer: "more hosts are served with a certificate", Weaker: "hosts are served with a different certificate, or without one"},
	{Kinds: "NetworkPolicy.networking.k8s.io", Field: "spec.podSelector", canon: unordered},
	{Kinds: "NetworkPolicy.networking.k8s.io", Field: "spec.policyTypes", canon: unordered, within: superset, More: "more connections are allowed: the policy restricts only {new} (was {old})|more connections are allowed", Less: "the policy restricts {new} (was {old}): only connections that its rules allow work|only connections that its rules allow work", Both: "the policy restricts {new} instead of {old}|the policy restricts the other direction"},
	{Kinds: "NetworkPolicy.networking.k8s.io", Field: "spec.ingress", canon: connections("from"), within: connects, More: "connections are allowed that were not", Less: "connections are no longer allowed"},
	{Kinds: "NetworkPolicy.networking.k8s.io", Field: "spec.egress", canon: connections("to"), within: connects, More: "connections are allowed that were not", Less: "connections are no longer allowed"},

	{Kinds: "Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", Field: "rules", canon: rights, within: allowedBy, named: newRights, More: "subjects of the role may now {more}|the subjects of the role get permissions", Less: "subjects of the role may no longer {less}|the subjects of the role lose permissions"},
	{Kinds: "ClusterRole.rbac.authorization.k8s.io", Field: "aggregationRule", canon: unordered},
	{Kinds: "RoleBinding.rbac.authorization.k8s.io", Field: "subjects", canon: subjects, within: subset, named: newSubjects, More: "{more} gets the permissions of the role|a subject gets the permissions of the role", Less: "{less} loses the permissions of the role|a subject loses the permissions of the role"},
	{Kinds: "ClusterRoleBinding.rbac.authorization.k8s.io", Field: "subjects", canon: subjects, within: subset, named: newSubjects, More: "{more} gets the permissions of the role|a subject gets the permissions of the role", Less: "{less} loses the permissions of the role|a subject loses the permissions of the role"},
	{Kinds: webhooks, Field: "webhooks[].rules", canon: webhookRequests, within: subset, More: asksMore, Less: asksFewer},
	{Kinds: webhooks, Field: "webhooks[].failurePolicy", canon: unordered, within: func(inner, outer any) bool { return inner == "Fail" || outer == "Ignore" },
		More: "requests pass unchecked when the webhook does not answer", Less: "requests are rejected when the webhook does not answer"},
	{Kinds: webhooks, Field: "webhooks[].namespaceSelector", canon: orNone, within: narrower, More: asksMore, Less: asksFewer},
	{Kinds: webhooks, Field: "webhooks[].objectSelector", canon: orNone, within: narrower, More: asksMore, Less: asksFewer},
	{Kinds: webhooks, Field: "webhooks[].matchConditions", canon: orEmpty, within: superset, More: asksMore, Less: asksFewer},
	{Kinds: webhooks, Field: "webhooks[].matchPolicy", canon: or("Equivalent"), order: wants("Exact"), More: asksMore, Less: asksFewer},
	{Kinds: webhooks, Field: "webhooks[].timeoutSeconds", order: larger, Less: "requests wait longer for a webhook that does not answer", More: "a webhook that answers slowly counts as failed sooner"},
	{Kinds: admissionPolicies, Field: "spec.failurePolicy", canon: or("Fail"), order: wants("Fail"),
		More: "requests pass when the policy cannot be evaluated", Less: "requests are rejected when the policy cannot be evaluated"},
	{Kinds: admissionPolicies, Field: "spec.matchConditions", canon: orEmpty, within: superset, More: holdsMore, Less: holdsFewer},
	{Kinds: admissionPolicies, Field: "spec.matchConstraints.namespaceSelector", canon: orNone, within: narrower, More: holdsMore, Less: holdsFewer},
	{Kinds: admissionPolicies, Field: "spec.matchConstraints.objectSelector", canon: orNone, within: narrower, More: holdsMore, Less: holdsFewer},
	{Kinds: admissionPolicies, Field: "spec.matchConstraints.resourceRules", canon: webhookRequests, within: subset, More: holdsMore, Less: holdsFewer},
	{Kinds: admissionPolicies, Field: "spec.matchConstraints.excludeResourceRules", canon: webhookRequests, within: superset, More: holdsMore, Less: holdsFewer},
	{Kinds: admissionPolicies, Field: "spec.matchConstraints.matchPolicy", canon: or("Equivalent"), order: wants("Exact"), More: holdsMore, Less: holdsFewer},
	{Kinds: admissionBindings, Field: "spec.matchResources.namespaceSelector", canon: orNone, within: narrower, More: holdsMore, Less: holdsFewer},
	{Kinds: admissionBindings, Field: "spec.matchResources.objectSelector", canon: orNone, within: narrower, More: holdsMore, Less: holdsFewer},
	{Kinds: admissionBindings, Field: "spec.matchResources", canon: unordered},
	{Kinds: admissionBindings, Field: "spec.validationActions", canon: unordered, order: ranked(denies), More: "requests that break the policy are no longer rejected", Less: "requests that break the policy are rejected"},
	{Kinds: "Namespace", Field: "metadata.labels[pod-security.kubernetes.io/enforce]", canon: or("privileged"), order: ranked(PodSecurity), Less: "new pods that break {new} are rejected (was {old}); those that run stay|new pods that break {new} are rejected; those that run stay|new pods that break a stricter Pod Security level are rejected; those that run stay", More: "pods that break {old} are admitted: the namespace enforces {new}|pods that break {old} are admitted|pods that are rejected today are admitted"},
	{Kinds: "Namespace", Field: "metadata.labels[pod-security.kubernetes.io/enforce-version]", canon: or("latest"), Values: map[string]string{"*": "new pods are checked against the Pod Security standards of {new} (was {old})|new pods are checked against the Pod Security standards of {new}|new pods are checked against the Pod Security standards of another version"}},
	{Kinds: "ResourceQuota", Field: "spec.scopes", canon: unordered},
	{Kinds: "ResourceQuota", Field: "spec.scopeSelector", canon: unordered},
	{Kinds: "LimitRange", Field: "spec.limits", canon: unordered},

	{Kinds: "PersistentVolume PersistentVolumeClaim", Field: "spec.accessModes", canon: orEmpty, within: subset, More: "claims for more access modes may bind to the volume", Less: "claims for some access modes no longer bind to the volume"},
	{Kinds: "PersistentVolume", Field: "spec.nodeAffinity", canon: unordered},
	{Kinds: "PersistentVolumeClaim", Field: "spec.selector", canon: unordered},
	{Kinds: "StorageClass.storage.k8s.io", Field: "allowedTopologies", canon: unordered},
	{Kinds: "Node", Field: "spec.taints", canon: unordered},

	{Kinds: "EndpointSlice.discovery.k8s.io", Field: "endpoints", canon: unordered},
	{Kinds: "EndpointSlice.discovery.k8s.io", Field: "ports", canon: unordered},
	{Kinds: "Endpoints", Field: "subsets", canon: unordered},
	{Kinds: "FlowSchema.flowcontrol.apiserver.k8s.io", Field: "spec.rules", canon: unordered},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.names.shortNames", canon: orEmpty, within: superset, More: "kubectl no longer accepts a short name of the kind", Safer: "kubectl accepts one more short name of the kind"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.names.categories", canon: unordered},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.versions", canon: schemas, order: addsOptional, Safer: "objects may have more fields, all optional; existing objects do not change"},
	{Kinds: PodSpec, Field: "initContainers", Whole: true, Class: Schedule, order: reorders, brief: containerNames, Weaker: "init containers run in the order {new} (was {old})|init containers run in another order"},
}

const (
	restartsAfter  = "a container that fails is restarted after about {new.periodSeconds*failureThreshold}s instead of {old.periodSeconds*failureThreshold}s (period × failureThreshold)|"
	restartsLater  = restartsAfter + "a container that fails is restarted later"
	restartsSooner = restartsAfter + "a container that fails is restarted sooner"
	timeToStart    = "{container} has about {new.periodSeconds*failureThreshold}s to start instead of {old.periodSeconds*failureThreshold}s (period × failureThreshold)|"
	moreToStart    = timeToStart + "{container} has more time to start"
	lessToStart    = timeToStart + "{container} has less time to start"

	atOnce      = "rollouts stop up to {new.maxUnavailable} of the old pods and start up to {new.maxSurge} new ones at a time (was {old.maxUnavailable} and {old.maxSurge})|"
	fewerAtOnce = atOnce + "the next rollouts stop fewer pods at a time"
	moreAtOnce  = atOnce + "the next rollouts stop more pods at a time"
	startsMore  = atOnce + "the next rollouts may start more pods at a time"
	startsFewer = atOnce + "the next rollouts may start fewer pods at a time"

	onNodes = "new pods run only on nodes with {new} (was {old})|new pods run only on nodes with {new}|"

	asksMore   = "the API server calls webhooks for more requests"
	asksFewer  = "the API server calls webhooks for fewer requests"
	holdsMore  = "the policy is evaluated for more requests"
	holdsFewer = "the policy is evaluated for fewer requests"
)

type placedMeaning struct {
	*Meaning
	place placedArea
}

var meaningsOf memo.Table[string, []placedMeaning] // by Kind.group

// MeaningOf is the meaning of the field that a path is in, and the path of that field; nil
// if it has none.
func MeaningOf(k schema.Kind, path fieldpath.Path) (*Meaning, fieldpath.Path) {
	all := meaningsOf.Get(k.GroupKind(), func() (list []placedMeaning) {
		for _, m := range Meanings {
			for _, at := range Places(m.Kinds, k) {
				list = append(list, placedMeaning{m, placedArea{steps: ParsePattern(at + m.Field).steps}})
			}
		}
		return list
	})
	for _, m := range all {
		if n := len(m.place.steps); m.place.holds(path) && (!m.Whole || len(path) == n) {
			return m.Meaning, path[:n:n]
		}
	}
	return nil, nil
}

// Turn is what a change does to the meaning of a field.
type Turn int

// The turns.
const (
	Other Turn = iota // its words are those of the area
	Same
	Safer
	Weaker
	More
	Less
	Both // More and Less
)

// Compare tells what the change of a value does in a namespace, and says it if the area
// does not.
func (m *Meaning) Compare(namespace string, was, is any) (turn Turn, says string) {
	if m.canon != nil {
		if was, is = m.canon(namespace, was), m.canon(namespace, is); tree.Equal(was, is) {
			return Same, ""
		}
	}
	if m.order != nil {
		order, ok := m.order(was, is)
		switch {
		case ok && order > 0 && m.Safer != "" && m.usual(was, is):
			return Safer, m.Safer
		case ok && order > 0:
			return Less, cmp.Or(m.Less, m.Safer)
		case ok && order < 0 && m.Weaker != "":
			return Weaker, m.Weaker
		case ok && order < 0:
			return More, m.More
		case bools(was, is) || tree.Equal(was, is):
			return Same, ""
		}
	}
	for _, change := range []string{text(was) + ">" + text(is), text(is), "*"} {
		if says = m.Values[change]; says != "" && (change != "*" || is != nil) {
			return More, says
		}
	}
	if m.within == nil || was == nil || is == nil {
		return Other, ""
	}
	switch more, less := m.within(was, is), m.within(is, was); {
	case more && less && m.Partial:
		return Other, ""
	case more && less:
		return Same, ""
	case more && m.More != "":
		return More, m.More
	case less && m.Less != "":
		return Less, m.Less
	case less:
		return Safer, m.Safer
	case m.Less != "":
		return Both, cmp.Or(m.Both, m.More)
	}
	return More, m.More
}

// Fill fills in a sentence of the meaning; see [Change.Fill].
func (m *Meaning) Fill(c Change, words string) string {
	if m.brief != nil {
		c.Old, c.New = m.brief(c.Old), m.brief(c.New)
	}
	if m.named != nil {
		namespace := tree.String(c.After, "metadata", "namespace")
		was, is := m.canon(namespace, c.Old), m.canon(namespace, c.New)
		c.more, c.less = m.named(is, was), m.named(was, is)
	}
	return c.Fill(words)
}

// usual reports whether a higher value can still be meant to make things safer.
func (m *Meaning) usual(from, to any) bool {
	is, ok := amount(to)
	was, known := amount(from)
	return m.Usual == 0 || !ok || is <= m.Usual || known && is <= 3*was
}

// text is a value as Values has it: nothing if there is none.
func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// bools reports whether values are true, false or absent, which stands for one of them.
func bools(values ...any) bool {
	return !slices.ContainsFunc(values, func(v any) bool {
		_, is := v.(bool)
		return !is && v != nil
	})
}

// Canonical sorts the items of all lists in a value, in which the order means nothing, drops
// those that repeat, and writes selectors in one way. Preferences that repeat count twice.
func Canonical(v any) any {
	switch v := v.(type) {
	case []any:
		return sorted(v)
	case map[string]any:
		m := tree.Object{}
		for key, value := range v {
			m[key] = Canonical(value)
		}
		return oneSelector(m)
	}
	return v
}

func sorted(list []any) any {
	if len(list) == 0 {
		return nil
	}
	items := make([]any, len(list))
	for i, item := range list {
		items[i] = Canonical(item)
	}
	text := func(v any) string { return fmt.Sprintf("%#v", v) }
	slices.SortStableFunc(items, func(a, b any) int { return strings.Compare(text(a), text(b)) })
	return slices.CompactFunc(items, func(a, b any) bool { return !tree.Has(a, "weight") && tree.Equal(a, b) })
}

// oneSelector writes what a label selector asks for as labels where it can
// (apimachinery pkg/apis/meta/v1 LabelSelectorAsSelector).
func oneSelector(m tree.Object) tree.Object {
	_, labels := m["matchLabels"]
	list, expressions := m["matchExpressions"].([]any)
	if len(m) > 2 || !labels && !expressions || len(m) == 2 && (!labels || m["matchExpressions"] != nil && !expressions) {
		return m
	}
	same := tree.Object{}
	for key, value := range tree.Map(m, "matchLabels") {
		same[key] = value
	}
	var rest []any
	for _, e := range list {
		key, values := tree.String(e, "key"), tree.List(e, "values")
		if had, has := same[key]; tree.String(e, "operator") == "In" && len(values) == 1 && (!has || had == values[0]) {
			same[key] = values[0]
		} else {
			rest = append(rest, e)
		}
	}
	one := tree.Object{}
	if len(same) > 0 {
		one["matchLabels"] = map[string]any(same)
	}
	if rest != nil {
		one["matchExpressions"] = rest
	}
	return one
}

func unordered(_ string, v any) any { return Canonical(v) }

// subset reports whether all items of a canonical list are in another.
func subset(inner, outer any) bool {
	have := map[string]bool{}
	for _, item := range tree.List(outer) {
		have[fmt.Sprintf("%#v", item)] = true
	}
	return !slices.ContainsFunc(tree.List(inner), func(item any) bool { return !have[fmt.Sprintf("%#v", item)] })
}

// tolerations have an operator, which is Equal if they do not say.
func tolerations(_ string, v any) any {
	var list []any
	for _, t := range tree.List(v) {
		one := tree.CopyObject(tree.Map(t))
		if tree.String(one, "operator") == "" {
			one["operator"] = "Equal"
		}
		if one["value"] == "" {
			delete(one, "value")
		}
		gone := one["key"] == "node.kubernetes.io/not-ready" || one["key"] == "node.kubernetes.io/unreachable"
		if gone && tree.Equal(one, tree.Object{"key": one["key"], "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(300)}) {
			continue // every pod gets it (plugin/pkg/admission/defaulttolerationseconds)
		}
		list = append(list, map[string]any(one))
	}
	return sorted(list)
}

// capabilities are those that a container adds and drops: ALL has the others.
func capabilities(_ string, v any) any {
	m := tree.Object{}
	for _, field := range []string{"add", "drop"} {
		list := tree.List(v, field)
		if slices.Contains(list, any("ALL")) {
			list = []any{"ALL"}
		}
		m[field] = sorted(list)
	}
	return map[string]any(m)
}

// usualCapabilities are those that every runtime gives a container unless it drops them
// (github.com/cri-o/cri-o internal/config/capabilities; containerd and Docker give more).
var usualCapabilities = []any{"CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE", "SETGID", "SETPCAP", "SETUID"}

// capable reports whether a container has no capability that another does not have: it adds
// no other, and drops all that the other drops.
func capable(inner, outer any) bool {
	within := func(few, many any) bool { return slices.Contains(tree.List(many), any("ALL")) || subset(few, many) }
	has := tree.List(outer, "add")
	if drops := tree.List(outer, "drop"); !slices.Contains(drops, any("ALL")) {
		has = slices.Concat(has, slices.DeleteFunc(slices.Clone(usualCapabilities), func(c any) bool { return slices.Contains(drops, c) }))
	}
	return within(tree.Map(inner)["add"], has) && within(tree.Map(outer)["drop"], tree.Map(inner)["drop"])
}

// webhookRequests are those that rules of a webhook are about.
func webhookRequests(_ string, v any) any {
	var list []any
	for _, rule := range tree.List(v) {
		one := []tree.Object{{"scope": tree.String(rule, "scope")}}
		for _, field := range []string{"apiGroups", "apiVersions", "operations", "resources", "resourceNames"} {
			if field == "resourceNames" && tree.List(rule, field) == nil { // those of any name
				continue
			}
			var next []tree.Object
			for _, part := range one {
				for _, value := range tree.List(rule, field) {
					more := tree.CopyObject(part)
					more[field] = value
					next = append(next, more)
				}
			}
			if one = next; len(one)+len(list) > mostProducts {
				return Canonical(v)
			}
		}
		for _, part := range one {
			list = append(list, map[string]any(part))
		}
	}
	return sorted(list)
}

// rights are kept as rules, none if there are none: allowedBy knows which of them allow the same.
func rights(_ string, v any) any { return tree.List(map[string]any{"rules": v}, "rules") }

func allowedBy(inner, outer any) bool { return lacking(inner, outer) == nil }

// lacking are the split rights of one list of rules that another does not give.
func lacking(inner, outer any) []access.Rule {
	rules := func(v any) []access.Rule { return access.Split(access.RulesOf(tree.Object{"rules": v})) }
	return access.NewHeld(rules(outer)...).Lacking("", rules(inner))
}

func newRights(inner, outer any) string { return access.Words(lacking(inner, outer)) }

func newSubjects(inner, outer any) string {
	var list []any
	for _, s := range tree.List(inner) {
		if !subset([]any{s}, outer) {
			list = append(list, tree.String(s, "kind")+" "+strings.TrimPrefix(tree.String(s, "namespace")+"/"+tree.String(s, "name"), "/"))
		}
	}
	return strings.ReplaceAll(shown(list), ", ", " and ")
}

// subjects of a RoleBinding: a ServiceAccount without namespace is that of the binding, as
// the server takes it, and is the user of its name (plugin/pkg/auth/authorizer/rbac appliesToUser).
func subjects(namespace string, v any) any {
	var list []any
	for _, s := range tree.List(v) {
		const account = "system:serviceaccount:"
		if of, name, is := strings.Cut(strings.TrimPrefix(tree.String(s, "name"), account), ":"); is && tree.String(s, "kind") == "User" && strings.HasPrefix(tree.String(s, "name"), account) {
			s = map[string]any{"kind": "ServiceAccount", "name": name, "namespace": of}
		} else if tree.String(s, "kind") == "ServiceAccount" && tree.String(s, "namespace") == "" {
			one := tree.CopyObject(tree.Map(s))
			one["namespace"] = namespace
			s = map[string]any(one)
		}
		list = append(list, s)
	}
	return sorted(list)
}
