// Package config reads .threeway.yaml, the project's settings. It is strict:
// an unknown key, a wrong type or an unknown rule is an error with its place.
package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"threeway/lint"
	"threeway/merge/fieldpath"
)

// FileName is the file looked for.
const FileName = ".threeway.yaml"

// Config is the content of a config file. Paths are as written.
type Config struct {
	// File is where it was read.
	File string

	KubernetesVersion string
	Manifests, Live   []string
	// ServerSide is apply.mode: server-side.
	ServerSide bool
	// Namespace is apply.namespace, kubectl's -n.
	Namespace string
	Prune     *Prune
	Rules     map[string]lint.Severity
	Ignore    []lint.Ignore
	FailOn    string
}

// Prune is how the set is pruned.
type Prune struct {
	Root, Selector, ApplySet string
	All                      bool
	Allowlist                []string
}

// Find returns the path of the first config file from dir up to the top of its
// repository, or "" if there is none. Home directories are not searched: a
// result must not depend on whose machine it is.
func Find(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		if info, err := os.Stat(filepath.Join(dir, FileName)); err == nil && !info.IsDir() {
			return filepath.Join(dir, FileName)
		}
		_, err := os.Stat(filepath.Join(dir, ".git"))
		parent := filepath.Dir(dir)
		if err == nil || parent == dir {
			return ""
		}
		dir = parent
	}
}

// Read reads a config file. rules are the names that it may use. An error
// names the file and the line.
func Read(file string, rules []string) (*Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the config file: %w", err)
	}
	return Parse(file, data, rules)
}

// Parse is Read of text.
func Parse(file string, data []byte, rules []string) (*Config, error) {
	r := &reader{file: file, rules: rules}
	c := &Config{File: file, Rules: map[string]lint.Severity{}}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("%s:1: the file is empty; begin with 'version: 1'", file)
	}
	version := ""
	r.fields(doc.Content[0], "", map[string]func(*yaml.Node){
		"version":            func(n *yaml.Node) { version = r.text(n) },
		"kubernetes-version": func(n *yaml.Node) { c.KubernetesVersion = r.text(n) },
		"manifests":          func(n *yaml.Node) { c.Manifests = r.texts(n) },
		"live":               func(n *yaml.Node) { c.Live = r.texts(n) },
		"apply":              func(n *yaml.Node) { r.apply(n, c) },
		"rules":              func(n *yaml.Node) { r.severities(n, c) },
		"ignore":             func(n *yaml.Node) { r.ignores(n, c) },
		"fail-on":            func(n *yaml.Node) { c.FailOn = r.oneOf(n, "error", "warning", "info", "never") },
	})
	if r.err == nil && version != "1" {
		r.fail(doc.Content[0], "version must be 1, not %q", version)
	}
	return c, r.err
}

// reader keeps the first error.
type reader struct {
	file  string
	rules []string
	err   error
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s:%d:%d: %s", r.file, n.Line, n.Column, fmt.Sprintf(format, args...))
	}
}

// fields reads a mapping whose keys are known.
func (r *reader) fields(n *yaml.Node, where string, known map[string]func(*yaml.Node)) {
	seen := map[string]bool{}
	r.entries(n, where, func(key, value *yaml.Node) {
		read := known[key.Value]
		switch {
		case read == nil:
			names := make([]string, 0, len(known))
			for name := range known {
				names = append(names, name)
			}
			slices.Sort(names)
			r.fail(key, "unknown key %q%s; known: %v", key.Value, inside(where), names)
		case seen[key.Value]:
			r.fail(key, "key %q is set twice", key.Value)
		default:
			seen[key.Value] = true
			read(value)
		}
	})
}

func inside(where string) string {
	if where == "" {
		return ""
	}
	return " in " + where
}

func (r *reader) entries(n *yaml.Node, where string, each func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fail(n, "%s must be a mapping", name(where))
		return
	}
	for i := 0; i+1 < len(n.Content) && r.err == nil; i += 2 {
		each(n.Content[i], n.Content[i+1])
	}
}

func name(where string) string {
	if where == "" {
		return "the file"
	}
	return where
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		r.fail(n, "a text is expected here")
	}
	return n.Value
}

func (r *reader) texts(n *yaml.Node) []string {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "a list of texts is expected here")
		return nil
	}
	var list []string
	for _, item := range n.Content {
		list = append(list, r.text(item))
	}
	return list
}

func (r *reader) oneOf(n *yaml.Node, values ...string) string {
	v := r.text(n)
	if r.err == nil && !slices.Contains(values, v) {
		r.fail(n, "%q is none of %v", v, values)
	}
	return v
}

func (r *reader) apply(n *yaml.Node, c *Config) {
	r.fields(n, "apply", map[string]func(*yaml.Node){
		"mode":      func(n *yaml.Node) { c.ServerSide = r.oneOf(n, "client-side", "server-side") == "server-side" },
		"namespace": func(n *yaml.Node) { c.Namespace = r.text(n) },
		"prune": func(n *yaml.Node) {
			c.Prune = &Prune{}
			r.fields(n, "apply.prune", map[string]func(*yaml.Node){
				"root":      func(n *yaml.Node) { c.Prune.Root = r.text(n) },
				"selector":  func(n *yaml.Node) { c.Prune.Selector = r.text(n) },
				"applyset":  func(n *yaml.Node) { c.Prune.ApplySet = r.text(n) },
				"allowlist": func(n *yaml.Node) { c.Prune.Allowlist = r.texts(n) },
				"all":       func(n *yaml.Node) { c.Prune.All = r.oneOf(n, "true", "false") == "true" },
			})
		},
	})
}

// severities reads rule: severity. YAML 1.1 readers make false of off.
func (r *reader) severities(n *yaml.Node, c *Config) {
	r.entries(n, "rules", func(key, value *yaml.Node) {
		if !slices.Contains(r.rules, key.Value) {
			r.fail(key, "no rule is called %q; see 'threeway rules'", key.Value)
			return
		}
		s, err := lint.ParseSeverity(r.text(value))
		if err != nil {
			r.fail(value, "%v", err)
		}
		c.Rules[key.Value] = s
	})
}

func (r *reader) ignores(n *yaml.Node, c *Config) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "ignore must be a list")
		return
	}
	for _, item := range n.Content {
		var i lint.Ignore
		r.fields(item, "ignore", map[string]func(*yaml.Node){
			"rule": func(n *yaml.Node) {
				if i.Rule = r.text(n); !slices.Contains(r.rules, i.Rule) {
					r.fail(n, "no rule is called %q; see 'threeway rules'", i.Rule)
				}
			},
			"kind":      func(n *yaml.Node) { i.Kind = r.text(n) },
			"namespace": func(n *yaml.Node) { i.Namespace = r.text(n) },
			"name":      func(n *yaml.Node) { i.Name = r.text(n) },
			"reason":    func(n *yaml.Node) { i.Reason = r.text(n) },
			"path": func(n *yaml.Node) {
				p, err := fieldpath.Parse(r.text(n))
				if err != nil {
					r.fail(n, "%v", err)
				}
				i.Path = p
			},
		})
		if r.err == nil && i.Reason == "" {
			r.fail(item, "the reason is missing; say why this is ignored")
		}
		if r.err == nil && i.Rule == "" && i.Kind == "" && i.Name == "" && i.Path == nil {
			r.fail(item, "this would ignore everything; name a rule, a kind, a name or a path")
		}
		c.Ignore = append(c.Ignore, i)
	}
}
