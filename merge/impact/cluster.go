package impact

import (
	"sync"

	"threeway/merge"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/tree"
)

// cluster is the state that the apply leaves: the live objects with the manifests
// applied. What is asked for often is indexed once.
type cluster struct {
	plan *merge.Plan
	live *manifest.Snapshot
	// base tells that manifests stand in for the snapshot.
	base bool

	planned map[manifest.Identity]rehearsal.Planned
	pruned  map[manifest.Identity]bool
	scalers func() map[scaleTarget]tree.Object
	keda    func() map[scaleTarget]int
	asking  func() map[string]func() *selector.Index[wanting]
	// publishers are those of all images that workloads run before the apply.
	publishers func() map[string]bool
	// reached are the domains of the hosts that something names before the apply.
	reached   func() map[string]bool
	selectors func() *selecting
	pods      memo.Table[string, *selector.Index[tree.Object]] // labels of live pods, by namespace
	// named are the ports of the pods that selectors match, and same whether two match the same
	// ones: many Services may select alike.
	named memo.Table[string, portNames]
	same  memo.Table[string, bool]
	// services are those that keep their selector, by namespace and the first key of it.
	services  memo.Table[string, map[string][]service]
	kinds     memo.Table[string, []tree.Object]
	unmounted func() *unmounted
	// renames are those of the plan, and renamed the outcomes of their new objects.
	renames func() []Rename
	renamed func() map[*rehearsal.Outcome]bool
	// follows are the consequences of an outcome in this cluster, which many findings ask for.
	follows memo.Table[*rehearsal.Outcome, []Consequence]
}

func newCluster(plan *merge.Plan, opts merge.Options) *cluster {
	c := &cluster{plan: plan, live: opts.Live, base: opts.Base != nil,
		planned: make(map[manifest.Identity]rehearsal.Planned, len(plan.Set)), pruned: map[manifest.Identity]bool{}}
	if c.live == nil {
		c.live = &manifest.Snapshot{}
	}
	for _, p := range plan.Set {
		c.planned[p.Manifest.ID()] = p
	}
	for _, candidate := range plan.Prune.Pruned() {
		c.pruned[candidate.Live.ID()] = true
	}
	c.renames, c.renamed = sync.OnceValue(func() []Rename { return Renames(plan) }), sync.OnceValue(c.findRenamed)
	c.selectors, c.unmounted, c.reached = sync.OnceValue(c.findSelectors), sync.OnceValue(c.findUnmounted), sync.OnceValue(c.findReached)
	c.scalers, c.keda, c.asking, c.publishers = sync.OnceValue(c.findScalers), sync.OnceValue(c.findKeda), sync.OnceValue(c.findAsking), sync.OnceValue(c.findPublishers)
	return c
}

// after is an object as the apply leaves it; nil if there is none, or if none is
// known.
func (c *cluster) after(id manifest.Identity) tree.Object {
	if p, ok := c.planned[id]; ok {
		o := p.Outcome()
		if o.Result != nil {
			return o.Result
		}
		return o.Before
	}
	if o := c.live.Find(id); o != nil && !c.pruned[id] {
		return o.Tree
	}
	return nil
}

// before is an object as it is before the apply; nil if there is none, or if none is known.
func (c *cluster) before(id manifest.Identity) tree.Object {
	if p, ok := c.planned[id]; ok {
		return p.Outcome().Before
	}
	return c.after(id)
}

// ofKind are the objects of a kind as the apply leaves them, looked for once.
func (c *cluster) ofKind(groupKind string) []tree.Object {
	return c.kinds.Get(groupKind, func() []tree.Object { return c.findKind(groupKind) })
}

func (c *cluster) findKind(groupKind string) (list []tree.Object) {
	for _, p := range c.plan.Set {
		if p.Manifest.Kind.GroupKind() == groupKind {
			if obj := c.after(p.Manifest.ID()); obj != nil {
				list = append(list, obj)
			}
		}
	}
	for _, e := range c.live.EntriesOfKind(groupKind) {
		if _, planned := c.planned[e.ID()]; !planned && !c.pruned[e.ID()] {
			list = append(list, e.Object().Tree)
		}
	}
	return list
}

// fieldsOf are objects as the apply leaves them, of live ones as many fields as are asked for: they are decoded and not kept.
func (c *cluster) fieldsOf(is func(schema.Kind) bool, fields ...string) (list []tree.Object) {
	for _, p := range c.plan.Set {
		if is(p.Manifest.Kind) {
			list = append(list, c.after(p.Manifest.ID()))
		}
	}
	var entries []*manifest.Entry
	for _, e := range c.live.Entries {
		if _, planned := c.planned[e.ID()]; is(e.Kind) && !planned && !c.pruned[e.ID()] {
			entries = append(entries, e)
		}
	}
	return append(list, c.live.Parts(entries, fields...)...)
}

// scaleTarget is what an autoscaler scales.
type scaleTarget struct{ namespace, kind, name string }

// findScalers are the HorizontalPodAutoscalers by what they scale.
func (c *cluster) findScalers() map[scaleTarget]tree.Object {
	found := map[scaleTarget]tree.Object{}
	for _, s := range c.ofKind("HorizontalPodAutoscaler.autoscaling") {
		found[scales(s)] = s
	}
	return found
}

// findKeda are how many pods the ScaledObjects of KEDA keep at least, by what they scale.
func (c *cluster) findKeda() map[scaleTarget]int {
	found := map[scaleTarget]int{}
	for _, s := range c.ofKind("ScaledObject.keda.sh") {
		of := scales(s)
		if of.kind == "" {
			of.kind = "Deployment"
		}
		n, _ := tree.Int(s, "spec", "minReplicaCount")
		found[of] = int(n)
	}
	return found
}

// scaled is how many pods a workload has that its manifest asks n of: at least as
// many as its autoscaler keeps.
func (c *cluster) scaled(o *rehearsal.Outcome, n int) int {
	return c.least(scaleTarget{o.Manifest.Namespace, o.Kind.Kind, o.Manifest.Name}, n)
}

func (c *cluster) least(of scaleTarget, n int) int {
	if n == 0 {
		return n
	}
	if s := c.scalers()[of]; s != nil {
		n = max(n, fewest(s))
	}
	return max(n, c.keda()[of])
}

// counted is how many pods a workload has, whether that is known, and how many
// the apply asks for. Without a status, as in a base, an autoscaler counts.
func (c *cluster) counted(o *rehearsal.Outcome) (n int, known bool, wanted int) {
	wanted = desired(o.Result)
	n, known = existing(o)
	if known && !observed(o) {
		same := n == wanted
		n = c.scaled(o, n)
		if same {
			wanted = n
		}
	}
	return n, known, wanted
}

// nodes is how many nodes the snapshot has, 0 if it does not cover them.
func (c *cluster) nodes() int { return len(c.live.EntriesOfKind("Node")) }
