package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// shop is a project in which what becomes of pod.yaml, quoted.yaml and widget.yaml depends on
// the other files. These three stay as they are, so that their outcomes of before could be taken.
const shop = `
-- .threeway.yaml --
version: "1"
manifests: [config]
live: [live.yaml]
-- config/crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
-- config/limits.yaml --
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: shop}
spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}, max: {cpu: "2"}}]}
-- config/namespace.yaml --
apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {a: b}}
-- config/pod.yaml --
apiVersion: v1
kind: Pod
metadata: {name: once, namespace: shop}
spec: {resources: {limits: {memory: 1Gi}}, serviceAccountName: runner, priorityClassName: high, containers: [{name: a, image: a:1}]}
-- config/priority.yaml --
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
-- config/account.yaml --
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: shop}
imagePullSecrets: [{name: pull}]
-- config/quoted.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: quoted, namespace: other}
-- config/web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: web:1
        resources: {limits: {cpu: "1", memory: 1Gi}}
-- config/widget.yaml --
apiVersion: example.org/v1
kind: Widget
metadata: {name: one, namespace: shop}
spec: {size: 3}
-- live.yaml --
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Namespace, metadata: {name: kube-system}}
- {apiVersion: v1, kind: Namespace, metadata: {name: default}}
- {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
- {apiVersion: v1, kind: Namespace, metadata: {name: other}}
- {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: 1}
- {apiVersion: v1, kind: Service, metadata: {name: web, namespace: default}, spec: {selector: {app: web}, ports: [{port: 80}]}}
- {apiVersion: v1, kind: LimitRange, metadata: {name: older, namespace: shop}, spec: {limits: [{type: Container, max: {cpu: "4"}}]}}
- apiVersion: v1
  kind: ResourceQuota
  metadata: {name: few, namespace: other}
  spec: {hard: {pods: "2", configmaps: "1"}}
  status: {hard: {pods: "2", configmaps: "1"}, used: {pods: "0", configmaps: "0"}}
`

// TestLSPIsNeverStale changes what other objects depend on, the settings and the snapshot.
// After each change the findings are those of lint in the saved files, and so they are
// when it is taken back.
func TestLSPIsNeverStale(t *testing.T) {
	dir := inExample(t)
	for _, f := range txtar.Parse([]byte(shop)).Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o700); err != nil {
			t.Fatal(err)
		}
		save(t, f.Name, string(f.Data))
	}
	for _, old := range []string{"config/deployment.yaml", "config/configmap.yaml"} {
		if err := os.Remove(old); err != nil {
			t.Fatal(err)
		}
	}
	c := lspIn(t, dir, nil)
	web := load(t, "config/web.yaml")
	c.open("config/web.yaml", "# -\n"+web)
	save(t, "config/web.yaml", "# -\n"+web)
	c.same("opening")
	told := strings.Join(c.listed(), "\n")
	differing := 0
	for i, change := range []struct{ file, old, new string }{
		{"config/namespace.yaml", "{a: b}", "{pod-security.kubernetes.io/enforce: restricted}"},
		{"config/namespace.yaml", "name: shop", "name: another"},
		{"config/limits.yaml", `max: {cpu: "2"}`, `max: {cpu: 50m}`},
		{"config/limits.yaml", "kind: LimitRange", "kind: ConfigMap"},
		{"config/crd.yaml", "size: {type: integer}", "size: {type: string}"},
		{"config/crd.yaml", "scope: Namespaced", "scope: Cluster"},
		{"config/crd.yaml", "served: true", "served: false"},
		{"config/priority.yaml", "value: 1000", "value: 5000000000"},
		{"config/priority.yaml", "name: high", "name: higher"},
		{"config/account.yaml", "name: runner", "name: walker"},
		{"config/pod.yaml", "kind: Pod", "kind: Podd"},
		{"config/pod.yaml", "apiVersion: v1\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more, namespace: other}\n---\napiVersion: v1\n"},
		{"config/pod.yaml", "serviceAccountName: runner, ", ""},
		{"config/widget.yaml", "name: one", "name: web\n---\n" + strings.Replace(web, "replicas: 3", "replicas: 4", 1) + "---\n"},
		{".threeway.yaml", "live:", "apply: {namespace: other}\nlive:"},
		{".threeway.yaml", "live:", "apply: {namespace: shop}\nlive:"},
		{".threeway.yaml", "live:", "rules: {implicit-rollout-strategy: error}\nlive:"},
		{".threeway.yaml", "live:", "kubernetes-version: \"1.31\"\nlive:"},
		{".threeway.yaml", "live:", "apply: {mode: server-side}\nlive:"},
		{".threeway.yaml", "[config]", "[config/widget.yaml, config/namespace.yaml, config]"},
		{".threeway.yaml", "live:", "apply: {prune: {root: config, applyset: shop}}\nlive:"},
		{".threeway.yaml", "live:", "apply: {prune: {root: config, selector: app=web}}\nlive:"},
		{".threeway.yaml", "live:", "secrets: {kinds: [{kind: Widget.example.org}]}\nlive:"},
		{".threeway.yaml", "[config]", "[config/web.yaml]"},
		{".threeway.yaml", "live: [live.yaml]", ""},
		{"live.yaml", "{name: shop}", "{name: shop, labels: {pod-security.kubernetes.io/enforce: baseline}}"},
		{"live.yaml", `max: {cpu: "4"}`, `max: {cpu: 40m}`},
		{".threeway.yaml", "[config]", "[config/account.yaml, config/crd.yaml, config/limits.yaml, config/namespace.yaml, config/priority.yaml, config/pod.yaml, config/web.yaml, config/widget.yaml]"},
		{"live.yaml", "selector: {app: web}", "selector: {app: other}"},
	} {
		before := load(t, change.file)
		if !strings.Contains(before, change.old) {
			t.Fatalf("%s has no %s", change.file, change.old)
		}
		for j, text := range []string{strings.Replace(before, change.old, change.new, 1), before} {
			save(t, change.file, text)
			next := fmt.Sprintf("# %d %d\n%s", i, j, web)
			save(t, "config/web.yaml", next)
			c.edit("config/web.yaml", next)
			c.same(fmt.Sprintf("%s: %s for %s", change.file, change.new, change.old))
			if now := strings.Join(c.listed(), "\n"); now != told {
				differing++
				told = now
			}
		}
	}
	c.end(0)
	if differing < 36 {
		t.Errorf("only %d of the changes change a finding", differing)
	}
}
