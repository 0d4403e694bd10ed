package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestJSONSchema holds `diff -o json` against docs/diff.schema.json: for every
// script that has a config and a live file, and for the example. No property
// may be left undescribed.
func TestJSONSchema(t *testing.T) {
	var schema map[string]any
	readJSON(t, "docs/diff.schema.json", &schema)
	example := []string{"-f", "fixtures/example/config", "--live", "fixtures/example/live.yaml"}
	checked := checkReport(t, schema, "example", example)
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for _, f := range archive.Files {
			if f.Name == "config.yaml" || f.Name == "live.yaml" {
				if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		config, live := filepath.Join(dir, "config.yaml"), filepath.Join(dir, "live.yaml")
		if _, err := os.Stat(config); err == nil {
			checked += checkReport(t, schema, filepath.Base(script), []string{"-f", config, "--live", live})
		}
	}
	if checked < 20 {
		t.Errorf("only %d objects were checked", checked)
	}
}

// checkReport runs a diff and returns how many objects its report has.
func checkReport(t *testing.T, schema map[string]any, name string, args []string) int {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"threeway", "diff", "-o", "json"}, args...)
	if code := run(context.Background(), args, streams{strings.NewReader(""), &stdout, &stderr}); stdout.Len() == 0 {
		t.Logf("%s: exit code %d, no report", name, code)
		return 0
	}
	var report map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, fault := range violations(schema, schema, report, "$") {
		t.Errorf("%s: %s", name, fault)
	}
	objects, _ := report["objects"].([]any)
	return len(objects)
}

// TestViolations makes sure that the check can fail.
func TestViolations(t *testing.T) {
	var schema map[string]any
	readJSON(t, "docs/diff.schema.json", &schema)
	report := map[string]any{
		"schemaVersion": 2.0, "kubernetes": "one", "mode": "client-side", "extra": true,
		"counts":  map[string]any{"objects": -1.0, "created": 0.5, "configured": 0.0, "unchanged": 0.0, "rejected": "0"},
		"objects": []any{map[string]any{"object": "a", "changes": []any{map[string]any{"path": "a", "reason": "because"}}}},
	}
	got := violations(schema, schema, report, "$")
	for _, want := range []string{
		"$.schemaVersion: is not 2", "$.kubernetes: does not match", "$.extra: is not described", "$.counts.objects: is below 0",
		"$.counts.created: is no integer", "$.counts.rejected: is no integer", "$.objects[0].action: is missing", "$.objects[0].changes[0].reason: is none of",
	} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("no %q among %q", want, got)
		}
	}
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// violations checks a value against the part of JSON Schema that the report's
// schema uses. Unlike JSON Schema, it wants every property described.
func violations(root, schema map[string]any, v any, at string) (faults []string) {
	fail := func(format string, args ...any) { faults = append(faults, at+": "+fmt.Sprintf(format, args...)) }
	if ref, ok := schema["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/$defs/")
		schema = root["$defs"].(map[string]any)[name].(map[string]any)
	}
	if want, ok := schema["const"]; ok && want != v {
		fail("is not %v", v)
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, v) {
		fail("is none of %v: %v", enum, v)
	}
	if want, ok := schema["type"].(string); ok && !hasType(v, want) {
		fail("is no %s", want)
		return faults
	}
	switch v := v.(type) {
	case string:
		if pattern, ok := schema["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v) {
			fail("does not match %s", pattern)
		}
	case float64:
		if least, ok := schema["minimum"].(float64); ok && v < least {
			fail("is below %v", least)
		}
	case []any:
		if items, ok := schema["items"].(map[string]any); ok {
			for i, x := range v {
				faults = append(faults, violations(root, items, x, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		faults = append(faults, objectViolations(root, schema, v, at)...)
	}
	return faults
}

func objectViolations(root, schema, v map[string]any, at string) (faults []string) {
	required, _ := schema["required"].([]any)
	for _, key := range required {
		if _, ok := v[key.(string)]; !ok {
			faults = append(faults, fmt.Sprintf("%s.%s: is missing", at, key))
		}
	}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return faults
	}
	for key, x := range v {
		if property, ok := properties[key].(map[string]any); ok {
			faults = append(faults, violations(root, property, x, at+"."+key)...)
		} else {
			faults = append(faults, fmt.Sprintf("%s.%s: is not described", at, key))
		}
	}
	return faults
}

func hasType(v any, name string) bool {
	switch v := v.(type) {
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case float64:
		return name == "number" || name == "integer" && v == float64(int64(v))
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return name == "null"
}
