package show

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"threeway/merge/fieldpath"
	"threeway/merge/impact"
	"threeway/merge/impact/setting"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/text/phrase"
)

// jsonConsequence is what the change of a field does, in JSON.
type jsonConsequence struct {
	Class setting.Class `json:"class"`
	Path  string        `json:"path"`
	Text  string        `json:"text"`
	// Safer tells that less can go wrong than before: it counts as no danger.
	Safer bool `json:"safer,omitempty"`
	path  fieldpath.Path
}

// selector is what a change of gives a workload other pods, which is no rollout.
var selector = fieldpath.New("spec", "selector")

// presences adds what objects do that come or go.
func (i *Digest) presences() {
	for _, o := range i.facts.Plan.Outcomes {
		if o.Action == rehearsal.Created && !o.Stopped {
			i.presence(o.Manifest, true)
			for _, c := range i.facts.Consequences(o) {
				i.does(o.Identity().String(), c.Does, c.Path.String())
			}
		}
	}
	for _, r := range i.facts.Resizes {
		i.does(r.Autoscaler.Identity().String(), setting.Does{Class: setting.Scale, Says: fmt.Sprintf("scales %s %s from %s to %d", r.Target.Kind, r.Target.Name, phrase.Count(r.From, "pod"), r.To), Safer: r.Stops() == 0 && r.To <= 2*r.From}, r.Bound())
	}
	if prune := i.facts.Plan.Prune; prune != nil {
		for _, c := range prune.Pruned() {
			i.presence(c.Live.Object(), false)
		}
	}
}

func (i *Digest) presence(o *manifest.Object, comes bool) {
	setting.Presence(o.Kind, o.Tree, comes, func(does setting.Does, field string) { i.does(o.ID().String(), does, field) })
}

// does adds what an object does besides what the fields that change do.
func (i *Digest) does(object string, does setting.Does, field string) {
	e := i.named(object)
	e.Consequences = append(e.Consequences, jsonConsequence{does.Class, field, does.Says, does.Safer, nil})
	e.say(does.Says)
	if !does.Safer {
		i.touch(does.Class, object)
	}
}

// touch counts an object as one that changes a part of the cluster.
func (i *Digest) touch(class setting.Class, object string) {
	if i.touched[class] == nil {
		i.touched[class] = map[string]bool{}
	}
	i.touched[class][object] = true
}

// difference is what is shown of an outcome that is not unchanged, and what follows from it
// if the apply changes its object.
type difference struct{ follows []impact.Consequence }

// differences are those of the outcomes of a plan; nil for those without.
func differences(facts *impact.Impact, opts Options) []*difference {
	all := make([]*difference, len(facts.Plan.Outcomes))
	opts.Cores.Do(len(all), func(k int) {
		o := facts.Plan.Outcomes[k]
		if o.Action == rehearsal.Configured {
			v := opts.compared(o)
			if !altered(v) {
				return
			}
			all[k] = &difference{}
			if !o.Stopped {
				all[k].follows = facts.Consequences(v)
			}
		} else if o.Action != rehearsal.Unchanged {
			all[k] = &difference{}
		}
	})
	return all
}

// consequences adds what the apply of an object does besides what is known of its pods
// and of those that read it: a line for each class and clause, or that nothing that runs
// changes.
func (i *Digest) consequences(o *rehearsal.Outcome, all []impact.Consequence) {
	e := i.entry(o)
	var nothing []string
	at := map[string]int{} // of the line of each text
	something := e.Rollout != nil && e.Rollout.How != impact.Unaffected || e.Rollout != nil && e.Rollout.Scale != nil
	for _, c := range all {
		switch {
		case c.Class == setting.Nothing:
			nothing = append(nothing, c.Says)
			continue
		case e.Rollout != nil && (c.Class == setting.Pods && !c.Path.HasPrefix(selector) || c.Path.String() == "spec.replicas" && e.Rollout.Scale != nil), e.Delivery != nil && c.Class == setting.Data && (c.Safer || e.danger >= 2):
			something = something || c.Class != setting.Pods
			continue // the line about its pods, or about its readers, says it
		}
		something = true
		e.Consequences = append(e.Consequences, jsonConsequence{c.Class, c.Path.String(), c.Says, c.Safer, c.Path})
		if !c.Safer {
			i.touch(c.Class, o.Identity().String())
			e.danger = max(e.danger, 1)
		}
		n, said := at[c.Says]
		if !said {
			n = len(e.lines)
			at[c.Says] = n
			e.say(c.Says)
		}
		e.lines[n].Paths = append(e.lines[n].Paths, c.Path)
	}
	if !something {
		i.harmless++
		slices.Sort(nothing)
		e.Nothing = phrase.Abbreviated(slices.Compact(nothing), 5)
		text := "changes nothing that runs"
		if e.Nothing != "" {
			text += " (" + e.Nothing + ")"
		}
		e.say(text)
	}
}

// scaleClauses say how many pods stop and start, what is left without any, and how much
// is asked for more.
func (i *Digest) scaleClauses() (line planLine) {
	stops, adds := 0, 0
	cut := map[string]int{}
	for _, r := range i.facts.Resizes {
		stops, adds = stops+r.Stops(), adds+r.Adds()
	}
	for _, r := range i.facts.Rollouts {
		if r.Scaling == nil {
			continue
		}
		stops, adds = stops+r.Scaling.Stops(), adds+r.Scaling.Adds()
		for _, id := range r.Scaling.Cut {
			cut[id.Kind]++
		}
	}
	if prune := i.facts.Plan.Prune; prune != nil {
		for _, c := range prune.Pruned() {
			n, _ := impact.Ending(c.Live.Object())
			stops += n
		}
	}
	starts, uncounted := 0, 0
	for _, o := range impact.Last(i.facts.Plan.Outcomes) {
		n, known := impact.Starts(o)
		if starts += n; !known {
			uncounted++
		}
	}
	line.add(stops, "stops 1 pod", "stops %d pods")
	line.add(starts, "starts 1 pod", "starts %d pods")
	line.add(uncounted, "starts the pods of 1 DaemonSet", "starts the pods of %d DaemonSets")
	line.add(cut["Service"], "leaves 1 Service without pods", "leaves %d Services without pods")
	line.add(adds, "adds 1 pod", "adds %d pods")
	return append(line, i.requestClauses()...)
}

// requestClauses say how much is asked for more: by namespace, or in sum if those are many.
func (i *Digest) requestClauses() (line planLine) {
	sum := map[string]resource.Quantity{}
	for _, namespace := range slices.Sorted(maps.Keys(i.facts.Requests)) {
		asked := i.facts.Requests[namespace]
		if text := amounts(asked); text != "" {
			line = append(line, "requests "+text+" in "+cmp.Or(namespace, "the cluster"))
		}
		for name, q := range asked {
			if total := sum[name]; q.Sign() > 0 {
				total.Add(q)
				sum[name] = total
			}
		}
	}
	if len(line) > mostNamespaces {
		return planLine{fmt.Sprintf("requests %s in %d namespaces", amounts(sum), len(line))}
	}
	return line
}

// mostNamespaces is how many namespaces the plan line names one by one.
const mostNamespaces = 3

// amounts are what is asked for more of CPU and memory: 2 more CPU and 1Gi more memory.
func amounts(asked map[string]resource.Quantity) string {
	var parts []string
	if q := asked["cpu"]; q.Sign() > 0 {
		parts = append(parts, strconv.FormatFloat(float64(q.MilliValue())/1000, 'f', -1, 64)+" more CPU") // the server counts thousandths
	}
	if q := asked["memory"]; q.Sign() > 0 {
		text := q.String()
		if len(text) > len("1000000Mi") { // a sum of 1G and 1Gi
			text = fmt.Sprintf("%dMi", q.Value()>>20)
		}
		parts = append(parts, text+" more memory")
	}
	return strings.Join(parts, " and ")
}

// undoneClauses say what is taken back of what was changed in the cluster.
func (i *Digest) undoneClauses() planLine {
	u := i.facts.Undone
	if u.Fields == 0 {
		return nil
	}
	text := "reverts " + phrase.Count(u.Fields, "change made in the cluster", "changes made in the cluster")
	if u.Managers != nil {
		text += " (by " + phrase.Abbreviated(u.Managers, 3) + ")"
	}
	return planLine{text}
}

// cutWords say what becomes of an object whose workload has no pods.
func cutWords(id manifest.Identity) string {
	switch id.Kind {
	case "Service":
		return id.String() + " has no pods then"
	case "PodDisruptionBudget":
		return id.String() + " protects no pods then"
	}
	return id.String() + " does not scale it while it is scaled to 0"
}
