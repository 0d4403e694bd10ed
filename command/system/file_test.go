package system

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "report"), filepath.Join(dir, "link")
	write := func(name, text string) {
		t.Helper()
		if err := WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("the file has %q", got)
		}
		for _, e := range entries(t, dir) {
			if e != "report" && e != "link" {
				t.Errorf("%s is left behind", e)
			}
		}
	}
	write(file, "one")
	if err := os.Chmod(file, 0o717); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("report", link); err != nil {
		t.Fatal(err)
	}
	write(link, "two")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o606 {
		t.Errorf("the mode has become %v", info.Mode())
	}
	if target, err := os.Readlink(link); err != nil || target != "report" {
		t.Errorf("the link has become %q, %v", target, err)
	}
	// A name that is taken by somebody else's temporary file is no obstacle.
	if err := os.WriteFile(file+".0.tmp", []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(file, []byte("three")); err != nil {
		t.Fatal(err)
	}
	if other, _ := os.ReadFile(file + ".0.tmp"); string(other) != "other" {
		t.Errorf("another file has become %q", other)
	}
	if err := WriteFile(os.DevNull, []byte("gone")); err != nil {
		t.Errorf("a device: %v", err)
	}
	for _, name := range []string{filepath.Join(dir, "none", "report"), dir} {
		if WriteFile(name, nil) == nil {
			t.Errorf("%s is no file that can be written, but there is no error", name)
		}
	}
	if got := entries(t, dir); len(got) != 3 {
		t.Errorf("left behind: %v", got)
	}
}

// TestLinksOnTheWay: a link that comes after the path was resolved is not followed.
func TestLinksOnTheWay(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("git/hooks", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"git", t.TempDir()} {
		if err := os.Symlink(target, "out"); err != nil {
			t.Fatal(err)
		}
		if dir, err := openDirectory(Absolute("out/hooks"), true); err == nil {
			t.Errorf("%s is opened through a link to %s", dir.Name(), target)
		}
		if err := os.Remove("out"); err != nil {
			t.Fatal(err)
		}
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
