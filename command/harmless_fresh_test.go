package command

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

// teamFiles are of a repository with custom resources and dashboards beside the tidy manifests.
var teamFiles = files{
	"crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1, description: how large}
              color: {type: string, enum: [red, blue]}
`,
	"widget.yaml":    "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n  namespace: shop\nspec: {size: 3, color: red}\n",
	"grafana.yaml":   strings.Replace(app("grafana"), "env: [", "env: [{name: LABEL, value: grafana_dashboard}, {name: FOLDER, value: /tmp/dashboards}, ", 1),
	"dashboard.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: board, namespace: shop, labels: {grafana_dashboard: \"1\"}}\ndata: {shop.json: '{\"title\": \"shop\"}'}\n",
}

// freshChanges are harmless ones in the repository of richManifests, by the author of freshHidings.
var freshChanges = slices.Concat(
	edits("api.yaml",
		"default of an init container", "image: registry.example.com/migrate:1.0.0", "image: registry.example.com/migrate:1.0.0\n        imagePullPolicy: IfNotPresent",
		"protocol of a port", "containerPort: 8080}", "containerPort: 8080, protocol: TCP}",
		"mount of a mount", "{name: tmp, mountPath: /tmp}]", "{name: tmp, mountPath: /tmp}, {name: tmp, mountPath: /var/cache, subPath: cache}]",
		"read-only mount", "{name: files, mountPath: /etc/api}", "{name: files, mountPath: /etc/api, readOnly: true}",
		"limit of a directory", "{name: tmp, emptyDir: {}}", "{name: tmp, emptyDir: {sizeLimit: 1Gi}}",
		"mode of files", "configMap: {name: files}", "configMap: {name: files, defaultMode: 420}",
		"pod's address", "{name: MODE, value: prod}", "{name: MODE, value: prod}\n        - {name: IP, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: status.podIP}}}",
		"commit as a label", "labels: {app: api}\nspec", "labels: {app: api, app.kubernetes.io/part-of: shop, app.kubernetes.io/managed-by: kustomize}\nspec",
		"surge of two", "{maxUnavailable: 1, maxSurge: 1}", "{maxUnavailable: 1, maxSurge: 2}",
		"startup of long", inAPI, inAPI+"        startupProbe: {tcpSocket: {port: 8080}, failureThreshold: 60}\n",
		"log of a level", "args: [serve]", "args: [serve, --log-format=json]",
		"documentation", "  namespace: shop\n  labels", "  namespace: shop\n  # owned by the shop team\n  labels",
	),
	edits("front.yaml",
		"surge as it rounds", "  replicas: 2\n", "  replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 1}}\n",
		"nothing unavailable as it rounds", "  replicas: 2\n", "  replicas: 2\n  strategy: {rollingUpdate: {maxUnavailable: 0}}\n",
		"30 percent as it rounds", "  replicas: 2\n", "  replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 30%, maxUnavailable: 20%}}\n",
		"three with surge", "  replicas: 2\n", "  replicas: 3\n  strategy: {type: RollingUpdate}\n",
		"image with a build", "front:1.0.0", "front:1.0.0-build.7",
	),
	edits("base.yaml",
		"label of a Namespace", "enforce: restricted}", "enforce: restricted, team: shop}",
		"two labels of a Namespace", "enforce: restricted}", "enforce: restricted, team: shop, app.kubernetes.io/part-of: shop}",
		"version of Pod Security's warnings", "enforce: restricted}", "enforce: restricted, pod-security.kubernetes.io/warn: restricted, pod-security.kubernetes.io/warn-version: latest}",
		"label of a StorageClass", "{name: standard, annotations", "{name: standard, labels: {team: shop}, annotations",
		"label of an IngressClass", "{name: nginx}", "{name: nginx, labels: {team: shop}}",
	),
	edits("policy.yaml",
		"default policies of the autoscaler", "  maxReplicas: 6\n", "  maxReplicas: 6\n  behavior: {scaleDown: {selectPolicy: Max}}\n",
		"name of a metric", "averageUtilization: 70", "averageUtilization: 65",
	),
	edits("nightly.yaml",
		"default history", "  concurrencyPolicy: Forbid\n", "  concurrencyPolicy: Forbid\n  successfulJobsHistoryLimit: 3\n  failedJobsHistoryLimit: 1\n",
		"more memory for the night", "limits: {memory: 32Mi}", "limits: {memory: 128Mi}",
	),
	edits("db.yaml", "label of the pods of a StatefulSet", "metadata: {labels: {app: db}}", "metadata: {labels: {app: db, team: data}}"),
	edits("services.yaml", "path of metrics", "name: front\n", "name: front\n  annotations: {prometheus.io/path: /metrics}\n"),
	[]harmlessChange{
		reformatting("indentation", "services.yaml", func(s string) string {
			return strings.ReplaceAll(s, "  ports:\n  - {name: http", "  ports:\n    - {name: http")
		}),
		reformatting("end of a line", "api.yaml", func(s string) string { return strings.ReplaceAll(s, "spec:\n", "spec: # see the guide\n") }),
		{"one file", func(f files, dir string) {
			f[dir+"/services.yaml"] += "---\n" + f[dir+"/rights.yaml"]
			delete(f, dir+"/rights.yaml")
		}},
		besides("mkdocs.yml", "site_name: shop\n"), besides(".pre-commit-config.yaml", "repos: []\n"), besides("docker-compose.yml", "services: {a: {image: x}}\n"), besides("Taskfile.yml", "version: '3'\n"),
		besides(".yamllint.yaml", "extends: default\n"), besides(".github/ISSUE_TEMPLATE/bug.yaml", "name: bug\nbody: []\n"), besides("openapi.yaml", "openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths: {}\n"), besides("src/config/app.yaml", "port: 8080\n"),
		adding("queue.yaml", "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: db, namespace: shop}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: db}}}\n"),
	},
)

// teamChanges are harmless ones in the repository of teamFiles.
var teamChanges = slices.Concat(
	edits("crd.yaml",
		"optional field", "color: {type: string", "note: {type: string}\n              color: {type: string",
		"optional field with a default", "color: {type: string", "note: {type: string, default: none}\n              color: {type: string",
		"optional object", "color: {type: string", "more: {type: object, properties: {a: {type: string}}}\n              color: {type: string",
		"description", "description: how large", "description: how large it is",
		"one more value", "enum: [red, blue]", "enum: [red, blue, green]",
		"column", "    schema:\n", "    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]\n    schema:\n",
		"short name", "listKind: WidgetList", "listKind: WidgetList, shortNames: [wd]",
		"label of a definition", "{name: widgets.example.com}", "{name: widgets.example.com, labels: {team: shop}}",
	),
	edits("widget.yaml",
		"label of a custom resource", "  namespace: shop\n", "  namespace: shop\n  labels: {team: shop}\n",
		"two labels of a custom resource", "  namespace: shop\n", "  namespace: shop\n  labels: {team: shop, app.kubernetes.io/part-of: shop}\n",
	),
	edits("dashboard.yaml", "title of a dashboard", "\"shop\"}", "\"the shop\"}", "dashboard more", "\ndata: {", "\ndata: {more.json: '{}', "),
	edits("namespace.yaml", "label of a Namespace", "enforce: restricted", "enforce: restricted, team: shop"),
)

// partsFine are harmless ones in the repository of partsFiles.
var partsFine = slices.Concat(
	edits("../parts/kustomization.yaml", "tag of a component", "newTag: 1.0.0", "newTag: 1.0.1", "more of a component", "count: 3", "count: 4"),
	edits("kustomization.yaml",
		"header", "resources:", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:",
		"order of resources", "[web.yaml, service.yaml, namespace.yaml]", "[namespace.yaml, service.yaml, web.yaml]",
		"patch in place", "- path: patch.txt\n", "- patch: '"+strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(partsFiles["k/patch.txt"]), "\n", ", "), "apiVersion", "{apiVersion")+"}'\n",
		"label by the kustomization", "components:", "labels: [{pairs: {part: shop}}]\ncomponents:",
		"value of a generator more", "literals: [a=b]", "literals: [a=b, c=d]",
		"comment", "patches:\n", "# confined\npatches:\n",
	),
	[]harmlessChange{
		{"kustomization.yml", func(f files, dir string) {
			f["k/kustomization.yml"] = f["k/kustomization.yaml"]
			delete(f, "k/kustomization.yaml")
		}},
		{"patch renamed", func(f files, dir string) {
			f["k/patches/pods.yaml"] = f["k/patch.txt"]
			delete(f, "k/patch.txt")
			f["k/kustomization.yaml"] = strings.Replace(f["k/kustomization.yaml"], "patch.txt", "patches/pods.yaml", 1)
		}},
		{"component moved", func(f files, dir string) {
			f["components/image/kustomization.yaml"] = f["parts/kustomization.yaml"]
			delete(f, "parts/kustomization.yaml")
			f["k/kustomization.yaml"] = strings.Replace(f["k/kustomization.yaml"], "../parts", "../components/image", 1)
		}},
		{"base of its own", func(f files, dir string) {
			for _, name := range []string{"web.yaml", "service.yaml", "namespace.yaml"} {
				f["base/"+name] = f["k/"+name]
				delete(f, "k/"+name)
			}
			f["base/kustomization.yaml"] = "resources: [web.yaml, service.yaml, namespace.yaml]\n"
			f["k/kustomization.yaml"] = strings.Replace(f["k/kustomization.yaml"], "[web.yaml, service.yaml, namespace.yaml]", "[../base]", 1)
		}},
		{"readme of a component", func(f files, dir string) { f["parts/README.md"] = "# parts\n" }},
	},
)

// askedFresh are those of teamChanges and partsFine that the guard asks about for a reason, by name.
var askedFresh = map[string]string{
	"optional field with a default": "objects that are there get the value",
	"one more value":                "a program may not know the value",
	"value of a generator more":     "the ConfigMap of the old name stays in the cluster",
}

// TestHarmlessParts: of what changes in the parts of a kustomization, and in custom resources and what
// programs collect, the harmless is allowed, and the harmful never.
func TestHarmlessParts(t *testing.T) {
	breadth.Long(t)
	team := &hiddenBase{name: "team", dir: "deploy", flags: []string{"--trust", "git:main"}, files: files{".threeway.yaml": linkedSettings}}
	for _, all := range []files{tidyManifests, teamFiles} {
		for name, text := range all {
			team.files[path.Join(team.dir, name)] = text
		}
	}
	parts := &hiddenBase{name: "parts", dir: "k", flags: team.flags, files: maps.Clone(partsFiles)}
	root := t.TempDir()
	team.commit(t, root, nil, "-R", "-f", team.dir)
	parts.commit(t, root, nil, "-k", parts.dir)
	for _, of := range []struct {
		*hiddenBase
		changes []harmlessChange
		harm    bool
	}{{team, teamChanges, false}, {parts, partsFine, false}, {parts, partsChanges, true}} {
		allowed := 0
		for i, c := range of.changes {
			if !breadth.Has(i, 5) {
				continue
			}
			t.Run(of.name+"/"+c.name, func(t *testing.T) {
				f := maps.Clone(of.files)
				c.change(f, of.dir)
				of.copied(t, f, nil)
				said, code := answered("guard", of.flags...)
				if code == 0 {
					allowed++
				}
				if (code == 0) != (!of.harm && askedFresh[c.name] == "") {
					t.Error(said)
				}
			})
		}
		t.Logf("%s: %d of %d are allowed, harmful: %t", of.name, allowed, len(of.changes), of.harm)
	}
}
