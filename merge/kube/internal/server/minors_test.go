package server_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"threeway/merge/kube/internal/server"
	"threeway/merge/tree"
)

const (
	statefulSet       = "apiVersion: apps/v1, kind: StatefulSet, metadata: {name: a, namespace: b}, spec: {serviceName: %s, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: %s, image: d}]}}%s}"
	autoscaler        = "apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: b}, spec: {scaleTargetRef: {apiVersion: %s, kind: Deployment, name: d}, %s}"
	external          = "metrics: [{type: External, external: {metric: {name: q}, target: {type: Value, value: '1'}}}]"
	aService          = "apiVersion: v1, kind: Service, metadata: {name: %s, namespace: b}, spec: {ports: [{port: 80}], clusterIP: %s%s}"
	aPod              = "apiVersion: v1, kind: Pod, metadata: {name: a, namespace: b, labels: {l: v}}, spec: {containers: [{name: c, image: d%s}]%s}"
	aDeployment       = "apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: b}, spec: {selector: {matchLabels: {a: %s}}, template: {metadata: {labels: {a: %s}}, spec: {containers: [{name: c, image: d}]%s}}}"
	aDefinition       = "apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: as.b.c}, spec: {group: b.c, scope: Cluster, names: {kind: A, plural: as, singular: a, listKind: AList}, conversion: {strategy: None}, versions: [{name: %s, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}"
	aJob              = "apiVersion: batch/v1, kind: Job, metadata: {name: a, namespace: b, uid: u}, spec: {selector: {matchLabels: {batch.kubernetes.io/controller-uid: u}}, template: {metadata: {labels: {controller-uid: u, batch.kubernetes.io/controller-uid: u, job-name: a, batch.kubernetes.io/job-name: a}}, spec: {restartPolicy: Never, containers: [{name: c, image: d}]}}}"
	aNetworkPolicy    = "apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a, namespace: b%s}, spec: {podSelector: {}}"
	anAttributesClass = "apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: a}, driverName: d, parameters: %s"
	aCSINode          = "apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec: {drivers: [{name: d, nodeID: %s}]}"
	aNewJob           = "apiVersion: batch/v1, kind: Job, metadata: {name: a, namespace: b}, spec: {%s, template: {spec: {restartPolicy: Never, containers: [{name: c, image: d}]}}}"
	aClaim            = "apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: a, namespace: b}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: b}}]}}"
	aBoundClaim       = "apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: %s}}, volumeName: v}, status: {phase: Bound, capacity: {storage: 1Gi}}"
	aSlice            = "apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: d.example.com, nodeName: node-1, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: d, allowMultipleAllocations: true, capacity: {b.c/m: {value: '9', requestPolicy: {%s}}}}]}"
	aCronJob          = "apiVersion: batch/v1, kind: CronJob, metadata: {name: a, namespace: b}, spec: {schedule: '* * * * *', jobTemplate: {spec: {podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: T}]}]}, template: {spec: {restartPolicy: Never, containers: [{name: c, image: d}]}}}}}"
)

// minorLine is a request that two minors answer differently: what is at the path of the
// stored object, the rejection, or the first warning.
type minorLine struct {
	name, live, config, path string
	from                     int
	was, is                  string
}

// minorLines has one for each row of minors; TestRowsHaveLines wants it.
func minorLines() []minorLine {
	f := fmt.Sprintf
	set := func(service, container, more string) string { return f(statefulSet, service, container, more) }
	hpa := func(version, spec string) string { return f(autoscaler, version, spec) }
	return append(minorLines38(), []minorLine{
		{"a StatefulSet gets maxUnavailable", "", set("s", "c", ""), "spec updateStrategy rollingUpdate", 37, "{partition: 0}", "{maxUnavailable: 1, partition: 0}"},
		{"or keeps it", "", set("s", "c", ", updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"), "spec updateStrategy rollingUpdate", 37, "{partition: 0}", "{maxUnavailable: 2, partition: 0}"},
		{"a Pod leaves its resources out", f(aPod, "", ", resources: {limits: {cpu: '1'}, requests: {cpu: '1'}}"), f(aPod, "", ", resources: null"), "spec resources", 37,
			"spec: Forbidden: pod updates may not change fields", "{limits: {cpu: '1'}, requests: {cpu: '1'}}"},
		{"a default above the range of a capacity", "", f(aSlice, "default: '12', validRange: {min: '1', max: '9'}"), "", 37,
			`spec.devices[0].capacity[b.c/m].requestPolicy.validRange.max: Invalid value: "12": default is more than max: 9`, `spec.devices[0].capacity[b.c/m].requestPolicy.validRange.default: Invalid value: "12": default is more than max: 9`},
		{"a capacity that is kept", f(aSlice, "default: '12', validRange: {min: '1', max: '9'}"), "apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a, labels: {x: z}}", "metadata labels", 37,
			`spec.devices[0].capacity[b.c/m].requestPolicy.validRange.max: Invalid value: "12": default is more than max: 9`, "{x: z}"},
		{"empty pod-level resources", "", f(aPod, ", resources: {limits: {cpu: '1', memory: 1Gi}}", ", resources: {limits: {}}"), "status qosClass", 37, "BestEffort", "Guaranteed"},
		{"CAP_SYS_ADMIN may not escalate any more", f(aDeployment, "b", "b", ", initContainers: [{name: i, image: d, securityContext: {capabilities: {add: [CAP_SYS_ADMIN]}}}]"),
			f(aDeployment, "b", "b", ", initContainers: [{name: i, image: d, securityContext: {allowPrivilegeEscalation: false, capabilities: {add: [CAP_SYS_ADMIN]}}}]"),
			"spec template spec initContainers", 37, "spec.template.spec.initContainers[0].securityContext: Invalid value", "[{image: d, imagePullPolicy: Always"},
		{"a range that no integer holds", "", f(aSlice, "default: '2', validRange: {min: '2', max: 10E, step: '2'}"), "", 37,
			`spec.devices[0].capacity[b.c/m].requestPolicy.validRange.max: Invalid value: "10E": max is larger than capacity value: 9`,
			"spec.devices[0].capacity[b.c/m].requestPolicy.validRange.max: Invalid value: \"10E\": max is larger than capacity value: 9\nspec.devices[0].capacity[b.c/m].requestPolicy.validRange.max: Invalid value: \"10E\": must not be larger than 9223372036854775807"},
		{"the node of a Binding", "", "apiVersion: v1, kind: Binding, metadata: {name: a, namespace: b}, target: {name: a_b}", "target name", 37, "a_b", `target.name: Invalid value: "a_b": a lowercase RFC 1123 subdomain`},
		{"a service name changes", set("s", "c", ""), set("t", "c", ""), "", 37, "spec: Forbidden: updates to statefulset spec", `spec.serviceName: Invalid value: "t": field is immutable`},
		{"containers of StatefulSets are checked", "", set("s", "C_C", ""), "", 34, "", "spec.template.spec.containers[0].name: Invalid value"},
		{"and their claims", "", set("s", "c", ", volumeClaimTemplates: [{metadata: {name: v}, spec: {accessModes: [Foo], resources: {requests: {storage: 1Gi}}}}]"), "", 34, "", "spec.volumeClaimTemplates[0].spec.accessModes: Unsupported value"},
		{"a service name is a label", "", set("A.b", "c", ""), "", 33, "", `spec.serviceName: Invalid value: "A.b"`},
		{"an address with a leading zero", "", f(aService, "a", "''", ", externalIPs: [010.2.3.4]"), "", 36, `spec.externalIPs[0]: non-standard IP address "010.2.3.4" will be considered invalid in a future Kubernetes release: use "10.2.3.4"`, `spec.externalIPs[0]: Invalid value: "010.2.3.4": must not have leading 0s`},
		{"one that is stored", f(aService, "a", "10.0.0.1, clusterIPs: [10.0.0.1], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack", ", externalIPs: [010.2.3.4]"), f(aService, "a", "10.0.0.1, clusterIPs: [10.0.0.1], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack", ", externalIPs: [010.2.3.4], sessionAffinity: ClientIP"), "", 36, `spec.externalIPs[0]: non-standard IP address "010.2.3.4" will be considered`, `spec.externalIPs[0]: non-standard IP address "010.2.3.4" is invalid`},
		{"of a NetworkPolicy", "", "apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a, namespace: b}, spec: {ingress: [{from: [{ipBlock: {cidr: 010.0.0.0/8}}]}]}", "", 36, `spec.ingress[0].from[0].ipBlock.cidr: non-standard CIDR value "010.0.0.0/8" will be considered`, `spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "010.0.0.0/8": must not have leading 0s`},
		{"of a Node", "", "apiVersion: v1, kind: Node, metadata: {name: a}, spec: {podCIDR: 010.0.0.0/24, podCIDRs: [010.0.0.0/24]}", "", 36, `spec.podCIDRs[0]: non-standard CIDR value`, `spec.podCIDRs[0]: Invalid value: "010.0.0.0/24": must not have leading 0s`},
		{"a Service may begin with a digit", "", f(aService, "1abc", "''", ""), "", 36, `metadata.name: Invalid value: "1abc": a DNS-1035 label`, ""},
		{"external addresses are deprecated", "", f(aService, "a", "''", ", externalIPs: [1.2.3.4]"), "", 36, "", "spec.externalIPs is deprecated"},
		{"so is PreferClose", "", f(aService, "a", "''", ", trafficDistribution: PreferClose"), "", 35, "", "spec.trafficDistribution: \"PreferClose\" is deprecated"},
		{"a negative history", "", set("s", "c", ", revisionHistoryLimit: -1"), "", 33, "", "spec.revisionHistoryLimit: a negative value retains all historical revisions"},
		{"a label of nodes out of use", "", "apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: a}, handler: h, scheduling: {nodeSelector: {app.kubernetes.io/created-by: b}}", "", 31, "", "scheduling.nodeSelector: deprecated since v1.9"},
		{"a value of no label", "", f(aPod, "", ", affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: k, operator: In, values: ['b c']}]}}]}}"), "", 33, "", "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[0]: b c is invalid"},
		{"a driver in capitals", "", "apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: D, allNodes: true, pool: {name: p, generation: 1, resourceSliceCount: 1}}", "", 35, "", "spec.driver: driver names should be lowercase"},
		{"PreferSameNode", "", f(aService, "a", "''", ", trafficDistribution: PreferSameNode"), "", 34, `spec.trafficDistribution: Unsupported value: "PreferSameNode": supported values: "PreferClose"`, ""},
		{"a headless Service", "", f(aService, "a", "None", ", sessionAffinity: ClientIP"), "", 34, "", "spec.SessionAffinity is ignored for headless services"},
		{"scaling to zero", "", hpa("apps/v1", "minReplicas: 0, maxReplicas: 2, "+external), "spec minReplicas", 37, "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1", "0"},
		{"for cpu", "", hpa("apps/v1", "minReplicas: 0, maxReplicas: 2"), "", 37, "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1\nspec.metrics: Forbidden", "spec.metrics: Forbidden: must specify at least one Object or External metric"},
		{"nor later", "", hpa("apps/v1", "maxReplicas: 0"), "", 37, "spec.maxReplicas: Required value: must be set and greater than 0\nspec.maxReplicas: Invalid", "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`\nspec.maxReplicas: Required value\n"},
		{"an autoscaler counts generations", "", hpa("apps/v1", "maxReplicas: 2"), "metadata generation", 37, "null", "1"},
		{"and changes", hpa("apps/v1", "maxReplicas: 2"), hpa("apps/v1", "maxReplicas: 3"), "metadata generation", 37, "null", "1"},
		{"a tolerance", "", hpa("apps/v1", "maxReplicas: 2, behavior: {scaleUp: {tolerance: '0.1'}}"), "spec behavior scaleUp tolerance", 35, "null", "100m"},
		{"a bad target", "", hpa("bad/a/b", "maxReplicas: 2"), "", 34, "", `spec.scaleTargetRef.apiVersion: Invalid value: "bad/a/b"`},
		{"an image volume", "", f(aPod, ", volumeMounts: [{name: v, mountPath: /v}]", ", volumes: [{name: v, image: {reference: r}}]"), "spec volumes", 35, "null", "[{image: {pullPolicy: Always, reference: r}, name: v}]"},
		{"its reference in a template", "", f(aDeployment, "b", "b", ", volumes: [{name: v, image: {}}]"), "", 37, "", "spec.template.spec.volumes[0].image.reference: Required value"},
		{"a user namespace", "", f(aPod, "", ", hostUsers: false"), "spec hostUsers", 33, "null", "false"},
		{"pod-level resources", "", f(aPod, "", ", resources: {limits: {cpu: '1'}}"), "spec resources", 34, "null", "{limits: {cpu: '1'}, requests: {cpu: '1'}}"},
		{"a rule about names", "", `apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: as.b.c}, spec: {group: b.c, names: {kind: A, plural: as, singular: a, listKind: AList}, scope: Cluster, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-validations: [{rule: "self.metadata.name.contains(self.metadata.generateName)"}]}}}]}`,
			"", 37, "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget", ""},
		{"a trust bundle", "", f(aPod, "", ", volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: nn, path: p}}]}}]"), "spec volumes", 37, "[{name: v, projected: {defaultMode: 420, sources: [{}]}}]", "[{name: v, projected: {defaultMode: 420, sources: [{clusterTrustBundle: {name: nn, path: p}}]}}]"},
		{"names of variables", "", f(aPod, ", env: [{name: '1 A!'}]", ""), "", 32, `spec.containers[0].env[0].name: Invalid value: "1 A!": a valid environment variable name must consist of alphabetic`, ""},
		{"search paths", "", f(aPod, "", ", dnsConfig: {searches: [a_b.c]}"), "", 33, `spec.dnsConfig.searches[0]: Invalid value: "a_b.c"`, ""},
		{"a hook that does not sleep", "", f(aPod, ", lifecycle: {preStop: {sleep: {seconds: 0}}}", ""), "", 33, "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 0: must be greater than 0", ""},
		{"an attributes class", "", "apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a, namespace: b}, spec: {accessModes: [ReadWriteOnce], volumeAttributesClassName: v, resources: {requests: {storage: 1Gi}}}", "spec volumeAttributesClassName", 34, "null", "v"},
		{"and that of a Pod's own claim", "", f(aPod, "", ", volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], volumeAttributesClassName: v_v, resources: {requests: {storage: 1Gi}}}}}}]"), "", 34,
			"", `spec.volumes[0].ephemeral.volumeClaimTemplate.spec.volumeAttributesClassName: Invalid value: "v_v"`},
		{"an address of an EndpointSlice", "", "apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a, namespace: b}, addressType: IPv6, ports: [], endpoints: [{addresses: ['2001:DB8::1']}]", "", 33,
			"", `endpoints[0].addresses[0]: Invalid value: "2001:DB8::1": must be in canonical form`},
		{"keys that a spread without selector matches", "", f(aPod, "", ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: k, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: ['::1']}]"), "", 34,
			"spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set\nspec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: \"::1\"", "spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"},
		{"conditions of Pods of CronJobs", "", aCronJob, "spec jobTemplate spec podFailurePolicy rules", 34, "spec.jobTemplate.spec.podFailurePolicy.rules[0].onPodConditions[0].status: Required value", "[{action: Ignore, onPodConditions: [{status: 'True', type: T}]}]"},
		{"the same later", "apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner: p, parameters: {a: b}", "apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, provisioner: q, parameters: {a: c}", "", 37, `parameters: Invalid value: {"a":"c"}: field is immutable`, "provisioner: Invalid value: null: field is immutable\nparameters: Invalid value: null: field is immutable"},
		{"a Role without verbs", "", "apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: a, namespace: b}, rules: [{apiGroups: [''], resources: [pods]}]", "", 37, "rules[0].verbs: Required value: verbs must contain at least one value", "rules[0].verbs: Required value\n"},
		{"another selector of a DaemonSet", "apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b}, spec: {selector: {matchLabels: {x: w}}, template: {metadata: {labels: {x: w}}, spec: {containers: [{name: c, image: d}]}}}", "apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a, namespace: b}, spec: {selector: {matchLabels: {x: z}}, template: {metadata: {labels: {x: w}}, spec: {containers: [{name: c, image: d}]}}}", "", 34,
			"spec.template.metadata.labels: Invalid value", "spec.selector: Invalid value"},
		{"an attacher that is no driver", "", "apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: a}, spec: {attacher: a_b, nodeName: c_d, source: {persistentVolumeName: v}}", "", 36,
			"spec.nodeName: Invalid value", "spec.attacher: Invalid value"},
		{"a driver without name", "", "apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec: {drivers: [{name: '', nodeID: a, topologyKeys: null}]}", "", 35,
			"spec.drivers[0].name: Required value\nspec.drivers[0].name: Invalid value", "spec.drivers[0].name: Required value"},
		{"hints for nodes", "", "apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a, namespace: b}, addressType: IPv4, ports: [], endpoints: [{addresses: [10.0.0.1], hints: {forNodes: [{name: node}]}}]", "endpoints", 34,
			"[{addresses: ['10.0.0.1'], conditions: {}, hints: {}}]", "[{addresses: ['10.0.0.1'], conditions: {}, hints: {forNodes: [{name: node}]}}]"},
		{"another role", "apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a, namespace: b}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}", "apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a, namespace: b}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: s}", "", 37, `roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"s"}: cannot change roleRef`, `roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"s"}: field is immutable`},
		{"no role", "apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a, namespace: b}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}", "apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: a, namespace: b}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ''}", "", 37, "roleRef.name: Required value\nroleRef: Invalid value: {\"APIGroup\":\"rbac.authorization.k8s.io\",\"Kind\":\"Role\",\"Name\":\"\"}: cannot change roleRef", "roleRef.name: Required value\nroleRef: Invalid value: {\"APIGroup\":\"rbac.authorization.k8s.io\",\"Kind\":\"Role\",\"Name\":\"\"}: field is immutable"},
		{"an owner without kind", "", "apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b, ownerReferences: [{apiVersion: v1, name: nn, uid: u}]}", "", 37, `metadata.ownerReferences.kind: Invalid value: "": must not be empty`, "metadata.ownerReferences[0].kind: Required value: must not be empty"},
		{"a CSI driver", "", "apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: a}, spec: {}", "spec preventPodSchedulingIfMissing", 37, "null", "false"},
		{"a static name", "", "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: x.static.k8s.io}, spec: {policyName: p, validationActions: [Deny]}", "", 37, `metadata.name: names ending with ".static.k8s.io" are reserved`, `metadata.name: Invalid value: "x.static.k8s.io": names ending with`},
		{"a generated label changes", aJob, strings.Replace(aJob, "job-name: a, batch", "job-name: z, batch", 1), "", 37, `spec.template.metadata.labels[job-name]: Invalid value`, "spec.template: Invalid value"},
		{"a claim of devices changes", aClaim, strings.Replace(aClaim, "deviceClassName: b", "deviceClassName: c", 1), "", 37, `spec: Invalid value: {"Devices"`, "spec: Invalid value: null: field is immutable"},
		{"any SELinux policy", "", f(aPod, "", ", securityContext: {seLinuxChangePolicy: MountOption}"), "spec securityContext seLinuxChangePolicy", 37, `spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"`, "MountOption"},
		{"a rule for all containers", "", f(aPod, ", restartPolicy: Never, restartPolicyRules: [{action: RestartAllContainers, exitCodes: {operator: In, values: [1]}}]", ""), "", 36, `spec.containers[0].restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"`, ""},
		{"a rule of a sidecar", "", f(aPod, "", ", initContainers: [{name: i, image: i, restartPolicy: Always, restartPolicyRules: [{action: Restart, exitCodes: {operator: In, values: [1]}}]}]"), "", 36, "spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always", ""},
		{"an init container that is not tried again", "", f(aPod, "", ", initContainers: [{name: i, image: i, restartPolicy: Never}]"), "", 35, `spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"`, ""},
		{"a claim shrinks", f(aBoundClaim, "3Gi"), f(aBoundClaim, "2Gi"), "", 32, "spec.resources.requests.storage: Forbidden: field can not be less than previous value", ""},
		{"a selector of devices that are allocated several times", "", "apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {selectors: [{cel: {expression: device.allowMultipleAllocations}}]}", "spec selectors", 36, `spec.selectors[0].cel.expression: Invalid value: "device.allowMultipleAllocations": compilation failed: ERROR: <input>:1:7: undefined field 'allowMultipleAllocations'`, "[{cel: {expression: device.allowMultipleAllocations}}]"},
		{"an extended resource", "", "apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {extendedResourceName: a.example/b}", "spec extendedResourceName", 36, "null", "a.example/b"},
		{"a tolerated device", "", strings.Replace(aClaim, "deviceClassName: b", "deviceClassName: b, tolerations: [{operator: Exists}]", 1), "spec devices requests", 36, "[{exactly: {allocationMode: ExactCount, count: 1, deviceClassName: b}", "[{exactly: {allocationMode: ExactCount, count: 1, deviceClassName: b, tolerations: "},
		{"a shared process namespace", "", f(aPod, "", ", hostPID: true, shareProcessNamespace: true"), "", 37, "spec.securityContext.shareProcessNamespace: Invalid value: true", "spec.shareProcessNamespace: Invalid value: true"},
		{"the host of a windows pod", "", f(aPod, "", ", os: {name: windows}, hostPID: true, shareProcessNamespace: false, securityContext: {fsGroup: 1}"), "", 37, "spec.hostPID: Forbidden: cannot be set for a windows pod\nspec.securityContext.fsGroup", "spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod\nspec.hostPID: Forbidden"},
		{"a limited level without limits", "", "apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, metadata: {name: a}, spec: {type: Limited}", "", 37, "spec.limited: Required value: must not be empty when type is Limited", "spec.limited: Required value\n"},
		{"a long handler", "", "apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: a}, handler: " + strings.Repeat("h", 64), "", 37, `handler: Invalid value: "` + strings.Repeat("h", 64) + `": must be no more than 63 characters`, `handler: Invalid value: "` + strings.Repeat("h", 64) + `": must be no more than 63 bytes`},
		{"an attacher", "", "apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: a}, spec: {attacher: a_b, nodeName: nn, source: {persistentVolumeName: v}}", "", 37, `spec.attacher: Invalid value: "a_b": a lowercase RFC 1123 subdomain`, `spec.attacher: Invalid value: "a_b": an RFC 1123 subdomain`},
		{"a bad extended resource", "", "apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: a}, spec: {extendedResourceName: a}", "", 37, `spec.extendedResourceName: Invalid value: "a": must be a valid extended resource name`, `spec.extendedResourceName: Invalid value: "a": a name must be a domain-prefixed path`},
		{"a device's attribute", "", "apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: a}, spec: {driver: d, nodeName: nn, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: e, attributes: {x: {int: 1, bool: true}}}]}", "", 37, `spec.devices[0].attributes[x]: Invalid value: {"IntValue":1`, "spec.devices[0].attributes[x]: Invalid value: \"{int, bool}\": must specify exactly one of: `int`"},
		{"the policy of a container", "", f(aPod, ", restartPolicy: Always", ""), "", 34, "spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers", ""},
		{"a toleration of a class", "", "apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: a}, handler: h, scheduling: {tolerations: [{key: k, operator: Foo}]}", "", 35, "scheduling.tolerations.tolerations[0].operator: ", "scheduling.tolerations[0].operator: "},
		{"a network with blanks", "", f(aService, "a", "''", ", type: LoadBalancer, loadBalancerSourceRanges: [' 1.2.3.0/24 ']"), "", 33, "spec.loadBalancerSourceRanges[0]: IP prefix was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix(", ""},
		{"a question about nothing", "", "apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {}", "", 37, "spec.resourceAttributes: Invalid value: null: exactly one of", "spec: Invalid value: null: exactly one of"},
		{"a runtime class that is no name", "", f(aPod, "", ", runtimeClassName: ../x"), "", 37, `Error from server: invalid resource name "../x"`, `Error from server: invalid resource name "../x"`},
		{"a port below the first", "", "apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: a, namespace: b}, spec: {ingress: [{ports: [{port: 80, endPort: 79}]}]}", "", 37, "spec.ingress[0].ports[0].endPort: Invalid value: 80", "spec.ingress[0].ports[0].endPort: Invalid value: 79"},
		{"a mask of /proc", "", f(aPod, ", securityContext: {procMount: Unmasked}", ", hostUsers: false"), "spec containers", 33, "[{image: d, imagePullPolicy: Always, name: c, resources: {}, securityContext: {}, terminationMessagePath: /dev/terminat", "[{image: d, imagePullPolicy: Always, name: c, resources: {}, securityContext: {procMount: Unmasked}, terminationMessage"},
		{"keys that an affinity matches", "", f(aPod, "", ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: k, labelSelector: {}, matchLabelKeys: [l]}]}}"), "spec affinity", 31, "{podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {}, topologyKey: k}]}}", "{podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchExpressions: [{key: l, operator: In"},
		{"that one prefers", "", f(aPod, "", ", affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: k, labelSelector: {}, matchLabelKeys: [l]}}]}}"), "spec affinity", 31, "{podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{podAffinityTerm: {labelSelector: {}, topologyKey: k}, weight: 1}]}}", "{podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{podAffinityTerm: {labelSelector: {matchExpressions: [{key: l, operator: In"},
		{"a certificate of a Pod", "", f(aPod, "", ", volumes: [{name: v, projected: {sources: [{podCertificate: {signerName: a.b/c, keyType: ED25519, credentialBundlePath: p}}]}}]"), "spec volumes", 37, "[{name: v, projected: {defaultMode: 420, sources: [{}]}}]", "[{name: v, projected: {defaultMode: 420, sources: [{podCertificate: {credentialBundlePath: p"},
		{"when a Job succeeds", "", f(aNewJob, "completionMode: Indexed, completions: 1, successPolicy: {rules: [{succeededCount: 1}]}"), "spec successPolicy", 31, "null", "{rules: [{succeededCount: 1}]}"},
		{"who manages a Job", "", f(aNewJob, "managedBy: a.b/c"), "spec managedBy", 32, "null", "a.b/c"},
		{"when a Job of a CronJob succeeds", "", strings.Replace(aCronJob, "spec: {podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: T}]}]}, ", "spec: {completionMode: Indexed, completions: 1, successPolicy: {rules: [{succeededCount: 1}]}, ", 1), "spec jobTemplate spec successPolicy", 31, "null", "{rules: [{succeededCount: 1}]}"},
		{"who manages it", "", strings.Replace(aCronJob, "spec: {podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: T}]}]}, ", "spec: {managedBy: a.b/c, ", 1), "spec jobTemplate spec managedBy", 32, "null", "a.b/c"},
		{"a field to select by", "", strings.Replace(strings.Replace(f(aDefinition, "v1"), "{type: object}", "{type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}", 1), "storage: true,", "storage: true, selectableFields: [{jsonPath: .spec.a}],", 1), "spec versions", 31, "[{name: v1, schema: {openAPIV3Schema: {properties: {spec: {properties: {a: {type: string}}, type: object}}, type: object}}, served: true, storage: true}]", "[{name: v1, schema: {openAPIV3Schema: {properties: {spec: {properties: {a: {type: string}}, type: object}}, type: object}}, selectableFields: [{jsonPath: .spec.a}], s"},
		{"tokens in a Secret", "", "apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: a}, spec: {serviceAccountTokenInSecrets: true, tokenRequests: [{audience: a}]}", "spec serviceAccountTokenInSecrets", 35, "null", "true"},
		{"the generation of a Pod", "", f(aPod, "", ""), "metadata generation", 33, "null", "1"},
		{"a history of revisions changes", set("s", "c", ", revisionHistoryLimit: 1"), set("s", "c", ", revisionHistoryLimit: 2"), "spec revisionHistoryLimit", 33, "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals',", "2"},
		{"the provider of a Node", "apiVersion: v1, kind: Node, metadata: {name: a}, spec: {providerID: b}", "apiVersion: v1, kind: Node, metadata: {name: a}, spec: {providerID: c}", "", 37, "spec.providerID: Forbidden: node updates may not change providerID except from \"\" to valid", "spec.providerID: Invalid value: null: field cannot be modified once set"},
		{"the features of a Node", "", "apiVersion: v1, kind: Node, metadata: {name: a}, status: {declaredFeatures: [a_b, a_b]}", "", 36, "\n", "status.declaredFeatures[0]: Invalid value: \"a_b\": invalid feature name \"a_b\": must start w"},
		{"what a Job is generated from", aJob, strings.Replace(aJob, "name: a,", "name: a, generateName: A_,", 1), "metadata generateName", 37, `metadata.generateName: Invalid value: "A_": a lowercase RFC 1123 subdomain`, "A_"},
		{"what a NetworkPolicy is generated from", f(aNetworkPolicy, ""), f(aNetworkPolicy, ", generateName: A_"), "metadata generateName", 36, `metadata.generateName: Invalid value: "A_": a lowercase RFC 1123 subdomain`, "A_"},
		{"a class of volumes that loses its parameters", f(anAttributesClass, "{a: b}"), f(anAttributesClass, "null"), "", 35, "parameters: Required value: must contain at least one key/value pair\nparameters: Forbidden", "parameters: Forbidden: updates to parameters are forbidden.\nparameters: Required value"},
		{"where a driver runs", f(aCSINode, "e"), f(aCSINode, "g"), "", 33, "CSINodeDriver: Invalid value", "spec.drivers: Invalid value"},
		{"what a driver allocates", "apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec: {drivers: [{name: d, nodeID: e, allocatable: {count: 1}}]}", "apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec: {drivers: [{name: d, nodeID: e, allocatable: {count: 2}}]}", "spec drivers", 35, "spec.drivers: Invalid value: {\"Name\":\"d\",\"NodeID\":\"e\",\"TopologyKeys\":null,\"Allocatable\":{\"", "[{allocatable: {count: 2}, name: d, nodeID: e, topologyKeys: null}]"},
		{"a null time", "", "apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b, creationTimestamp: null}", "metadata", 34, "{creationTimestamp: null, name: a, namespace: b}", "{name: a, namespace: b}"},
		{"keys of a spread", "", f(aPod, "", ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: k, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {m: v}}, matchLabelKeys: [l]}]"), "spec topologySpreadConstraints", 34, "[{labelSelector: {matchLabels: {m: v}}, matchLabelKeys: [l]", "[{labelSelector: {matchExpressions: [{key: l, operator: In, values: [v]}]"},
		{"an init container that restarts for a resize", "", f(aPod, "", ", initContainers: [{name: i, image: i, resizePolicy: [{resourceName: cpu, restartPolicy: RestartContainer}]}]"), "", 36, "\n", "spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: \"RestartContainer\": m"},
		{"ports of one name", "", f(aPod, ", ports: [{name: p, containerPort: 1}]}, {name: e, image: d, ports: [{name: p, containerPort: 2}]", ""), "", 33, "\n", "spec.containers[1].ports[0]: duplicate port name \"p\" with spec.containers[0].ports[0], ser"},
		{"files that hide each other", "", f(aPod, "", ", volumes: [{name: v, projected: {sources: [{configMap: {name: a, items: [{key: k, path: p}]}}, {configMap: {name: b, items: [{key: k, path: p/q}]}}]}}]"), "", 32, "\n", "volume \"v\" (Projected): overlapping paths: \"p/q\" (ConfigMap \"b\") with \"p\" (ConfigMap \"a\")"},
		{"a format", "", strings.Replace(f(aDefinition, "v1"), "{type: object}", "{type: object, properties: {a: {type: string, format: foo}}}", 1), "", 34, "\n", "unrecognized format \"foo\""},
		{"a format of names", "", strings.Replace(f(aDefinition, "v1"), "{type: object}", "{type: object, properties: {a: {type: string, format: k8s-short-name}}}", 1), "", 35, "unrecognized format \"k8s-short-name\"", "\n"},
		{"a set of objects", "", strings.Replace(f(aDefinition, "v1"), "{type: object}", "{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: object, x-kubernetes-map-type: atomic}}}}", 1), "", 37, "\n", "x-kubernetes-list-type: set for items of type \"object\" is not supported by server-side app"},
		{"a quota above its limits", "", "apiVersion: v1, kind: ResourceQuota, metadata: {name: a, namespace: b}, spec: {hard: {requests.cpu: 2, limits.cpu: 1}}", "", 35, "\n", "ResourceQuota requests.cpu (2) should be less than limits.cpu (1)"},
		{"a webhook that is not asked", "", "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: a}, webhooks: [{name: a.b.c, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {url: 'https://a.b/c'}, rules: [{operations: [CREATE], apiGroups: [authentication.k8s.io], apiVersions: [v1], resources: [tokenreviews]}]}]", "", 37, "\n", "webhooks[0].rules[0]: tokenreviews.authentication.k8s.io is excluded from admission webhoo"},
		{"a typing error", "", "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: a}, spec: {policyName: p, validationActions: [Deny], matchResources: {matchPolicy: Foo}}", "", 32, "spec.matchResouces.matchPolicy: Unsupported value: \"Foo\": supported values: \"Equivalent\", ", "spec.matchResources.matchPolicy: Unsupported value: \"Foo\": supported values: \"Equivalent\","},
		{"a static name is reserved", "", "apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: x.static.k8s.io}, spec: {policyName: p, validationActions: [Deny]}", "", 36, "\n", "metadata.name: names ending with \".static.k8s.io\" are reserved for static manifest-based c"},
		{"mount options", "", "apiVersion: v1, kind: PersistentVolume, metadata: {name: a, annotations: {volume.beta.kubernetes.io/mount-options: ro}}, spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], nfs: {server: s, path: /a}}", "", 31, "\n", "metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use"},
		{"a volume of git", "", f(aPod, "", ", volumes: [{name: v, gitRepo: {repository: r}}]"), "", 33, "spec.volumes[0].gitRepo: deprecated in v1.11\n", "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"},
		{"tokens of a driver", "", "apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: a}, spec: {tokenRequests: [{audience: a}]}", "", 35, "\n", "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true t"},
		{"mountable secrets", "", "apiVersion: v1, kind: ServiceAccount, metadata: {name: a, namespace: b, annotations: {kubernetes.io/enforce-mountable-secrets: 'true'}}", "", 32, "\n", "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefe"},
	}...)
}

func TestMinors(t *testing.T) {
	for _, c := range minorLines() {
		for minor, want := range map[int]string{c.from - 1: c.was, c.from: c.is} {
			if got := answer(t, minor, c.live, c.config, c.path); !strings.HasPrefix(got+"\n", want) || want == "" && got != "" {
				t.Errorf("%s on 1.%d:\n%s\nwant\n%s", c.name, minor, got, want)
			}
		}
	}
}

// answer is the rejection of a server, else what is at the path, else its first
// warning.
func answer(t *testing.T, minor int, live, config, path string) string {
	t.Helper()
	s := &server.Server{Minor: minor}
	obj := object(t, "{"+config+"}")
	res := s.Create(kindOf(obj), obj)
	if live != "" {
		old := object(t, "{"+live+"}")
		res = s.Patch(kindOf(old), s.Completed(kindOf(old), old), obj)
	}
	switch {
	case res.Rejection != nil:
		var faults []string
		for _, f := range res.Rejection.Faults {
			faults = append(faults, f.Text.Unmasked())
		}
		return cmp.Or(strings.Join(faults, "\n"), res.Rejection.Text().Unmasked())
	case path != "":
		got, _ := tree.Get(res.Object, strings.Fields(path)...)
		return flow(got)
	case len(res.Warnings) > 0:
		return res.Warnings[0].Unmasked()
	}
	return ""
}

// flow is a value as YAML on one line.
func flow(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case tree.Object:
		var entries []string
		for _, key := range tree.Keys(x) {
			entries = append(entries, key+": "+flow(x[key]))
		}
		return "{" + strings.Join(entries, ", ") + "}"
	case []any:
		var items []string
		for _, item := range x {
			items = append(items, flow(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case string:
		if x == "True" || strings.Trim(x, "0123456789.") == "" {
			return "'" + x + "'"
		}
	}
	return fmt.Sprint(x)
}
