package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../../../.."

func read(t *testing.T) (*ledger, *places) {
	t.Helper()
	l, err := readLedger(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readPlaces("places.txt", root, l)
	if err != nil {
		t.Fatal(err)
	}
	return l, p
}

// TestLedger: each function of the release that decides, or that a strategy reaches, has a
// line with the hash of its text.
func TestLedger(t *testing.T) {
	l, _ := read(t)
	u, err := open(l.release)
	if err != nil {
		t.Fatal(err)
	}
	now, err := u.deciding()
	if err != nil {
		t.Fatal(err)
	}
	if len(now) < 4000 {
		t.Errorf("only %d functions", len(now))
	}
	for _, key := range l.open(now) {
		t.Errorf("not looked at: %s", key)
	}
}

// TestPlaces: each function has a place, which exists, or a reason.
func TestPlaces(t *testing.T) {
	l, p := read(t)
	exact := 0
	for key := range l.hashes {
		place := p.of(key)
		if place == "" {
			t.Errorf("%s: no line of places.txt fits", key)
		}
		if !strings.HasPrefix(place, "-") {
			for _, name := range strings.Fields(place) {
				if _, err := os.Stat(filepath.Join(root, name)); err != nil {
					t.Errorf("%s: %v", key, err)
				}
			}
			if slices.Contains(p.named[key[strings.LastIndexAny(key, " .")+1:]], place) {
				exact++
			}
		}
	}
	t.Logf("%d functions, %d named by a comment of ours", len(l.hashes), exact)
}

// TestPorted: each file of the packages that follow upstream is the place of a function.
func TestPorted(t *testing.T) {
	l, p := read(t)
	var named []string
	for key := range l.hashes {
		named = append(named, strings.Fields(p.of(key))...)
	}
	for _, dir := range []string{"merge/kube/internal", "merge/prune", "merge/by/kubectl"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, e fs.DirEntry, err error) error {
			if e.IsDir() && (e.Name() == "cel" || e.Name() == "openapi") {
				return fs.SkipDir // held to upstream as a whole, by tables and by openapi_test.go
			}
			if err != nil || e.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			name, err := filepath.Rel(root, file)
			if !slices.Contains(own, name) && !slices.ContainsFunc(named, func(place string) bool { return name == place || strings.HasPrefix(name, place+"/") }) {
				t.Errorf("%s follows nothing of upstream's: a line of places.txt or a comment should name it, or own", name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// own are files of those packages that follow no function of upstream's.
var own = []string{
	"merge/kube/internal/server/cluster.go", "merge/kube/internal/server/compared.go", "merge/kube/internal/server/exported.go", "merge/kube/internal/server/forms.go", "merge/kube/internal/server/standing.go", "merge/kube/internal/server/unset.go", "merge/kube/internal/custom/number.go",
	"merge/kube/internal/minors/minors.go", "merge/kube/internal/minors/rows.go", "merge/kube/internal/minors/signs.go",
}

// TestNormalized: what changes no answer changes no hash.
func TestNormalized(t *testing.T) {
	old := `func f() { errs = append(errs, field.Required(p, "").MarkCoveredByDeclarative(), x(ptr.To[int64](5))) }`
	same := "func f() {\n\terrs = append(errs, field.Required(p, \"\").WithOrigin(\"format=x\").MarkBeta(),\n\t\tx(ptr.To(5)))\n}"
	if normalized(old) != normalized(same) {
		t.Error("marks or spaces count")
	}
	if normalized(old) == normalized(strings.Replace(old, "5", "6", 1)) {
		t.Error("a number does not count")
	}
}

// TestGates: the default of a gate is that of the minor.
func TestGates(t *testing.T) {
	text := "\tA: {\n\t\t{Version: version.MustParse(\"1.36\"), Default: false},\n\t\t{Version: version.MustParse(\"1.37\"), Default: true},\n\t},\n" +
		"\tx.B: {\n\t\t{Version: version.MustParse(\"1.37\"), Default: false},\n\t\t{Version: version.MustParse(\"1.37\"), Default: true, MinCompatibilityVersion: version.MustParse(\"1.37\")},\n\t},\n"
	before, after := map[string]bool{}, map[string]bool{}
	gatesIn(text, 36, before)
	gatesIn(text, 37, after)
	if len(before) != 1 || before["A"] || !after["A"] || after["B"] {
		t.Errorf("%v, %v", before, after)
	}
	var told strings.Builder
	if tellGates(&told, before, after); told.String() != "gate A: on, was off\n" {
		t.Error(told.String())
	}
}

// TestTick: what is ticked follows, and the release does when nothing is open.
func TestTick(t *testing.T) {
	l := &ledger{"1.1.0", map[string]string{"p gone": "a", "p same": "b", "p changed": "c"}}
	now := map[string]*function{"p same": {hash: "b"}, "p changed": {hash: "d"}, "p new": {hash: "e"}}
	if open := l.open(now); !slices.Equal(open, []string{"p changed", "p gone", "p new"}) {
		t.Errorf("open: %v", open)
	}
	some := l.tick(now, "1.2.0", glob("p changed"))
	if open := some.open(now); !slices.Equal(open, []string{"p gone", "p new"}) || some.release != "1.1.0" {
		t.Errorf("open: %v, %s", open, some.release)
	}
	if all := some.tick(now, "1.2.0", glob("*")); len(all.open(now)) != 0 || all.release != "1.2.0" {
		t.Errorf("%v", all)
	}
}
