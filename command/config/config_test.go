package config

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"threeway/command/request"
	"threeway/command/settings"
	"threeway/command/survey"
	"threeway/rules"
)

// TestFirstConfig: what init writes can be read, with its comments too, and
// names every setting.
func TestFirstConfig(t *testing.T) {
	text := firstConfig(&survey.Survey{}, false)
	bare := regexp.MustCompile(`(?m)^# ( *[a-z-]+:( .*)?|- .*)$`).ReplaceAllString(text, "$1")
	if _, err := settings.Parse("c.yaml", []byte(strings.Replace(bare, "[policies/]", "[]", 1)), request.RuleIDs(rules.All())); err != nil {
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
