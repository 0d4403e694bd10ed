package warnings

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// Pod warns of new Pods only (pkg/registry/core/pod/strategy.go).
func Pod(w *texts, r Request) {
	if r.Old == nil {
		w.name(r.Object, "the Pod's hostname")
		w.template(r.Object, nil, r.Minor)
	}
}

// podAnnotations are the annotations that no longer do anything.
//
// Source: deprecatedAnnotations of pkg/api/pod/warnings.go.
var podAnnotations = []note{
	{"scheduler.alpha.kubernetes.io/critical-pod", `non-functional in v1.16+; use the "priorityClassName" field instead`},
	{"security.alpha.kubernetes.io/sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	{"security.alpha.kubernetes.io/unsafe-sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
}

// seccompPod and the prefix are annotations that became fields.
const (
	seccompPod       = "seccomp.security.alpha.kubernetes.io/pod"
	seccompContainer = "container.seccomp.security.alpha.kubernetes.io/"
	nullSelector     = "a null labelSelector results in matching no pod"
)

// template follows warningsForPodSpecAndMeta of pkg/api/pod/warnings.go; p is
// nil for a Pod itself.
func (w *texts) template(pod tree.Object, p *field.Path, minor int) {
	if pod == nil {
		return
	}
	at, spec, metadata := p.Child("spec"), tree.Map(pod, "spec"), tree.Map(pod, "metadata")
	w.nodeSelection(spec, at)
	w.annotations(metadata, p, podAnnotations)
	w.volumes(tree.List(spec, "volumes"), at.Child("volumes"), minor)
	w.repeated(tree.List(spec, "hostAliases"), "ip", at.Child("hostAliases"))
	w.repeated(tree.List(spec, "imagePullSecrets"), "name", at.Child("imagePullSecrets"))
	for i, s := range tree.List(spec, "imagePullSecrets") {
		if tree.String(s, "name") == "" {
			w.at(at.Child("imagePullSecrets").Index(i).Child("name"), `invalid empty name ""`)
		}
	}
	w.fractional(tree.Map(spec, "overhead"), at.Child("overhead"), "memory", "ephemeral-storage")
	if !tree.Has(spec, "securityContext", "seccompProfile") && tree.Has(metadata, "annotations", seccompPod) {
		w.at(p.Child("metadata", "annotations").Key(seccompPod), `non-functional in v1.27+; use the "seccompProfile" field instead`)
	}
	w.containers(spec, metadata, p, minor)
	if grace, _ := tree.Int(spec, "terminationGracePeriodSeconds"); grace < 0 {
		w.at(at.Child("terminationGracePeriodSeconds"), "must be >= 0; negative values are invalid and will be treated as 1")
	}
	w.podAffinity(spec, at.Child("affinity"))
	if !minors.WarnAddresses.In(minor) {
		return
	}
	w.ips(tree.List(spec, "dnsConfig", "nameservers"), at.Child("dnsConfig", "nameservers"))
	for i, alias := range tree.List(spec, "hostAliases") {
		w.ip(tree.String(alias, "ip"), at.Child("hostAliases").Index(i).Child("ip"))
	}
}

// nodeSelection warns of node labels out of use, wherever a pod names them.
func (w *texts) nodeSelection(spec tree.Object, p *field.Path) {
	for _, key := range sorted(tree.Map(spec, "nodeSelector")) {
		if text, ok := w.outOfUse(key); ok {
			w.at(p.Child("nodeSelector").Key(key), "%s", text)
		}
	}
	affinity, at := tree.Map(spec, "affinity", "nodeAffinity"), p.Child("affinity", "nodeAffinity")
	terms := at.Child("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
	for i, t := range tree.List(affinity, "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms") {
		w.selectorTerm(t, false, terms.Index(i))
	}
	preferred := at.Child("preferredDuringSchedulingIgnoredDuringExecution")
	for i, t := range tree.List(affinity, "preferredDuringSchedulingIgnoredDuringExecution") {
		w.selectorTerm(tree.Map(t, "preference"), true, preferred.Index(i).Child("preference"))
	}
	for i, c := range tree.List(spec, "topologySpreadConstraints") {
		constraint := p.Child("topologySpreadConstraints").Index(i)
		w.nodeLabel(tree.String(c, "topologyKey"), constraint.Child("topologyKey"))
		if !tree.Has(c, "labelSelector") {
			w.at(constraint.Child("labelSelector"), nullSelector)
		}
	}
}

// podAffinity warns of terms that match nothing.
func (w *texts) podAffinity(spec tree.Object, p *field.Path) {
	const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		for i, t := range tree.List(spec, "affinity", kind, required) {
			if !tree.Has(t, "labelSelector") {
				w.at(p.Child(kind, required).Index(i).Child("labelSelector"), nullSelector)
			}
		}
		for i, t := range tree.List(spec, "affinity", kind, preferred) {
			if !tree.Has(t, "podAffinityTerm", "labelSelector") {
				w.at(p.Child(kind, preferred).Index(i).Child("podAffinityTerm", "labelSelector"), nullSelector)
			}
		}
	}
}

// repeated warns of elements with the key of one before.
func (w *texts) repeated(list []any, key string, p *field.Path) {
	seen := map[string]bool{}
	for i, x := range list {
		value := tree.String(x, key)
		if seen[value] {
			w.at(p.Index(i).Child(key), "duplicate %s %q", key, value)
		}
		seen[value] = true
	}
}
