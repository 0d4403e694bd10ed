package impact

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/format"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Block is what keeps new pods of a rollout from starting.
type Block struct {
	// Object is a PersistentVolumeClaim that the pods share, or a ResourceQuota.
	Object manifest.Identity
	// Certain tells that the rollout gets stuck; else it depends on the node that a
	// new pod is scheduled to.
	Certain bool
	// Mode is the access mode of a claim.
	Mode string
	// Resource is what there is too little of in a quota: it allows Hard, and the
	// pods would use Needs.
	Resource, Hard, Needs string
}

// blocks lists what keeps the new pods of a rollout from starting.
func (c *cluster) blocks(o *rehearsal.Outcome, r *Rollout, wanted int) []Block {
	var list []Block
	if r.How == Rolling && r.Surge > 0 && r.Unavailable == 0 && o.Kind.Kind == "Deployment" {
		list = c.claimBlocks(o)
	}
	return append(list, c.quotaBlocks(o, r, wanted)...)
}

// claimBlocks are the claims that only one pod, or the pods of one node, can use:
// a new pod that is to be ready before an old one stops waits for them.
func (c *cluster) claimBlocks(o *rehearsal.Outcome) []Block {
	var list []Block
	for _, v := range tree.List(o.Result, "spec", "template", "spec", "volumes") {
		name := tree.String(v, "persistentVolumeClaim", "claimName")
		if name == "" {
			continue
		}
		id := manifest.Identity{Kind: "PersistentVolumeClaim", Namespace: o.Manifest.Namespace, Name: name}
		claim := c.after(id)
		modes := tree.List(claim, "spec", "accessModes")
		if len(modes) != 1 {
			continue // unknown, or more than one node can use it
		}
		switch mode := modes[0]; mode {
		case "ReadWriteOncePod":
			list = append(list, Block{Object: id, Mode: "ReadWriteOncePod", Certain: true})
		case "ReadWriteOnce":
			if c.nodes() != 1 && !c.local(claim) {
				list = append(list, Block{Object: id, Mode: "ReadWriteOnce"})
			}
		}
	}
	return list
}

// local reports whether the volume of a claim is tied to a node, so that all pods
// that use it are scheduled there.
func (c *cluster) local(claim tree.Object) bool {
	name := tree.String(claim, "spec", "volumeName")
	if name == "" {
		return false
	}
	volume := c.after(manifest.Identity{Kind: "PersistentVolume", Name: name})
	for _, term := range tree.List(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms") {
		for _, e := range append(slices.Clip(tree.List(term, "matchExpressions")), tree.List(term, "matchFields")...) {
			if key := tree.String(e, "key"); key == "kubernetes.io/hostname" || key == "metadata.name" {
				return true
			}
		}
	}
	return false
}

// quotaBlocks are the quotas of the namespace that the pods exceed: those that are
// to run beside the old ones, and all of them in the end. A quota that is not for
// all pods, or that does not say what is used, is passed over.
func (c *cluster) quotaBlocks(o *rehearsal.Outcome, r *Rollout, wanted int) []Block {
	var list []Block
	for _, e := range c.live.EntriesOfKind("ResourceQuota") {
		if e.Namespace != o.Manifest.Namespace {
			continue
		}
		quota := c.after(e.ID())
		if tree.Has(quota, "spec", "scopes") || tree.Has(quota, "spec", "scopeSelector") {
			continue
		}
		used := tree.Map(e.Object().Tree, "status", "used")
		for _, name := range tree.Keys(tree.Map(quota, "spec", "hard")) {
			if b, over := exceeds(name, tree.Map(quota, "spec", "hard")[name], used[name], o, r, wanted); over {
				b.Object = e.ID()
				list = append(list, b)
			}
		}
	}
	return list
}

// exceeds reports whether a rollout needs more of a resource than a quota allows:
// to begin, where no old pod may stop first, or to end.
func exceeds(name string, hard, used any, o *rehearsal.Outcome, r *Rollout, wanted int) (Block, bool) {
	limit, ok := parsed(hard)
	now, ok2 := parsed(used)
	was, ok3 := perPod(name, template(o.Before))
	is, ok4 := perPod(name, template(o.Result))
	if !ok || !ok2 || !ok3 || !ok4 || !r.Counted {
		return Block{}, false
	}
	begin := now.DeepCopy()
	begin.Add(is)
	end := now.DeepCopy()
	for range min(r.Pods, wanted) {
		end.Sub(was)
		end.Add(is)
	}
	needs := end
	if r.Surge > 0 && r.Unavailable == 0 && begin.Cmp(end) > 0 {
		needs = begin
	}
	return Block{Certain: true, Resource: name, Hard: limit.String(), Needs: needs.String()}, needs.Cmp(limit) > 0
}

func parsed(v any) (resource.Quantity, bool) {
	text, ok := v.(string)
	if !ok {
		return resource.Quantity{}, false
	}
	q, err := format.Quantity(text)
	return q, err == nil
}

// perPod is how much of the resource of a quota one pod of a template uses: the
// sum over its containers and sidecars, or what an init container needs while it runs, if
// that is more (pkg/quota/v1/evaluator/core/pods.go PodUsageFunc,
// k8s.io/component-helpers/resource AggregateContainerRequests). Where a container does not
// say, the defaults of the namespace may, and it is unknown.
func perPod(name string, template tree.Object) (resource.Quantity, bool) {
	list, key := "requests", name
	switch name {
	case "pods", "count/pods":
		return resource.MustParse("1"), true
	case "cpu", "memory":
	case "requests.cpu", "requests.memory":
		key = name[len("requests."):]
	case "limits.cpu", "limits.memory":
		list, key = "limits", name[len("limits."):]
	default:
		return resource.Quantity{}, false
	}
	if tree.Has(template, "spec", "resources") || tree.Has(template, "spec", "overhead") {
		return resource.Quantity{}, false
	}
	var sum, sidecars, most resource.Quantity
	for _, container := range tree.List(template, "spec", "initContainers") {
		q, ok := asked(container, list, key)
		if !ok {
			return sum, false
		}
		if tree.String(container, "restartPolicy") == "Always" {
			sidecars.Add(q)
			q = resource.Quantity{}
		}
		if q.Add(sidecars); q.Cmp(most) > 0 {
			most = q
		}
	}
	for _, container := range tree.List(template, "spec", "containers") {
		q, ok := asked(container, list, key)
		if !ok {
			return sum, false
		}
		sum.Add(q)
	}
	if sum.Add(sidecars); most.Cmp(sum) > 0 {
		return most, true
	}
	return sum, true
}

// asked is what a container requests of a resource, or limits it to. A pod requests its
// limits where it requests nothing (pkg/apis/core/v1/defaults.go SetDefaults_Pod).
func asked(container any, list, key string) (resource.Quantity, bool) {
	v, set := tree.Get(container, "resources", list, key)
	if !set && list == "requests" {
		v, _ = tree.Get(container, "resources", "limits", key)
	}
	return parsed(v)
}
