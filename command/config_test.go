package command_test

import (
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/command/settings"
	"threeway/rules"
)

// TestConfigSchema holds the schema against the reader: both take the same
// files.
func TestConfigSchema(t *testing.T) {
	schema := compileSchema(t, "docs/config.schema.json")
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	for _, text := range []string{
		"version: 1",
		"version: 1\nkubernetes-version: \"1.34\"\nmanifests: [deploy/]\nlive: [snapshots/prod.yaml]\nfail-on: never",
		"version: 1\napply: {mode: server-side, prune: {root: deploy/, applyset: shop, allowlist: [core/v1/Pod], all: true, selector: a=b}}",
		"version: 1\nrules: {replicas-with-autoscaler: error, implicit-rollout-strategy: \"off\"}",
		"version: 1\nignore:\n- {rule: selector-change, kind: Deployment, namespace: shop, name: web, path: spec.replicas, reason: x}",
		"version: 1\nsecrets: {env: [known, '*_PIN'], kinds: [{kind: Credential.example.com, fields: [spec.password]}, {kind: Pin}]}",
		"version: 1\nsecrets: {env: known}", "version: 1\nsecrets: {kinds: [{fields: [spec]}]}", "version: 1\nsecrets: {kinds: [Credential]}",
		"version: 2", "manifests: []", "version: 1\nmanifest: []", "version: 1\nmanifests: deploy", "version: 1\nlive: [{}]", "version: 1\nlive: ['']",
		"version: 1\nfail-on: nothing", "version: 1\napply: {mode: both}", "version: 1\napply: {prune: {x: 1}}", "version: 1\napply: {prune: {all: maybe}}",
		"version: 1\nrules: {selector-change: loud}", "version: 1\nignore:\n- {kind: Job}",
		"version: 1\nown-rules: []", "version: 1\npolicies: {}", "version: 1\npolicies: [{a: b}]",
		"version: 1\nignore: {kind: Job, reason: x}", "version: 1\nkubernetes-version: ''", "[1]",
	} {
		value, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = settings.Parse("c.yaml", []byte(text), ids)
		if violated := violation(schema, value); (err == nil) != (violated == nil) {
			t.Errorf("%s\nthe reader says %v, the schema %v", text, err, violated)
		}
	}
}
