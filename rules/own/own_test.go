package own

import (
	"strings"
	"testing"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

func deployment(image string) tree.Object {
	return tree.Object{"apiVersion": "apps/v1", "kind": "Deployment", "spec": tree.Object{"template": tree.Object{"spec": tree.Object{
		"hostNetwork":    true,
		"initContainers": []any{tree.Object{"name": "init", "image": "busybox"}},
		"containers":     []any{tree.Object{"name": "web", "image": image}},
	}}}}
}

func TestFunctions(t *testing.T) {
	object := deployment("registry.io:5000/team/app:v1@sha256:abc")
	for text, want := range map[string]bool{
		"containers(object).map(c, c.name) == ['init', 'web']":                                                true,
		"containers({'kind': 'Pod'}) == []":                                                                   true,
		"containers(oldObject) == []":                                                                         true,
		"podSpec(object).hostNetwork":                                                                         true,
		"podSpec(oldObject) == {}":                                                                            true,
		"at(object, 'spec.template.spec.containers[name=web].name').value() == 'web'":                         true,
		"at(object, 'spec.nope').hasValue()":                                                                  false,
		"at(oldObject, 'spec').hasValue()":                                                                    false,
		"under('spec.template.spec.containers[name=web].image', 'spec.template')":                             true,
		"under('spec.template', 'spec.template.spec')":                                                        false,
		"image(containers(object)[1].image).registry == 'registry.io:5000'":                                   true,
		"image(containers(object)[1].image).repository == 'team/app'":                                         true,
		"image(containers(object)[1].image).tag == 'v1'":                                                      true,
		"image(containers(object)[1].image).digest == 'sha256:abc'":                                           true,
		"image('nginx') == {'registry': 'docker.io', 'repository': 'library/nginx', 'tag': '', 'digest': ''}": true,
		"image('bitnami/redis:7').repository == 'bitnami/redis'":                                              true,
		"image('localhost/a:b').registry == 'localhost'":                                                      true,
		"quantity('1Gi').isGreaterThan(quantity('1M'))":                                                       true,
	} {
		c, err := compile(Definition{Expression: Source{Text: text + " == true"}})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		r := c.holds.Eval(map[string]any{"object": object, "oldObject": nil})
		if r.Err != nil || r.True() != want {
			t.Errorf("%s: %v, %v", text, r.Value, r.Err)
		}
	}
}

// TestCosts: what functions pass over counts, so that a long list cannot be gone
// through for nothing.
func TestCosts(t *testing.T) {
	list := make([]any, 20_000)
	for i := range list {
		list[i] = tree.Object{"name": strings.Repeat("x", i%7)}
	}
	object := tree.Object{"items": list}
	c, err := compile(Definition{Expression: Source{Text: "object.items.all(i, !at(object, 'items[name=none].x').hasValue())"}})
	if err != nil {
		t.Fatal(err)
	}
	if r := c.holds.Eval(map[string]any{"object": object}); !r.TooDear() {
		t.Errorf("400,000,000 items are passed: %v, cost %d", r.Err, r.Cost)
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		pattern string
		group   string
		kind    string
		want    bool
	}{
		{"Deployment", "apps", "Deployment", true}, {"Deployment.apps", "apps", "Deployment", true}, {"*.apps", "apps", "StatefulSet", true},
		{"*.apps", "batch", "Job", false}, {"Service", "serving.knative.dev", "Service", true}, {"Service.core", "serving.knative.dev", "Service", false},
		{"Service.core", "", "Service", true}, {"*.example.com", "a.example.com", "Bucket", false}, {"*.*.example.com", "a.example.com", "Bucket", true},
		{"*", "", "Pod", true}, {"*.core", "", "Pod", true},
	} {
		if err := CheckKind(c.pattern); err != nil {
			t.Error(err)
		}
		d := Definition{Kinds: []string{c.pattern}}
		if got := d.about(schema.Kind{Group: c.group, Kind: c.kind}); got != c.want {
			t.Errorf("%s, %s.%s: %v", c.pattern, c.kind, c.group, got)
		}
	}
	for _, bad := range []string{"", "[", "apps/v1"} {
		if CheckKind(bad) == nil {
			t.Errorf("%q is a pattern", bad)
		}
	}
}
