package rules

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/fixtures"
	"threeway/fixtures/breadth"
	"threeway/lint"
	"threeway/lint/fix"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/text/edit"
	"threeway/merge/text/yamltext"
)

// TestFixesWork follows every fix of a finding, of all examples and stories of the
// rules and of all recorded cases, and looks again: the finding is gone, and there
// is no error that was not there before. A fix is followed as the edits that the
// finding has, or as its words say (ways): a command, a flag, an edit for a person
// to make. Each way out of several is followed. A rule of which nothing here can
// follow a fix is in judgement, with the reason.
func TestFixesWork(t *testing.T) {
	breadth.Long(t)
	run := follower{T: t, followed: map[string]int{}, silent: map[string]string{}}
	findings := 0
	follow := func(name string, e lint.Example, plan *merge.Plan, before *lint.Result) {
		findings += len(before.Findings)
		run.edits(name, e, before)
		run.words(name, e, plan, before)
		run.repairs(name, e, before)
	}
	for _, r := range All() {
		examples := ruleExamples(t, r)
		for _, name := range slices.Sorted(maps.Keys(examples)) {
			e := stored(t, examples[name])
			plan, before := examined(t, e)
			follow(r.ID+"/"+name, e, plan, before)
		}
	}
	cases, err := fixtures.Load(os.DirFS(filepath.Join(home, "../fixtures")), ".")
	if err != nil {
		t.Fatal(err)
	}
	for n, c := range cases {
		for i, a := range c.Answers {
			if !breadth.Has(n, 10) || a.Step.Verb == "run" || len(a.Step.Config()) != 1 || !oneApply(a) {
				continue
			}
			e := exampleOf(c, a)
			plan, before := examine(t, t.TempDir(), e)
			follow(fmt.Sprintf("%s/%d", c.Name(), i+1), e, plan, before)
		}
	}
	for rule, fix := range run.silent {
		t.Errorf("%s: nothing follows its fix: %s\n\twrite how in ways_test.go, or why not in judgement_test.go", rule, fix)
	}
	total := 0
	for _, key := range slices.Sorted(maps.Keys(run.followed)) {
		if total += run.followed[key]; testing.Verbose() {
			t.Logf("%4d %s", run.followed[key], key)
		}
	}
	t.Logf("%d findings, %d fixes followed", findings, total)
}

// exampleOf is an answer of a story.
func exampleOf(c *fixtures.Case, a fixtures.Answer) lint.Example {
	return lint.Example{Manifest: c.Files[a.Step.Config()[0]], Live: a.Live, Args: strings.Join(a.Step.Flags(), " ")}
}

// follower follows fixes and counts them.
type follower struct {
	*testing.T
	followed map[string]int
	// silent are the rules of which nothing follows a fix, with the fix.
	silent map[string]string
}

// edits follows the fixes that are edits.
func (t follower) edits(name string, e lint.Example, before *lint.Result) {
	look := func(fixes ...proposal) *lint.Result {
		e := e
		e.Manifest = edited(t.T, e.Manifest, fixes...)
		_, after := examine(t.T, t.TempDir(), e)
		return after
	}
	fixes := slices.DeleteFunc(proposed(t.T, name, before), func(x proposal) bool { return t.followed[x.Rule.ID] >= plenty })
	for len(fixes) > 0 {
		round, rest := oneForEachObject(fixes)
		fixes = rest
		after := look(round...)
		for _, x := range round {
			t.followed[x.Rule.ID]++
			problems := worse(x.Finding, before, after)
			if len(problems) > 0 && len(round) > 1 {
				problems = worse(x.Finding, before, look(x))
			}
			if all := together(x, before); len(problems) > 0 && all.possible() == nil {
				// One fix may need the others of the object: a field that needs another.
				problems = worse(x.Finding, before, look(all))
			}
			for _, problem := range problems {
				if exceptions[name+" "+x.Rule.ID] == "" {
					t.Errorf("%s: %s: %s\n\tfix: %s\n\t%s", name, x.Rule.ID, x.Message, x.Fix, problem)
				}
			}
		}
	}
}

// repairs makes all the edits as lint --fix does, until there are none left: what was
// repaired is gone, and nothing is an error that was none before.
func (t follower) repairs(name string, e lint.Example, before *lint.Result) {
	if !slices.ContainsFunc(before.Findings, func(f *lint.Finding) bool {
		_, edits := f.Edits()
		return len(edits) > 0 && t.followed["--fix, "+f.Rule.ID] < plenty
	}) {
		return
	}
	var after *lint.Result
	repaired, _, err := fix.Rounds(func(r *fix.Repaired) (*fix.Fixer, []*lint.Finding, error) {
		if n := len(r.Changes); n > 0 { // examined works in a new directory each time
			e.Manifest = string(r.Changes[n-1].New)
		}
		_, after = examine(t.T, t.TempDir(), e)
		return fix.New(nil), after.Findings, nil
	})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	had := map[string]bool{}
	for _, x := range before.Findings {
		had[x.Object] = had[x.Object] || x.Severity == lint.Error
	}
	for _, c := range repaired.Changes {
		for _, f := range c.Fixed {
			t.followed["--fix, "+f.Rule.ID]++
			if slices.ContainsFunc(after.Findings, func(x *lint.Finding) bool { return x.Fingerprint() == f.Fingerprint() }) {
				t.Errorf("%s: --fix leaves what it repairs: %s: %s", name, f.Rule.ID, f.Message)
			}
		}
	}
	for _, x := range after.Findings {
		if x.Severity == lint.Error && !had[x.Object] {
			t.Errorf("%s: --fix makes a new error: %s: %s", name, x.Rule.ID, x.Message)
		}
	}
}

// enough is how often a rule's fix is followed in one way, and plenty how often as
// edits: the rest is more of the same.
const (
	enough = 8
	plenty = 60
)

// words follows the fixes that are words.
func (t follower) words(name string, e lint.Example, plan *merge.Plan, before *lint.Result) {
	for _, f := range before.Findings {
		if _, edits := f.Edits(); len(edits) > 0 {
			continue
		}
		some := len(f.Suggested()) > 0 || judgement[f.Rule.ID] != ""
		for _, w := range ways {
			words := w.pattern.FindStringSubmatch(f.Fix)
			if words == nil {
				continue
			}
			key := f.Rule.ID + ", " + w.name
			s := &situation{T: t.T, Example: e, Finding: f, plan: plan}
			if t.followed[key] >= enough {
				some = true
				continue
			}
			if !w.follow(s, words) {
				continue
			}
			some = true
			t.followed[key]++
			_, after := examine(t.T, t.TempDir(), s.Example)
			for _, problem := range worse(f, before, after) {
				if exceptions[name+" "+f.Rule.ID] == "" {
					t.Errorf("%s: %s: %s\n\tfix: %s\n\tas: %s\n\t%s", name, f.Rule.ID, f.Message, f.Fix, w.name, problem)
				}
			}
		}
		// A fix that says itself why it does not suffice is not followed.
		if !some && !strings.Contains(f.Fix, "; that alone is not enough: ") {
			t.silent[f.Rule.ID] = f.Fix
		}
	}
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
	if x.Repairable.Manifest != "" {
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

// oneApply reports whether the flags of an answer are about one apply.
func oneApply(a fixtures.Answer) bool {
	return !slices.ContainsFunc(a.Step.Flags(), func(flag string) bool { return flag != "--server-side" && flag != "--force-conflicts" }) &&
		(a.Step.Has("--server-side") || !a.Step.Has("--force-conflicts"))
}
