package lint

import (
	"slices"
	"strings"
	"sync"

	"threeway/merge"
	"threeway/merge/by/imperative"
	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/memo"
	"threeway/merge/promise"
	"threeway/merge/prune"
	"threeway/merge/rehearsal"
	"threeway/merge/text/edit"
	"threeway/merge/text/phrase"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// gate rehearses what findings advise, before any of it is said. Edits of the manifest and
// commands of kubectl pass if the apply after them is not rejected for a new reason, if the
// finding is gone, and if neither that apply nor the next one of the same manifest takes
// away what the manifest has, or what the live object has and the advice does not name.
type gate struct {
	p       *Pass
	rules   []*Rule
	listed  Severity // the ways of lower ones are not read
	objects map[*manifest.Object]*Object
	byID    map[manifest.Identity]*Object
	// advised are the findings about an object, before any has passed.
	advised map[*manifest.Object][]advice
	// serverSide applies server-side, by force, and clientSide client-side; alone takes
	// commands about any object.
	serverSide, clientSide, alone func() *rehearsal.Run
	definitions                   func() []*manifest.Object
	// deletions are why live objects must not be deleted, by their names.
	deletions map[string]string
	// near are the objects of which it is asked what others tell of them, which takes longer
	// in a large set.
	near map[*Object]bool
	// asked are why command lines about other objects do not work, each found out once: many
	// findings may restart one workload.
	asked memo.Table[string, string]
	// late are the findings about an object that come after mostTried others with advice.
	late map[*Finding]bool
	// applied are why lines of kubectl apply do not work.
	applied map[string]string
}

// rehearse lets the advice of findings through the gate.
func (p *Pass) rehearse(rules []*Rule, found []*Finding, listed Severity) {
	g := &gate{p: p, rules: rules, listed: listed, objects: map[*manifest.Object]*Object{}, byID: map[manifest.Identity]*Object{}, advised: map[*manifest.Object][]advice{}, near: map[*Object]bool{}, late: map[*Finding]bool{}}
	for _, o := range p.all {
		g.objects[o.Manifest], g.objects[o.bare.Manifest] = o, o
		g.byID[o.Identity()] = o
	}
	applying := func(as *rehearsal.ServerSide) func() *rehearsal.Run {
		return sync.OnceValue(func() *rehearsal.Run {
			opts := p.Options
			opts.ServerSide = as
			return merge.NewRehearsal(opts, p.Options.Manifests.Objects...)
		})
	}
	g.serverSide = applying(&rehearsal.ServerSide{Force: true, Manager: rehearsal.DefaultManager, Migrate: true})
	g.clientSide = applying(nil)
	g.alone = sync.OnceValue(func() *rehearsal.Run { return merge.NewRehearsal(p.Options) })
	g.definitions = sync.OnceValue(func() []*manifest.Object {
		return slices.Concat(slices.Collect(p.Options.Live.OfKind(rehearsal.DefinitionKind)), p.Options.Definitions)
	})
	for _, f := range found {
		g.advised[f.source] = append(g.advised[f.source], advice{f, f.edits, f.suggested})
	}
	g.deletions, g.applied = g.delete(found), g.applies(found)
	var sources []*manifest.Object
	of := map[*manifest.Object][]*Finding{}
	for _, f := range found {
		if of[f.source] == nil {
			if sources = append(sources, f.source); len(sources) <= mostNear {
				g.near[g.objects[f.source]] = true
			}
		}
		of[f.source] = append(of[f.source], f)
		g.late[f] = len(of[f.source]) > mostTried
	}
	g.remedy(found)
	p.Options.Cores.Do(len(sources), func(i int) {
		list := of[sources[i]]
		g.together(g.objects[sources[i]], list)
		for _, f := range list {
			g.pass(f)
		}
		g.anew(g.objects[sources[i]], list)
	})
}

// remedy makes the remedies of the first findings that recipes are for. Where one has steps, they
// are said in the place of the ways.
func (g *gate) remedy(found []*Finding) {
	book := workflow.NewBook(g.p.Plan, g.p.Options, g.p.Apply)
	walked := 0
	told := map[*Rule]bool{} // of the run
	for _, f := range found {
		if f.id == (manifest.Identity{}) {
			if told[f.Rule] {
				continue
			}
			told[f.Rule] = true
		}
		var bare *rehearsal.Outcome
		if o := g.objects[f.source]; o != nil {
			if o.masked && !o.Is("Secret") {
				continue // commands and patches would have its labels
			}
			bare = o.bare
		}
		if f.Remedy = book.For(f.Rule.ID, f.id, bare, f.old); f.Remedy == nil {
			continue
		}
		if f.Remedy.Steps != nil {
			if f.Remedy.Named {
				if f.Remedy.Why = g.fails(f); f.Remedy.Why != "" {
					f.Remedy.Steps = nil
				}
			}
			f.ways = nil
			if f.Fix == "" {
				f.Fix = f.Way()
			}
		}
		if walked++; walked == mostWalked {
			break
		}
	}
}

// fails says why none of the ways of a finding works; "" if one does, or if there is none.
func (g *gate) fails(f *Finding) (why string) {
	for _, w := range f.ways {
		if why = g.try(f, g.objects[f.source], w); why == "" {
			return ""
		}
	}
	return why
}

// mostWalked is how many remedies are rehearsed in a run: each asks about the whole namespace.
const mostWalked = 30

// anew takes back edits that pass each by itself and not together.
func (g *gate) anew(o *Object, list []*Finding) {
	var all []edit.Edit
	var edited []*Finding
	for _, f := range list {
		if len(f.edits) > 0 && !f.passed {
			all, edited = append(all, f.edits...), append(edited, f)
		}
	}
	if len(edited) < 2 {
		return
	}
	t := &attempt{gate: g, findings: edited, o: o, way: Way{Edits: all}, live: o.bare.Live}
	if why := t.run(); why != "" && why != stays && why != impossible {
		for _, f := range edited[1:] {
			f.edits = nil
			f.Fix += "; after the fix of " + edited[0].Rule.ID
		}
	}
}

// advice are the edits of a finding before they pass.
type advice struct {
	of                 *Finding
	certain, suggested []edit.Edit
}

// pass keeps of the advice of a finding what works.
func (g *gate) pass(f *Finding) {
	o := g.objects[f.source]
	for _, edits := range []*[]edit.Edit{&f.edits, &f.suggested} {
		if len(*edits) == 0 || edits == &f.edits && f.passed {
			continue
		}
		if why := g.try(f, o, Way{Edits: *edits}); why != "" {
			*edits = g.instead(f, o, *edits, why)
		}
	}
	f.likely = f.likely && f.suggested != nil
	if f.Severity < g.listed {
		return
	}
	var said []string
	instead := ""
	for _, w := range f.ways {
		why := g.try(f, o, w)
		switch {
		case why == "":
			said, f.commands = append(said, w.String()), append(f.commands, w.Commands...)
		case instead == "":
			instead = strings.ReplaceAll(w.Instead, "WHY", why)
		}
	}
	if said == nil || f.Fix == "" {
		said = append(said, instead)
	}
	f.say(said)
}

// instead are the edits in place of some that do not work by themselves: with those of the
// other findings about the object. Without such edits the fix says another way, or the reason.
func (g *gate) instead(f *Finding, o *Object, edits []edit.Edit, why string) []edit.Edit {
	if why == stays || o == nil {
		return nil
	}
	if g.late[f] {
		f.falls(why)
		return nil
	}
	fix, _, _ := strings.Cut(f.Fix, "; or ")
	if all := g.others(f, edits); len(all) > len(edits) && g.try(f, o, Way{Edits: all}) == "" {
		f.Fix = fix + ", together with the other fixes of the object: without them, " + why
		return all
	}
	for _, w := range g.means(o, edits) {
		w.Words = fix + w.Words
		if w.Edits = edits; g.try(f, o, w) == "" {
			f.commands = append(f.commands, w.Commands...)
			f.Fix = w.String() + ": without that, " + why
			return nil
		}
	}
	f.falls(why)
	return nil
}

// falls says why the fix of a finding does not do it by itself.
func (f *Finding) falls(why string) {
	if f.Fix != "" {
		f.Fix += "; that alone is not enough: " + why
	}
}

// others are edits with those of the other findings about the object: certain ones with
// those that are certain.
func (g *gate) others(f *Finding, edits []edit.Edit) []edit.Edit {
	all := slices.Clone(edits)
	for _, x := range g.advised[f.source] {
		if x.of == f {
			continue
		}
		if all = append(all, x.certain...); len(f.suggested) > 0 {
			all = append(all, x.suggested...)
		}
	}
	return all
}

// means are what may help edits that do not work by themselves.
func (g *gate) means(o *Object, edits []edit.Edit) (ways []Way) {
	if o.Live == nil || !o.By.Claim().IsKubectl() || o.ServerSide != nil {
		return nil
	}
	var left []fieldpath.Path
	words := ", and from last-applied too: "
	for _, e := range edits {
		if e.Value() != nil {
			words = ", and remove it from last-applied first: "
		}
		if _, applied := e.Path.Find(o.LastApplied()); applied && !slices.ContainsFunc(e.Path, func(s fieldpath.Step) bool { return s.IsIndex }) {
			left = append(left, e.Path)
		}
	}
	if left != nil {
		ways = append(ways, Way{Words: words, Commands: o.Forgetting(), Forget: left})
	}
	return append(ways,
		Way{Words: ", then apply once with --server-side --force-conflicts", First: ServerFirst},
		Way{Words: ", then apply twice", First: SameFirst})
}

// stays is why advice does not work that changes nothing about the finding.
const stays = "the finding stays"

// try is why a way does not work, "" if it does.
func (g *gate) try(f *Finding, o *Object, w Way) string {
	if w.plain() {
		return ""
	}
	if g.late[f] {
		return "the object has too many findings to rehearse the fix of each"
	}
	var c *imperative.Command
	for _, line := range w.Commands {
		if w.Forget != nil {
			continue
		}
		if why, applies := g.applied[line]; applies {
			if why != "" {
				return why
			}
			continue
		}
		command, target, why := g.read(line)
		switch {
		case why != "":
			return why
		case o != nil && target == o.Identity():
			c = command
			continue
		case deletes(command) && g.byID[target] == nil:
			why = g.deletions[target.String()]
		default:
			why = g.asked.Get(line, func() string { return g.beside(command, target) })
		}
		if why != "" {
			return why
		}
	}
	switch {
	case c == nil && w.Commands != nil && w.Forget == nil:
		return "" // all is about other objects
	case o == nil:
		return "it is about no object that is applied"
	case o.bare.Run == nil && len(w.Edits) == 0:
		return "nothing is known of the live object"
	}
	t := &attempt{gate: g, findings: []*Finding{f}, o: o, way: w, command: c, live: o.bare.Live}
	return t.run()
}

// read understands a command line, as far as it is about one object.
func (g *gate) read(line string) (c *imperative.Command, target manifest.Identity, why string) {
	commands, err := imperative.Split(line)
	if err != nil || len(commands) != 1 || commands[0][0] != "kubectl" {
		return nil, target, "the command is not understood"
	}
	words := slices.DeleteFunc(commands[0][1:], func(word string) bool { return word == "--cascade=orphan" }) // what it owns stays
	if c, err = imperative.Parse(words); err != nil {
		return nil, target, err.Error()
	}
	if c.Changes() && c.Verb != "delete" {
		if _, err = c.Edit(); err != nil {
			return nil, target, err.Error()
		}
	}
	targets, err := c.Targets(imperative.Resources{Minor: g.p.Plan.Minor, Definitions: g.definitions()})
	if err != nil || len(targets) != 1 {
		return nil, target, "the command is not about one object"
	}
	target = manifest.Identity{Group: targets[0].Group, Kind: targets[0].Kind.Kind, Name: targets[0].Name}
	if targets[0].Namespaced {
		target.Namespace = c.Text("namespace")
	}
	return c, target, ""
}

// deletes reports whether the object is gone after a command.
func deletes(c *imperative.Command) bool {
	return c.Verb == "delete" || c.Verb == "wait" && c.Text("for") == "delete"
}

// beside is why a command about another live object does not work.
func (g *gate) beside(c *imperative.Command, target manifest.Identity) string {
	live := g.p.Options.Live.Find(target)
	if o := g.byID[target]; o != nil && o.bare.Result != nil {
		live = o.bare.Left(o.bare.Stored())
	}
	if live == nil {
		return target.String() + " is not there"
	}
	if deletes(c) {
		return ""
	}
	left, no, err := c.On(g.alone(), live)
	switch {
	case err != nil:
		return err.Error()
	case no != nil:
		return "the command is rejected: " + no.Brief().String()
	}
	return harms(live, left, nil)
}

// delete is why live objects that no manifest has must not be deleted: what says, of a
// deletion of all that are to be, that something lacks them afterwards.
func (g *gate) delete(found []*Finding) map[string]string {
	var entries []*manifest.Entry
	for _, f := range found {
		for _, w := range f.ways {
			for _, line := range w.Commands {
				c, target, why := g.read(line)
				if why != "" || !deletes(c) || g.byID[target] != nil {
					continue
				}
				if e := g.p.Options.Live.FindEntry(target); e != nil {
					entries = append(entries, e)
				}
			}
		}
	}
	broken := map[string]string{}
	if entries == nil {
		return broken
	}
	again := g.p.with(nil, prune.Named(g.p.Options.Live, entries, "the advice deletes it"))
	again.all = nil // they are as without the deletion
	for _, r := range g.rules {
		if r.Run == nil || r.Needs&Prune != 0 || g.p.otherRun(r.Needs) != (lack{}) || g.p.lacks(r.Needs) != (lack{}) {
			continue
		}
		for _, f := range again.found(r) {
			if f.Severity == Error {
				broken[f.Object] = f.Message
			}
		}
	}
	return broken
}

// together rehearses the edits of an object that --fix makes at once, before each by itself:
// if they work, all have passed. If they do not and are many, none is made.
func (g *gate) together(o *Object, list []*Finding) {
	var all []edit.Edit
	var edited []*Finding
	for _, f := range list {
		if len(f.edits) > 0 {
			all, edited = append(all, f.edits...), append(edited, f)
		}
	}
	if o == nil || len(edited) < 2 {
		return
	}
	t := &attempt{gate: g, findings: edited, o: o, way: Way{Edits: all}, live: o.bare.Live}
	why := t.run()
	for _, f := range edited {
		switch {
		case why == "":
			f.passed = true
		case len(edited) > mostEdited:
			f.edits = nil
			f.Fix += "; the object has too many findings to rehearse the fix of each: fix some by hand"
		}
	}
}

// mostNear is how many objects are near.
const mostNear = 100

// mostEdited is how many fixes of an object are rehearsed each by itself.
const mostEdited = 20

// mostTried is of how many findings about an object the advice is rehearsed: each takes as long as
// the object is large.
const mostTried = 20

// with is the pass over other outcomes of some objects, and with other deletions. Nothing is
// shared with the pass itself.
func (p *Pass) with(outcomes []*rehearsal.Outcome, deleted *prune.Result) *Pass {
	again := *p
	again.Plan, again.set, again.all, again.shared = p.Plan.With(outcomes, deleted), nil, nil, &memo.Types{}
	again.Impact = sync.OnceValue(func() *impact.Impact { return impact.Of(again.Plan, again.Options) })
	again.gather()
	return &again
}

// found are the findings of one rule.
func (p *Pass) found(r *Rule) (list []*Finding) {
	again := *p
	again.trial, again.rule, again.sink = true, r, func(f *Finding) { list = append(list, f) }
	if r.Run != nil {
		r.Run(&again)
	}
	return list
}

// unnamed are those of some fields of a live object that are not at or below a path. Of
// labels and annotations each must be named, and what only the server writes is no loss.
func unnamed(gone, named []fieldpath.Path) []fieldpath.Path {
	return slices.DeleteFunc(gone, func(p fieldpath.Path) bool {
		if rehearsal.ServerOwned(p) {
			return true
		}
		marks := len(p) == 3 && p[0].Field == "metadata" && (p[1].Field == "annotations" || p[1].Field == "labels")
		return slices.ContainsFunc(named, func(n fieldpath.Path) bool {
			if len(n) < 3 && (marks || len(p) == 2 && p[0].Field == "metadata") {
				return false
			}
			return n.Meets(p)
		})
	})
}

// harms is what a command takes away from a live object besides some fields.
func harms(live *manifest.Object, left tree.Object, named []fieldpath.Path) string {
	lost := unnamed(promise.Lost(live.Kind, live.Tree, left, false), named)
	last := fieldpath.New("metadata", "annotations", rehearsal.LastAppliedKey)
	if has(live.Tree, last) && !has(left, last) && !slices.ContainsFunc(named, last.Equal) {
		lost = append(lost, last)
	}
	if len(lost) == 0 {
		return ""
	}
	return "it also removes " + some(lost)
}

func has(obj tree.Object, p fieldpath.Path) bool {
	_, is := p.Find(obj)
	return is
}

// some names a few fields.
func some(paths []fieldpath.Path) string {
	var names []string
	for _, p := range paths {
		names = append(names, p.String())
	}
	return phrase.Abbreviated(phrase.Distinct(names), 3)
}

// kindOf is the kind that an object says it is of.
func kindOf(obj tree.Object) schema.Kind {
	return schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind"))
}

// impossible is why edits cannot be made.
const impossible = "it cannot be made"
