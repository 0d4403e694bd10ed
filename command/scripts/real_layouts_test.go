package scripts_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"threeway/fixtures/breadth"
	"threeway/merge/manifest"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

// lastAppliedValue matches a value of a Secret in last-applied, which must-gather
// empties, so that nothing tells whether it differs.
var lastAppliedValue = regexp.MustCompile(`("password":"\*\*\*) \((?:before|after)\)`)

// ofLayout is what the layout of an export decides: lines of it below a finding, and
// which kinds it is known to hold.
var ofLayout = regexp.MustCompile(`(?m)^ *\d* +\|.*\n|, incomplete: .*$|, \d+ to decide$|incomplete: [^;\n]*; |^(?:\? .*\n)+\n`)

// scriptReal is the script command `real EXPORT PLAIN`: one of testdata/layouts, which
// the real programs have made of one cluster, gives the answers of the plain export
// of the objects that it has, to one of four commands and with THREEWAY_MATRIX=all to all.
func scriptReal(ts *testscript.TestScript, _ bool, args []string) {
	folder := ts.Getenv("LAYOUTS")
	data, err := os.ReadFile(filepath.Join(folder, args[0]))
	ts.Check(err)
	export := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(export, data, 0o666))
	like := ts.MkAbs("plain.yaml")
	ts.Check(os.WriteFile(like, []byte(likeExport(filepath.Join(folder, args[1]), export)), 0o666))
	exports, err := os.ReadDir(folder)
	ts.Check(err)
	which := slices.IndexFunc(exports, func(f os.DirEntry) bool { return f.Name() == args[0] })
	for i, command := range []string{"diff -o fields", "diff --server-side --force-conflicts", "lint", "review"} {
		if !breadth.Has(which+i, 4) {
			continue
		}
		var answers []string
		for _, live := range []string{like, export} {
			err := ts.Exec("threeway", append(strings.Fields(command), "-f", "manifests", "--live", live)...)
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				ts.Fatalf("%v", err)
			}
			place := regexp.MustCompile(regexp.QuoteMeta(live) + `[^\s"):]*(:\d+)*`)
			answer := place.ReplaceAllString(ts.ReadFile("stdout"), "LIVE")
			answer = ofLayout.ReplaceAllString(answer, "")
			answer = lastAppliedValue.ReplaceAllString(answer, "$1")
			if err != nil {
				answer += err.Error()
			}
			answers = append(answers, answer)
		}
		switch {
		case answers[0] != answers[1]:
			ts.Fatalf("threeway %s with the plain export:\n%s\nwith %s:\n%s", command, answers[0], args[0], answers[1])
		case !strings.Contains(answers[0], "web"):
			ts.Fatalf("threeway %s says nothing:\n%s", command, answers[0])
		}
	}
}

// likeExport is the part of the plain export that another one has, without
// managedFields where that one has none.
func likeExport(plain, export string) string {
	read := func(path string) *manifest.Snapshot {
		return manifest.ReadSnapshot(manifest.Options{Paths: []string{path}, Recursive: true})
	}
	all, other := read(plain), read(export)
	var items []any
	for _, e := range all.Entries {
		found := other.Find(e.ID())
		if found == nil {
			continue
		}
		o := tree.CopyObject(e.Object().Tree)
		if !tree.Has(found.Tree, "metadata", "managedFields") {
			tree.Delete(o, "metadata", "managedFields")
		}
		items = append(items, o)
	}
	return yamltext.YAML(tree.Object{"apiVersion": "v1", "kind": "List", "items": items})
}
