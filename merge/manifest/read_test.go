package manifest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/merge/kube/schema"
)

var update = flag.Bool("update", false, "write what was read into the want files of testdata")

// TestRead reads the files of each archive as the flags in its "args" say, and
// compares what was read with its "want".
func TestRead(t *testing.T) {
	archives, err := filepath.Glob("testdata/read/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { testArchive(t, path) })
	}
}

func testArchive(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	args, want := "", -1
	for i, f := range archive.Files {
		switch f.Name {
		case "args":
			args = string(f.Data)
		case "want":
			want = i
		default:
			if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := describe(readArgs(t, strings.Fields(args)))
	if *update {
		archive.Files[want].Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got != string(archive.Files[want].Data) {
		t.Errorf("got\n%s\nwant\n%s", got, archive.Files[want].Data)
	}
}

// readArgs reads as a command with the flags would: -f, -R, -n and --live.
func readArgs(t *testing.T, args []string) *Set {
	opts, builder := Options{}, Builder{Scope: testScope}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-R":
			opts.Recursive = true
		case "-n":
			i++
			builder.Namespace, builder.Enforce = args[i], true
		case "-f":
			i++
			opts.Paths = append(opts.Paths, strings.Split(args[i], ",")...)
		case "--live":
			i++
			opts.Paths = []string{args[i]}
			live := ReadSnapshot(opts)
			return &Set{Objects: slices.Collect(live.Objects()), Problems: live.Problems}
		}
	}
	if stdin, err := os.Open("stdin"); err == nil {
		t.Cleanup(func() { stdin.Close() })
		opts.Stdin = stdin
	}
	set := Read(opts)
	set.Build(builder)
	return set
}

func testScope(k schema.Kind) (namespaced, known bool) {
	return !slices.Contains([]string{"Namespace", "ClusterRole"}, k.Kind), k.Kind != "Widget"
}

func describe(s *Set) string {
	var b strings.Builder
	for _, o := range s.Objects {
		line, column, _ := o.Position(nil)
		fmt.Fprintf(&b, "%s from %s:%d:%d, document %d from line %d\n", o.ID(), o.Origin.File, line, column, o.Origin.Document, o.Origin.Line)
	}
	for _, p := range s.Problems {
		fmt.Fprintln(&b, p)
	}
	return b.String()
}
