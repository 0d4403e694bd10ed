package workflow

import (
	"fmt"
	"slices"

	"threeway/merge/applier"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/shell"
	"threeway/merge/tree"
)

// Recipe is a way to make one kind of change that cannot be made at once, or not without an
// outage. It is made for the manifests and live objects at hand, and rehearsed: one with a step
// that is rejected, that leaves a Service without the pods that it has today, or that does not
// end with the wanted manifests is not told.
type Recipe struct {
	ID string
	// Title says what is changed, Text how, and what holds meanwhile.
	Title, Text string
	// Rules are those whose findings it answers, about objects of Kinds, written Kind.group; nil for any.
	Rules, Kinds []string
	// Links are where people have met the change.
	Links []string
	// About says which objects it is made for. Named tells that others may refer to what the steps delete by its
	// name, which a walk does not see.
	About Subject
	Named bool
	// Make makes the steps; nil if the recipe is for another change.
	Make func(c *Case) []Step
}

// Subject is what a recipe is made for.
type Subject uint8

// The subjects.
const (
	ChangedObject Subject = iota // a live object with a manifest, maybe under another name
	NewObject                    // one that is created
	PrunedObject                 // one without a manifest, or the run
)

// Recipes are all, in the order in which they are tried.
var Recipes = []*Recipe{replaceWorkload, moveNamespace, renameWorkload, moveTraffic, movePort, replaceStatefulSet, moveClaim, rebindRole, changeAddress, changeBalancer, closeWayIn, renameConfig, renameObject, runJobAgain, replaceConfig, forgetReplicas, moveClass, moveRoutes, raisePodSecurity, enforcePolicy, dropStoredVersion, narrowSchema, keepFromPrune, changePrune, adoptApplySet}

// answered are the rules whose findings recipes are for.
var answered = func() map[string]bool {
	all := map[string]bool{}
	for _, r := range Recipes {
		for _, rule := range r.Rules {
			all[rule] = true
		}
	}
	return all
}()

// Remedy is a recipe for one finding.
type Remedy struct {
	*Recipe
	// Steps are nil if none is known that holds what it promises, and Why says why.
	Steps []Step
	Why   string
}

// Case is what a recipe is made for.
type Case struct {
	*Book
	// Outcome is the object of the finding, Old the live one under a former name, nil if its name
	// stays.
	*rehearsal.Outcome
	Old *manifest.Object
	// services are those of the pods of the object, now or then, and beside other workloads
	// with pods of these Services.
	services []*service
	beside   []*manifest.Object

	// assumed are live objects that the snapshot would have if it covered them.
	assumed []*manifest.Object
	// keep and drop are live objects without a manifest that are there in the end, or not.
	keep, drop []*manifest.Object

	why string
}

// For is the remedy of a finding of a rule about an object, of which there is an outcome if a
// manifest has it; old is its live object if that has another name. It is nil if no recipe is
// for it.
func (b *Book) For(rule string, id manifest.Identity, o *rehearsal.Outcome, old *manifest.Object) *Remedy {
	if !answered[rule] {
		return nil
	}
	if o == nil {
		for _, r := range b.renames() {
			if r.Old.ID() == id {
				o, old = r.New, b.live.Find(id)
			}
		}
	}
	about := ChangedObject
	switch {
	case o == nil || o.Run == nil:
		about = PrunedObject
		o = &rehearsal.Outcome{Manifest: &manifest.Object{}}
		if live := b.live.Find(id); live != nil {
			o.Manifest, o.Kind = live, live.Kind
		}
	case o.Live == nil && old == nil:
		about = NewObject
	}
	for _, r := range Recipes {
		c := &Case{Book: b, Outcome: o, Old: old}
		if r.About != about || !slices.Contains(r.Rules, rule) || r.Kinds != nil && !c.is(r.Kinds...) {
			continue
		}
		if about != PrunedObject {
			c.look()
		}
		steps := r.Make(c)
		by := b.plan.By.Claim().Program
		switch {
		case c.why != "":
			return &Remedy{Recipe: r, Why: c.why}
		case steps == nil:
			continue
		case by == applier.Flux && about != PrunedObject:
			return &Remedy{Recipe: r, Why: fmt.Sprintf("what %s does between the steps is unknown", by)}
		}
		if why := newWalk(c).all(steps); why != "" {
			return &Remedy{Recipe: r, Why: why}
		}
		for i, s := range steps {
			if s.Applies && b.apply != "" {
				steps[i].Commands = append([]string{b.apply}, s.Commands...)
			}
		}
		if by == applier.ArgoCD && about != PrunedObject {
			steps = b.unattended(steps)
		}
		return &Remedy{Recipe: r, Steps: steps}
	}
	return nil
}

// unattended turns automated sync off before the steps, and on again after them.
func (b *Book) unattended(steps []Step) []Step {
	claim := placed(b.plan.By.Claim())
	off, on := stop(claim), Step{Text: "Turn automated sync on again, if it was on"}
	off.Meanwhile = "only argocd app sync applies; commit and push the edits of a step before it"
	if app := claim.In(b.live); app != nil {
		policy, automated := tree.Get(app.Tree, "spec", "syncPolicy", "automated")
		if !automated {
			return steps
		}
		patch := tree.Object{"spec": tree.Object{"syncPolicy": tree.Object{"automated": policy}}}
		on = Step{Text: "Turn automated sync on again", Commands: []string{shell.Line("kubectl patch", at(claim), shell.Option("--type=merge"), shell.JSON("-p", patch))}}
	}
	return slices.Concat([]Step{off}, steps, []Step{on})
}

// is reports whether the object is of one of some kinds.
func (c *Case) is(groupKinds ...string) bool { return slices.Contains(groupKinds, c.Kind.GroupKind()) }

// none says why no steps are known.
func (c *Case) none(why string) []Step {
	c.why = why
	return nil
}

// second is an object beside that of the manifest, of the same kind, with other contents.
func (c *Case) second(contents tree.Object) *manifest.Object {
	o := *c.Manifest
	o.Name += "-next"
	o.Tree = tree.CopyObject(contents)
	o.Tree["apiVersion"], o.Tree["kind"] = c.Kind.APIVersion(), c.Kind.Kind
	o.Tree["metadata"] = tree.Object{"name": o.Name}
	if o.Namespace != "" {
		tree.Set(o.Tree, o.Namespace, "metadata", "namespace")
	}
	return &o
}

// Target returns an object, from a manifest or live, as an argument of kubectl.
func Target(o *manifest.Object) shell.Arg {
	kind := o.Kind.Kind
	if schema.Lookup(o.Kind) == nil {
		kind = o.Kind.GroupKind()
	}
	return shell.Object(kind, o.Namespace, o.Name)
}

// title is an object in a sentence.
func title(o *manifest.Object) string { return o.Kind.Kind + " " + o.Name }

// podLabels are the labels of the pods that a workload makes.
func podLabels(obj tree.Object) tree.Object {
	return labelsOf(tree.Map(obj, "spec", "template"))
}

// wait waits until the pods of a workload are those of its template.
func wait(o *manifest.Object) string { return shell.Line("kubectl rollout status", Target(o)) }
