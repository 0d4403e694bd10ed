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
				Uses    string
				Steps   []struct{ Run string }
			}
		}
		readYAML(t, file, &w)
		if _, all := w.Permissions.(string); all || w.Permissions == nil {
			t.Errorf("%s does not limit its permissions", file)
		}
		for name, j := range w.Jobs {
			if j.Timeout == 0 && j.Uses == "" {
				t.Errorf("%s: the job %s has no limit of time", file, name)
			}
			for _, s := range j.Steps {
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s: an expression is part of a command: %s", file, s.Run)
				}
			}
		}
		data, _ := os.ReadFile(file)
		for _, line := range regexp.MustCompile(`(?m)^.*\buses: [^.\n].*$`).FindAllString(string(data), -1) {
			if !regexp.MustCompile(`uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$`).MatchString(line) {
				t.Errorf("%s: not pinned, or without a version: %s", file, line)
			}
		}
	}
}

// TestNothingIsPublishedUncompared: what is published is what three machines have
// built the same, with an attestation over the archives and the image.
func TestNothingIsPublishedUncompared(t *testing.T) {
	var w struct {
		Jobs map[string]struct {
			Steps []struct {
				ID, Run, Uses string
				With          map[string]any
			}
		}
	}
	readYAML(t, ".github/workflows/publish.yml", &w)
	compared, published := false, false
	attested := map[string]bool{}
	for _, s := range w.Jobs["publish"].Steps {
		if strings.Contains(s.Run, "cmp checksums/first/checksums.txt dist/checksums.txt") {
			compared = true
		}
		if strings.Contains(s.Run, "docker") || strings.Contains(s.Run, "release/publish") {
			published = published || strings.Contains(s.Run, "release/publish")
			if !compared {
				t.Errorf("before the third build is compared: %s", s.Run)
			}
		}
		if strings.HasPrefix(s.Uses, "actions/attest-build-provenance@") {
			for key := range s.With {
				attested[key] = published
			}
		}
	}
	if !compared || !published || !attested["subject-checksums"] || !attested["subject-digest"] {
		t.Errorf("compared %v, published %v, attested %v", compared, published, attested)
	}
	var release map[string]any
	readYAML(t, ".goreleaser.yaml", &release)
	for _, key := range []string{"dockers", "dockers_v2", "docker_manifests", "publishers", "blobs"} {
		if release[key] != nil {
			t.Errorf(".goreleaser.yaml publishes by itself: %s", key)
		}
	}
}

// TestImagesArePinned: every image that a Dockerfile begins with is named by digest,
// or there is none.
func TestImagesArePinned(t *testing.T) {
	files, _ := filepath.Glob("Dockerfile")
	more, _ := filepath.Glob("*/Dockerfile")
	pinned := regexp.MustCompile(`^FROM (scratch|\S+@sha256:[0-9a-f]{64})( AS \S+)?$`)
	for _, file := range append(files, more...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range regexp.MustCompile(`(?mi)^FROM .*$`).FindAllString(string(data), -1) {
			if !pinned.MatchString(line) {
				t.Errorf("%s: %s has no digest", file, line)
			}
		}
	}
	if len(files) == 0 {
		t.Error("there is no Dockerfile")
	}
}

// TestPackagesAreLocked: what the extension is built with is in its lock, each with
// its checksum, and nothing is downloaded beside it.
func TestPackagesAreLocked(t *testing.T) {
	var described struct {
		Scripts         map[string]string
		DevDependencies map[string]string `yaml:"devDependencies"`
	}
	var lock struct {
		Packages map[string]struct {
			Version, Integrity string
			Link               bool
		}
	}
	readYAML(t, "command/editor/vscode/package.json", &described)
	readYAML(t, "command/editor/vscode/package-lock.json", &lock)
	for name, script := range described.Scripts {
		if regexp.MustCompile(`\b(npx|npm (i|install|exec)|curl|wget)\b`).MatchString(script) {
			t.Errorf("%s downloads: %s", name, script)
		}
	}
	for _, name := range []string{"esbuild", "@vscode/vsce"} {
		if described.DevDependencies[name] == "" || lock.Packages["node_modules/"+name].Version != described.DevDependencies[name] {
			t.Errorf("%s is not locked at its version", name)
		}
	}
	for name, p := range lock.Packages {
		if name != "" && !p.Link && !strings.HasPrefix(p.Integrity, "sha512-") {
			t.Errorf("%s has no checksum", name)
		}
	}
}
