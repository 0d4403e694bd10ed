package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lintcommand "threeway/command/lint"
	"threeway/command/request"
	"threeway/command/settings"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/manifest"
	"threeway/rules/own"
)

// PolicyNamed is an admission policy about every object that is created or updated.
func PolicyNamed(name, expression string) string {
	return "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: " + name + "}\nspec: {matchConstraints: {resourceRules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: ['*']}]}, validations: [{expression: " + expression + "}]}\n"
}

// TestRenamedRule: flags, settings and pages know the IDs that a rule had.
func TestRenamedRule(t *testing.T) {
	rule := &lint.Rule{ID: "new-name", Former: []string{"old-name"}, Title: "a title", Severity: lint.Info}
	catalogue := []*lint.Rule{rule}
	file := filepath.Join(t.TempDir(), settings.FileName)
	read := func(text string) (*settings.Config, error) {
		if err := os.WriteFile(file, []byte("version: 1\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		return settings.Read(file, request.RuleIDs(catalogue))
	}
	severity := func(text string, rules request.Rules) lint.Severity {
		cfg, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		rules.FailOn = "error"
		opts, err := lintcommand.Options(&request.Request{Inputs: request.Inputs{Reading: request.Reading{Settings: cfg}}, Rules: rules}, catalogue)
		if err != nil {
			t.Fatal(err)
		}
		return opts.Severities["new-name"]
	}
	for _, c := range []struct {
		name, text string
		flags      request.Rules
		want       lint.Severity
	}{
		{"the settings", "rules: {old-name: error}", request.Rules{}, lint.Error},
		{"both names in the settings", "rules: {new-name: warning, old-name: error}", request.Rules{}, lint.Warning},
		{"--rule RULE=off", "rules: {new-name: warning}", request.Rules{Levels: []string{"old-name=off"}}, lint.Off},
		{"--rule RULE=error", "rules: {new-name: warning}", request.Rules{Levels: []string{"old-name=error"}}, lint.Error},
	} {
		if got := severity(c.text, c.flags); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	taken := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(PolicyNamed("old-name", "'true'"))})
	if _, err := own.Compile(taken.Objects, request.RuleIDs(catalogue)); err == nil || !strings.Contains(err.Error(), "old-name") {
		t.Errorf("a policy takes the ID that a rule had: %v", err)
	}

	var list bytes.Buffer
	if err := listRulesJSON(catalogue, system.Streams{Out: &list}); err != nil || !strings.Contains(list.String(), `"former": [`) {
		t.Errorf("%v in %s", err, list.String())
	}
	if request.Rule(catalogue, "old-name") != rule {
		t.Error("explain does not know the ID that the rule had")
	}
	if page := report.Page(rule, lint.Examples{}, 1); !strings.Contains(page, "Formerly: `old-name`.") {
		t.Errorf("the page does not say it: %s", page)
	}
	var schema struct {
		Properties struct {
			Rules struct {
				Properties map[string]struct{ Deprecated bool }
			}
		}
	}
	if err := json.Unmarshal(settings.Schema(catalogue), &schema); err != nil {
		t.Fatal(err)
	}
	if known, has := schema.Properties.Rules.Properties["old-name"]; !has || !known.Deprecated {
		t.Error("an editor does not know the ID that the rule had")
	}
}
