package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/fixtures"
	"threeway/lint"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/text/yamltext"
)

// TestFixesWork follows every fix that a finding describes as an edit, of all
// examples and stories of the rules and of all recorded cases, and looks again:
// the finding is gone, and there is no error that was not there before.
func TestFixesWork(t *testing.T) {
	followed, findings := map[string]int{}, 0
	follow := func(name, config string, look func(config string) *lint.Result) {
		before := look(config)
		findings += len(before.Findings)
		for _, f := range before.Findings {
			o, edits := f.Edits()
			edits = append(slices.Clip(edits), f.Suggested()...)
			if len(edits) == 0 || o == nil || followed[f.Rule.ID] >= 250 {
				continue // the rest is more of the same
			}
			fixed, err := edited(config, o, edits)
			if err != nil {
				t.Errorf("%s: %s: %s: %v", name, f.Rule.ID, f.Fix, err)
				continue
			}
			followed[f.Rule.ID]++
			problems := worse(f, before, look(fixed))
			if len(problems) > 0 {
				// One fix may need the others of the object: a field that needs another.
				if fixed, err := edited(config, o, together(f, before)); err == nil {
					problems = worse(f, before, look(fixed))
				}
			}
			for _, problem := range problems {
				if unmasked[name+" "+f.Rule.ID] != "" {
					continue
				}
				t.Errorf("%s: %s: %s\n\tfix: %s\n\t%s", name, f.Rule.ID, f.Message, f.Fix, problem)
			}
		}
	}
	for _, r := range All() {
		for name, e := range ruleExamples(t, r) {
			follow(r.ID+"/"+name, e.Config, func(config string) *lint.Result {
				e.Config = config
				return lintExample(t, e, "")
			})
		}
	}
	cases, err := fixtures.Load(os.DirFS(filepath.Join(home, "../fixtures")), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for i, a := range c.Answers {
			if a.Step.Verb == "run" || len(a.Step.Config()) != 1 {
				continue
			}
			opts, ok := recordedOptions(a)
			if !ok {
				continue
			}
			follow(fmt.Sprintf("%s/%d", c.Name(), i+1), c.Files[a.Step.Config()[0]], func(config string) *lint.Result {
				return lintText(t, opts, config, a.Live)
			})
		}
	}
	total := 0
	for _, r := range All() {
		total += followed[r.ID]
		if followed[r.ID] > 0 {
			t.Logf("%s: %d fixes", r.ID, followed[r.ID])
		}
	}
	t.Logf("%d findings, %d fixes followed", findings, total)
}

// unmasked are fixes after which the server finds the next fault, with the fault.
var unmasked = map[string]string{
	"api-version-shift/gone-versions api-version-shift":    "the manifests of the story lack required fields",
	"immutable-field-change/server-side implicit-selector": "a live Job without a selector, which no server stores",
	"updates/devices/1 immutable-field-change":             "the other half of a one-of changes with it",
	"updates/pods-gated/1 apply-rejected":                  "the manifest leaves out another gate",
	"validation/workloads/1 implicit-pod-labels":           "the manifest has no containers",
}

// together are the edits of all findings about the object of one.
func together(f *lint.Finding, res *lint.Result) (edits []edit.Edit) {
	for _, x := range res.Findings {
		if x.Object == f.Object {
			_, own := x.Edits()
			edits = append(append(edits, own...), x.Suggested()...)
		}
	}
	return edits
}

// worse says what is wrong after the fix of a finding.
func worse(f *lint.Finding, before, after *lint.Result) (problems []string) {
	had := map[string]bool{}
	for _, x := range before.Findings {
		if x.Severity == lint.Error {
			had[x.Rule.ID+" "+x.Object] = true
		}
	}
	same := func(x *lint.Finding) bool {
		return x.Rule == f.Rule && x.Object == f.Object && x.Path.Equal(f.Path) && x.Message == f.Message
	}
	if numberOf(after, same) >= numberOf(before, same) {
		problems = append(problems, "the finding is still there")
	}
	for _, x := range after.Findings {
		switch {
		case same(x):
		case x.Severity == lint.Error && x.Object == f.Object && x.Path.Equal(f.Path) && f.Severity == lint.Error:
			problems = append(problems, "the field is still an error: "+x.Message)
		case x.Severity == lint.Error && !had[x.Rule.ID+" "+x.Object] && !noted(f, x):
			problems = append(problems, "a new error: "+x.Message)
		}
	}
	return problems
}

func numberOf(res *lint.Result, is func(*lint.Finding) bool) (n int) {
	for _, f := range res.Findings {
		if is(f) {
			n++
		}
	}
	return n
}

// noted reports whether a finding said already that the object is rejected for
// what another one is about.
func noted(f, x *lint.Finding) bool {
	return x.Object == f.Object && slices.ContainsFunc(f.Notes, func(note string) bool {
		return strings.Contains(note, "also rejected: ")
	})
}

// edited is a config with the edits of one of its objects.
func edited(config string, o *manifest.Object, edits []edit.Edit) (string, error) {
	var b strings.Builder
	set := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(config)})
	for _, x := range set.Objects {
		obj := x.Tree
		if x.Origin.Document == o.Origin.Document && x.Name == o.Name && x.Kind == o.Kind {
			var err error
			if obj, err = edit.Object(obj, edits); err != nil {
				return "", err
			}
		}
		b.WriteString("---\n" + yamltext.YAML(obj))
	}
	return b.String(), nil
}

// ruleExamples are all examples and stories of a rule.
func ruleExamples(t *testing.T, r *lint.Rule) map[string]lint.Example {
	t.Helper()
	x := Examples(r)
	list := map[string]lint.Example{"bad": x.Bad}
	if x.Repairable.Config != "" {
		list["repairable"] = x.Repairable
	}
	data, err := os.ReadFile(filepath.Join(home, "testdata", r.ID, "stories.txtar"))
	if err != nil {
		return list
	}
	archive := txtar.Parse(data)
	for _, f := range archive.Files {
		if slug, file, _ := strings.Cut(f.Name, "/"); file == "config.yaml" {
			list[slug] = story(archive, slug)
		}
	}
	return list
}

// recordedOptions are those of a recorded answer; ok is false if it has flags
// that are not about one apply.
func recordedOptions(a fixtures.Answer) (opts merge.Options, ok bool) {
	opts.Namespace = "default"
	for _, flag := range a.Step.Flags() {
		switch flag {
		case "--server-side":
			opts.ServerSide = &merge.ServerSide{Manager: merge.DefaultManager}
		case "--force-conflicts":
			if opts.ServerSide == nil {
				return opts, false
			}
			opts.ServerSide.Force = true
		default:
			return opts, false
		}
	}
	return opts, true
}

// lintText lints a config against live objects.
func lintText(t *testing.T, opts merge.Options, config, live string) *lint.Result {
	t.Helper()
	opts.Config = manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(config)})
	opts.Live = manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(live)})
	plan, err := merge.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return lint.Run(All(), lint.Input{Plan: plan, Options: opts, Source: func(string) string { return "" }}, lint.Options{})
}
