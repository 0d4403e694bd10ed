package manifest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
)

// seed adds the files of all archives in testdata.
func seed(f *testing.F) {
	archives, _ := filepath.Glob("testdata/read/*.txtar")
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(file.Data)
		}
	}
	f.Add([]byte(deployment))
}

// FuzzRead checks that whatever is read is placed inside the text.
func FuzzRead(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := strings.Split(source.DecodeText(data), "\n")
		check := func(line, column int) {
			if line < 1 || line > len(lines) || column < 1 || column > len([]rune(lines[line-1]))+1 {
				t.Errorf("%d:%d is not in the text", line, column)
			}
		}
		set := Read(Options{Paths: []string{"-"}, Stdin: bytes.NewReader(data)})
		set.Build(Builder{Scope: testScope})
		snapshot := ReadSnapshot(Options{Paths: []string{"-"}, Stdin: bytes.NewReader(data)})
		for _, o := range slices.AppendSeq(set.Objects, snapshot.Objects()) {
			line, column, _ := o.Position(nil)
			check(line, column)
			check(o.Origin.Line, 1)
		}
		for _, p := range append(set.Problems, snapshot.Problems...) {
			check(p.Line, p.Column)
		}
	})
}

func eachPath(v any, p fieldpath.Path, f func(fieldpath.Path)) {
	if len(p) > 0 {
		f(p)
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			eachPath(x, p.Child(k), f)
		}
	case []any:
		for i, x := range v {
			eachPath(x, p.Item(i), f)
		}
	}
}

func TestUnreadable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("real", 0o755); err != nil {
		t.Fatal(err)
	}
	object := []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	if err := os.WriteFile("real/a.yaml", object, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{{"real", "linked"}, {"real/a.yaml", "file.yaml"}, {"nowhere", "broken.yaml"}} {
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]string{
		"linked":    "linked: error: error parsing linked: read linked: is a directory\n",
		"linked/":   "ConfigMap/a from linked/a.yaml:1:1, document 1 from line 1\n",
		"file.yaml": "ConfigMap/a from file.yaml:1:1, document 1 from line 1\n",
		".": "ConfigMap/a from file.yaml:1:1, document 1 from line 1\n" +
			"broken.yaml: error: open broken.yaml: no such file or directory\n",
	} {
		if got := describe(Read(Options{Paths: []string{path}})); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
		}
	}
}
