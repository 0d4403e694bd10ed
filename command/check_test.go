package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	lintcommand "threeway/command/lint"
	"threeway/command/request"
	"threeway/command/run"
	"threeway/command/system"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge/manifest"
)

// inPlace are what a rehearsal reads in place of files: what an editor or a page holds
// in memory. What is nil is read as the command line reads it.
type inPlace struct {
	// In is standard input, for -f -.
	In io.Reader
	// Instead returns the text to use instead of a manifest on disk.
	Instead func(file string) (text []byte, ok bool)
	// Exports reads the snapshot of --live.
	Exports func(manifest.Options) *manifest.Snapshot
}

// lintOf is what a command line of lint finds, with nothing printed: the rehearsal and
// the findings.
func lintOf(ctx context.Context, args []string, from inPlace) (in lint.Input, result *lint.Result, err error) {
	stdin := from.In
	if stdin == nil {
		stdin = strings.NewReader("")
	}
	result = &lint.Result{}
	p := &run.Program{Std: system.Streams{In: stdin, Out: io.Discard, Err: io.Discard}}
	app := newApp(p)
	command := app.Command("lint")
	command.Action = func(c *cli.Context) error {
		r, err := request.Resolve(c)
		if err != nil {
			return err
		}
		r.Instead, r.Exports = from.Instead, from.Exports
		l, err := lintcommand.RunRules(c.Context, r, p.Std)
		if l != nil {
			in, result = l.Input, l.Result
		}
		return err
	}
	permuted, _, err := permute(app, args)
	if err == nil {
		err = app.RunContext(ctx, permuted)
	}
	return in, result, err
}

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
	of := func(args []string, from inPlace) string {
		_, found, err := lintOf(context.Background(), append([]string{"threeway", "lint"}, args...), from)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := report.JSON(&b, found, report.Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := of([]string{"-f", "web.yaml", "--live", "live.yaml"}, inPlace{})
	if !strings.Contains(want, `"rule"`) {
		t.Fatalf("the example has no findings: %s", want)
	}
	snapshot := manifest.ReadSnapshot(manifest.Options{Paths: []string{"live.yaml"}})
	kept := inPlace{
		In:      strings.NewReader(manifests),
		Exports: func(manifest.Options) *manifest.Snapshot { return snapshot },
	}
	if got := strings.ReplaceAll(of([]string{"-f", "-", "--live", "live.yaml"}, kept), manifest.Stdin, "web.yaml"); got != want {
		t.Errorf("from memory:\n%s\nfrom files:\n%s", got, want)
	}
	write("web.yaml", "half: [")
	kept.Instead = func(file string) ([]byte, bool) { return []byte(manifests), file == "web.yaml" }
	if got := of([]string{"-f", "web.yaml", "--live", "live.yaml"}, kept); got != want {
		t.Errorf("unsaved:\n%s\nfrom files:\n%s", got, want)
	}
}
