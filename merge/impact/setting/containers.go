package setting

// containerSettings are the fields of a container, or an init container, that
// stays in the manifest.
var containerSettings = []Setting{
	{Container, "imagePullPolicy", "Always", "IfNotPresent", alters, "nodes that already have the image do not pull a newer one", imagesPage, ""},
	{Container, "imagePullPolicy", "Never", "some", alters, "nodes pull the image", imagesPage, ""},
	{Container, "imagePullPolicy", "IfNotPresent", "Always", alters, "the container cannot start while the registry is down", imagesPage, ""},
	{Container, "resources.limits.*", "", "none", alters, "the container may use all that the node has", resourcesPage, ""},
	{Container, "resources.requests.*", "", "none", alters, "the scheduler reserves the limit instead, or nothing if there is none", resourcesPage, ""},
	{Container, "resizePolicy", "", "", alters, "whether a resize restarts the container changes", docs + "tasks/configure-pod-container/resize-container-resources/", ""},
	{Container, "restartPolicy", "Always", "none", stops, "the sidecar becomes an init container: the pod does not start until it ends", podPages + "sidecar-containers/", ""},
	{Container, "restartPolicy", "Never|OnFailure", "none", alters, "the restart policy of the pod applies to the container", podPages + "pod-lifecycle/#restart-policy", ""},
	{Container, "restartPolicyRules", "", "none", alters, "only the restart policy of the pod applies to the container", podPages + "pod-lifecycle/#restart-policy", ""},

	// Probes.
	{Container, "readinessProbe", "", "none", stops, "pods get traffic before they are ready, and a rollout does not wait for them", probePage, ""},
	{Container, "livenessProbe", "", "none", alters, "a container that hangs is no longer restarted", probePage, ""},
	{Container, "startupProbe", "", "none", alters, "the liveness probe begins with the start of the container", probePage, ""},
	{Container, "livenessProbe/initialDelaySeconds", "", "none", alters, "a container that starts slowly is restarted sooner", probePage, ""},
	{Container, "livenessProbe/failureThreshold", "", "<", alters, "a container is restarted after fewer failures", probePage, ""},
	{Container, "livenessProbe/periodSeconds", "", "some", alters, "the interval of the probe changes", probePage, ""},
	{Container, "livenessProbe/timeoutSeconds", "", "<", alters, "a slow answer counts as a failure", probePage, ""},
	{Container, "livenessProbe/terminationGracePeriodSeconds", "", "none", alters, "a container that hangs is killed after the grace period of the pod", probePage + "#probe-level-terminationgraceperiodseconds", ""},
	{Container, "readinessProbe/initialDelaySeconds", "", "none", alters, "the probe begins with the start of the container", probePage, ""},
	{Container, "readinessProbe/failureThreshold", "", "some", alters, "the number of failures that takes a pod out of its Services changes", probePage, ""},
	{Container, "readinessProbe/successThreshold", "", "<", alters, "a pod gets traffic after fewer successes", probePage, ""},
	{Container, "readinessProbe/periodSeconds", "", "some", alters, "the interval of the probe changes", probePage, ""},
	{Container, "readinessProbe/timeoutSeconds", "", "<", alters, "a slow answer counts as a failure", probePage, ""},
	{Container, "startupProbe/initialDelaySeconds", "", "none", alters, "the time that the container has to start is shorter", probePage, ""},
	{Container, "startupProbe/failureThreshold", "", "<", alters, "the time that the container has to start is shorter", probePage, ""},
	{Container, "startupProbe/periodSeconds", "", "some", alters, "the time that the container has to start changes", probePage, ""},
	{Container, "startupProbe/timeoutSeconds", "", "<", alters, "a slow answer counts as a failure", probePage, ""},
	{Container, "startupProbe/terminationGracePeriodSeconds", "", "none", alters, "a container that hangs is killed after the grace period of the pod", probePage + "#probe-level-terminationgraceperiodseconds", ""},
	{Container, "livenessProbe.httpGet/scheme", "HTTPS", "HTTP", alters, "the probe uses HTTP instead of HTTPS", probePage, ""},
	{Container, "readinessProbe.httpGet/scheme", "HTTPS", "HTTP", alters, "the probe uses HTTP instead of HTTPS", probePage, ""},
	{Container, "startupProbe.httpGet/scheme", "HTTPS", "HTTP", alters, "the probe uses HTTP instead of HTTPS", probePage, ""},
	{Container, "livenessProbe.httpGet/path", "", "/", alters, "the probe requests the path /", probePage, ""},
	{Container, "readinessProbe.httpGet/path", "", "/", alters, "the probe requests the path /", probePage, ""},
	{Container, "startupProbe.httpGet/path", "", "/", alters, "the probe requests the path /", probePage, ""},

	// Start and end.
	{Container, "lifecycle.preStop", "", "none", alters, "the container is stopped at once: requests in flight may fail", hookPage, ""},
	{Container, "lifecycle.postStart", "", "none", alters, "the container starts without this hook", hookPage, ""},

	// Isolation.
	{Container, "securityContext.runAsNonRoot", "true", "none", stops, "the container may run as root", contextPage, "securityContext.runAsNonRoot"},
	{Container, "securityContext.runAsUser", "!0", "none", stops, "the container runs as the user of the pod or of its image, which may be root", contextPage, "securityContext.runAsUser"},
	{Container, "securityContext.runAsGroup", "", "none", alters, "the container runs in the group of the pod or of its image", contextPage, "securityContext.runAsGroup"},
	{Container, "securityContext.readOnlyRootFilesystem", "true", "none", stops, "the container may write to its own files", contextPage, ""},
	{Container, "securityContext.allowPrivilegeEscalation", "false", "none", stops, "a process may gain more privileges than its parent", contextPage, ""},
	{Container, "securityContext.capabilities.drop", "", "none", stops, "the container keeps the capabilities that it dropped", contextPage + "#set-capabilities-for-a-container", ""},
	{Container, "securityContext.procMount", "Unmasked", "none", alters, "parts of /proc are hidden", contextPage + "#managing-access-to-the-proc-filesystem", ""},
	{Container, "securityContext.seccompProfile.type", "RuntimeDefault|Localhost", "none", stops, "system calls are filtered by the profile of the pod, or not at all", docs + "tutorials/security/seccomp/", "securityContext.seccompProfile"},
	{Container, "securityContext.appArmorProfile.type", "Localhost", "none", stops, "this AppArmor profile no longer confines the container", docs + "tutorials/security/apparmor/", "securityContext.appArmorProfile"},
	{Container, "securityContext.seLinuxOptions", "", "none", alters, "the container gets the SELinux label of the pod or the runtime", contextPage + "#assign-selinux-labels-to-a-container", "securityContext.seLinuxOptions"},
	{Container, "securityContext.windowsOptions", "", "none", alters, "the container runs as the user of the pod or of its image", docs + "tasks/configure-pod-container/configure-runasusername/", ""},

	// Ports and mounts that stay.
	{Container, "ports[].hostIP", "", "none", stops, "the port is open on every address of the node", docs + "reference/kubernetes-api/workload-resources/pod-v1/#ports", ""},
	{Container, "ports[].hostPort", "", "none", alters, "the host port is closed", docs + "reference/kubernetes-api/workload-resources/pod-v1/#ports", ""},
	{Container, "ports[].name", "", "none", alters, "Services and probes that use the name do not find the port", docs + "concepts/services-networking/service/#field-spec-ports", ""},
	{Container, "volumeMounts[].readOnly", "true", "none", stops, "the container may write to the volume", storage + "volumes/#read-only-mounts", ""},
	{Container, "volumeMounts[].recursiveReadOnly", "Enabled|IfPossible", "none", stops, "the container may write to what is mounted below the volume", storage + "volumes/#recursive-read-only-mounts", ""},
	{Container, "volumeMounts[].mountPropagation", "", "none", alters, "mounts below the volume are no longer propagated", storage + "volumes/#mount-propagation", ""},
	{Container, "volumeMounts[].subPath", "", "none", alters, "the whole volume is mounted", storage + "volumes/#using-subpath", ""},
	{Container, "volumeMounts[].subPathExpr", "", "none", alters, "the whole volume is mounted", storage + "volumes/#using-subpath-expanded-environment", ""},
}

const (
	imagesPage = docs + "concepts/containers/images/#image-pull-policy"
	probePage  = docs + "tasks/configure-pod-container/configure-liveness-readiness-startup-probes/"
	hookPage   = docs + "concepts/containers/container-lifecycle-hooks/"
)
