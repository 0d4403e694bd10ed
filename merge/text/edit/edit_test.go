package edit

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
)

var update = flag.Bool("update", false, "write what the edits yield into testdata")

// eachArchive tests every archive that the pattern finds.
func eachArchive(t *testing.T, pattern string, test func(t *testing.T, file string, archive *txtar.Archive)) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, file, archive)
		})
	}
}

// TestEdits makes the edits of each archive in testdata: a file "edits" with an
// edit a line, a file "in", and "out" or "refused".
func TestEdits(t *testing.T) {
	eachArchive(t, "testdata/*.txtar", func(t *testing.T, file string, archive *txtar.Archive) {
		part := func(name string) string {
			for _, f := range archive.Files {
				if f.Name == name {
					return string(f.Data)
				}
			}
			return ""
		}
		in := part("in")
		result := txtar.File{Name: "out"}
		list, err := Text(in, parseEdits(t, part("edits")))
		if err != nil {
			result = txtar.File{Name: "refused", Data: []byte(err.Error() + "\n")}
		} else {
			result.Data = []byte(Apply(in, list))
		}
		if *update {
			archive.Files = append(slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "out" || f.Name == "refused" }), result)
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if want := part(result.Name); want != string(result.Data) {
			t.Errorf("%s:\n%s\nwant:\n%s", result.Name, result.Data, want)
		}
	})
}

// parseEdits reads lines such as: set spec.replicas 3.
func parseEdits(t *testing.T, text string) (list []Edit) {
	t.Helper()
	for line := range strings.Lines(text) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 3)
		p, err := fieldpath.Parse(words[1])
		if err != nil {
			t.Fatal(err)
		}
		switch words[0] {
		case "remove":
			list = append(list, Remove(p))
		case "rename":
			list = append(list, Rename(p, words[2]))
		case "set", "append":
			obj, err := source.Decode("value: " + words[2])
			if err != nil {
				t.Fatal(err)
			}
			if words[0] == "append" {
				list = append(list, Append(p, obj["value"]))
			} else {
				list = append(list, Set(p, obj["value"]))
			}
		default:
			t.Fatalf("no edit is called %q", words[0])
		}
	}
	return list
}
