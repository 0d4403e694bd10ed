package server

import (
	"fmt"
	"slices"
	"strconv"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// templateGenerationKey is where apps/v1 shows the templateGeneration of the
// internal DaemonSet (pkg/apis/apps/v1/conversion.go).
const templateGenerationKey = "deprecated.daemonset.template.generation"

// rollbackKey is where apps/v1 keeps spec.rollbackTo.revision of the internal
// Deployment.
const rollbackKey = "deprecated.deployment.rollback.to"

// generationIsNumber holds a DaemonSet to a number in the annotation that is
// its templateGeneration.
func generationIsNumber(ds tree.Object) error {
	if text, ok := tree.Map(ds, "metadata", "annotations")[templateGenerationKey].(string); ok {
		_, err := strconv.ParseInt(text, 10, 64)
		return err
	}
	return nil
}

// rollbackIsNumber holds a Deployment to a number in the annotation that is its
// rollbackTo.
func rollbackIsNumber(deployment tree.Object) error {
	text := tree.String(deployment, "metadata", "annotations", rollbackKey)
	if text == "" {
		return nil
	}
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		return fmt.Errorf("failed to parse annotation[%s]=%s as int64: %w", rollbackKey, text, err)
	}
	return nil
}

// convert does what conversion to the internal version and back does to a
// decoded object: fields that exist twice, annotations that stand for fields.
func (b builtin) convert(obj tree.Object, minor int) {
	if b.row.convert != nil {
		b.row.convert(obj, b.Version)
	}
	if path := b.row.podSpec; path != nil {
		owner := tree.Map(obj, path[:len(path)-1]...)
		if spec := tree.Map(owner, "spec"); spec != nil {
			serviceAccount(spec)
			if !minors.InitAnnotationsInStrategy.In(minor) {
				dropAnnotations(owner, initContainerAnnotations)
			}
		}
	}
}

func convertPod(pod tree.Object, _ string) {
	if n, ok := tree.Int(pod, "spec", "terminationGracePeriodSeconds"); ok && n < 0 {
		tree.Set(pod, int64(1), "spec", "terminationGracePeriodSeconds")
	}
	singular(tree.Map(pod, "status"), "podIP", "podIPs", "ip")
}

func convertNode(node tree.Object, _ string) {
	singular(tree.Map(node, "spec"), "podCIDR", "podCIDRs", "")
}

func convertDaemonSet(ds tree.Object, _ string) {
	zeroUnset(tree.Map(ds, "spec", "updateStrategy", "rollingUpdate"), "maxUnavailable", "maxSurge")
	n, _ := strconv.ParseInt(tree.String(ds, "metadata", "annotations", templateGenerationKey), 10, 64)
	templateGeneration(ds, strconv.FormatInt(n, 10))
}

func convertDeployment(deployment tree.Object, _ string) {
	zeroUnset(tree.Map(deployment, "spec", "strategy", "rollingUpdate"), "maxUnavailable", "maxSurge")
	if n, err := strconv.ParseInt(tree.String(deployment, "metadata", "annotations", rollbackKey), 10, 64); err == nil {
		tree.Set(deployment, strconv.FormatInt(n, 10), "metadata", "annotations", rollbackKey)
	} else {
		dropAnnotations(deployment, []string{rollbackKey})
	}
}

func convertStatefulSet(set tree.Object, _ string) {
	zeroUnset(tree.Map(set, "spec", "updateStrategy", "rollingUpdate"), "partition")
	for _, c := range tree.List(set, "spec", "volumeClaimTemplates") {
		// As reflective conversion did before 1.17.
		if claim := tree.Map(c); claim != nil {
			claim["apiVersion"], claim["kind"] = "v1", "PersistentVolumeClaim"
		}
	}
}

func convertDefinition(crd tree.Object, _ string) {
	if !tree.Has(crd, "spec", "conversion", "webhook", "conversionReviewVersions") {
		dropEmptyWebhook(crd, nil, 0)
	}
}

// dropEmptyWebhook drops what has no field in the internal version of a definition. An
// empty list of review versions has, but storage drops it.
func dropEmptyWebhook(crd, _ tree.Object, _ int) {
	if c := tree.Map(crd, "spec", "conversion"); !tree.Has(c, "webhook", "clientConfig") && len(tree.List(c, "webhook", "conversionReviewVersions")) == 0 {
		drop(c, "webhook")
	}
}

// zeroUnset sets fields that are pointers in the versioned type only.
func zeroUnset(m tree.Object, fields ...string) {
	for _, f := range fields {
		if m != nil && m[f] == nil {
			m[f] = int64(0)
		}
	}
}

// singular keeps a field and the list that replaces it together: the field is
// the list's first element, and wins where they differ. The element is an
// object with the value at key, or the value itself if key is "".
func singular(owner tree.Object, field, list, key string) {
	values := tree.List(owner, list)
	var first string
	if len(values) > 0 && key == "" {
		first, _ = values[0].(string)
	} else if len(values) > 0 {
		first = tree.String(values[0], key)
	}
	value := tree.String(owner, field)
	switch {
	case value == "":
		if first != "" {
			owner[field] = first
		}
	case len(values) > 0 && value == first:
	case key == "":
		owner[list] = []any{value}
	default:
		owner[list] = []any{tree.Object{key: value}}
	}
}

// reservedLabel is what turns an empty selector of the policy/v1beta1 API into
// one that matches nothing (pkg/apis/policy/helpers.go).
const reservedLabel = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"

// dropReserved removes expressions with the reserved label from a new selector,
// unless that it is there is all that the selector asks for
// (dropDisabledFields of pkg/registry/policy/poddisruptionbudget/strategy.go).
func dropReserved(budget, old tree.Object, _ int) {
	selector := tree.Map(budget, "spec", "selector")
	expressions := tree.List(selector, "matchExpressions")
	if len(expressions) == 0 || tree.Equal(selector, tree.Map(old, "spec", "selector")) {
		return
	}
	if len(tree.Map(selector, "matchLabels")) == 0 && len(expressions) == 1 {
		e := expressions[0]
		if tree.String(e, "key") == reservedLabel && tree.String(e, "operator") == "Exists" && len(tree.List(e, "values")) == 0 {
			return
		}
	}
	selector["matchExpressions"] = slices.DeleteFunc(slices.Clone(expressions), func(e any) bool { return tree.String(e, "key") == reservedLabel })
}

// initContainerAnnotations are removed from Pods and templates: in conversion
// (pkg/apis/core/v1/conversion.go dropInitContainerAnnotations), or with the fields of
// gates that are off (pkg/api/pod/util.go DropInitContainerAnnotations).
var initContainerAnnotations = []string{
	"pod.beta.kubernetes.io/init-containers",
	"pod.alpha.kubernetes.io/init-containers",
	"pod.beta.kubernetes.io/init-container-statuses",
	"pod.alpha.kubernetes.io/init-container-statuses",
}

// serviceAccount follows Convert_v1_PodSpec_To_core_PodSpec and back
// (pkg/apis/core/v1/conversion.go): the old name repeats the new one.
func serviceAccount(spec tree.Object) {
	name := tree.String(spec, "serviceAccountName")
	if name == "" {
		name = tree.String(spec, "serviceAccount")
	}
	if name != "" {
		spec["serviceAccountName"], spec["serviceAccount"] = name, name
	}
}

func dropAnnotations(obj tree.Object, keys []string) {
	annotations := tree.Map(obj, "metadata", "annotations")
	if annotations == nil {
		return
	}
	drop(annotations, keys...)
	if len(annotations) == 0 {
		tree.Delete(obj, "metadata", "annotations")
	}
}

// foldStringData follows Convert_v1_Secret_To_core_Secret.
func foldStringData(secret tree.Object, _ string) {
	plain := tree.Map(secret, "stringData")
	delete(secret, "stringData")
	for k, v := range plain {
		if s, ok := v.(string); ok {
			tree.Set(secret, base64Text(s), "data", k)
		}
	}
}

// templateGeneration sets the annotation that stands for the field.
func templateGeneration(ds tree.Object, value string) {
	if value != "" {
		tree.Set(ds, value, "metadata", "annotations", templateGenerationKey)
	}
}

func increment(n string) string {
	i, _ := strconv.ParseInt(n, 10, 64)
	return strconv.FormatInt(i+1, 10)
}
