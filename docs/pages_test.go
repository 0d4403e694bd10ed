package docs_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"threeway/command"
)

var codeBlock = regexp.MustCompile("(?ms)^```(yaml|sh)\n(.*?)^```$")

// TestDocs: YAML in the pages can be read, commands can be parsed, and the
// server would take the objects.
func TestDocs(t *testing.T) {
	counts := map[string]int{}
	for _, page := range append(pagesOf(t), "README.md", "CONTRIBUTING.md") {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codeBlock.FindAllSubmatchIndex(data, -1) {
			where := fmt.Sprintf("%s:%d", page, 1+bytes.Count(data[:m[0]], []byte("\n")))
			language, text := string(data[m[2]:m[3]]), string(data[m[4]:m[5]])
			counts[language]++
			if language == "sh" {
				checkShell(t, where, text)
				continue
			}
			checkYAML(t, where, text)
			if strings.HasPrefix(text, "apiVersion:") {
				counts["objects"]++
				checkObjects(t, where, text)
			}
		}
	}
	for _, kind := range []string{"yaml", "sh", "objects"} {
		if counts[kind] == 0 {
			t.Errorf("no block with %s was found", kind)
		}
	}
}

func checkShell(t *testing.T, where, text string) {
	if out, err := exec.Command("sh", "-n", "-c", text).CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", where, err, out)
	}
}

func checkYAML(t *testing.T, where, text string) {
	for d := yaml.NewDecoder(strings.NewReader(text)); ; {
		var v any
		switch err := d.Decode(&v); {
		case err != nil && err.Error() == "EOF":
			return
		case err != nil:
			t.Errorf("%s: %v", where, err)
			return
		}
	}
}

func checkObjects(t *testing.T, where, text string) {
	var stdout, stderr bytes.Buffer
	if code := command.Run(context.Background(), []string{"threeway", "merge", "-f", "-", "-o", "name"}, strings.NewReader(text), &stdout, &stderr); code != 0 {
		t.Errorf("%s: %s", where, stderr.String())
	}
	stderr.Reset()
	if code := command.Run(context.Background(), []string{"threeway", "lint", "-q", "-", "--fail-on", "error"}, strings.NewReader(text), &stdout, &stderr); code != 0 {
		t.Errorf("%s: %s%s", where, stdout.String(), stderr.String())
	}
}

var ruleBlock = regexp.MustCompile("(?ms)^```yaml\n# (policies/[a-z_]+\\.yaml)\n(.*?)^```$")

// TestOwnRules: the rules on the page pass their tests there, and each has one.
func TestOwnRules(t *testing.T) {
	page, err := os.ReadFile("docs/own-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, tests := t.TempDir(), 0
	if err := os.Mkdir(filepath.Join(dir, "policies"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, m := range ruleBlock.FindAllSubmatch(page, -1) {
		if strings.HasSuffix(string(m[1]), "_test.yaml") {
			tests++
		}
		if err := os.WriteFile(filepath.Join(dir, string(m[1])), m[2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if tests < 4 {
		t.Errorf("%d files with tests on the page", tests)
	}
	var stdout, stderr bytes.Buffer
	code := command.Run(context.Background(), []string{"threeway", "rules", "test", filepath.Join(dir, "policies")}, nil, &stdout, &stderr)
	if code != 0 || strings.Contains(stderr.String(), "note: ") {
		t.Errorf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
}
