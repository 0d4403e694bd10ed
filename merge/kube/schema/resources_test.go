package schema

import "testing"

func TestBuiltin(t *testing.T) {
	for _, test := range []struct {
		kind         Kind
		plural       string
		namespaced   bool
		since, until int
		byDefault    bool
	}{
		{Kind{"", "v1", "Endpoints"}, "endpoints", true, 0, 0, true},
		{Kind{"", "v1", "Namespace"}, "namespaces", false, 0, 0, true},
		{Kind{"", "v1", "ComponentStatus"}, "componentstatuses", false, 0, 0, true},
		{Kind{"apps", "v1", "Deployment"}, "deployments", true, 0, 0, true},
		{Kind{"networking.k8s.io", "v1", "NetworkPolicy"}, "networkpolicies", true, 0, 0, true},
		{Kind{"networking.k8s.io", "v1", "IPAddress"}, "ipaddresses", false, 33, 0, true},
		{Kind{"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}, "customresourcedefinitions", false, 0, 0, true},
		{Kind{"apiregistration.k8s.io", "v1", "APIService"}, "apiservices", false, 0, 0, true},
		{Kind{"flowcontrol.apiserver.k8s.io", "v1beta3", "FlowSchema"}, "flowschemas", false, 0, 31, true},
		{Kind{"resource.k8s.io", "v1alpha2", "ResourceClaimParameters"}, "resourceclaimparameters", true, 30, 30, false},
		{Kind{"admissionregistration.k8s.io", "v1beta1", "ValidatingAdmissionPolicy"}, "validatingadmissionpolicies", false, 0, 33, false},
		{Kind{"storagemigration.k8s.io", "v1", "StorageVersionMigration"}, "storageversionmigrations", false, 37, 0, true},
	} {
		r, ok := Builtin(test.kind)
		if !ok || r.Plural != test.plural || r.Namespaced != test.namespaced || r.Since != test.since || r.Until != test.until {
			t.Errorf("%v: got %+v, %t", test.kind, r, ok)
		}
		if r.OnByDefault() != test.byDefault {
			t.Errorf("%v: on by default %t", test.kind, r.OnByDefault())
		}
	}
}

func TestIn(t *testing.T) {
	r := Resource{Window: Window{30, 33}}
	for minor, want := range map[int]bool{29: false, 30: true, 33: true, 34: false} {
		if r.In(minor) != want {
			t.Errorf("30 to 33 in %d: %t", minor, !want)
		}
	}
	if r = (Resource{}); !r.In(28) || !r.In(36) {
		t.Error("a resource without bounds is not served")
	}
}

func TestRemoved(t *testing.T) {
	for kind, until := range map[Kind]int{
		{"extensions", "v1beta1", "Ingress"}:                  21,
		{"policy", "v1beta1", "PodDisruptionBudget"}:          24,
		{"batch", "v1beta1", "CronJob"}:                       24,
		{"autoscaling", "v2beta2", "HorizontalPodAutoscaler"}: 25,
	} {
		if r, ok := Removed(kind); !ok || r.Until != until {
			t.Errorf("%v: got %+v, %t, want until %d", kind, r, ok, until)
		}
		if _, ok := Builtin(kind); ok {
			t.Errorf("%v: still served", kind)
		}
		if Lookup(kind) == nil {
			t.Errorf("%v: no type", kind)
		}
	}
	if _, ok := Removed(Kind{"apps", "v1", "Deployment"}); ok {
		t.Error("Deployment: removed")
	}
}

// Objects that exist only as subresources or as answers are no kinds.
func TestNoKinds(t *testing.T) {
	for _, kind := range []Kind{
		{"autoscaling", "v1", "Scale"}, {"policy", "v1", "Eviction"}, {"authentication.k8s.io", "v1", "TokenRequest"},
		{"", "v1", "PodStatusResult"}, {"", "v1", "DeploymentList"}, {"example.com", "v1", "Pod"},
	} {
		if _, ok := Builtin(kind); ok || Lookup(kind) != nil {
			t.Errorf("%v: known", kind)
		}
	}
}

func TestEveryResourceHasItsType(t *testing.T) {
	list := Resources()
	for i, r := range list {
		typ := Lookup(r.Kind)
		if typ == nil || typ.Form != Struct {
			t.Errorf("%v: type %+v", r.Kind, typ)
			continue
		}
		for _, name := range []string{"kind", "apiVersion", "metadata"} {
			if typ.Field(name) == nil {
				t.Errorf("%v: no %s", r.Kind, name)
			}
		}
		if i > 0 && list[i-1].Kind == r.Kind {
			t.Errorf("%v: listed twice", r.Kind)
		}
	}
	if len(list) < 100 {
		t.Errorf("only %d resources", len(list))
	}
}
