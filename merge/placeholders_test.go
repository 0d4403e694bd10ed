package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// filledLater are objects with fields of all types.
const filledLater = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, labels: {app: web}}, spec: {replicas: 2, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}},
  selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {hostNetwork: false, volumes: [{name: d, configMap: {name: c, defaultMode: 420}}, {name: e, emptyDir: {sizeLimit: 1Gi}}],
  containers: [{name: main, image: x, imagePullPolicy: Always, ports: [{name: http, containerPort: 80, protocol: TCP}], resources: {requests: {cpu: 100m}, limits: {cpu: "1"}},
  volumeMounts: [{name: d, mountPath: /d}], livenessProbe: {httpGet: {path: /, port: http}, periodSeconds: 5}}]}}}}
---
{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec: {type: LoadBalancer, selector: {app: web}, loadBalancerSourceRanges: [10.0.0.0/8], ports: [{name: http, port: 80, targetPort: http, nodePort: 30080}]}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: shop}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 4}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: web, namespace: shop}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 2Gi}}}}
---
{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web, namespace: shop}, spec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]}}
---
{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: web, namespace: shop}, spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}], ports: [{port: 80, endPort: 90}]}]}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: web, namespace: shop}, spec: {schedule: "0 0 * * *", suspend: false, jobTemplate: {spec: {backoffLimit: 2, template: {spec: {restartPolicy: Never, containers: [{name: m, image: x}]}}}}}}
---
{apiVersion: v1, kind: Secret, metadata: {name: web, namespace: shop}, data: {a: YQ==}}
`

// TestFilledLater puts a placeholder in place of each value, and expects no rejection: of the
// new object, and of a change of it.
func TestFilledLater(t *testing.T) {
	for _, o := range objectsOf(filledLater) {
		for i := range leaves(o.Tree, nil, -1) {
			for _, serverSide := range []*rehearsal.ServerSide{nil, {Manager: "kubectl"}} {
				set := func(label string) *manifest.Set {
					all := objectsOf(filledLater)
					for _, changed := range all {
						if changed.ID() != o.ID() {
							continue
						}
						leaves(changed.Tree, "${VALUE}", i)
						tree.Set(changed.Tree, label, "metadata", "annotations", "change")
						changed.Name, changed.Namespace = tree.String(changed.Tree, "metadata", "name"), tree.String(changed.Tree, "metadata", "namespace")
						return &manifest.Set{Objects: []*manifest.Object{changed}}
					}
					return nil
				}
				opts := merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: set("b")}, Applying: rehearsal.Applying{ServerSide: serverSide}}}
				opts, err := opts.From(set("a"), "the base")
				if err != nil {
					t.Fatal(err)
				}
				p, err := merge.New(opts)
				if err != nil {
					t.Fatal(err)
				}
				for _, outcome := range p.Outcomes {
					if outcome.Action != rehearsal.Configured {
						t.Errorf("%s, value %d: %s %s", o.ID(), i, outcome.Action, outcome.Rejection.OneLine())
					}
				}
			}
		}
	}
}

func objectsOf(text string) []*manifest.Object {
	return manifest.ReadFiles([]manifest.File{{Name: "m.yaml", Data: []byte(text)}}, manifest.Limits{}).Objects
}

// leaves counts the values in an object, and sets the one of a number.
func leaves(v, value any, number int) (n int) {
	visit := func(x any, set func(any)) {
		if tree.Compound(x) {
			n += leaves(x, value, number-n)
			return
		}
		if n == number {
			set(value)
		}
		n++
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range tree.Keys(v) {
			if key != "apiVersion" && key != "kind" && !strings.Contains(fmt.Sprint(key), "change") {
				visit(v[key], func(x any) { v[key] = x })
			}
		}
	case []any:
		for i := range v {
			visit(v[i], func(x any) { v[i] = x })
		}
	}
	return n
}
