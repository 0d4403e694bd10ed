package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func readYAML(t *testing.T, file string, v any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// TestReleaseBuildsAsMakeDoes: a release is the program that make build makes and
// that the tests of size and start-up measure.
func TestReleaseBuildsAsMakeDoes(t *testing.T) {
	var release struct {
		Builds []struct{ Goos, Goarch, Tags, Flags, Ldflags []string }
	}
	readYAML(t, ".goreleaser.yaml", &release)
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(makefile), "\\\n", "")
	build := regexp.MustCompile(`(?m)^BUILD = (.*)$`).FindString(text)
	if len(release.Builds) != 1 {
		t.Fatal("there is more or less than one build")
	}
	b := release.Builds[0]
	for _, part := range append(append(b.Tags, b.Flags[0]), "-s -w -X main.version=", "-X main.site=") {
		if !strings.Contains(build, part) || strings.HasPrefix(part, "-s") && !strings.Contains(b.Ldflags[0], part) {
			t.Errorf("%q is not in both builds", part)
		}
	}
	if len(b.Goos)*len(b.Goarch) != 6 {
		t.Errorf("%v for %v", b.Goos, b.Goarch)
	}
}

// TestWorkflows: what others wrote is pinned to a commit with its version beside
// it, rights are given one by one, and nothing that an outsider says is part of a
// command. actionlint does the rest (make lint).
func TestWorkflows(t *testing.T) {
	files, _ := filepath.Glob(".github/workflows/*.yml")
	if len(files) < 4 {
		t.Fatalf("workflows: %v", files)
	}
	for _, file := range files {
		var w struct {
			Permissions any
			Jobs        map[string]struct {
				Timeout int `yaml:"timeout-minutes"`
				Steps   []struct{ Run string }
			}
		}
		readYAML(t, file, &w)
		if _, all := w.Permissions.(string); all || w.Permissions == nil {
			t.Errorf("%s does not limit its permissions", file)
		}
		for name, j := range w.Jobs {
			if j.Timeout == 0 {
				t.Errorf("%s: the job %s has no limit of time", file, name)
			}
			for _, s := range j.Steps {
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s: an expression is part of a command: %s", file, s.Run)
				}
			}
		}
		data, _ := os.ReadFile(file)
		for _, line := range regexp.MustCompile(`(?m)^.*\buses: .*$`).FindAllString(string(data), -1) {
			if !regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$`).MatchString(line) {
				t.Errorf("%s: not pinned, or without a version: %s", file, line)
			}
		}
	}
}
