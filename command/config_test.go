package command

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/command/settings"
	"threeway/rules"
)

// TestConfigSchema holds the schema against the reader: both take the same
// files.
func TestConfigSchema(t *testing.T) {
	schema := compileSchema(t, "docs/config.schema.json")
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
		"version: 1\nrules: {nope: error}", "version: 1\nrules: {selector-change: loud}", "version: 1\nignore:\n- {kind: Job}",
		"version: 1\nignore:\n- {rule: nope, reason: x}", "version: 1\nignore: {kind: Job, reason: x}", "version: 1\nkubernetes-version: ''", "[1]",
	} {
		value, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = settings.Parse("c.yaml", []byte(text), ruleIDs(rules.All()))
		if violated := violation(schema, value); (err == nil) != (violated == nil) {
			t.Errorf("%s\nthe reader says %v, the schema %v", text, err, violated)
		}
	}
}

// TestFirstConfig: what init writes can be read, with its comments too, and
// names every setting.
func TestFirstConfig(t *testing.T) {
	text := firstConfig(&surveyed{}, false)
	bare := regexp.MustCompile(`(?m)^# ( *[a-z-]+:( .*)?|- .*)$`).ReplaceAllString(text, "$1")
	if _, err := settings.Parse("c.yaml", []byte(bare), ruleIDs(rules.All())); err != nil {
		t.Errorf("%v in\n%s", err, bare)
	}
	if _, err := settings.Parse("c.yaml", []byte(text), nil); err != nil {
		t.Error(err)
	}
	var schema struct{ Properties map[string]any }
	if err := json.Unmarshal(settings.Schema(nil), &schema); err != nil {
		t.Fatal(err)
	}
	for name := range schema.Properties {
		if !strings.Contains("\n"+bare, "\n"+name+":") {
			t.Errorf("%s is not mentioned", name)
		}
	}
}
