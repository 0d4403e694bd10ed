package settings

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/rules/own"
)

const (
	mostRules    = 1000    // objects in the policy files
	largestRules = 1 << 20 // bytes of one file with policies or tests
)

// ownFirst reads the policies before the keys that can name them.
func (r *reader) ownFirst(root *yaml.Node, c *Config) {
	if root.Kind != yaml.MappingNode {
		return // mapping says so
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		switch key, list := root.Content[i], root.Content[i+1]; {
		case key.Value == "own-rules":
			r.fail(key, "rules of your own are ValidatingAdmissionPolicies now; write each as one and name the files under 'policies' (docs/own-rules.md)")
		case key.Value != "policies":
		case list.Kind != yaml.SequenceNode:
			r.fail(list, "policies must be a list of files and directories with ValidatingAdmissionPolicies")
		default:
			for _, item := range list.Content {
				r.policyFiles(item, c)
			}
		}
	}
	r.rules = append(slices.Clip(r.rules), own.Names(c.Policies)...)
}

// policyFiles reads the file or the directory that a setting names.
func (r *reader) policyFiles(n *yaml.Node, c *Config) {
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
				r.err = ParsePolicies(c, file, texts[file])
			}
		}
		if len(texts) == 1 && texts[name] != nil {
			r.testsBeside(name, c)
		}
		if ok {
			return
		}
	}
	files, err := policyFiles(name)
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
			r.err = readPolicies(c, file)
		}
	}
}

// testsBeside adds the tests of a file with policies, if there are any.
func (r *reader) testsBeside(file string, c *Config) {
	if texts, ok, _ := r.from(RuleTest(file)); ok {
		c.RuleTests = slices.AppendSeq(c.RuleTests, maps.Keys(texts))
		return
	}
	tests, _ := RuleTests(file)
	c.RuleTests = append(c.RuleTests, tests...)
}

// policyFiles are the files of a path: itself, or those directly in the directory, which are
// all YAML files but those with tests.
func policyFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("no file or directory with policies: %w", err)
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
		return nil, fmt.Errorf("%s holds no files with policies: they end in .yaml or .yml, and not in _test.yaml", path)
	}
	return files, nil
}

func yamlFile(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// IsRuleTest reports whether a file has tests of policies.
func IsRuleTest(name string) bool {
	return strings.HasSuffix(name, "_test.yaml") || strings.HasSuffix(name, "_test.yml")
}

func readPolicies(c *Config, file string) error {
	data, err := readRuleFile(file, "policies")
	if err != nil {
		return err
	}
	return ParsePolicies(c, file, data)
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

// ParsePolicies adds the objects of a file with policies to the config.
func ParsePolicies(c *Config, file string, data []byte) error {
	set := manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: bytes.NewReader(data), StdinName: file})
	if err := manifest.Err(set.Problems); err != nil {
		return err
	}
	c.RuleFiles, c.Policies = append(c.RuleFiles, file), append(c.Policies, set.Objects...)
	switch {
	case len(set.Objects) == 0:
		return fmt.Errorf("%s: the file has no ValidatingAdmissionPolicy", file)
	case len(c.Policies) > mostRules:
		return fmt.Errorf("%s: more than %d objects in the files with policies", file, mostRules)
	}
	return nil
}

// oneLine reads a text that is printed on one line.
func (r *reader) oneLine(n *yaml.Node) string {
	text := strings.TrimSpace(r.text(n))
	if r.err == nil && (text == "" || strings.ContainsAny(text, "\n\r")) {
		r.fail(n, "one line of text is expected here")
	}
	return text
}
