package command_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"threeway/command"
	"threeway/command/settings"
	"threeway/lint"
	"threeway/rules/own"
)

var placed = regexp.MustCompile(`^c\.yaml:(?:(\d+):(?:(\d+):)? |\s)`)

// FuzzSettings: what is wrong with a file is said with its place, and what is not
// keeps to the schema.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		"version: 1\nkubernetes-version: \"1.34\"\nmanifests: [deploy/]\nlive: [snapshots/prod.yaml]\n",
		"version: 1\napply: {mode: client-side, namespace: shop, prune: {root: deploy/, selector: app=shop, all: true, allowlist: [core/v1/ConfigMap]}}\n",
		"version: 1\nrules: {replicas-with-autoscaler: error, implicit-rollout-strategy: off}\nfail-on: warning\n",
		"version: 1\nignore:\n- {kind: Deployment, path: 'spec.a[name=b].c', rule: implicit-rollout-strategy, namespace: a, name: b, reason: owned by the HPA}\n",
		"", "[]", "version: 2", "version: 1\nversion: 1", "a: &a [*a]", "? {a: b}\n: c", "version: !!int 1\nlive: &x [a]\nmanifests: *x", "version: 1\n<<: {fail-on: error}",
	} {
		f.Add([]byte(text))
	}
	rules := make([]*lint.Rule, len(known))
	for i, id := range known {
		rules[i] = &lint.Rule{ID: id}
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(settings.Schema(rules)))
	if err != nil {
		f.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("file:///config", document); err != nil {
		f.Fatal(err)
	}
	schema := compiler.MustCompile("file:///config")
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := settings.Parse("c.yaml", data, known)
		if err != nil {
			checkPlace(t, data, err)
			return
		}
		if c.File != "c.yaml" {
			t.Errorf("read from %q", c.File)
		}
		var n yaml.Node
		if err := yaml.Unmarshal(data, &n); err != nil {
			t.Fatal(err)
		}
		v := plain(n.Content[0], "")
		if err := schema.Validate(v); err != nil {
			t.Errorf("%q is read, but: %v", data, err)
		}
	})
}

// plain is a node as JSON has it. The file may leave out the quotes of texts.
func plain(n *yaml.Node, key string) any {
	switch {
	case n.Kind == yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1], n.Content[i].Value)
		}
		return m
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, plain(item, ""))
		}
		return list
	case key == "version" && n.Value == "1":
		return 1
	case key == "all":
		return n.Value == "true"
	}
	return n.Value
}

// FuzzRules: what is wrong with a file of rules, or of tests of rules, is said with
// its place; and what is not has what the key of a rule or test promises.
func FuzzRules(f *testing.F) {
	for _, text := range []string{
		command.PolicyNamed("a-b", "'true'"), command.PolicyNamed("a-b", "object.a > 1 &&"), command.PolicyNamed("a", "'true'") + "---\n" + command.PolicyNamed("a", "patch == null"),
		"tests:\n- {name: a, manifest: &a {a: b}, want: []}\n- {name: b, rule: here, manifest: [*a], applied: *a, live: [], prune: true, want: [{object: a.b, severity: error}]}\n",
		"policies: [rules.yaml]\nobjects: [&a {a: &b [b]}, &c [*a, *a]]\ntests:\n- {name: a, manifest: [{a: *c}], server-side: true, want: [here, {rule: here, object: a, message: b}]}\n",
		"policies: []", "tests: [{name: a, manifest: &a [*a], want: []}]", "policies:\n- &a {<<: *a}",
	} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	for name, text := range map[string]string{"c.yaml": command.PolicyNamed("here", "'true'")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	file := filepath.Join(dir, "c_test.yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		var c settings.Config
		if err := settings.ParsePolicies(&c, "c.yaml", data); err != nil {
			if !strings.Contains(err.Error(), "c.yaml") {
				t.Errorf("%q: no place in %v", data, err)
			}
		} else if _, err := own.Compile(c.Policies, nil); err != nil && placed.FindString(err.Error()) == "" {
			t.Errorf("%q: no place in %v", data, err)
		}
		tests, err := settings.ParseTests(file, data)
		if err != nil {
			if text, ok := strings.CutPrefix(err.Error(), dir+"/"); ok {
				checkPlace(t, data, errors.New(strings.Replace(text, "c_test.yaml", "c.yaml", 1)))
			} else {
				t.Errorf("%q: no place in %v", data, err)
			}
			return
		}
		for _, test := range tests.Tests {
			if test.Name == "" || test.Manifest.Name == "" || test.Line < 1 {
				t.Errorf("%q: %+v", data, test)
			}
		}
	})
}

// checkPlace wants the place of an error, in a line that the text has.
func checkPlace(t *testing.T, data []byte, err error) {
	t.Helper()
	m := placed.FindStringSubmatch(err.Error())
	if m == nil {
		t.Fatalf("%q: no place in %v", data, err)
	}
	// What YAML breaks lines at; \r\n is one break.
	breaks := regexp.MustCompile("\r\n|[\n\r\u0085\u2028\u2029]").FindAll(data, -1)
	if line, _ := strconv.Atoi(m[1]); line > 1+len(breaks) {
		t.Errorf("%q has no line %d: %v", data, line, err)
	}
}
