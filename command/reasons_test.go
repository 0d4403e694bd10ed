package command

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"threeway/fixtures"
	"threeway/merge"
	"threeway/merge/fieldpath"
	"threeway/merge/owners"
	"threeway/merge/tree"
)

// TestReasons holds the reason of every change in the recorded stories against
// what it claims of manifest, last-applied, live object, patch and result. The
// claims are checked by looking the path up in each of them, not by the walk that
// finds the reasons.
func TestReasons(t *testing.T) {
	cases, err := fixtures.Load(os.DirFS("../fixtures"), ".")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[merge.Reason]int{}
	for _, c := range cases {
		for i, a := range c.Answers {
			if a.Step.Verb == "run" || a.Want.Kubectl == "" {
				continue
			}
			for _, o := range rehearse(t, c, a, false).Outcomes {
				checkReasons(t, fmt.Sprintf("%s/%d: %s", c.Name(), i+1, o.Identity()), o, managerOf(a.Step), counts)
			}
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(claims)) {
		if counts[reason] == 0 {
			t.Errorf("no recorded change has the reason %s", reason)
		}
	}
	t.Logf("changes by reason: %v", counts)
}

// evidence is what the four versions and the patch say of the field of a change.
type evidence struct {
	merge.Change
	manifest, last, live, result, patch seen
	applied                             bool   // there is a last-applied
	null                                bool   // the field, or what it is in, is null in the manifest
	left                                string // the highest parent, or the field, that last-applied has and the manifest does not
	unpatched                           bool   // the patch does not remove the field or what it is in
	retained                            string // the retainKeys of the patch that leave out the field or what it is in
	own                                 bool   // the manager that applies server-side owns it
	clientSide                          bool   // kubectl owns it from a client-side apply
	owners                              []string
	serverSide                          bool
	whole                               func(at fieldpath.Path) bool // the result has there what the manifest has
	placed                              bool                         // it is the namespace of a manifest that names none
}

// seen is a value that is there or not.
type seen struct {
	v  any
	is bool
}

func look(p fieldpath.Path, object any) seen {
	for n, step := range p {
		// Find takes an item without a protocol for one of any: it is TCP.
		item, _ := p[:n+1].Find(object)
		if i := slices.IndexFunc(step.Keys, func(k fieldpath.Key) bool { return k.Name == "protocol" && k.Value != "TCP" }); i >= 0 && !tree.Has(item, "protocol") {
			return seen{}
		}
	}
	v, ok := p.Find(object)
	return seen{v, ok}
}

// sets reports whether the manifest gives the field a value.
func (e evidence) sets() bool { return e.manifest.is && !e.null }

// claims says of each reason what must be so.
var claims = map[merge.Reason]func(e evidence) bool{
	merge.Set: func(e evidence) bool {
		return e.sets() && e.live.is && !(e.result.is && tree.Equal(e.live.v, e.result.v)) && !tree.Equal(e.manifest.v, e.live.v)
	},
	merge.Added: func(e evidence) bool { return e.sets() && !e.live.is && e.result.is },
	merge.Cleared: func(e evidence) bool {
		return !e.manifest.is && e.live.is && !e.result.is && (e.left != "" || e.own || e.clientSide)
	},
	merge.Nulled:   func(e evidence) bool { return e.null && e.live.is },
	merge.Excluded: func(e evidence) bool { return !e.null && e.live.is && !e.result.is && e.unpatched && !e.own },
	merge.Kept: func(e evidence) bool {
		return !e.manifest.is && e.live.is && tree.Equal(e.live.v, e.result.v) && !e.patch.is
	},
	merge.Defaulted: func(e evidence) bool {
		return (!e.sets() || e.placed) && e.result.is && (!e.live.is || e.left != "" || e.own)
	},
	merge.ReplacedList: func(e evidence) bool {
		return e.sets() && e.live.is && e.result.is && (holds(e.result.v, e.manifest.v) || !e.serverSide && holds(e.patch.v, e.manifest.v))
	},
	merge.Reordered: func(e evidence) bool { return e.live.is && e.result.is && sameItems(e.live.v, e.result.v) },
	merge.Normalised: func(e evidence) bool {
		return e.live.is && e.result.is && (!e.sets() || tree.Equal(e.manifest.v, e.live.v))
	},
	merge.Dropped: func(e evidence) bool { return !e.result.is },
	merge.OwnedBy: func(e evidence) bool {
		return !e.manifest.is && tree.Equal(e.live.v, e.result.v) && subset(e.Owners, e.owners)
	},
	merge.Conflict: func(e evidence) bool {
		return e.manifest.is && !tree.Equal(e.manifest.v, e.live.v) && subset(e.Owners, append(e.owners, "before-first-apply"))
	},
}

// texts says of each explanation what must be so besides. One with three dots
// stands for all that begin like that.
var texts = map[string]func(e evidence) bool{
	"changed in the manifest":                                    func(e evidence) bool { return e.own || e.last.is && !tree.Equal(e.last.v, e.manifest.v) },
	"live differs from last-applied; apply sets it back":         func(e evidence) bool { return e.last.is && tree.Equal(e.last.v, e.manifest.v) },
	"new in the manifest; replaces the live value":               func(e evidence) bool { return e.applied && !e.last.is },
	"the manifest sets another value":                            func(e evidence) bool { return !e.applied },
	"the list merges with the manifest's":                        func(e evidence) bool { return e.serverSide },
	"the namespace that the manifest is applied to":              func(e evidence) bool { return e.Path.String() == "metadata.namespace" && e.patch.is },
	"new in the manifest":                                        func(e evidence) bool { return !e.last.is && (e.applied || !e.InOld) },
	"missing from the live object; apply adds it back":           func(e evidence) bool { return e.last.is },
	"in the manifest, not in the live object":                    func(e evidence) bool { return !e.applied },
	"removed from the manifest":                                  func(e evidence) bool { return e.last.is || e.own },
	"not in the manifest; owned by a client-side apply; removed": func(e evidence) bool { return e.clientSide && !e.applied },
	"removed together with ...": func(e evidence) bool {
		return !e.last.is && !e.unpatched && strings.HasPrefix(e.Path.String(), e.left) && strings.HasSuffix(bare(e.Explanation), "with "+e.left)
	},
	"removed from the manifest; reset to the server's default":             func(e evidence) bool { return e.last.is || !e.unpatched || e.own },
	"removed from the manifest; changed by the server":                     func(e evidence) bool { return e.last.is || !e.unpatched || e.own },
	"removed from stringData in the manifest; the server keeps it in data": func(e evidence) bool { return e.last.is && !e.manifest.is },
	"null in the manifest":                                func(e evidence) bool { return !e.result.is },
	"null in the manifest; reset to the server's default": func(e evidence) bool { return e.result.is && !tree.Empty(e.result.v) },
	"null in the manifest; stored as an empty value":      func(e evidence) bool { return e.result.is && (tree.Empty(e.result.v) || fmt.Sprint(e.result.v) == "0") },
	"replaced together with ...": func(e evidence) bool {
		unit, err := fieldpath.Parse(strings.TrimPrefix(strings.TrimSuffix(e.Explanation, " (atomic)"), "replaced together with "))
		return err == nil && e.serverSide && e.whole(unit)
	},
	"excluded by ...": func(e evidence) bool {
		return e.retained != "" && strings.HasPrefix(e.Explanation, "excluded by "+e.retained+", ")
	},
	"removed by the server":                  func(e evidence) bool { return e.retained == "" && !e.sets() },
	"in the manifest, but not in the result": func(e evidence) bool { return e.sets() },
	"set by the server":                      func(e evidence) bool { return !e.live.is },
	"changed by the server":                  func(e evidence) bool { return !e.last.is || e.sets() },
	"the list does not merge; the manifest's replaces the live one": func(e evidence) bool { return true },
	"same items in the order of the manifest":                       func(e evidence) bool { return e.manifest.is },
	"same items in another order":                                   func(e evidence) bool { return true },
	"never set by a manifest; kept":                                 func(e evidence) bool { return e.applied && !e.last.is },
	"not in the manifest, and there is no last-applied; kept":       func(e evidence) bool { return !e.applied },
	"unknown to the server; dropped":                                func(e evidence) bool { return true },
	"the manifest sets another value; --force-conflicts takes the field over, leaving it out of the manifest keeps the live value": func(e evidence) bool { return true },
	"not in the manifest; its owner is unknown without managedFields; kept":                                                        func(e evidence) bool { return len(e.owners) == 0 },
	"removed from the manifest, but the server keeps it":                                                                           func(e evidence) bool { return e.own && len(e.owners) == 1 },
	"not in the manifest, and no manager owns it; kept":                                                                            func(e evidence) bool { return len(e.owners) == 0 },
	"removed from the manifest, but ...":                                                                                           func(e evidence) bool { return (e.own || e.last.is) && !e.manifest.is },
	"not in the manifest; ...":                                                                                                     func(e evidence) bool { return !e.own && len(e.owners) > 0 },
}

func checkReasons(t *testing.T, name string, o *merge.Outcome, applier string, counts map[merge.Reason]int) {
	t.Helper()
	changes := o.Folded()
	for i, c := range changes {
		e := evidenceOf(o, c, applier)
		counts[c.Reason]++
		claim, known := claims[c.Reason]
		switch {
		case !known:
			t.Errorf("%s: %s has an unknown reason, %s", name, c.Path, c.Reason)
		case !claim(e):
			t.Errorf("%s: %s is not %s (%s): %+v", name, c.Path, c.Reason, c.Explanation, e)
		}
		if text := textOf(c); texts[text] == nil {
			t.Errorf("%s: %s: this test does not know %q", name, c.Path, c.Explanation)
		} else if !texts[text](e) {
			t.Errorf("%s: %s is not so: %q: %+v", name, c.Path, c.Explanation, e)
		}
		if c.Reason == merge.Set || c.Reason == merge.Added || c.Reason == merge.ReplacedList {
			if _, _, exact := o.Config.Position(c.At); !exact || c.At == nil {
				t.Errorf("%s: %s %s has no line in the manifest", name, c.Reason, c.Path)
			}
		}
		for _, other := range changes[:i] {
			if !other.InNew && other.InOld && len(other.Path) < len(c.Path) && c.Path.HasPrefix(other.Path) {
				t.Errorf("%s: %s goes with %s", name, c.Path, other.Path)
			}
		}
	}
}

// bare is an explanation without what follows it: how the list merges, who owns
// the live value.
func bare(explanation string) string {
	explanation, _, _ = strings.Cut(explanation, ", taken from ")
	if at := strings.LastIndex(explanation, " ("); at > 0 && strings.HasSuffix(explanation, ")") && !strings.HasSuffix(explanation, "(retainKeys)") && !strings.HasSuffix(explanation, "(atomic)") {
		explanation = explanation[:at]
	}
	return explanation
}

func textOf(c merge.Change) string {
	text := bare(c.Explanation)
	if texts[text] != nil {
		return text
	}
	for prefix := range texts {
		if begin, ok := strings.CutSuffix(prefix, "..."); ok && strings.HasPrefix(c.Explanation, begin) {
			return prefix
		}
	}
	return text
}

func evidenceOf(o *merge.Outcome, c merge.Change, applier string) evidence {
	manifest, last := inData(o.Config.Tree), inData(o.LastApplied())
	e := evidence{Change: c, serverSide: o.PatchType == merge.Apply, placed: o.Config.Placed}
	if e.serverSide {
		if !slices.ContainsFunc(owners.Of(o.Before, nil), func(f owners.Owned) bool {
			return slices.ContainsFunc(f.Owners, func(w owners.Owner) bool { return w.Applies() && w.Manager == applier })
		}) {
			text := tree.String(o.Before, "metadata", "annotations", merge.LastAppliedKey)
			_ = json.Unmarshal([]byte(text), &last)
			last = inData(integers(last))
		}
	}
	e.applied = last != nil
	e.whole = func(at fieldpath.Path) bool {
		in, out := look(at, manifest), look(at, o.Result)
		return in.is && tree.Equal(in.v, out.v)
	}
	e.manifest, e.last, e.live, e.result, e.patch = look(c.Path, manifest), look(c.Path, last), look(c.Path, o.Before), look(c.Path, o.Result), look(c.Path, o.Patch)
	e.unpatched = true
	for n := 1; n <= len(c.Path); n++ {
		at := c.Path[:n]
		in := look(at, manifest)
		e.null = e.null || in.is && in.v == nil
		if e.left == "" && look(at, last).is && !in.is {
			e.left = at.String()
		}
		if patched := look(at, o.Patch); patched.is && !e.serverSide && (patched.v == nil || tree.String(patched.v, "$patch") == "delete") {
			e.unpatched = false
		}
		if parent, _ := c.Path[:n-1].Find(o.Patch); e.retained == "" {
			if keys := tree.List(parent, "$retainKeys"); len(keys) > 0 && !slices.Contains(keys, any(c.Path[n-1].Field)) && c.Path[n-1].Keys == nil {
				e.retained = strings.Trim(strings.ReplaceAll(fmt.Sprint(sorted(keys)), " ", ", "), "[]")
			}
		}
	}
	for _, f := range owners.Of(o.Before, nil) {
		if !f.Path.Holds(c.Path) && !c.Path.Holds(f.Path) {
			continue
		}
		for _, w := range f.Owners {
			e.owners = append(e.owners, w.Manager)
			e.own = e.own || e.serverSide && w.Applies() && w.Manager == applier
			e.clientSide = e.clientSide || w.Manager == "kubectl-client-side-apply"
		}
	}
	return e
}

// managerOf is who applies server-side in a step.
func managerOf(step fixtures.Step) string {
	for _, flag := range step.Flags() {
		if name, ok := strings.CutPrefix(flag, "--field-manager="); ok {
			return name
		}
	}
	return merge.DefaultManager
}

// inData is an object with its stringData in data, as a Secret is stored.
func inData(o tree.Object) tree.Object {
	plain := tree.Map(o, "stringData")
	if tree.String(o, "kind") != "Secret" || len(plain) == 0 {
		return o
	}
	o = tree.CopyObject(o)
	for key, v := range plain {
		if text, ok := v.(string); ok {
			tree.Set(o, base64.StdEncoding.EncodeToString([]byte(text)), "data", key)
		}
	}
	return o
}

// integers is an object of plain JSON with its whole numbers as threeway has
// them.
func integers(o tree.Object) tree.Object {
	var whole func(v any) any
	whole = func(v any) any {
		switch v := v.(type) {
		case float64:
			if v == float64(int64(v)) {
				return int64(v)
			}
		case map[string]any:
			for key, x := range v {
				v[key] = whole(x)
			}
		case []any:
			for i, x := range v {
				v[i] = whole(x)
			}
		}
		return v
	}
	return tree.Map(whole(o))
}

// holds reports whether a list of the result is the manifest's: item by item it
// has all that the manifest says.
func holds(result, manifest any) bool {
	r, ok := result.([]any)
	m, ok2 := manifest.([]any)
	if result == nil && ok2 && len(m) == 0 {
		return true
	}
	m = slices.DeleteFunc(slices.Clone(m), func(item any) bool { return tree.Has(item, "$patch") })
	return ok && ok2 && len(r) == len(m)
}

// sameItems reports whether two lists have the same items.
func sameItems(a, b any) bool {
	x, y := tree.List(a), slices.Clone(tree.List(b))
	for _, item := range x {
		i := slices.IndexFunc(y, func(other any) bool { return tree.Equal(item, other) })
		if i < 0 {
			return false
		}
		y = slices.Delete(y, i, i+1)
	}
	return len(y) == 0
}

func sorted(list []any) []string {
	var names []string
	for _, v := range list {
		names = append(names, fmt.Sprint(v))
	}
	slices.Sort(names)
	return names
}

// subset reports whether there are names, and all of them among the others. In a
// conflict they are as the server prints them: "tuner" using apps/v1.
func subset(names, all []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		if quoted := strings.Split(name, "\""); len(quoted) >= 3 {
			name = quoted[1]
		}
		return !slices.Contains(all, name)
	})
}
