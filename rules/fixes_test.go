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
		fixes := proposed(t, name, before)
		for len(fixes) > 0 {
			round, rest := oneForEachObject(fixes)
			fixes = rest
			after := look(edited(t, config, round...))
			for _, x := range round {
				followed[x.Rule.ID]++
				problems := worse(x.Finding, before, after)
				if len(problems) > 0 && len(round) > 1 {
					problems = worse(x.Finding, before, look(edited(t, config, x)))
				}
				if all := together(x, before); len(problems) > 0 && all.possible() == nil {
					// One fix may need the others of the object: a field that needs another.
					problems = worse(x.Finding, before, look(edited(t, config, all)))
				}
				for _, problem := range problems {
					if unmasked[name+" "+x.Rule.ID] == "" {
						t.Errorf("%s: %s: %s\n\tfix: %s\n\t%s", name, x.Rule.ID, x.Message, x.Fix, problem)
					}
				}
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

// proposal is a finding whose fix is an edit of its object.
type proposal struct {
	*lint.Finding
	object *manifest.Object
	edits  []edit.Edit
}

// possible is nil if the edits can be made.
func (x proposal) possible() error {
	_, err := edit.Object(x.object.Tree, x.edits)
	return err
}

// proposed are the fixes that findings describe as edits which can be made.
func proposed(t *testing.T, name string, res *lint.Result) (list []proposal) {
	t.Helper()
	for _, f := range res.Findings {
		o, edits := f.Edits()
		x := proposal{f, o, append(slices.Clip(edits), f.Suggested()...)}
		if o == nil || len(x.edits) == 0 {
			continue
		}
		if err := x.possible(); err != nil {
			t.Errorf("%s: %s: %s: %v", name, f.Rule.ID, f.Fix, err)
			continue
		}
		list = append(list, x)
	}
	return list
}

// oneForEachObject takes the first fix of each object: they are followed at once.
func oneForEachObject(fixes []proposal) (round, rest []proposal) {
	for _, x := range fixes {
		if slices.ContainsFunc(round, func(y proposal) bool { return sameObject(x.object, y.object) }) {
			rest = append(rest, x)
		} else {
			round = append(round, x)
		}
	}
	return round, rest
}

func sameObject(a, b *manifest.Object) bool {
	return a.Origin.Document == b.Origin.Document && a.Name == b.Name && a.Kind == b.Kind
}

// together is a fix with those of all findings about its object.
func together(one proposal, res *lint.Result) proposal {
	one.edits = nil
	for _, x := range res.Findings {
		if x.Object == one.Object {
			_, own := x.Edits()
			one.edits = append(append(one.edits, own...), x.Suggested()...)
		}
	}
	return one
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

// edited is a config after fixes, of which edit.Object can make each.
func edited(t *testing.T, config string, fixes ...proposal) string {
	t.Helper()
	var b strings.Builder
	set := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(config)})
	for _, o := range set.Objects {
		obj := o.Tree
		for _, x := range fixes {
			if !sameObject(o, x.object) {
				continue
			}
			var err error
			if obj, err = edit.Object(obj, x.edits); err != nil {
				t.Fatalf("%s: %s: %v", x.Rule.ID, x.Fix, err)
			}
		}
		b.WriteString("---\n" + yamltext.YAML(obj))
	}
	return b.String()
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
