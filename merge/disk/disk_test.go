package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"threeway/merge/disk"
)

// TestLinks reads a file outside of a repository by every way that a link offers.
func TestLinks(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"outside", "repo/deploy", "repo/base", "repo/.git", "other/.git", "repo/bare/objects", "repo/bare/refs", "plain/k8s"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"outside/config", "repo/deploy/a.yaml", "repo/base/b.yaml", "repo/.git/config", "other/.git/config", "other/deploy.yaml", "repo/bare/HEAD", "plain/.threeway.yaml"} {
		if err := os.WriteFile(filepath.Join(top, file), []byte("secret"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"repo/deploy/file.yaml":     "../../outside/config",
		"repo/deploy/absolute.yaml": filepath.Join(top, "outside/config"),
		"repo/deploy/again.yaml":    "file.yaml",
		"repo/deploy/thrice.yaml":   "../deploy/again.yaml",
		"repo/deploy/folder":        "../../outside",
		"repo/deploy/inside.yaml":   "../base/b.yaml",
		"repo/deploy/git.yaml":      "../.git/config",
		"repo/deploy/git":           "../.git",
		"repo/deploy/bare.yaml":     "../bare/HEAD",
		"repo/deploy/other":         "../../other",
		"into":                      "repo/deploy",
		"repo/deploy/loop.yaml":     "loop.yaml",
		"plain/k8s/file.yaml":       "../../outside/config",
		"same":                      "repo",
	} {
		if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, here := range []string{"repo", "repo/deploy", "outside", "."} {
		t.Chdir(filepath.Join(top, here))
		for _, test := range []struct {
			name    string
			outside bool
		}{
			{"repo/deploy/a.yaml", false},
			{"repo/deploy/inside.yaml", false},
			{"same/deploy/a.yaml", false},
			{"same/deploy/inside.yaml", false},
			{"outside/config", false},
			{"repo/deploy/file.yaml", true},
			{"same/deploy/file.yaml", true},
			{"repo/deploy/absolute.yaml", true},
			{"repo/deploy/again.yaml", true},
			{"repo/deploy/thrice.yaml", true},
			{"repo/deploy/folder/config", true},
			{"repo/deploy/folder/../outside/config", true},
			{"repo/deploy/git.yaml", true},
			{"repo/deploy/git/config", true},
			{"repo/deploy/bare.yaml", true},
			{"repo/deploy/other/deploy.yaml", true},
			{"into/file.yaml", true},
			{"into/inside.yaml", false},
			{"other/deploy.yaml", false},
			{"repo/bare/HEAD", false},
			{"repo/.git/config", false},
			{"plain/k8s/file.yaml", true},
		} {
			for _, base := range []string{top, relative(t, top)} {
				name := base + "/" + test.name
				_, err := disk.ReadFile(name)
				if errors.Is(err, disk.ErrOutside) != test.outside || !test.outside && err != nil {
					t.Errorf("in %s: reading %s: %v, outside %v", here, test.name, err, test.outside)
				}
			}
		}
		if err := disk.CheckTree(filepath.Join(top, "repo/base")); err != nil {
			t.Error(err)
		}
		if err := disk.CheckTree(filepath.Join(top, "repo")); !errors.Is(err, disk.ErrOutside) {
			t.Errorf("a tree with links: %v", err)
		}
	}
}

// TestLinksToNothing: what a link of /proc opens has no path when the file is deleted,
// and is outside all the same; a path of it that is typed is read.
func TestLinksToNothing(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip(err)
	}
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "repo/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(top, "deleted"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := errors.Join(os.Remove(file.Name()), os.Symlink(fmt.Sprintf("/proc/self/fd/%d", file.Fd()), filepath.Join(top, "repo/link.yaml"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(top, "repo"))
	if _, err := disk.ReadFile("link.yaml"); !errors.Is(err, disk.ErrOutside) {
		t.Errorf("a link to a deleted file: %v", err)
	}
	if _, err := disk.ReadFile(fmt.Sprintf("/dev/fd/%d", file.Fd())); err != nil {
		t.Error(err)
	}
	t.Chdir("/")
	if _, err := disk.ReadFile(fmt.Sprintf("/dev/fd/%d", file.Fd())); err != nil {
		t.Error(err)
	}
}

// TestInside holds what settings may name.
func TestInside(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"outside", "repo/.git", "repo/deploy/prod"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../../outside", filepath.Join(top, "repo/deploy/link")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(top, "outside"))
	settings := filepath.Join(top, "repo/deploy/.threeway.yaml")
	for name, want := range map[string]bool{
		"repo/deploy/prod": true, "repo/deploy/../x": true, "repo/deploy/*.yaml": true, "repo": true,
		"repo/../outside": false, "repo/.git/config": false, "repo/deploy/../.GIT": false, "outside": false, "repo/deploy/link": false, "repo/deploy/link/../x": true,
	} {
		if got := disk.Inside(filepath.Join(top, "")+"/"+name, settings); got != want {
			t.Errorf("%s is inside: %v", name, got)
		}
	}
}

func relative(t *testing.T, top string) string {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(here, top)
	if err != nil {
		t.Fatal(err)
	}
	return rel
}
