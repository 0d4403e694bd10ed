package setting

import "slices"

// Areas are all areas, those of pods first.
var Areas = slices.Concat(podAreas, workloadAreas, networkAreas, policyAreas, machineryAreas, metadataAreas)

const otherBudget = "drains stop at most {new.maxUnavailable:pod} at a time, instead of keeping {old.minAvailable} running|drains keep at least {new.minAvailable:pod} running, instead of stopping at most {old.maxUnavailable} at a time|a drain may evict a different number of pods"

const (
	podKinds    = "Deployment.apps ReplicaSet.apps StatefulSet.apps DaemonSet.apps ReplicationController"
	replicated  = "Deployment.apps ReplicaSet.apps StatefulSet.apps ReplicationController"
	selecting   = "Deployment.apps ReplicaSet.apps StatefulSet.apps DaemonSet.apps ReplicationController Job.batch"
	written     = "the API server or a controller writes it"
	losesAfter  = "a pod that does not answer loses its traffic after about {new.periodSeconds*failureThreshold}s instead of {old.periodSeconds*failureThreshold}s (period × failureThreshold)|"
	losesLater  = losesAfter + "a pod that does not answer loses its traffic later"
	losesSooner = losesAfter + "a pod that does not answer loses its traffic sooner"
	otherNodes  = "pods stop on nodes that no longer fit, and start on those that now do"
	unused      = "only new objects read it"

	leads           = "the programs that share the lease have another leader, or wait for one"
	takesPods       = "new pods may be scheduled to the node, or no longer"
	attached        = "a volume is attached to a node"
	readByCloud     = "the cloud provider or a controller may read the annotation"
	givesIdentity   = "new pods may get a different identity or secrets from outside of the cluster"
	accountIdentity = "new pods may mount other Secrets, and get another identity at a cloud provider"
	confines        = "the confinement of new containers may change"
	joins           = "which mesh or network new pods are in may change"
	evicts          = "which pods programs evict or stop first may change"
	changesPods     = "a program may change new pods or treat them differently"

	// describing are labels and annotations that only describe, or that appliers, kubectl and the
	// API server write.
	describing = " -app.kubernetes.io/* -kubectl.kubernetes.io/* -kubernetes.io/description -kubernetes.io/change-cause -kubernetes.io/metadata.name -*config.kubernetes.io/* -deployment.kubernetes.io/* -control-plane.alpha.kubernetes.io/* -pv.kubernetes.io/* -volume.kubernetes.io/* -endpoints.kubernetes.io/* -helm.sh/chart -helm.sh/hook* -meta.helm.sh/* -applyset.kubernetes.io/* -argocd.argoproj.io/instance -argocd.argoproj.io/tracking-id -argocd.argoproj.io/sync-wave -*.toolkit.fluxcd.io/name -*.toolkit.fluxcd.io/namespace -*.toolkit.fluxcd.io/checksum -*.kpt.dev/* -config.k8s.io/* -*/version -*/*-version -*/description -*/created-by -*/checksum* -*/*-checksum -checksum/* -*/commit* -*/*-commit -*/*hash -*/restart* -prometheus.io/* -threeway.dev/*"
	// ofPrograms are labels and annotations that begin with the domain of a program, but for those.
	ofPrograms = "*/*" + describing
	// confining are annotations by which the runtime confines containers, joining those by which
	// a mesh or a network takes in pods, and evicting those by which programs choose pods to stop.
	confining = "*apparmor* *seccomp* io.kubernetes.cri-o.* *.kata-containers.io/*"
	joining   = "*istio.io/* *linkerd.io/* *consul.hashicorp.com/* kuma.io/* *cni.cncf.io/* *cni.projectcalico.org/* *cilium.io/* kubernetes.io/*-bandwidth"
	evicting  = "cluster-autoscaler.kubernetes.io/* karpenter.sh/* descheduler.alpha.kubernetes.io/* controller.kubernetes.io/pod-deletion-cost"
	// identities are annotations that decide what a ServiceAccount may mount, or what its
	// pods are at a cloud provider or in a vault.
	identities = "kubernetes.io/enforce-mountable-secrets eks.amazonaws.com/* iam.amazonaws.com/* iam.gke.io/* azure.workload.identity/* *workload-identity* *vault* *iam*"
)

// metadataAreas are the areas of every kind.
var metadataAreas = []*Area{
	{Kinds: Any, Field: "apiVersion", Class: Nothing, Change: "version"},
	{Kinds: Any, Field: "kind", Class: Nothing, Change: "kind"},
	{Kinds: Any, Field: "metadata", Class: Nothing, Change: "metadata"},
	{Kinds: Any, Field: "metadata.labels", Keys: ofPrograms, Class: Controller, Change: "a controller may read the label", Presence: true, Add: "a controller may read the label"},
	{Kinds: Any, Field: "metadata.annotations", Keys: ofPrograms, Class: Controller, Change: "a controller may read the annotation", Presence: true, Add: "a controller may read the annotation"},
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
	{Kinds: "Service", Field: "metadata.annotations", Keys: ofPrograms, Class: Traffic, Change: readByCloud, Presence: true, Add: readByCloud},
	{Kinds: "Ingress.networking.k8s.io", Field: "metadata.annotations", Keys: ofPrograms, Class: Traffic, Change: "the ingress controller may read the annotation"},
	{Kinds: "Namespace", Field: "metadata.labels", Keys: "-pod-security.kubernetes.io/warn* -pod-security.kubernetes.io/audit*", Class: Access, Change: "which policies, webhooks and NetworkPolicies apply to the namespace may change"},
	{Kinds: "Namespace", Field: "metadata.labels", Keys: "pod-security.kubernetes.io/warn* pod-security.kubernetes.io/audit*", Class: Nothing, Change: "what the API server warns of"},
	{Kinds: "Node", Field: "metadata.labels", Class: Placement, Change: "pods of DaemonSets may start or stop on the node, and which new pods may run on it changes"},
	{Kinds: "ServiceAccount", Field: "metadata.annotations", Keys: identities, Class: Access, Change: accountIdentity, Presence: true, Add: accountIdentity},
	{Kinds: "ClusterRole.rbac.authorization.k8s.io", Field: "metadata.labels", Keys: "-app.kubernetes.io/version -app.kubernetes.io/managed-by -helm.sh/chart -chart -heritage", Class: Access, Change: "which roles collect its rules may change"},
	{Kinds: "StorageClass.storage.k8s.io", Field: "metadata.annotations", Keys: "*/is-default-class", Class: Storage, Change: "the default class may change", Presence: true, Add: "new claims without a class use this one", Remove: "new claims without a class may get no volume"},
	{Kinds: "IngressClass.networking.k8s.io", Field: "metadata.annotations", Keys: "*/is-default-class", Class: Traffic, Change: "the default class may change", Presence: true, Add: "new Ingresses without a class use this one", Remove: "new Ingresses without a class may not be served"},
	{Kinds: "PersistentVolume", Field: "metadata.labels", Class: Storage, Change: "which claims may bind to it changes"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io APIService.apiregistration.k8s.io " + webhooks, Field: "metadata.annotations", Keys: "*inject-ca* *inject-apiserver-ca*", Class: Access, Change: "a controller may write another certificate"},
}

// podAreas are the areas of what runs pods. A template decides what new pods are; see
// merge/impact for when the controllers replace the old ones.
var podAreas = []*Area{
	{Kinds: PodTemplate, Field: "", Class: Pods, Change: "new pods differ"},
	{Kinds: PodTemplate, Field: "metadata.annotations", Keys: identities, Class: Access, Change: givesIdentity, Presence: true, Add: givesIdentity},
	{Kinds: PodTemplate, Field: "metadata.labels", Keys: identities, Class: Access, Change: givesIdentity, Presence: true, Add: givesIdentity},
	{Kinds: PodTemplate, Field: "metadata.annotations", Keys: confining, Class: Isolation, Change: confines, Presence: true, Add: confines},
	{Kinds: PodTemplate, Field: "metadata.annotations", Keys: joining, Class: Traffic, Change: joins, Presence: true, Add: joins},
	{Kinds: PodTemplate, Field: "metadata.labels", Keys: joining, Class: Traffic, Change: joins, Presence: true, Add: joins},
	{Kinds: PodTemplate, Field: "metadata.annotations", Keys: evicting, Class: Protection, Change: evicts, Presence: true, Add: evicts},
	{Kinds: PodTemplate, Field: "metadata.annotations", Keys: ofPrograms, Class: Controller, Change: changesPods, Presence: true, Add: changesPods},
	{Kinds: PodTemplate, Field: "metadata.labels", Keys: ofPrograms, Class: Controller, Change: changesPods, Presence: true, Add: changesPods},
	{Kinds: PodTemplate, Field: "metadata.labels", Keys: "pod-template-hash controller-revision-hash controller-uid batch.kubernetes.io/*", Class: Controller, Change: "the controller of another workload may adopt the new pods", Presence: true, Add: "the controller of another workload may adopt the new pods"},
	// How new pods differ.
	{Kinds: PodSpec, Field: "", Class: Protection, Change: "new pods differ in how they run"},
	{Kinds: PodSpec, Field: "containers", Class: Pods, Change: "new pods differ"},
	{Kinds: PodSpec, Field: "initContainers", Class: Protection, Change: "new pods differ", Add: "new pods run init containers first", Safer: "add", only: ofImages},
	{Kinds: PodSpec, Field: "volumes", Class: Pods, Change: "new pods differ"},
	{Kinds: PodSpec, Field: "volumes[].ephemeral", Class: Storage, Change: "new pods get other claims"},
	{Kinds: PodSpec, Field: "volumes[].emptyDir.medium", Class: Protection, Change: "whether files count as memory of the pod changes"},
	{Kinds: PodSpec, Field: "enableServiceLinks", Class: Pods, Change: "new pods differ"},
	{Kinds: PodSpec, Field: "os", Class: Pods, Change: "new pods differ"},
	{Kinds: PodSpec, Field: "serviceAccount", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "", Class: Protection, Change: "{container} runs differently", Add: "new pods run {container}, too", Remove: "new pods no longer run {container}", Safer: "add", only: ofImages},
	{Kinds: Container, Field: "image", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "args", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "env", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "envFrom", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "workingDir", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "resizePolicy", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "resources", Class: Pods, Change: "new pods differ"},
	{Kinds: Container, Field: "ports", Class: Traffic, Change: "another port of new pods has the name", Add: "new pods name a port", Remove: "references to the port by its name break", Safer: "add", unordered: true},
	{Kinds: Container, Field: "volumeMounts", Class: Data, Change: "{container} finds different files at a path", Add: "{container} finds the files of a volume in place of those of its image", Remove: "{container} no longer finds the files of a volume", Safer: "add", only: apart, unordered: true},
	{Kinds: PodSpec, Field: "serviceAccountName", Class: Access, Change: "new pods run as ServiceAccount {new} instead of {old}|new pods run as ServiceAccount {new}|new pods run as another ServiceAccount"},
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
	{Kinds: PodSpec, Field: "securityContext.fsGroup", Class: Isolation, Change: "the group of files in volumes changes", Add: "files in volumes belong to this group"},
	{Kinds: PodSpec, Field: "securityContext.runAsUser", Class: Isolation, Change: "containers run as another user"},
	{Kinds: PodSpec, Field: "securityContext.runAsGroup", Class: Isolation, Change: "containers run in another group"},
	{Kinds: PodSpec, Field: "runtimeClassName", Class: Isolation, Change: "new pods run in RuntimeClass {new} instead of {old}|new pods run in RuntimeClass {new}|new pods run in another runtime"},
	{Kinds: PodSpec, Field: "priorityClassName", Class: Protection, Change: "new pods have PriorityClass {new} instead of {old}|new pods have PriorityClass {new}|the priority of new pods changes: they may preempt other pods, or be preempted"},
	{Kinds: PodSpec, Field: "preemptionPolicy", Class: Protection, Change: "whether new pods may preempt others changes"},
	{Kinds: PodSpec, Field: "terminationGracePeriodSeconds", Class: Protection, Change: "the time that new pods have to stop changes", More: "new pods get {new}s instead of {old}s to shut down|new pods have more time to stop", Less: "new pods get {new}s instead of {old}s to shut down|new pods are killed sooner after they are asked to stop", Safer: "more", Usual: 600},
	{Kinds: PodSpec, Field: "readinessGates", Class: Protection, Change: "the conditions under which new pods count as ready change"},
	{Kinds: PodSpec, Field: "nodeSelector", Class: Placement, Change: "new pods may run on other nodes"},
	{Kinds: PodSpec, Field: "nodeName", Class: Placement, Change: "new pods run on node {new}|new pods run on another node"},
	{Kinds: PodSpec, Field: "affinity", Class: Placement, Change: "new pods may run on other nodes"},
	{Kinds: PodSpec, Field: "tolerations", Class: Placement, Change: "new pods may run on nodes with other taints"},
	{Kinds: PodSpec, Field: "topologySpreadConstraints", Class: Placement, Change: "the rules that spread new pods over nodes change"},
	{Kinds: PodSpec, Field: "schedulerName", Class: Placement, Change: "the scheduler {new} places new pods instead of {old}|another scheduler places new pods"},
	{Kinds: PodSpec, Field: "resourceClaims", Class: Placement, Change: "new pods get other devices"},
	{Kinds: PodSpec, Field: "volumes[].persistentVolumeClaim", Class: Storage, Change: "new pods use another claim, or readOnly changes"},
	{Kinds: PodSpec, Field: "volumes[].hostPath", Class: Isolation, Change: "new pods see a different part of the disk of their node"},
	{Kinds: PodSpec, Field: "volumes[].secret.defaultMode", Class: Access, Change: "other users of new pods may read the files of a Secret"},
	{Kinds: PodSpec, Field: "volumes[].projected.defaultMode", Class: Access, Change: "other users of new pods may read the files of a volume"},
	{Kinds: PodSpec, Field: "volumes[].projected.sources[].serviceAccountToken.expirationSeconds", Class: Access, Change: "the lifetime of the token changes", More: "the token expires later", Less: "the token is renewed sooner", Safer: "less"},
	{Kinds: PodSpec, Field: "volumes[].projected.sources[].serviceAccountToken.audience", Class: Access, Change: "the audience of the token changes"},
	{Kinds: Container, Field: "resources.limits", Class: Protection, Change: "the limits of {container} change", Add: "{container} may use at most: {new}|{container} gets limits", Remove: "{container} may use all that the node has"},
	{Kinds: Container, Field: "resources.requests", Class: Placement, Change: "the requests of {container} change", Add: "new pods need a node with free capacity for {container}: {new}|new pods need a node with that much free", Remove: "the scheduler reserves the limits instead, or nothing if there are none"},
	{Kinds: Container, Field: "resources.limits.*", Class: Protection, Change: "a limit of {container} changes", Add: "{container} is {exceeds} at {new} of {field}|{container} may use at most {new} of {field}|{container} gets a limit", Remove: "{container} may use all that the node has", More: "{container} may use {new} of {field} instead of {old}|{container} may use more", Less: "{container} is {exceeds} at {new} of {field} instead of {old}|{container} may use {new} of {field} instead of {old}|{container} may use less", Safer: "more"},
	{Kinds: Container, Field: "resources.requests.*", Class: Placement, Change: "the requests of {container} change", Add: "new pods need a node with {new} of {field} free for {container}|new pods need a node with that much free", More: "new pods need a node with {new} of {field} free for {container} (was {old})|new pods need a node with more free capacity", Less: "new pods need a node with only {new} of {field} free for {container} (was {old})|new pods fit on nodes with less free capacity", Safer: "add double", Usual: 4 << 30, only: small},
	{Kinds: Container, Field: "readinessProbe", Class: Protection, Change: "{container} is ready when GET :{new.httpGet.port}{new.httpGet.path} succeeds (was :{old.httpGet.port}{old.httpGet.path})|the readiness probe of {container} changes", Add: "{container} is ready once GET :{new.httpGet.port}{new.httpGet.path} succeeds|new pods count as ready once the probe succeeds", Safer: "add"},
	{Kinds: Container, Field: "livenessProbe", Class: Protection, Change: "{container} is restarted when GET :{new.httpGet.port}{new.httpGet.path} fails (was :{old.httpGet.port}{old.httpGet.path})|the liveness probe of {container} changes", Add: "{container} is restarted when GET :{new.httpGet.port}{new.httpGet.path} fails|{container} is restarted if the probe fails", Safer: "add", only: patient},
	{Kinds: Container, Field: "readinessProbe.failureThreshold", Class: Protection, Change: "the time after which a pod that does not answer loses its traffic changes", More: losesLater, Less: losesSooner, Safer: "usual", Usual: 10},
	{Kinds: Container, Field: "readinessProbe.timeoutSeconds", Class: Protection, Change: "the time after which a pod that does not answer loses its traffic changes", More: "a pod that does not answer loses its traffic later", Less: "a pod that does not answer loses its traffic sooner", Safer: "usual", Usual: 10},
	{Kinds: Container, Field: "readinessProbe.periodSeconds", Class: Protection, Change: "the time after which a pod that does not answer loses its traffic changes", More: losesLater, Less: losesSooner, Safer: "usual", Usual: 30},
	{Kinds: Container, Field: "readinessProbe.initialDelaySeconds", Class: Protection, Change: "the time after which new pods count as ready changes", Add: "new pods count as ready later", Remove: "new pods count as ready sooner", More: "new pods count as ready later", Less: "new pods count as ready sooner", Safer: "usual", Usual: 60},
	{Kinds: Container, Field: "readinessProbe.successThreshold", Class: Protection, Change: "the time after which a pod gets traffic changes", More: "a pod gets traffic after more successes", Less: "a pod gets traffic after fewer successes"},
	{Kinds: Container, Field: "imagePullPolicy", Class: Protection, Change: "the pull policy of the image changes"},
	{Kinds: Container, Field: "startupProbe", Class: Protection, Change: "{container} has started when GET :{new.httpGet.port}{new.httpGet.path} succeeds (was :{old.httpGet.port}{old.httpGet.path})|the startup probe of {container} changes", Add: "{container} is restarted if the probe does not succeed in time; until then the other probes wait", Safer: "add", only: patient},
	{Kinds: Container, Field: "lifecycle", Class: Protection, Change: "a lifecycle hook of a container changes"},
	{Kinds: Container, Field: "lifecycle.preStop", Class: Protection, Change: "what a container does before it stops changes", Add: "a container runs a hook before it stops"},
	{Kinds: Container, Field: "lifecycle.preStop.sleep.seconds", Class: Protection, Change: "the time for which a container waits before it stops changes", More: "a container waits longer before it stops", Less: "a container waits for a shorter time before it stops", Safer: "more", Usual: 600},
	{Kinds: Container, Field: "lifecycle.postStart", Class: Protection, Change: "what a container does after it starts changes", Add: "a container runs a hook after it starts"},
	{Kinds: Container, Field: "command", Class: Protection, Change: "a container runs another program"},
	{Kinds: Container, Field: "securityContext", Class: Isolation, Change: "the security context of a container changes"},
	{Kinds: Container, Field: "securityContext.runAsUser", Class: Isolation, Change: "the container runs as another user"},
	{Kinds: Container, Field: "securityContext.runAsGroup", Class: Isolation, Change: "the container runs in another group"},
	{Kinds: Container, Field: "securityContext.seLinuxOptions", Class: Isolation, Change: "the container gets another SELinux label"},
	{Kinds: Container, Field: "ports[].hostPort", Class: Traffic, Change: "the host port of new pods changes"},
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
	{Kinds: PodSpec, Field: "schedulingGates", Class: Placement, Change: "new pods wait for a different scheduling gate", Add: "new pods are not scheduled until a program removes their gate"},
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
	{Kinds: "Deployment.apps", Field: "spec.strategy.type", Class: Protection, Change: "the rollout strategy changes"},
	{Kinds: "Deployment.apps", Field: "spec.strategy.rollingUpdate", Class: Protection, Change: "the rollout strategy changes", Add: "rollouts start new pods before old ones stop", Remove: "rollouts stop all pods before new ones start", Safer: "add"},
	{Kinds: "Deployment.apps", Field: "spec.paused", Class: Schedule, Change: "changes of the template roll out again", Add: "changes of the template do not roll out until it is resumed", More: "changes of the template do not roll out until it is resumed"},
	{Kinds: "StatefulSet.apps DaemonSet.apps", Field: "spec.updateStrategy", Class: Protection, Change: "the update strategy changes"},
	{Kinds: "StatefulSet.apps", Field: "spec.updateStrategy.rollingUpdate.partition", Class: Protection, Change: "rollouts reach other pods", Add: "rollouts leave the pods below the partition on the old template", More: "rollouts leave more pods on the old template", Less: "rollouts reach more pods"},
	{Kinds: "StatefulSet.apps DaemonSet.apps", Field: "spec.updateStrategy.rollingUpdate.maxUnavailable", Class: Protection, Change: "the number of pods that the next rollouts stop at a time changes"},
	{Kinds: "StatefulSet.apps", Field: "spec.serviceName", Class: Traffic, Change: "new pods have DNS names of another Service"},
	{Kinds: "StatefulSet.apps", Field: "spec.podManagementPolicy", Class: Scale, Change: "pods start and stop in another order"},
	{Kinds: "StatefulSet.apps", Field: "spec.volumeClaimTemplates", Class: Storage, Change: "new pods get other claims"},
	{Kinds: "StatefulSet.apps", Field: "spec.persistentVolumeClaimRetentionPolicy", Class: Storage, Change: "whether claims are kept or deleted with their pods changes"},
	{Kinds: "StatefulSet.apps", Field: "spec.ordinals", Class: Placement, Change: "pods get different ordinals, and so different PersistentVolumeClaims"},
	{Kinds: "ControllerRevision.apps", Field: "data", Class: Nothing, Change: written},
	{Kinds: "ControllerRevision.apps", Field: "revision", Class: Nothing, Change: written},

	{Kinds: "Job.batch", Field: "spec", Class: Schedule, Change: "the conditions under which the Job ends change"},
	{Kinds: "Job.batch", Field: "spec.parallelism", Class: Scale, Change: "the number of pods that run at a time changes", More: "more pods may run at a time", Less: "fewer pods may run at a time"},
	{Kinds: "Job.batch", Field: "spec.completions", Class: Scale, Change: "the number of pods that the Job must complete changes"},
	{Kinds: "Job.batch", Field: "spec.backoffLimit", Class: Schedule, Change: "the number of retries after which the Job fails changes", More: "the Job fails after {new:retry:retries} instead of {old}|the Job is retried more often before it fails", Less: "the Job fails after {new:retry:retries} instead of {old}|the Job fails after fewer retries", Safer: "double"},
	{Kinds: "Job.batch", Field: "spec.activeDeadlineSeconds", Class: Schedule, Change: "the deadline of the Job changes", Add: "the Job is stopped after {new}s|the Job is stopped after this time", Remove: "the Job may run forever", More: "the Job is stopped after {new}s instead of {old}s|the Job is stopped later", Less: "the Job is stopped after {new}s instead of {old}s|the Job is stopped sooner"},
	{Kinds: "Job.batch", Field: "spec.suspend", Class: Schedule, Change: "the Job is resumed", More: "the Job is suspended: its running pods stop", Add: "the Job is suspended: its running pods stop"},
	{Kinds: "Job.batch", Field: "spec.ttlSecondsAfterFinished", Class: Schedule, Change: "the time after which the finished Job is deleted changes", Add: "the finished Job is deleted with its pods and their logs", Remove: "the finished Job is no longer deleted", More: "the finished Job is deleted later", Less: "the finished Job is deleted sooner, with its pods and their logs"},
	{Kinds: "Job.batch", Field: "spec.managedBy", Class: Schedule, Change: "another controller runs the Job"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate", Class: Schedule, Change: "the next Jobs differ"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.metadata", Class: Nothing, Change: "labels and annotations of the next Jobs"},
	{Kinds: "CronJob.batch", Field: "spec.schedule", Class: Schedule, Change: "Jobs start at other times", Presence: true, Add: "Jobs start at {new.spec.schedule}|Jobs start at its times", Remove: "Jobs no longer start at {old.spec.schedule}|Jobs no longer start at its times", Safer: "add"},
	{Kinds: "CronJob.batch", Field: "spec.timeZone", Class: Schedule, Change: "Jobs start in the time zone {new} instead of {old}|Jobs start in the time zone {new}|Jobs start at other times"},
	{Kinds: "CronJob.batch", Field: "spec.suspend", Class: Schedule, Change: "Jobs start again", More: "no Job starts until it is resumed", Add: "no Job starts until it is resumed"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.spec.activeDeadlineSeconds", Class: Schedule, Change: "the deadline of the next Jobs changes", Add: "the next Jobs are stopped after {new}s|the next Jobs are stopped after this time", More: "the next Jobs are stopped after {new}s instead of {old}s|the next Jobs are stopped later", Less: "the next Jobs are stopped after {new}s instead of {old}s|the next Jobs are stopped sooner", Remove: "the next Jobs may run forever"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.spec.backoffLimit", Class: Schedule, Change: "the number of retries after which the next Jobs fail changes", More: "the next Jobs fail after {new:retry:retries} instead of {old}|the next Jobs are retried more often before they fail", Less: "the next Jobs fail after {new:retry:retries} instead of {old}|the next Jobs fail after fewer retries", Safer: "double"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.spec.ttlSecondsAfterFinished", Class: Schedule, Change: "the time after which finished Jobs are deleted changes", Add: "finished Jobs are deleted with their pods and logs", Remove: "finished Jobs are no longer deleted automatically", More: "finished Jobs are deleted later", Less: "finished Jobs are deleted sooner, with their pods and logs"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.spec.parallelism", Class: Schedule, Change: "the number of pods of a Job that run at a time changes", More: "more pods of a Job may run at a time", Less: "fewer pods of a Job may run at a time"},
	{Kinds: "CronJob.batch", Field: "spec.jobTemplate.spec.completions", Class: Schedule, Change: "the number of pods that the next Jobs must complete changes"},
	{Kinds: "CronJob.batch", Field: "spec.concurrencyPolicy", Class: Schedule, Change: "what happens to a Job that is due while another runs changes"},
	{Kinds: "CronJob.batch", Field: "spec.startingDeadlineSeconds", Class: Schedule, Change: "the deadline for starting a late Job changes", Add: "a Job that is more than {new}s late is skipped|a Job that is too late is skipped", Remove: "a late Job starts, no matter how late it is", More: "a Job may start later than before", Less: "a late Job is skipped sooner"},
	{Kinds: "CronJob.batch", Field: "spec.successfulJobsHistoryLimit", Class: Nothing, Change: "how many finished Jobs are kept"},
	{Kinds: "CronJob.batch", Field: "spec.failedJobsHistoryLimit", Class: Nothing, Change: "how many finished Jobs are kept"},

	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.scaleTargetRef", Class: Scale, Change: "the autoscaler scales {new} instead of {old}|the autoscaler scales another object", Presence: true, Add: "scales {new.spec.scaleTargetRef.kind} {new.spec.scaleTargetRef.name} between {new.spec.minReplicas} and {new.spec.maxReplicas} pods|scales {new.spec.scaleTargetRef.kind} {new.spec.scaleTargetRef.name} between 1 and {new.spec.maxReplicas} pods|the autoscaler sets the number of pods", Remove: "the autoscaler no longer sets the number of pods of {old.spec.scaleTargetRef.kind} {old.spec.scaleTargetRef.name}|the autoscaler no longer sets the number of pods"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.minReplicas", Class: Scale, Change: "the minimum number of pods changes", More: "the autoscaler keeps at least {new:pod} (was {old}): it starts pods if fewer run|the autoscaler starts pods if fewer run", Less: "the autoscaler may scale down to {new:pod} (was {old})|the autoscaler may stop more pods", Safer: "more"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.maxReplicas", Class: Scale, Change: "the maximum number of pods changes", More: "the autoscaler runs at most {new:pod} (was {old})|the autoscaler may start more pods", Less: "the autoscaler runs at most {new:pod} (was {old}): it stops pods if more run|the autoscaler stops pods if more run, and starts fewer", Safer: "more", Usual: 20},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.metrics", Class: Scale, Change: "the metrics that the autoscaler scales by change"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.targetCPUUtilizationPercentage", Class: Scale, Change: "the target of the autoscaler changes", More: "the autoscaler runs fewer pods at the same load", Less: "the autoscaler runs more pods at the same load"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.behavior", Class: Scale, Change: "how fast the autoscaler starts or stops pods changes"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.behavior.scaleDown.stabilizationWindowSeconds", Class: Scale, Change: "how long the autoscaler waits before it stops pods changes", Add: "how long the autoscaler waits before it stops pods changes", More: "the autoscaler waits {new}s instead of {old}s before it stops pods|the autoscaler stops pods later after the load falls", Less: "the autoscaler waits {new}s instead of {old}s before it stops pods|the autoscaler stops pods sooner after the load falls", Safer: "more"},
	{Kinds: "HorizontalPodAutoscaler.autoscaling", Field: "spec.behavior.scaleUp.stabilizationWindowSeconds", Class: Scale, Change: "how long the autoscaler waits before it starts pods changes", More: "the autoscaler waits {new}s instead of {old}s before it starts pods|the autoscaler starts pods later after the load rises", Less: "the autoscaler waits {new}s instead of {old}s before it starts pods|the autoscaler starts pods sooner after the load rises", Safer: "less"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.minAvailable", Class: Protection, Change: otherBudget, More: "a drain may evict fewer pods at a time: {new} must stay (was {old})|a drain may evict fewer pods at a time", Less: "a drain may evict more pods at a time: {new} must stay (was {old})|a drain may evict more pods at a time", Safer: "more"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.maxUnavailable", Class: Protection, Change: otherBudget, More: "a drain may evict more pods at a time: up to {new} (was {old})|a drain may evict more pods at a time", Less: "a drain may evict fewer pods at a time: up to {new} (was {old})|a drain may evict fewer pods at a time", Safer: "less"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.selector", Class: Protection, Change: "the budget protects different pods", Presence: true, Add: "drains keep at least {new.spec.minAvailable:pod} running (minAvailable)|drains stop at most {new.spec.maxUnavailable:pod} at a time (maxUnavailable)|a drain evicts the pods of the budget only as far as it allows", Remove: "a drain may evict all pods of the budget", Safer: "add"},
	{Kinds: "PodDisruptionBudget.policy", Field: "spec.unhealthyPodEvictionPolicy", Class: Protection, Change: "whether pods that are not ready may be evicted changes"},
}

// networkAreas are the areas of Services and of what is around them.
var networkAreas = []*Area{
	{Kinds: "Service", Field: "spec", Class: Traffic, Change: "the way traffic reaches the Service changes", Presence: true, Remove: "nothing can be reached by the name and address of the Service"},
	{Kinds: "Service", Field: "spec.type", Class: Traffic, Change: "the name of the Service resolves to {new.externalName}, and its pods get no traffic through it|the type of the Service becomes {new} (was {old})|the type of the Service changes"},
	{Kinds: "Service", Field: "spec.selector", Class: Traffic, Change: "the Service routes to pods with {new.selector} (was {old.selector})|the Service selects pods by other labels"},
	{Kinds: "Service", Field: "spec.ports", Class: Traffic, Change: "the Service has other ports"},
	{Kinds: "Service", Field: "spec.ports[].appProtocol", Class: Traffic, Change: "load balancers and ingress controllers may assume another protocol", Add: "load balancers and ingress controllers use the protocol {new}|load balancers and ingress controllers may use this protocol", Safer: "add", only: protocolOfName},
	{Kinds: "Service", Field: "spec.ports[]", Class: Traffic, Change: "a port routes to a different target", Add: "port {new.port} is opened|a port is opened", Remove: "port {old.port} is closed|a port is closed", Safer: "add", only: inCluster},
	{Kinds: "Service", Field: "spec.ports[].name", Class: Traffic, Change: "references by the name of the port find a different port or none", Add: "the port can be referred to by its name", Safer: "add"},
	{Kinds: "Service", Field: "spec.ports[].nodePort", Class: Traffic, Change: "the node port of the Service changes", Add: "a node port is opened", Remove: "a node port is closed"},
	{Kinds: "Service", Field: "spec.clusterIP", Class: Traffic, Change: "the address of the Service changes"},
	{Kinds: "Service", Field: "spec.clusterIPs", Class: Traffic, Change: "the addresses of the Service change"},
	{Kinds: "Service", Field: "spec.healthCheckNodePort", Class: Traffic, Change: "load balancers find the nodes that have pods through a different node port", Add: "load balancers find the nodes that have pods through a node port", Remove: "load balancers no longer check which nodes have pods"},
	{Kinds: "Service", Field: "spec.sessionAffinityConfig", Class: Traffic, Change: "the time that a client sticks to a pod changes", Add: "requests of one client go to the same pod", Remove: "requests of one client go to different pods"},
	{Kinds: "Service", Field: "spec.sessionAffinityConfig.clientIP.timeoutSeconds", Class: Traffic, Change: "the time that a client sticks to a pod changes", More: "a client that pauses sticks to its pod for longer", Less: "a client that pauses moves to another pod sooner"},
	{Kinds: "Service", Field: "spec.externalIPs", Class: Traffic, Change: "the Service can be reached at different addresses"},
	{Kinds: "Service", Field: "spec.externalName", Class: Traffic, Change: "the name of the Service resolves to {new} (was {old})|the name of the Service resolves to a different host", Add: "the name of the Service resolves to {new}, and its pods get no traffic through it|the name of the Service resolves to a different host"},
	{Kinds: "Service", Field: "spec.loadBalancerSourceRanges", Class: Isolation, Change: "other addresses may reach the load balancer"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec", Class: Traffic, Change: "the way requests are served changes", Presence: true, Add: "requests to its hosts are served", Remove: "it no longer serves its hosts"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.ingressClassName", Class: Traffic, Change: "Ingress class {new} instead of {old} serves the hosts: their address may change|another ingress controller serves the hosts, at another address"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.rules", Class: Traffic, Change: "other hosts and paths are served"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.rules[].http.paths[].pathType", Class: Traffic, Change: "the path matches different requests"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.rules[].http.paths[].backend", Class: Traffic, Change: "requests go to another Service"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.tls", Class: Traffic, Change: "hosts are served with a different certificate, or without one"},
	{Kinds: "Ingress.networking.k8s.io", Field: "spec.defaultBackend", Class: Traffic, Change: "requests that match no rule go to a different backend"},
	{Kinds: "IngressClass.networking.k8s.io", Field: "spec", Class: Traffic, Change: "another controller, or other settings, serve the Ingresses of the class"},
	{Kinds: "NetworkPolicy.networking.k8s.io", Field: "spec", Class: Isolation, Change: "other connections are allowed", Presence: true, Add: "the pods that it selects are isolated ({new.spec.policyTypes}): only connections that a policy allows work|only connections that a policy allows reach the pods that it selects, or leave them if it has egress rules", Remove: "connections that only this policy blocked are allowed"},
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
	{Kinds: "Secret", Field: "data.*", Class: Data, Change: "what reads the keys gets other values", Add: "readers of the Secret get a different key", Safer: "add"},
	{Kinds: "ConfigMap Secret", Field: "immutable", Class: Data, Change: "the values can no longer be changed", Add: "the values can no longer be changed", Safer: "add"},
	{Kinds: "Secret", Field: "type", Class: Data, Change: "the Secret has another type"},
	{Kinds: "ServiceAccount", Field: "", Class: Access, Change: "the rights of new pods of the account change", Presence: true, Remove: "new pods of the account are rejected"},
	{Kinds: "ServiceAccount", Field: "secrets", Class: Access, Change: "new pods may mount other Secrets, if its annotation kubernetes.io/enforce-mountable-secrets limits them to those listed"},
	{Kinds: "ServiceAccount", Field: "imagePullSecrets", Class: Access, Change: "new pods pull images with other credentials"},
	{Kinds: "ServiceAccount", Field: "automountServiceAccountToken", Class: Access, Change: "whether new pods get a token for the API server changes"},
	{Kinds: "Namespace", Field: "spec", Class: Nothing, Change: written},
	{Kinds: "ResourceQuota", Field: "spec", Class: Protection, Change: "the limits of the namespace change", Presence: true, Add: "the namespace is limited to {new.spec.hard}; existing objects stay|the quota limits the namespace; existing objects stay", Remove: "the quota no longer limits the namespace"},
	{Kinds: "ResourceQuota", Field: "spec.hard.*", Class: Protection, Change: "a limit of the namespace changes", Add: "the namespace is limited to {field}={new}|the namespace gets another limit", Remove: "the quota no longer limits it", More: "the namespace is limited to {field}={new} (was {old})|the namespace may use more", Less: "the namespace is limited to {field}={new} (was {old}); existing objects stay|the namespace may use less; existing objects stay"},
	{Kinds: "LimitRange", Field: "spec", Class: Protection, Change: "new pods get other limits and requests", Presence: true, Add: "new pods get its limits and requests", Remove: "new pods no longer get its limits and requests"},
	{Kinds: "LimitRange", Field: "spec.limits[].max.*", Class: Protection, Change: "the maximum that new pods may request changes", Add: "new pods that request more are rejected", Remove: "new pods may request any amount", More: "new pods may request more", Less: "new pods that request more are rejected"},
	{Kinds: "LimitRange", Field: "spec.limits[].min.*", Class: Protection, Change: "the minimum that new pods may request changes", Add: "new pods that request less are rejected", Remove: "new pods may request less", More: "new pods that request less are rejected", Less: "new pods may request less"},
	{Kinds: "LimitRange", Field: "spec.limits[].default.*", Class: Protection, Change: "the default limits of new containers change", Add: "new containers get a default limit", Remove: "new containers no longer get a default limit", More: "the default limit of new containers is higher", Less: "the default limit of new containers is lower"},
	{Kinds: "LimitRange", Field: "spec.limits[].defaultRequest.*", Class: Protection, Change: "the default requests of new containers change", Add: "new containers get a default request", Remove: "new containers without a request get the limit, or none", More: "new containers without a request reserve more", Less: "new containers without a request reserve less"},
	{Kinds: "Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", Field: "rules", Class: Access, Change: "the subjects of the role have other permissions", Presence: true, Remove: "the subjects of the role lose its permissions"},
	{Kinds: "Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", Field: "rules[]", Class: Access, Change: "the subjects of the role have other permissions", Add: "the subjects of the role get permissions", Remove: "the subjects of the role lose permissions"},
	{Kinds: "ClusterRole.rbac.authorization.k8s.io", Field: "aggregationRule", Class: Access, Change: "the role collects the rules of other roles"},
	{Kinds: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "subjects", Class: Access, Change: "other subjects have the permissions of the role", Presence: true, Add: "the subjects get the permissions of the role", Remove: "the subjects lose the permissions of the role"},
	{Kinds: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "subjects[]", Class: Access, Change: "other subjects have the permissions of the role", Add: "a subject gets the permissions of the role", Remove: "a subject loses the permissions of the role"},
	{Kinds: "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", Field: "roleRef", Class: Access, Change: "the subjects have the permissions of another role"},
	{Kinds: webhooks, Field: "webhooks", Class: Access, Change: "the API server asks webhooks about other requests, or with other settings", Presence: true, Add: "the API server sends matching requests to its webhooks, which may reject them, or change them if they are mutating", Remove: "the API server no longer calls its webhooks"},
	{Kinds: webhooks, Field: "webhooks[].clientConfig", Class: Access, Change: "the API server calls a different address, or trusts a different certificate"},
	{Kinds: webhooks, Field: "webhooks[].failurePolicy", Class: Access, Change: "what happens to requests while the webhook does not answer changes"},
	{Kinds: admissionPolicies, Field: "spec", Class: Access, Change: "the API server checks or mutates other requests, or by other expressions"},
	{Kinds: admissionPolicies, Field: "spec.validations[]", Class: Access, Change: "the expressions of the policy change", Add: "the policy makes one more check", Remove: "the policy makes one check fewer"},
	{Kinds: admissionBindings, Field: "spec", Class: Access, Change: "the policy is evaluated for other requests, or with other settings", Presence: true, Add: "the policy is evaluated for the requests of the binding", Remove: "the policy is no longer evaluated for the requests of the binding"},
	{Kinds: "CertificateSigningRequest.certificates.k8s.io", Field: "spec", Class: Access, Change: "another certificate is asked for"},
	{Kinds: "PodCertificateRequest.certificates.k8s.io", Field: "spec", Class: Nothing, Change: written},
	{Kinds: "ClusterTrustBundle.certificates.k8s.io", Field: "spec", Class: Access, Change: "pods that mount the bundle trust other certificates"},
}

// machineryAreas are the areas of nodes, storage, scheduling and the API.
var machineryAreas = []*Area{
	{Kinds: "Node", Field: "", Class: Placement, Change: takesPods, Presence: true, Add: takesPods},
	{Kinds: "Node", Field: "spec", Class: Placement, Change: "whether new pods are scheduled to the node changes"},
	{Kinds: "Node", Field: "spec.taints", Class: Placement, Change: "pods that do not tolerate the taints are not scheduled to the node, and stop on it if the effect is NoExecute"},
	{Kinds: "PersistentVolume", Field: "spec", Class: Storage, Change: "the way the volume is used changes", Presence: true, Add: "a claim that waits may bind to the volume", Remove: "the volume is deleted once no claim is bound to it"},
	{Kinds: "PersistentVolume", Field: "spec.persistentVolumeReclaimPolicy", Class: Data, Change: "the reclaim policy changes"},
	{Kinds: "PersistentVolumeClaim", Field: "spec", Class: Storage, Change: "the claim asks for another volume"},
	{Kinds: "PersistentVolumeClaim", Field: "spec.resources", Class: Storage, Change: "the volume is resized", More: "the volume grows from {old.requests.storage} to {new.requests.storage}; it cannot shrink again|the storage driver is asked to grow the volume"},
	{Kinds: "StorageClass.storage.k8s.io", Field: "", Class: Storage, Change: "the way new volumes are made changes"},
	{Kinds: "VolumeAttributesClass.storage.k8s.io", Field: "", Class: Storage, Change: "volumes of the class get other attributes"},
	{Kinds: "CSIDriver.storage.k8s.io CSINode.storage.k8s.io", Field: "spec", Class: Storage, Change: "the way volumes of the driver are mounted changes"},
	{Kinds: "CSIStorageCapacity.storage.k8s.io", Field: "", Class: Placement, Change: "pods with new volumes are scheduled by another capacity"},
	{Kinds: "VolumeAttachment.storage.k8s.io", Field: "spec", Class: Storage, Change: attached, Presence: true, Add: attached},
	{Kinds: "RuntimeClass.node.k8s.io", Field: "", Class: Isolation, Change: "the way new pods of the class run changes", Presence: true, Remove: "new pods of the class are rejected"},
	{Kinds: "PriorityClass.scheduling.k8s.io", Field: "description", Class: Nothing, Change: "description"},
	{Kinds: "PriorityClass.scheduling.k8s.io", Field: "globalDefault", Class: Protection, Change: "the priority of new pods without a class changes", Presence: true, Add: "new pods without a class get this priority", Remove: "the priority of new pods without a class changes"},
	{Kinds: "PriorityClass.scheduling.k8s.io", Field: "", Class: Protection, Change: "new pods of the class have another priority", Presence: true, Remove: "new pods of the class are rejected"},
	{Kinds: "DeviceClass.resource.k8s.io ResourceClaim.resource.k8s.io ResourceClaimTemplate.resource.k8s.io ResourceSlice.resource.k8s.io DeviceTaintRule.resource.k8s.io", Field: "spec", Class: Placement, Change: "pods get other devices"},
	{Kinds: "Lease.coordination.k8s.io", Field: "spec", Class: Data, Change: leads, Presence: true, Add: leads},
	{Kinds: "Event Event.events.k8s.io", Field: "", Class: Nothing, Change: written},
	{Kinds: "FlowSchema.flowcontrol.apiserver.k8s.io PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io", Field: "spec", Class: Protection, Change: "which requests the API server queues or rejects changes", Presence: true, Add: "which requests the API server queues or rejects changes", Remove: "which requests the API server queues or rejects changes"},
	{Kinds: "APIService.apiregistration.k8s.io", Field: "spec", Class: Access, Change: "another server answers requests for the API group, or the way it is trusted changes", Presence: true, Add: "another server answers requests for the API group", Remove: "no other server answers requests for the API group"},
	{Kinds: "StorageVersionMigration.storagemigration.k8s.io", Field: "spec", Class: Nothing, Change: "which objects are stored again"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec", Class: Access, Change: "the way the API server serves the kind changes"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.versions", Class: Access, Change: "which versions the API server serves, or how it stores and validates objects, changes"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.versions[].schema", Ends: "description", Class: Nothing, Change: "descriptions"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.versions[].additionalPrinterColumns", Class: Nothing, Change: "columns of kubectl get"},
	{Kinds: "CustomResourceDefinition.apiextensions.k8s.io", Field: "spec.conversion", Class: Access, Change: "the way objects of other versions are converted changes"},
}
