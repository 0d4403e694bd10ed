package validation_test

import (
	"net/netip"
	"slices"
	"testing"

	"threeway/merge/kube/internal/validation"
)

// The texts are those of a kube-apiserver 1.36.3.

const nodePortService = `
apiVersion: v1
kind: Service
metadata: {name: s, namespace: default}
spec:
  type: NodePort
  selector: {app: s}
  ports: [{name: a, port: 1, nodePort: 30001}, {name: b, port: 2, nodePort: 30002}]`

func TestAllocate(t *testing.T) {
	for _, test := range []struct {
		when, patch string
		want        string // the only cause
		failure     string
	}{
		{onCreate, `{}`, "", ""},
		{onCreate, `spec: {ports: [{name: a, port: 1, nodePort: 30001}, {name: a, port: 2, nodePort: 30001}]}`,
			"spec.ports[1].nodePort: Invalid value: 30001: provided port is already allocated", ""},
		{onCreate, `spec: {ports: [{name: a, port: 1, nodePort: 30001}, {name: b, port: 1, protocol: UDP, nodePort: 30001}]}`, "", ""},
		{onCreate, `spec: {ports: [{name: a, port: 1, nodePort: 30009}]}`,
			"spec.ports[0].nodePort: Invalid value: 30009: provided port is already allocated", ""},
		{onUpdate, `spec: {ports: [{name: a, port: 1, nodePort: 30009}]}`,
			"spec.ports[0].nodePort: Invalid value: 30009: provided port is already allocated", ""},
		{onUpdate, `spec: {ports: [{name: a, port: 1, nodePort: 30001}, {name: b, port: 2, nodePort: 30001}]}`, "", "duplicate nodePort: {TCP 30001}"},
		{onUpdate, `spec: {ports: [{name: a, port: 1, nodePort: 30001}, {name: b, port: 2, nodePort: 30001, protocol: UDP}]}`, "", ""},
		{onUpdate, `spec: {type: ClusterIP, ports: [{port: 1, nodePort: 30009}]}`, "", ""},
		{onCreate, `spec: {ipFamilyPolicy: RequireDualStack}`,
			`spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services`, ""},
		{onCreate, `spec: {clusterIP: Nonex, clusterIPs: [Nonex]}`,
			`spec.clusterIPs[0]: Invalid value: "Nonex": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`, ""},
		{onCreate, `spec: {ipFamilies: [IPv6]}`, `spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster`, ""},
		{onCreate, `spec: {type: ClusterIP, clusterIP: None, clusterIPs: [None], selector: null, ipFamilyPolicy: RequireDualStack}`, "", ""},
		{onCreate, `spec: {ipFamilies: [IPv4, IPv6]}`, `spec.ipFamilyPolicy: Invalid value: "SingleStack": ` +
			"must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified", ""},
		{onCreate, `spec: {clusterIP: 10.0.7.7, clusterIPs: [10.0.7.7]}`, "", ""},
		{onCreate, `spec: {clusterIP: 1.2.3.4, clusterIPs: [1.2.3.4]}`, `spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: ` +
			"the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.0.0.0/16", ""},
		{onCreate, `spec: {clusterIP: 10.0.255.255, clusterIPs: [10.0.255.255]}`,
			`spec.clusterIPs: Invalid value: ["10.0.255.255"]: failed to allocate IP 10.0.255.255: ` +
				"the provided IP (10.0.255.255) is not in the valid range. The range of valid IPs is 10.0.0.0/16", ""},
		{onUpdate, `spec: {clusterIP: 1.2.3.4, clusterIPs: [1.2.3.4]}`, "", ""},
	} {
		r := requestOf(t, nodePortService, rejection{when: test.when, patch: test.patch})
		r.Families = []string{"IPv4"}
		r.Networks = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/16")}
		r.NodePort = func(port int64) bool { return port == 30009 || port == 30002 && test.when != onCreate }
		errs, err := validation.Allocate(r)
		var causes, want []string
		for _, e := range errs {
			causes = append(causes, e.Error())
		}
		if test.want != "" {
			want = []string{test.want}
		}
		if !slices.Equal(causes, want) {
			t.Errorf("%s %s: %q, want %q", test.when, test.patch, causes, want)
		}
		if test.failure == "" && err != nil || test.failure != "" && (err == nil || err.Error() != test.failure) {
			t.Errorf("%s %s: %v, want %s", test.when, test.patch, err, test.failure)
		}
	}
}

func TestServiceNamesOfOlderServers(t *testing.T) {
	r := requestOf(t, nodePortService, rejection{when: onCreate, patch: `metadata: {name: 1s}`})
	if errs := validated(r); len(errs) > 0 {
		t.Errorf("1.36 rejects: %v", errs)
	}
	r.Minor = 35
	if errs := validated(r); len(errs) != 1 || errs[0].Field != "metadata.name" {
		t.Errorf("1.35 finds %v, want the name", errs)
	}
}

func TestDualStackService(t *testing.T) {
	const base = `
apiVersion: v1
kind: Service
metadata: {name: s, namespace: default}
spec:
  selector: {app: s}
  ports: [{port: 1}]
  clusterIP: 10.0.0.9
  clusterIPs: [10.0.0.9, "2001:db8::9"]
  ipFamilies: [IPv4, IPv6]
  ipFamilyPolicy: PreferDualStack`
	testRejections(t, base, []rejection{
		{onUpdate, `spec: {ports: [{port: 2}]}`, nil},
		{onUpdate, `spec: {clusterIPs: [10.0.0.9], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack}`, nil},
		{onUpdate, `spec: {clusterIPs: [10.0.0.9], ipFamilies: [IPv4]}`, []string{
			`spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary cluster IP`,
			`spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be 'SingleStack' to release the secondary IP family`,
		}},
	})
	for patch, want := range map[string][]string{
		`spec: {clusterIPs: [10.0.0.9], ipFamilies: [IPv4]}`: {
			`spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary clusterIP`,
			`spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary ipFamily`,
		},
		`spec: {clusterIP: 10.0.0.8, clusterIPs: [10.0.0.8, "2001:db8::9"], ipFamilies: [IPv6, IPv4]}`: {
			`spec.clusterIPs[0]: Invalid value: ["10.0.0.8","2001:db8::9"]: may not change once set`,
			`spec.ipFamilies[0]: Invalid value: ["IPv6","IPv4"]: may not change once set`,
			"spec.clusterIPs[0]: Invalid value: \"10.0.0.8\": expected an IPv6 value as indicated by `ipFamilies[0]`",
			"spec.clusterIPs[1]: Invalid value: \"2001:db8::9\": expected an IPv4 value as indicated by `ipFamilies[1]`",
		},
		`spec: {clusterIP: null, clusterIPs: null, ipFamilies: null}`: {
			`spec.clusterIPs[0]: Invalid value: null: primary clusterIP can not be unset`,
			`spec.ipFamilies[0]: Invalid value: null: primary ipFamily can not be unset`,
		},
	} {
		var got []string
		for _, e := range validated(requestOf(t, base, rejection{when: onUpdate, patch: patch})) {
			got = append(got, e.Error())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", patch, got, want)
		}
	}
}
