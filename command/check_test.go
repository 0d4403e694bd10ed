package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threeway/lint/report"
	"threeway/merge/manifest"
)

// TestCheckInMemory holds a check of texts in memory to lint of the same texts in
// files.
func TestCheckInMemory(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("../fixtures/example", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	manifests, live := read("config/deployment.yaml"), read("live.yaml")
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("web.yaml", manifests)
	write("live.yaml", live)
	of := func(args []string, sources Sources) string {
		_, found, err := Check(context.Background(), append([]string{"threeway", "lint"}, args...), sources)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := report.JSON(&b, found, report.Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := of([]string{"-f", "web.yaml", "--live", "live.yaml"}, Sources{})
	if !strings.Contains(want, `"rule"`) {
		t.Fatalf("the example has no findings: %s", want)
	}
	snapshot := manifest.ReadSnapshot(manifest.Options{Paths: []string{"live.yaml"}})
	kept := Sources{
		In:      strings.NewReader(manifests),
		Exports: func(manifest.Options) *manifest.Snapshot { return snapshot },
	}
	if got := of([]string{"-f", "-", "--stdin-name", "web.yaml", "--live", "live.yaml"}, kept); got != want {
		t.Errorf("from memory:\n%s\nfrom files:\n%s", got, want)
	}
	write("web.yaml", "half: [")
	kept.Instead = func(file string) ([]byte, bool) { return []byte(manifests), file == "web.yaml" }
	if got := of([]string{"-f", "web.yaml", "--live", "live.yaml"}, kept); got != want {
		t.Errorf("unsaved:\n%s\nfrom files:\n%s", got, want)
	}
}
