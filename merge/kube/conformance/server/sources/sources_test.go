package sources

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"threeway/fixtures"
)

var update = flag.Bool("update", false, "write the rows of fixtures/warnings.md; after it: go test -run TestWarned ./fixtures -update")

// releases are those of the minors that stories are recorded on.
var releases = []string{"30.14", "33.13", "35.4", "36.3", "37.1"}

const page = "../../../../../fixtures/warnings.md"

// TestPage holds the texts of fixtures/warnings.md to the sources of the releases.
func TestPage(t *testing.T) {
	minors := map[Source][]string{}
	for _, release := range releases {
		list, err := Read(downloaded(t, release))
		if err != nil {
			t.Fatal(err)
		}
		minor, _, _ := strings.Cut(release, ".")
		for _, s := range append(list, Foreign...) {
			minors[s] = append(minors[s], minor)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := fixtures.ReadWarned(string(text))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[Source]string{}
	for _, r := range rows {
		shown[Source{r.Text, r.File}] = r.Shown
	}
	rows = nil
	for s, list := range minors {
		rows = append(rows, fixtures.Warned{Text: s.Text, File: s.File, Minors: strings.Join(list, " "), Shown: shown[s]})
	}
	want, err := fixtures.WriteWarned(string(text), rows)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s does not have the texts of the sources; -update writes them", page)
	}
	t.Logf("%d texts of %d releases", len(rows), len(releases))
}

// downloaded are the folders of the modules of a release.
func downloaded(t *testing.T, release string) map[string]string {
	t.Helper()
	args := []string{"mod", "download", "-json"}
	for module := range modules {
		major := "0."
		if module == "k8s.io/kubernetes" {
			major = "1."
		}
		args = append(args, module+"@v"+major+release)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var m struct{ Path, Dir string }
		if err := d.Decode(&m); err != nil {
			t.Fatal(err)
		}
		dirs[m.Path] = m.Dir
	}
	return dirs
}
