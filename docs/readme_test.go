package docs_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threeway/command"
)

// TestReadme holds each example of the README to what its commands print, on the files
// that it shows.
func TestReadme(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text, ran := read(t, "README.md"), 0
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		if m[1] != "" {
			continue
		}
		dir := root
		for _, part := range strings.Split("\n"+m[2], "\n$ ")[1:] {
			line, want, _ := strings.Cut(strings.TrimSuffix(part, "\n")+"\n", "\n")
			if file, shown := strings.CutPrefix(line, "cat "); shown {
				dir = t.TempDir()
				if err := os.WriteFile(filepath.Join(dir, file), []byte(want), 0o600); err != nil {
					t.Fatal(err)
				}
				continue
			}
			t.Chdir(dir)
			if _, got := printed(strings.Fields(line)); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", line, got, want)
			}
			t.Chdir(root)
			ran++
		}
	}
	if ran == 0 {
		t.Error("there is no example")
	}
	_, line, _ := strings.Cut(text, "```sh\ngo run . ")
	line, _, _ = strings.Cut(line, "\n")
	if code, out := printed(append([]string{"threeway"}, strings.Fields(line)...)); code != 0 || !strings.Contains(out, "\n! Needs review: 1 to decide\n") {
		t.Errorf("go run . %s: exit code %d, and no verdict:\n%s", line, code, out)
	}
}

// printed runs a command of threeway, and returns its exit code and standard output.
func printed(args []string) (int, string) {
	var out, notes bytes.Buffer
	code := command.Run(context.Background(), args, strings.NewReader(""), &out, &notes)
	return code, out.String()
}
