package rules

import "strings"

// The manifests that several rules use as examples.

func deployment(spec string) string {
	return `apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:` + spec + `
  selector:
    matchLabels: {app: api}
  template:
    metadata:
      labels: {app: api}
    spec:
      containers:
      - name: api
        image: shop/api:1.4.2
`
}

func statefulSet(spec string) string {
	return `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db` + spec + `
  selector:
    matchLabels: {app: db}
  template:
    metadata:
      labels: {app: db}
    spec:
      containers:
      - name: db
        image: shop/db:9.1
`
}

// container is a Deployment with more lines for its container.
func container(lines string) string {
	return strings.TrimSuffix(deployment(""), "\n") + lines + "\n"
}

func configMap(name string) string {
	return `apiVersion: v1
kind: ConfigMap
metadata: {name: ` + name + `, namespace: shop, labels: {app: shop}}
data: {key: value}
`
}

// liveWithProbe is the Deployment of the examples after somebody has given it a
// probe by hand.
const liveWithProbe = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
  uid: 3f5b7d1e-0000-4000-8000-000000000001
  resourceVersion: "7"
  generation: 2
  creationTimestamp: "2026-01-01T00:00:00Z"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"api","namespace":"shop"},"spec":{"selector":{"matchLabels":{"app":"api"}},"template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"image":"shop/api:1.4.2","name":"api"}]}}}}
spec:
  progressDeadlineSeconds: 600
  replicas: 1
  revisionHistoryLimit: 10
  selector: {matchLabels: {app: api}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
      - name: api
        image: shop/api:1.4.2
        imagePullPolicy: IfNotPresent
        readinessProbe:
          failureThreshold: 3
          periodSeconds: 10
          successThreshold: 1
          timeoutSeconds: 1
          tcpSocket: {port: 8080}
        resources: {}
        terminationMessagePath: /dev/termination-log
        terminationMessagePolicy: File
      dnsPolicy: ClusterFirst
      restartPolicy: Always
      schedulerName: default-scheduler
      securityContext: {}
      terminationGracePeriodSeconds: 30
`

// withLabel adds a label to the example's Deployment itself.
func withLabel(text, label string) string {
	return strings.Replace(text, "namespace: shop}", "namespace: shop, labels: {"+label+"}}", 1)
}

// helmRelease is the Deployment of the examples as helm install makes it.
var helmRelease = strings.Replace(withoutLastApplied, "  uid:", "  annotations: {meta.helm.sh/release-name: shop, meta.helm.sh/release-namespace: shop}\n  labels: {app.kubernetes.io/managed-by: Helm}\n  uid:", 1)

// deploymentPod is the Deployment of the examples with another line in its pod.
func deploymentPod(line string) string {
	return strings.Replace(deployment(""), "      containers:", "      "+line+"\n      containers:", 1)
}

// tolerant is the Deployment of the examples, applied with one toleration; an
// operator has added another.
var tolerant = func() string {
	s := appliedAs(1, "replicas: 1")
	s = strings.Replace(s, `"spec":{"containers"`, `"spec":{"tolerations":[{"key":"gpu","operator":"Exists"}],"containers"`, 1)
	return strings.Replace(s, "    spec:\n      containers:", "    spec:\n      tolerations: [{key: gpu, operator: Exists}, {key: spot, operator: Exists}]\n      containers:", 1)
}()

// For prune.
const (
	namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n"
	claim     = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}\nspec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}\n"
	budget    = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: api, namespace: shop, labels: {app: shop}}\nspec: {minAvailable: 1, selector: {matchLabels: {app: api}}}\n"
)
