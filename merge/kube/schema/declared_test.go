package schema

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// handwritten counts the declared checks of a minor that take the place of handwritten
// ones, by API: of those that servers before also decide by hand, and of others.
type handwritten struct {
	minor  int
	all    map[string][]Step
	decide map[string]int  // checks of fields that servers before have
	alone  map[string]bool // the others
	seen   map[string]bool
}

// TestHandwrittenChecksAreNeeded: servers before the first minor with declared checks
// answer by handwritten ones, so that a handwritten check can go only if its kind or field
// is younger. A new minor's tables tell such checks here: they are not to be written.
func TestHandwrittenChecksAreNeeded(t *testing.T) {
	const first, oldest = 37, 30
	if oldest >= first {
		t.Fatal("all servers have declared checks: delete the handwritten ones that they replace")
	}
	h := handwritten{first, declared(first), map[string]int{}, map[string]bool{}, map[string]bool{}}
	for _, r := range Resources() {
		if root := Lookup(r.Kind); root != nil && r.OnByDefault() && r.In(first) {
			h.walk(h.all[root.Name], root, r.Kind.APIVersion()+" "+r.Kind.Kind+" ", "", !r.In(first-1))
		}
	}
	total := 0
	for _, api := range slices.Sorted(maps.Keys(h.decide)) {
		t.Logf("%4d %s", h.decide[api], api)
		total += h.decide[api]
	}
	t.Logf("%4d of %d checks are handwritten in servers before 1.%d", total, total+len(h.alone), first)
	// The taint of a ResourceSlice, which servers before have, is checked by the same lines.
	want := []string{"resource.k8s.io/v1 DeviceTaintRule .spec.taint.effect Enum", "resource.k8s.io/v1 DeviceTaintRule .spec.taint.effect RequiredValue"}
	if got := slices.Sorted(maps.Keys(h.alone)); !slices.Equal(got, want) {
		t.Errorf("only declared checks decide: %q, want %q", got, want)
	}
}

func (h *handwritten) walk(steps []Step, typ *Type, path, stage string, young bool) {
	for i := range steps {
		s := &steps[i]
		stage := stage
		if stage == "" {
			stage = s.Stage
		}
		inner := func(steps []Step, f *Field) {
			if f != nil {
				h.walk(steps, f.Type, path+"."+f.Name, stage, young || f.Since >= h.minor || f.Gated && f.On >= h.minor)
			}
		}
		switch {
		case s.Field != "":
			inner(s.Steps, typ.Field(s.Field))
		case s.Type != "":
			h.walk(h.all[s.Type], typ, path, stage, young)
		case s.Check == "":
			h.walk(s.Steps, typ, path, stage, young)
		case s.Check == "EachValSliceVal" || s.Check == "EachMapVal":
			h.walk(s.Steps, typ.Elem, path+"[*]", stage, young)
		case s.Check == "EachMapKey":
			h.walk(s.Steps, &Type{Form: String}, path+"{}", stage, young)
		case s.Check == "Subfield" || s.Check == "Discriminated":
			at := slices.IndexFunc(typ.Fields, func(f Field) bool { return f.Go == s.Fields[0] })
			inner(s.Steps, &typ.Fields[at])
			for _, rule := range s.Rules {
				inner(rule.Steps, &typ.Fields[at])
			}
		case !s.Quiet && stage == Beta:
			check := fmt.Sprint(path, " ", s.Check)
			if young {
				h.alone[check] = true
			} else if !h.seen[check] {
				var api string
				fmt.Sscan(path, &api)
				h.decide[api]++
			}
			h.seen[check] = true
		}
	}
}
