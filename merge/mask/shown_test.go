package mask

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/tree"
)

var update = flag.Bool("update", false, "write what is shown into testdata/shown.txt")

// TestShown shows the objects of testdata/objects.jsonl in every way and compares
// with testdata/shown.txt. In the objects, values to hide begin with hush: none
// may be left; what begins with open must not be masked.
func TestShown(t *testing.T) {
	in, err := os.Open("testdata/objects.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var objects []tree.Object
	for lines := bufio.NewScanner(in); lines.Scan(); {
		objects = append(objects, object(t, lines.Text()))
	}
	var out strings.Builder
	show := func(how string, o tree.Object) {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(o); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s: %s", how, b.String())
		if strings.Contains(b.String(), "hush") {
			t.Errorf("%s shows what is to be hidden: %s", how, b.String())
		}
	}
	p := policy(t)
	for i, o := range objects {
		before := text(o)
		show("\nobject", p.Object(o))
		if was, is := strings.Count(before, "open"), strings.Count(text(p.Object(o)), "open"); was != is {
			t.Errorf("%d of %d open values are shown: %s", is, was, before)
		}
		fmt.Fprintf(&out, "holds %v, is a Secret %v, hidden %s\n", p.Holds(o), IsSecret(o), p.Hidden(o))
		for j, other := range objects {
			same := tree.String(o, "kind") == tree.String(other, "kind") && tree.String(o, "apiVersion") == tree.String(other, "apiVersion")
			if j <= i || !same {
				continue
			}
			a, b := p.Pair(o, other)
			show(fmt.Sprintf("beside %d", j), a)
			show(fmt.Sprintf("and it beside %d", i), b)
		}
		bare := tree.CopyObject(o)
		delete(bare, "apiVersion")
		delete(bare, "kind")
		show("without its kind", p.As(o, bare))
		if text(o) != before {
			t.Errorf("the object is changed: %s", before)
		}
	}
	for _, path := range []string{"spec.users[token=hush].name", "spec.users[name=a].token", "spec.nested[=hush]", "spec.nested[0].a", "spec.users[0].token[1]", "spec.other[token=open]", "metadata.labels", "spec.password"} {
		parsed, err := fieldpath.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "path %s: %s\n", path, p.Path(objects[0], parsed))
	}
	if *update {
		if err := os.WriteFile("testdata/shown.txt", []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/shown.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(out.String(), "\n") {
		if lines := strings.Split(string(want), "\n"); i >= len(lines) || lines[i] != line {
			t.Fatalf("line %d of testdata/shown.txt should be\n%s", i+1, line)
		}
	}
}
