package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// noisy reports every container of the set, at its image.
var noisy = &Rule{
	ID: "noisy", Severity: Warning,
	Run: func(p *Pass) {
		for o := range p.Objects() {
			for i := range tree.List(o.Manifest.Tree, "spec", "containers") {
				p.Report(o, Report{Path: fieldpath.New("spec", "containers").Item(i).Child("image"), Message: "an image", Fix: "none"})
			}
		}
	},
}

var wantsLive = &Rule{ID: "wants-live", Severity: Error, Needs: Live, Run: func(p *Pass) {
	for o := range p.Objects() {
		p.Report(o, Report{Message: "is live"})
	}
}}

var (
	invalid = &Rule{ID: "invalid-suppression", Severity: Warning}
	unused  = &Rule{ID: "unused-suppression", Severity: Warning}
)

const pod = `apiVersion: v1
kind: Pod
metadata: {name: a, namespace: x}
spec:
  containers:
  - name: one
    image: a:1
  - name: two
    image: b:1
`

// run lints text as config.yaml.
func run(t *testing.T, text, live string, opts Options) *Result {
	t.Helper()
	return runRules(t, []*Rule{invalid, noisy, unused, wantsLive}, text, live, opts)
}

func runRules(t *testing.T, rules []*Rule, text, live string, opts Options) *Result {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"config.yaml": text, "live.yaml": live} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: manifest.Read(manifest.Options{Paths: []string{"config.yaml"}}), Live: &manifest.Snapshot{}}}}
	if live != "" {
		m.Live = manifest.ReadSnapshot(manifest.Options{Paths: []string{"live.yaml"}})
	}
	plan, err := merge.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return Run(rules, Input{Plan: plan, Options: m, Source: func(file string) string {
		data, _ := os.ReadFile(filepath.Base(file))
		return string(data)
	}}, opts)
}

// TestGroups: what has one cause is one finding at the first object, with the
// same fingerprint whatever else has it, and a silenced object is not in it.
func TestGroups(t *testing.T) {
	configMap := func(name, comment string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: x}" + comment + "\n---\n"
	}
	grouped := &Rule{ID: "grouped", Severity: Warning, Run: func(p *Pass) {
		for o := range p.Objects() {
			p.Report(o, Report{Message: "one cause", Group: o.Kind.Kind, Path: fieldpath.New("metadata")})
		}
	}}
	lint := func(text string) *Result { return runRules(t, []*Rule{grouped}, text, "", Options{}) }
	all := lint(configMap("a", "") + configMap("b", " # threeway:ignore grouped -- known") + configMap("c", "") + pod)
	if n := len(all.Findings); n != 2 || len(all.Suppressed) != 1 {
		t.Fatalf("%d findings, %d suppressed", n, len(all.Suppressed))
	}
	first := all.Findings[0]
	if first.Message != "one cause" || first.Others != 1 || !slices.Equal(first.Notes, []string{"config.yaml:11: also x/ConfigMap/c"}) {
		t.Errorf("%q, %d, %q", first.Message, first.Others, first.Notes)
	}
	if alone := lint(configMap("z", "")).Findings[0]; alone.Others != 0 || alone.Fingerprint() != first.Fingerprint() {
		t.Errorf("%d others, another fingerprint: %v", alone.Others, alone.Fingerprint() != first.Fingerprint())
	}
}

func lines(list []*Finding) []int {
	var at []int
	for _, f := range list {
		at = append(at, f.At().Line)
	}
	return at
}

func TestOrderAndPlace(t *testing.T) {
	r := run(t, pod, "", Options{})
	if got := lines(r.Findings); !slices.Equal(got, []int{7, 9}) {
		t.Errorf("findings on lines %v", got)
	}
	f := r.Findings[0]
	if at := f.At(); at.File != "config.yaml" || at.Column != 5 || at.Width != len("image:") || at.Source != "    image: a:1" || f.Object != "x/Pod/a" {
		t.Errorf("%+v %s", at, f.Object)
	}
}

func TestSkippedRulesAreCounted(t *testing.T) {
	r := run(t, pod, "", Options{})
	if len(r.Skipped) != 1 || !slices.Equal(r.Skipped[0].Rules, []string{"wants-live"}) || !strings.Contains(r.Skipped[0].Why, "--live") {
		t.Errorf("%+v", r.Skipped)
	}
	if r := run(t, pod, pod, Options{}); len(r.Skipped) != 0 || r.Count(Error) != 1 {
		t.Errorf("with a snapshot: %+v, %d errors", r.Skipped, r.Count(Error))
	}
}

func TestSeverities(t *testing.T) {
	for name, c := range map[string]struct {
		opts            Options
		errors, warning int
	}{
		"default":    {Options{}, 0, 2},
		"raised":     {Options{Severities: map[string]Severity{"noisy": Error}}, 2, 0},
		"off":        {Options{Severities: map[string]Severity{"noisy": Off}}, 0, 0},
		"only other": {Options{Only: []string{"wants-live"}}, 0, 0},
		"ignored":    {Options{Ignores: []Ignore{{Kind: "Pod", Path: fieldpath.New("spec"), Reason: "test"}}}, 0, 0},
		"other kind": {Options{Ignores: []Ignore{{Kind: "Job", Reason: "test"}}}, 0, 2},
		"not shown":  {Options{Shown: func(file string) bool { return false }}, 0, 0},
	} {
		if r := run(t, pod, "", c.opts); r.Count(Error) != c.errors || r.Count(Warning) != c.warning {
			t.Errorf("%s: %d errors, %d warnings", name, r.Count(Error), r.Count(Warning))
		}
	}
}

func TestSuppressions(t *testing.T) {
	put := func(before, comment string) string { return strings.Replace(pod, before, comment, 1) }
	for name, c := range map[string]struct {
		text             string
		left, suppressed []int
		about            string
	}{
		"on the line":     {put("image: a:1", "image: a:1 # threeway:ignore noisy -- why not"), []int{9}, []int{7}, ""},
		"line above":      {put("    image: a:1", "    # threeway:ignore noisy -- why not\n    image: a:1"), []int{10}, []int{8}, ""},
		"above a comment": {put("    image: a:1", "    # threeway:ignore noisy -- why not\n    # more\n    image: a:1"), []int{11}, []int{9}, ""},
		"whole file":      {put("apiVersion", "# threeway:ignore-file noisy -- why not\napiVersion"), nil, []int{8, 10}, ""},
		"two rules":       {put("image: a:1", "image: a:1 # threeway:ignore noisy, wants-live -- why not"), []int{9}, []int{7}, ""},
		"annotation":      {put("name: a,", `name: a, annotations: {threeway.dev/ignore.noisy: "why not"},`), nil, []int{7, 9}, ""},
		"no reason":       {put("image: a:1", "image: a:1 # threeway:ignore noisy"), []int{7, 9}, nil, "the reason is missing"},
		"empty reason":    {put("name: a,", `name: a, annotations: {threeway.dev/ignore.noisy: ""},`), []int{7, 9}, nil, "the reason is missing"},
		"unknown rule":    {put("image: a:1", "image: a:1 # threeway:ignore noise -- why not"), []int{7, 9}, nil, `unknown rule "noise"`},
		"unused":          {put("kind: Pod", "kind: Pod # threeway:ignore noisy -- why not"), []int{7, 9}, nil, "matches no finding"},
		"in a value":      {put("image: a:1", "image: a:1#threeway:ignore noisy -- why not"), []int{7, 9}, nil, ""},
	} {
		r := run(t, c.text, "", Options{})
		var left []*Finding
		about := ""
		for _, f := range r.Findings {
			if f.Rule == noisy {
				left = append(left, f)
			} else {
				about += f.Message
			}
		}
		if !slices.Equal(lines(left), c.left) || !slices.Equal(lines(r.Suppressed), c.suppressed) {
			t.Errorf("%s: %v left, %v suppressed", name, lines(left), lines(r.Suppressed))
		}
		if (about == "") != (c.about == "") || !strings.Contains(about, c.about) {
			t.Errorf("%s: %q, want %q", name, about, c.about)
		}
	}
	if r := run(t, put("image: a:1", "image: a:1 # threeway:ignore noisy -- x"), "", Options{NoSuppressions: true}); len(r.Findings) != 2 {
		t.Errorf("--no-suppressions leaves %d findings", len(r.Findings))
	}
}

// TestBaseline: known findings stay known when lines move, and a new message
// is a new finding.
func TestBaseline(t *testing.T) {
	data, err := WriteBaseline(run(t, pod, "", Options{}).Findings)
	if err != nil {
		t.Fatal(err)
	}
	known, err := ReadBaseline(data)
	if err != nil {
		t.Fatal(err)
	}
	if r := run(t, "# moved\n\n"+pod, "", Options{Baseline: known}); len(r.Findings) != 0 || r.Known != 2 {
		t.Errorf("%d findings, %d known", len(r.Findings), r.Known)
	}
	if r := run(t, strings.Replace(pod, "name: a,", "name: b,", 1), "", Options{Baseline: known}); len(r.Findings) != 2 {
		t.Errorf("another object: %d findings", len(r.Findings))
	}
	for _, bad := range []string{"", "[]", `{"version": 2}`} {
		if _, err := ReadBaseline([]byte(bad)); err == nil {
			t.Errorf("%q is read as a baseline", bad)
		}
	}
}

// TestRenamedRule: what names a rule by an ID that it had keeps working.
func TestRenamedRule(t *testing.T) {
	renamed := *noisy
	renamed.ID, renamed.Former = "quiet", []string{"noisy", "murmuring"}
	with := func(text string, opts Options) *Result {
		return runRules(t, []*Rule{invalid, &renamed, unused}, text, "", opts)
	}
	baseline, err := WriteBaseline(run(t, pod, "", Options{}).Findings)
	if err != nil {
		t.Fatal(err)
	}
	known, err := ReadBaseline(baseline)
	if err != nil {
		t.Fatal(err)
	}
	if r := with(pod, Options{Baseline: known}); len(r.Findings) != 0 || r.Known != 2 {
		t.Errorf("a baseline from before: %d findings, %d known", len(r.Findings), r.Known)
	}
	for _, id := range renamed.Names() {
		if r := with(pod, Options{Only: []string{id}}); len(r.Findings) != 2 || r.Findings[0].Rule.ID != "quiet" {
			t.Errorf("only %s: %d findings", id, len(r.Findings))
		}
		for what, r := range map[string]*Result{
			"ignore":     with(pod, Options{Ignores: []Ignore{{Rule: id, Reason: "r"}}}),
			"a comment":  with("# threeway:ignore-file "+id+" -- r\n"+pod, Options{}),
			"annotation": with(strings.Replace(pod, "namespace: x", "namespace: x, annotations: {threeway.dev/ignore."+id+": r}", 1), Options{}),
		} {
			if len(r.Findings) != 0 || len(r.Suppressed) != 2 {
				t.Errorf("%s with %s: %d findings, %d suppressed", what, id, len(r.Findings), len(r.Suppressed))
			}
		}
		if r := with("# threeway:ignore-file "+id+" -- r\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: c}\n", Options{}); len(r.Findings) != 1 || r.Findings[0].Rule != unused {
			t.Errorf("%s suppresses nothing: %d findings", id, len(r.Findings))
		}
	}
}

// TestSecretsAreNotQuoted: no part of a finding has a value of a Secret.
func TestSecretsAreNotQuoted(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: x}\nstringData:\n  password: hunter2\n",
		"{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: x}, stringData: {password: hunter2}}\n",
	} {
		t.Chdir(t.TempDir())
		if err := os.WriteFile("s.yaml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := manifest.Read(manifest.Options{Paths: []string{"s.yaml"}}).Objects[0]
		for _, p := range []fieldpath.Path{nil, fieldpath.New("stringData"), fieldpath.New("stringData", "password"), fieldpath.New("stringData", "none"), fieldpath.New("kind")} {
			if at := (&Pass{shared: &memo.Types{}}).place(o, p); strings.Contains(at.Source, "hunter2") {
				t.Errorf("%s shows %q", p, at.Source)
			}
		}
	}
}

// TestUTF16: columns count characters, and for SARIF UTF-16 code units.
func TestUTF16(t *testing.T) {
	for _, c := range []struct {
		text                    string
		column, width, from, to int
	}{
		{"a: b", 1, 2, 1, 3},
		{"😀: 😀, b: c", 7, 2, 9, 11},
		{"é😀: c", 1, 3, 1, 5},
		{"short", 9, 0, 9, 10},
	} {
		from, to := Position{Column: c.column, Width: c.width, text: c.text}.UTF16()
		if from != c.from || to != c.to {
			t.Errorf("%q at %d: %d to %d, want %d to %d", c.text, c.column, from, to, c.from, c.to)
		}
	}
}

// TestSuppressionBesideSecret: a suppression that silences nothing is reported,
// without the value before it.
func TestSuppressionBesideSecret(t *testing.T) {
	const comment = " # threeway:ignore noisy -- why not\n"
	r := run(t, "apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: x}\nstringData:\n  password: hunter2"+comment+"---\n"+
		strings.Replace(pod, "kind: Pod\n", "kind: Pod"+comment, 1), "", Options{})
	var sources []string
	for _, f := range r.Findings {
		if f.Rule == unused {
			sources = append(sources, f.At().Source)
		}
	}
	if !slices.Equal(sources, []string{"", "kind: Pod" + strings.TrimSuffix(comment, "\n")}) {
		t.Errorf("%q", sources)
	}
}

// TestExcerpt: the lines around a finding are those of its object, and no more
// than its own line of a Secret.
func TestExcerpt(t *testing.T) {
	const list = `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: hunter2}}
- apiVersion: v1
  kind: Pod
  metadata: {name: a}
  spec:
    containers:
    - name: one
      image: a:1
- apiVersion: v1
  kind: Secret
  metadata: {name: t}
  stringData: {password: hunter2}
`
	for _, c := range []struct {
		around, first int
		lines         string
	}{{0, 11, "      image: a:1"}, {1, 10, "    - name: one\n      image: a:1"}, {99, 5, "  apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n  spec:\n    containers:\n    - name: one\n      image: a:1"}} {
		first, lines := run(t, list, "", Options{}).Findings[0].Excerpt(c.around)
		if got := strings.Join(lines, "\n"); got != c.lines || first != c.first {
			t.Errorf("%d lines around: from %d\n%s", c.around, first, got)
		}
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("s.yaml", []byte("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData:\n  password: hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &Pass{rule: noisy, shared: &memo.Types{}}
	f := p.finding(manifest.Read(manifest.Options{Paths: []string{"s.yaml"}}).Objects[0], Report{Path: fieldpath.New("kind")})
	if _, lines := f.Excerpt(99); !slices.Equal(lines, []string{"kind: Secret"}) {
		t.Errorf("of a Secret: %q", lines)
	}
}
