package setting

import "slices"

// Areas are all areas, those of pods first.
var Areas = slices.Concat(podAreas, workloadAreas, networkAreas, policyAreas, machineryAreas, metadataAreas)

const (
	podKinds   = "Deployment.apps ReplicaSet.apps StatefulSet.apps DaemonSet.apps ReplicationController"
	replicated = "Deployment.apps ReplicaSet.apps StatefulSet.apps ReplicationController"
	selecting  = "Deployment.apps ReplicaSet.apps StatefulSet.apps DaemonSet.apps ReplicationController Job.batch"
	written    = "the API server or a controller writes it"
	otherNodes = "pods stop on nodes that no longer fit, and start on those that now do"
	unused     = "only new objects read it"

	// notOfTraffic are annotations for Prometheus, of what renders manifests and of what
	// applies them.
	notOfTraffic = "-prometheus.io/* -*.kpt.dev/* -app.kubernetes.io/* -kubectl.kubernetes.io/* -helm.sh/* -meta.helm.sh/* -argocd.argoproj.io/* -*.toolkit.fluxcd.io/*"
	// ofPrograms are labels and annotations that begin with the domain of a program, but for
	// those that only describe, or that appliers, kubectl and the API server write.
	ofPrograms = "*/* -app.kubernetes.io/* -kubectl.kubernetes.io/* -kubernetes.io/* -*config.kubernetes.io/* -deployment.kubernetes.io/* -control-plane.alpha.kubernetes.io/* -pv.kubernetes.io/* -volume.kubernetes.io/* -endpoints.kubernetes.io/* -helm.sh/* -meta.helm.sh/* -argocd.argoproj.io/* -*.toolkit.fluxcd.io/* -*.kpt.dev/* -config.k8s.io/* -*/version -*/*-version -*/description -*/created-by -*/*-checksum -prometheus.io/*"
	// identities are annotations that decide what a ServiceAccount may mount, or what its
	// pods are at a cloud provider or in a vault.
	identities = "kubernetes.io/enforce-mountable-secrets eks.amazonaws.com/* iam.amazonaws.com/* iam.gke.io/* azure.workload.identity/* *workload-identity* *vault* *iam*"
)

// metadataAreas are the areas of every kind.
var metadataAreas = []*Area{
	{Kinds: Any, Field: "apiVersion", Class: Nothing, Change: "version"},
	{Kinds: Any, Field: "kind", Class: Nothing, Change: "kind"},
	{Kinds: Any, Field: "metadata", Class: Nothing, Change: "metadata"},
	{Kinds: Any, Field: "metadata.labels", Keys: ofPrograms, Class: Controller, Change: "a controller may read the label"},
	{Kinds: Any, Field: "metadata.annotations", Keys: ofPrograms, Class: Controller, Change: "a controller may read the annotation"},
	{Kinds: Any, Field: "metadata.labels", Class: Nothing, Change: "labels"},
	{Kinds: Any, Field: "metadata.annotations", Class: Nothing, Change: "annotations"},
	{Kinds: Any, Field: "metadata.finalizers", Class: Protection, Change: "other cleanup runs when the object is deleted"},
	{Kinds: Any, Field: "metadata.ownerReferences", Class: Protection, Change: "the object is deleted together with another owner, or at once if there is none of that uid", Add: "the object is deleted together with its owner, or at once if there is none of that uid", Remove: "the object stays when its former owner is deleted"},
	{Kinds: Any, Field: "status", Class: Nothing, Change: "status"},
	{Kinds: Custom, Field: "", Class: Controller, Change: "its controller acts on it, and what that changes is unknown"},
	{Kinds: Custom, Field: "metadata.labels", Class: Controller, Change: "a controller may read the label"},
	{Kinds: Custom, Field: "metadata.annotations", Class: Controller, Change: "a controller may read the annotation"},

	// Labels and annotations that something built in, or near it, reads.
	{Kinds: "Pod", Field: "metadata.labels", Class: Traffic, Change: "which Services, NetworkPolicies and controllers select the Pod may change"},
	{Kinds: "Service", Field: "metadata.labels", Keys: "service.kubernetes.io/*", Class: Traffic, Change: "which program serves the Service may change"},
	{Kinds: "EndpointSlice.discovery.k8s.io", Field: "metadata.labels", Keys: "kubernetes.io/service-name service.kubernetes.io/* endpointslice.kubernetes.io/*", Class: Traffic, Change: "the addresses may be those of another Service"},
	{Kinds: "Endpoints", Field: "metadata.labels", Keys: "endpointslice.kubernetes.io/* endpoints.kubernetes.io/* service.kubernetes.io/*", Class: Traffic, Change: "which Service the addresses count for may change"},
	{Kinds: "Service", Field: "metadata.annotations", Keys: notOfTraffic, Class: Traffic, Change: "the cloud provider or a controller may read the annotation"},
	{Kinds: "Ingress.networking.k8s.io", Field: "metadata.annotations", Keys: notOfTraffic, Class: Traffic, Change: "the ingress controller may read the annotation"},
	{Kinds: "Namespace", Field: "metadata.labels", Keys: "-pod-security.kubernetes.io/warn* -pod-security.kubernetes.io/audit*", Class: Access, Change: "which policies, webhooks and NetworkPolicies apply to the namespace may change"},
	{Kinds: "Namespace", Field: "metadata.labels", Keys: "pod-security.kubernetes.io/warn* pod-security.kubernetes.io/audit*", Class: Nothing, Change: "what the API server warns of"},
	{Kinds: "Node", Field: "metadata.labels", Class: Placement, Change: "pods of DaemonSets may start or stop on the node, and which new pods may run on it changes"},
	{Kinds: "ServiceAccount", Field: "metadata.annotations", Keys: identities, Class: Access, Change: "new pods may mount other Secrets, and get another identity at a cloud provider"},
	{Kinds: "ClusterRole.rbac.authorization.k8s.io", Field: "metadata.labels", Keys: "-app.kubernetes.io/version -app.kubernetes.io/managed-by -helm.sh/chart -chart -heritage", Class: Access, Change: "which roles collect its rules may change"},
	{Kinds: "StorageClass.storage.k8s.io", Field: "metadata.annotations", Keys: "*/is-default-class", Class: Storage, Change: "the default class may be another one", Presence: true, Add: "new claims without a class are of this one", Remove: "new claims without a class may get no volume"},
	{Kinds: "IngressClass.networking.k8s.io", Field: "metadata.annotations", Keys: "*/is-default-class", Class: Traffic, Change: "the default class may be another one", Presence: true, Add: "new Ingresses without a class are of this one", Remove: "new Ingresses without a class may be served by nothing"},
	{Kinds: "PersistentVolume", Field: "metadata.labels", Class: Storage, Change: "which claims may bind to it changes"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io APIService.apiregistration.k8s.io " + webhooks, Field: "metadata.annotations", Keys: "*inject-ca* *inject-apiserver-ca*", Class: Access, Change: "a controller may write another certificate"},
}

// podAreas are the areas of what runs pods. A template decides what new pods are; see
// merge/impact for when the controllers replace the old ones.
var podAreas = []*Area{
	{Kinds: PodTemplate, Field: "", Class: Pods, Change: "new pods differ"},
	// How new pods differ.
	{Kinds: PodSpec, Field: "serviceAccountName", Class: Access, Change: "new pods have the permissions of another ServiceAccount"},
	{Kinds: PodSpec, Field: "automountServiceAccountToken", Class: Access, Change: "whether new pods get a token for the API server changes"},
	{Kinds: PodSpec, Field: "imagePullSecrets", Class: Access, Change: "new pods pull images with other credentials"},
	{Kinds: PodSpec, Field: "hostNetwork", Class: Isolation, Change: "whether new pods use the network of their node changes"},
	{Kinds: PodSpec, Field: "hostPID", Class: Isolation, Change: "whether new pods see the processes of their node changes"},
	{Kinds: PodSpec, Field: "hostIPC", Class: Isolation, Change: "whether new pods share the IPC namespace of their node changes"},
	{Kinds: PodSpec, Field: "hostUsers", Class: Isolation, Change: "whether root in new pods is root on the node changes"},
	{Kinds: PodSpec, Field: "hostAliases", Class: Traffic, Change: "new pods find other addresses for these host names"},
	{Kinds: PodSpec, Field: "dnsPolicy", Class: Traffic, Change: "new pods ask another DNS server"},
	{Kinds: PodSpec, Field: "dnsConfig", Class: Traffic, Change: "new pods resolve names by other settings"},
	{Kinds: PodSpec, Field: "securityContext", Class: Isolation, Change: "the security context of new pods changes"},
	{Kinds: PodSpec, Field: "runtimeClassName", Class: Isolation, Change: "new pods run in another runtime"},
	{Kinds: PodSpec, Field: "priorityClassName", Class: Protection, Change: "new pods have another priority: others may preempt them, or they others"},
	{Kinds: PodSpec, Field: "preemptionPolicy", Class: Protection, Change: "whether new pods may preempt others changes"},
	{Kinds: PodSpec, Field: "terminationGracePeriodSeconds", Class: Protection, Change: "the time that new pods have to stop changes", More: "new pods have more time to stop", Less: "new pods are killed sooner after they are asked to stop", Safer: "more", Usual: 600},
	{Kinds: PodSpec, Field: "readinessGates", Class: Protection, Change: "the conditions under which new pods count as ready change"},
	{Kinds: PodSpec, Field: "nodeSelector", Class: Placement, Change: "new pods may run on other nodes"},
	{Kinds: PodSpec, Field: "nodeName", Class: Placement, Change: "new pods run on another node"},
	{Kinds: PodSpec, Field: "affinity", Class: Placement, Change: "new pods may run on other nodes"},
	{Kinds: PodSpec, Field: "tolerations", Class: Placement, Change: "new pods may run on nodes with other taints"},
	{Kinds: PodSpec, Field: "topologySpreadConstraints", Class: Placement, Change: "the rules that spread new pods over nodes change"},
	{Kinds: PodSpec, Field: "schedulerName", Class: Placement, Change: "another scheduler places new pods"},
	{Kinds: PodSpec, Field: "resourceClaims", Class: Placement, Change: "new pods get other devices"},
	{Kinds: PodSpec, Field: "volumes[].persistentVolumeClaim", Class: Storage, Change: "new pods use another claim, or readOnly changes"},
	{Kinds: PodSpec, Field: "volumes[].hostPath", Class: Isolation, Change: "new pods see another part of the disk of their node"},
	{Kinds: PodSpec, Field: "volumes[].secret.defaultMode", Class: Access, Change: "other users of new pods may read the files of a Secret"},
	{Kinds: PodSpec, Field: "volumes[].projected.defaultMode", Class: Access, Change: "other users of new pods may read the files of a volume"},
	{Kinds: Container, Field: "resources.limits", Class: Protection, Change: "the limits of a container change", Add: "a container gets limits", Remove: "a container may use all that the node has"},
	{Kinds: Container, Field: "resources.requests", Class: Placement, Change: "the requests of a container change", Add: "new pods need a node with that much free", Remove: "the scheduler reserves the limits instead, or nothing if there are none"},
	{Kinds: Container, Field: "resources.limits.*", Class: Protection, Change: "a limit of a container changes", Add: "a container gets a limit", Remove: "a container may use all that the node has", More: "a container may use more", Less: "a container is throttled or OOM-killed sooner", Safer: "more"},
	{Kinds: Container, Field: "resources.requests.*", Class: Placement, Change: "the requests of a container change", More: "new pods need a node with more free capacity", Less: "new pods fit on nodes with less free capacity"},
	{Kinds: Container, Field: "readinessProbe", Class: Protection, Change: "the readiness probe of a container changes", Add: "new pods count as ready once the probe succeeds", Safer: "add"},
	{Kinds: Container, Field: "livenessProbe", Class: Protection, Change: "the liveness probe of a container changes", Add: "a container is restarted if the probe fails"},
	{Kinds: Container, Field: "readinessProbe.failureThreshold", Class: Protection, Change: "the time after which a pod that does not answer loses its traffic changes", More: "a pod that does not answer loses its traffic later", Less: "a pod that does not answer loses its traffic sooner"},
	{Kinds: Container, Field: "readinessProbe.timeoutSeconds", Class: Protection, Change: "the time after which a pod that does not answer loses its traffic changes", More: "a pod that does not answer loses its traffic later", Less: "a pod that does not answer loses its traffic sooner"},
	{Kinds: Container, Field: "readinessProbe.periodSeconds", Class: Protection, Change: "the time after which a pod that does not answer loses its traffic changes", More: "a pod that does not answer loses its traffic later", Less: "a pod that does not answer loses its traffic sooner"},
	{Kinds: Container, Field: "imagePullPolicy", Class: Protection, Change: "the pull policy of the image changes"},
	{Kinds: Container, Field: "startupProbe", Class: Protection, Change: "the startup probe of a container changes"},
	{Kinds: Container, Field: "lifecycle", Class: Protection, Change: "a lifecycle hook of a container changes"},
	{Kinds: Container, Field: "command", Class: Protection, Change: "a container runs another program"},
	{Kinds: Container, Field: "securityContext", Class: Isolation, Change: "the security context of a container changes"},
	{Kinds: Container, Field: "ports[].hostPort", Class: Traffic, Change: "the port of the nodes that leads to new pods changes"},
	{Kinds: "DaemonSet.apps", Field: "spec.template.spec.nodeSelector", Class: Placement, Change: otherNodes},
	{Kinds: "DaemonSet.apps", Field: "spec.template.spec.affinity", Class: Placement, Change: otherNodes},
	{Kinds: "DaemonSet.apps", Field: "spec.template.spec.tolerations", Class: Placement, Change: otherNodes},
	{Kinds: "PodTemplate", Field: "template", Class: Nothing, Change: unused},
	{Kinds: "Pod", Field: "spec", Class: Placement, Change: "the Pod is scheduled to other nodes once no gate is left"},
	{Kinds: "Pod", Field: "spec.containers[].image", Class: Pods, Change: "the container restarts"},
	{Kinds: "Pod", Field: "spec.initContainers[].image", Class: Pods, Change: "the container restarts if it is a sidecar"},
	{Kinds: "Pod", Field: "spec.containers[].resources", Class: Protection, Change: "the container is resized"},
	{Kinds: "Pod", Field: "spec.activeDeadlineSeconds", Class: Schedule, Change: "the deadline of the Pod changes"},
	{Kinds: "Pod", Field: "spec.tolerations", Class: Placement, Change: "the Pod stays on nodes with other taints"},
	{Kinds: "Pod", Field: "spec.terminationGracePeriodSeconds", Class: Pods, Change: "the time that the Pod has to stop changes"},
	{Kinds: "Pod", Field: "spec.schedulingGates", Class: Placement, Change: "the Pod is scheduled once no gate is left"},
}

// workloadAreas are the areas of workloads outside of their pods, and of what scales and
// protects them.
var workloadAreas = []*Area{
	{Kinds: replicated, Field: "spec.replicas", Class: Scale, Change: "the number of pods changes", More: "the controller starts pods", Less: "the controller stops pods"},
	{Kinds: podKinds, Field: "spec.minReadySeconds", Class: Protection, Change: "the time for which a new pod must be ready before it counts as available changes", Add: "a new pod counts as available later", Remove: "a new pod counts as available sooner", More: "a new pod counts as available later", Less: "a new pod counts as available sooner", Safer: "add more", Usual: 600},
	{Kinds: selecting, Field: "spec.selector", Class: Pods, Change: "other pods start, and those that run stay without a controller"},
	{Kinds: "Deployment.apps StatefulSet.apps DaemonSet.apps", Field: "spec.revisionHistoryLimit", Class: Nothing, Change: "how many old revisions are kept"},
	{Kinds: "Deployment.apps", Field: "spec.progressDeadlineSeconds", Class: Nothing, Change: "when a rollout is reported as failed"},
	{Kinds: "Deployment.apps", Field: "spec.strategy", Class: Protection, Change: "the rollout strategy changes"},
	{Kinds: "Deployment.apps", Field: "spec.strategy.type", Class: Protection, Change: "whether rollouts stop all pods before new ones start changes"},
	{Kinds: "Deployment.apps", Field: "spec.paused", Class: Schedule, Change: "changes of the template roll out again", Add: "changes of the template do not roll out until it is resumed", More: "changes of the template do not roll out until it is resumed"},
	{Kinds: "StatefulSet.apps DaemonSet.apps", Field: "spec.updateStrategy", Class: Protection, Change: "the update strategy changes"},
	{Kinds: "StatefulSet.apps", Field: "spec.serviceName", Class: Traffic, Change: "new pods have DNS names of another Service"},
	{Kinds: "StatefulSet.apps", Field: "spec.podManagementPolicy", Class: Scale, Change: "pods start and stop in another order"},
	{Kinds: "StatefulSet.apps", Field: "spec.volumeClaimTemplates", Class: Storage, Change: "new pods get other claims"},
	{Kinds: "StatefulSet.apps", Field: "spec.persistentVolumeClaimRetentionPolicy", Class: Data, Change: "whether claims are kept or deleted with their pods changes"},
	{Kinds: "StatefulSet.apps", Field: "spec.ordinals", Class: Data, Change: "pods get different ordinals, and so different PersistentVolumeClaims"},
	{Kinds: "ControllerRevision.apps", Field: "data", Class: Nothing, Change: written},
	{Kinds: "ControllerRevision.apps", Field: "revision", Class: Nothing, Change: written},

	{Kinds: "Job.batch", Field: "spec", Class: Schedule, Change: "the conditions under which the Job ends change"},
	{Kinds: "Job.batch", Field: "spec.parallelism", Class: Scale, Change: "another number of pods may run at a time", More: "more pods may run at a time", Less: "fewer pods may run at a time"},
	{Kinds: "Job.batch", Field: "spec.completions", Class: Scale, Change: "the Job is complete after another number of pods"},
	{Kinds: "Job.batch", Field: "spec.suspend", Class: Schedule, Change: "the Job is resumed", More: "the Job is suspended: its running pods stop", Add: "the Job is suspended: its running pods stop"},
	{Kinds: "Job.batch", Field: "spec.ttlSecondsAfterFinished", Class: Data, Change: "the time after which the finished Job is deleted changes"},
	{Kinds: "Job.batch", Field: "spec.managedBy", Class: Schedule, Change: "another controller runs the Job"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate", Class: Schedule, Change: "the next Jobs differ"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.metadata", Class: Nothing, Change: "labels and annotations of the next Jobs"},
	{Kinds: "CronJob.batch", Field: "spec.schedule", Class: Schedule, Change: "Jobs start at other times", Presence: true, Add: "Jobs start at its times", Remove: "Jobs no longer start at its times"},
	{Kinds: "CronJob.batch", Field: "spec.timeZone", Class: Schedule, Change: "Jobs start at other times"},
	{Kinds: "CronJob.batch", Field: "spec.suspend", Class: Schedule, Change: "Jobs start again", More: "no Job starts until it is resumed", Add: "no Job starts until it is resumed"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.spec.activeDeadlineSeconds", Class: Schedule, Change: "the deadline of the next Jobs changes", More: "the next Jobs are stopped later", Less: "the next Jobs are stopped sooner", Remove: "the next Jobs may run without end"},
	{Kinds: "CronJob.batch", Field: "spec.concurrencyPolicy", Class: Schedule, Change: "a Job that is due while another runs is started, skipped or takes its place"},
	{Kinds: "CronJob.batch", Field: "spec.startingDeadlineSeconds", Class: Schedule, Change: "the deadline for a Job that missed its time changes"},
	{Kinds: "CronJob.batch", Field: "spec.successfulJobsHistoryLimit", Class: Nothing, Change: "how many finished Jobs are kept"},
	{Kinds: "CronJob.batch", Field: "spec.failedJobsHistoryLimit", Class: Nothing, Change: "how many finished Jobs are kept"},

	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.scaleTargetRef", Class: Scale, Change: "the autoscaler scales another object", Presence: true, Add: "the autoscaler sets the number of pods", Remove: "the autoscaler no longer sets the number of pods"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.minReplicas", Class: Scale, Change: "the autoscaler keeps another number of pods", More: "the autoscaler starts pods if fewer run", Less: "the autoscaler may stop more pods", Safer: "more"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.maxReplicas", Class: Scale, Change: "the autoscaler may start another number of pods", More: "the autoscaler may start more pods", Less: "the autoscaler stops pods if more run, and starts fewer", Safer: "more", Usual: 20},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.metrics", Class: Scale, Change: "the autoscaler scales by other metrics"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.targetCPUUtilizationPercentage", Class: Scale, Change: "the autoscaler scales by another target", More: "the autoscaler runs fewer pods at the same load", Less: "the autoscaler runs more pods at the same load"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.behavior", Class: Scale, Change: "the autoscaler starts or stops pods at another rate"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.minAvailable", Class: Protection, Change: "a drain may evict another number of pods", More: "a drain may evict fewer pods at a time", Less: "a drain may evict more pods at a time", Safer: "more"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.maxUnavailable", Class: Protection, Change: "a drain may evict another number of pods", More: "a drain may evict more pods at a time", Less: "a drain may evict fewer pods at a time", Safer: "less"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.selector", Class: Protection, Change: "the budget protects other pods", Presence: true, Add: "a drain evicts the pods of the budget only as far as it allows", Remove: "a drain may evict all pods of the budget", Safer: "add"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.unhealthyPodEvictionPolicy", Class: Protection, Change: "whether pods that are not ready may be evicted changes"},
}

// networkAreas are the areas of Services and of what is around them.
var networkAreas = []*Area{
	{Kinds: "Service", Field: "spec", Class: Traffic, Change: "the way traffic reaches the Service changes", Presence: true, Remove: "nothing can be reached by the name and address of the Service"},
	{Kinds: "Service", Field: "spec.type", Class: Traffic, Change: "the Service can be reached from elsewhere"},
	{Kinds: "Service", Field: "spec.selector", Class: Traffic, Change: "the Service selects pods by other labels"},
	{Kinds: "Service", Field: "spec.ports", Class: Traffic, Change: "the Service has other ports"},
	{Kinds: "Service", Field: "spec.ports[]", Class: Traffic, Change: "a port leads elsewhere", Add: "a port is opened", Remove: "a port is closed"},
	{Kinds: "Service", Field: "spec.ports[].name", Class: Traffic, Change: "what uses the name of the port finds another port or none"},
	{Kinds: "Service", Field: "spec.ports[].nodePort", Class: Traffic, Change: "another port of the nodes leads to the Service", Add: "a port of the nodes is opened", Remove: "a port of the nodes is closed"},
	{Kinds: "Service", Field: "spec.clusterIP", Class: Traffic, Change: "the Service has another address"},
	{Kinds: "Service", Field: "spec.clusterIPs", Class: Traffic, Change: "the Service has other addresses"},
	{Kinds: "Service", Field: "spec.externalIPs", Class: Traffic, Change: "the Service is reached at other addresses"},
	{Kinds: "Service", Field: "spec.externalName", Class: Traffic, Change: "the name of the Service leads to another host"},
	{Kinds: "Service", Field: "spec.loadBalancerSourceRanges", Class: Isolation, Change: "other addresses may reach the load balancer"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec", Class: Traffic, Change: "the way requests are served changes", Presence: true, Add: "requests to its hosts are served", Remove: "requests to its hosts are no longer served by it"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.ingressClassName", Class: Traffic, Change: "another ingress controller serves the hosts, at another address"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.rules", Class: Traffic, Change: "other hosts and paths are served"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.rules[].http.paths[].backend", Class: Traffic, Change: "requests go to another Service"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.tls", Class: Traffic, Change: "hosts are served with another certificate, or with none"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.defaultBackend", Class: Traffic, Change: "requests that match no rule go elsewhere"},
	{Kinds: "IngressClass.networking.k8s.io", Field: "spec", Class: Traffic, Change: "another controller, or other settings, serve the Ingresses of the class"},
	{Kinds: "NetworkPolicy.networking.k8s.io", Field: "spec", Class: Isolation, Change: "other connections are allowed", Presence: true, Add: "only connections that a policy allows reach or leave the pods that it selects", Remove: "connections that only this policy blocked are allowed"},
	{Kinds: "NetworkPolicy.networking.k8s.io", Field: "spec.podSelector", Class: Isolation, Change: "the policy isolates other pods"},
	{Kinds: "IPAddress.networking.k8s.io ServiceCIDR.networking.k8s.io", Field: "spec", Class: Traffic, Change: "new Services get other addresses"},
	{Kinds: "EndpointSlice.discovery.k8s.io", Field: "endpoints", Class: Traffic, Change: "traffic goes to other addresses", Presence: true, Add: "traffic goes to its addresses", Remove: "traffic no longer goes to its addresses"},
	{Kinds: "EndpointSlice.discovery.k8s.io", Field: "ports", Class: Traffic, Change: "traffic goes to other ports"},
	{Kinds: "EndpointSlice.discovery.k8s.io", Field: "addressType", Class: Traffic, Change: "traffic goes to other addresses"},
	{Kinds: "Endpoints", Field: "subsets", Class: Traffic, Change: "traffic goes to other addresses", Presence: true, Add: "traffic goes to its addresses", Remove: "traffic no longer goes to its addresses"},
}

// policyAreas are the areas of what is read by pods, and of what says who may do what.
var policyAreas = []*Area{
	{Kinds: "ConfigMap Secret", Field: "data", Class: Data, Change: "what reads the keys gets other values"},
	{Kinds: "ConfigMap", Field: "binaryData", Class: Data, Change: "what reads the keys gets other values"},
	{Kinds: "Secret", Field: "stringData", Class: Data, Change: "what reads the keys gets other values"},
	{Kinds: "ConfigMap Secret", Field: "immutable", Class: Data, Change: "the values can no longer be changed"},
	{Kinds: "Secret", Field: "type", Class: Data, Change: "the Secret has another type"},
	{Kinds: "ServiceAccount", Field: "", Class: Access, Change: "the rights of new pods of the account change", Presence: true, Remove: "new pods of the account are rejected"},
	{Kinds: "ServiceAccount", Field: "secrets", Class: Access, Change: "new pods may mount other Secrets, if its annotation kubernetes.io/enforce-mountable-secrets limits them to those listed"},
	{Kinds: "ServiceAccount", Field: "imagePullSecrets", Class: Access, Change: "new pods pull images with other credentials"},
	{Kinds: "ServiceAccount", Field: "automountServiceAccountToken", Class: Access, Change: "whether new pods get a token for the API server changes"},
	{Kinds: "Namespace", Field: "spec", Class: Nothing, Change: written},
	{Kinds: "ResourceQuota", Field: "spec", Class: Protection, Change: "the limits of the namespace change", Presence: true, Add: "the quota limits the namespace; what runs stays", Remove: "the quota no longer limits the namespace"},
	{Kinds: "ResourceQuota", Field: "spec.hard.*", Class: Protection, Change: "a limit of the namespace changes", Add: "the namespace gets another limit", Remove: "the quota no longer limits it", More: "the namespace may use more", Less: "the namespace may use less; what runs stays"},
	{Kinds: "LimitRange", Field: "spec", Class: Protection, Change: "new pods get other limits and requests", Presence: true, Add: "new pods get its limits and requests", Remove: "new pods no longer get its limits and requests"},
	{Kinds: "Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", Field: "rules", Class: Access, Change: "the subjects of the role have other permissions", Presence: true, Remove: "the subjects of the role lose its permissions"},
	{Kinds: "Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", Field: "rules[]", Class: Access, Change: "the subjects of the role have other permissions", Add: "the subjects of the role get permissions", Remove: "the subjects of the role lose permissions"},
	{Kinds: "ClusterRole.rbac.authorization.k8s.io", Field: "aggregationRule", Class: Access, Change: "the role collects the rules of other roles"},
	{Kinds: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "subjects", Class: Access, Change: "other subjects have the permissions of the role", Presence: true, Add: "the subjects get the permissions of the role", Remove: "the subjects lose the permissions of the role"},
	{Kinds: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "subjects[]", Class: Access, Change: "other subjects have the permissions of the role", Add: "a subject gets the permissions of the role", Remove: "a subject loses the permissions of the role"},
	{Kinds: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "roleRef", Class: Access, Change: "the subjects have the permissions of another role"},
	{Kinds: webhooks, Field: "webhooks", Class: Access, Change: "the API server asks webhooks about other requests, or with other settings", Presence: true, Add: "the API server asks its webhooks", Remove: "the API server no longer asks its webhooks"},
	{Kinds: webhooks, Field: "webhooks[].clientConfig", Class: Access, Change: "the API server asks another address, or trusts another certificate"},
	{Kinds: webhooks, Field: "webhooks[].failurePolicy", Class: Access, Change: "requests are rejected or allowed when the webhook does not answer"},
	{Kinds: admissionPolicies, Field: "spec", Class: Access, Change: "the API server checks or mutates other requests, or by other expressions"},
	{Kinds: admissionBindings, Field: "spec", Class: Access, Change: "the policy is evaluated for other requests, or with other settings", Presence: true, Add: "the policy is evaluated for the requests of the binding", Remove: "the policy is no longer evaluated for the requests of the binding"},
	{Kinds: "CertificateSigningRequest.certificates.k8s.io", Field: "spec", Class: Access, Change: "another certificate is asked for"},
	{Kinds: "PodCertificateRequest.certificates.k8s.io", Field: "spec", Class: Nothing, Change: written},
	{Kinds: "ClusterTrustBundle.certificates.k8s.io", Field: "spec", Class: Access, Change: "pods that mount the bundle trust other certificates"},
}

// machineryAreas are the areas of nodes, storage, scheduling and the API.
var machineryAreas = []*Area{
	{Kinds: "Node", Field: "spec", Class: Placement, Change: "whether new pods are scheduled to the node changes"},
	{Kinds: "Node", Field: "spec.taints", Class: Placement, Change: "pods that do not tolerate the taints are not scheduled to the node, and stop on it if the effect is NoExecute"},
	{Kinds: "PersistentVolume", Field: "spec", Class: Storage, Change: "the way the volume is used changes", Presence: true, Add: "a claim that waits may bind to the volume", Remove: "the volume goes once no claim is bound to it"},
	{Kinds: "PersistentVolume", Field: "spec.persistentVolumeReclaimPolicy", Class: Data, Change: "whether the data is kept or deleted when the claim goes, or at once if it is gone, changes"},
	{Kinds: "PersistentVolumeClaim", Field: "spec", Class: Storage, Change: "the claim asks for another volume"},
	{Kinds: "PersistentVolumeClaim", Field: "spec.resources", Class: Storage, Change: "the volume is resized", More: "the storage driver is asked to grow the volume"},
	{Kinds: "StorageClass.storage.k8s.io", Field: "", Class: Storage, Change: "the way new volumes are made changes"},
	{Kinds: "VolumeAttributesClass.storage.k8s.io", Field: "", Class: Storage, Change: "volumes of the class get other attributes"},
	{Kinds: "CSIDriver.storage.k8s.io CSINode.storage.k8s.io", Field: "spec", Class: Storage, Change: "the way volumes of the driver are mounted changes"},
	{Kinds: "CSIStorageCapacity.storage.k8s.io", Field: "", Class: Placement, Change: "pods with new volumes are scheduled by another capacity"},
	{Kinds: "VolumeAttachment.storage.k8s.io", Field: "spec", Class: Storage, Change: "the way a volume is attached changes"},
	{Kinds: "RuntimeClass.node.k8s.io", Field: "", Class: Isolation, Change: "the way new pods of the class run changes", Presence: true, Remove: "new pods of the class are rejected"},
	{Kinds: "PriorityClass.scheduling.k8s.io", Field: "description", Class: Nothing, Change: "description"},
	{Kinds: "PriorityClass.scheduling.k8s.io", Field: "globalDefault", Class: Protection, Change: "new pods without a class have another priority", Presence: true, Add: "new pods without a class have its priority", Remove: "new pods without a class have another priority"},
	{Kinds: "PriorityClass.scheduling.k8s.io", Field: "", Class: Protection, Change: "new pods of the class have another priority", Presence: true, Remove: "new pods of the class are rejected"},
	{Kinds: "DeviceClass.resource.k8s.io ResourceClaim.resource.k8s.io ResourceClaimTemplate.resource.k8s.io ResourceSlice.resource.k8s.io DeviceTaintRule.resource.k8s.io", Field: "spec", Class: Placement, Change: "pods get other devices"},
	{Kinds: "Lease.coordination.k8s.io", Field: "spec", Class: Nothing, Change: written},
	{Kinds: "Event Event.events.k8s.io", Field: "", Class: Nothing, Change: written},
	{Kinds: "FlowSchema.flowcontrol.apiserver.k8s.io PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", Field: "spec", Class: Protection, Change: "the API server queues or rejects other requests", Presence: true, Add: "the API server queues or rejects other requests", Remove: "the API server queues or rejects other requests"},
	{Kinds: "APIService.apiregistration.k8s.io", Field: "spec", Class: Access, Change: "another server answers requests for the API group, or the way it is trusted changes", Presence: true, Add: "another server answers requests for the API group", Remove: "no other server answers requests for the API group"},
	{Kinds: "StorageVersionMigration.storagemigration.k8s.io", Field: "spec", Class: Nothing, Change: "which objects are stored again"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec", Class: Access, Change: "the way the API server serves the kind changes"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.versions", Class: Access, Change: "the API server serves other versions, or the way it stores and checks objects changes"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.versions[].schema", Ends: "description", Class: Nothing, Change: "descriptions"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.versions[].additionalPrinterColumns", Class: Nothing, Change: "columns of kubectl get"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.conversion", Class: Access, Change: "the way objects of other versions are converted changes"},
}
