package rules

import (
	"strings"

	"threeway/lint"
)

var serviceTypeLeavesDependents = &lint.Rule{
	ID:    "service-type-leaves-dependents",
	Title: "a Service's new type forbids what the live one keeps",
	Text: "The type of a Service narrows, and a field that only the old type may have stays in the merged object, because it was not in the " +
		"config applied before. Silent where the server clears such fields itself, as current ones do with the ports they allocated.",
	Why:      "The server rejects the Service.",
	Fix:      "Set the field to null in the config, once.",
	Repair:   "Adds a null for each field that belongs to the old type, unless the apply is server-side.",
	Bad:      lint.Example{Live: externalIPs, Config: balanced("ClusterIP", "")},
	Good:     lint.Example{Live: externalIPs, Config: balanced("ClusterIP", "\n  loadBalancerSourceRanges: null")},
	NearMiss: lint.Example{Applied: balanced("LoadBalancer", ""), Config: balanced("ClusterIP", "")},
	Links:    []string{issue + "33766", "https://github.com/kubernetes/kubectl/issues/221", issue + "97797"},
	Severity: lint.Error,
	Needs:    lint.Live,
	Since:    "0.1",
	Claim: func(o *lint.Object, f lint.Fault) *lint.Report {
		if !ofOldType(o, f) {
			return nil
		}
		r := &lint.Report{
			Path: f.Path, LivePath: f.Path,
			Message: f.Path.String() + " of the old type stays in the object; apply is rejected: " + firstLine(f.Detail),
		}
		r.Fix, r.Edits = clearing(o, f.Path)
		return r
	},
}

// ofOldType reports whether a fault is about a field that only the live object
// has and that its new type forbids.
func ofOldType(o *lint.Object, f lint.Fault) bool {
	return o.Is("Service") && !has(o.Config.Tree, f.Path) && has(o.Before, f.Path) && aboutType(f.Detail)
}

// aboutType knows the words in which the server ties a field to spec.type
// (pkg/apis/core/validation/validation.go ValidateService).
func aboutType(detail string) bool {
	for _, words := range []string{"may only be used when `type` is", "may only be set when `type` is", "may only be set for externally-accessible services", "may not be used when `type` is", "may only be used when `type`"} {
		if strings.Contains(detail, words) {
			return true
		}
	}
	return false
}

func balanced(typ, lines string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec:\n  type: " + typ + lines + "\n  selector: {app: web}\n  ports:\n  - {port: 80}\n"
}

// externalIPs is a load balancer whose options somebody has set by hand.
const externalIPs = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, uid: 3f5b7d1e-0000-4000-8000-000000000003, resourceVersion: "8", creationTimestamp: "2026-01-01T00:00:00Z"}
spec:
  allocateLoadBalancerNodePorts: true
  clusterIP: 10.0.0.7
  clusterIPs: [10.0.0.7]
  externalTrafficPolicy: Cluster
  internalTrafficPolicy: Cluster
  ipFamilies: [IPv4]
  ipFamilyPolicy: SingleStack
  loadBalancerSourceRanges: [192.0.2.0/24]
  ports: [{port: 80, protocol: TCP, targetPort: 80, nodePort: 30080}]
  selector: {app: web}
  sessionAffinity: None
  type: LoadBalancer
status: {loadBalancer: {}}
`
