package settings

import (
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"threeway/lint"
	"threeway/lint/guard"
	"threeway/merge/applier/helm"
	"threeway/merge/fieldpath"
	"threeway/merge/mask"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
)

// settings are the keys of the file.
func (r *reader) settings(c *Config, version *string) []field {
	return []field{
		{"version", "The version of this format.", tree.Object{"const": int64(1)}, func(n *yaml.Node) { *version = r.text(n) }},
		r.textField("kubernetes-version", "The Kubernetes minor version to simulate, in quotes: \"1.34\". Default: the newest one supported.", &c.KubernetesVersion),
		{"manifests", "All manifests: files, and directories with everything below them. Paths passed to lint only select what is reported. For several environments: each by its name.", tree.Object{"anyOf": []any{
			tree.Object{"type": "array", "items": textForm()}, tree.Object{"type": "object", "additionalProperties": pathsForm()},
		}}, func(n *yaml.Node) { r.manifests(n, c) }},
		{"kustomize", "Kustomize overlays that are applied: directories and patterns, such as overlays/*. Each is rendered and rehearsed separately.",
			tree.Object{"type": "array", "items": textForm()}, func(n *yaml.Node) { c.Kustomize = r.paths(n) }},
		{"exclude", "What below the manifests is none, in the syntax of .gitignore: files, directories and patterns, from the directory of this file.",
			tree.Object{"type": "array", "items": textForm()}, func(n *yaml.Node) { r.exclude(n, c) }},
		{"live", "Snapshots of the live objects: files, directories and archives. For several clusters: each by its name.", tree.Object{"anyOf": []any{
			tree.Object{"type": "array", "items": textForm()}, tree.Object{"type": "object", "additionalProperties": pathsForm()},
		}}, func(n *yaml.Node) { r.live(n, c) }},
		{"crds", "What describes custom kinds: files and directories with CustomResourceDefinitions, with schemas of a catalog (GROUP/KIND_VERSION.json), or with OpenAPI v3 of the cluster.",
			tree.Object{"type": "array", "items": textForm()}, func(n *yaml.Node) { c.Definitions = r.paths(n) }},
		nested("apply", "How you apply the manifests.", r.apply(c), func(n *yaml.Node) { r.mapping(n, "apply", r.apply(c)) }),
		{"rules", "The severity of each rule: error, warning, info or off.", tree.Object{}, func(n *yaml.Node) { r.severities(n, c) }},
		{"policies", "Rules of your own: files and directories with ValidatingAdmissionPolicies, their bindings and parameters.",
			tree.Object{"type": "array", "items": textForm()}, func(*yaml.Node) {}}, // ownFirst has read them
		nested("policy-command", "The program of another policy engine, which review and lint run with --trust.", r.policyCommand(&c.PolicyCommand), func(n *yaml.Node) {
			if r.mapping(n, "policy-command", r.policyCommand(&c.PolicyCommand)); r.err == nil && c.PolicyCommand.Run == nil {
				r.fail(n, "run is missing; write the words of the command: run: [conftest, test, -o, json, '{}']")
			}
		}),
		{"ignore", "Findings to ignore, each with a reason.",
			tree.Object{"type": "array", "items": object(r.ignore(&lint.Ignore{}), "reason")}, func(n *yaml.Node) { r.ignores(n, c) }},
		{"references", "Fields of custom kinds that refer to other objects, for missing-reference and breaks-reference.",
			tree.Object{"type": "array", "items": object(r.reference(&lint.Reference{}), "kind", "field", "to")}, func(n *yaml.Node) { r.references(n, c) }},
		{"guard", "What 'threeway guard' answers; the first entry that fits counts.",
			tree.Object{"type": "array", "items": object(r.clause(&guard.Clause{}), "answer")}, func(n *yaml.Node) { r.guard(n, c) }},
		nested("secrets", "What every command masks besides the values of Secrets.", r.secrets(c), func(n *yaml.Node) { r.mapping(n, "secrets", r.secrets(c)) }),
		r.choiceField("level", "The lowest severity that lint and review list.", func(v string) { c.Level = v }, "error", "warning", "info"),
		r.addressField("rule-pages", "The address of a site with the pages of the rules, to which reports link them. Default: that of threeway.", &c.RulePages),
		r.choiceField("fail-on", "The lowest severity that makes lint and review exit with 1.", func(v string) { c.FailOn = v }, "error", "warning", "info", "never"),
	}
}

func nested(name, doc string, fields []field, read func(*yaml.Node)) field {
	return field{name, doc, object(fields), read}
}

// pathsForm is a path, or a list of them.
func pathsForm() tree.Object {
	return tree.Object{"anyOf": []any{textForm(), tree.Object{"type": "array", "items": textForm()}}}
}

// manifests reads one set of manifests, or several by their names.
func (r *reader) manifests(n *yaml.Node, c *Config) {
	if n.Kind != yaml.MappingNode {
		c.Manifests = r.paths(n)
		return
	}
	r.named(n, "manifests", "environment", func(name string, paths []string) {
		c.Environments = append(c.Environments, Environment{name, paths})
	})
}

// live reads the snapshots of one cluster, or of several by their names.
func (r *reader) live(n *yaml.Node, c *Config) {
	if n.Kind != yaml.MappingNode {
		c.Live = r.paths(n)
		return
	}
	r.named(n, "live", "cluster", func(name string, paths []string) {
		c.Clusters = append(c.Clusters, Cluster{name, paths})
	})
}

// named reads paths by names, of which none may be there twice. noun is what has a name.
func (r *reader) named(n *yaml.Node, field, noun string, add func(name string, paths []string)) {
	seen := map[string]bool{}
	r.entries(n, field, func(key, value *yaml.Node) {
		name := r.text(key)
		if seen[name] {
			r.fail(key, "the %s %q is set twice", noun, name)
		}
		seen[name] = true
		if value.Kind == yaml.ScalarNode {
			add(name, []string{r.path(value)})
		} else {
			add(name, r.paths(value))
		}
	})
}

func (r *reader) apply(c *Config) []field {
	return []field{
		r.choiceField("mode", "Default: client-side.", func(v string) { c.ServerSide = v == "server-side" }, "client-side", "server-side"),
		r.choiceField("applier", "The program that applies the manifests. Default: kubectl.", func(v string) { c.Applier = v }, "kubectl", "helm", "argocd", "flux"),
		nested("helm", "The release as which Helm applies the manifests.", r.helm(c), func(n *yaml.Node) { r.mapping(n, "apply.helm", r.helm(c)) }),
		nested("argocd", "The Application as which Argo CD applies the manifests.", r.argocd(c), func(n *yaml.Node) { r.mapping(n, "apply.argocd", r.argocd(c)) }),
		nested("flux", "The Kustomization or HelmRelease as which Flux applies the manifests.", r.flux(c), func(n *yaml.Node) { r.mapping(n, "apply.flux", r.flux(c)) }),
		r.textField("namespace", "The namespace of objects without one, as -n.", &c.Namespace),
		r.textField("as", "The user who applies, as kubectl's --as: what RBAC forbids it is rejected, and admission policies may ask for it.", &c.As),
		r.textsField("as-group", "The groups of that user, as kubectl's --as-group.", &c.AsGroups),
		r.textField("as-uid", "The UID of that user, as kubectl's --as-uid.", &c.AsUID),
		nested("prune", "How you prune; the keys are kubectl's flags.", r.prune(&Prune{}), func(n *yaml.Node) {
			c.Prune = &Prune{}
			r.mapping(n, "apply.prune", r.prune(c.Prune))
		}),
	}
}

func (r *reader) policyCommand(p *PolicyCommand) []field {
	return []field{
		{"run", "The words of the command. {} is the directory with a file for each object; a path is one of the revision of --trust, from the directory of this file.", tree.Object{"type": "array", "items": textForm(), "minItems": int64(2)}, func(n *yaml.Node) {
			p.Run = r.texts(n)
			switch takes := func(word string) bool { return strings.Contains(word, "{}") }; {
			case r.err != nil:
			case len(p.Run) == 0 || takes(p.Run[0]) || !slices.ContainsFunc(p.Run, takes):
				r.fail(n, "write the words of the command, with '{}' for the directory of the objects: [conftest, test, -o, json, '{}']")
			case strings.Contains(p.Run[0], "/") && !filepath.IsAbs(p.Run[0]):
				r.fail(n, "%s is no program of this machine; name one of the PATH, and a script of the repository after its interpreter: [sh, %s, '{}']", p.Run[0], p.Run[0])
			}
		}},
		r.textsField("answers", "The ValidatingWebhookConfigurations whose policies it evaluates: their answers are no longer unknown.", &p.Answers),
	}
}

func (r *reader) helm(c *Config) []field {
	return []field{
		{"release", "The release, as NAMESPACE/NAME or NAME.", textForm(), func(n *yaml.Node) {
			c.Helm.Release = r.text(n)
			if err := helm.CheckRelease(c.Helm.Release); err != nil {
				r.fail(n, "%v", err)
			}
		}},
		r.choiceField("version", "Helm's major version. Default: 4.", func(v string) { c.Helm.Version = int(v[0] - '0') }, "3", "4"),
	}
}

func (r *reader) argocd(c *Config) []field {
	return []field{r.pathField("app", "The Application, as NAMESPACE/NAME or NAME, or its file. Default: the only one in the snapshot or the manifests.", &c.ArgoCD.App)}
}

func (r *reader) flux(c *Config) []field {
	return []field{
		r.pathField("kustomization", "The Kustomization, as NAMESPACE/NAME or NAME, or its file. Default: the only one in the snapshot.", &c.Flux.Kustomization),
		r.pathField("helmrelease", "The HelmRelease, as NAMESPACE/NAME or NAME, or its file, if helm-controller applies the manifests.", &c.Flux.HelmRelease),
	}
}

func (r *reader) secrets(c *Config) []field {
	return []field{
		{"env", "Patterns for the names of environment variables: '*PASSWORD*'; known stands for the usual names.", tree.Object{"type": "array", "items": textForm()}, func(n *yaml.Node) {
			patterns, err := mask.ParseEnv(r.texts(n))
			if err != nil {
				r.fail(n, "%v", err)
			}
			c.Secrets.Env = patterns
		}},
		{"kinds", "Kinds whose fields hold secrets.", tree.Object{"type": "array", "items": object(r.secretKind(&secretKind{}), "kind")}, func(n *yaml.Node) {
			r.items(n, "secrets.kinds must be a list", func(item *yaml.Node) { r.declare(item, c) })
		}},
	}
}

func (r *reader) references(n *yaml.Node, c *Config) {
	r.items(n, "references must be a list", func(item *yaml.Node) {
		var ref lint.Reference
		r.mapping(item, "references", r.reference(&ref))
		if r.err == nil && (ref.Kind == "" || ref.Field == "" || ref.To == "") {
			r.fail(item, "kind, field or to is missing; write the kind with the field, the field, and the kind it refers to")
		}
		c.References = append(c.References, ref)
	})
}

func (r *reader) reference(ref *lint.Reference) []field {
	return []field{
		r.textField("kind", "The kind with the field: Kind.group.", &ref.Kind),
		r.textField("field", "The field with the name: spec.kafka.credentials[].secretName, in which [] is any item of a list.", &ref.Field),
		r.textField("to", "The kind that it names: Secret, or Kind.group.", &ref.To),
		{"cluster", "true if the kind that it names has no namespace.", tree.Object{"type": "boolean"}, func(n *yaml.Node) { ref.Cluster = r.oneOf(n, "true", "false") == "true" }},
	}
}

// secretKind is one of secrets.kinds.
type secretKind struct {
	kind   string
	fields []string
}

func (r *reader) secretKind(k *secretKind) []field {
	return []field{
		r.textField("kind", "The kind, as Kind.group; without a group, the kind in every group.", &k.kind),
		r.textsField("fields", "Fields to mask with everything below them: spec.users.password. A path through a list covers each of its items. Default: everything but the metadata.", &k.fields),
	}
}

func (r *reader) declare(n *yaml.Node, c *Config) {
	var k secretKind
	r.mapping(n, "secrets.kinds", r.secretKind(&k))
	if r.err == nil && k.kind == "" {
		r.fail(n, "the kind is missing; write it as Kind.group")
	}
	declared, err := mask.ParseKind(k.kind, k.fields)
	if err != nil {
		r.fail(n, "%v", err)
	}
	c.Secrets.Kinds = append(c.Secrets.Kinds, declared)
}

func (r *reader) prune(p *Prune) []field {
	return []field{
		r.pathField("root", "The top directory of all manifests.", &p.Root),
		r.textField("selector", "The label selector, as -l.", &p.Selector),
		r.textField("applyset", "The parent of the ApplySet, as [RESOURCE][.GROUP]/NAME.", &p.ApplySet),
		r.textsField("allowlist", "The kinds to prune, each as GROUP/VERSION/KIND.", &p.Allowlist),
		{"all", "Prune regardless of labels, as --prune=all.", tree.Object{"type": "boolean"}, func(n *yaml.Node) { p.All = r.oneOf(n, "true", "false") == "true" }},
	}
}

// severities reads rule: severity. YAML 1.1 readers make false of off.
func (r *reader) severities(n *yaml.Node, c *Config) {
	r.entries(n, "rules", func(key, value *yaml.Node) {
		if !slices.Contains(r.rules, key.Value) {
			r.fail(key, "unknown rule %q; %s'threeway rules' lists them", key.Value, phrase.Meant(key.Value, r.rules))
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
	r.items(n, "ignore must be a list", func(item *yaml.Node) {
		var i lint.Ignore
		r.mapping(item, "ignore", r.ignore(&i))
		if r.err == nil && i.Reason == "" {
			r.fail(item, "the reason is missing; write why this is ignored")
		}
		if r.err == nil && i.Rule == "" && i.Kind == "" && i.Name == "" && i.Manager == "" && i.Path == nil {
			r.fail(item, "this would ignore everything; add a rule, a kind, a name, a path or a manager")
		}
		c.Ignore = append(c.Ignore, i)
	})
}

func (r *reader) ignore(i *lint.Ignore) []field {
	return []field{
		{"rule", "The ID of the rule.", textForm(), func(n *yaml.Node) {
			if i.Rule = r.text(n); !slices.Contains(r.rules, i.Rule) {
				r.fail(n, "unknown rule %q; %s'threeway rules' lists them", i.Rule, phrase.Meant(i.Rule, r.rules))
			}
		}},
		r.textField("kind", "The kind of the object, such as Deployment.", &i.Kind),
		r.textField("namespace", "The namespace of the object.", &i.Namespace),
		r.textField("name", "The name of the object.", &i.Name),
		{"path", "The field, with everything below it: spec.template.spec.containers[name=web].image.", textForm(), func(n *yaml.Node) {
			p, err := fieldpath.Parse(r.text(n))
			if err != nil {
				r.fail(n, "%v", err)
			}
			i.Path = p
		}},
		r.textField("manager", "The manager that owns the field in the snapshot, such as vpa-updater.", &i.Manager),
		r.textField("reason", "Why this is ignored.", &i.Reason),
	}
}
