package settings

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExclude holds the patterns against git's own.
func TestExclude(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	files := []string{"a.yaml", "b.yml", "dir/a.yaml", "dir/sub/a.yaml", "dir/sub/deep/b.yaml", "gen/x.gen.yaml", "x.gen.yaml", "x1.yaml", "x2.yaml", "a b.yaml", "other/dir/a.yaml", "#x.yaml", "!x.yaml", "x[1].yaml"}
	for _, patterns := range [][]string{
		{"a.yaml"}, {"/a.yaml"}, {"dir/"}, {"dir/a.yaml"}, {"**/deep"}, {"dir/**"}, {"dir/**/b.yaml"}, {"*.gen.yaml", "!x.gen.yaml"}, {"x?.yaml"}, {"x[!1].yaml"}, {"x[12].yaml"},
		{"dir", "!dir/a.yaml"}, {"sub/"}, {"/dir/*", "!/dir/sub"}, {"a b.yaml "}, {`\#x.yaml`}, {`\!x.yaml`}, {"*"}, {"*.yaml", "!/dir/**"}, {"dir/*/b.yaml"}, {`x\[1].yaml`}, {"a.yaml/"}, {"**/dir/a.yaml"}, {"*/"},
	} {
		dir := t.TempDir()
		run := func(args ...string) string {
			cmd := exec.Command("git", args...)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(strings.Join(files, "\n"))
			out, _ := cmd.Output()
			return string(out)
		}
		run("init", "-q")
		for _, file := range files {
			path := filepath.Join(dir, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(strings.Join(patterns, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSpace(run("-c", "core.quotePath=false", "check-ignore", "--no-index", "--stdin")), "\n")
		c := &Config{File: filepath.Join(dir, FileName)}
		for _, text := range patterns {
			p, err := parsePattern(text)
			if err != nil {
				t.Fatal(err)
			}
			c.exclude = append(c.exclude, p)
		}
		for _, file := range files {
			if got := c.Excludes(filepath.Join(dir, filepath.FromSlash(file))); got != slices.Contains(want, file) {
				t.Errorf("%q of %q: excluded %v, of git %v", file, patterns, got, !got)
			}
		}
	}
}
