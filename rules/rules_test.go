package rules

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"threeway/command/settings"
	"threeway/lint"
	"threeway/lint/report"
	"threeway/merge"
	"threeway/merge/applier/argocd"
	"threeway/merge/applier/flux"
	byargocd "threeway/merge/by/argocd"
	byflux "threeway/merge/by/flux"
	"threeway/merge/impact/upgrade"
	"threeway/merge/manifest"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/text/yamltext"
	"threeway/merge/tree"
)

var update = flag.Bool("update", false, "write docs/rules.md, docs/rules/ and what the examples report")

// TestExamples runs the three examples of every rule: the bad one is reported,
// the other two are not. testdata/RULE/want.txt has what is said about each, and what
// --fix makes of it. A comment and an annotation silence it.
func TestExamples(t *testing.T) {
	for _, r := range All() {
		t.Run(r.ID, func(t *testing.T) {
			examples := Examples(r)
			bad := findingsOf(r, lintExample(t, examples.Bad, ""))
			if len(bad.Findings) == 0 {
				t.Errorf("the bad example is not reported")
			}
			for name, e := range map[string]lint.Example{"good": examples.Good, "near miss": examples.NearMiss} {
				for _, f := range findingsOf(r, lintExample(t, e, "")).Findings {
					t.Errorf("the %s example is reported: %s", name, f.Message)
				}
			}
			compare(t, filepath.Join("testdata", r.ID, "want.txt"), string(txtar.Format(golden(t, r, bad))))
			for _, f := range bad.Findings {
				if f.Fix == "" {
					t.Errorf("no fix: %s", f.Message)
				}
				if at := f.At(); at.File == "" || at.Line < 1 || at.Column < 1 {
					t.Errorf("no place: %+v", at)
				}
			}
		})
	}
}

// golden is what a rule says about its examples.
func golden(t *testing.T, r *lint.Rule, bad *lint.Result) *txtar.Archive {
	t.Helper()
	archive := &txtar.Archive{}
	add := func(name, text string) {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	add("fires", text(t, bad, report.Options{}))
	examples := Examples(r)
	near := lintExample(t, examples.NearMiss, "")
	add("near miss", text(t, near, report.Options{})+report.Summary(near, false)[0]+"\n")
	// Of prune and of what left the manifests, findings are about what no comment in the
	// config is next to.
	if r != invalidSuppression && r != unusedSuppression && r != removedObjectStays && r != pruneDeletesData && r.Needs&lint.Prune == 0 {
		comment := "# threeway:ignore-file " + r.ID + " -- as the test wants\n"
		silenced(t, r, lintExample(t, examples.Bad, comment))
		annotated := examples.Bad
		annotated.Manifest = annotate(t, examples.Bad.Manifest, bad.Findings, lint.AnnotationPrefix+r.ID, "as the test wants")
		silenced(t, r, lintExample(t, annotated, ""))
	}
	if r.Repair != "" {
		add("fixed", repaired(t, r))
	}
	return archive
}

func text(t *testing.T, res *lint.Result, opts report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Text(&b, res, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// silenced holds a run to be one in which the rule is silenced, with the reason.
func silenced(t *testing.T, r *lint.Rule, res *lint.Result) {
	t.Helper()
	for _, f := range findingsOf(r, res).Findings {
		t.Errorf("reported in spite of the suppression: %s", f.Message)
	}
	if n := len(findingsOf(unusedSuppression, res).Findings); n > 0 {
		t.Error("the suppression counts as unused")
	}
	suppressed := slices.DeleteFunc(slices.Clone(findingsOf(r, res).Suppressed), func(f *lint.Finding) bool { return f.Rule != r })
	if len(suppressed) == 0 {
		t.Error("nothing is suppressed")
	}
	for _, f := range suppressed {
		if f.Suppressed != "as the test wants" {
			t.Errorf("suppressed with the reason %q: %s", f.Suppressed, f.Message)
		}
	}
}

// TestOneFindingForEachRejection: whatever the server refuses is one error.
func TestOneFindingForEachRejection(t *testing.T) {
	for _, r := range All() {
		if r.Claim == nil {
			continue
		}
		res := lintExample(t, Examples(r).Bad, "")
		objects := map[string]int{}
		for _, f := range res.Findings {
			if f.Severity == lint.Error {
				objects[f.Object]++
			}
		}
		for object, n := range objects {
			if n > 1 {
				t.Errorf("%s: %d errors about %s", r.ID, n, object)
			}
		}
	}
}

func TestCatalogue(t *testing.T) {
	all := All()
	for i := range all[1:] {
		if all[i].ID > all[i+1].ID {
			t.Errorf("the list in rules.go is sorted by ID, and %s is before %s", all[i].ID, all[i+1].ID)
		}
	}
	taken := map[string]string{}
	for _, r := range all {
		for _, id := range r.Names() {
			if other, twice := taken[id]; twice {
				t.Errorf("%s: %s has or had the ID %s too", r.ID, other, id)
			}
			taken[id] = r.ID
		}
		if len(r.Title) > 60 || r.Title == "" || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: title %q", r.ID, r.Title)
		}
		if r.Text == "" || r.Why == "" || r.Fix == "" || r.Severity == lint.Unset {
			t.Errorf("%s: documentation is missing", r.ID)
		}
		if len(r.Links) == 0 && r != invalidSuppression && r != unusedSuppression {
			t.Errorf("%s: no document or issue is cited", r.ID)
		}
		if e := Examples(r); e.Bad.Manifest == "" || e.Good.Manifest == "" || e.NearMiss.Manifest == "" {
			t.Errorf("%s: an example is missing", r.ID)
		}
	}
}

// TestDocs holds docs/rules.md, a page for each rule, and the schema that lists the rules,
// against them.
func TestDocs(t *testing.T) {
	compare(t, "../docs/rules.md", index(All()))
	pages, _ := filepath.Glob(filepath.Join(home, "../docs/rules/*.md"))
	for _, page := range pages {
		if id := strings.TrimSuffix(filepath.Base(page), ".md"); !slices.ContainsFunc(All(), func(r *lint.Rule) bool { return r.ID == id }) {
			t.Errorf("%s is of no rule: delete it", page)
		}
	}
	for _, r := range All() {
		compare(t, "../docs/rules/"+r.ID+".md", report.Page(r, Examples(r), 1))
	}
	compare(t, "../docs/config.schema.json", string(settings.Schema(All())))
}

// home is this package's directory; tests change theirs.
var home, _ = os.Getwd()

func compare(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join(home, file)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s is stale; look at what changes and run: go test ./rules -update\n%s", file, got)
	}
}

// findingsOf keeps the findings of one rule.
func findingsOf(r *lint.Rule, res *lint.Result) *lint.Result {
	out := *res
	out.Findings = slices.DeleteFunc(slices.Clone(res.Findings), func(f *lint.Finding) bool { return f.Rule != r })
	return &out
}

// lintExample plays an example: what was applied before becomes the snapshot,
// then the config, with a comment on top, is linted. All rules run, opt-in
// ones too.
func lintExample(t *testing.T, e lint.Example, comment string) *lint.Result {
	t.Helper()
	e = stored(t, e)
	e.Manifest = comment + e.Manifest
	_, res := examined(t, e)
	return res
}

// stored is an example whose Applied is among the live objects, as the server
// stores it.
func stored(t *testing.T, e lint.Example) lint.Example {
	t.Helper()
	if e.Applied == "" {
		return e
	}
	plan, err := merge.New(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(e.Applied)})}}})
	if err != nil {
		t.Fatal(err)
	}
	live := e.Live
	for _, o := range plan.Outcomes {
		if o.Rejection != nil {
			t.Fatalf("what was applied before is rejected: %s", o.Rejection.Text().Unmasked())
		}
		if !strings.Contains(e.Live, "kind: "+o.Kind.Kind+"\n") {
			live += "\n---\n" + yamltext.YAML(o.Stored())
		}
	}
	e.Applied, e.Live = "", live
	return e
}

// examples is where the files of the examples are, each in a folder of its own.
var examples string

// TestMain makes and removes [examples].
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // what was found in each example is kept
	var err error
	if examples, err = os.MkdirTemp("", "examples"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(examples)
	os.Exit(code)
}

// examination is an example in its folder, with what was found.
type examination struct {
	folder string
	plan   *merge.Plan
	result *lint.Result
}

var examinations = map[lint.Example]examination{}

// examined is what the rehearsal of an example and all rules say about it, found out once
// for all tests.
func examined(t *testing.T, e lint.Example) (*merge.Plan, *lint.Result) {
	t.Helper()
	x, done := examinations[e]
	if done {
		t.Chdir(x.folder)
		return x.plan, x.result
	}
	x.folder = filepath.Join(examples, strconv.Itoa(len(examinations)))
	if err := os.Mkdir(x.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	x.plan, x.result = examine(t, x.folder, e)
	examinations[e] = x
	return x.plan, x.result
}

// examine is examined for what no other test asks, in a folder.
func examine(t *testing.T, folder string, e lint.Example) (*merge.Plan, *lint.Result) {
	t.Helper()
	t.Chdir(folder)
	write := func(file, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config.yaml", e.Manifest)
	write("live.yaml", e.Live)
	opts := merge.Options{
		Options: rehearsal.Options{
			Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"config.yaml"}}), Live: manifest.ReadSnapshot(manifest.Options{Paths: []string{"live.yaml"}})},
		},
	}
	exampleArgs(t, &opts, e, write)
	in := lint.Input{Options: opts, Paths: []string{"config.yaml"}, Source: func(file string) string {
		data, _ := os.ReadFile(file)
		return string(data)
	}}
	if e.Kustomization != "" {
		write("kustomization.yaml", e.Kustomization)
		in.Kustomizations = manifest.Kustomizations([]string{"."})
	}
	var err error
	in.Plan, err = merge.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	if to := minorAfter(e.Args, "--to"); to != 0 {
		if in.Upgrade, err = upgrade.Compare(in.Plan, opts, to); err != nil {
			t.Fatal(err)
		}
	}
	severities := map[string]lint.Severity{}
	for _, r := range All() {
		if r.OptIn {
			severities[r.ID] = r.Severity
		}
	}
	res := lint.Run(All(), in, lint.Options{Severities: severities})
	for _, entry := range opts.Live.Entries {
		if fresh := entry.Once().Tree; !tree.Equal(entry.Object().Tree, fresh) {
			t.Errorf("live %s is changed, which others share: it was\n%sand is\n%s", entry.ID(), yamltext.YAML(fresh), yamltext.YAML(entry.Object().Tree))
		}
	}
	return in.Plan, res
}

// minorAfter is the minor that a flag of an example names, 0 for none.
func minorAfter(args, flag string) int {
	_, after, _ := strings.Cut(args, flag+" 1.")
	after, _, _ = strings.Cut(after, " ")
	minor, _ := strconv.Atoi(after)
	return minor
}

// exampleApplier is the only Application or Kustomization of the live objects.
func exampleApplier(t *testing.T, opts *merge.Options, program string) {
	t.Helper()
	if program == "argocd" {
		app, err := argocd.Find(opts.Live, opts.Manifests, "")
		if err != nil {
			t.Fatal(err)
		}
		if app.Options.Has("ServerSideApply=true") {
			opts.ServerSide = &rehearsal.ServerSide{Force: true, Manager: argocd.Manager, Migrate: true}
		}
		opts.By = (&byargocd.Application{Application: app}).Arrange(opts.Manifests)
		return
	}
	for o := range opts.Live.OfKind(flux.GroupKind) {
		k, err := flux.Read(o)
		if err != nil {
			t.Fatal(err)
		}
		opts.ServerSide = &rehearsal.ServerSide{Force: true, Manager: byflux.FluxManager}
		opts.By = (&byflux.Kustomization{Kustomization: *k}).Arrange(opts.Manifests)
	}
}

func exampleArgs(t *testing.T, opts *merge.Options, e lint.Example, write func(file, text string)) {
	t.Helper()
	fields := strings.Fields(e.Args)
	opts.Minor = minorAfter(e.Args, "--kubernetes-version")
	if to := minorAfter(e.Args, "--to"); to != 0 && opts.Minor == 0 {
		opts.Minor = to - 1
	}
	if slices.Contains(fields, "--server-side") {
		opts.ServerSide = &rehearsal.ServerSide{Manager: rehearsal.DefaultManager, Migrate: true}
	}
	for i, arg := range fields {
		if name, ok := strings.CutPrefix(arg, "--field-manager="); ok {
			opts.ServerSide.Manager = name
		}
		switch arg {
		case "--applier":
			exampleApplier(t, opts, fields[i+1])
		case "--force-conflicts":
			opts.ServerSide.Force = true
		case "--prune":
			opts.Prune = &merge.PruneOptions{All: slices.Contains(fields, "--all"), Tolerant: true, Root: ".", Guessed: true}
			if e.Elsewhere != "" {
				write("elsewhere.yaml", e.Elsewhere)
				opts.Prune.Elsewhere = func() *manifest.Set {
					return manifest.Read(manifest.Options{Paths: []string{"config.yaml", "elsewhere.yaml"}})
				}
			}
		case "-l":
			match, err := selector.Parse(fields[i+1])
			if err != nil {
				t.Fatal(err)
			}
			opts.Prune.Selector, opts.Prune.SelectorText = match, fields[i+1]
			opts.Select = func(labels tree.Object) bool { return match.Matches(labels) }
		case "--recorded":
			opts.Prune.Recorded = &prune.Selection{Source: ".threeway.yaml", Selector: fields[i+1]}
		case "--recorded-place":
			opts.Prune.Recorded = &prune.Selection{Source: ".threeway.yaml", Root: fields[i+1], Namespace: fields[i+2]}
		case "--applyset":
			opts.Prune.ApplySet = fields[i+1]
		case "-n":
			opts.Namespace, opts.Enforce = fields[i+1], true
		case "--root":
			opts.Prune.Root, opts.Prune.Guessed = fields[i+1], false
		case "--prune-allowlist":
			opts.Prune.Allowlist = append(opts.Prune.Allowlist, fields[i+1])
		}
	}
}

// index is the page that lists the rules; each has a page of its own beside it, in rules/.
func index(rules []*lint.Rule) string {
	var b strings.Builder
	b.WriteString("# Rules\n\nLook up what a finding means and what to do about it; `threeway rules RULE` prints the same. `--fix` repairs what is marked. In an\n" +
		"example, a diff goes from what was applied before to the manifest, and from what is reported to the repair.\n\n" +
		"<!-- This page and those of the rules are generated; do not edit: go test ./rules -update writes them. -->\n")
	for _, part := range []struct {
		of    lint.Severity
		title string
	}{{lint.Error, "Errors: the apply fails, or deletes or loses something"}, {lint.Warning, "Warnings"}, {lint.Info, "Infos"}} {
		b.WriteString("\n## " + part.title + "\n\n")
		for _, r := range rules {
			if r.Severity != part.of {
				continue
			}
			fmt.Fprintf(&b, "- [%s](rules/%s.md): %s", r.ID, r.ID, r.Title)
			if r.OptIn {
				b.WriteString(", opt-in")
			}
			if r.Repair != "" {
				b.WriteString(" (`--fix`)")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
