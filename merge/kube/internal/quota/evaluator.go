package quota

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/kube/internal/minors"
	"threeway/merge/tree"
)

// evaluator is what a quota counts of the objects of one resource.
type evaluator struct {
	// updates says whether an update is looked at; nil for creates only.
	updates func(r Request) bool
	// counts says whether a name in a quota is about these objects.
	counts func(name string) bool
	// matches says whether an object is in a scope; nil if it is in none.
	matches func(s scope, obj tree.Object) bool
	// required says what an object lacks that the names of a quota demand; nil: nothing.
	required func(names []string, obj tree.Object) string
	usage    func(obj tree.Object) Amounts
}

// ignored are the resources that no quota counts
// (ignoredResources of pkg/quota/v1/install).
var ignored = []string{
	"bindings", "componentstatuses", "events", "events.events.k8s.io",
	"tokenreviews.authentication.k8s.io", "selfsubjectreviews.authentication.k8s.io", "subjectaccessreviews.authorization.k8s.io",
	"selfsubjectaccessreviews.authorization.k8s.io", "localsubjectaccessreviews.authorization.k8s.io", "selfsubjectrulesreviews.authorization.k8s.io",
}

// aliases are the resources that a quota counts by their own names too, and not
// only by count/NAME (legacyObjectCountAliases of evaluator/core/registry.go).
var aliases = []string{"configmaps", "resourcequotas", "replicationcontrollers", "secrets"}

// evaluatorOf is that of a resource, nil if no quota counts it.
func evaluatorOf(name string, minor int) *evaluator {
	always := func(Request) bool { return true }
	switch {
	case slices.Contains(ignored, name):
		return nil
	case name == "pods":
		return pods(minor)
	case name == "services":
		return &evaluator{updates: always, counts: oneOf("count/services", "services", "services.nodeports", "services.loadbalancers"), usage: serviceUsage}
	case name == "persistentvolumeclaims":
		e := &evaluator{updates: always, counts: countsClaim, usage: claimUsage}
		if minors.QuotaOfDevices.In(minor) {
			e.matches = claimInScope
		}
		return e
	case name == "resourceclaims.resource.k8s.io" && minors.QuotaOfDevices.In(minor):
		return &evaluator{updates: always, counts: func(counted string) bool {
			return counted == "count/"+name || strings.HasSuffix(counted, devices)
		}, usage: deviceUsage}
	}
	own := []string{"count/" + name}
	if slices.Contains(aliases, name) {
		own = append(own, name)
	}
	return &evaluator{counts: oneOf(own...), usage: func(tree.Object) Amounts { return ones(own...) }}
}

func oneOf(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

// ones counts one of each name.
func ones(names ...string) Amounts {
	a := Amounts{}
	for _, name := range names {
		a[name] = number(1)
	}
	return a
}

func number(n int) resource.Quantity { return *resource.NewQuantity(int64(n), resource.DecimalSI) }

func (e *evaluator) handles(r Request) bool {
	return r.Old == nil || e.updates != nil && e.updates(r)
}

// matching are the names in a quota that are about these objects, sorted.
func (e *evaluator) matching(hard Amounts) []string {
	return slices.Sorted(maps.Keys(hard.named(e.counts)))
}

// inScope reports whether an object is in every scope of a quota.
func (e *evaluator) inScope(q *quota, obj tree.Object) bool {
	return !slices.ContainsFunc(q.scopes, func(s scope) bool { return e.matches == nil || !e.matches(s, obj) })
}

func (e *evaluator) constraints(names []string, obj tree.Object) string {
	if e.required == nil {
		return ""
	}
	return e.required(names, obj)
}

// serviceUsage follows evaluator/core/services.go: node ports count by what the
// Service asks for.
func serviceUsage(service tree.Object) Amounts {
	a := ones("count/services", "services")
	ports := tree.List(service, "spec", "ports")
	kind := tree.String(service, "spec", "type")
	nodePorts := 0
	if allocate, set := tree.Get(service, "spec", "allocateLoadBalancerNodePorts"); kind == "LoadBalancer" && set && allocate == false {
		for _, p := range ports {
			if n, _ := tree.Int(p, "nodePort"); n != 0 {
				nodePorts++
			}
		}
	} else if kind == "LoadBalancer" || kind == "NodePort" {
		nodePorts = len(ports)
	}
	a["services.nodeports"] = number(nodePorts)
	a["services.loadbalancers"] = number(0)
	if kind == "LoadBalancer" {
		a["services.loadbalancers"] = number(1)
	}
	return a
}

// byClass comes between a StorageClass and what is counted of its claims.
const byClass = ".storageclass.storage.k8s.io/"

func countsClaim(name string) bool {
	return oneOf("count/persistentvolumeclaims", "persistentvolumeclaims", "requests.storage")(name) ||
		strings.HasSuffix(name, byClass+"persistentvolumeclaims") || strings.HasSuffix(name, byClass+"requests.storage")
}

// claimUsage follows evaluator/core/persistent_volume_claims.go: bytes are
// rounded up, and storage that is allocated counts even if less is asked for.
func claimUsage(claim tree.Object) Amounts {
	a := ones("count/persistentvolumeclaims", "persistentvolumeclaims")
	class := tree.String(claim, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class")
	if class == "" {
		class = tree.String(claim, "spec", "storageClassName")
	}
	if class != "" {
		a[class+byClass+"persistentvolumeclaims"] = number(1)
	}
	storage, asked := amounts(tree.Map(claim, "spec", "resources", "requests"))["storage"]
	if !asked {
		return a
	}
	if allocated, ok := amounts(tree.Map(claim, "status", "allocatedResources"))["storage"]; ok && allocated.Cmp(storage) > 0 {
		storage = allocated
	}
	storage.RoundUp(0)
	a["requests.storage"] = storage
	if class != "" {
		a[class+byClass+"requests.storage"] = storage
	}
	return a
}

// devices comes after a DeviceClass.
const devices = ".deviceclass.resource.k8s.io/devices"

// deviceUsage follows evaluator/core/resource_claims.go: of alternatives the
// most devices of each class count, and "All" as the most that there can be.
// What a claim shares with the extended resources of its Pod is not looked at.
func deviceUsage(claim tree.Object) Amounts {
	const most = 32 // AllocationResultsMaxSize
	count := func(request any) int {
		if tree.String(request, "allocationMode") == "All" {
			return most
		}
		n, _ := tree.Int(request, "count")
		return int(n)
	}
	a := ones("count/resourceclaims.resource.k8s.io")
	for _, request := range tree.List(claim, "spec", "devices", "requests") {
		needed := Amounts{}
		for _, alternative := range tree.List(request, "firstAvailable") {
			needed.atLeast(Amounts{tree.String(alternative, "deviceClassName") + devices: number(count(alternative))})
		}
		if exactly := tree.Map(request, "exactly"); exactly != nil && len(needed) == 0 {
			needed[tree.String(exactly, "deviceClassName")+devices] = number(count(exactly))
		}
		a.add(needed)
	}
	return a
}
