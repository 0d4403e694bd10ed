// Package trial tests rules that a project writes itself: it rehearses an apply
// of a few objects, runs the rules, and compares what they find with what the
// test wants. What comes of it are values; package lint/report makes text of
// them.
package trial

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threeway/lint"
	"threeway/merge"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/yamltext"
)

// Test is a rehearsal, and what rules should find in it.
type Test struct {
	Name, File string
	Line       int
	// Rule is the only rule that runs; "" for all rules of the file.
	Rule string
	// Manifest is what is applied, Applied what was applied before, and Live what
	// was in the cluster before that.
	Manifest, Applied, Live Objects
	// ServerSide is a server-side apply. Prune deletes what was applied before and
	// is in no manifest.
	ServerSide, Prune bool
	Want              []Finding
}

// Objects are YAML documents, or the paths of files with them.
type Objects struct {
	Paths []string
	Text  []byte
	// Name stands for the text in messages.
	Name string
}

// Finding is what a rule finds, or should find. What is empty in one that a test
// wants may be anything.
type Finding struct {
	Rule, Object, Severity, Message string
}

// Key is a part of a finding, with its name in tests.
type Key struct{ Name, Value string }

// Keys are the parts of a finding besides the rule.
func (f Finding) Keys() []Key {
	return []Key{{"object", f.Object}, {"severity", f.Severity}, {"message", f.Message}}
}

// Result is how a test went.
type Result struct {
	*Test
	// Broken says why nothing can be compared: the API server rejects an object,
	// or an input cannot be read.
	Broken string
	// Different are pairs of the same rule, Missing is wanted and not found, and
	// Unexpected found and not wanted.
	Different           []Pair
	Missing, Unexpected []Finding
}

// Pair is a finding that differs from the one that is wanted.
type Pair struct{ Want, Got Finding }

// Passed reports whether the test found what it wants, and no more.
func (r *Result) Passed() bool {
	return r.Broken == "" && len(r.Different)+len(r.Missing)+len(r.Unexpected) == 0
}

// Run runs the tests of a file with its rules, side by side.
func Run(tests []Test, rules []*lint.Rule) []*Result {
	results := make([]*Result, len(tests))
	merge.Options{}.Cores.Do(len(results), func(i int) { results[i] = tests[i].run(rules) })
	return results
}

func (t *Test) run(rules []*lint.Rule) *Result {
	r := &Result{Test: t}
	if t.Rule != "" {
		rules = slices.DeleteFunc(slices.Clone(rules), func(rule *lint.Rule) bool { return rule.ID != t.Rule })
	}
	found, err := t.findings(rules)
	if err != nil {
		r.Broken = err.Error()
		return r
	}
	r.compare(found)
	return r
}

// findings are what the rules find.
func (t *Test) findings(rules []*lint.Rule) ([]Finding, error) {
	live, err := t.before()
	if err != nil {
		return nil, err
	}
	opts := t.options(t.Manifest, live)
	if t.Prune {
		opts.Prune = &merge.PruneOptions{All: true, Tolerant: true, Root: ".", Guessed: true}
	}
	plan, err := planOf(opts, "manifest")
	if err != nil {
		return nil, err
	}
	for _, refusal := range plan.Refused {
		return nil, fmt.Errorf("kubectl refuses to prune: %s", refusal)
	}
	result := lint.Run(rules, lint.Input{Plan: plan, Options: opts, Paths: []string{t.Manifest.Name}}, lint.Options{})
	found := []Finding{}
	for _, f := range result.Findings {
		found = append(found, Finding{Rule: f.Rule.ID, Object: f.Object, Severity: f.Severity.String(), Message: f.Message})
	}
	for _, u := range result.Undecided {
		found = append(found, Finding{Rule: u.Policy, Object: u.Object.String(), Message: "unknown: it needs " + strings.Join(u.Needs, " and ")})
	}
	return found, nil
}

// before is what is live when the manifest is applied: the live objects, and
// what the server stores of what was applied before.
func (t *Test) before() (*manifest.Snapshot, error) {
	live := t.Live.snapshot()
	if err := manifest.Err(live.Problems); err != nil {
		return nil, fmt.Errorf("live: %v", err)
	}
	if t.Applied.empty() {
		return live, nil
	}
	plan, err := planOf(t.options(t.Applied, live), "applied")
	if err != nil {
		return nil, err
	}
	both := t.Live
	both.Name, both.Text = cmp.Or(both.Name, t.Applied.Name), bytes.Clone(both.Text)
	for _, o := range plan.Outcomes {
		both.Text = append(append(both.Text, "\n---\n"...), yamltext.YAML(o.Stored())...)
	}
	live = both.snapshot()
	if err := manifest.Err(live.Problems); err != nil {
		return nil, fmt.Errorf("applied: %v", err)
	}
	return live, nil
}

func (t *Test) options(config Objects, live *manifest.Snapshot) merge.Options {
	opts := merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: config.manifests(), Live: live, EmptyCluster: len(live.Entries) == 0}}}
	if t.ServerSide {
		opts.ServerSide = &rehearsal.ServerSide{Manager: rehearsal.DefaultManager, Migrate: true}
	}
	return opts
}

// planOf rehearses an apply in which the server takes everything: rules do not
// see what it rejects, so a test of it would pass without meaning anything.
func planOf(opts merge.Options, key string) (*merge.Plan, error) {
	plan, err := merge.New(opts)
	if err == nil {
		err = manifest.Err(plan.Problems)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %v", key, err)
	}
	for _, o := range plan.Outcomes {
		if o.Rejection != nil {
			return nil, fmt.Errorf("%s: the API server rejects %s, so that no rule sees it: %s", key, o.Identity(), o.Rejection.OneLine())
		}
	}
	return plan, nil
}

func (o Objects) empty() bool { return len(o.Paths) == 0 && len(o.Text) == 0 }

// options read the files, and the text as if it came from standard input.
func (o Objects) options() manifest.Options {
	opts := manifest.Options{Paths: o.Paths}
	if len(o.Text) > 0 {
		opts.Paths = append(slices.Clip(opts.Paths), "-")
		opts.Stdin, opts.StdinName = bytes.NewReader(o.Text), o.Name
	}
	return opts
}

func (o Objects) manifests() *manifest.Set { return manifest.Read(o.options()) }

func (o Objects) snapshot() *manifest.Snapshot {
	if o.empty() {
		return &manifest.Snapshot{}
	}
	return manifest.ReadSnapshot(o.options())
}

// Untested are the rules of which no test wants a finding, sorted.
func Untested(rules []*lint.Rule, tests []Test) []string {
	var ids []string
	for _, r := range rules {
		wanted := slices.ContainsFunc(tests, func(t Test) bool {
			return slices.ContainsFunc(t.Want, func(f Finding) bool { return f.Rule == r.ID })
		})
		if !wanted {
			ids = append(ids, r.ID)
		}
	}
	slices.SortFunc(ids, strings.Compare)
	return ids
}
