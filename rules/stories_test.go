package rules

import (
	"strings"
	"testing"

	"threeway/lint"
	"threeway/merge"
)

// TestStories plays more examples than a rule's page has room for. Each says
// what the rule's findings contain, none if it must be silent.
func TestStories(t *testing.T) {
	rule := map[string]*lint.Rule{}
	for _, r := range All() {
		rule[r.ID] = r
	}
	for _, s := range []struct {
		slug, rule string
		example    lint.Example
		want       []string // parts of message, live, notes and fix, one line for each finding
	}{
		{"kubectl takes over what it applied client-side", "stuck-after-ssa-migration",
			lint.Example{Live: clientSide, Config: deployment(""), Args: "--server-side --force-conflicts"}, nil},
		{"the second apply of the migration is refused", "stuck-after-ssa-migration",
			lint.Example{Live: clientSide, Config: strings.Replace(deployment(""), "        image: shop/api:1.4.2\n", "", 1), Args: "--server-side"},
			[]string{"containers[name=api].image is gone from the config, and cannot go: this apply ends with a warning, and every later one is rejected"}},
		{"replicas that only an earlier client-side apply owns drop to one", "replicas-drop-to-one",
			lint.Example{Live: strings.NewReplacer("  replicas: 1", "  replicas: 6", `"f:minReadySeconds"`, `"f:replicas"`, `"minReadySeconds":20`, `"replicas":6`).Replace(clientSide), Config: deployment(""), Args: "--server-side"},
			[]string{"the apply scales from 6 to 1"}},
		{"a controller applies fields of its own", "mixed-apply-methods",
			lint.Example{Live: strings.Replace(scaledByHand, "manager: kube-controller-manager-hpa\n    operation: Update", "manager: operator\n    operation: Apply", 1), Config: deployment("")}, nil},
		{"the conflict is with kubectl's own client-side apply", "ssa-conflict",
			lint.Example{Live: strings.Replace(clientSide, `"minReadySeconds":20`, `"minReadySeconds":25`, 1), Config: deployment("\n  minReadySeconds: 30"), Args: "--server-side"},
			[]string{"apply once with --force-conflicts"}},
		{"a conflict with a person", "ssa-conflict",
			lint.Example{Live: strings.Replace(patchedImage, "kubectl-set", "kubectl-edit", 1), Config: strings.Replace(deployment(""), "1.4.2", "1.5.0", 1), Args: "--server-side"},
			[]string{"write the live value into the config to keep it"}},
		{"a block that somebody removed comes back once", "reverts-live-change",
			lint.Example{Live: strings.Replace(appliedAs(1, "replicas: 1"), `"image":"shop/api:1.4.2"`, `"image":"shop/api:1.4.2","readinessProbe":{"periodSeconds":5,"tcpSocket":{"port":80}}`, 1),
				Config: container("\n        readinessProbe:\n          periodSeconds: 5\n          tcpSocket: {port: 80}")},
			[]string{"the apply brings spec.template.spec.containers[name=api].readinessProbe back"}},
		{"in a list the item that differs", "reverts-live-change",
			lint.Example{Live: strings.Replace(tolerant, "key: spot", "key: gpu-old", 1), Config: deploymentPod("tolerations: [{key: gpu, operator: Exists}]")},
			[]string{"the apply sets spec.template.spec.tolerations back to"}},
		{"a null that was applied before is no change of others", "reverts-live-change",
			lint.Example{Live: strings.Replace(appliedAs(1, "replicas: 1"), `"replicas":1`, `"replicas":1,"minReadySeconds":null`, 1), Config: deployment("\n  replicas: 1\n  minReadySeconds: null"), Args: "--server-side"}, nil},
		{"force says it once", "reverts-live-change",
			lint.Example{Live: strings.Replace(appliedAs(2, "replicas: 6"), "spec:\n", "  managedFields:\n  - {manager: hpa, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:replicas': {}}}}\nspec:\n", 1),
				Config: deployment("\n  replicas: 2"), Args: "--server-side --force-conflicts"}, nil},
		{"a null of every apply still clears what others set", "explicit-null",
			lint.Example{Live: strings.Replace(appliedAs(1, "replicas: 1\n  minReadySeconds: 20"), `"replicas":1`, `"replicas":1,"minReadySeconds":null`, 1), Config: deployment("\n  replicas: 1\n  minReadySeconds: null")},
			[]string{"the apply removes the live value 20"}},
		{"a null of a field that the live object has not removes nothing", "explicit-null",
			lint.Example{Live: appliedAs(1, "replicas: 1"), Config: deployment("\n  replicas: 1\n  minReadySeconds: null")},
			[]string{"spec.minReadySeconds is null: every apply clears what others set there"}},
		{"nulls of one object are one finding", "explicit-null",
			lint.Example{Config: deployment("\n  minReadySeconds: null\n  paused: null")},
			[]string{"spec.minReadySeconds, spec.paused are null"}},
		{"without last-applied, and nothing to keep", "missing-last-applied",
			lint.Example{Live: strings.Replace(withoutLastApplied, "replicas: 5", "replicas: 1", 1), Config: deployment("")},
			[]string{"it has nothing that the config lacks"}},
		{"an object that was applied server-side", "missing-last-applied",
			lint.Example{Live: scaledByHand, Config: deployment("")},
			[]string{"apply with --server-side, as before"}},
		{"the selector of a StatefulSet", "selector-change",
			lint.Example{Applied: statefulSet(""), Config: strings.ReplaceAll(statefulSet(""), "{app: db}", "{app: db, tier: data}")},
			[]string{"the field is immutable"}},
		{"the selector of a StatefulSet and more", "immutable-field-change",
			lint.Example{Applied: statefulSet(""), Config: strings.Replace(strings.ReplaceAll(statefulSet(""), "{app: db}", "{app: db, tier: data}"), "serviceName: db", "serviceName: database", 1)},
			[]string{"spec.selector, spec.serviceName cannot be changed"}},
		{"a selector with an expression", "mutable-selector-label",
			lint.Example{Config: strings.Replace(strings.Replace(deployment(""), "labels: {app: api}", "labels: {app: api, version: 1.4.2}", 1), "    matchLabels: {app: api}\n", "    matchLabels: {app: api}\n    matchExpressions: [{key: version, operator: In, values: [1.4.2]}]\n", 1)},
			[]string{"the selector has version=1.4.2, which repeats an image tag"}},
		{"the type of a strategy is in conflict, and force would not help", "ssa-conflict",
			lint.Example{Live: strings.Replace(clientSide, `"f:minReadySeconds": {}`, `"f:strategy": {"f:type": {}, "f:rollingUpdate": {"f:maxSurge": {}, "f:maxUnavailable": {}}}`, 1),
				Config: deployment("\n  strategy: {type: Recreate}"), Args: "--server-side"},
			[]string{"with --force-conflicts it is rejected too"}},
		{"a server-side apply keeps the strategy of a Deployment too", "strategy-change-keeps-defaults",
			lint.Example{Live: scaledByHand, Config: deployment("\n  strategy: {type: Recreate}"), Args: "--server-side"},
			[]string{`kubectl patch deployment/api -n shop --type=merge -p '{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}'`}},
		{"the author wrote both", "strategy-change-keeps-defaults",
			lint.Example{Live: scaledByHand, Config: deployment("\n  strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}"), Args: "--server-side"}, nil},
		{"a DaemonSet tolerates the leftover", "survives-apply",
			lint.Example{Applied: daemonSet(""), Config: daemonSet("\n  updateStrategy: {type: OnDelete}")}, nil},
		{"what has a manifest elsewhere has not left the set", "prune-leaks-kind",
			lint.Example{Applied: budget + "---\n" + configMap("api"), Config: configMap("api"), Elsewhere: budget, Args: "--prune -l app=shop"}, nil},
		{"without a snapshot, below the root of the set", "prune-from-subdirectory",
			lint.Example{Config: configMap("api"), Elsewhere: configMap("web"), Args: "--prune -l app=shop --prune-root ."},
			[]string{"would delete 1 object whose manifest is elsewhere in it"}},
		{"without a snapshot, in a repository", "prune-from-subdirectory",
			lint.Example{Config: configMap("api"), Elsewhere: configMap("web"), Args: "--prune -l app=shop"},
			[]string{"-f is only a part of the repository"}},
		{"a manifest of another set in the repository", "prune-from-subdirectory",
			lint.Example{Config: configMap("api"), Elsewhere: strings.Replace(configMap("web"), "app: shop", "app: web", 1), Args: "--prune -l app=shop"}, nil},
		{"an object without a namespace, among others with one", "ambiguous-object",
			lint.Example{Config: configMap("api") + "---\n" + strings.Replace(configMap("web"), "namespace: shop, ", "", 1)},
			[]string{"while others of the set do: it goes wherever the context points"}},
		{"it is where it went before", "ambiguous-object",
			lint.Example{Applied: strings.Replace(configMap("web"), "shop", "default", 1), Config: configMap("api") + "---\n" + strings.Replace(configMap("web"), "namespace: shop, ", "", 1)},
			[]string{"it is live in default"}},
		{"a port with a new number keeps the name of the old one, which stays", "merge-key-renamed",
			lint.Example{Live: strings.Replace(externalIPs, "{port: 80,", "{name: web, port: 80,", 1), Config: strings.Replace(balanced("LoadBalancer", ""), "- {port: 80}", "- {name: web, port: 8080}", 1)},
			[]string{`the name "web" goes to another port, and the live spec.ports[port=80], which has it, stays; apply is rejected`}},
		{"of two ports one goes, and the other was there before", "merge-key-renamed",
			lint.Example{Applied: strings.Replace(balanced("LoadBalancer", ""), "- {port: 80}", "- {name: a, port: 80, targetPort: 80}\n  - {name: b, port: 8080, targetPort: 80}", 1),
				Config: strings.Replace(balanced("LoadBalancer", ""), "- {port: 80}", "- {name: b, port: 8080, targetPort: 80}", 1)}, nil},
		{"a name that the author gave twice", "merge-key-renamed",
			lint.Example{Config: strings.Replace(balanced("LoadBalancer", ""), "- {port: 80}", "- {name: web, port: 80}\n  - {name: web, port: 8080}", 1)}, nil},
		{"a null does nothing server-side", "merge-sets-two-of-one",
			lint.Example{Live: liveWithProbe, Config: container("\n        readinessProbe:\n          httpGet: {port: 8080, path: /ready}"), Args: "--server-side"},
			[]string{"kubectl edit deployment/api -n shop"}},
		{"what client-side apply knows it can clear", "merge-sets-two-of-one",
			lint.Example{Live: strings.Replace(liveWithProbe, `"image":"shop/api:1.4.2"`, `"image":"shop/api:1.4.2","readinessProbe":{"tcpSocket":{"port":8080}}`, 1),
				Config: container("\n        readinessProbe:\n          httpGet: {port: 8080, path: /ready}"), Args: "--server-side"},
			[]string{"apply once without --server-side"}},
		{"a Service that selects nothing any more", "service-loses-pods",
			lint.Example{Applied: deployment("") + "---\n" + service("{app: api}"), Config: deployment("") + "---\n" + service("{app: null}")},
			[]string{"selects none of the pods"}},
		{"the pods of a Service keep their labels, as the Deployment is rejected", "service-loses-pods",
			lint.Example{Applied: deployment("") + "---\n" + service("{app: api}"), Config: strings.ReplaceAll(deployment("")+"---\n"+service("{app: api}"), "app: api", "app: web")},
			[]string{"it is rejected, so they keep their labels"}},
		{"the address that the author wrote", "immutable-field-change",
			lint.Example{Live: externalIPs, Config: balanced("LoadBalancer", "\n  clusterIP: 10.0.0.8")},
			[]string{"spec.clusterIP cannot be changed"}},
		{"a config that is too large for the annotation", "last-applied-too-large",
			lint.Example{Config: annotatedWith("a: b", 262000)},
			[]string{"the config is too large for the last-applied annotation"}},
		{"a config that just fits", "last-applied-too-large", lint.Example{Config: annotatedWith("a: b", 261000)}, nil},
		{"annotations that just fit without it", "last-applied-too-large",
			lint.Example{Config: annotatedWith("a: "+strings.Repeat("x", 262143), 1)},
			[]string{"the config is too large for the last-applied annotation"}},
		{"annotations that are too large without it", "last-applied-too-large", lint.Example{Config: annotatedWith("a: "+strings.Repeat("x", 262144), 1)}, nil},
		{"a pasted annotation does not count", "last-applied-too-large",
			lint.Example{Config: annotatedWith(merge.LastAppliedKey+": "+strings.Repeat("x", 262144), 262000)},
			[]string{"the config is too large for the last-applied annotation", "kubectl's own annotation"}},
	} {
		t.Run(strings.ReplaceAll(s.slug, " ", "-"), func(t *testing.T) {
			found := of(rule[s.rule], lintExample(t, s.example, "")).Findings
			for i, f := range found {
				text := strings.Join(append(f.Notes, f.Message, f.Live, f.Fix), "\n")
				if i >= len(s.want) || !strings.Contains(text, s.want[i]) {
					t.Errorf("not expected:\n%s", text)
				}
			}
			if len(found) < len(s.want) {
				t.Errorf("%d findings, want %q", len(found), s.want)
			}
		})
	}
}

// annotatedWith is a ConfigMap with an annotation and so many bytes of data.
func annotatedWith(annotation string, size int) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: board, namespace: shop, annotations: {" + annotation + "}}\ndata: {a: " + strings.Repeat("x", size) + "}\n"
}

func daemonSet(spec string) string {
	return strings.Replace(deployment(spec), "kind: Deployment", "kind: DaemonSet", 1)
}

// clientSide is the Deployment of the examples, applied client-side by kubectl
// with minReadySeconds.
var clientSide = strings.NewReplacer(
	"spec:\n  progress", `  managedFields:
  - manager: kubectl-client-side-apply
    operation: Update
    apiVersion: apps/v1
    time: "2026-01-01T00:00:00Z"
    fieldsType: FieldsV1
    fieldsV1: {"f:metadata": {"f:annotations": {".": {}, "f:kubectl.kubernetes.io/last-applied-configuration": {}}}, "f:spec": {"f:minReadySeconds": {}, "f:selector": {}, "f:template": {"f:metadata": {"f:labels": {"f:app": {}}}, "f:spec": {"f:containers": {'k:{"name":"api"}': {".": {}, "f:name": {}, "f:image": {}}}}}}}
spec:
  minReadySeconds: 20
  progress`,
	`"spec":{"replicas":1`, `"spec":{"minReadySeconds":20`,
).Replace(appliedAs(1, "replicas: 1"))
