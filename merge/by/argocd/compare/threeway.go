package compare

import (
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// threeWay predicts as a client-side apply works, from last-applied, the manifest and
// the live object. Without last-applied, and where that fails, the manifest stands in for
// it, so that what left the manifest does not show (ThreeWayDiff, TwoWayDiff).
func (c *Comparison) threeWay(o Objects) Shown {
	text := tree.String(o.Live, "metadata", "annotations", tree.LastApplied)
	if orig, ok := source.DecodeJSON(text); ok && orig != nil {
		c.normalize(o, orig)
		if s, ok := fromThree(orig, o.Target, o.Live); ok {
			return s
		}
	}
	s, ok := fromThree(tree.CopyObject(o.Target), o.Target, o.Live)
	if !ok {
		s.Failed = unpatchable
	}
	return s
}

func fromThree(orig, config, live tree.Object) (Shown, bool) {
	orig, config = withoutNamespace(orig), withoutNamespace(config)
	kind := schema.ParseKind(tree.String(orig, "apiVersion"), tree.String(orig, "kind"))
	t := schema.Lookup(kind)
	if t == nil || !inClientGo(kind) {
		patch, err := kube.Patch(orig, config, commonFields(orig, live), nil, true)
		if err != nil {
			return Shown{}, false
		}
		predicted, err := kube.ApplyPatch(live, patch, nil)
		return shown(live, predicted), err == nil
	}
	base := live
	if kind.GroupKind() == "StatefulSet.apps" {
		base = withOwnTemplates(orig, live)
	}
	patch, err := kube.Patch(orig, config, base, t, true)
	if err != nil {
		return Shown{}, false
	}
	predicted, err := kube.ApplyPatch(live, patch, t)
	if err != nil {
		return Shown{}, false
	}
	return shown(defaulted(live, kind), defaulted(predicted, kind)), true
}

// inClientGo reports whether client-go has a Go type for a built-in kind.
func inClientGo(k schema.Kind) bool {
	return k.Group != "apiextensions.k8s.io" && k.Group != "apiregistration.k8s.io"
}

// defaulted is an object with the defaults of its kind, without losing what its Go type
// does not have. Of the groups that the program has no defaults for, it is the object
// (applyPatch, gitops-engine pkg/utils/kube/scheme).
func defaulted(o tree.Object, k schema.Kind) tree.Object {
	t := schema.Lookup(k)
	if t == nil || !inClientGo(k) || k.Group == "resource.k8s.io" {
		return o
	}
	before, _, ok := kube.Typed(o, k, minor)
	if !ok {
		return o
	}
	after := tree.CopyObject(before)
	kube.ApplyDefaults(after, t, minor)
	patch, err := kube.Patch(before, after, before, t, true)
	if err != nil {
		return o
	}
	with, err := kube.ApplyPatch(o, patch, t)
	if err != nil {
		return o
	}
	return with
}

// withoutNamespace is a manifest without its namespace and an empty map of annotations
// (removeNamespaceAnnotation).
func withoutNamespace(o tree.Object) tree.Object {
	o = tree.CopyObject(o)
	tree.Delete(o, "metadata", "namespace")
	if v, is := tree.Get(o, "metadata", "annotations"); is && tree.Empty(v) {
		tree.Delete(o, "metadata", "annotations")
	}
	return o
}

// withOwnTemplates is a live StatefulSet with only those fields of its claim templates
// that last-applied has: Argo CD does not know their defaults (statefulSetWorkaround).
func withOwnTemplates(orig, live tree.Object) tree.Object {
	templates, is := tree.Get(orig, "spec", "volumeClaimTemplates")
	list, isList := templates.([]any)
	had, isLive := tree.Get(live, "spec", "volumeClaimTemplates")
	if hadList, ok := had.([]any); is && isList && isLive && ok {
		live = tree.CopyObject(live)
		tree.Set(live, commonItems(list, hadList), "spec", "volumeClaimTemplates")
	}
	return live
}

// commonFields are the fields of an object that another has too (gitops-engine
// pkg/utils/json RemoveMapFields).
func commonFields(has, o tree.Object) tree.Object {
	left := tree.Object{}
	for key, v := range has {
		if value, is := o[key]; is {
			left[key] = common(v, value)
		}
	}
	return left
}

// commonItems is that of lists; items that the other does not have stay.
func commonItems(has, list []any) []any {
	left := make([]any, len(list))
	for i, v := range list {
		if left[i] = v; i < len(has) {
			left[i] = common(has[i], v)
		}
	}
	return left
}

func common(has, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if m, is := has.(map[string]any); is {
			return commonFields(m, v)
		}
	case []any:
		if l, is := has.([]any); is {
			return commonItems(l, v)
		}
	}
	return v
}
