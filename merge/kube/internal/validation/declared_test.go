package validation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	k8sjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// TestDeclaredChecksAreKnown: every check that the tables have of a kind is one that
// the interpreter has.
func TestDeclaredChecksAreKnown(t *testing.T) {
	const newest = 37
	seen, found := map[string]bool{}, 0
	var walk func(steps []schema.Step)
	walk = func(steps []schema.Step) {
		for _, s := range steps {
			if s.Check != "" && checks[s.Check] == nil && inside[s.Check] == nil {
				t.Errorf("check %s is unknown", s.Check)
			}
			if s.Check != "" {
				found++
			}
			if slices.Contains(s.Names, "") {
				t.Errorf("check %s has an empty name: %q", s.Check, s.Names)
			}
			walk(s.Steps)
			for _, rule := range s.Rules {
				walk(rule.Steps)
			}
			if s.Type != "" && !seen[s.Type] {
				seen[s.Type] = true
				walk(schema.Declared(s.Type, newest))
			}
		}
	}
	for _, r := range schema.Resources() {
		if r.OnByDefault() {
			walk(schema.Declared(schema.Lookup(r.Kind).Name, newest))
		}
	}
	if found < 150 {
		t.Errorf("%d checks are declared", found)
	}
}

// TestDeclared: what 1.37.2 answered, in its order.
func TestDeclared(t *testing.T) {
	for _, c := range []struct{ name, typ, object, old, want string }{
		{"what is first ends the rest", "storage/v1.StorageClass", "provisioner: ''", "provisioner: a", "provisioner: Required value\nprovisioner: Invalid value: null: field is immutable"},
		{"an unchanged value", "storage/v1.StorageClass", "provisioner: a", "provisioner: a", ""},
		{"a member of another type", "flowcontrol/v1.PriorityLevelConfiguration", "spec: {type: x, limited: {limitResponse: {type: Queue}}}", "", "spec.limited: Forbidden\nspec.limited.limitResponse.queuing: Required value"},
		{"two members of a union", "resource/v1.ResourceSlice", "spec: {driver: d, pool: {name: p}, devices: [{name: a, attributes: {k: {int: 1, bool: true}}}]}", "", "spec.devices[0].attributes[k]: Invalid value: \"{int, bool}\": must specify exactly one of: `int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`"},
		{"two items of one name", "resource/v1.ResourceClaim", "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: a, allocationMode: ExactCount, count: 1}}, {name: r, exactly: {deviceClassName: b, allocationMode: ExactCount, count: 1}}]}}", "", `spec.devices.requests[1]: Duplicate value: {"name":"r","exactly":{"deviceClassName":"b","allocationMode":"ExactCount","count":1}}`},
		{"as many items as there may be", "resource/v1.DeviceRequest", "name: r, firstAvailable: [" + subrequests(8) + "]", "", ""},
		{"one more", "resource/v1.DeviceRequest", "name: r, firstAvailable: [" + subrequests(9) + "]", "", "firstAvailable: Too many: 9: must have at most 8 items"},
		{"a type of addresses", "discovery/v1.EndpointSlice", "addressType: IPv4, endpoints: [{addresses: [10.0.0.1]}]", "", ""},
		{"an effect that is none", "resource/v1.DeviceTaintRule", "spec: {taint: {key: a, effect: Nope}}", "", `spec.taint.effect: Unsupported value: "Nope": supported values: "NoExecute", "NoSchedule", "None"`},
	} {
		at := spot{value: objectOf(t, c.object), typ: schema.TypeNamed(c.typ)}
		if c.old != "" {
			at.old, at.known = objectOf(t, c.old), true
		}
		d := &declaration{update: at.known, minor: 37, origin: map[*field.Error]string{}}
		d.all(schema.Declared(c.typ, 37), at, "", false)
		var got []string
		for _, e := range d.shown {
			got = append(got, e.Error())
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}

func objectOf(t *testing.T, text string) (o tree.Object) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte("{" + text + "}"))
	if err == nil {
		err = k8sjson.UnmarshalCaseSensitivePreserveInts(data, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// subrequests are n alternatives of a request for devices.
func subrequests(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("{name: s%d, deviceClassName: c, allocationMode: ExactCount, count: 1}", i))
	}
	return strings.Join(all, ", ")
}
