package server

import (
	"sync"

	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// workload is a kind whose validation is compared.
type workload struct {
	kind     schema.Kind
	strategy rest.RESTCreateStrategy
	valid    string // YAML of a spec that passes; TEMPLATE stands for a pod template's
}

var workloads = []workload{
	{schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"}, deployment.Strategy, `{selector: {matchLabels: {app: x}}, replicas: 2, minReadySeconds: 1, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 25%}}, template: TEMPLATE}`},
	{schema.Kind{Group: "apps", Version: "v1", Kind: "ReplicaSet"}, replicaset.Strategy, `{selector: {matchLabels: {app: x}, matchExpressions: [{key: app, operator: In, values: [x]}]}, replicas: 2, template: TEMPLATE}`},
	{schema.Kind{Group: "apps", Version: "v1", Kind: "DaemonSet"}, daemonset.Strategy, `{selector: {matchLabels: {app: x}}, updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}}, template: TEMPLATE}`},
	{schema.Kind{Group: "apps", Version: "v1", Kind: "StatefulSet"}, statefulset.Strategy, `{selector: {matchLabels: {app: x}}, serviceName: x, podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}, volumeClaimTemplates: [{metadata: {name: claim}, spec: {accessModes: [ReadWriteOnce], storageClassName: a, resources: {requests: {storage: 1Gi}}}}], template: TEMPLATE}`},
	{schema.Kind{Group: "batch", Version: "v1", Kind: "Job"}, job.Strategy, `{parallelism: 1, completions: 1, backoffLimit: 2, activeDeadlineSeconds: 10, ttlSecondsAfterFinished: 5, template: ONCE}`},
	{schema.Kind{Group: "batch", Version: "v1", Kind: "CronJob"}, cronjob.Strategy, `{schedule: "*/5 * * * *", timeZone: Etc/UTC, concurrencyPolicy: Forbid, startingDeadlineSeconds: 9, jobTemplate: {spec: {template: ONCE}}}`},
	{schema.Kind{Version: "v1", Kind: "Pod"}, pod.Strategy, `POD`},
	{schema.Kind{Version: "v1", Kind: "ReplicationController"}, replicationcontroller.Strategy, `{selector: {app: x}, replicas: 1, template: TEMPLATE}`},
}

// podSpec is a valid pod spec with a little of everything.
const podSpec = `
serviceAccountName: default
terminationGracePeriodSeconds: 30
securityContext: {runAsUser: 1000, fsGroup: 2000, supplementalGroups: [1], seccompProfile: {type: RuntimeDefault}, sysctls: [{name: net.ipv4.tcp_syncookies, value: "1"}]}
nodeSelector: {disk: ssd}
priorityClassName: high
hostAliases: [{ip: 10.0.0.1, hostnames: [a.example]}]
imagePullSecrets: [{name: pull}]
dnsPolicy: None
dnsConfig: {nameservers: [1.1.1.1], searches: [a.example], options: [{name: ndots, value: "2"}]}
readinessGates: [{conditionType: example.com/ready}]
tolerations: [{key: a, operator: Equal, value: b, effect: NoExecute, tolerationSeconds: 5}, {operator: Exists}]
topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: x}}}]
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]}
    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference: {matchExpressions: [{key: a, operator: Exists}]}}]
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: host, labelSelector: {matchLabels: {app: x}}}]
    preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, podAffinityTerm: {topologyKey: host, namespaces: [a], labelSelector: {matchExpressions: [{key: a, operator: NotIn, values: [b]}]}}}]
initContainers:
- {name: init, image: busybox, command: [sh], resources: {limits: {cpu: 100m}}}
- {name: sidecar, image: busybox, restartPolicy: Always, livenessProbe: {exec: {command: [a]}}}
containers:
- name: main
  image: nginx:1.2
  args: [a, b]
  workingDir: /a
  ports: [{name: http, containerPort: 80, hostPort: 8080, protocol: TCP}, {name: dns, containerPort: 53, protocol: UDP}]
  env: [{name: A, value: a}, {name: B, valueFrom: {configMapKeyRef: {name: a, key: b}}}, {name: C, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: D, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1m}}}, {name: E, valueFrom: {secretKeyRef: {name: a, key: b, optional: true}}}]
  envFrom: [{prefix: P_, configMapRef: {name: a}}, {secretRef: {name: b}}]
  resources: {limits: {cpu: "1", memory: 1Gi, hugepages-2Mi: 2Mi, example.com/gpu: 1}, requests: {cpu: 500m, memory: 1Gi}}
  volumeMounts: [{name: empty, mountPath: /empty}, {name: config, mountPath: /config, subPath: a, readOnly: true}]
  volumeDevices: [{name: block, devicePath: /dev/x}]
  livenessProbe: {httpGet: {path: /, port: http, httpHeaders: [{name: A, value: b}]}, initialDelaySeconds: 1, timeoutSeconds: 2}
  readinessProbe: {tcpSocket: {port: 80}, successThreshold: 2}
  startupProbe: {grpc: {port: 80}}
  lifecycle: {preStop: {exec: {command: [a]}}, postStart: {httpGet: {port: 80}}}
  securityContext: {capabilities: {add: [NET_ADMIN], drop: [ALL]}, privileged: false, readOnlyRootFilesystem: true, runAsNonRoot: true, allowPrivilegeEscalation: false}
- {name: other, image: nginx, tty: true}
volumes:
- {name: empty, emptyDir: {sizeLimit: 1Gi, medium: Memory}}
- {name: config, configMap: {name: a, defaultMode: 420, items: [{key: a, path: b, mode: 256}]}}
- {name: secret, secret: {secretName: a}}
- {name: host, hostPath: {path: /a, type: Directory}}
- {name: block, persistentVolumeClaim: {claimName: a}}
- {name: down, downwardAPI: {items: [{path: a, fieldRef: {fieldPath: metadata.labels}}]}}
- {name: projected, projected: {sources: [{secret: {name: a}}, {configMap: {name: b}}, {serviceAccountToken: {path: t, expirationSeconds: 600, audience: x}}]}}
- {name: nfs, nfs: {server: a, path: /b}}
- {name: csi, csi: {driver: a.example, readOnly: true}}
- {name: ephemeral, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
`

// validObjects are the objects that TestRejections breaks, by kind.
var validObjects = sync.OnceValue(func() []tree.Object {
	read := func(text string) tree.Object {
		js, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			panic(err)
		}
		return decode(js)
	}
	fill := func(m tree.Object) tree.Object {
		spec, once := read(podSpec), read(podSpec)
		once["restartPolicy"] = "Never"
		template := func(spec tree.Object) tree.Object {
			return tree.Object{"metadata": tree.Object{"labels": tree.Object{"app": "x"}, "annotations": tree.Object{"a": "b"}}, "spec": spec}
		}
		job := tree.Map(m, "jobTemplate", "spec")
		if job == nil {
			job = m
		}
		switch job["template"] {
		case "TEMPLATE":
			job["template"] = template(spec)
		case "ONCE":
			job["template"] = template(once)
		}
		return m
	}
	var list []tree.Object
	for _, w := range workloads {
		if w.valid == "" {
			list = append(list, storied(w))
			continue
		}
		obj := tree.Object{"apiVersion": w.kind.APIVersion(), "kind": w.kind.Kind, "metadata": tree.Object{"name": "x", "namespace": "default", "labels": tree.Object{"app": "x"}}}
		if w.valid == "POD" {
			obj["spec"] = read(podSpec)
		} else {
			obj["spec"] = fill(read(w.valid))
		}
		list = append(list, obj)
	}
	return list
})
