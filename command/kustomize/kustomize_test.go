package kustomize_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"threeway/command/kustomize"
	"threeway/merge/disk"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
)

// TestPlaces finds the fields of testdata/rendered.yaml, which kustomize 5.7.1 and kubectl
// 1.32.4 rendered of testdata/prod, in its files.
func TestPlaces(t *testing.T) {
	t.Chdir("testdata")
	rendered, err := os.ReadFile("rendered.yaml")
	if err != nil {
		t.Fatal(err)
	}
	k := kustomize.Read(disk.Files{}, "prod")
	if text := k.Unconfined(); text != "" {
		t.Error(text)
	}
	set := manifest.ReadKustomized("prod", rendered)
	set.RenderedFrom(k.Sources(disk.Files{}, manifest.Limits{}).Place)
	for _, test := range []struct{ object, path, want string }{
		{"Deployment.apps/prod-web", "", "base/web.yaml:1"},
		{"Deployment.apps/prod-web", "spec.replicas", "prod/replicas.yaml:5"},
		{"Deployment.apps/prod-web", "spec.template.spec.containers[0].image", "prod/kustomization.yaml:5"},
		{"Deployment.apps/prod-web", "spec.template.spec.containers[1].image", "prod/kustomization.yaml:1"}, // a patch in JSON
		{"Deployment.apps/prod-web", "spec.template.spec.containers[0].resources.limits.memory", "prod/replicas.yaml:11"},
		{"Deployment.apps/prod-web", "spec.template.spec.containers[0].ports[0].containerPort", "base/web.yaml:19"},
		{"Deployment.apps/prod-web", "spec.template.spec.containers[0].args[0]", "base/web.yaml:20"},
		{"Deployment.apps/prod-web", "spec.strategy", "base/web.yaml:5"},
		{"Deployment.apps/prod-web", "metadata.namespace", "prod/kustomization.yaml:1"},
		{"Deployment.apps/prod-web", "metadata.labels.team", "prod/kustomization.yaml:9"},
		{"Deployment.apps/prod-web", "metadata.annotations.owner", "prod/kustomization.yaml:11"},
		{"Service/prod-web", "spec.type", "prod/kustomization.yaml:14"},
		{"Service/prod-web", "spec.ports[0].port", "base/web.yaml:29"},
		{"ConfigMap/prod-settings-", "data[app.conf]", "base/app.conf:1"},
		{"ConfigMap/prod-settings-", "data.short", "base/long.conf:1"},
		{"ConfigMap/prod-settings-", "data.level", "base/kustomization.yaml:3"},
		{"ConfigMap/prod-env-", "data.TWO", "base/app.env:2"},
	} {
		path, err := fieldpath.Parse(test.path)
		if test.path != "" && err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(set.Objects, func(o *manifest.Object) bool { return strings.HasPrefix(o.ID().String(), "shop/"+test.object) })
		if i < 0 {
			t.Fatalf("no %s", test.object)
		}
		if got := set.Objects[i].Place(path).String(); got != test.want {
			t.Errorf("%s %s stands in %s, not in %s", test.object, test.path, got, test.want)
		}
	}
}

// files are texts by path.
type files map[string]string

func (f files) Read(file string) ([]byte, bool) { text, ok := f[file]; return []byte(text), ok }
func (f files) Real(dir string) string          { return dir }

func (f files) Name(file string) string { return file }
func (f files) IsDir(dir string) bool {
	for file := range f {
		if strings.HasPrefix(file, dir+"/") {
			return true
		}
	}
	return false
}

// TestUnconfined: whatever kustomize would fetch or run is seen.
func TestUnconfined(t *testing.T) {
	here := files{"base/kustomization.yaml": "resources: []", "a.yaml": "", "labels.yaml": "apiVersion: builtin\nkind: LabelTransformer\n", "github.com/x/y/kustomization.yaml": "resources: []", "x.git/kustomization.yaml": ""}
	for text, confined := range map[string]bool{
		"resources: [base, a.yaml]": true,
		"patches: [{patch: \"- op: add\\n  path: /x\\n  value: http://y\"}]":   true,
		"configMapGenerator: [{name: x, literals: [url=https://x]}]":           true,
		"configMapGenerator: [{name: x, files: [k=a.yaml]}]":                   true,
		"configMapGenerator: [{name: x, files: [k=https://example.com/x]}]":    false,
		"configMapGenerator: [{name: x, envs: [https://example.com/x]}]":       false,
		"secretGenerator: [{name: x, env: absent}]":                            false,
		"resources: [https://example.com/x]":                                   false,
		"resources: ['git@example.com:x/y']":                                   false,
		"resources: [github.com/x/y]":                                          false,
		"resources: [x.git]":                                                   false,
		"resources: [absent]":                                                  false,
		"bases: ['ssh://x']":                                                   false,
		"components: ['ext::sh -c x']":                                         false,
		"patches: [{path: https://example.com/x}]":                             false,
		"patchesStrategicMerge: [https://example.com/x]":                       false,
		"openapi: {path: https://example.com/x}":                               false,
		"crds: [https://example.com/x]":                                        false,
		"configurations: [https://example.com/x]":                              false,
		"replacements: [{path: https://example.com/x}]":                        false,
		"transformers: [a.yaml]":                                               false,
		"transformers: [../labels.yaml]":                                       true,
		"transformers: [../labels.yaml, a.yaml]":                               false,
		"transformers: [\"{apiVersion: builtin, kind: LabelTransformer}\\n\"]": true,
		"transformers: [\"{apiVersion: builtin, kind: LabelTransformer}\\n---\\n{apiVersion: x, kind: Y}\"]":                                                      false,
		"transformers: [\"{apiVersion: builtin, kind: LabelTransformer}\\n...\\n{apiVersion: x, kind: Y}\"]":                                                      false,
		"transformers: [\"{apiVersion: builtin, kind: PatchTransformer, path: https://x}\\n\"]":                                                                   false,
		"transformers: [\"{apiVersion: builtin, kind: LabelTransformer, metadata: {annotations: {config.kubernetes.io/function: 'exec: {path: /bin/sh}'}}}\\n\"]": false,
		"generators: [a.yaml]":    false,
		"validators: [base]":      false,
		"helmCharts: [{name: x}]": false,
		"resources: [base":        false,
		// Case does not count, and what was once written otherwise is still read.
		"RESOURCES: [a.yaml]":                 false,
		"re\u017fources: [a.yaml]":            false,
		"Generators: [a.yaml]":                false,
		"openapi: {PATH: https://x}":          false,
		"patches: [{Path: https://x}]":        false,
		"secretGenerator: [{Files: [x]}]":     false,
		"patches: ['https://x']":              false,
		"patches: [a.yaml]":                   true,
		"resources: [\"https://x\\n\"]":       false,
		"patches: [{path: \"https://x\\n\"}]": false,
		"commonLabels: {Path: x}":             true,
	} {
		f := files{"o/kustomization.yaml": strings.NewReplacer("[base", "[../base", "[a.yaml", "[../a.yaml", ", a.yaml", ", ../a.yaml", "=a.yaml", "=../a.yaml", "[github", "[../github", "[x.git", "[../x.git").Replace(text)}
		for name, text := range here {
			f[name] = text
		}
		if got := kustomize.Read(f, "o").Unconfined(); (got == "") != confined {
			t.Errorf("%s: %q", text, got)
		}
	}
}
