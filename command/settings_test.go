package command_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"threeway/command/settings"
	"threeway/lint"
	"threeway/merge/fieldpath"
)

var known = []string{"implicit-rollout-strategy", "replicas-with-autoscaler"}

func TestSettings(t *testing.T) {
	got, err := settings.Parse("c.yaml", []byte(`version: 1
kubernetes-version: "1.34"
manifests: [deploy/]
live: [snapshots/prod.yaml]
apply: {mode: client-side, namespace: shop, prune: {root: deploy/, selector: app=shop}}
rules: {replicas-with-autoscaler: error, implicit-rollout-strategy: off}
ignore:
- {kind: Deployment, path: spec.replicas, reason: owned by the HPA}
references:
- {kind: Bucket.example.com, field: "spec.users[].secretName", to: Secret}
- {kind: Bucket.example.com, field: spec.class, to: BucketClass.example.com, cluster: true}
fail-on: warning
`), known)
	if err != nil {
		t.Fatal(err)
	}
	want := &settings.Config{
		File:              "c.yaml",
		KubernetesVersion: "1.34",
		Manifests:         []string{"deploy/"},
		Live:              []string{"snapshots/prod.yaml"},
		Rules:             map[string]lint.Severity{"replicas-with-autoscaler": lint.Error, "implicit-rollout-strategy": lint.Off},
		Ignore:            []lint.Ignore{{Kind: "Deployment", Path: fieldpath.New("spec", "replicas"), Reason: "owned by the HPA"}},
		References: []lint.Reference{
			{Kind: "Bucket.example.com", Field: "spec.users[].secretName", To: "Secret"},
			{Kind: "Bucket.example.com", Field: "spec.class", To: "BucketClass.example.com", Cluster: true},
		},
		FailOn: "warning",
		Apply:  settings.Apply{Namespace: "shop", Prune: &settings.Prune{Root: "deploy/", Selector: "app=shop"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "c.yaml:1: the file is empty",
		"---":                                    "c.yaml:1: the file is empty",
		"version: 2":                             "c.yaml:1:1: version must be 1",
		"manifests: []":                          "c.yaml:1:1: the version of the format is missing",
		"version: 1\nmanifest: []":               `c.yaml:2:1: unknown key "manifest"; did you mean "manifests"? known:`,
		"version: 1\nmanifests: deploy":          "c.yaml:2:12: a list of strings is expected here: [deploy]",
		"version: 1\nversion: 1":                 `c.yaml:2:1: key "version" is set twice`,
		"version: 1\nlive: [{}]":                 "c.yaml:2:8: a string is expected",
		"version: 1\nrule-pages: command:x":      `c.yaml:2:13: "command:x" is not the address`,
		"version: 1\nrule-pages: //x":            `c.yaml:2:13: "//x" is not the address`,
		"version: 1\nrule-pages: 'https://x/ y'": `c.yaml:2:13: "https://x/ y" is not the address`,
		"version: 1\nrule-pages: https://u@x":    `c.yaml:2:13: "https://u@x" is not the address`,
		"version: 1\nfail-on: nothing":           `c.yaml:2:10: unknown value "nothing"`,
		"version: 1\napply: {mode: both}":        `c.yaml:2:15: unknown value "both"`,
		"version: 1\napply: {prune: {x: 1}}":     `c.yaml:2:17: unknown key "x" in apply.prune`,
		"version: 1\nrules: {nope: off}":         `c.yaml:2:9: unknown rule "nope"`,
		"version: 1\nrules:\n  implicit-rollout-strategy: loud": `c.yaml:3:30: unknown severity "loud"`,
		"version: 1\nignore:\n- {kind: Job}":                    "c.yaml:3:3: the reason is missing",
		"version: 1\nreferences: {}":                            "c.yaml:2:13: references must be a list",
		"version: 1\nreferences:\n- {kind: A, to: Secret}":      "c.yaml:3:3: kind, field or to is missing",
		"version: 1\nignore:\n- {reason: why}":                  "c.yaml:3:3: this would ignore everything",
		"version: 1\nignore:\n- {path: a..b, reason: x}":        `c.yaml:3:10: path "a..b"`,
		"version: 1\n- a":                                       "c.yaml:1: did not find",
		"[1]":                                                   "c.yaml:1:1: the file must be a mapping",
	} {
		if _, err := settings.Parse("c.yaml", []byte(text), known); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFindStopsAtTheRepository(t *testing.T) {
	top := t.TempDir()
	repository := filepath.Join(top, "repo")
	deep := filepath.Join(repository, "deploy", "prod")
	for _, dir := range []string{deep, filepath.Join(repository, ".git")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(dir string) string {
		file := filepath.Join(dir, settings.FileName)
		if err := os.WriteFile(file, []byte("version: 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write(top)
	if got := settings.Find(deep); got != "" {
		t.Errorf("found %s above the repository", got)
	}
	if want := write(repository); settings.Find(deep) != want {
		t.Errorf("found %s, want %s", settings.Find(deep), want)
	}
	if want := write(deep); settings.Find(deep) != want {
		t.Errorf("found %s, want %s", settings.Find(deep), want)
	}
}
