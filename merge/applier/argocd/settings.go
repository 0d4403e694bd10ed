package argocd

import (
	"cmp"
	"maps"

	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// settings are those of Argo CD, in ConfigMap argocd-cm.
type settings struct {
	// namespace is that of Argo CD.
	namespace string
	tracking  Tracking
	ignored   []Ignore
	compare   Compare
	// impersonates tells that syncs are made as a ServiceAccount of the project, enforced that
	// they are not made without one.
	impersonates, enforced bool
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
	s.impersonates = tree.String(data, "application.sync.impersonation.enabled") == "true"
	s.enforced = tree.String(data, "application.sync.impersonation.enforced") != "false"
	s.compare = compareOf(data)
	for _, o := range overridesOf(data) {
		rule := tree.Object{"group": o.group, "kind": o.kind}
		maps.Copy(rule, o.ignore)
		if ignored, err := readIgnored([]any{rule}, "argocd-cm"); err == nil {
			s.ignored = append(s.ignored, ignored...)
		}
		s.compare.addOverride(o)
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
