package warnings

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// nodeLabels are the labels of nodes that have gone out of use.
//
// Source: deprecatedNodeLabels of pkg/api/node/util.go.
var nodeLabels = map[string]string{
	"beta.kubernetes.io/arch":                       `deprecated since v1.14; use "kubernetes.io/arch" instead`,
	"beta.kubernetes.io/os":                         `deprecated since v1.14; use "kubernetes.io/os" instead`,
	"failure-domain.beta.kubernetes.io/region":      `deprecated since v1.17; use "topology.kubernetes.io/region" instead`,
	"failure-domain.beta.kubernetes.io/zone":        `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
	"beta.kubernetes.io/instance-type":              `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`,
	"app.kubernetes.io/created-by":                  `deprecated since v1.9`,
	"scheduler.alpha.kubernetes.io/preferAvoidPods": `deprecated since v1.22; use Taints and Tolerations instead`,
	"node-role.kubernetes.io/master":                `use "node-role.kubernetes.io/control-plane" instead`,
}

// newNodeLabels are those of nodeLabels that [minors.WarnNodeLabels] brought.
var newNodeLabels = []string{"app.kubernetes.io/created-by", "scheduler.alpha.kubernetes.io/preferAvoidPods", "node-role.kubernetes.io/master"}

// outOfUse is what there is to say of a label of nodes.
func (w *texts) outOfUse(label string) (text string, ok bool) {
	if !minors.WarnNodeLabels.In(w.minor) && slices.Contains(newNodeLabels, label) {
		return "", false
	}
	text, ok = nodeLabels[label]
	return text, ok
}

// nodeLabel warns of a selector that names a label out of use.
func (w *texts) nodeLabel(label string, p *field.Path) {
	if text, ok := w.outOfUse(label); ok {
		w.at(p, "%s is %s", label, text)
	}
}

// selectorTerm warns of the terms of a node selector, and of values that no
// label can have where validation lets them through.
//
// Source: GetWarningsForNodeSelectorTerm of pkg/api/node/util.go.
func (w *texts) selectorTerm(term any, values bool, p *field.Path) {
	for i, e := range tree.List(term, "matchExpressions") {
		at := p.Child("matchExpressions").Index(i)
		w.nodeLabel(tree.String(e, "key"), at.Child("key"))
		if !values || !minors.WarnLabelValues.In(w.minor) {
			continue
		}
		for j, v := range tree.List(e, "values") {
			for _, fault := range content.IsLabelValue(tree.String(v)) {
				w.at(at.Child("values").Index(j), "%s is invalid, %s", tree.String(v), fault)
			}
		}
	}
}

// Node follows nodeWarnings of pkg/registry/core/node/strategy.go.
func Node(w *texts, r Request) {
	spec := tree.Map(r.Object, "spec")
	if tree.Has(spec, "configSource") {
		w.say("spec.configSource", "spec.configSource: the feature is removed")
	}
	if tree.String(spec, "externalID") != "" {
		w.say("spec.externalID", "spec.externalID: this field is deprecated, and is unused by Kubernetes")
	}
	if minors.WarnAddresses.In(r.Minor) {
		w.cidrs(tree.List(spec, "podCIDRs"), field.NewPath("spec", "podCIDRs"))
	}
}

// RuntimeClass follows GetWarningsForRuntimeClass of pkg/api/node/util.go.
func RuntimeClass(w *texts, r Request) {
	for _, key := range sorted(tree.Map(r.Object, "scheduling", "nodeSelector")) {
		if text, ok := w.outOfUse(key); ok {
			w.say(field.NewPath("scheduling", "nodeSelector").Key(key).String(), "scheduling.nodeSelector: %s", text)
		}
	}
}
