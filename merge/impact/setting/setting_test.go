package setting

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"threeway/merge/fieldpath"
	"threeway/merge/kube/schema"
)

// TestEveryFieldHasAnArea: of every field of every stable kind of the default minor the
// table says what a change of it does. docs/internals/tested.md has the number.
func TestEveryFieldHasAnArea(t *testing.T) {
	const newest = 37
	fields := 0
	for _, r := range schema.Resources() {
		if !r.OnByDefault() || strings.Contains(r.Version, "beta") || !r.In(newest) || requests(r.Kind) {
			continue
		}
		var walk func(typ *schema.Type, at []string)
		walk = func(typ *schema.Type, at []string) {
			switch {
			case typ.Form == schema.Struct && !recursive(typ):
				for _, f := range typ.Fields {
					if f.In(newest) {
						walk(f.Type, append(slices.Clip(at), f.Name))
					}
				}
				return
			case typ.Form == schema.List && typ.Elem.Form == schema.Struct:
				walk(typ.Elem, append(slices.Clip(at), "[]"))
				return
			}
			fields++
			if known(r.Kind, at) || typ.Form == schema.Map && known(r.Kind, append(slices.Clip(at), "*")) {
				return
			}
			t.Errorf("nothing is said about %s of %s", strings.Join(at, "."), r.GroupKind())
		}
		walk(schema.Lookup(r.Kind), nil)
	}
	says := fmt.Sprintf("every one of the %d fields of the stable kinds of 1.%d is in an area", fields, newest)
	if page, err := os.ReadFile("../../../docs/internals/tested.md"); err != nil || !strings.Contains(string(page), says) {
		t.Errorf("docs/internals/tested.md does not say: %s (%v)", says, err)
	}
}

// requests reports whether a kind is no object that is stored.
func requests(k schema.Kind) bool {
	return strings.HasSuffix(k.Kind, "Review") || k.Kind == "Binding" || k.Kind == "ComponentStatus"
}

func recursive(typ *schema.Type) bool { return strings.HasSuffix(typ.Name, "JSONSchemaProps") }

// known reports whether an area is about a field of a schema, written with [] and * as
// Fields are, or about what it is in. The root of an object is no answer.
func known(k schema.Kind, field []string) bool {
	return slices.ContainsFunc(placedAreas(k), func(a placedArea) bool {
		if len(field) < len(a.steps) || a.Ends != "" {
			return false
		}
		for i, step := range a.steps {
			if step != field[i] && !(step == "*" && field[i] != "[]") {
				return false
			}
		}
		return true
	})
}

// TestFieldsExist: the table names no field that its kinds do not have.
func TestFieldsExist(t *testing.T) {
	kinds := map[string]schema.Kind{}
	for _, r := range schema.Resources() {
		if r.Version == "v1" || r.Version == "v2" {
			kinds[r.GroupKind()] = r.Kind
		}
	}
	for name, k := range kinds {
		for _, s := range Of(k) {
			typ := schema.Lookup(k)
			for _, step := range s.Pattern.steps {
				switch {
				case typ == nil:
				case step == "[]" || typ.Form == schema.Map:
					typ = typ.Elem
				case step == "*":
					typ = nil // any source of a volume
				case typ.Field(step) == nil:
					t.Errorf("%s has no field %s", name, s.Field)
					typ = nil
				default:
					typ = typ.Field(step).Type
				}
			}
		}
	}
	for _, s := range All() {
		for _, kind := range strings.Fields(s.Kinds) {
			if _, ok := kinds[kind]; !ok && !slices.Contains([]string{Any, PodSpec, PodTemplate, Container}, kind) {
				t.Errorf("no kind %s", kind)
			}
		}
		if s.Effect == "" || s.Link == "" || strings.HasSuffix(s.Effect, ".") {
			t.Errorf("%s of %s: effect %q, link %q", s.Field, s.Kinds, s.Effect, s.Link)
		}
	}
}

func TestApplies(t *testing.T) {
	for _, c := range []struct {
		from, to string
		old, now any
		has      bool
		want     bool
	}{
		{"", "", int64(1), int64(1), true, false},
		{"", "none", int64(1), nil, false, true},
		{"", "some", int64(1), nil, false, false},
		{"true", "false", true, false, true, true},
		{"A|B", "", "B", nil, false, true},
		{"A|B", "", "C", nil, false, false},
		{"!0", "", int64(0), nil, false, false},
		{"!0", "none", int64(7), nil, false, true},
		{"", "<", int64(120), int64(30), true, true},
		{"", "<", int64(10), int64(30), true, false},
		{"", ">", int64(256), int64(420), true, true},
		{"", "<", "500m", "1", true, false},
		{"", "<", "a", "b", true, false},
		{"has Egress", "lacks Egress", []any{"Ingress", "Egress"}, []any{"Ingress"}, true, true},
		{"has Egress", "lacks Egress", []any{"Ingress"}, []any{"Egress"}, true, false},
	} {
		s := Setting{From: c.from, To: c.to}
		if got := s.Applies(c.old, c.now, c.has); got != c.want {
			t.Errorf("from %q to %q: %v to %v applies: %v", c.from, c.to, c.old, c.now, got)
		}
	}
}

// TestKeysOfMaps: of labels and annotations only those count that something reads, whether
// one of them changes or all of them come at once.
func TestKeysOfMaps(t *testing.T) {
	kind := func(name string) schema.Kind {
		for _, r := range schema.Resources() {
			if r.GroupKind() == name {
				return r.Kind
			}
		}
		t.Fatalf("no kind %s", name)
		return schema.Kind{}
	}
	for _, c := range []struct {
		kind, field, key string
		want             Class
	}{
		{"CustomResourceDefinition.apiextensions.k8s.io", "annotations", "controller-gen.kubebuilder.io/version", Nothing},
		{"CustomResourceDefinition.apiextensions.k8s.io", "annotations", "cert-manager.io/inject-ca-from", Access},
		{"ServiceAccount", "annotations", "internal.kpt.dev/upstream-identifier", Nothing},
		{"ServiceAccount", "annotations", "eks.amazonaws.com/role-arn", Access},
		{"Service", "annotations", "prometheus.io/scrape", Nothing},
		{"Service", "annotations", "example.com/anything", Traffic},
		{"ClusterRole.rbac.authorization.k8s.io", "labels", "app.kubernetes.io/version", Nothing},
		{"ClusterRole.rbac.authorization.k8s.io", "labels", "rbac.example.com/collect", Access},
		{"StorageClass.storage.k8s.io", "annotations", "storageclass.kubernetes.io/is-default-class", Storage},
		{"StorageClass.storage.k8s.io", "annotations", "note", Nothing},
		{"StorageClass.storage.k8s.io", "annotations", "example.com/note", Controller},
		{"Namespace", "annotations", "linkerd.io/inject", Controller},
		{"ConfigMap", "labels", "helm.sh/chart", Nothing},
		{"EndpointSlice.discovery.k8s.io", "labels", "kubernetes.io/service-name", Traffic},
	} {
		path := fieldpath.New("metadata", c.field)
		if got := Effect(kind(c.kind), path.Child(c.key), nil, "true", false, true, nil); got.Class != c.want {
			t.Errorf("%s of a %s: %v, want %s", c.key, c.kind, got, c.want)
		}
		if got := Effect(kind(c.kind), path, nil, map[string]any{"a.kpt.dev/x": "1", c.key: "true"}, false, true, nil); got.Class != c.want && c.kind != "ClusterRole.rbac.authorization.k8s.io" {
			t.Errorf("%s that comes with others of a %s: %v, want %s", c.key, c.kind, got, c.want)
		}
	}
}

// TestInstead: a budget that is given in another way still limits a drain.
func TestInstead(t *testing.T) {
	path := fieldpath.New("spec", "minAvailable")
	for after, want := range map[string]string{"maxUnavailable": otherBudget, "selector": "a drain may evict all pods at the same time"} {
		spec := map[string]any{"spec": map[string]any{after: int64(1)}}
		if got := Effect(schema.Kind{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"}, path, int64(1), nil, true, false, spec); got.Says != want {
			t.Errorf("with %s: %s, want %s", after, got.Says, want)
		}
	}
}

// TestSafer: of two directions of a change, one leaves less that can go wrong.
func TestSafer(t *testing.T) {
	deployment := schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"}
	pod, container := fieldpath.New("spec", "template", "spec"), fieldpath.New("spec", "template", "spec", "containers").Item(0)
	for _, c := range []struct {
		path         fieldpath.Path
		weak, strong any
	}{
		{pod.Child("terminationGracePeriodSeconds"), int64(5), int64(30)},
		{container.Child("resources").Child("limits").Child("memory"), "64Mi", "128Mi"},
		{fieldpath.New("spec", "minReadySeconds"), int64(0), int64(5)},
	} {
		if up := Effect(deployment, c.path, c.weak, c.strong, true, true, nil); !up.Safer {
			t.Errorf("%s: %v to %v: %v", c.path, c.weak, c.strong, up)
		}
		if down := Effect(deployment, c.path, c.strong, c.weak, true, true, nil); down.Safer {
			t.Errorf("%s: %v to %v: %v", c.path, c.strong, c.weak, down)
		}
	}
	for _, c := range []struct {
		path    fieldpath.Path
		was, is any
	}{
		{pod.Child("terminationGracePeriodSeconds"), int64(30), int64(86400)},
		{container.Child("resources").Child("limits").Child("memory"), "64Mi", "1Ti"},
		{fieldpath.New("spec", "minReadySeconds"), nil, int64(86400)},
	} {
		if up := Effect(deployment, c.path, c.was, c.is, c.was != nil, true, nil); up.Safer {
			t.Errorf("%s: %v to %v: %v", c.path, c.was, c.is, up)
		}
	}
}

// TestOrder: an amount has a direction, but not where it comes or goes, or is in percent.
func TestOrder(t *testing.T) {
	deployment := schema.Kind{Group: "apps", Version: "v1", Kind: "Deployment"}
	unavailable := fieldpath.New("spec", "strategy", "rollingUpdate", "maxUnavailable")
	failures := fieldpath.New("spec", "template", "spec", "containers").Item(0).Child("livenessProbe", "failureThreshold")
	history := fieldpath.New("spec", "revisionHistoryLimit")
	pod := fieldpath.New("spec", "template", "spec")
	stop := pod.Child("containers").Item(0).Child("lifecycle", "preStop")
	type m = map[string]any
	term := func(key string) any { return m{"weight": int64(1), "preference": m{"matchFields": []any{key}}} }
	prefers := func(terms ...any) m {
		return m{"nodeAffinity": m{"preferredDuringSchedulingIgnoredDuringExecution": terms}}
	}
	must := m{"nodeAffinity": m{"requiredDuringSchedulingIgnoredDuringExecution": m{"nodeSelectorTerms": []any{m{}}}}}
	spread := func(how string) []any { return []any{m{"maxSkew": int64(1), "whenUnsatisfiable": how}} }
	for _, c := range []struct {
		path    fieldpath.Path
		was, is any
		want    Turn
	}{
		{pod.Child("affinity"), nil, prefers(term("a")), Safer}, {pod.Child("affinity"), prefers(term("a")), prefers(term("b"), term("a")), Safer},
		{pod.Child("affinity"), prefers(term("a")), nil, Other}, {pod.Child("affinity"), prefers(term("a")), prefers(term("b")), Other}, {pod.Child("affinity"), nil, must, Less}, {pod.Child("affinity"), must, prefers(term("a")), More},
		{pod.Child("topologySpreadConstraints"), nil, spread("ScheduleAnyway"), Safer}, {pod.Child("topologySpreadConstraints"), nil, spread("DoNotSchedule"), Other},
		{stop, nil, m{"sleep": m{"seconds": int64(5)}}, Safer}, {stop, nil, m{"exec": m{}}, Other}, {stop, nil, m{"sleep": m{"seconds": int64(86400)}}, Other},
		{failures, int64(3), int64(5), Safer}, {failures, int64(3), int64(100000), Less}, {failures, int64(5), int64(3), Weaker}, {failures, nil, int64(3), Other},
		{unavailable, "25%", int64(0), Safer}, {unavailable, int64(0), "25%", Weaker}, {unavailable, "25%", int64(1), Other}, {unavailable, "25%", "25%", Same},
		{history, int64(10), int64(0), Weaker}, {history, int64(0), int64(10), Safer}, {history, int64(10), int64(3), Other},
	} {
		m, _ := MeaningOf(deployment, c.path)
		if got, says := m.Compare("", c.was, c.is); got != c.want {
			t.Errorf("%s: %v to %v: %v %q, want %v", c.path, c.was, c.is, got, says, c.want)
		}
	}
}
