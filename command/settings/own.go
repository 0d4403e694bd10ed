package settings

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"threeway/lint"
	"threeway/merge/disk"
	"threeway/merge/fieldpath"
	"threeway/merge/tree"
	"threeway/rules/own"
)

const (
	mostRules    = 1000    // in one settings file and what it names
	largestRules = 1 << 20 // bytes of one file with rules
	longestTitle = 60      // characters, as for the rules of threeway
)

// RulesKey is the key under which a rule file has its rules.
const RulesKey = "rules"

// ownFirst reads the own rules before the keys that can name them.
func (r *reader) ownFirst(root *yaml.Node, c *Config) {
	if root.Kind != yaml.MappingNode {
		return // mapping says so
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != "own-rules" {
			continue
		}
		list := root.Content[i+1]
		if list.Kind != yaml.SequenceNode {
			r.fail(list, "own-rules must be a list of rule files, directories of them, and rules")
			return
		}
		for _, item := range list.Content {
			if item.Kind == yaml.ScalarNode {
				r.ruleFiles(item, c)
			} else {
				r.definition(item, c)
			}
		}
	}
	for _, d := range c.Own {
		r.rules = append(slices.Clip(r.rules), d.ID)
	}
	if len(c.Own) > 0 && filepath.Base(r.file) == FileName {
		r.testsBeside(r.file, c) // of the rules written in place
	}
}

// ruleFiles reads the file or the directory that a setting names.
func (r *reader) ruleFiles(n *yaml.Node, c *Config) {
	name := r.path(n)
	if r.err != nil {
		return
	}
	name = beside(r.file, name)
	if r.from != nil {
		texts, ok, err := r.from(name)
		if err != nil {
			r.fail(n, "%v", err)
		}
		for _, file := range slices.Sorted(maps.Keys(texts)) {
			switch {
			case IsRuleTest(file):
				c.RuleTests = append(c.RuleTests, file)
			case r.err == nil && yamlFile(file) && filepath.Base(file) != FileName:
				c.RuleFiles = append(c.RuleFiles, file)
				r.err = ParseRules(c, file, texts[file], r.taken)
			}
		}
		if len(texts) == 1 && texts[name] != nil {
			r.testsBeside(name, c)
		}
		if ok {
			return
		}
	}
	files, err := RuleFiles(name)
	if err != nil {
		r.fail(n, "%v", err)
	}
	tests, err := RuleTests(name)
	if err != nil {
		r.fail(n, "%v", err)
	}
	c.RuleTests = append(c.RuleTests, tests...)
	for _, file := range files {
		if r.err == nil {
			r.err = ReadRules(c, file, r.taken)
		}
	}
}

// testsBeside adds the tests of a file with rules, if there are any.
func (r *reader) testsBeside(file string, c *Config) {
	if r.from != nil {
		if texts, ok, _ := r.from(RuleTest(file)); ok {
			c.RuleTests = slices.AppendSeq(c.RuleTests, maps.Keys(texts))
			return
		}
	}
	tests, _ := RuleTests(file)
	c.RuleTests = append(c.RuleTests, tests...)
}

// RuleFiles are the rule files of a path: itself, or those directly in the
// directory, which are all YAML files but those with tests.
func RuleFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("no file or directory with rules: %w", err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := disk.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		name := e.Name()
		if yamlFile(name) && !IsRuleTest(name) && name != FileName {
			files = append(files, filepath.Join(path, name))
		}
	}
	if files == nil {
		return nil, fmt.Errorf("%s holds no rule files: they end in .yaml or .yml, and not in _test.yaml", path)
	}
	return files, nil
}

func yamlFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// IsRuleTest reports whether a file has tests of rules.
func IsRuleTest(name string) bool {
	return strings.HasSuffix(name, "_test.yaml") || strings.HasSuffix(name, "_test.yml")
}

// ReadRules adds the rules of a file to the config. taken are IDs that they
// cannot have.
func ReadRules(c *Config, file string, taken []string) error {
	data, err := readRuleFile(file, "rules")
	if err != nil {
		return err
	}
	c.RuleFiles = append(c.RuleFiles, file)
	return ParseRules(c, file, data, taken)
}

func readRuleFile(file, what string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the %s: %w", what, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read the %s: %s is no regular file", what, file)
	case info.Size() > largestRules:
		return nil, fmt.Errorf("%s: a file with %s has at most %d bytes; divide it", file, what, largestRules)
	}
	data, err := disk.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the %s: %w", what, err)
	}
	return data, nil
}

// ParseRules is ReadRules of text.
func ParseRules(c *Config, file string, data []byte, taken []string) error {
	r := newReader(file, data, taken)
	root := r.document(data, "its rules are a list under '"+RulesKey+":'")
	if root == nil {
		return r.err
	}
	known := len(c.Own)
	r.mapping(root, "", []field{{RulesKey, "", nil, func(n *yaml.Node) {
		r.items(n, "rules must be a list of rules, each with id, title and expression", func(item *yaml.Node) { r.definition(item, c) })
	}}})
	if r.err == nil && len(c.Own) == known {
		r.fail(root, "the file has no rules; they are a list under '%s:'", RulesKey)
	}
	return r.err
}

var ruleID = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// definition reads a rule.
func (r *reader) definition(n *yaml.Node, c *Config) {
	d := own.Definition{File: r.file, Line: n.Line}
	r.mapping(n, "a rule", r.definitionFields(&d))
	if r.err != nil {
		return
	}
	other := slices.IndexFunc(c.Own, func(o own.Definition) bool { return o.ID == d.ID })
	switch {
	case d.ID == "" || d.Title == "" || d.Expression.Text == "":
		r.fail(n, "id, title or expression is missing")
	case other >= 0:
		r.fail(n, "rule %q is defined twice; %s:%d has it too", d.ID, c.Own[other].File, c.Own[other].Line)
	case len(c.Own) >= mostRules:
		r.fail(n, "more than %d own rules", mostRules)
	}
	c.Own = append(c.Own, d)
}

func (r *reader) definitionFields(d *own.Definition) []field {
	return []field{
		{"id", "The name in reports, such as image-has-a-tag. It is none of threeway's own.", tree.Object{"type": "string", "pattern": ruleID.String()}, func(n *yaml.Node) {
			switch d.ID = r.text(n); {
			case r.err == nil && !ruleID.MatchString(d.ID):
				r.fail(n, "id %q: use small letters, digits and single hyphens: image-has-a-tag", d.ID)
			case slices.Contains(r.taken, d.ID):
				r.fail(n, "threeway has a rule %q; choose another id, such as our-%s", d.ID, d.ID)
			}
		}},
		{"title", "What the rule finds, in a few words.", tree.Object{"type": "string", "minLength": int64(1), "maxLength": int64(longestTitle)}, func(n *yaml.Node) {
			if d.Title = r.oneLine(n); len([]rune(d.Title)) > longestTitle {
				r.fail(n, "the title has more than %d characters; what needs more belongs in text", longestTitle)
			}
		}},
		r.choiceField("severity", "Default: warning.", func(v string) { d.Severity, _ = lint.ParseSeverity(v) }, "error", "warning", "info"),
		r.patternsField(d),
		{"when", "The requests that the rule looks at; delete is what --prune deletes. Default: create and update.",
			tree.Object{"type": "array", "minItems": int64(1), "items": choiceForm([]string{own.Create, own.Update, own.Delete})}, func(n *yaml.Node) {
				if r.texts(n); r.err == nil && len(n.Content) == 0 {
					r.fail(n, "the list is empty; name create, update or delete")
				}
				for _, item := range n.Content {
					d.When = append(d.When, r.oneOf(item, own.Create, own.Update, own.Delete))
				}
			}},
		r.sourceField("expression", "What must be true, in CEL. If it is false, the object is reported.", &d.Expression),
		{"message", "What is wrong. Default: the title.", textForm(), func(n *yaml.Node) { d.Message = r.oneLine(n) }},
		r.sourceField("message-expression", "A CEL expression that gives the message, instead of message.", &d.MessageExpression),
		{"path", "The field that the finding is about: spec.replicas.", textForm(), func(n *yaml.Node) {
			p, err := fieldpath.Parse(r.text(n))
			if err != nil {
				r.fail(n, "%v", err)
			}
			d.Path = p
		}},
		r.sourceField("path-expression", "A CEL expression that gives the path, instead of path.", &d.PathExpression),
		r.textField("text", "What is found, for 'threeway rules RULE'.", &d.Text),
		r.textField("why", "What it does, for 'threeway rules RULE'.", &d.Why),
		{"fix", "What to do about it.", textForm(), func(n *yaml.Node) { d.Fix = r.oneLine(n) }},
		r.textsField("links", "Pages about it.", &d.Links),
	}
}

func (r *reader) patternsField(d *own.Definition) field {
	f := r.textsField("kinds", "The kinds that the rule looks at, as Kind or Kind.group, in which * stands for anything: Deployment, *.apps, Service.core. Default: all.", &d.Kinds)
	read := f.read
	f.read = func(n *yaml.Node) {
		read(n)
		for i, pattern := range d.Kinds {
			if err := own.CheckKind(pattern); err != nil {
				r.fail(n.Content[i], "%v", err)
			}
		}
	}
	return f
}

// oneLine reads a text that is printed on one line.
func (r *reader) oneLine(n *yaml.Node) string {
	text := strings.TrimSpace(r.text(n))
	if r.err == nil && (text == "" || strings.ContainsAny(text, "\n\r")) {
		r.fail(n, "one line of text is expected here")
	}
	return text
}

func (r *reader) sourceField(name, doc string, into *own.Source) field {
	return field{name, doc, textForm(), func(n *yaml.Node) { *into = r.source(n) }}
}

// source reads an expression, and finds the place of its text.
func (r *reader) source(n *yaml.Node) own.Source {
	s := own.Source{Text: r.text(n), File: r.file, Line: n.Line, Column: n.Column}
	line := func(i int) []rune {
		if i < 1 || i > len(r.lines) {
			return nil
		}
		return []rune(r.lines[i-1])
	}
	if n.Style == yaml.LiteralStyle {
		first := string(line(n.Line + 1))
		s.Line, s.Column = n.Line+1, 1+len(first)-len(strings.TrimLeft(first, " "))
		s.Exact = strings.HasPrefix(s.Text, strings.TrimSpace(first))
		if !s.Exact {
			s.Line, s.Column = n.Line, n.Column
		}
		return s
	}
	if n.Style == yaml.SingleQuotedStyle || n.Style == yaml.DoubleQuotedStyle {
		s.Column++
	}
	if text := line(n.Line); s.Column <= len(text) {
		s.Exact = strings.HasPrefix(string(text[s.Column-1:]), s.Text)
	}
	return s
}

// ruleForm is the schema of a rule.
func ruleForm() tree.Object {
	return object((&reader{}).definitionFields(&own.Definition{}), "id", "title", "expression")
}
