package merge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"threeway/fixtures/breadth"
	"threeway/fixtures/random"
	"threeway/fixtures/tape"
	"threeway/merge"
	"threeway/merge/explain"
	"threeway/merge/fault"
	"threeway/merge/fieldpath"
	"threeway/merge/manifest"
	"threeway/merge/rehearsal"
	"threeway/merge/show"
	"threeway/merge/text/source"
	"threeway/merge/tree"
	"threeway/merge/workflow"
)

// load reads the stories once.
var load = sync.OnceValues(func() (*random.World, error) { return random.Load(os.DirFS("../fixtures")) })

// stories are made of the recorded ones.
func stories(f *testing.F) *random.World {
	world, err := load()
	if err != nil {
		f.Fatal(err)
	}
	return world
}

// FuzzPlan rehearses the story that data stands for in one of the ways there
// are, and checks what must hold of any plan.
func FuzzPlan(f *testing.F) {
	world := stories(f)
	for seed := range uint64(breadth.Of(300, 6)) {
		f.Add(tape.Of(seed, 200), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte, number uint8) {
		rehearse(t, world.Story(data), int(number)%len(ways))
	})
}

func rehearse(t *testing.T, story random.Story, number int) {
	way := ways[number]
	opts := way.opts
	opts.Manifests, opts.Live = read(story)
	plan, err := merge.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	again := way.opts
	again.Manifests, again.Live = read(story)
	check := checker{t, way.name, story}
	check.sameAgain(plan, again)
	for _, o := range plan.Outcomes {
		check.reasons(o)
	}
	check.fixedPoint(plan, opts)
	if opts.ServerSide == nil {
		check.noDrift(plan, opts)
	}
}

var ways = []struct {
	name string
	opts merge.Options
}{
	{"apply", merge.Options{}},
	{"diff", merge.Options{Options: rehearsal.Options{Applying: rehearsal.Applying{Diff: true}}}},
	{"apply --validate=warn", merge.Options{Options: rehearsal.Options{Applying: rehearsal.Applying{FieldValidation: rehearsal.Warn}}}},
	{"apply --server-side", merge.Options{Options: rehearsal.Options{Applying: rehearsal.Applying{ServerSide: &rehearsal.ServerSide{Manager: rehearsal.DefaultManager}}}}},
	{"apply --server-side --force-conflicts", merge.Options{Options: rehearsal.Options{Applying: rehearsal.Applying{ServerSide: &rehearsal.ServerSide{Manager: rehearsal.DefaultManager, Force: true, Migrate: true}}}}},
}

func read(story random.Story) (*manifest.Set, *manifest.Snapshot) {
	return manifest.Read(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(story.Config)}),
		manifest.ReadSnapshot(manifest.Options{Paths: []string{"-"}, Stdin: strings.NewReader(story.Live)})
}

type checker struct {
	*testing.T
	way   string
	story random.Story
}

func (c checker) fail(o *rehearsal.Outcome, format string, args ...any) {
	c.Helper()
	c.Fatalf("%s of %s: %s\nlast applied %s\n\npatch %s\n\nconfig\n%s\nbefore %s\n\nresult %s", c.way, o.Identity(), fmt.Sprintf(format, args...),
		tree.String(o.Before, "metadata", "annotations", rehearsal.LastAppliedKey), encode(o.Patch), c.story.Config, encode(o.Before), encode(o.Result))
}

func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // what was decoded encodes
	return strings.TrimSpace(b.String())
}

// sameAgain: the order of maps and of goroutines does not matter.
func (c checker) sameAgain(plan *merge.Plan, opts merge.Options) {
	other, err := merge.New(opts)
	if err != nil {
		c.Fatal(err)
	}
	for i, o := range plan.Outcomes {
		if got, want := summary(other.Outcomes[i]), summary(o); got != want {
			c.fail(o, "another time it is\n%s\nnot\n%s", got, want)
		}
	}
}

func summary(o *rehearsal.Outcome) string {
	return encode([]any{o.Action, o.PatchType, o.Patch, o.Before, o.Stored(), fmt.Sprint(o.Rejection), o.Warnings, explain.FieldChanges(o)})
}

// reasons: what differs between before and result has a reason, and what the
// reasons say is so.
func (c checker) reasons(o *rehearsal.Outcome) {
	if o.Action == rehearsal.Rejected {
		return
	}
	before, result := shown(o.Before), shown(o.Result)
	changes := explain.FieldChanges(o)
	for _, change := range changes {
		if change.Reason == explain.Dropped {
			continue
		}
		if old, ok := change.Path.Find(before); ok != change.InOld || !tree.Equal(old, change.Old) {
			c.fail(o, "%s was %v, not %v", change.Path, old, change.Old)
		}
		if now, ok := change.Path.Find(result); ok != change.InNew || !tree.Equal(now, change.New) {
			c.fail(o, "%s is %v, not %v", change.Path, now, change.New)
		}
	}
	merged := map[string]bool{}
	for _, change := range keysLast(changes) {
		before, result = change.Path.Without(before), change.Path.Without(result)
		for i, step := range change.Path {
			if step.Keys != nil {
				merged[fields(change.Path[:i])] = true
			}
		}
	}
	if a, b := encode(settled(before, nil, merged)), encode(settled(result, nil, merged)); a != b {
		c.fail(o, "changes without a reason: of\n%s\nis left\n%s\nby the changes %s", a, b, encode(changes))
	}
}

// shown is an object without what only the server writes.
func shown(obj tree.Object) any {
	obj = tree.CopyObject(obj)
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"status"}, {"metadata", "annotations", rehearsal.LastAppliedKey}} {
		tree.Delete(obj, path...)
	}
	for _, key := range []string{"managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"} {
		tree.Delete(obj, "metadata", key)
	}
	return obj
}

// keysLast is the changes with those of merge keys at the end, by which the
// others are found.
func keysLast(changes []explain.Change) []explain.Change {
	changes = slices.Clone(changes)
	rank := func(c explain.Change) int {
		for i, step := range c.Path {
			for _, key := range step.Keys {
				if len(c.Path) == i+1 || len(c.Path) == i+2 && c.Path[i+1].Field == key.Name {
					return 100 - i // the innermost first
				}
			}
		}
		return 0
	}
	slices.SortStableFunc(changes, func(a, b explain.Change) int { return rank(a) - rank(b) })
	return changes
}

// fields are the names on a path, which all items of a list share.
func fields(p fieldpath.Path) string {
	var names []string
	for _, step := range p {
		if step.Keys == nil {
			names = append(names, step.Field)
		}
	}
	return strings.Join(names, "/")
}

// settled is a value without empty maps and lists, and with the items of the
// lists that merge in a fixed order.
func settled(v any, at fieldpath.Path, merged map[string]bool) any {
	switch v := v.(type) {
	case tree.Object:
		out := tree.Object{}
		for key, x := range v {
			if x = settled(x, at.Child(key), merged); !isEmpty(x) {
				out[key] = x
			}
		}
		return out
	case []any:
		list := []any{}
		for _, x := range v {
			if x = settled(x, at, merged); !isEmpty(x) {
				list = append(list, x)
			}
		}
		if name := fields(at); merged[name] || name == "metadata/managedFields" {
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(encode(a), encode(b)) })
		}
		return list
	}
	return v
}

// fixedPoint: the same apply once more changes nothing.
func (c checker) fixedPoint(plan *merge.Plan, opts merge.Options) {
	config, _ := read(c.story)
	next, _, err := plan.Then(opts, config)
	if err != nil {
		c.Fatal(err)
	}
	seen := map[manifest.Identity]int{}
	for _, o := range plan.Outcomes {
		if seen[o.Identity()]++; o.Kind.Kind == "CustomResourceDefinition" {
			return // from the second time on it defines the other objects
		}
	}
	for i, o := range next.Outcomes {
		first := plan.Outcomes[i]
		if first.Action == rehearsal.Rejected || seen[o.Identity()] > 1 || restless(first) {
			continue
		}
		if o.Action == rehearsal.Rejected && (o.Rejection.Has(fault.NoMergeKey) || strings.Contains(o.Rejection.Text().Unmasked(), "omits all key fields")) {
			continue // for which nothing looks at first
		}
		if o.Action == rehearsal.Rejected && o.PatchType == rehearsal.Apply && hasNull(o.Manifest.Tree) && o.Rejection.Has(fault.OtherManager) {
			continue // a null is no field of what is stored, and set anew, against whoever owns it too
		}
		if o.Action == rehearsal.Rejected && o.Rejection.Has(fault.Policy) || len(first.Mutations) > 0 {
			continue // a policy can be for updates alone, and can change an object each time
		}
		if o.Action == rehearsal.Rejected && plan.Diff && tree.Has(o.Manifest.Tree, "metadata", "annotations", rehearsal.LastAppliedKey) {
			continue // kubectl diff creates with the manifest's own last-applied, whatever it is, and then reads it
		}
		if o.Action == rehearsal.Rejected {
			c.fail(o, "rejected the second time: %s", o.Rejection.Text().Unmasked())
		}
		is, was := tree.CopyObject(o.Stored()), tree.CopyObject(first.Stored())
		for _, exception := range exceptions {
			if exception.holds(first) {
				tree.Delete(is, exception.field...)
				tree.Delete(was, exception.field...)
			}
		}
		if got, want := encode(settled(is, nil, nil)), encode(settled(was, nil, nil)); got != want {
			c.fail(o, "the second time it is\n%s\nnot\n%s", got, want)
		}
	}
}

// noDrift: right after an apply nothing has moved that the next one would undo.
func (c checker) noDrift(plan *merge.Plan, opts merge.Options) {
	if opts.Diff {
		return // last-applied is not written
	}
	opts.Diff = true
	config, _ := read(c.story)
	next, _, err := plan.Then(opts, config)
	if err != nil {
		c.Fatal(err)
	}
	if len(next.Outcomes) != len(plan.Outcomes) {
		return // kubectl validates some documents in an apply only
	}
	for i, o := range next.Outcomes {
		if plan.Outcomes[i].Action == rehearsal.Rejected || restless(plan.Outcomes[i]) {
			continue
		}
		fields, _, _ := explain.DriftOf(o)
		for _, d := range fields {
			if d.Undone() && !tree.Equal(d.Old, d.New) {
				c.fail(o, "%s has drifted from %v to %v", d.Path, d.New, d.Old)
			}
		}
	}
}

// FuzzAdopt: the config that is made of a live object, read back, changes nothing
// but what every apply changes, or the object is not adopted.
func FuzzAdopt(f *testing.F) {
	world := stories(f)
	for seed := range uint64(breadth.Of(100, 5)) {
		f.Add(tape.Of(seed, 200), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte, how uint8) {
		story := world.Story(data)
		_, live := read(story)
		adoption := workflow.Adoption{Secrets: true, Defaults: how&1 != 0}
		if how&2 != 0 {
			adoption.Without = []string{"somebody", "kubectl-edit"}
		}
		adopted, err := workflow.Adopt(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Live: live}}}, adoption)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range adopted.Manifests {
			config := show.Manifest(o)
			c := checker{t, "adopt", random.Story{Config: config, Live: story.Live}}
			set, live := read(c.story)
			plan, err := merge.New(merge.Options{Options: rehearsal.Options{Inputs: rehearsal.Inputs{Manifests: set, Live: live}}})
			if err != nil || len(plan.Outcomes) != 1 {
				t.Fatalf("%v, %d objects in\n%s", err, len(plan.Outcomes), config)
			}
			again := plan.Outcomes[0]
			if again.Action == rehearsal.Rejected {
				c.fail(again, "rejected: %s", again.Rejection.Text().Unmasked())
			}
			before, after := shown(again.Before), shown(again.Result)
			if a, b := encode(settled(before, nil, nil)), encode(settled(after, nil, nil)); a != b {
				c.fail(again, "what is\n%s\nbecomes\n%s", a, b)
			}
		}
	})
}

// restless reports whether kubectl and the server themselves do not come to rest
// after an apply. Each case was seen with the real ones.
func restless(first *rehearsal.Outcome) bool {
	config, created := first.Manifest.Tree, first.Action == rehearsal.Created
	last, _ := source.ParseObject(tree.String(first.Before, "metadata", "annotations", rehearsal.LastAppliedKey))
	switch {
	case hasDirective(config):
		return true // an unknown field of a new object or item, and an order for one that exists (fixtures/edges/patch-directive-again)
	case created && slices.ContainsFunc([]string{"resourceVersion", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"}, func(key string) bool { return tree.Has(config, "metadata", key) }):
		return true // dropped of a new object, and refused afterwards (fixtures/edges/deletion-in-config-again)
	case created && hasNull(config):
		return true // kubectl diff sends the nulls of a new object, and a patch removes what has them
	case created && first.Kind.GroupKind() == "Pod" && tree.Has(config, "spec", "runtimeClassName"):
		return true // admission adds tolerations to a new Pod, which must not go again
	case created && first.Kind.GroupKind() == "Pod" && tree.Has(config, "spec", "nodeName") && strings.Contains(encode(config), "topology.kubernetes.io/"):
		return true // admission gives a new Pod its Node's labels, and leaves an update alone (plugin/pkg/admission/podtopologylabels)
	case created && first.PatchType == rehearsal.Apply && first.Kind.GroupKind() == "Pod" && strings.Contains(encode(config), "atchLabelKeys"):
		return true // they become a part of a selector, which the next apply takes out (fixtures/ssa/pod-label-keys-again)
	case created && first.Kind.GroupKind() == "Node" && tree.Has(config, "spec", "taints"):
		return true // admission adds a taint to a new Node, which the next apply takes away (fixtures/edges/node-taints-again)
	case first.PatchType == rehearsal.Apply && hasEmpty(config):
		return true // a map is null when its last field goes, and empty after the next apply; who owns it then differs, too
	case first.Kind.GroupKind() == "Service" && tree.String(first.Before, "spec", "type") != tree.String(first.Result, "spec", "type"):
		return true // what only the old type may have is dropped, and refused afterwards (fixtures/edges/service-type-cleared-again)
	case hasTwice(config) || hasTwice(first.Before) || hasTwice(last):
		return true // of two items with one key, a merge changes and removes now the one and now the other (fixtures/edges/one-key-twice-again)
	}
	// kubectl has applied server-side, warns that it could not apply once more what
	// it has taken over from client-side apply, and is refused from then on.
	warnings := first.Warnings
	if first.Migration != nil {
		warnings = append(slices.Clone(warnings), first.Migration.Warnings...)
	}
	return slices.ContainsFunc(warnings, func(text fault.Warning) bool { return strings.HasPrefix(text.String(), "failed to ") })
}

// exceptions are fields that change with every apply of some configs.
var exceptions = []struct {
	field []string
	holds func(o *rehearsal.Outcome) bool
}{
	// These kinds count a new generation if a list is empty in the config, and
	// hence absent when it is read.
	{[]string{"metadata", "generation"}, func(o *rehearsal.Outcome) bool {
		switch o.Kind.GroupKind() {
		case "NetworkPolicy.networking.k8s.io", "ValidatingWebhookConfiguration.admissionregistration.k8s.io", "MutatingWebhookConfiguration.admissionregistration.k8s.io":
			return hasEmpty(o.Manifest.Tree) || hasDirective(o.Manifest.Tree)
		}
		return false
	}},
	// A null that a custom resource does not store is a change each time it is
	// applied server-side (fixtures/ssa/null-custom-resource-again).
	{[]string{"metadata", "generation"}, func(o *rehearsal.Outcome) bool { return o.PatchType == rehearsal.Apply && hasNull(o.Manifest.Tree) }},
	// So is what is empty in the metadata of a resource inside one: 1.37.2 counted a generation
	// each time for metadata: {name: ""}.
	{[]string{"metadata", "generation"}, func(o *rehearsal.Outcome) bool {
		return o.PatchType == rehearsal.Apply && emptyInside(o.Manifest.Tree)
	}},
	// It is in the answer to an update, and not stored.
	{[]string{"metadata", "selfLink"}, func(*rehearsal.Outcome) bool { return true }},
	// Nobody owns a list whose last item has gone. Where its field stays, as null, an
	// empty list in the config is put in its place ever after, and owned
	// (fixtures/ssa/client-side-list-emptied-again).
	{[]string{"metadata", "managedFields"}, func(o *rehearsal.Outcome) bool { return emptiesToNull(o.Before, o.Result) }},
	// The managedFields of a manifest replace those that the apply before has left
	// (fixtures/ssa/managed-fields-in-manifest).
	{[]string{"metadata", "managedFields"}, func(o *rehearsal.Outcome) bool { return tree.Has(o.Manifest.Tree, "metadata", "managedFields") }},
	// A null is owned, but no field of what is stored: the next apply sets it anew,
	// which takes it from whoever owns it too (fixtures/ssa/null-applied-again).
	{[]string{"metadata", "managedFields"}, func(o *rehearsal.Outcome) bool { return o.PatchType == rehearsal.Apply && hasNull(o.Manifest.Tree) }},
	// Who applies nothing server-side is no manager at first, and the next apply
	// takes the object for one of an unknown past.
	{[]string{"metadata", "managedFields"}, func(o *rehearsal.Outcome) bool {
		return o.PatchType == rehearsal.Apply && !tree.Has(o.Stored(), "metadata", "managedFields")
	}},
}

// emptiesToNull reports whether a list with items becomes null.
func emptiesToNull(before, result any) bool {
	switch was := before.(type) {
	case tree.Object:
		is, _ := result.(tree.Object)
		for key, x := range was {
			if y, ok := is[key]; ok && emptiesToNull(x, y) {
				return true
			}
		}
	case []any:
		return len(was) > 0 && result == nil
	}
	return false
}

// hasEmpty reports whether an empty map or list is in a value, hasNull a null,
// hasDirective a directive of strategic merge patches, and hasTwice a list with
// two items of one name or the like.
func hasEmpty(v any) bool { return has(v, isEmpty) }

func hasNull(v any) bool { return has(v, func(v any) bool { return v == nil }) }

func hasDirective(v any) bool {
	return has(v, func(v any) bool {
		m, _ := v.(tree.Object)
		return slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(key string) bool { return strings.HasPrefix(key, "$") })
	})
}

func hasTwice(v any) bool {
	return has(v, func(v any) bool {
		list, _ := v.([]any)
		for i, x := range list {
			for _, y := range list[:i] {
				if tree.Equal(x, y) {
					return true
				}
				for _, key := range []string{"name", "port", "containerPort", "mountPath", "devicePath", "ip", "type", "key", "uid", "topologyKey"} {
					p, ok := tree.Get(x, key)
					q, ok2 := tree.Get(y, key)
					if ok && ok2 && tree.Equal(p, q) {
						return true
					}
				}
			}
		}
		return false
	})
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case tree.Object:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// has reports whether a value is so, or anything in it.
func has(v any, is func(any) bool) bool {
	if is(v) {
		return true
	}
	switch v := v.(type) {
	case tree.Object:
		for _, x := range v {
			if has(x, is) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return has(x, is) })
	}
	return false
}

// emptyInside reports whether the metadata of an object inside another has an empty value.
func emptyInside(v any) bool {
	return has(v, func(v any) bool {
		for _, x := range tree.Map(v) {
			if tree.Has(x, "kind") && slices.ContainsFunc(slices.Collect(maps.Values(tree.Map(x, "metadata"))), tree.Empty) {
				return true
			}
		}
		return false
	})
}
