package compare

import (
	"encoding/base64"
	"slices"
	"strings"

	"threeway/merge/applier/argocd"
	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// unpatchable is why Argo CD cannot compare an object whose patch cannot be computed.
var unpatchable = fault.Words("failed to calculate diff: the three-way patch of the manifest and the live object fails")

// remarshalled is an object as its Go type prints the fields that it has: quantities in
// their usual form, no nulls and empty values that encoding leaves out. An object with
// an unknown field stays as it is (remarshal).
func remarshalled(o tree.Object, k schema.Kind) tree.Object {
	if !inClientGo(k) {
		return tree.CopyObject(o)
	}
	typed, known, ok := kube.Typed(o, k, minor)
	if !ok || !known {
		return tree.CopyObject(o)
	}
	return commonFields(o, typed)
}

// normalize changes an object to what is compared of it, in place (Normalize).
func (c *Comparison) normalize(of Objects, o tree.Object) {
	normalizeKind(o, of.Kind, c.App.Compare.AggregatedRoles)
	argocd.Strip(c.App.Ignored, of.ID, o)
	argocd.Strip(c.App.Compare.StatusIgnored(), of.ID, o)
	for _, known := range c.App.Compare.KnownFields(of.Kind.Group, of.Kind.Kind) {
		retype(o, known.Path, known.Type)
	}
}

// normalizeKind is the part of normalize that no setting changes.
func normalizeKind(o tree.Object, k schema.Kind, aggregated bool) {
	tree.Delete(o, "metadata", "creationTimestamp")
	switch k.GroupKind() {
	case "Secret":
		normalizeSecret(o)
	case "Role.rbac.authorization.k8s.io", "ClusterRole.rbac.authorization.k8s.io":
		if _, is := o["aggregationRule"].(map[string]any); is && aggregated {
			o["rules"] = nil
		}
		if rules, is := o["rules"].([]any); is && len(rules) == 0 {
			o["rules"] = nil
		}
	case "Endpoints":
		sortSubsets(o)
	}
}

// normalizeSecret moves stringData into data (NormalizeSecret).
func normalizeSecret(o tree.Object) {
	for key, v := range tree.Map(o, "stringData") {
		if text, is := v.(string); is {
			v = base64.StdEncoding.EncodeToString([]byte(text))
		}
		tree.Set(o, v, "data", key)
	}
	if tree.Has(o, "stringData") && tree.Map(o, "stringData") != nil {
		delete(o, "stringData")
	}
	data := tree.Map(o, "data")
	for key, v := range data {
		if v == nil {
			data[key] = ""
		}
	}
}

// sortSubsets gives Endpoints one order of their subsets. Argo CD's is another one, but
// it is the same for all objects that are compared (normalizeEndpoint).
func sortSubsets(o tree.Object) {
	subsets := tree.List(o, "subsets")
	for _, subset := range subsets {
		for _, port := range tree.List(subset, "ports") {
			if m, is := port.(map[string]any); is && tree.String(m, "protocol") == "" {
				m["protocol"] = "TCP"
			}
		}
		for _, field := range []string{"addresses", "notReadyAddresses", "ports"} {
			sortByText(tree.List(subset, field))
		}
	}
	sortByText(subsets)
}

func sortByText(list []any) {
	slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(text(a), text(b)) })
}

func text(v any) string {
	out, err := tree.AppendJSON(nil, v)
	if err != nil {
		return ""
	}
	return string(out)
}

// retype puts a field of a custom resource into the form of a type, in each item of the
// lists on the way (util/argo/normalizers/knowntypes_normalizer.go normalize).
func retype(v any, path []string, typ string) {
	m, is := v.(map[string]any)
	if !is {
		return
	}
	field, is := m[path[0]]
	list, isList := field.([]any)
	switch {
	case !is:
	case isList && len(path) > 1:
		for _, item := range list {
			retype(item, path[1:], typ)
		}
	case isList:
		for i, item := range list {
			if typed, ok := kube.TypedValue(item, typ, minor); ok {
				list[i] = typed
			}
		}
	case len(path) > 1:
		retype(field, path[1:], typ)
	default:
		if typed, ok := kube.TypedValue(field, typ, minor); ok {
			m[path[0]] = typed
		}
	}
}
