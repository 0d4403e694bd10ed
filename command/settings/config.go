// Package settings reads .threeway.yaml, the project's settings. It is strict:
// an unknown key, a wrong type or an unknown rule is an error with its place.
package settings

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"threeway/lint"
	"threeway/lint/guard"
	"threeway/merge/disk"
	"threeway/merge/manifest"
	"threeway/merge/mask"
)

// FileName is the file looked for.
const FileName = disk.SettingsName

// Config is the content of a config file. Paths are as written.
type Config struct {
	// File is where it was read.
	File string

	KubernetesVersion string
	Manifests, Live   []string
	// Environments are sets of manifests by their names, instead of Manifests.
	Environments []Environment
	// Kustomize are the overlays, as directories and patterns.
	Kustomize []string
	exclude   []pattern
	// Clusters are those of which live has the snapshots by name, in this order.
	Clusters []Cluster
	// Definitions are the paths of crds.
	Definitions []string
	Apply
	Rules  map[string]lint.Severity
	Ignore []lint.Ignore
	// Guard says what the guard answers.
	Guard guard.Policy
	// Level and FailOn are severities, "" if they are not set.
	Level, FailOn string
	// RulePages is the address of a site with the pages of the rules.
	RulePages string
	// References are fields that refer to other objects.
	References []lint.Reference
	// Secrets says what is masked besides the values of Secrets.
	Secrets mask.Policy
	OwnRules
}

// Apply is the section apply: how the manifests are applied.
type Apply struct {
	// ServerSide is mode: server-side.
	ServerSide bool
	// Applier is applier: kubectl, helm, argocd or flux; "" if it is not set.
	Applier string
	Helm    Helm
	ArgoCD  ArgoCD
	Flux    Flux
	// As is who applies; AsGroups and AsUID are its groups and its UID.
	As, AsUID string
	AsGroups  []string
	// Namespace is kubectl's -n.
	Namespace string
	// Prune says how the set is pruned; nil if it is not.
	Prune *Prune
}

// OwnRules are the rules of the project.
type OwnRules struct {
	// Policies are the admission policies that are rules, with bindings and parameters,
	// RuleFiles the files that they are from, and RuleTests those with tests of them.
	Policies  []*manifest.Object
	RuleFiles []string
	RuleTests []string
	// PolicyCommand is the program of another policy engine.
	PolicyCommand PolicyCommand
}

// PolicyCommand is a program that is asked about the objects of an apply.
type PolicyCommand struct {
	// Run are its words, nil if there is none; {} stands for the directory of the objects.
	Run []string
	// Answers are the configurations of validating webhooks that it answers for.
	Answers []string
}

// Cluster is one of several, by its name, with the paths of its snapshot.
type Cluster struct {
	Name string
	Live []string
}

// Environment is one of several sets of manifests, by its name.
type Environment struct {
	Name string
	// Paths are files, and directories with everything below them.
	Paths []string
}

// AllManifests are the manifests, or those of all environments.
func (c *Config) AllManifests() []string {
	list := c.Manifests
	for _, e := range c.Environments {
		list = append(list[:len(list):len(list)], e.Paths...)
	}
	return list
}

// AllLive are the snapshots of the cluster, or of all clusters.
func (c *Config) AllLive() []string {
	list := c.Live
	for _, k := range c.Clusters {
		list = append(list[:len(list):len(list)], k.Live...)
	}
	return list
}

// Prune is how the set is pruned.
type Prune struct {
	Root, Selector, ApplySet string
	All                      bool
	Allowlist                []string
}

// Helm is the release as which Helm applies the manifests.
type Helm struct {
	// Release is [NAMESPACE/]NAME.
	Release string
	// Version is Helm's major, 0 if it is not set.
	Version int
}

// ArgoCD is the Application as which Argo CD applies the manifests.
type ArgoCD struct {
	// App is [NAMESPACE/]NAME.
	App string
}

// Flux is the Kustomization or HelmRelease as which Flux applies the manifests.
type Flux struct {
	// Both are [NAMESPACE/]NAME, or a file.
	Kustomization, HelmRelease string
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
		if info, err := os.Stat(filepath.Join(dir, FileName)); err == nil && info.Mode().IsRegular() {
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

// Read reads a config file, and the files with policies that it names. rules are
// the names that it may use, besides those of its policies. An error names the
// file and the line.
func Read(file string, rules []string) (*Config, error) {
	data, err := disk.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	return Parse(file, data, rules)
}

// Texts are the files at or directly in a path; ok is false if the disk has them.
type Texts func(path string) (texts map[string][]byte, ok bool, err error)

// ParseFrom is Parse of settings whose files with policies are not on the disk.
func ParseFrom(from Texts, file string, data []byte, rules []string) (*Config, error) {
	return newReader(file, rules).settingsOf(data, from)
}

// Parse is Read of text.
func Parse(file string, data []byte, rules []string) (*Config, error) {
	return newReader(file, rules).settingsOf(data, nil)
}

func (r *reader) settingsOf(data []byte, from Texts) (*Config, error) {
	r.from = from
	c := &Config{File: r.file, Rules: map[string]lint.Severity{}}
	root := r.document(data, "start it with 'version: 1'")
	if root == nil {
		return nil, r.err
	}
	version := ""
	r.ownFirst(root, c)
	r.mapping(root, "", r.settings(c, &version))
	if r.err == nil && version == "" {
		r.fail(root, "the version of the format is missing: add the line 'version: 1'")
	}
	if r.err == nil && version != "1" {
		r.fail(root, "version must be 1, not %q", version)
	}
	return c, r.err
}

// document is the content of the file; nil if there is none.
func (r *reader) document(data []byte, start string) *yaml.Node {
	var doc, second yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&doc); err != nil && err != io.EOF {
		line, words := "1", strings.TrimPrefix(err.Error(), "yaml: ")
		if at, found := strings.CutPrefix(words, "line "); found {
			line, words, _ = strings.Cut(at, ": ")
		}
		if bytes.Contains(data, []byte("\t")) && (strings.Contains(words, "cannot start any token") || strings.Contains(words, "tab character")) {
			words += "; YAML is indented with spaces: replace the tab"
		}
		r.err = fmt.Errorf("%s:%s: %s", r.file, line, words)
		return nil
	}
	if err := d.Decode(&second); err == nil && second.Content[0].ShortTag() != "!!null" {
		r.err = fmt.Errorf("%s:%d: a second document begins here, and the file has one: remove the line ---", r.file, second.Content[0].Line)
		return nil
	}
	if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		r.err = fmt.Errorf("%s:1: the file is empty; %s", r.file, start)
		return nil
	}
	return doc.Content[0]
}
