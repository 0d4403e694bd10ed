package docs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/command"
	"threeway/merge/workflow"
)

// recipes has the examples: what is applied (before), what is wanted (deploy), besides the live
// objects that controllers make (live), and what a real cluster answered to the steps (server).
const recipes = "merge/workflow/testdata"

// step is one as the review says it.
type step struct {
	Text, Meanwhile string
	Files, Commands []string
}

// example is one change with the steps for it.
type example struct {
	name, recipe string
	archive      *txtar.Archive
	steps        []step
	text         string // the steps as the text has them
}

// unpack writes the files of an example and goes to them.
func (e *example) unpack(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, f := range e.archive.Files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// read runs review on an example.
func (e *example) read(t *testing.T) {
	t.Helper()
	run := func(format ...string) []byte {
		var stdout, stderr bytes.Buffer
		args := append([]string{"threeway", "review", "-f", "deploy", "--base", "before", "--config=", "-q", "--no-fail"}, format...)
		if code := command.Run(context.Background(), args, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Fatalf("%s: %d %s", e.name, code, stderr.String())
		}
		return stdout.Bytes()
	}
	var report struct {
		Lint struct {
			Findings []struct {
				Remedy struct {
					ID    string
					Steps []step
				}
			}
		}
	}
	if err := json.Unmarshal(run("-o", "json"), &report); err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Lint.Findings {
		if e.steps == nil && f.Remedy.Steps != nil {
			e.recipe, e.steps = f.Remedy.ID, f.Remedy.Steps
		}
	}
	text := string(run("--steps"))
	from := strings.Index(text, "\n1. ")
	if from < 0 {
		t.Fatalf("%s has no steps:\n%s", e.name, text)
	}
	e.text = text[from+1:]
	for _, end := range []string{"\n✗ ", "\n! "} {
		e.text, _, _ = strings.Cut(e.text, end)
	}
}

func examples(t *testing.T) (list []*example) {
	files, err := filepath.Glob(filepath.Join(recipes, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, &example{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), archive: a})
	}
	return list
}

// TestSteps follows the patches of each example with git apply: in the end the manifests are as
// wanted. What a real cluster was asked is what the steps say, and the page has them.
func TestSteps(t *testing.T) {
	all := examples(t)
	page := filepath.Join(must(os.Getwd()), "docs/steps.md")
	for _, e := range all {
		t.Run(e.name, func(t *testing.T) {
			e.unpack(t)
			e.read(t)
			if !strings.HasPrefix(e.name, e.recipe) {
				t.Errorf("the recipe is %s", e.recipe)
			}
			var asked []string
			for i, s := range e.steps {
				for _, patch := range s.Files {
					apply := exec.Command("git", "apply")
					apply.Stdin = strings.NewReader(patch)
					if out, err := apply.CombinedOutput(); err != nil {
						t.Fatalf("step %d: git apply: %s\n%s", i+1, out, patch)
					}
				}
				asked = append(asked, s.Commands...)
			}
			for _, f := range e.archive.Files {
				if now, _ := os.ReadFile(f.Name); strings.HasPrefix(f.Name, "deploy/") && !bytes.Equal(now, f.Data) {
					t.Errorf("%s is in the end\n%s", f.Name, now)
				}
			}
			var answered []string
			for line := range strings.Lines(e.section("server")) {
				if command, is := strings.CutPrefix(line, "$ "); is {
					answered = append(answered, strings.TrimSuffix(command, "\n"))
				}
			}
			for i, command := range asked {
				asked[i], _, _ = strings.Cut(command, "\n")
			}
			if !slices.Equal(asked, answered) {
				t.Errorf("a real cluster was asked %q, and the steps are %q: see TestStepsOnServer", answered, asked)
			}
		})
	}
	text := pageOfSteps(t, all)
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if now := string(must(os.ReadFile(page))); now != text {
		t.Error("docs/steps.md is out of date: go test ./docs -run TestSteps -update")
	}
}

// measured says what happened on a real cluster.
func (e *example) measured() string {
	var said []string
	for line := range strings.Lines(e.section("server")) {
		if note, is := strings.CutPrefix(line, "# "); is {
			said = append(said, strings.TrimSpace(note))
		}
	}
	return "On a real cluster: `" + strings.Join(said, "`; `") + "`."
}

func (e *example) section(name string) string {
	for _, f := range e.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// pageOfSteps is the page: each recipe with its first example.
func pageOfSteps(t *testing.T, all []*example) string {
	var b strings.Builder
	b.WriteString(`# Change it without an outage

Some changes cannot be applied at once, or not without a gap. ` + "`threeway review`" + ` names the way at the finding, and ` + "`--steps`" + ` prints it: what to edit, apply, run and
wait for, made from the manifests and live objects at hand. Each step is rehearsed on what the one before leaves, and the steps are printed only if none is rejected, no
Service that has endpoints is ever without, and the manifests are in effect in the end. Otherwise the finding says why no steps are known.

The patches are for ` + "`git apply`" + `, one after the other; the last one leaves the files as they were. A manifest that is rendered, by Helm or Kustomize, is to be edited by hand,
which the step says. Argo CD and Flux apply by themselves and may do so between the steps: for them none are printed.

A rehearsal knows nothing of time. ` + "`kubectl rollout status`" + ` waits as long as pods need, connections that are open end with their pods, and proxies learn of endpoints a moment
after the API server.

Below each example stands what a real kube-apiserver and kube-controller-manager 1.36 did: with the manifests applied at once, then with the steps. There were no nodes: pods became
ready one second after they were made.
`)
	for _, r := range workflow.Recipes {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\nFindings: ", r.Title, r.Text)
		for i, rule := range r.Rules {
			b.WriteString(strings.Repeat(", ", min(i, 1)) + fmt.Sprintf("[`%s`](rules/%s.md)", rule, rule))
		}
		b.WriteString(".")
		if r.Links != nil {
			b.WriteString(" People have met it in " + strings.Join(r.Links, ", ") + ".")
		}
		at := slices.IndexFunc(all, func(e *example) bool { return e.name == r.ID })
		if at < 0 {
			t.Errorf("%s has no example", r.ID)
			continue
		}
		fmt.Fprintf(&b, "\n\n%s\n\n```text\n%s```\n\n%s\n", strings.TrimSpace(string(all[at].archive.Comment)), all[at].text, all[at].measured())
	}
	return b.String()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
