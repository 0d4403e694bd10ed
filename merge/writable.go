package merge

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"threeway/merge/fault"
	"threeway/merge/kube"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/tree"
)

// Tightening is what an object that decides over others makes the server reject once it is
// changed, and not before.
type Tightening struct {
	// By is the object: a manifest, or the live object if it is pruned.
	By *manifest.Object
	// Updates are live objects of which every update is rejected, even one that changes
	// nothing; Pods are workloads whose next Pod is; Applies are manifests that the next
	// apply does not get through.
	Updates, Pods, Applies []rehearsal.Denied
	// Reached is how many objects it decides over, if they are more than those that were
	// looked at; else 0.
	Reached int

	policies  []*kube.Policy
	namespace string // the only one that it decides over; "" for all
	kind      string // a kind (Kind.group) that it decides over, besides those of the policies
	pods      bool   // it decides over Pods
}

// mostAsked is how many objects and workloads are asked about at most, each as often as there are policies.
const mostAsked = 20_000

// Tightenings are what the apply makes the server reject from then on. They are nil if it
// changes nothing that decides over objects that are there.
func (p *Plan) Tightenings(opts Options) []*Tightening {
	if opts.Live == nil || len(opts.Live.Entries) == 0 {
		return nil
	}
	list := p.deciding()
	if list == nil {
		return nil
	}
	opts = opts.rehearsed()
	opts.Minor = p.Minor
	t := &tightened{Plan: p, list: list, left: p.after(opts.Live, func(o *rehearsal.Outcome) tree.Object { return o.Result }),
		ofKind: map[string][]*Tightening{}, spaces: map[string][]*Tightening{}, ofPods: map[string][]*Tightening{}}
	t.before, t.after = rehearsal.NewWorld(opts.Options, opts.Live), rehearsal.NewWorld(opts.Options, t.left)
	t.reach()
	t.ask(opts)
	t.apply(opts.Live)
	return slices.DeleteFunc(t.list, func(c *Tightening) bool { return c.Updates == nil && c.Pods == nil && c.Applies == nil })
}

// deciding are the objects that the apply changes and that may decide over others.
func (p *Plan) deciding() (list []*Tightening) {
	parameters := sync.OnceValue(p.parameterKinds)
	add := func(o *manifest.Object, was, is tree.Object) {
		differs := func(paths ...string) bool {
			return slices.ContainsFunc(paths, func(path string) bool {
				x, _ := tree.Get(was, strings.Split(path, ".")...)
				y, _ := tree.Get(is, strings.Split(path, ".")...)
				return !tree.Equal(x, y)
			})
		}
		c := &Tightening{By: o}
		decides := false
		switch kind := o.Kind.GroupKind(); {
		case slices.Contains(rehearsal.PolicyKinds, strings.Replace(kind, "PolicyBinding.", "Policy.", 1)):
			decides = differs("spec")
		case kind == rehearsal.DefinitionKind:
			decides = was != nil && is != nil && differs("spec")
			c.kind = tree.String(is, "spec", "names", "kind") + "." + tree.String(is, "spec", "group")
		case kind == "Namespace":
			decides = was != nil && is != nil && differs("metadata.labels", "metadata.annotations")
			c.namespace, c.pods = o.Name, true
		case kind == "LimitRange":
			decides = differs("spec")
			c.namespace, c.kind, c.pods = o.Namespace, "PersistentVolumeClaim", true
		case kind == "ResourceQuota":
			decides = differs("spec")
			c.namespace, c.pods = o.Namespace, true
		case kind == "ServiceAccount":
			decides = was != nil && differs("kind", "metadata.annotations", "secrets", "imagePullSecrets")
			c.namespace, c.pods = o.Namespace, true
		case kind == "PriorityClass.scheduling.k8s.io":
			decides = is == nil || tree.Bool(is, "globalDefault") && differs("globalDefault")
			c.pods = true
		case kind == "RuntimeClass.node.k8s.io":
			decides = was != nil && differs("kind", "overhead", "scheduling")
			c.pods = true
		default:
			decides = parameters()[kind]
		}
		if decides {
			list = append(list, c)
		}
	}
	for _, o := range p.Outcomes {
		if (o.Action == rehearsal.Created || o.Action == rehearsal.Configured) && o.Result != nil && !o.Stopped {
			add(o.Manifest, o.Before, o.Result)
		}
	}
	for _, c := range p.Prune.Pruned() {
		live := c.Live.Object()
		add(live, live.Tree, nil)
	}
	return list
}

// parameterKinds are the kinds of the parameters of the policies that there are before or
// after the apply.
func (p *Plan) parameterKinds() map[string]bool {
	kinds := map[string]bool{}
	for _, kind := range rehearsal.PolicyKinds {
		for o := range p.live.OfKind(kind) {
			kinds[kube.ParamKind(o.Tree)] = true
		}
	}
	for _, o := range p.Outcomes {
		if slices.Contains(rehearsal.PolicyKinds, o.Kind.GroupKind()) {
			kinds[kube.ParamKind(o.Result)] = true
		}
	}
	return kinds
}

// tightened is the search for tightenings.
type tightened struct {
	*Plan
	list          []*Tightening
	before, after *rehearsal.World
	left          *manifest.Snapshot // what the apply leaves, without managedFields where it writes
	policies      []*kube.Policy
	asked         []*question

	// Those of the list by the kind that they decide over, by the Namespace that they are, and
	// by the namespace of the Pods that they decide over; and the others, that policies have.
	ofKind, spaces, ofPods map[string][]*Tightening
	others                 []*Tightening
}

// question is whether the server would reject an object, or its next Pod.
type question struct {
	object *manifest.Object
	by     []*Tightening
	pods   bool
	why    fault.Text
	who    fault.Decider
}

// reach finds the policies that decide with each object of the list.
func (t *tightened) reach() {
	of := map[fault.Decider][]*kube.Policy{} // by what is one, or binds one
	for _, policy := range append(t.before.Policies(), t.after.Policies()...) {
		t.policies = append(t.policies, policy)
		for _, by := range policy.Deciders() {
			of[by] = append(of[by], policy)
		}
	}
	pod := schema.Kind{Version: "v1", Kind: "Pod"}
	for _, c := range t.list {
		kind := c.By.Kind.GroupKind()
		if kind == "Namespace" {
			c.policies = t.policies
			t.spaces[c.namespace] = append(t.spaces[c.namespace], c)
		} else {
			c.policies = of[fault.Decider{GroupKind: kind, Name: c.By.Name}]
			for _, policy := range t.policies {
				if policy.Reads(kind, c.By.Namespace, c.By.Name) {
					c.policies = append(c.policies, policy)
				}
			}
			c.pods = c.pods || t.asks(c.policies, pod)
			if c.policies != nil {
				t.others = append(t.others, c)
			}
		}
		if c.kind != "" {
			t.ofKind[c.kind] = append(t.ofKind[c.kind], c)
		}
		if c.pods {
			t.ofPods[c.namespace] = append(t.ofPods[c.namespace], c)
		}
	}
}

// asks reports whether one of some policies may be asked about a kind.
func (t *tightened) asks(list []*kube.Policy, k schema.Kind) bool {
	return slices.ContainsFunc(list, func(p *kube.Policy) bool { return t.after.Asks(p, k) })
}

// over finds those that decide over objects of a kind in a namespace, or over their next
// Pods and Jobs; it is nil if there are none.
func (t *tightened) over(k schema.Kind, pods bool) func(namespace string) []*Tightening {
	found, spaces := t.ofPods, map[string][]*Tightening(nil)
	makesJobs := pods && k.GroupKind() == "CronJob.batch"
	if makesJobs {
		k, found = schema.Kind{Group: "batch", Version: "v1", Kind: "Job"}, maps.Clone(t.ofPods)
	}
	if !pods {
		found = map[string][]*Tightening{}
		for _, c := range t.ofKind[k.GroupKind()] {
			found[c.namespace] = append(found[c.namespace], c)
		}
	}
	if (!pods || makesJobs) && t.asks(t.policies, k) {
		if !pods {
			spaces = t.spaces
		}
		for _, c := range t.others {
			if known := pods && c.pods || !pods && c.kind == k.GroupKind(); !known && t.asks(c.policies, k) {
				found[c.namespace] = append(slices.Clip(found[c.namespace]), c)
			}
		}
	}
	if len(found) == 0 && len(spaces) == 0 {
		return nil
	}
	return func(namespace string) []*Tightening {
		if namespace == "" {
			return found[""]
		}
		return slices.Concat(found[""], found[namespace], spaces[namespace])
	}
}

// ask looks at the objects that are reached.
func (t *tightened) ask(opts Options) {
	kinds := map[string]bool{}
	for _, e := range t.left.Entries {
		kind := e.Kind.GroupKind()
		if kinds[kind] {
			continue
		}
		kinds[kind] = true
		for _, pods := range []bool{false, true} {
			if pods && !kube.MakesPods(e.Kind) {
				continue
			}
			over := t.over(e.Kind, pods)
			if over == nil {
				continue
			}
			for _, e := range t.left.EntriesOfKind(kind) {
				namespace := e.Namespace
				if kind == "Namespace" {
					namespace = e.Name
				}
				if by := over(namespace); by != nil {
					t.asked = append(t.asked, &question{object: e.Object(), by: by, pods: pods})
				}
			}
		}
	}
	if most := mostAsked / max(1, len(t.policies)); len(t.asked) > most {
		for _, c := range t.list {
			c.Reached = len(t.asked)
		}
		t.asked = t.asked[:most]
	}
	if len(t.asked) == 0 {
		return
	}
	stored := map[manifest.Identity]*rehearsal.Outcome{}
	for _, o := range t.Outcomes {
		if o.Action != rehearsal.Rejected && o.Result != nil {
			stored[o.Identity()] = o
		}
	}
	opts.Cores.Do(len(t.asked), func(i int) {
		q := t.asked[i]
		if o := stored[q.object.ID()]; o != nil && !q.pods {
			whole := *q.object
			whole.Tree = o.Stored()
			q.object = &whole
		}
		t.answer(q)
	})
	for _, q := range t.asked {
		if q.why.Empty() {
			continue
		}
		c := first(q.by, q.who)
		if denied := (rehearsal.Denied{Object: q.object, Why: q.why}); q.pods {
			c.Pods = append(c.Pods, denied)
		} else {
			c.Updates = append(c.Updates, denied)
		}
	}
}

// answer finds out why the server rejects what it accepts before the apply.
func (t *tightened) answer(q *question) {
	live := t.live.Find(q.object.ID())
	switch {
	case q.pods:
		if t.owned(q.object) {
			return
		}
		why, who := t.after.Next(q.object)
		if why.Empty() {
			return
		}
		if live != nil {
			if before, _ := t.before.Next(live); !before.Empty() {
				return
			}
		}
		q.why, q.who = why, who
	case live != nil:
		if no := t.after.Update(q.object); no != nil && t.before.Update(live) == nil {
			q.why, q.who = no.Text(), no.By
		}
	}
}

// owned reports whether an object belongs to a workload of the snapshot, which stands for it.
func (t *tightened) owned(o *manifest.Object) bool {
	return slices.ContainsFunc(tree.List(o.Tree, "metadata", "ownerReferences"), func(owner any) bool {
		kind := schema.ParseKind(tree.String(owner, "apiVersion"), tree.String(owner, "kind"))
		id := manifest.Identity{Kind: kind.Kind, Group: kind.Group, Namespace: o.Namespace, Name: tree.String(owner, "name")}
		return kube.MakesPods(kind) && t.left.FindEntry(id) != nil
	})
}

// first is the one of several that an object which rejects belongs to.
func first(list []*Tightening, by fault.Decider) *Tightening {
	if i := slices.IndexFunc(list, func(c *Tightening) bool { return c.decides(by) }); i >= 0 {
		return list[i]
	}
	return list[0]
}

// decides reports whether the apply makes an object reject by what it changes here. Nothing
// rejects by itself what is invalid, if that is due to a definition, or to who changes Pods and
// others on their way in.
func (c *Tightening) decides(by fault.Decider) bool {
	kind := c.By.Kind.GroupKind()
	if by == (fault.Decider{}) {
		return slices.Contains([]string{rehearsal.DefinitionKind, "LimitRange", "RuntimeClass.node.k8s.io"}, kind) ||
			slices.ContainsFunc(c.policies, func(p *kube.Policy) bool { return p.Decider().GroupKind == rehearsal.PolicyKinds[1] })
	}
	return by == fault.Decider{GroupKind: kind, Name: c.By.Name} ||
		slices.ContainsFunc(c.policies, func(p *kube.Policy) bool { return p.Decider() == by })
}

// apply finds the manifests that the next apply does not get through.
func (t *tightened) apply(live *manifest.Snapshot) {
	left := sync.OnceValue(func() *manifest.Snapshot { return t.Plan.after(live, (*rehearsal.Outcome).Stored) })
	parts := t.Parts
	if parts == nil {
		parts = []*Plan{t.Plan}
	}
	for _, part := range parts {
		by := map[manifest.Identity][]*Tightening{}
		again := &manifest.Set{}
		over := map[string]func(string) []*Tightening{}
		for _, o := range part.Outcomes {
			if o.Result == nil || o.Stopped || o.Action == rehearsal.Rejected {
				continue
			}
			kind := o.Kind.GroupKind()
			if _, known := over[kind]; !known {
				over[kind] = t.over(o.Kind, false)
			}
			if over[kind] == nil {
				continue
			}
			if list := over[kind](o.Manifest.Namespace); list != nil {
				by[o.Identity()], again.Objects = list, append(again.Objects, o.Manifest)
			}
		}
		if again.Objects == nil {
			continue
		}
		given := part.run.given
		given.Prune, given.Only, given.Before, given.Sibling = nil, nil, nil, nil
		next, err := part.on(left(), &given, again)
		if err != nil {
			continue // what the program refuses as a whole, it says of this apply
		}
		for _, o := range next.Outcomes {
			if o.Rejection == nil {
				continue
			}
			who := o.Rejection.By
			if c := first(by[o.Identity()], who); c.decides(who) {
				c.Applies = append(c.Applies, rehearsal.Denied{Object: o.Manifest, Why: o.Rejection.Text()})
			}
		}
	}
}
