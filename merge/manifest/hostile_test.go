//go:build unix

package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"threeway/merge/fieldpath"
	"threeway/merge/text/source"
)

// TestNoFiles: what a directory has besides files is named, and the rest read.
func TestNoFiles(t *testing.T) {
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	object := "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"
	must(os.WriteFile(filepath.Join(dir, "good.yaml"), []byte(object), 0o600))
	must(syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600))
	must(os.Symlink("/dev/zero", filepath.Join(dir, "zero.yaml")))
	must(os.Symlink("nowhere", filepath.Join(dir, "dangling.yaml")))
	must(os.Symlink("loop.yaml", filepath.Join(dir, "loop.yaml")))
	must(os.Symlink(".", filepath.Join(dir, "self.yaml")))
	opts := Options{Paths: []string{dir}, Recursive: true}
	set, snapshot := Read(opts), ReadSnapshot(opts)
	if len(set.Objects) != 1 || len(snapshot.Entries) != 1 {
		t.Errorf("%d and %d objects", len(set.Objects), len(snapshot.Entries))
	}
	var refused, passed []string
	for _, p := range set.Problems {
		refused = append(refused, filepath.Base(p.File))
	}
	for _, p := range snapshot.Gathered[0].Names {
		passed = append(passed, filepath.Base(p.Name))
	}
	for _, names := range [][]string{refused, passed} {
		if got := strings.Join(names, " "); got != "dangling.yaml loop.yaml pipe.yaml self.yaml zero.yaml" {
			t.Errorf("problems with %s: %v, %v", got, Err(set.Problems), Err(snapshot.Problems))
		}
	}
}

// TestHostileTexts: each is read, or refused with a place, in little time.
func TestHostileTexts(t *testing.T) {
	begin := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n"
	bomb := begin + "  a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := byte('b'); c <= 'i'; c++ {
		bomb += "  " + string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "]\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"aliases":        {bomb, "excessive aliasing"},
		"deep YAML":      {begin + "  a: " + strings.Repeat("[", 20000), "exceeded max depth"},
		"deep JSON":      {`{"apiVersion":"v1","a":` + strings.Repeat("[", 20000), "exceeded max depth"},
		"a cycle":        {begin + "  a: &a {b: *a}\n", "contains itself"},
		"NUL":            {begin + "  a: \x00\n", "binary file"},
		"separators":     {strings.Repeat("---\n", 1000000), ""},
		"keys twice":     {`{"apiVersion":"v1","kind":"X","metadata":{"name":"a"},` + strings.Repeat(`"a":"b",`, 200000) + `"a":"b"}`, ""},
		"many elements":  {begin + "  a: [" + strings.Repeat("x,", 300000) + "]\n", ""},
		"an open string": {begin + "  a: \"" + strings.Repeat("x\n", 300000), "unexpected end of stream"},
	} {
		start := time.Now()
		file := filepath.Join(t.TempDir(), "a.yaml")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		set := Read(Options{Paths: []string{file}})
		err := Err(set.Problems)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || set.Problems[0].Line == 0):
			t.Errorf("%s: no %q with a line in %v", name, c.want, err)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
		if len(set.Problems) > source.MaxDuplicates {
			t.Errorf("%s: %d problems", name, len(set.Problems))
		}
	}
}

func TestMoreThanCanBeHeld(t *testing.T) {
	opts := Options{Paths: []string{"-"}, Limits: Limits{Input: 10}}
	for _, read := range []func() []Problem{
		func() []Problem { opts.Stdin = strings.NewReader(strings.Repeat(" ", 11)); return Read(opts).Problems },
		func() []Problem {
			opts.Stdin = strings.NewReader(strings.Repeat(" ", 11))
			return ReadSnapshot(opts).Problems
		},
	} {
		if err := Err(read()); err == nil || !strings.Contains(err.Error(), "the limit of THREEWAY_MAX_INPUT") {
			t.Errorf("11 bytes where 10 are allowed: %v", err)
		}
	}
	opts.Stdin = strings.NewReader(strings.Repeat(" ", 10))
	if err := Err(Read(opts).Problems); err != nil {
		t.Errorf("10 bytes where 10 are allowed: %v", err)
	}
}

// TestTooGeneral: of documents that are read in one pass any size is read that may
// be held, of others a part, and positions in the large ones are those of objects.
func TestTooGeneral(t *testing.T) {
	limits := Limits{Input: (4 << 20) * 16}
	item := func(i int) string {
		return fmt.Sprintf("- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c%d\n  data:\n    a: %s\n", i, strings.Repeat("x", 1<<20))
	}
	list := "apiVersion: v1\nkind: List\nitems:\n" + item(0) + item(1) + item(2) + item(3)
	read := func(text string) (*Set, error) {
		set := Read(Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Limits: limits})
		return set, Err(set.Problems)
	}
	set, err := read(list)
	if err != nil || len(set.Objects) != 4 {
		t.Fatalf("block YAML: %d objects, %v", len(set.Objects), err)
	}
	for i, o := range set.Objects {
		if line, column, exact := o.Position(fieldpath.New("data", "a")); line != 4+6*i || column != 3 || exact {
			t.Errorf("item %d: %d:%d, %v", i, line, column, exact)
		}
		if line, _, exact := o.Position(nil); line != 4+6*i || !exact {
			t.Errorf("item %d begins in line %d, %v", i, line, exact)
		}
	}
	for name, text := range map[string]string{
		"an anchor":        "x: &a 1\n" + list,
		"a key twice":      list + "kind: List\n",
		"a later document": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\nx: &a 1\n" + list,
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), "neither JSON nor plain YAML") {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}

// TestItemsInOneLine: what is found out of a document is found once, not for each of its objects.
func TestItemsInOneLine(t *testing.T) {
	item := "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"
	text := strings.Repeat("# comment\n", 10000) + "{apiVersion: v1, kind: List, items: [" + strings.Repeat(item+", ", 50000) + item + "]}\n"
	start := time.Now()
	set := Read(Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err := Err(set.Problems); err != nil || len(set.Objects) != 50001 || set.Objects[50000].Origin.Line != 10001 {
		t.Fatalf("%d objects, %v", len(set.Objects), err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("50000 objects in a line take %v", took)
	}
}
