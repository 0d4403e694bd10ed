package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/fixtures/breadth"
	"threeway/lint"
	"threeway/merge/fieldpath"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/edit"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// good are manifests that no rule reports. Some tests change one field.
const good = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: shop}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: api, namespace: shop}
automountServiceAccountToken: false
---
apiVersion: v1
kind: ConfigMap
metadata: {name: api, namespace: shop}
data: {TTL: "300", LEVEL: info}
---
apiVersion: v1
kind: Secret
metadata: {name: api, namespace: shop}
data: {password: aHVudGVyMg==, user: YXBp}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {accessModes: [ReadWriteMany], storageClassName: fast, resources: {requests: {storage: 10Gi}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  replicas: 3
  minReadySeconds: 5
  selector: {matchLabels: {app: api}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 0, maxSurge: 1}}
  template:
    metadata: {labels: {app: api, tier: web}}
    spec:
      serviceAccountName: api
      automountServiceAccountToken: false
      terminationGracePeriodSeconds: 60
      nodeSelector: {pool: web}
      tolerations: [{key: web, operator: Exists, effect: NoSchedule}, {key: spot, operator: Exists, effect: NoSchedule}]
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: api}}}
      - {maxSkew: 1, topologyKey: host, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: api}}}
      imagePullSecrets: [{name: one}, {name: two}]
      securityContext: {runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: {type: RuntimeDefault}}
      containers:
      - name: api
        image: registry.example/shop/api@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        imagePullPolicy: IfNotPresent
        ports: [{name: http, containerPort: 8080}, {name: metrics, containerPort: 9090}]
        env: [{name: LEVEL, value: info}, {name: ZONE, value: eu}, {name: PASSWORD, valueFrom: {secretKeyRef: {name: api, key: password}}}]
        resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: "1", memory: 2Gi}}
        readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 5}
        livenessProbe: {httpGet: {path: /live, port: http}, periodSeconds: 10}
        startupProbe: {httpGet: {path: /live, port: http}, failureThreshold: 30}
        lifecycle: {preStop: {exec: {command: [sleep, "5"]}}}
        securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
        volumeMounts: [{name: data, mountPath: /data}, {name: tmp, mountPath: /tmp}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}, {name: tmp, emptyDir: {}}, {name: files, secret: {secretName: api, defaultMode: 256}}]
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop}
spec:
  type: LoadBalancer
  loadBalancerSourceRanges: [10.0.0.0/8, 192.168.0.0/16]
  externalTrafficPolicy: Local
  selector: {app: api}
  ports: [{name: http, port: 80, targetPort: http}, {name: metrics, port: 9090, targetPort: metrics}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: api, namespace: shop}
spec: {minAvailable: 2, selector: {matchLabels: {app: api}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: other, namespace: shop}
spec:
  minReplicas: 3
  maxReplicas: 9
  scaleTargetRef: {apiVersion: example.com/v1, kind: Shop, name: other}
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}
  - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 80}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: api, namespace: shop}
spec:
  podSelector: {matchLabels: {app: api}}
  policyTypes: [Ingress, Egress]
  ingress:
  - from: [{podSelector: {matchLabels: {app: web}}}, {podSelector: {matchLabels: {app: job}}}]
    ports: [{port: 8080}, {port: 9090}]
  egress:
  - to: [{podSelector: {matchLabels: {app: db}}}]
    ports: [{port: 5432}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: api, namespace: shop}
spec:
  ingressClassName: nginx
  tls: [{hosts: [a.example], secretName: api}, {hosts: [b.example], secretName: api}]
  rules:
  - host: a.example
    http: {paths: [{path: /x, pathType: Exact, backend: {service: {name: api, port: {name: http}}}}, {path: /y, pathType: Exact, backend: {service: {name: api, port: {name: http}}}}]}
  - host: b.example
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: api, port: {name: http}}}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: api, namespace: shop}
rules:
- {apiGroups: [""], resources: [configmaps, endpoints], verbs: [get, list]}
- {apiGroups: [apps], resources: [deployments], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: api, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: api}
subjects: [{kind: ServiceAccount, name: api, namespace: shop}, {kind: ServiceAccount, name: web, namespace: shop}]
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: shop, namespace: shop}
spec: {hard: {requests.cpu: "20", requests.memory: 64Gi, pods: "50"}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: shop}
webhooks:
- name: shop.example.com
  sideEffects: None
  admissionReviewVersions: [v1]
  failurePolicy: Fail
  timeoutSeconds: 5
  clientConfig: {url: "https://hook.example.com"}
  namespaceSelector: {matchLabels: {team: shop}}
  rules:
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  - {apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [services]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: "0 3 * * *"
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 600
  jobTemplate:
    spec:
      backoffLimit: 2
      activeDeadlineSeconds: 3600
      template:
        spec:
          restartPolicy: Never
          containers: [{name: report, image: "registry.example/shop/report:1.2"}]
`

// further are objects of more kinds, for what a change of a field of them means.
const further = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  replicas: 3
  serviceName: db
  minReadySeconds: 10
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain, whenScaled: Retain}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      serviceAccountName: api
      enableServiceLinks: false
      securityContext: {runAsUser: 999, runAsGroup: 999, fsGroup: 999, fsGroupChangePolicy: OnRootMismatch, supplementalGroups: [999]}
      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: db}}, topologyKey: host}]}}
      containers:
      - name: db
        image: registry.example/shop/db:1.2
        terminationMessagePolicy: FallbackToLogsOnError
        ports: [{containerPort: 5432, hostPort: 5432, hostIP: 127.0.0.1}]
        resources: {requests: {cpu: 1, memory: 1Gi}, limits: {memory: 1Gi}}
        readinessProbe: {tcpSocket: {port: 5432}, periodSeconds: 10, initialDelaySeconds: 5}
        livenessProbe: {tcpSocket: {port: 5432}, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6, initialDelaySeconds: 30}
        volumeMounts: [{name: cfg, mountPath: /cfg, readOnly: true}]
      volumes: [{name: cfg, configMap: {name: api}}, {name: e, emptyDir: {sizeLimit: 1Gi}}, {name: tok, projected: {sources: [{serviceAccountToken: {path: t, audience: vault, expirationSeconds: 3600}}]}}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: once, namespace: shop}
spec:
  backoffLimit: 3
  activeDeadlineSeconds: 600
  ttlSecondsAfterFinished: 86400
  template:
    spec:
      restartPolicy: Never
      containers: [{name: once, image: "registry.example/shop/once:1"}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: shop}
spec:
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}}
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      hostNetwork: true
      containers: [{name: agent, image: "registry.example/shop/agent:1", ports: [{containerPort: 9100, hostPort: 9100}]}]
---
apiVersion: v1
kind: LimitRange
metadata: {name: lr, namespace: shop}
spec: {limits: [{type: Container, max: {cpu: "4", memory: 8Gi}, default: {cpu: "1", memory: 1Gi}, defaultRequest: {cpu: 100m, memory: 128Mi}}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: shop}
spec:
  failurePolicy: Fail
  matchConstraints:
    namespaceSelector: {matchLabels: {team: shop}}
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: "object.spec.replicas >= 0"}, {expression: "object.spec.replicas < 90"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: shop}
spec:
  policyName: shop
  validationActions: [Deny, Audit]
  matchResources: {namespaceSelector: {matchLabels: {team: shop}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec: {capacity: {storage: 10Gi}, accessModes: [ReadWriteMany], persistentVolumeReclaimPolicy: Retain, storageClassName: slow, nfs: {server: nfs.example, path: /x}}
`

// goodObjects are those of good, and further ones, by their kinds.
func goodObjects(t *testing.T) (kinds []string, objects map[string]tree.Object) {
	t.Helper()
	objects = map[string]tree.Object{}
	for _, doc := range strings.Split(good+"---"+further, "\n---\n") {
		var o tree.Object
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, tree.String(o, "kind"))
		objects[tree.String(o, "kind")] = o
	}
	return kinds, objects
}

// inYAML are objects as one file.
func inYAML(kinds []string, objects map[string]tree.Object) string {
	docs := make([]string, len(kinds))
	for i, kind := range kinds {
		docs[i] = yamltext.YAML(objects[kind])
	}
	return strings.Join(docs, "---\n")
}

// told is what a review tells of a change: the dangers that a person is asked about, and all
// sentences.
func told(t *testing.T, before, after string) (dangers, sentences []string) {
	t.Helper()
	plan, found := examine(t, t.TempDir(), stored(t, lint.Example{Applied: before, Manifest: after}))
	digest := show.NewDigest(found.Impact(), found.Effects, show.Options{})
	digest.AddErrors(found.Besides(lint.Error), found.Besides(lint.Warning), found.Accepted())
	for _, d := range digest.Dangers() {
		for _, s := range d.Shared {
			sentences = append(sentences, s.Text)
		}
		if d.Level != show.Fine && d.Code != "restarts" {
			dangers = append(dangers, fmt.Sprintf("%s: %v", d.Text, d.Shared))
		}
	}
	for _, f := range found.Findings {
		sentences = append(sentences, f.Message)
		if (f.Severity == lint.Error || f.Severity == lint.Warning) && f.Rule.ID != "selector-not-single-purpose" {
			dangers = append(dangers, f.Rule.ID+": "+f.Message)
		}
	}
	for _, o := range plan.Outcomes {
		if o.Action == rehearsal.Rejected {
			t.Fatalf("%s is rejected: %s", o.Identity(), o.Rejection)
		}
	}
	return dangers, sentences
}

// rewrites are ways to write manifests so that they mean the same.
var rewrites = map[string]func(t *testing.T, objects map[string]tree.Object){
	"env in another order":                      reversed("Deployment spec.template.spec.containers[0].env"),
	"container ports in another order":          reversed("Deployment spec.template.spec.containers[0].ports"),
	"mounts in another order":                   reversed("Deployment spec.template.spec.containers[0].volumeMounts"),
	"volumes in another order":                  reversed("Deployment spec.template.spec.volumes"),
	"tolerations in another order":              reversed("Deployment spec.template.spec.tolerations"),
	"pull secrets in another order":             reversed("Deployment spec.template.spec.imagePullSecrets"),
	"spread constraints in another order":       reversed("Deployment spec.template.spec.topologySpreadConstraints"),
	"ports of a Service in another order":       reversed("Service spec.ports"),
	"source ranges in another order":            reversed("Service spec.loadBalancerSourceRanges"),
	"rules of a Role in another order":          reversed("Role rules"),
	"verbs in another order":                    reversed("Role rules[0].verbs"),
	"resources in another order":                reversed("Role rules[0].resources"),
	"subjects in another order":                 reversed("RoleBinding subjects"),
	"peers in another order":                    reversed("NetworkPolicy spec.ingress[0].from"),
	"ports of a NetworkPolicy in another order": reversed("NetworkPolicy spec.ingress[0].ports"),
	"policy types in another order":             reversed("NetworkPolicy spec.policyTypes"),
	"hosts of an Ingress in another order":      reversed("Ingress spec.rules"),
	"paths in another order":                    reversed("Ingress spec.rules[0].http.paths"),
	"certificates in another order":             reversed("Ingress spec.tls"),
	"metrics in another order":                  reversed("HorizontalPodAutoscaler spec.metrics"),
	"rules of a webhook in another order":       reversed("ValidatingWebhookConfiguration webhooks[0].rules"),
	"a rule split by verb": written("Role rules", `[{apiGroups: [""], resources: [configmaps, endpoints], verbs: [get]}, {apiGroups: [""], resources: [configmaps, endpoints], verbs: [list]},
		{apiGroups: [apps], resources: [deployments], verbs: [get]}]`),
	"a rule split by resource": written("Role rules", `[{apiGroups: [""], resources: [configmaps], verbs: [get, list]}, {apiGroups: [""], resources: [endpoints], verbs: [get, list]},
		{apiGroups: [apps], resources: [deployments], verbs: [get]}]`),
	"a rule twice": written("Role rules", `[{apiGroups: [""], resources: [configmaps, endpoints], verbs: [get, list]}, {apiGroups: [""], resources: [configmaps], verbs: [get]},
		{apiGroups: [apps], resources: [deployments], verbs: [get]}]`),
	"a rule split by peer": written("NetworkPolicy spec.ingress", `[{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 8080}, {port: 9090}]},
		{from: [{podSelector: {matchLabels: {app: job}}}], ports: [{port: 8080}, {port: 9090}]}]`),
	"a rule split by port":                    written("NetworkPolicy spec.egress", `[{to: [{podSelector: {matchLabels: {app: db}}}], ports: [{port: 5432}]}, {to: [{podSelector: {matchLabels: {app: db}}}], ports: [{port: 5432, protocol: TCP}]}]`),
	"a selector as an expression":             written("NetworkPolicy spec.podSelector", `{matchExpressions: [{key: app, operator: In, values: [api]}]}`),
	"the selector of a peer as an expression": written("NetworkPolicy spec.egress[0].to[0].podSelector", `{matchExpressions: [{key: app, operator: In, values: [db]}]}`),
	"the selector of a budget as one":         written("PodDisruptionBudget spec.selector", `{matchExpressions: [{key: app, operator: In, values: [api]}]}`),
	"quantities spelled otherwise":            written("Deployment spec.template.spec.containers[0].resources", `{requests: {cpu: "0.5", memory: 1024Mi}, limits: {cpu: 1000m, memory: 2048Mi}}`),
	"the size of a claim spelled otherwise":   written("PersistentVolumeClaim spec.resources.requests.storage", `10240Mi`),
	"a quota spelled otherwise":               written("ResourceQuota spec.hard", `{requests.cpu: 20000m, requests.memory: 65536Mi, pods: 50}`),
	"secrets in plain text": func(t *testing.T, objects map[string]tree.Object) {
		delete(objects["Secret"], "data")
		objects["Secret"]["stringData"] = tree.Object{"password": "hunter2", "user": "api"}
	},
	"a default pod selector in words":   written("Deployment spec.template.spec.tolerations", `[{key: spot, operator: Exists, effect: NoSchedule}, {key: web, operator: Exists, effect: NoSchedule, value: ""}]`),
	"a toleration twice":                written("Deployment spec.template.spec.tolerations", `[{key: web, operator: Exists, effect: NoSchedule}, {key: spot, operator: Exists, effect: NoSchedule}, {key: web, operator: Exists, effect: NoSchedule}]`),
	"a subject twice":                   written("RoleBinding subjects", `[{kind: ServiceAccount, name: api, namespace: shop}, {kind: ServiceAccount, name: web, namespace: shop}, {kind: ServiceAccount, name: api, namespace: shop}]`),
	"the protocol written out":          written("Service spec.ports", `[{name: http, port: 80, targetPort: http, protocol: TCP}, {name: metrics, port: 9090, targetPort: metrics, protocol: TCP}]`),
	"a strategy in percent of the same": written("Deployment spec.strategy.rollingUpdate", `{maxUnavailable: 0%, maxSurge: 1}`),
	"empty maps":                        written("Deployment metadata.annotations", `{}`),
	"empty lists":                       written("Deployment spec.template.spec.hostAliases", `[]`),
	"the default of a field":            written("Deployment spec.revisionHistoryLimit", `10`),
	"false for what is absent":          written("Deployment spec.template.spec.hostNetwork", `false`),
	"the default of a Service":          written("Service spec.sessionAffinity", `None`),
	"the default of an Ingress path":    written("Ingress spec.rules[1].http.paths[0].backend.service.port", `{name: http}`),
	"the schedule with names":           written("CronJob spec.schedule", `"0 3 * * *"`),
	"null for what is absent":           written("CronJob spec.suspend", `null`),
	"the selector of a webhook as one":  written("ValidatingWebhookConfiguration webhooks[0].namespaceSelector", `{matchExpressions: [{key: team, operator: In, values: [shop]}]}`),
	"all defaults written out":          func(t *testing.T, objects map[string]tree.Object) { maps.Copy(objects, completed(t)) },
	"ports of a policy as a range":      written("NetworkPolicy spec.ingress[0].ports", `[{port: 8080}, {port: 9090, endPort: 9090}, {port: 9090}]`),
	"a port range of one":               written("NetworkPolicy spec.egress[0].ports", `[{port: 5432, endPort: 5432}]`),
	"the own namespace by its name": written("NetworkPolicy spec.egress[0].to",
		`[{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}, podSelector: {matchLabels: {app: db}}}]`),
	"a range in halves":                   written("Service spec.loadBalancerSourceRanges", `[10.0.0.0/9, 10.128.0.0/9, 192.168.0.0/16, 10.1.0.0/16]`),
	"a service account as a user":         written("RoleBinding subjects", `[{kind: ServiceAccount, name: api, namespace: shop}, {kind: User, apiGroup: rbac.authorization.k8s.io, name: "system:serviceaccount:shop:web"}]`),
	"the usual policy of a budget":        written("PodDisruptionBudget spec.unhealthyPodEvictionPolicy", `IfHealthyBudget`),
	"a schedule with zeros":               written("CronJob spec.schedule", `"00 03 * * *"`),
	"one certificate for two hosts":       written("Ingress spec.tls", `[{hosts: [a.example, b.example], secretName: api}]`),
	"everything in the style of JSON":     func(*testing.T, map[string]tree.Object) {},
	"a metric with a default written out": written("HorizontalPodAutoscaler spec.behavior.scaleUp", `{selectPolicy: Max, stabilizationWindowSeconds: 0, policies: [{type: Percent, value: 100, periodSeconds: 15}, {type: Pods, value: 4, periodSeconds: 15}]}`),
	"no affinity":                         written("Deployment spec.template.spec.affinity", `{}`),
	"a group twice":                       written("StatefulSet spec.template.spec.securityContext.supplementalGroups", `[999, 999]`),
	"anti-affinity by an expression":      written("StatefulSet spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector", `{matchExpressions: [{key: app, operator: In, values: [db]}]}`),
	"a size in bytes":                     written("Deployment spec.template.spec.containers[0].resources.requests.memory", `"1073741824"`),
	"a limit in other units":              written("LimitRange spec.limits[0].max", `{cpu: 4000m, memory: 8192Mi}`),
	"rules of a policy split":             written("ValidatingAdmissionPolicy spec.matchConstraints.resourceRules", `[{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}, {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]`),
	"the selector of a policy as one":     written("ValidatingAdmissionPolicy spec.matchConstraints.namespaceSelector", `{matchExpressions: [{key: team, operator: In, values: [shop]}]}`),
	"actions in another order":            reversed("ValidatingAdmissionPolicyBinding spec.validationActions"),
	"retention by default":                written("StatefulSet spec.persistentVolumeClaimRetentionPolicy", `{}`),
	"an update strategy by default":       written("DaemonSet spec.updateStrategy", `-`),
	"a policy of a scale-down by default": written("HorizontalPodAutoscaler spec.behavior", `{scaleDown: {selectPolicy: Max}}`),
	"a size limit in other units":         written("StatefulSet spec.template.spec.volumes[1].emptyDir.sizeLimit", `1024Mi`),
}

// fieldOf splits the name of a field of a kind.
func fieldOf(t *testing.T, of string) (kind string, path fieldpath.Path) {
	t.Helper()
	kind, name, _ := strings.Cut(of, " ")
	path, err := fieldpath.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return kind, path
}

// change makes an edit of one of the objects.
func change(t *testing.T, objects map[string]tree.Object, kind string, e edit.Edit) {
	t.Helper()
	o, err := edit.Object(objects[kind], []edit.Edit{e})
	if err != nil {
		t.Fatal(err)
	}
	objects[kind] = o
}

func reversed(of string) func(*testing.T, map[string]tree.Object) {
	return func(t *testing.T, objects map[string]tree.Object) {
		kind, path := fieldOf(t, of)
		v, _ := path.Find(objects[kind])
		list := slices.Clone(v.([]any))
		slices.Reverse(list)
		change(t, objects, kind, edit.Set(path, list))
	}
}

func written(of, value string) func(*testing.T, map[string]tree.Object) {
	return func(t *testing.T, objects map[string]tree.Object) {
		kind, path := fieldOf(t, of)
		change(t, objects, kind, toValue(t, path, value))
	}
}

// toValue is the edit to a value in YAML; "-" removes the field.
func toValue(t *testing.T, path fieldpath.Path, value string) edit.Edit {
	t.Helper()
	if value == "-" {
		return edit.Remove(path)
	}
	var v any
	if err := yaml.Unmarshal([]byte(value), &v); err != nil {
		t.Fatal(err)
	}
	return edit.Set(path, v)
}

// completed are the good objects with all that a server adds but for its metadata.
func completed(t *testing.T) map[string]tree.Object {
	t.Helper()
	plan, _ := examine(t, t.TempDir(), lint.Example{Manifest: good})
	objects := map[string]tree.Object{}
	for _, o := range plan.Outcomes {
		full := tree.CopyObject(o.Result)
		delete(full, "status")
		maps.DeleteFunc(tree.Map(full, "metadata"), func(key string, _ any) bool { return key != "name" && key != "namespace" && key != "labels" })
		objects[o.Kind.Kind] = full
	}
	return objects
}

// TestEqualRewrites writes good manifests so that they mean the same: a review tells of no danger.
func TestEqualRewrites(t *testing.T) {
	breadth.Long(t)
	before := inYAML(goodObjects(t))
	usual, _ := told(t, before, before)
	for _, name := range slices.Sorted(maps.Keys(rewrites)) {
		t.Run(name, func(t *testing.T) {
			kinds, objects := goodObjects(t)
			rewrites[name](t, objects)
			dangers, _ := told(t, before, inYAML(kinds, objects))
			for _, d := range dangers {
				if !slices.Contains(usual, d) {
					t.Error(d)
				}
			}
		})
	}
}

// turns are changes of one field of a good manifest: kind and field, the value, "-" if it is
// removed, and words of the sentence that tells of it; "" if it is hardened, which is no danger.
var turns = [][3]string{
	{`Deployment spec.template.spec.containers[0].securityContext`, `{privileged: true}`, `has all rights on the node|privileged`},
	{`Deployment spec.template.spec.containers[0].securityContext.allowPrivilegeEscalation`, `true`, `can gain privileges`},
	{`Deployment spec.template.spec.containers[0].securityContext.allowPrivilegeEscalation`, `-`, `can gain privileges`},
	{`Deployment spec.template.spec.containers[0].securityContext.readOnlyRootFilesystem`, `false`, `may write to its own file system`},
	{`Deployment spec.template.spec.containers[0].securityContext.capabilities.drop`, `-`, `more capabilities`},
	{`Deployment spec.template.spec.containers[0].securityContext.capabilities.add`, `[SYS_ADMIN]`, `more capabilities|SYS_ADMIN`},
	{`Deployment spec.template.spec.containers[0].securityContext.runAsNonRoot`, `false`, `may run as root`},
	{`Deployment spec.template.spec.containers[0].securityContext.runAsUser`, `0`, `as root`},
	{`Deployment spec.template.spec.containers[0].securityContext.seccompProfile`, `{type: Unconfined}`, `all system calls`},
	{`Deployment spec.template.spec.securityContext.runAsNonRoot`, `-`, `may run as root`},
	{`Deployment spec.template.spec.securityContext.runAsUser`, `0`, `as root`},
	{`Deployment spec.template.spec.securityContext.seccompProfile`, `-`, `all system calls`},
	{`Deployment spec.template.spec.hostNetwork`, `true`, `network of (their|the|its) node`},
	{`Deployment spec.template.spec.hostPID`, `true`, `processes of (their|the|its) node`},
	{`Deployment spec.template.spec.hostIPC`, `true`, `IPC`},
	{`Deployment spec.template.spec.automountServiceAccountToken`, `true`, `get a token`},
	{`ServiceAccount automountServiceAccountToken`, `true`, `get a token`},
	{`Deployment spec.template.spec.volumes[1]`, `{name: tmp, hostPath: {path: /}}`, `disk of|host path|node`},
	{`Deployment spec.template.spec.volumes[1]`, `{name: tmp, hostPath: {path: /var/run/docker.sock}}`, `node`},
	{`Deployment spec.template.spec.containers[0].resources.limits.memory`, `-`, `may use all|all that the node has`},
	{`Deployment spec.template.spec.containers[0].resources.limits`, `-`, `may use all|all that the node has`},
	{`Deployment spec.template.spec.containers[0].resources.limits.memory`, `1Gi`, `OOM-killed at 1Gi of memory instead of 2Gi`},
	{`Deployment spec.template.spec.containers[0].resources.requests`, `-`, `reserves`},
	{`Deployment spec.template.spec.containers[0].resources.requests.cpu`, `50m`, `only 50m of CPU free for the container .was 500m`},
	{`Deployment spec.template.spec.containers[0].readinessProbe`, `-`, `ready`},
	{`Deployment spec.template.spec.containers[0].livenessProbe`, `-`, `no longer restarted|hangs`},
	{`Deployment spec.template.spec.containers[0].startupProbe`, `-`, `begins with the start`},
	{`Deployment spec.template.spec.containers[0].lifecycle`, `-`, `stop`},
	{`Deployment spec.template.spec.containers[0].livenessProbe.failureThreshold`, `1`, `restarted after about 10s instead of 30s`},
	{`Deployment spec.template.spec.containers[0].livenessProbe.timeoutSeconds`, `30`, ``},
	{`Deployment spec.template.spec.containers[0].readinessProbe.failureThreshold`, `30`, `after about 150s instead of 15s`},
	{`Deployment spec.template.spec.terminationGracePeriodSeconds`, `1`, `1s instead of 60s to shut down`},
	{`Deployment spec.replicas`, `1`, `fewer|stops 2|to 1`},
	{`Deployment spec.replicas`, `0`, `stops 3|scaled to 0`},
	{`Deployment spec.minReadySeconds`, `0`, `sooner|at once`},
	{`Deployment spec.strategy`, `{type: Recreate}`, `stop all pods|all pods|down`},
	{`Deployment spec.strategy.rollingUpdate`, `{maxUnavailable: 50%, maxSurge: 0}`, `stop up to 50% of the old pods .* .was 0 and 1`},
	{`Deployment spec.paused`, `true`, `do not roll out|paused`},
	{`PodDisruptionBudget spec.minAvailable`, `0`, `more pods|all pods|any|protects`},
	{`PodDisruptionBudget spec.minAvailable`, `1`, `more`},
	{`PodDisruptionBudget spec.minAvailable`, `3`, `no eviction|blocks`},
	{`HorizontalPodAutoscaler spec.minReplicas`, `1`, `scale down to 1 pod .was 3`},
	{`HorizontalPodAutoscaler spec.maxReplicas`, `4`, `at most 4 pods .was 9.: it stops pods`},
	{`Service spec.loadBalancerSourceRanges`, `-`, `could not|every address|any address|reach`},
	{`Service spec.loadBalancerSourceRanges`, `[0.0.0.0/0]`, `could not|every address|any address|reach`},
	{`Service spec.selector`, `{app: apu}`, `no pods`},
	{`Service spec.ports[0].targetPort`, `8081`, `leads elsewhere|no container|port`},
	{`Service spec.ports`, `[{name: http, port: 80, targetPort: http}]`, `closed`},
	{`NetworkPolicy spec.ingress[0].from`, `-`, `allowed that were not|all sources|more connections|everywhere`},
	{`NetworkPolicy spec.ingress`, `[{}]`, `allowed that were not|more connections`},
	{`NetworkPolicy spec.egress`, `[{}]`, `allowed that were not|more connections`},
	{`NetworkPolicy spec.policyTypes`, `[Ingress]`, `allowed|more connections`},
	{`NetworkPolicy spec.podSelector`, `{matchLabels: {app: apu}}`, `no longer|not|other pods`},
	{`Role rules[0].verbs`, `['*']`, `get permissions|may`},
	{`Role rules[0].resources`, `[configmaps, endpoints, secrets]`, `get permissions|may`},
	{`Role rules`, `[{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]`, `get permissions|may`},
	{`RoleBinding subjects`, `[{kind: ServiceAccount, name: api, namespace: shop}, {kind: ServiceAccount, name: web, namespace: shop}, {kind: Group, apiGroup: rbac.authorization.k8s.io, name: 'system:authenticated'}]`, `permissions|may|get`},
	{`Ingress spec.tls`, `-`, `without|certificate|plain|TLS`},
	{`Ingress spec.rules`, `[{host: a.example, http: {paths: [{path: /x, pathType: Exact, backend: {service: {name: api, port: {name: http}}}}]}}]`, `no longer routes`},
	{`ValidatingWebhookConfiguration webhooks[0].failurePolicy`, `Ignore`, `unchecked|not checked|accepted`},
	{`ValidatingWebhookConfiguration webhooks[0].namespaceSelector`, `{matchLabels: {team: none}}`, `other|fewer|no longer`},
	{`ValidatingWebhookConfiguration webhooks[0].rules`, `[{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]`, `no longer|fewer`},
	{`CronJob spec.concurrencyPolicy`, `Allow`, `while the previous one is still running`},
	{`CronJob spec.suspend`, `true`, `no Job starts`},
	{`CronJob spec.startingDeadlineSeconds`, `10`, `sooner|later|missed|skipped`},
	{`CronJob spec.jobTemplate.spec.activeDeadlineSeconds`, `-`, `no longer stopped`},
	{`ResourceQuota spec.hard.pods`, `"500"`, `limited to pods=500 .was 50`},
	{`Deployment spec.template.spec.containers[0].image`, `registry.example/shop/api:latest`, `no longer pinned`},
	{`Deployment spec.template.spec.containers[0].imagePullPolicy`, `Never`, `their node has`},
	{`Deployment spec.template.spec.containers[0].env`, `[{name: LEVEL, value: info}, {name: ZONE, value: eu}, {name: PASSWORD, value: hunter2}]`, `plain text`},
	{`Deployment spec.template.spec.containers[0].volumeMounts[0].mountPath`, `/datta`, `nothing mounted`},
	{`Deployment spec.template.spec.containers[0].securityContext.runAsNonRoot`, `true`, ``},
	{`Deployment spec.template.spec.containers[0].securityContext.privileged`, `false`, ``},
	{`Deployment spec.template.spec.containers[0].securityContext.seccompProfile`, `{type: RuntimeDefault}`, ``},
	{`Deployment spec.template.spec.hostNetwork`, `false`, ``},
	{`Deployment spec.template.spec.hostPID`, `false`, ``},
	{`Deployment spec.template.spec.hostIPC`, `false`, ``},
	{`Deployment spec.template.spec.hostUsers`, `false`, ``},
	{`Deployment spec.template.spec.shareProcessNamespace`, `false`, ``},
	{`Deployment spec.template.spec.enableServiceLinks`, `false`, ``},
	{`Deployment spec.template.spec.securityContext.supplementalGroupsPolicy`, `Strict`, ``},
	{`Deployment spec.replicas`, `4`, ``},
	{`Deployment spec.minReadySeconds`, `30`, ``},
	{`Deployment spec.revisionHistoryLimit`, `5`, ``},
	{`Deployment spec.strategy.rollingUpdate`, `{maxUnavailable: 1, maxSurge: 1}`, `stop up to 1 of the old pods .* .was 0 and 1`},
	{`Deployment spec.template.spec.terminationGracePeriodSeconds`, `120`, ``},
	{`Deployment spec.template.spec.containers[0].volumeMounts[1].readOnly`, `true`, ``},
	{`HorizontalPodAutoscaler spec.minReplicas`, `4`, ``},
	{`Service spec.loadBalancerSourceRanges`, `[10.0.0.0/8]`, `no longer reach`},
	{`NetworkPolicy spec.ingress[0].from`, `[{podSelector: {matchLabels: {app: web}}}]`, `no longer allowed`},
	{`NetworkPolicy spec.ingress[0].ports`, `[{port: 8080}]`, `no longer allowed`},
	{`NetworkPolicy spec.egress`, `[]`, `no egress rule is left`},
	{`Role rules[0].verbs`, `[get]`, `lose`},
	{`Role rules`, `[{apiGroups: [''], resources: [configmaps], verbs: [get, list]}, {apiGroups: [apps], resources: [deployments], verbs: [get]}]`, `lose`},
	{`RoleBinding subjects`, `[{kind: ServiceAccount, name: api, namespace: shop}]`, `loses`},
	{`CronJob spec.jobTemplate.spec.activeDeadlineSeconds`, `1800`, `1800s instead of 3600s`},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.securityContext`, `{runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.automountServiceAccountToken`, `false`, ``},
	{`CronJob spec.successfulJobsHistoryLimit`, `1`, ``},
	{`ServiceAccount automountServiceAccountToken`, `false`, ``},
	{`Namespace metadata.labels`, `{team: shop, pod-security.kubernetes.io/warn: restricted}`, ``},
	{`Deployment spec.template.spec.containers[0].imagePullPolicy`, `Always`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.terminationGracePeriodSeconds`, `60`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.hostUsers`, `false`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.hostNetwork`, `false`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.hostPID`, `false`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{privileged: false}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{allowPrivilegeEscalation: false}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{readOnlyRootFilesystem: true}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{capabilities: {drop: [ALL]}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{capabilities: {drop: [NET_RAW]}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{seccompProfile: {type: RuntimeDefault}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{runAsNonRoot: true}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.securityContext`, `{runAsNonRoot: true}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.securityContext`, `{seccompProfile: {type: RuntimeDefault}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.securityContext`, `{supplementalGroupsPolicy: Strict}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.enableServiceLinks`, `false`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.shareProcessNamespace`, `false`, ``},
	{`Namespace metadata.labels`, `{team: shop, pod-security.kubernetes.io/audit: restricted}`, ``},
	{`Namespace metadata.labels`, `{team: shop, pod-security.kubernetes.io/enforce: baseline}`, `new pods that break baseline are rejected; those that run stay`},
	{`Namespace metadata.labels`, `{team: shop, pod-security.kubernetes.io/enforce-version: v1.30}`, `checked against the Pod Security standards of v1.30`},
	{`CronJob spec.jobTemplate.spec.template.spec.securityContext`, `{sysctls: [{name: net.core.somaxconn, value: "1024"}]}`, `net.core.somaxconn=1024: only a node that allows the unsafe ones`},
	{`CronJob spec.jobTemplate.spec.template.spec.securityContext`, `{sysctls: [{name: kernel.shm_rmid_forced, value: "1"}]}`, `set kernel.shm_rmid_forced=1$`},
	{`Service spec.publishNotReadyAddresses`, `true`, `pods that are not ready, too`},
	{`PodDisruptionBudget spec.unhealthyPodEvictionPolicy`, `AlwaysAllow`, `may evict pods that are not ready`},
	{`HorizontalPodAutoscaler spec.metrics[0].resource.target.averageUtilization`, `95`, `fewer pods at the same load`},
	{`HorizontalPodAutoscaler spec.metrics[0].resource.target.averageUtilization`, `60`, ``},
	{`Deployment spec.strategy.rollingUpdate`, `{maxUnavailable: 0, maxSurge: 2}`, ``},
	{`Service spec.loadBalancerSourceRanges`, `[10.0.0.0/7]`, `more addresses can reach the load balancer`},
	{`NetworkPolicy spec.ingress[0].from`, `[{podSelector: {matchLabels: {app: web, tier: x}}}, {podSelector: {matchLabels: {app: job}}}]`, `no longer allowed`},
	{`Deployment spec.template.spec.volumes[2].secret.defaultMode`, `400`, `more users of new pods may read or write`},
	{`Deployment spec.template.spec.volumes[2].secret.defaultMode`, `-`, `more users of new pods may read or write`},
	{`Deployment spec.template.spec.volumes[2].secret.defaultMode`, `292`, `more users of new pods may read or write`},
	{`Deployment spec.template.spec.topologySpreadConstraints[0].whenUnsatisfiable`, `ScheduleAnyway`, `may share a node or zone`},
	{`Deployment spec.template.spec.topologySpreadConstraints[0].maxSkew`, `5`, `may share a node or zone`},
	{`Deployment spec.template.spec.topologySpreadConstraints[1].whenUnsatisfiable`, `DoNotSchedule`, `that cannot be spread do not start`},
	{`Deployment spec.template.spec.nodeSelector`, `{pool: web, disk: ssd}`, `only on nodes with disk=ssd, pool=web .was pool=web`},
	{`Deployment spec.template.spec.tolerations`, `[{operator: Exists}]`, `tolerate all taints .was web:NoSchedule`},
	{`StatefulSet spec.template.spec.affinity`, `{podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {labelSelector: {matchLabels: {app: db}}, topologyKey: host}}]}}`, `more nodes, or share one`},
	{`Deployment spec.template.spec.containers[0].livenessProbe.periodSeconds`, `300`, `after about 900s instead of 30s`},
	{`Deployment spec.template.spec.containers[0].livenessProbe.failureThreshold`, `100`, `after about 1000s instead of 30s`},
	{`StatefulSet spec.template.spec.containers[0].livenessProbe.timeoutSeconds`, `1`, `restarted sooner`},
	{`StatefulSet spec.template.spec.containers[0].livenessProbe.initialDelaySeconds`, `0`, `restarted sooner`},
	{`StatefulSet spec.template.spec.containers[0].livenessProbe.initialDelaySeconds`, `3600`, `restarted later`},
	{`StatefulSet spec.template.spec.containers[0].readinessProbe.initialDelaySeconds`, `600`, `count as ready later`},
	{`StatefulSet spec.template.spec.containers[0].readinessProbe.successThreshold`, `10`, `after more successes`},
	{`StatefulSet spec.template.spec.containers[0].terminationMessagePolicy`, `File`, `no longer shows the end of its log`},
	{`StatefulSet spec.template.spec.containers[0].volumeMounts[0].readOnly`, `false`, `may write to the volume`},
	{`StatefulSet spec.template.spec.containers[0].ports[0].hostIP`, `0.0.0.0`, `every address of the node`},
	{`StatefulSet spec.template.spec.volumes[1].emptyDir.sizeLimit`, `100Gi`, `more of the disk of the node`},
	{`StatefulSet spec.template.spec.volumes[2].projected.sources[0].serviceAccountToken.expirationSeconds`, `86400`, `token expires later`},
	{`StatefulSet spec.template.spec.securityContext.runAsGroup`, `0`, `in the group root`},
	{`StatefulSet spec.template.spec.securityContext.fsGroup`, `0`, `belong to the group root`},
	{`StatefulSet spec.template.spec.securityContext.supplementalGroups`, `[999, 0]`, `more supplementary groups`},
	{`StatefulSet spec.template.spec.securityContext.fsGroupChangePolicy`, `Always`, `start later`},
	{`StatefulSet spec.template.spec.shareProcessNamespace`, `true`, `see the processes of each other`},
	{`StatefulSet spec.template.spec.enableServiceLinks`, `true`, `variables for every Service`},
	{`StatefulSet spec.template.spec.dnsPolicy`, `Default`, `no longer find Services`},
	{`StatefulSet spec.persistentVolumeClaimRetentionPolicy.whenDeleted`, `Delete`, `their data are deleted`},
	{`StatefulSet spec.persistentVolumeClaimRetentionPolicy.whenScaled`, `Delete`, `their data are deleted`},
	{`StatefulSet spec.updateStrategy.rollingUpdate.partition`, `2`, `leave more pods on the old template`},
	{`DaemonSet spec.updateStrategy`, `{type: OnDelete}`, `until they are deleted by hand`},
	{`DaemonSet spec.updateStrategy.rollingUpdate.maxUnavailable`, `100%`, `stop more pods at a time`},
	{`Job spec.backoffLimit`, `0`, `after 0 retries instead of 3`},
	{`Job spec.activeDeadlineSeconds`, `60`, `60s instead of 600s`},
	{`Job spec.ttlSecondsAfterFinished`, `0`, `deleted sooner`},
	{`CronJob spec.jobTemplate.spec.backoffLimit`, `100`, `100 retries instead of 2`},
	{`CronJob spec.jobTemplate.spec.ttlSecondsAfterFinished`, `0`, `are deleted with their pods`},
	{`CronJob spec.concurrencyPolicy`, `Replace`, `kills the previous one`},
	{`Ingress spec.rules[1].http.paths[0].pathType`, `Exact`, `no longer routes b.example`},
	{`Ingress spec.rules[0].http.paths[0].pathType`, `Prefix`, `now routes a.example`},
	{`Service spec.internalTrafficPolicy`, `Local`, `nowhere if there are none`},
	{`Service spec.externalTrafficPolicy`, `Cluster`, `no longer see the address`},
	{`Service spec.sessionAffinity`, `ClientIP`, `to the same pod`},
	{`ValidatingWebhookConfiguration webhooks[0].objectSelector`, `{matchLabels: {check: "yes"}}`, `fewer requests`},
	{`ValidatingWebhookConfiguration webhooks[0].namespaceSelector`, `{}`, `more requests`},
	{`ValidatingWebhookConfiguration webhooks[0].matchPolicy`, `Exact`, `fewer requests`},
	{`ValidatingWebhookConfiguration webhooks[0].timeoutSeconds`, `30`, `wait longer`},
	{`ValidatingAdmissionPolicy spec.failurePolicy`, `Ignore`, `requests pass`},
	{`ValidatingAdmissionPolicy spec.matchConstraints.namespaceSelector`, `{matchLabels: {team: shop, tier: web}}`, `fewer requests`},
	{`ValidatingAdmissionPolicy spec.matchConstraints.resourceRules[0].operations`, `[CREATE]`, `fewer requests`},
	{`ValidatingAdmissionPolicy spec.validations`, `[{expression: "object.spec.replicas >= 0"}]`, `one check fewer`},
	{`ValidatingAdmissionPolicyBinding spec.validationActions`, `[Audit]`, `no longer rejected`},
	{`LimitRange spec.limits[0].max.memory`, `80Gi`, `may request more`},
	{`LimitRange spec.limits[0].defaultRequest.cpu`, `10m`, `reserve less`},
	{`HorizontalPodAutoscaler spec.metrics`, `[{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}]`, `fewer pods`},
	{`HorizontalPodAutoscaler spec.behavior`, `{scaleDown: {stabilizationWindowSeconds: 0}}`, `stops pods sooner`},
	{`HorizontalPodAutoscaler spec.behavior`, `{scaleUp: {selectPolicy: Disabled}}`, `no longer starts pods`},
	{`PersistentVolume spec.persistentVolumeReclaimPolicy`, `Delete`, `deleted with its claim`},
	{`StatefulSet spec.template.spec.containers[0].livenessProbe.initialDelaySeconds`, `60`, ``},
	{`Deployment spec.template.spec.containers[0].livenessProbe.failureThreshold`, `5`, ``},
	{`StatefulSet spec.template.spec.containers[0].securityContext`, `{appArmorProfile: {type: RuntimeDefault}}`, ``},
	{`StatefulSet spec.template.spec.securityContext.runAsNonRoot`, `true`, ``},
	{`StatefulSet spec.template.spec.volumes[2].projected.sources[0].serviceAccountToken.expirationSeconds`, `600`, ``},
	{`StatefulSet spec.template.spec.volumes[2].projected.defaultMode`, `256`, ``},
	{`Deployment spec.template.spec.volumes[0].persistentVolumeClaim.readOnly`, `true`, `can no longer write to volume data`},
	{`DaemonSet spec.template.spec.hostNetwork`, `false`, ``},
	{`DaemonSet spec.template.spec.containers[0].securityContext`, `{allowPrivilegeEscalation: false, privileged: false, readOnlyRootFilesystem: true, runAsNonRoot: true, capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}`, ``},
	{`DaemonSet spec.updateStrategy.rollingUpdate`, `{maxUnavailable: 0, maxSurge: 1}`, ``},
	{`HorizontalPodAutoscaler spec.behavior`, `{scaleDown: {stabilizationWindowSeconds: 600}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].terminationMessagePolicy`, `FallbackToLogsOnError`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}`, ``},
	{`CronJob spec.jobTemplate.spec.template.spec.containers[0].securityContext`, `{capabilities: {add: [NET_RAW]}}`, `more capabilities`},
	{`DaemonSet spec.template.spec.hostNetwork`, `-`, ``},
	{`Ingress spec.tls`, `[{hosts: [a.example], secretName: api}, {hosts: [b.example], secretName: api}, {hosts: [c.example], secretName: api}]`, ``},
	{`Ingress spec.tls`, `[{hosts: [a.example], secretName: api}]`, `different certificate, or without one`},
}

// TestDirections weakens and hardens good manifests, one field at a time: a weaker one is told in
// a sentence that says in which direction, and a harder one is no danger.
func TestDirections(t *testing.T) {
	breadth.Long(t)
	before := inYAML(goodObjects(t))
	usual, _ := told(t, before, before)
	weaker := 0
	for _, turn := range turns {
		t.Run(turn[0]+"="+turn[1], func(t *testing.T) {
			kind, path := fieldOf(t, turn[0])
			kinds, objects := goodObjects(t)
			change(t, objects, kind, toValue(t, path, turn[1]))
			dangers, sentences := told(t, before, inYAML(kinds, objects))
			dangers = slices.DeleteFunc(dangers, func(d string) bool { return slices.Contains(usual, d) })
			switch {
			case turn[2] == "":
				for _, d := range dangers {
					t.Error("hardened, and a danger: " + d)
				}
			default:
				weaker++
				if !slices.ContainsFunc(sentences, regexp.MustCompile(turn[2]).MatchString) || dangers == nil {
					t.Errorf("not told %q: %q, of the dangers %q", turn[2], sentences, dangers)
				}
			}
		})
	}
	t.Logf("%d weaker, %d harder", weaker, len(turns)-weaker)
}
