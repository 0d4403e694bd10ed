package command

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures/breadth"
)

// overlaid are hidings in the overlay prod, whose base stays as it is.
func overlaid(name string, change func(f files, h harm)) hiding {
	return hiding{name: name, beside: true, bases: "overlays", hide: func(f files, dir string, h harm) {
		if text, ok := tidyManifests[h.file]; ok {
			f[path.Join(dir, h.file)] = text
		}
		change(f, h)
	}}
}

// part is what a kustomization says that has the harm in a file: a resource or a patch.
func part(f files, dir, file string, h harm) string {
	f[path.Join(dir, file)] = h.text
	switch {
	case h.isNew:
		return "resources: [" + file + "]\n"
	case h.deletes:
		f[path.Join(dir, file)] = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n$patch: delete\n"
	}
	return "patches: [{path: " + file + "}]\n"
}

const prod, overBase = "overlays/prod/kustomization.yaml", "resources: [../../base]\n"

// more joins two kustomizations.
func more(a, b string) string {
	if rest, ok := strings.CutPrefix(b, "resources: ["); ok {
		return strings.Replace(a, "]", ", "+strings.TrimSuffix(rest, "\n"), 1) + "\n"
	}
	return a + b
}

func in(file string) hiding {
	return overlaid("overlay "+file, func(f files, h harm) { f[prod] = more(overBase, part(f, "overlays/prod", file, h)) })
}

var overlayHidings = []hiding{
	// Argo CD's generator of directories applies it: the pattern of the settings has it, too.
	overlaid("plain directory beside overlays", func(f files, h harm) { f["overlays/new/x.yaml"] = h.text }),
	in("x.yaml"), in("x.txt"), in("x"), in(".x"), in("a/b/x.YAML"), in("x.json.yaml"), in("../dev/x.yaml"), in("../../README.md"), in("snapshot.yaml"), in("vendor/x.yaml"),
	overlaid("base", func(f files, h harm) {
		if delete(f, "base/"+h.file); !h.deletes {
			f["base/"+h.file] = h.text
		} else {
			f["base/kustomization.yaml"] = strings.Replace(f["base/kustomization.yaml"], "web.yaml, ", "", 1)
		}
		if h.isNew {
			f["base/kustomization.yaml"] = strings.Replace(f["base/kustomization.yaml"], "web.yaml", "web.yaml, "+h.file, 1)
		}
	}),
	overlaid("component", func(f files, h harm) {
		f[prod] = overBase + "components: [../../parts]\n"
		f["parts/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + part(f, "parts", "x.yaml", h)
	}),
	overlaid("component of a component", func(f files, h harm) {
		f[prod] = overBase + "components: [../../parts]\n"
		f["parts/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncomponents: [more]\n"
		f["parts/more/kustomization.yaml"] = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" + part(f, "parts/more", "x.yaml", h)
	}),
	overlaid("between", func(f files, h harm) {
		f[prod] = "resources: [../../between]\n"
		f["between/kustomization.yaml"] = more("resources: [../base]\n", part(f, "between", "x.yaml", h))
	}),
	overlaid("kustomization.yml", func(f files, h harm) {
		f["overlays/prod/kustomization.yml"] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		delete(f, prod)
	}),
	overlaid("Kustomization", func(f files, h harm) {
		f["overlays/prod/Kustomization"] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		delete(f, prod)
	}),
	overlaid("two kustomizations", func(f files, h harm) {
		f["overlays/prod/Kustomization"] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
	}),
	overlaid("dev alone", func(f files, h harm) {
		f["overlays/dev/kustomization.yaml"] = more(overBase, part(f, "overlays/dev", "x.yaml", h))
	}),
	overlaid("a new overlay", func(f files, h harm) {
		if h.deletes { // what others have stays
			delete(f, prod)
		}
		f["overlays/new/kustomization.yaml"] = more(overBase, part(f, "overlays/new", "x.yaml", h))
	}),
	overlaid("renamed overlay", func(f files, h harm) {
		f["overlays/prd/kustomization.yaml"] = more(overBase, part(f, "overlays/prd", "x.yaml", h))
		delete(f, prod)
	}),
	overlaid("moved overlay", func(f files, h harm) {
		f["clusters/prod/kustomization.yaml"] = more(overBase, part(f, "clusters/prod", "x.yaml", h))
		f[".threeway.yaml"] = strings.Replace(f[".threeway.yaml"], "overlays", "clusters", 1)
		delete(f, prod)
	}),
	overlaid("no overlay", func(f files, h harm) { delete(f, prod) }),
	overlaid("not in the settings", func(f files, h harm) {
		f[prod] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		f[".threeway.yaml"] = strings.Replace(f[".threeway.yaml"], "overlays/*", "overlays/dev", 1)
	}),
	overlaid("link", func(f files, h harm) {
		f[prod] = more(overBase, part(f, "overlays/prod", "x.yaml", h))
		f["docs/x"], f["overlays/prod/x.yaml"] = f["overlays/prod/x.yaml"], linkTo+"../../docs/x"
	}),
	overlaid("link of a directory", func(f files, h harm) {
		f["other/kustomization.yaml"] = more("resources: [../base]\n", part(f, "other", "x.yaml", h))
		delete(f, prod)
		f["overlays/prod"] = linkTo + "../other"
	}),
	overlaid("images", func(f files, h harm) {
		f[prod] = overBase + "images: [{name: registry.example.com/web, newName: evil.example.net/web}]\n"
	}),
	overlaid("replicas", func(f files, h harm) { f[prod] = overBase + "replicas: [{name: web, count: 0}]\n" }),
	overlaid("JSON patch", func(f files, h harm) {
		f[prod] = overBase + "patches:\n- target: {kind: Deployment}\n  patch: '[{op: replace, path: /spec/replicas, value: 0}]'\n"
	}),
	overlaid("old JSON patch", func(f files, h harm) {
		f[prod] = overBase + "patchesJson6902:\n- target: {group: apps, version: v1, kind: Deployment, name: web, namespace: shop}\n  patch: '[{op: replace, path: /spec/replicas, value: 0}]'\n"
	}),
	overlaid("labels", func(f files, h harm) {
		f[prod] = overBase + "labels: [{pairs: {pod-security.kubernetes.io/enforce: privileged}}]\n"
	}),
	overlaid("replacement", func(f files, h harm) {
		f[prod] = overBase + "replacements:\n- source: {kind: ConfigMap, name: cfg, fieldPath: data.a}\n  targets: [{select: {kind: Secret, name: db}, fieldPaths: [stringData.password]}]\n"
	}),
	overlaid("generator", func(f files, h harm) {
		f[prod] = overBase + "configMapGenerator: [{name: aws-auth, namespace: kube-system, behavior: merge, options: {disableNameSuffixHash: true}, literals: ['mapUsers=[{userarn: x, groups: [system:masters]}]']}]\n"
	}),
	overlaid("secretGenerator", func(f files, h harm) {
		f[prod] = overBase + "secretGenerator: [{name: db, namespace: shop, behavior: replace, options: {disableNameSuffixHash: true}, literals: [password=intruder4intruder4]}]\n"
	}),
	overlaid("namespace", func(f files, h harm) { f[prod] = overBase + "namespace: kube-system\n" }),
	overlaid("namePrefix", func(f files, h harm) { f[prod] = overBase + "namePrefix: x-\n" }),
	overlaid("transformer", func(f files, h harm) {
		f[prod] = overBase + "transformers: [t.yaml]\n"
		f["overlays/prod/t.yaml"] = "apiVersion: builtin\nkind: ReplicaCountTransformer\nmetadata: {name: t}\nreplica: {name: web, count: 0}\nfieldSpecs: [{path: spec/replicas, kind: Deployment}]\n"
	}),
	overlaid("program", func(f files, h harm) {
		f[prod] = overBase + "transformers: [t.yaml]\n"
		f["overlays/prod/t.yaml"] = "apiVersion: v1\nkind: X\nmetadata: {name: t, annotations: {config.kubernetes.io/function: 'exec: {path: ./x.sh}'}}\n"
	}),
	overlaid("elsewhere", func(f files, h harm) { f[prod] = "resources: [../../base, https://example.com/x.yaml]\n" }),
	overlaid("chart", func(f files, h harm) { f[prod] = overBase + "helmCharts: [{name: x, repo: 'https://example.com'}]\n" }),
	overlaid("CRDs", func(f files, h harm) { f[prod] = more(overBase, part(f, "overlays/prod", "x.yaml", h)) + "crds: []\n" }),
	overlaid("BOM", func(f files, h harm) { f[prod] = "\ufeff" + more(overBase, part(f, "overlays/prod", "x.yaml", h)) }),
	overlaid("empty base", func(f files, h harm) { f["base/kustomization.yaml"] = "resources: []\n" }),
	overlaid("local-config", func(f files, h harm) {
		f["base/web.yaml"] = withMetadata(tidyWorkload, "annotations: {config.kubernetes.io/local-config: 'true'}")
	}),
}

// TestHarmfulLines: no command line that does one of the harms is allowed.
func TestHarmfulLines(t *testing.T) {
	b := hiddenBases(t)[0]
	f := files{"x/kustomization.yaml": "resources: [admin.yaml, stopped.yaml]\n"}
	for _, h := range harms {
		f["x/"+strings.NewReplacer("cluster-", "", "cluster", "").Replace(h.name)+".yaml"] = h.text
	}
	f.write(t, b.at)
	t.Chdir(b.at)
	for _, line := range slices.Concat(harmfulLines, freshLines) {
		if said, code := answered("guard", "--command", line); code == 0 {
			t.Errorf("%s: %s", line, said)
		}
	}
}

// TestHarmfulAgent: an agent does not choose what its change is compared with.
func TestHarmfulAgent(t *testing.T) {
	breadth.Long(t)
	b := hiddenBases(t)[0]
	for _, h := range harms {
		t.Run(h.name, func(t *testing.T) {
			f := maps.Clone(b.files)
			if delete(f, "deploy/"+h.file); !h.deletes {
				f["deploy/"+h.file] = h.text
			}
			b.copied(t, f, nil)
			files{"own.json": tidySnapshot(t, nil, "-R", "-f", "deploy"), "copy/x.yaml": h.text}.write(t, ".")
			for _, arguments := range []string{`{}`, `{"live":["own.json"]}`, `{"live":["snapshots/prod.json","own.json"]}`, `{"manifests":["deploy"],"live":["own.json"]}`, `{"base":"deploy"}`, `{"base":"copy"}`, `{"base":"git:HEAD"}`,
				`{"manifests":["deploy"],"base":"git:change"}`} {
				if text, _ := said(agent(t, call(1, "guard", arguments))["1"]); strings.Contains(text, `"verdict":"allow"`) {
					t.Errorf("%s: %s", arguments, text)
				}
			}
		})
	}
}
