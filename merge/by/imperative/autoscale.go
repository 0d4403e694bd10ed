package imperative

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// Autoscaler is the object that kubectl autoscale creates for a live one (kubectl's
// cmd/autoscale).
func (c *Command) Autoscaler(of *manifest.Entry) (*manifest.Object, error) {
	if !slices.Contains(scaled, of.Kind.GroupKind()) {
		return nil, fmt.Errorf("whether a %s can be scaled is unknown", of.Kind.GroupKind())
	}
	most, err := strconv.ParseInt(c.Text("max"), 10, 32)
	least, wrong := strconv.ParseInt("0"+c.Text("min"), 10, 32)
	if err != nil || wrong != nil || most < 1 || most < least {
		return nil, fmt.Errorf("--max must be a number that is at least 1 and --min")
	}
	spec := tree.Object{"maxReplicas": most, "scaleTargetRef": tree.Object{"apiVersion": of.Kind.APIVersion(), "kind": of.Kind.Kind, "name": of.Name}}
	if least > 0 {
		spec["minReplicas"] = least
	}
	var metrics []any
	for _, flag := range []string{"cpu-percent", "cpu", "memory"} {
		if !c.Has(flag) {
			continue
		}
		percent, whole := strings.CutSuffix(c.Text(flag), "%")
		n, err := strconv.ParseInt(percent, 10, 32)
		if err != nil || n < 1 || whole == (flag == "cpu-percent") {
			return nil, fmt.Errorf("--%s=%s is not understood, only percent", flag, c.Text(flag))
		}
		resource, _, _ := strings.Cut(flag, "-")
		metrics = append(metrics, tree.Object{"type": "Resource", "resource": tree.Object{"name": resource, "target": tree.Object{"type": "Utilization", "averageUtilization": n}}})
	}
	if metrics != nil {
		spec["metrics"] = metrics
	}
	if c.Has("cpu-percent") && c.Has("cpu") {
		return nil, fmt.Errorf("--cpu-percent and --cpu are mutually exclusive")
	}
	name := c.Text("name")
	if name == "" {
		name = of.Name
	}
	o := Target{schema.Resource{Kind: schema.Kind{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}, Namespaced: true}, name}.Absent(of.Namespace)
	o.Tree["spec"] = spec
	return o, nil
}

// scaled are the kinds whose replicas kubectl changes.
var scaled = []string{"Deployment.apps", "StatefulSet.apps", "ReplicaSet.apps", "ReplicationController"}
