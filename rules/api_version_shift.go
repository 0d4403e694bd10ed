package rules

import (
	"cmp"
	"fmt"

	"threeway/lint"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

var apiVersionShift = &lint.Rule{
	ID:    "api-version-shift",
	Title: "the apiVersion is not served, or is not the applied one",
	Text: "The simulated Kubernetes does not serve the apiVersion of the manifest (error), or the manifest was last applied in another " +
		"version (warning).",
	Why: "A kind that is not served cannot be applied. A field that is renamed between versions looks new, and the old one may stay.",
	Fix: "Rewrite the manifest for the served version (kubectl convert), and read the diff of the first apply.",
	Repair: "Rewrites the apiVersion of kinds that are the same in the served version, from v1beta1 to v1: CronJob, RuntimeClass, Lease, " +
		"IngressClass, PriorityClass, the RBAC and storage kinds, PodDisruptionBudget with a selector; HorizontalPodAutoscaler from v2beta2.",
	Links:    []string{"https://kubernetes.io/docs/reference/using-api/deprecation-guide/", applyPage, "https://pluto.docs.fairwinds.com/faq/"},
	Severity: lint.Warning,
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if f.Code != fault.UnknownKind {
			return nil
		}
		last := 0
		if r, ok := schema.Removed(o.Kind); ok {
			last = r.Until
		} else if r, ok := schema.Builtin(o.Kind); ok && r.Until != 0 {
			last = r.Until
		}
		if last == 0 {
			return nil
		}
		r := &lint.Report{Path: fieldpath.New("apiVersion"), Fix: "rewrite the manifest for a served version",
			Message: fmt.Sprintf("%s %s was last served by Kubernetes 1.%d; apply is rejected", o.Kind.APIVersion(), o.Kind.Kind, last)}
		if last >= o.Run.Minor {
			r.Message = fmt.Sprintf("Kubernetes 1.%d serves %s %s only if it is enabled; apply is rejected", o.Run.Minor, o.Kind.APIVersion(), o.Kind.Kind)
		}
		if now := schema.Successor(o.Kind, o.Run.Minor); now != "" {
			r.Fix, r.Edits = rewriteFor(o, now)
		}
		return r
	},
	Run: func(p *lint.Pass) {
		for o := range p.Accepted() {
			was := tree.String(o.LastApplied(), "apiVersion")
			if o.Live == nil || was == "" || was == o.Kind.APIVersion() {
				continue
			}
			p.Report(o, lint.Report{
				Path: fieldpath.New("apiVersion"), Live: "last applied as " + was, LivePath: fieldpath.New("metadata", "annotations"),
				Message: fmt.Sprintf("the object was last applied as %s and is now %s; apply does not clear fields whose names differ between the versions", was, o.Kind.APIVersion()),
				Fix:     "read the diff of this apply, and remove leftover fields of the old version",
			})
		}
	},
}

// sameFields knows the kinds of which the deprecation guide has no notable changes between a version and
// another.
func sameFields(o *lint.Object, apiVersion string) bool {
	switch move := o.Kind.Version + " " + apiVersion; {
	case move == "v2beta2 autoscaling/v2":
		return o.Is("HorizontalPodAutoscaler.autoscaling")
	case move == "v1beta1 policy/v1": // an empty selector matches no pod in one, and all in the other
		return o.Is("PodDisruptionBudget.policy") && !tree.Empty(tree.Map(o.Manifest.Tree, "spec", "selector"))
	}
	return o.Kind.Version == "v1beta1" && apiVersion == o.Kind.Group+"/v1" && o.Is(
		"CronJob.batch", "RuntimeClass.node.k8s.io", "Lease.coordination.k8s.io", "IngressClass.networking.k8s.io",
		"PriorityClass.scheduling.k8s.io", "Role.rbac.authorization.k8s.io", "ClusterRole.rbac.authorization.k8s.io",
		"RoleBinding.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io", "CSIDriver.storage.k8s.io", "CSINode.storage.k8s.io",
		"CSIStorageCapacity.storage.k8s.io", "StorageClass.storage.k8s.io", "VolumeAttachment.storage.k8s.io")
}

// rewriteFor tells how to rewrite a manifest for another version, with what that one rejects
// if nothing but the apiVersion changes, and the edit if that is all.
func rewriteFor(o *lint.Object, apiVersion string) (fix string, edits []edit.Edit) {
	rewritten := tree.CopyObject(o.Manifest.Tree)
	rewritten["apiVersion"] = apiVersion
	r := o.Run.CreateRejection(schema.ParseKind(apiVersion, o.Kind.Kind), rewritten)
	switch {
	case r != nil && len(r.Faults) > 0:
		return "rewrite the manifest for " + apiVersion + ", which rejects the fields as they are: " + firstLine(o.Say(r.About(r.Faults[0]))), nil
	case sameFields(o, apiVersion):
		return "set apiVersion: " + apiVersion + "; the fields are the same", []edit.Edit{edit.Set(fieldpath.New("apiVersion"), apiVersion)}
	}
	return "set apiVersion: " + apiVersion + "; " + cmp.Or(meansOther(o), "it accepts the fields, and the deprecation guide says whether they mean the same"), nil
}

// meansOther says of fields that another version accepts what they mean there (the deprecation guide of
// Kubernetes); "" if it says nothing of them.
func meansOther(o *lint.Object) string {
	shares, set := tree.Get(o.Manifest.Tree, "spec", "limited", "nominalConcurrencyShares")
	switch {
	case o.Is("PodDisruptionBudget.policy") && tree.Has(o.Manifest.Tree, "spec", "selector"):
		return "there the empty selector matches all pods of the namespace, in " + o.Kind.Version + " none"
	case o.Is("PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io") && set && tree.Equal(shares, int64(0)):
		return "there nominalConcurrencyShares: 0 is no share, in " + o.Kind.Version + " the default, 30"
	}
	return ""
}
