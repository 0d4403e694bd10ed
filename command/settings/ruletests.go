package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"threeway/lint/trial"
	"threeway/merge/manifest"
	"threeway/merge/text/phrase"
	"threeway/rules/own"
)

// TestFile is a file with tests of policies, and the policies that they are about.
type TestFile struct {
	Policies []*manifest.Object
	Tests    []trial.Test
}

// RuleTest is the file with the tests of a file with policies.
func RuleTest(file string) string {
	ending := filepath.Ext(file)
	return strings.TrimSuffix(file, ending) + "_test" + ending
}

// RuleTests are the files with tests of a path: of a directory, all that are directly in it,
// and of a file with policies, the one beside it. There may be none.
func RuleTests(path string) ([]string, error) {
	files, err := filesOf(path, "tests of policies")
	return slices.DeleteFunc(files, func(file string) bool { return !IsRuleTest(file) }), err
}

// ReadTests reads a file with tests, and the policies that it names: those of the file beside
// it if it names none.
func ReadTests(file string) (*TestFile, error) {
	data, err := readRuleFile(file, "tests of policies")
	if err != nil {
		return nil, err
	}
	return ParseTests(file, data)
}

// ParseTests is ReadTests of text.
func ParseTests(file string, data []byte) (*TestFile, error) {
	r := newReader(file, nil)
	root := r.document(data, "its tests are a list under 'tests:'")
	if root == nil {
		return nil, r.err
	}
	f := &TestFile{}
	r.testedFirst(root, f)
	r.mapping(root, "", []field{
		{"policies", "", nil, func(*yaml.Node) {}}, // testedFirst has read them
		{"objects", "", nil, func(*yaml.Node) {}},
		{"tests", "", nil, func(n *yaml.Node) {
			r.items(n, "tests must be a list of tests, each with name, manifest and want", func(item *yaml.Node) { r.test(item, f) })
		}},
	})
	if r.err == nil && len(f.Tests) == 0 {
		r.fail(root, "the file has no tests; they are a list under 'tests:'")
	}
	return f, r.err
}

// testedFirst reads the policies that the tests can name.
func (r *reader) testedFirst(root *yaml.Node, f *TestFile) {
	if root.Kind != yaml.MappingNode {
		return // mapping says so
	}
	at, paths := root, []string{untested(r.file)}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "policies" {
			at = root.Content[i+1]
			paths = r.paths(at)
			for j, path := range paths {
				paths[j] = beside(r.file, path)
			}
		}
	}
	c := &Config{}
	for _, path := range paths {
		if r.err != nil {
			return
		}
		switch _, err := os.Stat(path); {
		case err != nil && at == root:
			r.fail(root, "there is no %s with the policies to test; name the files with 'policies: [FILE]'", path)
		case err != nil:
			r.fail(at, "read the policies: %v", err)
		default:
			r.err = readPolicies(c, path)
		}
	}
	f.Policies, r.rules = c.Policies, own.Names(c.Policies)
}

// untested is the file with policies that a file with tests is about.
func untested(file string) string {
	ending := filepath.Ext(file)
	return strings.TrimSuffix(file, "_test"+ending) + ending
}

// beside is a path that a file names, from where the program runs.
func beside(file, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(file), path)
}

// test reads a test.
func (r *reader) test(n *yaml.Node, f *TestFile) {
	t := trial.Test{File: r.file, Line: n.Line}
	var want *yaml.Node
	r.mapping(n, "a test", []field{
		{"name", "", nil, func(n *yaml.Node) { t.Name = r.oneLine(n) }},
		{"rule", "", nil, func(n *yaml.Node) { t.Rule = r.ruleName(n) }},
		{"manifest", "", nil, func(n *yaml.Node) { t.Manifest = r.objects(n, "manifest") }},
		{"applied", "", nil, func(n *yaml.Node) { t.Applied = r.objects(n, "applied") }},
		{"live", "", nil, func(n *yaml.Node) { t.Live = r.objects(n, "live") }},
		{"server-side", "", nil, func(n *yaml.Node) { t.ServerSide = r.oneOf(n, "true", "false") == "true" }},
		{"prune", "", nil, func(n *yaml.Node) { t.Prune = r.oneOf(n, "true", "false") == "true" }},
		{"want", "", nil, func(n *yaml.Node) { want = n }},
	})
	if r.err != nil {
		return
	}
	switch same := slices.IndexFunc(f.Tests, func(o trial.Test) bool { return o.Name == t.Name }); {
	case t.Name == "":
		r.fail(n, "the test has no name")
	case same >= 0:
		r.fail(n, "two tests are named %q; the other is in line %d", t.Name, f.Tests[same].Line)
	case t.Manifest.Name == "":
		r.fail(n, "the test has no manifest: an object, a list of objects, or the name of a file")
	case want == nil:
		r.fail(n, "the test does not say what it wants; 'want: []' means no finding")
	case want.Kind != yaml.SequenceNode:
		r.fail(want, "want must be a list of findings; [] means none")
	default:
		for _, item := range want.Content {
			t.Want = append(t.Want, r.wanted(item, t.Rule))
		}
	}
	f.Tests = append(f.Tests, t)
}

// wanted reads a finding that a test wants: the ID of the rule, or a mapping.
func (r *reader) wanted(n *yaml.Node, rule string) trial.Finding {
	w := trial.Finding{Rule: rule}
	if n.Kind == yaml.ScalarNode {
		w.Rule = r.ruleName(n)
	} else {
		r.mapping(n, "a finding", []field{
			{"rule", "", nil, func(n *yaml.Node) { w.Rule = r.ruleName(n) }},
			{"object", "", nil, func(n *yaml.Node) { w.Object = r.oneLine(n) }},
			{"severity", "", nil, func(n *yaml.Node) { w.Severity = r.oneOf(n, "error", "warning", "info") }},
			{"message", "", nil, func(n *yaml.Node) { w.Message = r.oneLine(n) }},
		})
	}
	switch {
	case w.Rule == "":
		r.fail(n, "the finding names no rule, and the test neither")
	case rule != "" && w.Rule != rule:
		r.fail(n, "the test runs only the rule %q", rule)
	}
	return w
}

func (r *reader) ruleName(n *yaml.Node) string {
	id := r.text(n)
	if r.err == nil && !slices.Contains(r.rules, id) {
		r.fail(n, "%v", phrase.Unknown("rule", id, r.rules))
	}
	return id
}

// objects reads an object, a list of objects, or the name of a file with them.
func (r *reader) objects(n *yaml.Node, key string) trial.Objects {
	o := trial.Objects{Name: fmt.Sprintf("%s:%d", r.file, n.Line)}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.ScalarNode {
		path := beside(r.file, r.path(n))
		if _, err := os.Stat(path); r.err == nil && err != nil {
			r.fail(n, "%s: %v", key, err)
		}
		o.Paths = []string{path}
		return o
	}
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	left := mostNodes
	for _, item := range list {
		item = plainNode(item, &left)
		if item == nil {
			r.fail(n, "%s has more than %d nodes with its aliases, or an alias of itself", key, mostNodes)
			return o
		}
		if item.Kind != yaml.MappingNode {
			r.fail(item, "%s must be an object, a list of objects, or the name of a file", key)
			return o
		}
		text, err := yaml.Marshal(item)
		if err != nil {
			r.fail(item, "%s: %v", key, err)
		}
		o.Text = append(append(o.Text, "---\n"...), text...)
	}
	return o
}

// mostNodes is how large the objects under one key can be: aliases of aliases
// grow fast.
const mostNodes = 100_000

// plainNode is a copy without aliases, nil if it has too many nodes. Its text
// then stands for itself, and keeps the quotes, which YAML 1.1 needs.
func plainNode(n *yaml.Node, left *int) *yaml.Node {
	for n.Kind == yaml.AliasNode && *left > 0 {
		*left--
		n = n.Alias
	}
	if *left--; *left < 0 {
		return nil
	}
	plain := *n
	plain.Anchor, plain.Content = "", nil
	plain.HeadComment, plain.LineComment, plain.FootComment = "", "", ""
	for _, item := range n.Content {
		if item = plainNode(item, left); item == nil {
			return nil
		}
		plain.Content = append(plain.Content, item)
	}
	return &plain
}
