package command

import (
	"path"
	"strings"
)

// inOne are hidings where the settings name one kustomization alone: k.
func inOne(name string, change func(f files, h harm)) hiding {
	h := overlaid(name, change)
	h.bases = "one"
	return h
}

// unnamedIn puts the harm into a file of k that its kustomization does not name.
func unnamedIn(file string) hiding {
	return inOne("unnamed "+file, func(f files, h harm) {
		f[path.Join("k", file)] = h.text
	})
}

const ofOne, component = "k/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"

// withPart adds the harm in a file of a directory to its kustomization.
func withPart(f files, dir, file, before string, h harm) {
	f[dir+"/kustomization.yaml"] = more(before, part(f, dir, file, h))
}

var kustomizeHidings = []hiding{
	unnamedIn("x.yaml"), unnamedIn("x.json"), unnamedIn("new/x.yaml"), unnamedIn("sub/x.yaml"), unnamedIn(".x.yaml"), unnamedIn("vendor/x.yaml"), unnamedIn("x.yaml/x.yaml"), unnamedIn("a/kustomization.yml/x.yaml"), unnamedIn("x.yml"), unnamedIn(".git-x/x.yaml"),
	inOne("a kustomization below", func(f files, h harm) { withPart(f, "k/new", "x.yaml", "resources: []\n", h) }),
	inOne("its other name", func(f files, h harm) {
		f["k/kustomization.yml"] = more(oneKustomization, part(f, "k", "x.yaml", h))
		delete(f, ofOne)
	}),
	inOne("its second name", func(f files, h harm) { f["k/Kustomization"] = more(oneKustomization, part(f, "k", "x.yaml", h)) }),
	inOne("becomes a component", func(f files, h harm) { f[ofOne] = component + more(oneKustomization, part(f, "k", "x.yaml", h)) }),
	inOne("becomes a file", func(f files, h harm) {
		for name := range f {
			if strings.HasPrefix(name, "k/") {
				delete(f, name)
			}
		}
		f["k"] = h.text
	}),
	inOne("becomes a link", func(f files, h harm) {
		for name, text := range f {
			if rest, ok := strings.CutPrefix(name, "k/"); ok {
				delete(f, name)
				f["real/"+rest] = text
			}
		}
		f["k"] = linkTo + "real"
		f["real/kustomization.yaml"] = more(oneKustomization, part(f, "real", "x.yaml", h))
	}),
	inOne("empty", func(f files, h harm) { f[ofOne] = "" }), inOne("null", func(f files, h harm) { f[ofOne] = "null\n" }), inOne("resources twice", func(f files, h harm) { f[ofOne] = oneKustomization + "resources: [service.yaml]\n" }),
	inOne("no resources", func(f files, h harm) { f[ofOne] = "resources: []\n" }), inOne("fewer resources", func(f files, h harm) { f[ofOne] = strings.Replace(oneKustomization, "web.yaml, ", "", 1) }),
	inOne("one resource in a comment", func(f files, h harm) { f[ofOne] = strings.Replace(oneKustomization, ", service.yaml", "] #", 1) }),
	inOne("two documents", func(f files, h harm) {
		f[ofOne] = oneKustomization + "---\n" + more("resources: [service.yaml]\n", part(f, "k", "x.yaml", h))
	}),
	inOne("as JSON", func(f files, h harm) { f[ofOne] = asJSON(more(oneKustomization, part(f, "k", "x.yaml", h))) }),
	inOne("by CR", func(f files, h harm) {
		f[ofOne] = strings.ReplaceAll(more(oneKustomization, part(f, "k", "x.yaml", h)), "\n", "\r")
	}),
	inOne("by an anchor", func(f files, h harm) {
		f[ofOne] = "x: &x " + strings.TrimPrefix(more(oneKustomization, part(f, "k", "x.yaml", h)), "resources: ") + "resources: *x\n"
	}),
	inOne("merge of keys", func(f files, h harm) {
		f[ofOne] = "<<: {" + strings.Replace(strings.TrimSpace(oneKustomization), "\n", ", ", -1) + "}\n" + "namePrefix: x-\n"
	}),
	inOne("old bases", func(f files, h harm) {
		withPart(f, "other", "x.yaml", "resources: []\n", h)
		f[ofOne] = oneKustomization + "bases: [../other]\n"
	}),
	inOne("other key", func(f files, h harm) {
		part(f, "k", "x.yaml", h)
		f[ofOne] = oneKustomization + "Resources: [x.yaml]\n"
	}),
	inOne("resource by a path around", func(f files, h harm) {
		part(f, "k", "x.yaml", h)
		f[ofOne] = more(oneKustomization, "resources: [../k/x.yaml]\n")
	}),
	inOne("resource of a fragment", func(f files, h harm) {
		part(f, "k", "x.yaml?ref=main", h)
		f[ofOne] = more(oneKustomization, "resources: ['x.yaml?ref=main']\n")
	}),
	inOne("resource on a host", func(f files, h harm) { f[ofOne] = more(oneKustomization, "resources: ['github.com/a/b//k?ref=v1']\n") }),
	inOne("resource by file://", func(f files, h harm) { f[ofOne] = more(oneKustomization, "resources: ['file:///etc/x.yaml']\n") }),
	inOne("resource out", func(f files, h harm) { f[ofOne] = more(oneKustomization, "resources: [/etc/hostname]\n") }),
	inOne("component of a host", func(f files, h harm) { f[ofOne] = oneKustomization + "components: ['https://example.com/x']\n" }),
	inOne("component for its own", func(f files, h harm) {
		f[ofOne] = oneKustomization + "components: [parts]\n"
		f["k/parts/kustomization.yaml"] = component + part(f, "k/parts", "x.yaml", h)
	}),
	inOne("component with a generator", func(f files, h harm) {
		f[ofOne] = oneKustomization + "components: [parts]\n"
		f["k/parts/kustomization.yaml"] = component + "secretGenerator: [{name: db, namespace: shop, behavior: merge, options: {disableNameSuffixHash: true}, literals: [password=intruder4intruder4]}]\n"
	}),
	inOne("component with a replacement", func(f files, h harm) {
		f[ofOne] = oneKustomization + "components: [parts]\n"
		f["k/parts/kustomization.yaml"] = component + "replacements: [{path: r.yaml}]\n"
		f["k/parts/r.yaml"] = "source: {kind: ConfigMap, name: cfg, fieldPath: data.a}\ntargets: [{select: {kind: Deployment}, fieldPaths: ['spec.template.spec.containers.[name=web].image']}]\n"
	}),
	inOne("replacement of a part", func(f files, h harm) {
		f[ofOne] = oneKustomization + "replacements:\n- source: {kind: ConfigMap, name: cfg, fieldPath: data.a}\n  targets: [{select: {kind: Deployment}, fieldPaths: ['spec.template.spec.containers.0.image'], options: {delimiter: '/', index: 0}}]\n"
	}),
	inOne("replacement that makes fields", func(f files, h harm) {
		f[ofOne] = oneKustomization + "replacements:\n- source: {kind: Namespace, name: shop, fieldPath: metadata.name}\n  targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.spec.serviceAccountName], options: {create: true}}]\n"
	}),
	inOne("generator of files", func(f files, h harm) {
		f["k/mapUsers"] = "[{userarn: x, groups: [system:masters]}]"
		f[ofOne] = oneKustomization + "configMapGenerator: [{name: aws-auth, namespace: kube-system, behavior: merge, options: {disableNameSuffixHash: true}, files: [mapUsers]}]\n"
	}),
	inOne("generator of envs", func(f files, h harm) {
		f["k/x.env"] = "password=intruder4intruder4\n"
		f[ofOne] = oneKustomization + "secretGenerator: [{name: db, namespace: shop, behavior: replace, options: {disableNameSuffixHash: true}, envs: [x.env]}]\n"
	}),
	inOne("generator of a type", func(f files, h harm) {
		f[ofOne] = oneKustomization + "secretGenerator: [{name: t, namespace: kube-system, type: kubernetes.io/service-account-token, options: {disableNameSuffixHash: true, annotations: {kubernetes.io/service-account.name: x}}}]\n"
	}),
	inOne("generator in a file", func(f files, h harm) {
		f[ofOne] = oneKustomization + "generators: [g.yaml]\n"
		f["k/g.yaml"] = "apiVersion: builtin\nkind: SecretGenerator\nmetadata: {name: db, namespace: shop}\nbehavior: replace\noptions: {disableNameSuffixHash: true}\nliterals: [password=intruder4intruder4]\n"
	}),
	inOne("options of generators", func(f files, h harm) {
		f[ofOne] = oneKustomization + "generatorOptions: {immutable: true}\nconfigMapGenerator: [{name: cfg, namespace: shop, behavior: replace, options: {disableNameSuffixHash: true}, literals: [a=c]}]\n"
	}),
	inOne("patch in place", func(f files, h harm) {
		f[ofOne] = oneKustomization + "patchesStrategicMerge:\n- |\n  {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, $patch: delete}\n"
	}),
	inOne("patch of all", func(f files, h harm) {
		f[ofOne] = oneKustomization + "patches: [{target: {name: '.*', kind: Deploy.*}, patch: '[{op: add, path: /spec/template/spec/hostNetwork, value: true}]'}]\n"
	}),
	inOne("patch by a label", func(f files, h harm) {
		f[ofOne] = oneKustomization + "patches: [{target: {labelSelector: app=web}, patch: '[{op: remove, path: /spec/template/spec/securityContext}]'}]\n"
	}),
	inOne("patch in JSON of a file", func(f files, h harm) {
		f["k/p.json"] = `[{"op":"replace","path":"/stringData/password","value":"intruder4intruder4"}]`
		f[ofOne] = oneKustomization + "patches: [{path: p.json, target: {kind: Secret}}]\n"
	}),
	inOne("patch of the kind", func(f files, h harm) {
		f["k/y.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\nsubjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: 'system:authenticated'}]\n"
		f[ofOne] = more(oneKustomization, "resources: [y.yaml]\n") + "patches: [{target: {name: y}, options: {allowKindChange: true}, patch: '[{op: replace, path: /kind, value: ClusterRoleBinding}, {op: replace, path: /apiVersion, value: rbac.authorization.k8s.io/v1}]'}]\n"
	}),
	inOne("image of a digest", func(f files, h harm) {
		f[ofOne] = oneKustomization + "images: [{name: registry.example.com/web, newName: evil.example.net/web, digest: 'sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393'}]\n"
	}),
	inOne("image by a transformer", func(f files, h harm) {
		f[ofOne] = oneKustomization + "transformers:\n- |\n  {apiVersion: builtin, kind: ImageTagTransformer, metadata: {name: t}, imageTag: {name: registry.example.com/web, newName: evil.example.net/web}}\n"
	}),
	inOne("patch by a transformer", func(f files, h harm) {
		f[ofOne] = oneKustomization + "transformers:\n- |\n  {apiVersion: builtin, kind: PatchTransformer, metadata: {name: t}, target: {kind: Deployment}, patch: '[{op: replace, path: /spec/replicas, value: 0}]'}\n"
	}),
	inOne("labels of selectors", func(f files, h harm) { f[ofOne] = oneKustomization + "commonLabels: {app: other}\n" }),
	inOne("labels with selectors", func(f files, h harm) {
		f[ofOne] = oneKustomization + "labels: [{pairs: {a: b}, includeSelectors: true}]\n"
	}),
	inOne("annotations", func(f files, h harm) {
		f[ofOne] = oneKustomization + "commonAnnotations: {service.beta.kubernetes.io/aws-load-balancer-internal: 'false'}\n"
	}),
	inOne("suffix", func(f files, h harm) { f[ofOne] = oneKustomization + "nameSuffix: -x\n" }),
	inOne("namespace", func(f files, h harm) { f[ofOne] = oneKustomization + "namespace: kube-system\n" }),
	inOne("configurations", func(f files, h harm) {
		f[ofOne] = oneKustomization + "namePrefix: x-\nconfigurations: [c.yaml]\n"
		f["k/c.yaml"] = "namePrefix: [{path: metadata/name, kind: Secret}]\n"
	}),
	inOne("openapi", func(f files, h harm) {
		f[ofOne] = more(oneKustomization, part(f, "k", "x.yaml", h)) + "openapi: {path: s.json}\n"
		f["k/s.json"] = "{}\n"
	}),
	inOne("validators", func(f files, h harm) {
		f[ofOne] = oneKustomization + "validators: [v.yaml]\n"
		f["k/v.yaml"] = "apiVersion: x/v1\nkind: V\nmetadata: {name: v, annotations: {config.kubernetes.io/function: 'container: {image: x}'}}\n"
	}),
	inOne("Helm", func(f files, h harm) { f[ofOne] = oneKustomization + "helmChartInflationGenerator: [{chartName: x}]\n" }),
	inOne("Helm of the directory", func(f files, h harm) {
		f[ofOne] = oneKustomization + "helmGlobals: {chartHome: charts}\nhelmCharts: [{name: x}]\n"
		f["k/charts/x/Chart.yaml"] = "apiVersion: v2\nname: x\nversion: 1.0.0\n"
	}),
	inOne("order", func(f files, h harm) {
		f[ofOne] = more(oneKustomization, part(f, "k", "x.yaml", h)) + "sortOptions: {order: fifo}\n"
	}),
	inOne("origins", func(f files, h harm) {
		f[ofOne] = more(oneKustomization, part(f, "k", "x.yaml", h)) + "buildMetadata: [originAnnotations, managedByLabel]\n"
	}),
	inOne("config.kubernetes.io/index", func(f files, h harm) {
		f["k/web.yaml"] = withMetadata(tidyWorkload, "annotations: {config.kubernetes.io/local-config: 'true', config.kubernetes.io/index: '0'}")
	}),
	inOne("many levels", func(f files, h harm) {
		last := "k"
		for _, dir := range strings.Split("a b c d e f g h i j", " ") {
			f[last+"/kustomization.yaml"] = more(orText(f[last+"/kustomization.yaml"], "resources: []\n"), "resources: [../"+dir+"]\n")
			last = dir
		}
		withPart(f, last, "x.yaml", "resources: []\n", h)
		f[last+"/kustomization.yaml"] = strings.Replace(f[last+"/kustomization.yaml"], "[, ", "[", 1)
	}),
	inOne("no settings", func(f files, h harm) {
		f[ofOne] = more(oneKustomization, part(f, "k", "x.yaml", h))
		delete(f, ".threeway.yaml")
	}),
	inOne("link of a resource", func(f files, h harm) {
		f["docs/x"] = orText(map[bool]string{true: ""}[h.deletes], h.text)
		f["k/web.yaml"] = linkTo + "../docs/x"
	}),
	inOne("link of the kustomization", func(f files, h harm) {
		f["docs/x"] = more(oneKustomization, part(f, "k", "x.yaml", h))
		f[ofOne] = linkTo + "../docs/x"
	}),
	inOne("generator of a link out", func(f files, h harm) {
		f["k/x"] = linkTo + "/etc/hostname"
		f[ofOne] = oneKustomization + "configMapGenerator: [{name: x, namespace: shop, files: [x]}]\n"
	}),
	inOne("doubling", func(f files, h harm) {
		f["l0/kustomization.yaml"] = more("resources: []\n", part(f, "l0", "x.yaml", h))
		for i := 1; i < 14; i++ {
			a, b := "abcdefghijklmn"[i-1:i], "abcdefghijklmn"[i:i+1]
			_ = a
			for _, side := range []string{"x", "y"} {
				f["l"+b+side+"/kustomization.yaml"] = map[bool]string{true: "resources: [../l0]\n", false: "resources: [../l" + a + "x, ../l" + a + "y]\n"}[i == 1] + "namePrefix: " + side + "-\n"
			}
		}
		f[ofOne] = more(oneKustomization, "resources: [../lnx, ../lny]\n")
	}),
}

// mixedHidings are where the settings name manifests and a kustomization.
var mixedHidings = []hiding{
	{name: "from one to the other", beside: true, bases: "mixed", hide: func(f files, dir string, h harm) {
		f["k/kustomization.yaml"] = more("resources: [cfg.yaml]\n", "resources: [x.yaml]\n")
		f["k/x.yaml"] = h.text
		if text, ok := tidyManifests[h.file]; ok && h.deletes {
			delete(f, dir+"/"+h.file)
			f["k/x.yaml"] = strings.Replace(text, "name: web", "name: web2", 1)
		} else if ok {
			f[dir+"/"+h.file] = text
		}
	}},
	{name: "unnamed in the kustomization", isUnread: true, bases: "mixed", hide: func(f files, dir string, h harm) { f["k/x.yaml"] = h.text }},
	{name: "kustomization in the directory", beside: true, bases: "mixed", hide: func(f files, dir string, h harm) {
		staysThere(f, dir, h)
		f[dir+"/kustomization.yaml"] = "resources: [service.yaml]\n"
	}},
	{name: "the directory is named by the kustomization", beside: true, bases: "mixed", hide: func(f files, dir string, h harm) {
		staysThere(f, dir, h)
		f["k/kustomization.yaml"] = "resources: [cfg.yaml, ../deploy]\n"
		f[dir+"/kustomization.yaml"] = "resources: []\n"
	}},
	{name: "plain", beside: true, bases: "mixed", hide: staysThere},
	{name: "kustomization gone", beside: true, bases: "mixed", hide: func(f files, dir string, h harm) { staysThere(f, dir, h); delete(f, "k/kustomization.yaml") }},
	{name: "manifest to a file beside", isUnread: true, bases: "mixed", hide: func(f files, dir string, h harm) { f["k/web.yaml"] = h.text }},
	{name: "a kustomization in deploy/new", beside: true, bases: "mixed", hide: func(f files, dir string, h harm) {
		f[path.Join(dir, h.file)] = orText(tidyManifests[h.file], "")
		if f[path.Join(dir, h.file)] == "" {
			delete(f, path.Join(dir, h.file))
		}
		f["deploy/new/kustomization.yaml"] = more("resources: [../service.yaml]\n", part(f, "deploy/new", "x.yaml", h))
	}},
}
