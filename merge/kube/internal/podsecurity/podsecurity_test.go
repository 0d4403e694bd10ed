package podsecurity_test

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/merge/kube/internal/podsecurity"
	"threeway/merge/tree"
)

func object(t *testing.T, text string) tree.Object {
	t.Helper()
	var obj tree.Object
	if err := yaml.Unmarshal([]byte(text), &obj); err != nil {
		t.Fatal(err)
	}
	return obj
}

// labels are those of a Namespace, without their prefix: enforce=baseline.
func labels(texts ...string) tree.Object {
	m := tree.Object{}
	for _, text := range texts {
		key, value, _ := strings.Cut(text, "=")
		m["pod-security.kubernetes.io/"+key] = value
	}
	return m
}

func TestPolicy(t *testing.T) {
	for _, test := range []struct {
		labels        []string
		enforce, warn string
	}{
		{nil, "privileged:latest", "privileged:latest"},
		{[]string{"enforce=baseline"}, "baseline:latest", "baseline:latest"},
		{[]string{"enforce=restricted", "enforce-version=v1.24"}, "restricted:v1.24", "restricted:v1.24"},
		{[]string{"enforce=restricted", "enforce-version=v1.24", "warn-version=v1.30"}, "restricted:v1.24", "restricted:v1.30"},
		{[]string{"enforce=restricted", "warn=baseline"}, "restricted:latest", "baseline:latest"},
		{[]string{"enforce=strict"}, "restricted:latest", "privileged:latest"},
		{[]string{"warn=strict", "warn-version=1.24"}, "privileged:latest", "privileged:latest"},
		{[]string{"audit=restricted"}, "privileged:latest", "privileged:latest"},
	} {
		policy, _ := podsecurity.Of(labels(test.labels...))
		if policy.Enforce.String() != test.enforce || policy.Warn.String() != test.warn {
			t.Errorf("%v: enforce %s, warn %s", test.labels, policy.Enforce, policy.Warn)
		}
	}
}

func TestInvalidLabels(t *testing.T) {
	const level, version = "must be one of privileged, baseline, restricted", `must be "latest" or "v1.x"`
	at := func(label, value, detail string) string {
		return `metadata.labels[pod-security.kubernetes.io/` + label + `]: Invalid value: "` + value + `": ` + detail
	}
	for _, test := range []struct{ labels, before, want []string }{
		{labels: []string{"enforce=baseline", "audit-version=latest", "warn-version=v1.24"}},
		{labels: []string{"enforce=baseline1", "audit=", "warn=Restricted"},
			want: []string{at("enforce", "baseline1", level), at("audit", "", level), at("warn", "Restricted", level)}},
		{labels: []string{"enforce-version=v2.0", "audit-version=v1.01"}, want: []string{at("enforce-version", "v2.0", version), at("audit-version", "v1.01", version)}},
		{labels: []string{"enforce=foo"}, before: []string{"enforce=foo"}},
		{labels: []string{"enforce=foo", "warn=bar"}, before: []string{"enforce=foo"},
			want: []string{at("enforce", "foo", level), at("warn", "bar", level)}},
		{labels: []string{"enforce=foo"}, before: []string{"enforce=baseline"}, want: []string{at("enforce", "foo", level)}},
	} {
		var got []string
		for _, e := range podsecurity.InvalidLabels(labels(test.labels...), labels(test.before...)) {
			got = append(got, e.Error())
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v after %v:\ngot  %q\nwant %q", test.labels, test.before, got, test.want)
		}
	}
}

// TestServers evaluates what changes with the version of the policy or of the
// server.
func TestServers(t *testing.T) {
	probe := "{spec: {containers: [{name: a, livenessProbe: {httpGet: {host: x, port: 80}}}]}}"
	image := "{spec: {volumes: [{name: v, image: {reference: x}}], securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}}}"
	sysctl := "{spec: {securityContext: {sysctls: [{name: net.ipv4.tcp_notsent_lowat}]}}}"
	armor := `{metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/a: x, container.apparmor.security.beta.kubernetes.io/a-b: x}}}`
	for _, test := range []struct {
		pod, enforce, version string
		minor                 int
		want                  string
	}{
		{probe, "baseline", "latest", 33, ""},
		{probe, "baseline", "latest", 34, `probe or lifecycle host (container "a" uses probe or lifecycle host "x")`},
		{probe, "baseline", "v1.33", 36, ""},
		{probe, "baseline", "v1.99", 36, `probe or lifecycle host (container "a" uses probe or lifecycle host "x")`},
		{probe, "privileged", "latest", 36, ""},
		{image, "restricted", "latest", 32, `restricted volume types (volume "v" uses restricted volume type "unknown")`},
		{image, "restricted", "v1.20", 33, ""},
		{sysctl, "baseline", "latest", 36, "forbidden sysctls (net.ipv4.tcp_notsent_lowat)"},
		{sysctl, "baseline", "latest", 37, ""},
		{armor, "baseline", "latest", 36, `forbidden AppArmor profiles (annotations must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/a-b="x"", "container.apparmor.security.beta.kubernetes.io/a="x"")`},
	} {
		policy, _ := podsecurity.Of(labels("enforce="+test.enforce, "enforce-version="+test.version))
		if got := podsecurity.Evaluate(policy.Enforce, test.minor, object(t, test.pod)).Details(); got != test.want {
			t.Errorf("%s on 1.%d: %s\ngot  %s\nwant %s", policy.Enforce, test.minor, test.pod, got, test.want)
		}
	}
}

func TestTightened(t *testing.T) {
	for _, test := range []struct {
		before, labels string
		want           bool
	}{
		{"enforce=privileged", "enforce=baseline", true},
		{"enforce=baseline", "enforce=baseline", false},
		{"enforce=restricted", "enforce=baseline", false},
		{"enforce=restricted", "enforce=privileged", false},
		{"enforce=restricted,enforce-version=v1.20", "enforce=baseline,enforce-version=v1.30", true},
		{"enforce=baseline", "enforce=baseline,warn=restricted", false},
	} {
		split := func(s string) tree.Object { return labels(strings.Split(s, ",")...) }
		if got := podsecurity.Tightened(split(test.labels), split(test.before)); got != test.want {
			t.Errorf("%s after %s: %t", test.labels, test.before, got)
		}
	}
}

// TestExisting looks at no more than 3000 Pods, at one of each controller before
// the others.
func TestExisting(t *testing.T) {
	owned := tree.Object{"metadata": tree.Object{"name": "a", "ownerReferences": []any{tree.Object{"uid": "u", "controller": true}}}, "spec": tree.Object{}}
	bad := tree.Object{"metadata": tree.Object{"name": "last"}, "spec": tree.Object{"hostPID": true}}
	var pods []tree.Object
	for range 3000 {
		pods = append(pods, owned)
	}
	got := podsecurity.Existing("n", podsecurity.Standard{Level: podsecurity.Baseline, Version: podsecurity.Latest}, 36, append(pods, bad))
	want := []string{
		"new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods",
		`existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"`,
		"last: host namespaces",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
