package command

import (
	"maps"
	"path"
	"regexp"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

// harmlessChange is what nobody needs to be asked about, in a directory of manifests.
type harmlessChange struct {
	name   string
	change func(f files, dir string)
}

func replacing(name, file, was, is string) harmlessChange {
	return harmlessChange{name, func(f files, dir string) {
		if !strings.Contains(f[path.Join(dir, file)], was) {
			panic(name)
		}
		f[path.Join(dir, file)] = strings.Replace(f[path.Join(dir, file)], was, is, 1)
	}}
}

// adding adds a file, which a kustomization of the directory names.
func adding(file, text string) harmlessChange {
	return harmlessChange{"new " + file, func(f files, dir string) {
		f[path.Join(dir, file)] = text
		name := path.Join(dir, "kustomization.yaml")
		f[name] = strings.Replace(f[name], "]", ", "+file+"]", 1)
		if f[name] == "" {
			delete(f, name)
		}
	}}
}

func besides(file, text string) harmlessChange {
	return harmlessChange{file, func(f files, dir string) { f[file] = text }}
}

func reformatting(name, file string, change func(string) string) harmlessChange {
	return harmlessChange{name, func(f files, dir string) { f[path.Join(dir, file)] = change(f[path.Join(dir, file)]) }}
}

// app is another workload, which reads no Secret that is there before it.
func app(name string) string {
	return strings.Replace(regexp.MustCompile(`\bweb\b`).ReplaceAllString(tidyWorkload, name), ", {secretRef: {name: db}}", "", 1)
}

var harmlessChanges = []harmlessChange{
	replacing("tag", "web.yaml", "web:1.0.0", "web:1.0.1"), replacing("tag of a minor", "web.yaml", "web:1.0.0", "web:1.1.0"),
	replacing("digest", "web.yaml", "web:1.0.0", "web:1.0.0@sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"),
	replacing("variable", "web.yaml", "env: [", "env: [{name: COLOR, value: blue}, "), replacing("value", "web.yaml", "value: info", "value: debug"),
	replacing("two variables", "web.yaml", "env: [", "env: [{name: A, value: b}, {name: B, value: c}, "),
	replacing("label", "web.yaml", "labels: {app: web}\nspec", "labels: {app: web, team: shop}\nspec"),
	replacing("label of pods", "web.yaml", "metadata: {labels: {app: web}}", "metadata: {labels: {app: web, team: shop}}"),
	replacing("annotation", "web.yaml", "  name: web\n", "  name: web\n  annotations: {example.com/owner: shop}\n"),
	replacing("annotation of pods", "web.yaml", "metadata: {labels: {app: web}}", "metadata: {labels: {app: web}, annotations: {example.com/commit: abc}}"),

	replacing("the same memory", "web.yaml", "limits: {memory: 64Mi}", "limits: {memory: 65536Ki}"),
	replacing("more replicas", "web.yaml", "replicas: 3", "replicas: 4"),

	replacing("command", "web.yaml", "        env:", "        args: [--level, info]\n        env:"),
	replacing("working directory", "web.yaml", "        env:", "        workingDir: /srv\n        env:"),
	replacing("default written", "web.yaml", "        env:", "        imagePullPolicy: IfNotPresent\n        env:"),
	replacing("strategy written", "web.yaml", "  replicas: 3\n", "  replicas: 3\n  revisionHistoryLimit: 10\n"),
	replacing("history", "web.yaml", "  replicas: 3\n", "  replicas: 3\n  revisionHistoryLimit: 5\n"),

	replacing("more memory", "web.yaml", "limits: {memory: 64Mi}", "limits: {memory: 128Mi}"),
	replacing("time to stop", "web.yaml", "    spec:\n", "    spec:\n      terminationGracePeriodSeconds: 60\n"),
	replacing("sleep before it stops", "web.yaml", "        env:", "        lifecycle: {preStop: {sleep: {seconds: 5}}}\n        env:"),
	replacing("spread", "web.yaml", "    spec:\n", "    spec:\n      topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]\n"),
	replacing("preference", "web.yaml", "    spec:\n", "    spec:\n      affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}}]}}\n"),
	replacing("ready for a while", "web.yaml", "  replicas: 3\n", "  replicas: 3\n  minReadySeconds: 5\n"),
	replacing("fewer old revisions", "web.yaml", "  replicas: 3\n", "  replicas: 3\n  revisionHistoryLimit: 3\n"),
	replacing("all pods stay", "web.yaml", "  replicas: 3\n", "  replicas: 3\n  strategy: {rollingUpdate: {maxUnavailable: 0}}\n"),
	replacing("directory of its own", "web.yaml", "    spec:\n", "    spec:\n      volumes: [{name: tmp, emptyDir: {}}]\n"),
	replacing("description of a Namespace", "namespace.yaml", "  name: shop\n", "  name: shop\n  annotations: {kubernetes.io/description: shop}\n"),
	adding("budget.yaml", "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: shop}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}\n"),
	adding("claim.yaml", "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: cart, namespace: shop}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"),

	replacing("label of a Service", "service.yaml", "namespace: shop}", "namespace: shop, labels: {team: shop}}"),
	replacing("annotation of a Service", "service.yaml", "namespace: shop}", "namespace: shop, annotations: {example.com/owner: shop}}"),
	replacing("label of a ConfigMap", "sub/cfg.yaml", "namespace: shop}", "namespace: shop, labels: {team: shop}}"),
	replacing("annotation of a Secret", "sub/db.yaml", "namespace: shop}", "namespace: shop, annotations: {example.com/owner: shop}}"),

	replacing("annotation of a Namespace", "namespace.yaml", "  name: shop\n", "  name: shop\n  annotations: {example.com/owner: shop}\n"),
	reformatting("comment", "web.yaml", func(s string) string { return "# the shop\n" + s }),
	reformatting("comment at the end", "web.yaml", func(s string) string { return s + "# the end\n" }),
	reformatting("blank lines", "web.yaml", func(s string) string { return "\n\n" + strings.Replace(s, "spec:", "\nspec:", 1) }),
	reformatting("separator", "service.yaml", func(s string) string { return "---\n" + s }),
	reformatting("JSON", "service.yaml", asJSON), reformatting("JSON of a Deployment", "web.yaml", asJSON),
	reformatting("CRLF", "web.yaml", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }),
	reformatting("quotes", "web.yaml", func(s string) string { return strings.Replace(s, "name: web\n", "name: \"web\"\n", 1) }),
	reformatting("order of keys", "service.yaml", func(s string) string {
		return strings.Replace(s, "apiVersion: v1\nkind: Service\n", "", 1) + "kind: Service\napiVersion: v1\n"
	}),
	reformatting("anchor", "web.yaml", func(s string) string {
		return strings.Replace(strings.Replace(s, "labels: {app: web}", "labels: &l {app: web}", 1), "{labels: {app: web}}", "{labels: *l}", 1)
	}),
	besides("README.md", "# the shop\n"), besides("docs/a.md", "a\n"), besides("src/main.go", "package main\n"), besides("Makefile", "all:\n"), besides(".editorconfig", "root = true\n"),
	besides("docs/picture.png", "\x89PNG\r\n\x1a\n\x00"), besides(".github/workflows/test.yaml", "on: push\njobs: {a: {runs-on: x, steps: [{run: a}]}}\n"), besides("package.json", "{\"name\": \"a\"}\n"), besides("LICENSE", "MIT\n"),
	{"README.md beside", func(f files, dir string) { f[dir+"/README.md"] = "# the shop\n" }},
	{"LICENSE beside", func(f files, dir string) { f[dir+"/NOTICE"] = "a\n" }},
	{"moved", func(f files, dir string) {
		if dir == "base" {
			f["base/kustomization.yaml"] = strings.Replace(f["base/kustomization.yaml"], "service", "svc", 1)
		}
		f[dir+"/svc.yaml"] = f[dir+"/service.yaml"]
		delete(f, dir+"/service.yaml")
	}},
	{"joined", func(f files, dir string) {
		f[dir+"/web.yaml"] += "---\n" + f[dir+"/service.yaml"]
		delete(f, dir+"/service.yaml")
		if dir == "base" {
			f["base/kustomization.yaml"] = strings.Replace(f["base/kustomization.yaml"], " service.yaml,", "", 1)
		}
	}},
	adding("page.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: page, namespace: shop}\ndata: {a: b}\n"),
	adding("immutable.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: page, namespace: shop}\nimmutable: true\ndata: {a: b}\n"),
	adding("key.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: shop}\nstringData: {token: 0123456789abcdef}\n"),
	adding("app.yaml", app("cart")), adding("account.yaml", "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: cart, namespace: shop}\nautomountServiceAccountToken: false\n"),
	adding("cart.yaml", app("cart")+"---\n"+"apiVersion: v1\nkind: Service\nmetadata: {name: cart, namespace: shop}\nspec: {selector: {app: cart}, ports: [{name: http, port: 80, targetPort: http}]}\n"),

	// A second list, by kinds of edits.
	replacing("read-only root", "web.yaml", "allowPrivilegeEscalation: false", "allowPrivilegeEscalation: false, readOnlyRootFilesystem: true"),
	replacing("more CPU requested", "web.yaml", "cpu: 100m", "cpu: 150m"), replacing("more memory requested", "web.yaml", "memory: 64Mi}, limits: {memory: 64Mi}", "memory: 96Mi}, limits: {memory: 96Mi}"),
	replacing("port of metrics", "web.yaml", "containerPort: 8080}]", "containerPort: 8080}, {name: metrics, containerPort: 9090}]"),
	replacing("period of a probe", "web.yaml", "port: http}}", "port: http}, periodSeconds: 5}"), replacing("delay of a probe", "web.yaml", "port: http}}", "port: http}, initialDelaySeconds: 5}"),
	replacing("timeout of a probe", "web.yaml", "port: http}}", "port: http}, timeoutSeconds: 3}"),
	replacing("variable of a field", "web.yaml", "env: [", "env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, "),
	replacing("variable of a key", "web.yaml", "env: [", "env: [{name: A, valueFrom: {configMapKeyRef: {name: cfg, key: a}}}, "),
	replacing("variable less", "web.yaml", "{name: LEVEL, value: info}", ""), replacing("deadline", "web.yaml", "  replicas: 3\n", "  replicas: 3\n  progressDeadlineSeconds: 900\n"),
	replacing("no service links", "web.yaml", "    spec:\n", "    spec:\n      enableServiceLinks: false\n"),
	replacing("config as files", "web.yaml", "    spec:\n", "    spec:\n      volumes: [{name: cfg, configMap: {name: cfg}}]\n"),
	replacing("recommended labels", "web.yaml", "labels: {app: web}\nspec", "labels: {app: web, app.kubernetes.io/version: \"1.0\"}\nspec"),
	replacing("change cause", "web.yaml", "  name: web\n", "  name: web\n  annotations: {kubernetes.io/change-cause: bump}\n"),
	replacing("defaults of a Service", "service.yaml", "spec:\n", "spec:\n  internalTrafficPolicy: Cluster\n  sessionAffinity: None\n  type: ClusterIP\n"),
	replacing("Secret in base64", "sub/db.yaml", "stringData: {password: hunter2hunter2}", "data: {password: aHVudGVyMmh1bnRlcjI=}"),
	adding("nightly.yaml", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly, namespace: shop}\nspec: {schedule: \"0 3 * * *\", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, automountServiceAccountToken: false, securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}, containers: [{name: a, image: \"registry.example.com/a:1.0.0\", securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}, resources: {limits: {memory: 64Mi, cpu: 100m}}}]}}}}}\n"),
	adding("headless.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web-headless, namespace: shop}\nspec: {clusterIP: None, selector: {app: web}, ports: [{name: http, port: 80, targetPort: http}]}\n"),
}

// TestHarmless: of what nobody needs to be asked about, nine of ten are allowed.
func TestHarmless(t *testing.T) {
	breadth.Long(t)
	number, allowed := 0, 0
	for _, b := range hiddenBases(t) {
		if b.name == "one" || b.name == "mixed" {
			continue
		}
		for i, c := range harmlessChanges {
			if !breadth.Has(i, 11) {
				continue
			}
			t.Run(b.name+"/"+c.name, func(t *testing.T) {
				f := maps.Clone(b.files)
				c.change(f, b.dir)
				b.copied(t, f, nil)
				number++
				said, code := answered("guard", b.flags...)
				if code == 0 {
					allowed++
				}
				// A controller that the snapshot does not show may read any annotation.
				if unsure := strings.HasPrefix(c.name, "annotation") && c.name != "annotation of pods"; (code == 0) == unsure {
					t.Error(said)
				}
			})
		}
	}
	t.Logf("%d of %d are allowed", allowed, number)
	if breadth.All() && !breadth.Partly() && allowed*10 < number*9 {
		t.Error("fewer than nine of ten")
	}
}
