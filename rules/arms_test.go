package rules

import (
	"strings"
	"testing"

	"threeway/lint"
)

// TestArms plays what the examples of the documentation leave out: the other
// things that a rule reports, with their severities.
func TestArms(t *testing.T) {
	for _, c := range []struct {
		name    string
		rule    *lint.Rule
		example lint.Example
		want    string // severity: part of the message, or "" for silence
	}{
		{"the other namespaces of a confined set", applysetNamespacedParent,
			lint.Example{Config: configMap("api") + "---\n" + strings.Replace(configMap("web"), "shop,", "web,", 1), Args: "--prune --applyset shop -n shop"},
			"error: the parent shop/Secret/shop confines the set to namespace shop, but it has objects in web"},
		{"a parent that cannot be made", applysetParentInvalid,
			lint.Example{Config: configMap("api"), Args: "--prune --applyset widgets.example.com/shop -n shop"},
			"error: kubectl refuses to run: invalid parent reference"},
		{"a parent in a namespace that the set makes", applysetParentInvalid,
			lint.Example{Live: "apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system}\n", Config: namespace + "---\n" + configMap("api"), Args: "--prune --applyset shop -n shop"},
			`error: kubectl refuses to run: failed to update ApplySet: namespaces "shop" not found`},
		{"a parent without the label", applysetParentInvalid,
			lint.Example{Live: strings.Replace(applysetParent, "applyset.kubernetes.io/id", "example.com/id", 1), Config: configMap("api"), Args: "--prune --applyset shop -n shop"},
			"error: kubectl refuses to run: ApplySet parent object"},
		{"an object that leaves its set", applysetStealsMember,
			lint.Example{Applied: memberOf("api", applysetID), Config: configMap("api")},
			"warning: the apply takes the object out of its ApplySet"},
		{"the label in a run with --applyset", applysetLabelInConfig,
			lint.Example{Config: memberOf("api", applysetID), Args: "--prune --applyset shop -n shop"},
			"error: the manifest has the label that --applyset sets itself"},
		{"--all", pruneWithoutSelector,
			lint.Example{Config: configMap("api"), Args: "--prune --all"},
			"warning: --prune --all deletes whatever"},
		{"left by a server-side apply", pruneWithServerSide,
			lint.Example{Live: appliedServerSide("old", "kubectl"), Config: configMap("api"), Args: "--prune -l app=shop"},
			"warning: shop/ConfigMap/old has left the set, but --prune does not see it"},
		{"a selector that matches nothing", pruneEmptyInput,
			lint.Example{Config: configMap("api"), Args: "--prune -l app=shopp"},
			"error: no object of the input matches -l app=shopp"},
		{"a member of an ApplySet", pruneForeignObject,
			lint.Example{Applied: memberOf("web", applysetID) + "---\n" + configMap("api"), Config: configMap("api"), Args: "--prune -l app=shop"},
			"error: --prune would delete shop/ConfigMap/web, which another ApplySet manages"},
		{"another manager's label", pruneForeignObject,
			lint.Example{Applied: strings.Replace(configMap("web"), "app: shop", "app: shop, app.kubernetes.io/managed-by: shipper", 1) + "---\n" + configMap("api"), Config: configMap("api"), Args: "--prune -l app=shop"},
			"warning: --prune would delete shop/ConfigMap/web, which shipper manages"},
		{"no snapshot, and the root is known", pruneFromSubdirectory,
			lint.Example{Config: configMap("api"), Elsewhere: configMap("web"), Args: "--prune -l app=shop --prune-root ."},
			"error: -f is only a part of .: --prune would delete 1 object whose manifest is elsewhere"},
		{"no snapshot, and the other manifest has another label", pruneFromSubdirectory,
			lint.Example{Config: configMap("api"), Elsewhere: strings.Replace(configMap("web"), "app: shop", "app: web", 1), Args: "--prune -l app=shop --prune-root ."},
			""},
		{"a kind that the parent does not record", pruneLeaksKind,
			lint.Example{Live: strings.Replace(applysetParent, "kinds: ConfigMap", "kinds: Service", 1), Applied: memberOf("web", applysetID) + "---\n" + configMap("api"), Config: configMap("api"), Args: "--prune --applyset shop -n shop"},
			"warning: shop/ConfigMap/web has left the set, but --prune does not delete it: ConfigMap is not recorded in the parent"},
		{"a version in commonLabels", mutableSelectorLabel,
			lint.Example{Config: configMap("api"), Kustomization: "commonLabels:\n  app.kubernetes.io/version: 1.4.2\n"},
			"warning: kustomize puts app.kubernetes.io/version=1.4.2, the version of the application, into every selector"},
		{"the image's tag in labels with selectors", mutableSelectorLabel,
			lint.Example{Config: configMap("api"), Kustomization: "images: [{name: shop/api, newTag: 1.4.2}]\nlabels:\n- includeSelectors: true\n  pairs: {release: v1.4.2}\n"},
			"warning: kustomize puts release=v1.4.2, which repeats an image tag, into every selector"},
		{"commonLabels that look as if they stay", mutableSelectorLabel,
			lint.Example{Config: configMap("api"), Kustomization: "commonLabels: {app: api}\n"},
			"info: kustomize puts app=api into every selector"},
		{"labels outside of selectors", mutableSelectorLabel,
			lint.Example{Config: configMap("api"), Kustomization: "labels:\n- pairs: {app.kubernetes.io/version: 1.4.2}\n"}, ""},
		{"no namespace among others", ambiguousObject,
			lint.Example{Config: configMap("api") + "---\n" + strings.Replace(configMap("web"), "namespace: shop, ", "", 1)},
			"warning: the object names no namespace"},
		{"no namespace, and -n", ambiguousObject,
			lint.Example{Config: configMap("api") + "---\n" + strings.Replace(configMap("web"), "namespace: shop, ", "", 1), Args: "-n shop"}, ""},
		{"another namespace than -n", ambiguousObject,
			lint.Example{Config: configMap("api"), Args: "-n web"},
			"error: the object is for namespace shop, which is not that of -n"},
		{"an old name that stays", mergeKeyRenamed,
			lint.Example{Live: withoutLastApplied, Config: strings.Replace(container(""), "- name: api", "- name: web", 1)},
			"warning: spec.template.spec.containers[name=web] is new beside api"},
		{"another container that stays", mergeKeyRenamed,
			lint.Example{Live: withoutLastApplied, Config: strings.Replace(container(""), "- name: api\n        image: shop/api", "- name: web\n        image: shop/web", 1)}, ""},
		{"null for claim templates", emptyClaimTemplates,
			lint.Example{Applied: statefulSet(claimTemplates), Config: statefulSet("\n  volumeClaimTemplates: null")},
			"error: the empty volumeClaimTemplates would remove"},
		{"claim templates where there are none", emptyClaimTemplates,
			lint.Example{Applied: statefulSet(""), Config: statefulSet("\n  volumeClaimTemplates: []")},
			"info: the server drops the empty volumeClaimTemplates"},
		{"claim templates, server-side", emptyClaimTemplates,
			lint.Example{Config: statefulSet("\n  volumeClaimTemplates: []"), Args: "--server-side"}, ""},
		{"a resourceVersion that is not the live one", serverMetadataInConfig,
			lint.Example{Live: withoutLastApplied, Config: metadata("resourceVersion: \"3\"")},
			"error: metadata.resourceVersion is the server's, and not the live object's; apply is rejected"},
		{"a uid that is not the live one", serverMetadataInConfig,
			lint.Example{Live: withoutLastApplied, Config: metadata("uid: 11111111-0000-4000-8000-000000000001")},
			"error: metadata.uid is the server's"},
		{"a uid of an object that is gone, server-side", serverMetadataInConfig,
			lint.Example{Config: metadata("uid: 11111111-0000-4000-8000-000000000001"), Args: "--server-side"},
			"error: metadata.uid is the server's"},
		{"managedFields, server-side", serverMetadataInConfig,
			lint.Example{Config: metadata("managedFields: [{manager: x}]"), Args: "--server-side"},
			"error: metadata.managedFields is the server's"},
		{"managedFields", serverMetadataInConfig,
			lint.Example{Config: metadata("managedFields: [{manager: x, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {}}]")},
			"warning: metadata.managedFields replaces the server's books"},
		{"a deletionTimestamp", serverMetadataInConfig,
			lint.Example{Live: withoutLastApplied, Config: metadata("deletionTimestamp: \"2026-01-02T00:00:00Z\"")},
			"error: metadata.deletionTimestamp is the server's"},
		{"a generation", serverMetadataInConfig,
			lint.Example{Config: metadata("generation: 4")},
			"info: metadata.generation is the server's"},
		{"a status", serverMetadataInConfig,
			lint.Example{Config: deployment("") + "status: {replicas: 1}\n"},
			"info: status is the server's"},
		{"a Helm test", helmHookApplied,
			lint.Example{Config: strings.Replace(hookJob, "pre-upgrade", "test", 1)},
			"warning: a Helm test"},
		{"what a hook needs", helmHookApplied,
			lint.Example{Config: strings.Replace(configMap("api"), "labels: {app: shop}", "annotations: {helm.sh/hook: pre-install}", 1)},
			"info: a Helm hook (pre-install)"},
		{"a hook of Helm 2", helmHookApplied,
			lint.Example{Config: strings.Replace(configMap("api"), "labels: {app: shop}", "annotations: {helm.sh/hook: crd-install}", 1)}, ""},
		{"plain text in the snapshot", secretStringData,
			lint.Example{Applied: secret("stringData: {user: a}"), Config: secret("stringData: {user: a}")},
			"info: last-applied of the live object, and so the snapshot, has stringData in plain text"},
		{"replicas scaled to none", clearsLiveChange,
			lint.Example{Live: strings.NewReplacer(`"spec":{"selector"`, `"spec":{"replicas":2,"selector"`, "replicas: 1", "replicas: 0", `{"f:metadata": {"f:labels": {"f:team": {}}}}`, `{"f:spec": {"f:replicas": {}}}`).Replace(relabelled),
				Config: withLabel(deployment(""), "team: a")},
			"warning: spec.replicas has left the config"},
		{"a part of the recorded set, in another namespace", pruneScopeChanged,
			lint.Example{Applied: configMap("api"), Config: configMap("api"), Args: "--prune --all -n shop --recorded-place app web"},
			`warning: the prune differs from the one in .threeway.yaml: -f "config.yaml" instead of "app", namespace "shop" instead of "web"`},
		{"the recorded set, of which no selection is recorded", pruneScopeChanged,
			lint.Example{Applied: configMap("api"), Config: configMap("api"), Args: "--prune -l app=shop -n shop --recorded-place config.yaml shop"}, ""},
		{"two items that others added", replaceListDropsLive,
			lint.Example{Live: strings.Replace(tolerant, "{key: spot, operator: Exists}]", "{key: spot, operator: Exists}, {key: old, operator: Exists}]", 1), Config: replaceListDropsLive.Bad.Config},
			"warning: spec.template.spec.tolerations is replaced as a whole: the apply removes 2 items that only the live object has"},
		{"a new ReplicationController", implicitSelector,
			lint.Example{Config: replicationController},
			"info: spec.selector is not set"},
		{"a live ReplicationController", implicitSelector,
			lint.Example{Applied: replicationController, Config: replicationController},
			"warning: spec.selector is not set"},
		{"kubectl takes its own client-side entry over", mixedApplyMethods,
			lint.Example{Live: mixedApplyMethods.Bad.Live, Config: deployment(""), Args: "--server-side"}, ""},
		{"another applier's entry stays", mixedApplyMethods,
			lint.Example{Live: strings.Replace(mixedApplyMethods.Bad.Live, "manager: kubectl\n    operation: Apply", "manager: flux\n    operation: Apply", 1), Config: deployment(""), Args: "--server-side"},
			"warning: spec.template.spec.containers[name=api].image is applied client-side by kubectl and server-side by flux"},
		{"who changed it, and who only reports on it", revertsLiveChange,
			lint.Example{Live: strings.Replace(appliedAs(2, "replicas: 6"), "spec:\n", `  managedFields:
  - {manager: kubectl-client-side-apply, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:replicas': {}}}}
  - {manager: status-reporter, operation: Update, subresource: status, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:replicas': {}}}}
  - {manager: keda, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: {'f:spec': {'f:replicas': {}}}}
spec:
`, 1), Config: deployment("\n  replicas: 2")},
			"warning: the apply sets spec.replicas back to 2; since the last apply keda changed it"},
		{"replicas, which another rule reports", clearsLiveChange,
			lint.Example{Live: strings.NewReplacer(`"spec":{"selector"`, `"spec":{"replicas":2,"selector"`, "replicas: 1", "replicas: 6", `{"f:metadata": {"f:labels": {"f:team": {}}}}`, `{"f:spec": {"f:replicas": {}}}`).Replace(relabelled),
				Config: withLabel(deployment(""), "team: b")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range of(c.rule, lintExample(t, c.example, "")).Findings {
				got = append(got, f.Severity.String()+": "+f.Message)
				if at := f.At(); f.Fix == "" || at.File == "" || at.Line < 1 || at.Column < 1 {
					t.Errorf("no fix or no place: %+v", f)
				}
			}
			switch {
			case c.want == "" && got != nil:
				t.Errorf("reported: %q", got)
			case c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)):
				t.Errorf("reported: %q, want one: %q", got, c.want)
			}
		})
	}
}

const replicationController = "apiVersion: v1\nkind: ReplicationController\nmetadata: {name: api, namespace: shop}\nspec:\n  template:\n    metadata: {labels: {app: api}}\n    spec: {containers: [{name: api, image: 'shop/api:1.4.2'}]}\n"

func metadata(line string) string {
	return strings.Replace(deployment(""), "namespace: shop}", "namespace: shop, "+line+"}", 1)
}
