// Package snapshot knows what a dump of live objects must hold so that an
// apply can be rehearsed on it: which kinds to export for a config, with what
// commands and permissions, and what a dump lacks.
package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"threeway/merge/applier"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/parallel"
	"threeway/merge/prune"
	"threeway/merge/tree"
)

// Want is a kind to export, and why.
type Want struct {
	schema.Kind
	// Resource is kubectl's name for it: deployments.apps.
	Resource string
	// Plural is the name of it in a role; that of a custom kind without a
	// definition is guessed.
	Plural string
	// Guessed tells that Plural is a guess.
	Guessed bool
	Why     Why
}

// Why says who looks at a kind. Of several the first counts.
type Why int

// Who looks.
const (
	Usual Why = iota
	Config
	Applier
	Prune
	Server
	Lint
)

// String is the beginning of "the API server goes by: Namespace".
func (w Why) String() string {
	return [...]string{
		"the usual kinds (-f MANIFESTS chooses the kinds of your manifests, --all-kinds all kinds of the cluster)",
		"kinds of your manifests", "kinds in which the applier keeps what it applied", "kinds that --prune deletes", "kinds that the API server consults", "kinds that lint consults",
	}[w]
}

// Options say what the snapshot is for.
type Options struct {
	// Manifests are the set; nil stands for one of any of the usual kinds.
	Manifests *manifest.Set
	// Definitions are CustomResourceDefinitions besides those of the config.
	Definitions []*manifest.Object
	// Schemas are those of custom kinds without a definition.
	Schemas *manifest.Schemas
	// By is that by which another program than kubectl applies the config; "" if none does.
	By applier.Kind
	// Minor is that of the cluster.
	Minor int
	// Prune are the kinds that --prune looks at; nil without --prune.
	Prune []schema.Kind
	// User tells that the rights of a user are asked for.
	User bool
	// EmptyCluster says that nothing is live.
	EmptyCluster bool
	// Cores is how many objects are looked at side by side.
	Cores parallel.Cores
	// Undefined and Unserved are what a rehearsal found of the kinds of the
	// config: those without a definition, and those that the cluster does not
	// serve.
	Undefined, Unserved []string
}

// kept are the kinds in which an applier keeps what it has applied, or is told how to.
var kept = map[applier.Kind]string{
	applier.Release:       "Secret",
	applier.Application:   "Application.argoproj.io ConfigMap",
	applier.Kustomization: "Kustomization.kustomize.toolkit.fluxcd.io",
	applier.HelmRelease:   "HelmRelease.helm.toolkit.fluxcd.io Secret",
}

// besides are the kinds that have a say in what becomes of objects of the kinds
// in of, or, where that is empty, of any: those the server asks whatever the
// config is, so that a snapshot serves the next config too.
var besides = []struct {
	why       Why
	of, kinds string
}{
	{Server, "", "Namespace ResourceQuota LimitRange PriorityClass.scheduling.k8s.io RuntimeClass.node.k8s.io StorageClass.storage.k8s.io"},
	{Server, "", "IngressClass.networking.k8s.io ServiceCIDR.networking.k8s.io " + definitionKind},
	{Server, "", "MutatingWebhookConfiguration.admissionregistration.k8s.io ValidatingWebhookConfiguration.admissionregistration.k8s.io"},
	{Server, "", "MutatingAdmissionPolicy.admissionregistration.k8s.io MutatingAdmissionPolicyBinding.admissionregistration.k8s.io"},
	{Server, "", "ValidatingAdmissionPolicy.admissionregistration.k8s.io ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io"},
	{Lint, "Deployment.apps StatefulSet.apps ReplicaSet.apps ReplicationController", "HorizontalPodAutoscaler.autoscaling"},
	{Lint, "Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io", "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io"},
	{Lint, "RoleBinding.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io", "Role.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io"},
	{Lint, "Ingress.networking.k8s.io", "Service"},
	{Lint, "Deployment.apps StatefulSet.apps DaemonSet.apps Job.batch CronJob.batch Pod", "ConfigMap ServiceAccount PersistentVolumeClaim"},
	{Lint, "Service PodDisruptionBudget.policy", "Deployment.apps StatefulSet.apps DaemonSet.apps ReplicaSet.apps ReplicationController Job.batch CronJob.batch Pod"},
}

// usual are the kinds of a config that is not known.
const usual = "ConfigMap Secret Service ServiceAccount PersistentVolumeClaim Pod ReplicationController Namespace " +
	"Deployment.apps StatefulSet.apps DaemonSet.apps ReplicaSet.apps Job.batch CronJob.batch HorizontalPodAutoscaler.autoscaling " +
	"Ingress.networking.k8s.io NetworkPolicy.networking.k8s.io PodDisruptionBudget.policy " +
	rights

// rights are the kinds that say what a user may do.
const rights = "Role.rbac.authorization.k8s.io RoleBinding.rbac.authorization.k8s.io ClusterRole.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io"

const definitionKind = "CustomResourceDefinition.apiextensions.k8s.io"

// Wants lists the kinds that a rehearsal needs, by reason and name.
func Wants(opts Options) []Want {
	c := collector{opts: opts, wants: map[string]Want{}}
	if opts.Manifests == nil {
		for _, kind := range strings.Fields(usual) {
			c.builtin(kind, Usual)
		}
	} else {
		for _, o := range opts.Manifests.Objects {
			c.kind(o.Kind, Config)
		}
	}
	for _, kind := range strings.Fields(kept[opts.By]) {
		if name, group, _ := strings.Cut(kind, "."); !c.builtin(kind, Applier) {
			plural := strings.ToLower(name) + "s"
			c.add(Want{Kind: schema.Kind{Group: group, Kind: name}, Plural: plural, Resource: plural + "." + group, Why: Applier})
		}
	}
	for _, k := range opts.Prune {
		c.kind(k, Prune)
	}
	var have []string
	for kind, w := range c.wants {
		if w.Why <= Config {
			have = append(have, kind)
		}
	}
	for _, b := range besides {
		if b.of == "" || slices.ContainsFunc(strings.Fields(b.of), func(kind string) bool { return slices.Contains(have, kind) }) {
			for _, kind := range strings.Fields(b.kinds) {
				c.builtin(kind, b.why)
			}
		}
	}
	if opts.User {
		for _, kind := range strings.Fields(rights) {
			c.builtin(kind, Server)
		}
	}
	wants := make([]Want, 0, len(c.wants))
	for _, w := range c.wants {
		wants = append(wants, w)
	}
	slices.SortFunc(wants, func(a, b Want) int { return cmp.Or(int(a.Why-b.Why), cmp.Compare(a.Resource, b.Resource)) })
	return wants
}

// collector gathers wants by group and kind.
type collector struct {
	opts  Options
	wants map[string]Want
}

func (c *collector) add(w Want) {
	if first, ok := c.wants[w.GroupKind()]; !ok || w.Why < first.Why {
		c.wants[w.GroupKind()] = w
	}
}

// kind adds a kind of the config or of an allowlist.
func (c *collector) kind(k schema.Kind, why Why) {
	if c.builtin(k.GroupKind(), why) || schema.BuiltinGroup(k.Group) {
		return
	}
	w := Want{Kind: k, Plural: plural(k, c.definitions()), Why: why}
	w.Resource = w.Plural + "." + k.Group
	if w.Plural == "" { // kubectl finds a kind by its name too
		w.Plural, w.Resource, w.Guessed = strings.ToLower(k.Kind)+"s", k.GroupKind(), true
	}
	if servable(w) {
		c.add(w)
	}
}

// servable reports whether an API server can serve a kind by these names
// (apiextensions-apiserver pkg/apis/apiextensions/validation ValidateCustomResourceDefinitionNames).
func servable(w Want) bool {
	return content.IsDNS1123Subdomain(w.Group) == nil && content.IsDNS1123Label(w.Version) == nil &&
		content.IsDNS1123Label(strings.ToLower(w.Kind.Kind)) == nil && content.IsDNS1123Label(w.Plural) == nil
}

// Unservable finds an object of the manifests whose kind no API server can
// serve, so that no command exports it.
func Unservable(opts Options) *manifest.Object {
	if opts.Manifests == nil {
		return nil
	}
	for _, o := range opts.Manifests.Objects {
		c := collector{opts: opts, wants: map[string]Want{}}
		if c.kind(o.Kind, Config); len(c.wants) == 0 && !schema.BuiltinGroup(o.Kind.Group) {
			return o
		}
	}
	return nil
}

// builtin adds a built-in kind, if the cluster serves it.
func (c *collector) builtin(groupKind string, why Why) bool {
	for _, r := range schema.Resources() {
		if r.GroupKind() == groupKind && r.In(c.opts.Minor) && r.OnByDefault() {
			c.add(Want{Kind: r.Kind, Resource: Resource(r.Kind), Plural: r.Plural, Why: why})
			return true
		}
	}
	return false
}

// Resource is what kubectl calls a kind: deployments.apps. A kind without a
// built-in resource goes by its own name, which kubectl takes too.
func Resource(k schema.Kind) string {
	r, ok := schema.Builtin(k)
	switch {
	case !ok:
		return k.GroupKind()
	case r.Group == "":
		return r.Plural
	}
	return r.Plural + "." + r.Group
}

func (c *collector) definitions() []*manifest.Object {
	if c.opts.Manifests == nil {
		return c.opts.Definitions
	}
	return slices.Concat(c.opts.Manifests.Objects, c.opts.Definitions)
}

// plural is the resource name that a definition among the objects gives to the
// kind, or "".
func plural(k schema.Kind, objects []*manifest.Object) string {
	for _, o := range objects {
		if o.Kind.GroupKind() == definitionKind && tree.String(o.Tree, "spec", "group") == k.Group && tree.String(o.Tree, "spec", "names", "kind") == k.Kind {
			return tree.String(o.Tree, "spec", "names", "plural")
		}
	}
	return ""
}

// DefaultPrune are the kinds that --prune looks at unless told otherwise.
func DefaultPrune() []schema.Kind { return kindsOf(prune.DefaultKinds()) }

// PruneOf are the kinds of --prune-allowlist, each as GROUP/VERSION/KIND.
func PruneOf(allowlist []string) ([]schema.Kind, error) {
	kinds, err := prune.ParseKinds(allowlist, func(schema.Kind) (bool, bool) { return false, true })
	return kindsOf(kinds), err
}

func kindsOf(list []prune.Kind) (kinds []schema.Kind) {
	for _, k := range list {
		kinds = append(kinds, k.Kind)
	}
	return kinds
}
