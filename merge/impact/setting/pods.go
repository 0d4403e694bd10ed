package setting

// podSettings are the fields of the spec of a pod.
var podSettings = []Setting{
	// Life and death.
	{PodSpec, "terminationGracePeriodSeconds", "", "<", alters, "pods are killed sooner after they are asked to stop", podPages + "pod-lifecycle/#pod-termination", ""},
	{PodSpec, "activeDeadlineSeconds", "", "none", alters, "pods are no longer stopped after this time", jobPage + "#job-termination-and-cleanup", ""},
	{PodSpec, "readinessGates", "", "none", alters, "pods count as ready without these conditions", podPages + "pod-lifecycle/#pod-readiness-gate", ""},
	{PodSpec, "schedulingGates[]", "", "none", stops, "pods that were held back are scheduled", scheduling + "pod-scheduling-readiness/", ""},

	// Identity.
	{PodSpec, "serviceAccountName", "", "none", alters, "pods run as the service account default", accountPage, ""},
	{PodSpec, "automountServiceAccountToken", "false", "none", stops, "the containers get a token for the API server", accountPage + "#opt-out-of-api-credential-automounting", ""},
	{PodSpec, "imagePullSecrets[]", "", "none", alters, "images are pulled without these credentials", docs + "tasks/configure-pod-container/pull-image-private-registry/", ""},
	{PodSpec, "hostname", "", "none", alters, "pods lose this host name", docs + "concepts/services-networking/dns-pod-service/#pod-s-hostname-and-subdomain-fields", ""},
	{PodSpec, "subdomain", "", "none", alters, "pods lose their own DNS names", docs + "concepts/services-networking/dns-pod-service/#pod-s-hostname-and-subdomain-fields", ""},
	{PodSpec, "setHostnameAsFQDN", "true", "none", alters, "pods have the short host name", docs + "concepts/services-networking/dns-pod-service/#pod-s-sethostnameasfqdn-field", ""},

	// Isolation.
	{PodSpec, "hostUsers", "false", "none", stops, "root in a container is root on the node", podPages + "user-namespaces/", ""},
	{PodSpec, "runtimeClassName", "", "none", stops, "containers run with the default runtime, without the sandbox or the devices of this one", docs + "concepts/containers/runtime-class/", ""},
	{PodSpec, "securityContext.runAsNonRoot", "true", "none", stops, "containers may run as root", contextPage, "containers[].securityContext.runAsNonRoot"},
	{PodSpec, "securityContext.runAsUser", "!0", "none", stops, "containers run as the user of their image, which may be root", contextPage, "containers[].securityContext.runAsUser"},
	{PodSpec, "securityContext.runAsGroup", "", "none", alters, "containers run in the group of their image", contextPage, "containers[].securityContext.runAsGroup"},
	{PodSpec, "securityContext.fsGroup", "", "none", alters, "volumes no longer belong to this group", contextPage, ""},
	{PodSpec, "securityContext.fsGroupChangePolicy", "OnRootMismatch", "none", alters, "the owner of all files in the volumes is set each time a pod starts", contextPage + "#configure-volume-permission-and-ownership-change-policy-for-pods", ""},
	{PodSpec, "securityContext.supplementalGroups", "", "none", alters, "containers lose these groups", contextPage, ""},
	{PodSpec, "securityContext.supplementalGroupsPolicy", "Strict", "none", stops, "containers get the groups that their image gives them", contextPage + "#supplementalgroupspolicy", ""},
	{PodSpec, "securityContext.seccompProfile.type", "RuntimeDefault|Localhost", "none", stops, "system calls are no longer filtered", docs + "tutorials/security/seccomp/", "containers[].securityContext.seccompProfile"},
	{PodSpec, "securityContext.appArmorProfile.type", "Localhost", "none", stops, "this AppArmor profile no longer confines the containers", docs + "tutorials/security/apparmor/", "containers[].securityContext.appArmorProfile"},
	{PodSpec, "securityContext.seLinuxOptions", "", "none", alters, "containers get the SELinux label of the runtime", contextPage + "#assign-selinux-labels-to-a-container", "containers[].securityContext.seLinuxOptions"},
	{PodSpec, "securityContext.seLinuxChangePolicy", "", "none", alters, "the way volumes get their SELinux labels changes", contextPage + "#efficient-selinux-volume-relabeling", ""},
	{PodSpec, "securityContext.windowsOptions", "", "none", alters, "containers run as the user of their image", docs + "tasks/configure-pod-container/configure-runasusername/", ""},
	{PodSpec, "securityContext.sysctls", "", "none", alters, "pods get the kernel parameters of their node", docs + "tasks/administer-cluster/sysctl-cluster/", ""},

	// Where pods run.
	{PodSpec, "nodeName", "", "none", alters, "the scheduler chooses the node", assignPage + "#nodename", ""},
	{PodSpec, "nodeSelector.*", "", "none", alters, "pods may run on other nodes", assignPage + "#nodeselector", ""},
	{PodSpec, "affinity.nodeAffinity", "", "none", alters, "pods may run on other nodes", assignPage + "#node-affinity", ""},
	{PodSpec, "affinity.podAffinity", "", "none", alters, "pods may run far from these pods", assignPage + "#inter-pod-affinity-and-anti-affinity", ""},
	{PodSpec, "affinity.podAntiAffinity", "", "none", alters, "pods may share a node or zone, and go down with it", assignPage + "#inter-pod-affinity-and-anti-affinity", ""},
	{PodSpec, "topologySpreadConstraints[]", "", "none", alters, "pods may share a node or zone, and go down with it", scheduling + "topology-spread-constraints/", ""},
	{PodSpec, "tolerations", "", "none", alters, "pods are no longer scheduled on the nodes with these taints", scheduling + "taint-and-toleration/", ""},
	{PodSpec, "schedulerName", "", "default-scheduler", alters, "the default scheduler places the pods", docs + "tasks/extend-kubernetes/configure-multiple-schedulers/", ""},
	{PodSpec, "priorityClassName", "", "none", alters, "pods get the default priority and may be preempted", scheduling + "pod-priority-preemption/", ""},
	{PodSpec, "preemptionPolicy", "Never", "none", alters, "pods may preempt others", scheduling + "pod-priority-preemption/#non-preempting-priority-class", ""},
	{PodSpec, "resources.limits.*", "", "none", alters, "the pod may use all that the node has", resourcesPage, "containers[].resources.limits"},
	{PodSpec, "resources.requests.*", "", "none", alters, "the scheduler reserves nothing for the pod", resourcesPage, ""},

	// Names.
	{PodSpec, "dnsPolicy", "ClusterFirstWithHostNet", "ClusterFirst", alters, "pods that use the network of their node no longer find Services by name", docs + "concepts/services-networking/dns-pod-service/#pod-s-dns-policy", ""},
	{PodSpec, "dnsPolicy", "Default|None", "ClusterFirst", alters, "pods use the DNS server of the cluster, not that of their node or of dnsConfig", docs + "concepts/services-networking/dns-pod-service/#pod-s-dns-policy", ""},
	{PodSpec, "dnsConfig", "", "none", alters, "pods lose these DNS servers, search domains and options", docs + "concepts/services-networking/dns-pod-service/#pod-dns-config", ""},
	{PodSpec, "hostAliases[]", "", "none", alters, "pods no longer know these host names", docs + "tasks/network/customize-hosts-file-for-pods/", ""},
	{PodSpec, "enableServiceLinks", "false", "none", alters, "containers get environment variables for every Service", docs + "tutorials/services/connect-applications-service/#accessing-the-service", ""},

	// Volumes whose source stays.
	{PodSpec, "volumes[].*/readOnly", "true", "none", stops, "pods may write to the volume", storage + "volumes/", ""},
	{PodSpec, "volumes[].emptyDir/sizeLimit", "", "none", alters, "the volume may fill the disk of the node", storage + "volumes/#emptydir", ""},
	{PodSpec, "volumes[].emptyDir/medium", "Memory", "none", alters, "the files are written to the disk of the node", storage + "volumes/#emptydir", ""},
	{PodSpec, "volumes[].hostPath/type", "", "", alters, "the kubelet no longer checks or makes the path", storage + "volumes/#hostpath-volume-types", ""},
	{PodSpec, "volumes[].secret/defaultMode", "", ">", alters, "more users may read the files", storage + "volumes/#secret", ""},
	{PodSpec, "volumes[].secret/items", "", "none", alters, "all keys of the Secret become files", storage + "volumes/#secret", ""},
	{PodSpec, "volumes[].secret/optional", "true", "none", alters, "pods do not start without the Secret", docs + "concepts/configuration/secret/#restriction-secret-must-exist", ""},
	{PodSpec, "volumes[].configMap/defaultMode", "", "420", alters, "the file mode changes: scripts may not be executable", storage + "volumes/#configmap", ""},
	{PodSpec, "volumes[].configMap/items", "", "none", alters, "all keys of the ConfigMap become files", storage + "volumes/#configmap", ""},
	{PodSpec, "volumes[].configMap/optional", "true", "none", alters, "pods do not start without the ConfigMap", storage + "volumes/#configmap", ""},
	{PodSpec, "volumes[].downwardAPI/defaultMode", "", "420", alters, "the file mode changes", storage + "volumes/#downwardapi", ""},
	{PodSpec, "volumes[].projected/defaultMode", "", "420", alters, "the file mode changes", storage + "projected-volumes/", ""},
	{PodSpec, "volumes[].projected.sources[].serviceAccountToken/audience", "", "none", stops, "the token is for the API server", storage + "projected-volumes/#serviceaccounttoken", ""},
	{PodSpec, "volumes[].projected.sources[].serviceAccountToken/expirationSeconds", "", "3600", alters, "the token expires after an hour", storage + "projected-volumes/#serviceaccounttoken", ""},
	{PodSpec, "volumes[].image/pullPolicy", "", "some", alters, "the pull policy of the image changes", storage + "volumes/#image", ""},
}

const (
	podPages      = docs + "concepts/workloads/pods/"
	jobPage       = docs + "concepts/workloads/controllers/job/"
	scheduling    = docs + "concepts/scheduling-eviction/"
	assignPage    = scheduling + "assign-pod-node/"
	accountPage   = docs + "tasks/configure-pod-container/configure-service-account/"
	contextPage   = docs + "tasks/configure-pod-container/security-context/"
	resourcesPage = docs + "concepts/configuration/manage-resources-containers/"
	storage       = docs + "concepts/storage/"
)
