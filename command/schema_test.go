package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"threeway/command"
	"threeway/fixtures/breadth"
)

// reports are the commands whose reports have a schema.
var reports = []struct {
	schema string
	args   []string
}{
	{"docs/diff.schema.json", []string{"diff", "-o", "json"}},
	{"docs/lint.schema.json", []string{"lint", "-o", "json"}},
	{"docs/review.schema.json", []string{"review", "-o", "json"}},
	{"docs/guard.schema.json", []string{"guard"}},
	{"docs/drift.schema.json", []string{"drift", "-o", "json"}},
	{"docs/handover-to.schema.json", []string{"handover", "--to", "kubectl", "-o", "json"}},
	{"docs/clusters.schema.json", []string{"diff", "-o", "json"}},
	{"docs/clusters.schema.json", []string{"review", "-o", "json"}},
	{"lint/report/testdata/sarif-schema-2.1.0.json", []string{"lint", "-o", "sarif", "-v"}},
}

// TestSchemas holds every report that has a schema against it: for every script
// that has a config and a live file, and for the example; each meets a third of the
// reports, with THREEWAY_MATRIX=all all.
func TestSchemas(t *testing.T) {
	breadth.Long(t)
	inputs := map[string][]string{
		"example": {"-f", "../fixtures/example/config", "--live", "../fixtures/example/live.yaml"},
		"base":    {"-f", "../fixtures/example/config", "--base", "../fixtures/example/config"},
	}
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
			inputs[filepath.Base(script)] = []string{"-f", config, "--live", live}
		}
	}
	for i, r := range reports {
		schema, checked := compileSchema(t, r.schema), 0
		for n, name := range slices.Sorted(maps.Keys(inputs)) {
			if !breadth.Has(n+i, 10) {
				continue
			}
			input := inputs[name]
			var stdout, stderr bytes.Buffer
			args := append(append([]string{"threeway"}, r.args...), input...)
			if r.schema == "docs/clusters.schema.json" {
				live := slices.Index(args, "--live") + 1
				if live == 0 {
					continue
				}
				args[live] = "one=" + args[live]
				args = append(args, "--live", "two="+args[live][len("one="):])
			}
			if code := command.Run(context.Background(), args, strings.NewReader(""), &stdout, &stderr); stdout.Len() == 0 {
				t.Logf("%s of %s: exit code %d, no report", r.args[0], name, code)
				continue
			}
			checked++
			if err := violation(schema, stdout.Bytes()); err != nil {
				t.Errorf("%s of %s: %v", r.args[0], name, err)
			}
		}
		if checked < breadth.Of(20, 10) {
			t.Errorf("only %d reports were held against %s", checked, r.schema)
		}
	}
}

// TestViolations makes sure that the check can fail.
func TestViolations(t *testing.T) {
	schema := compileSchema(t, "docs/diff.schema.json")
	const counts = `"counts": {"objects": 1, "created": 0, "configured": 0, "unchanged": 0, "rejected": 0}`
	const good = `{"schemaVersion": 2, "kubernetes": "1.36", "mode": "client-side", "objects": [], ` + counts + `}`
	if err := violation(schema, []byte(good)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another version":   {`"schemaVersion": 2`, `"schemaVersion": 1`},
		"no pattern":        {"1.36", "one"},
		"not described":     {`"objects": []`, `"objects": [], "extra": true`},
		"missing":           {`"mode": "client-side", `, ""},
		"missing below":     {`"objects": []`, `"objects": [{"object": "a"}]`},
		"below the minimum": {`"created": 0`, `"created": -1`},
		"of another type":   {`"rejected": 0`, `"rejected": "0"`},
	} {
		if violation(schema, []byte(strings.Replace(good, change[0], change[1], 1))) == nil {
			t.Errorf("%s is no violation", name)
		}
	}
}

// TestSARIFViolations does the same with the schema of somebody else.
func TestSARIFViolations(t *testing.T) {
	schema := compileSchema(t, "lint/report/testdata/sarif-schema-2.1.0.json")
	const good = `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}}]}]}`
	if err := violation(schema, []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{"2.1.0", "2.0.0"}, {`"name": "x"`, ""}, {`{"text": "x"}`, `{"text": "x"}, "extra": 1`}} {
		if violation(schema, []byte(strings.Replace(good, change[0], change[1], 1))) == nil {
			t.Errorf("%s instead of %s is no violation", change[1], change[0])
		}
	}
}

func violation(schema *jsonschema.Schema, report []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(report))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// compileSchema reads a schema. Those of our own allow other properties than
// they describe, so that old readers take new reports; here every property must
// be described.
func compileSchema(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	own, err := fs.Glob(os.DirFS(".."), "docs/*.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range own {
		var schema any
		readJSON(t, file, &schema)
		closeObjects(schema)
		if err := compiler.AddResource("file:///"+file, schema); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(own, name) {
		var schema any
		readJSON(t, name, &schema)
		if err := compiler.AddResource("file:///"+name, schema); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile("file:///" + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", name))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// closeObjects forbids properties that are not described.
func closeObjects(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		if _, ok := s["properties"].(map[string]any); ok && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
		for _, v := range s {
			closeObjects(v)
		}
	case []any:
		for _, v := range s {
			closeObjects(v)
		}
	}
}
