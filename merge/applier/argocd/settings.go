package argocd

import (
	"cmp"
	"strings"

	"threeway/merge/manifest"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

// settings are those of Argo CD, in ConfigMap argocd-cm.
type settings struct {
	// namespace is that of Argo CD.
	namespace string
	tracking  Tracking
	ignored   []Ignore
}

// settingsOf reads them from the snapshot, else from the manifests; without any they
// are the defaults (util/settings/settings.go).
func settingsOf(live *manifest.Snapshot, manifests *manifest.Set) settings {
	s := settings{namespace: "argocd"}
	cm := configMap(live, manifests)
	var data tree.Object
	if cm != nil {
		s.namespace, data = cm.Namespace, tree.Map(cm.Tree, "data")
	}
	s.tracking = Tracking{
		method:       cmp.Or(tree.String(data, "application.resourceTrackingMethod"), "annotation"),
		label:        cmp.Or(tree.String(data, "application.instanceLabelKey"), "app.kubernetes.io/instance"),
		installation: tree.String(data, "installationID"),
	}
	for _, key := range tree.Keys(data) {
		kind, is := strings.CutPrefix(key, "resource.customizations.ignoreDifferences.")
		if !is {
			continue
		}
		rule, err := source.Decode(tree.String(data, key))
		if err != nil {
			continue // Argo CD skips it with a line in its log
		}
		group, name, grouped := strings.Cut(kind, "_")
		switch {
		case kind == "all":
			rule["group"], rule["kind"] = "*", "*"
		case grouped:
			rule["group"], rule["kind"] = group, name
		default:
			rule["group"], rule["kind"] = "", kind
		}
		ignored, err := readIgnored([]any{rule}, "argocd-cm")
		if err == nil {
			s.ignored = append(s.ignored, ignored...)
		}
	}
	return s
}

func configMap(live *manifest.Snapshot, manifests *manifest.Set) *manifest.Object {
	for _, e := range live.EntriesOfKind("ConfigMap") {
		if e.Name == "argocd-cm" {
			return e.Object()
		}
	}
	for _, o := range manifests.Objects {
		if o.Kind.GroupKind() == "ConfigMap" && o.Name == "argocd-cm" {
			return o
		}
	}
	return nil
}
