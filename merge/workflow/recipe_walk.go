package workflow

import (
	"fmt"
	"slices"
	"strings"

	"threeway/merge/by/imperative"
	"threeway/merge/explain"
	"threeway/merge/impact"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/selector"
	"threeway/merge/text/edit"
	"threeway/merge/tree"
)

// walk rehearses steps, each on what the one before leaves.
type walk struct {
	*Case
	wanted []*manifest.Object
	// left are the objects as the steps leave them; one without a tree is deleted.
	left map[manifest.Identity]*manifest.Object
	// last are the manifests as they were applied by now.
	last map[manifest.Identity]*manifest.Object
	// pods are who runs in the namespace, and serving the spec of each Service that has pods, with
	// the ports that lead to them.
	pods    []*pods
	serving map[manifest.Identity]tree.Object
}

// pods are those of one workload.
type pods struct {
	of *manifest.Object // as it was last known; it may be deleted
	// templates are those that some of them may be made of.
	templates []tree.Object
	ready     bool
	orphaned  bool
}

func newWalk(c *Case) *walk {
	w := &walk{Case: c, wanted: c.beside, left: map[manifest.Identity]*manifest.Object{}, last: map[manifest.Identity]*manifest.Object{}, serving: map[manifest.Identity]tree.Object{}}
	for _, o := range c.assumed {
		w.left[o.ID()] = o
	}
	if c.Run != nil {
		w.wanted = append([]*manifest.Object{c.Manifest}, c.beside...)
	}
	for _, s := range c.services {
		if s.manifest != nil && s.manifest != c.Manifest {
			w.wanted = append(w.wanted, s.manifest)
		}
	}
	for _, o := range c.running()[c.Manifest.Namespace] {
		switch n, sized := tree.Int(o.Tree, "spec", "replicas"); {
		case o.Kind.GroupKind() == "Pod":
			w.pods = append(w.pods, &pods{of: o, templates: []tree.Object{o.Tree}, ready: true})
		case o.Kind.GroupKind() != "Service" && (!sized || n > 0):
			w.pods = append(w.pods, &pods{of: o, templates: []tree.Object{tree.Map(o.Tree, "spec", "template")}, ready: true})
		}
	}
	for _, s := range c.services {
		if s.live == nil {
			continue
		}
		spec := tree.Object{"selector": s.was}
		for _, port := range tree.List(s.live.Tree, "spec", "ports") {
			if w.endpoints(tree.Object{"selector": s.was, "ports": []any{port}}) {
				spec["ports"] = append(tree.List(spec, "ports"), port)
			}
		}
		if w.endpoints(spec) {
			w.serving[s.live.ID()] = spec
		}
	}
	return w
}

// all is why the steps do not hold what a recipe promises.
func (w *walk) all(steps []Step) string {
	for _, s := range steps {
		if why := w.step(s); why != "" {
			return why
		}
	}
	for _, p := range w.pods {
		if p.orphaned {
			return "pods of the former " + title(p.of) + " would stay"
		}
	}
	for _, o := range w.wanted {
		if !rests(w.apply(o)) {
			return fmt.Sprintf("in the end %s would not be as its manifest says", title(o))
		}
	}
	for _, o := range w.keep {
		if left := w.found(o.ID()); left == nil || left.Tree == nil {
			return title(o) + " would be deleted all the same"
		}
	}
	for _, o := range w.drop {
		if left := w.found(o.ID()); left != nil && left.Tree != nil {
			return title(o) + " would stay"
		}
	}
	return ""
}

// rests reports whether an apply changes nothing.
func rests(o *rehearsal.Outcome) bool {
	return o.Action == rehearsal.Unchanged || o.Action == rehearsal.Configured && !slices.ContainsFunc(explain.FieldChanges(o), func(c explain.Change) bool {
		return c.Reason != explain.Kept && c.Reason != explain.OwnedBy && !c.Bookkeeping
	})
}

func (w *walk) step(s Step) string {
	if s.Applies {
		edits := map[*manifest.Object][]edit.Edit{}
		for _, e := range s.Edits {
			edits[e.Manifest] = e.Edits
		}
		for _, o := range w.wanted {
			if why := w.applied(o, edits[o]); why != "" {
				return why
			}
		}
		if err := w.prunes(); err != nil {
			return err.Error()
		}
	}
	if s.Input != nil {
		if why := w.input(s); why != "" {
			return why
		}
	}
	if why := w.outage(); why != "" {
		return why
	}
	for i, line := range s.Commands {
		if i == 0 && s.Input != nil {
			continue
		}
		if why := w.command(line); why != "" {
			return why
		}
		if why := w.outage(); why != "" {
			return why
		}
	}
	return ""
}

// input is what a command makes of the object on its stdin.
func (w *walk) input(s Step) string {
	o := *w.Manifest
	o.Tree, o.Kind = s.Input, schema.ParseKind(tree.String(s.Input, "apiVersion"), tree.String(s.Input, "kind"))
	o.Name, o.Namespace = tree.String(s.Input, "metadata", "name"), tree.String(s.Input, "metadata", "namespace")
	if s.Commands[0] != setLastApplied {
		return w.applied(&o, nil)
	}
	live := *w.found(o.ID())
	live.Tree = lastAppliedAs(live.Tree, s.Input)
	w.left[o.ID()] = &live
	return ""
}

// found is a live object as the steps have left it, nil if it never was there.
func (w *walk) found(id manifest.Identity) *manifest.Object {
	if left := w.left[id]; left != nil {
		return left
	}
	return w.live.Find(id)
}

// apply is the outcome of applying a manifest on what the steps have left.
func (w *walk) apply(o *manifest.Object) *rehearsal.Outcome {
	r := w.run()
	if left := w.left[o.ID()]; left != nil {
		r = r.On(left)
		r.LastApplied = nil
		if last := w.last[o.ID()]; last != nil {
			r.Originals = map[manifest.Identity]*manifest.Object{o.ID(): last}
		}
	}
	return r.Object(o)
}

// applied applies a manifest with edits, and says what that does to pods.
func (w *walk) applied(o *manifest.Object, edits []edit.Edit) string {
	edited := *o
	if len(edits) > 0 {
		var err error
		if edited.Tree, err = edit.Object(o.Tree, edits); err != nil {
			return "the edit of " + title(o) + " cannot be made: " + err.Error()
		}
	}
	out := w.apply(&edited)
	switch {
	case out.Action == rehearsal.Rejected:
		return title(o) + " would be rejected: " + out.Rejection.OneLine()
	case len(out.Undecided) > 0:
		return "whether " + title(o) + " would be rejected is unknown"
	}
	after := edited
	after.Tree = out.Stored()
	w.left[o.ID()], w.last[o.ID()] = &after, &edited
	if n, m := replicas(out.Before), replicas(out.Result); m < n && !tree.Has(edited.Tree, "spec", "replicas") {
		return fmt.Sprintf("%s would be scaled from %d pods to %d", title(o), n, m)
	}
	if o.Kind.GroupKind() == "Service" {
		if spec := w.serving[o.ID()]; spec != nil {
			led := w.led(out.Result)
			w.serving[o.ID()] = tree.Object{"selector": tree.Map(led, "spec", "selector"), "ports": slices.DeleteFunc(slices.Clone(tree.List(led, "spec", "ports")), func(port any) bool {
				return !slices.ContainsFunc(tree.List(spec, "ports"), func(was any) bool { return samePort(port, was) })
			})}
		}
		return ""
	}
	if podLabels(out.Result) != nil {
		w.workload(out, &after)
	}
	return ""
}

// led is the Service that one leads to: itself, or that of an ExternalName.
func (w *walk) led(service tree.Object) tree.Object {
	name, inCluster := strings.CutSuffix(tree.String(service, "spec", "externalName"), clusterDomain)
	if !inCluster || tree.String(service, "spec", "type") != "ExternalName" {
		return service
	}
	name, namespace, _ := strings.Cut(name, ".")
	if other := w.found(manifest.Identity{Kind: "Service", Namespace: namespace, Name: name}); other != nil {
		return other.Tree
	}
	return nil
}

// replicas are how many pods a workload asks for.
func replicas(obj tree.Object) int64 {
	n, _ := tree.Int(obj, "spec", "replicas")
	return n
}

// workload is what an accepted apply makes of pods: its controller adopts those that its
// selector matches and that have none.
func (w *walk) workload(out *rehearsal.Outcome, after *manifest.Object) {
	if out.Action == rehearsal.Created {
		s, _ := impact.Selector(tree.Map(out.Result, "spec", "selector"))
		for _, p := range w.pods {
			if p.orphaned && p.of.Kind.GroupKind() == after.Kind.GroupKind() && s.Matches(p.labels()) {
				p.orphaned = false
				adopted := *out
				adopted.Action, adopted.Before = rehearsal.Configured, p.of.Tree
				p.replaced(&adopted, after)
				return
			}
		}
		w.pods = append(w.pods, &pods{of: after, templates: []tree.Object{tree.Map(out.Result, "spec", "template")}})
		return
	}
	for _, p := range w.pods {
		if p.of.ID() == after.ID() && !p.orphaned {
			p.replaced(out, after)
		}
	}
}

// replaced is what a change of the template does to pods.
func (p *pods) replaced(out *rehearsal.Outcome, after *manifest.Object) {
	p.of = after
	if r := impact.RolloutOf(out); r != nil && r.How != impact.Unaffected && r.How != impact.NoPods {
		p.templates, p.ready = append(p.templates, tree.Map(out.Result, "spec", "template")), p.ready && r.AllDown == ""
	}
}

// command runs one on what the steps have left.
func (w *walk) command(line string) string {
	commands, err := imperative.Split(line)
	if err != nil || len(commands) != 1 || len(commands[0]) < 2 || commands[0][0] != "kubectl" {
		return "a command is not understood"
	}
	if commands[0][1] == "get" || rewrites(commands[0]) || slices.Contains(commands[0], "--dry-run=server") {
		return ""
	}
	var words []string
	orphan := false
	for _, word := range commands[0][1:] {
		if word == "--cascade=orphan" {
			orphan = true
		} else {
			words = append(words, word)
		}
	}
	c, err := imperative.Parse(words)
	if err != nil {
		return err.Error()
	}
	targets, err := c.Targets(imperative.Resources{Minor: w.plan.Minor})
	if err != nil {
		return err.Error()
	}
	for _, t := range targets {
		id := manifest.Identity{Group: t.Group, Kind: t.Kind.Kind, Name: t.Name}
		if t.Namespaced {
			id.Namespace = c.Text("namespace")
		}
		switch {
		case c.Verb == "rollout status":
			w.settle(id)
		case c.Verb == "delete" && t.Name == "":
			s, err := selector.Parse(c.Text("selector"))
			if err != nil {
				return err.Error()
			}
			w.orphans(id, s)
		case c.Changes():
			if why := w.changed(c, id, orphan); why != "" {
				return why
			}
		}
	}
	return ""
}

// rewrites reports whether a command writes objects as they are, of whatever kind: it removes an annotation
// that none has.
func rewrites(words []string) bool {
	return words[1] == "annotate" && words[len(words)-1] == rewritten+"-"
}

// changed deletes or patches one object.
func (w *walk) changed(c *imperative.Command, id manifest.Identity, orphan bool) string {
	live := w.found(id)
	if live == nil || live.Tree == nil {
		return id.String() + " is not in the snapshot"
	}
	after := *live
	tree, no, err := c.On(w.run(), live)
	switch {
	case err != nil:
		return err.Error()
	case no != nil:
		return "the command is rejected: " + no.Brief().String()
	}
	after.Tree = tree
	if tree != nil {
		w.left[id] = &after
		w.workload(&rehearsal.Outcome{Kind: live.Kind, Manifest: live, Action: rehearsal.Configured, States: rehearsal.States{Before: live.Tree, Result: tree}}, &after)
		return ""
	}
	w.delete(&after, orphan)
	return ""
}

// delete deletes an object, and its pods unless they are orphaned.
func (w *walk) delete(o *manifest.Object, orphan bool) {
	id := o.ID()
	w.left[id] = o
	kept := w.pods[:0]
	for _, p := range w.pods {
		if p.of.ID() == id && orphan {
			p.orphaned = true
		}
		if p.of.ID() != id || orphan {
			kept = append(kept, p)
		}
	}
	w.pods = kept
}

// settle is the end of a rollout.
func (w *walk) settle(id manifest.Identity) {
	for _, p := range w.pods {
		if p.of.ID() == id && !p.orphaned {
			p.templates, p.ready = p.templates[len(p.templates)-1:], true
		}
	}
}

// orphans deletes by labels what a deleted workload has left: the ReplicaSets of a
// Deployment, or pods. Nothing else may have these labels.
func (w *walk) orphans(id manifest.Identity, s selector.Selector) {
	kept := w.pods[:0]
	for _, p := range w.pods {
		made := p.of.Kind.GroupKind() == "Deployment.apps" && id.Kind == "ReplicaSet" || id.Kind == "Pod"
		if !made || !s.Matches(p.labels()) || p.of.Namespace != id.Namespace {
			kept = append(kept, p)
		}
	}
	w.pods = kept
}

// outage names a Service that has pods today and has none at this moment, or an object that pods still read and
// that is gone.
func (w *walk) outage() string {
	if old := w.Old; old != nil && w.found(old.ID()).Tree == nil {
		for _, p := range w.pods {
			if slices.ContainsFunc(p.templates, func(template tree.Object) bool { return reads(template, old.ID()) }) {
				return fmt.Sprintf("%s would be gone while pods of %s read it", title(old), title(p.of))
			}
		}
	}
	for _, s := range w.services {
		if s.live == nil || w.serving[s.live.ID()] == nil || w.found(s.live.ID()).Tree == nil {
			continue
		}
		if spec := w.serving[s.live.ID()]; !w.endpoints(spec) {
			return fmt.Sprintf("%s would have no endpoints%s", title(s.live), w.down(tree.Map(spec, "selector")))
		}
	}
	return ""
}

// labels are those of the newest.
func (p *pods) labels() tree.Object { return labelsOf(p.templates[len(p.templates)-1]) }

// labelsOf are those of a pod, or of the pods of a template.
func labelsOf(template tree.Object) tree.Object { return tree.Map(template, "metadata", "labels") }

// endpoints reports whether pods that are ready are sure to be those that a Service leads to.
func (w *walk) endpoints(spec tree.Object) bool {
	for _, p := range w.pods {
		all := p.ready
		for _, template := range p.templates {
			all = all && selects(tree.Map(spec, "selector"), labelsOf(template))
			for _, port := range tree.List(spec, "ports") {
				all = all && reaches(port, template)
			}
		}
		if all {
			return true
		}
	}
	return false
}

// down says which workload stops its pods before it starts others.
func (w *walk) down(by tree.Object) string {
	var names []string
	for _, p := range w.pods {
		if !p.ready && len(p.templates) > 1 && selects(by, labelsOf(p.templates[0])) {
			names = append(names, title(p.of))
		}
	}
	if names == nil {
		return ""
	}
	return ", since " + strings.Join(names, " and ") + " stops its pods before it starts new ones"
}
