package settings

import (
	"bytes"
	"cmp"
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
		case key.Value == own.Program:
			r.rules = append(slices.Clip(r.rules), own.Program)
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
	failed, err := c.addPolicies(beside(r.file, name), r.from)
	if err != nil {
		r.fail(n, "%v", err)
	}
	if r.err == nil {
		r.err = failed
	}
}

// WithPolicies returns the settings with the policies of more files and directories. from has the
// texts that the disk does not; nil if there are none.
func (c *Config) WithPolicies(paths []string, from Texts) (*Config, error) {
	if len(paths) == 0 {
		return c, nil
	}
	with := *c
	with.Policies, with.RuleFiles, with.RuleTests = slices.Clip(c.Policies), slices.Clip(c.RuleFiles), slices.Clip(c.RuleTests)
	for _, path := range paths {
		failed, err := with.addPolicies(path, from)
		if err = cmp.Or(err, failed); err != nil {
			return nil, err
		}
	}
	if len(own.Names(with.Policies)) == len(own.Names(c.Policies)) {
		return nil, fmt.Errorf("no ValidatingAdmissionPolicy in %s: no rule would run; pass the files that have one", strings.Join(paths, ", "))
	}
	return &with, nil
}

// addPolicies reads the policies of a file or a directory. failed is what is wrong in one of the
// files, which it names.
func (c *Config) addPolicies(name string, from Texts) (failed, err error) {
	var texts map[string][]byte
	var files []string
	ok := false
	if from != nil {
		texts, ok, err = from(name)
		files = slices.Sorted(maps.Keys(texts))
		if tests, _, _ := from(RuleTest(name)); texts[name] != nil && len(tests) > 0 {
			files = append(files, RuleTest(name))
		}
	}
	if err == nil && !ok {
		files, err = filesOf(name, "policies")
	}
	if err != nil {
		return nil, err
	}
	read := len(c.RuleFiles)
	for _, file := range files {
		switch {
		case file != name && (!yamlFile(file) || filepath.Base(file) == FileName):
		case slices.Contains(c.RuleFiles, filepath.Clean(file)):
			read = -1 // before
		case IsRuleTest(file):
			c.RuleTests = append(c.RuleTests, file)
		case ok:
			failed = ParsePolicies(c, file, texts[file])
		default:
			failed = readPolicies(c, file)
		}
		if failed != nil {
			return failed, nil
		}
	}
	if read == len(c.RuleFiles) {
		err = fmt.Errorf("%s holds no files with policies: they end in .yaml or .yml, and not in _test.yaml", name)
	}
	return nil, err
}

// filesOf are the YAML files directly in a directory; of a file, itself and the one with its
// tests, if there is one.
func filesOf(path, what string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("no file or directory with %s: %w", what, err)
	}
	if !info.IsDir() {
		files := []string{path}
		if _, err := os.Stat(RuleTest(path)); err == nil {
			files = append(files, RuleTest(path))
		}
		return files, nil
	}
	entries, err := disk.ReadDir(path)
	var files []string
	for _, e := range entries {
		if yamlFile(e.Name()) {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	return files, err
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
	c.RuleFiles, c.Policies = append(c.RuleFiles, filepath.Clean(file)), append(c.Policies, set.Objects...)
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
