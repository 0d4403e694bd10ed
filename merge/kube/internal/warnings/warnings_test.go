package warnings

import (
	"slices"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

func parse(t *testing.T, text string) tree.Object {
	t.Helper()
	if text == "" {
		return nil
	}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var obj tree.Object
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &obj); err != nil {
		t.Fatal(err)
	}
	return obj
}

func kindOf(groupKind string) schema.Kind {
	kind, group, _ := strings.Cut(groupKind, ".")
	return schema.Kind{Group: group, Version: "v1", Kind: kind}
}

// The texts are those of the sources of Kubernetes 1.36.3.
func TestFor(t *testing.T) {
	for _, c := range []struct {
		kind, object, old string
		want              []string
	}{
		{"ConfigMap", `{}`, ``, nil},
		{"Pod", `{metadata: {name: a.b}, spec: {nodeSelector: {beta.kubernetes.io/os: linux, beta.kubernetes.io/arch: amd64}, terminationGracePeriodSeconds: -1}}`, ``, []string{
			"metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
			`spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since v1.14; use "kubernetes.io/arch" instead`,
			`spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead`,
			"spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
		}},
		{"Pod", `{metadata: {name: a.b}}`, `{metadata: {name: a.b}}`, nil},
		{"Deployment.apps", `{metadata: {name: a, generation: 1}, spec: {template: {spec: {volumes: [{name: v, rbd: {}}]}}}}`, `{metadata: {name: a, generation: 1}}`, nil},
		{"Deployment.apps", `{metadata: {name: a.b, generation: 2}, spec: {template: {spec: {volumes: [{name: v, gitRepo: {}}]}}}}`, `{metadata: {generation: 1}}`, []string{
			"spec.template.spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"}},
		{"ReplicationController", `{metadata: {generation: 2}, spec: {template: {spec: {}}}}`, `{metadata: {generation: 1}, spec: {template: {spec: {volumes: [{rbd: {}}]}}}}`, []string{
			"spec.template.spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+"}},
		{"StatefulSet.apps", `{spec: {revisionHistoryLimit: -1, volumeClaimTemplates: [{spec: {resources: {requests: {storage: 500m}}}}]}}`, `{}`, []string{
			`spec.volumeClaimTemplates[0].Spec.resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer`,
			"spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
		}},
		{"PodTemplate", `{template: {spec: {containers: [
			{name: a, env: [{name: A}, {name: A, value: "$(A)b"}, {name: A, value: c}], ports: [{containerPort: 80, protocol: TCP, hostIP: 1.2.3.4}, {name: w, containerPort: 80, protocol: TCP}]},
			{name: b, ports: [{name: w, containerPort: 80, hostPort: 8, protocol: TCP}]}]}}}`, ``, []string{
			`template.spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply`,
			"template.spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}",
			"template.spec.containers[0].ports[1]: overlapping port definition with template.spec.containers[0].ports[0]",
			"template.spec.containers[1].ports[0]: overlapping port definition with template.spec.containers[0].ports[0]",
			"template.spec.containers[1].ports[0]: overlapping port definition with template.spec.containers[0].ports[1]",
			`template.spec.containers[1].ports[0]: duplicate port name "w" with template.spec.containers[0].ports[1], services and probes that select ports by name will use template.spec.containers[0].ports[1]`,
		}},
		{"PodTemplate", `{template: {spec: {volumes: [{name: v, projected: {sources: [{configMap: {name: c, items: [{path: a/b}]}}, {serviceAccountToken: {path: a/}}]}}, {name: w, secret: {secretName: s, items: [{path: x}, {path: x}]}}]}}}`, ``, []string{
			`volume "v" (Projected): overlapping paths: "a" (ServiceAccountToken) with "a/b" (ConfigMap "c")`,
			`volume "w" (Secret "s"): overlapping paths: "x" with "x"`,
		}},
		{"Service", `{spec: {type: ClusterIP, clusterIP: None, externalName: x, externalIPs: ["2001:DB8::1"], loadBalancerSourceRanges: [10.0.0.1/08], sessionAffinity: None}}`, ``, []string{
			"spec.externalIPs is ignored for headless services",
			`spec.externalIPs[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`,
			`spec.loadBalancerSourceRanges[0]: CIDR value "10.0.0.1/08" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)`,
			`spec.loadBalancerSourceRanges[0]: non-standard CIDR value "10.0.0.1/08" is invalid: use "10.0.0.0/8"`,
			`spec.externalName is ignored when spec.type is not "ExternalName"`,
		}},
		{"Endpoints", `{subsets: [{notReadyAddresses: [{ip: "::ffff:1.2.3.4"}, {ip: 010.0.0.1}]}]}`, ``, []string{
			`subsets[0].notReadyAddresses[0].ip: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"`,
			`subsets[0].notReadyAddresses[1].ip: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"`,
		}},
		{"CronJob.batch", `{metadata: {name: a}, spec: {schedule: "TZ=UTC * * * * *"}}`, `{}`, []string{
			"cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"}},
		{"ResourceQuota", `{spec: {hard: {cpu: "2", limits.cpu: "1"}}}`, ``, []string{"ResourceQuota cpu (2) should be less than limits.cpu (1)"}},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=, tls.key: LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCkFBPT0KLS0tLS1FTkQgRUMgUFJJVkFURSBLRVktLS0tLQo=}}`, ``, nil},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCkFBPT0KLS0tLS1FTkQgRUMgUFJJVkFURSBLRVktLS0tLQo=, tls.key: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=}}`, ``, []string{`tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched`}},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=, tls.key: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=}}`, ``, []string{`tls: found a certificate rather than a key in the PEM for the private key`}},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=, tls.key: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQotLS0tLUJFR0lOIENFUlRJRklDQVRFLS0tLS0KQUE9PQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==}}`, ``, []string{`tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [CERTIFICATE CERTIFICATE]`}},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=, tls.key: LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KQUE9PQotLS0tLUVORCBQVUJMSUMgS0VZLS0tLS0K}}`, ``, []string{`tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [PUBLIC KEY]`}},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KQUE9PQotLS0tLUVORCBQVUJMSUMgS0VZLS0tLS0K, tls.key: LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS0tLS0tCkFBPT0KLS0tLS1FTkQgRUMgUFJJVkFURSBLRVktLS0tLQo=}}`, ``, []string{`tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [PUBLIC KEY]`}},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=, tls.key: eA==}}`, ``, []string{`tls: failed to find any PEM data in key input`}},
		{"EndpointSlice.discovery.k8s.io", `{addressType: FQDN}`, ``, []string{"spec.addressType: FQDN endpoints are deprecated"}},
		{"EndpointSlice.discovery.k8s.io", `{addressType: IPv4}`, ``, nil},
		{"EndpointSlice.discovery.k8s.io", `{addressType: FQDN}`, `{addressType: FQDN}`, nil},
		{"PodTemplate", `{template: {metadata: {annotations: {scheduler.alpha.kubernetes.io/critical-pod: ""}}, spec: {}}}`, ``, []string{
			"template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the \"priorityClassName\" field instead"}},
		{"Secret", `{type: kubernetes.io/tls, data: {tls.crt: eA==, tls.key: eA==}}`, ``, []string{"tls: failed to find any PEM data in certificate input"}},
		{"ServiceAccount", `{metadata: {annotations: {kubernetes.io/enforce-mountable-secrets: "true"}}}`, `{metadata: {annotations: {kubernetes.io/enforce-mountable-secrets: "true"}}}`, nil},
		{"Node", `{spec: {externalID: x}}`, ``, []string{"spec.externalID: this field is deprecated, and is unused by Kubernetes"}},
		{"PodTemplate", `{template: {spec: {volumes: [{name: v, projected: {sources: [{clusterTrustBundle: {name: x, path: t}}, {clusterTrustBundle: {signerName: s, path: t/u}},
			{podCertificate: {certificateChainPath: t, keyPath: k/}}, {podCertificate: {credentialBundlePath: k/l}}, {serviceAccountToken: {path: kk}}]}}]}}}`, ``, []string{
			`volume "v" (Projected): overlapping paths: "t/u" (ClusterTrustBundle "s") with "t" (ClusterTrustBundle "x")`,
			`volume "v" (Projected): overlapping paths: "t" (PodCertificate chain) with "t" (ClusterTrustBundle "x")`,
			`volume "v" (Projected): overlapping paths: "t" (PodCertificate chain) with "t/u" (ClusterTrustBundle "s")`,
			`volume "v" (Projected): overlapping paths: "k/l" (PodCertificate credential bundle) with "k" (PodCertificate key)`,
		}},
		{"EndpointSlice.discovery.k8s.io", `{addressType: IPv6, endpoints: [{addresses: ["2001:db8::1", "2001:DB8::1"]}]}`, `{}`, []string{
			`endpoints[0].addresses[1]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`}},
		{"EndpointSlice.discovery.k8s.io", `{metadata: {labels: {endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io}}, endpoints: [{addresses: ["2001:DB8::1"]}]}`, `{}`, nil},
		{"EndpointSlice.discovery.k8s.io", `{metadata: {labels: {endpointslice.kubernetes.io/managed-by: me}}, endpoints: [{addresses: ["2001:DB8::1"]}]}`, `{}`, []string{
			`endpoints[0].addresses[0]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")`}},
		{"NetworkPolicy.networking.k8s.io", `{spec: {ingress: [{from: [{ipBlock: {cidr: 01.2.3.0/24, except: [1.2.3.4/32, 1.2.3.0/025, "::ffff:1.2.3.0/24", 1.2.3.0/033, 0.0.0.0/000, name/8, "fe80::1%eth0/64"]}}]}]}}`, `{}`, []string{
			`spec.ingress[0].from[0].ipBlock.cidr: non-standard CIDR value "01.2.3.0/24" is invalid: use "1.2.3.0/24"`,
			`spec.ingress[0].from[0].ipBlock.except[1]: non-standard CIDR value "1.2.3.0/025" is invalid: use "1.2.3.0/25"`,
			`spec.ingress[0].from[0].ipBlock.except[2]: non-standard CIDR value "::ffff:1.2.3.0/24" is invalid: use "1.2.3.0/24"`,
			`spec.ingress[0].from[0].ipBlock.except[4]: non-standard CIDR value "0.0.0.0/000" is invalid: use "0.0.0.0/0"`,
		}},
		{"Node", `{spec: {configSource: {}, podCIDRs: [10.0.0.1/24, 10.0.0.1/32]}}`, `{}`, []string{
			"spec.configSource: the feature is removed",
			`spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)`,
		}},
		{"Service", `{spec: {type: ClusterIP, clusterIP: 01.2.3.4, clusterIPs: [01.2.3.4, 1.2.3.5]}}`, `{}`, []string{
			`spec.clusterIPs[0]: non-standard IP address "01.2.3.4" is invalid: use "1.2.3.4"`}},
		{"Service", `{spec: {type: ExternalName, clusterIP: 01.2.3.4, clusterIPs: [01.2.3.4]}}`, `{}`, nil},
	} {
		got := textsOf(Request{Kind: kindOf(c.kind), Object: parse(t, strings.ReplaceAll(c.object, "\t", " ")), Old: parse(t, c.old), Minor: 36})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s:\n%s\nwant\n%s", c.kind, c.object, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestPreparing(t *testing.T) {
	const annotated = `{metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/a: runtime/default}}, spec: {%, containers: [{name: a}]}}`
	for spec, want := range map[string]int{
		`securityContext: {}`: 1,
		`securityContext: {appArmorProfile: {type: RuntimeDefault}}`: 0,
		`securityContext: {appArmorProfile: {type: Unconfined}}`:     1,
		`os: {name: windows}`: 0,
	} {
		obj := parse(t, strings.Replace(annotated, "%", spec, 1))
		if got := Preparing(Request{Kind: kindOf("Pod"), Object: obj, Minor: 36}); len(got) != want {
			t.Errorf("%s: %q", spec, got)
		}
	}
}

func TestDeprecated(t *testing.T) {
	for _, c := range []struct {
		kind  schema.Kind
		minor int
		want  string
	}{
		{schema.Kind{Version: "v1", Kind: "Endpoints"}, 36, "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"},
		{schema.Kind{Version: "v1", Kind: "Endpoints"}, 32, ""},
		{schema.Kind{Version: "v1", Kind: "Pod"}, 36, ""},
		{schema.Kind{Group: "flowcontrol.apiserver.k8s.io", Version: "v1beta3", Kind: "FlowSchema"}, 31,
			"flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use flowcontrol.apiserver.k8s.io/v1 FlowSchema"},
		{schema.Kind{Group: "networking.k8s.io", Version: "v1beta1", Kind: "IPAddress"}, 36, "networking.k8s.io/v1beta1 IPAddress is deprecated in v1.34+, unavailable in v1.37+"},
	} {
		if got := Deprecated(c.kind, c.minor); got != c.want {
			t.Errorf("%v on 1.%d: %q, want %q", c.kind, c.minor, got, c.want)
		}
	}
}

// TestSince: a warning comes with the version that began to give it, and about
// what a request brings, not about what is there.
func TestSince(t *testing.T) {
	const (
		account = `{metadata: {annotations: {kubernetes.io/enforce-mountable-secrets: "true"}}}`
		driver  = `{spec: {tokenRequests: [{audience: a}]}}`
		armored = `{template: {metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/c: runtime/default}}, spec: {containers: [{name: c}]}}}`
	)
	for _, c := range []struct {
		kind, object, old string
		minor             int
		want              string // the beginning of the only warning
	}{
		{"ServiceAccount", account, "", 31, ""},
		{"ServiceAccount", account, "", 32, "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+"},
		{"ServiceAccount", account, account, 36, ""},
		{"ServiceAccount", account, "{}", 36, "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+"},
		{"CSIDriver.storage.k8s.io", driver, "", 34, ""},
		{"CSIDriver.storage.k8s.io", driver, "", 35, "spec.serviceAccountTokenInSecrets is unset"},
		{"CSIDriver.storage.k8s.io", driver, driver, 36, ""},
		{"CSIDriver.storage.k8s.io", driver, `{spec: {tokenRequests: [{audience: b}]}}`, 36, "spec.serviceAccountTokenInSecrets is unset"},
		{"CSIDriver.storage.k8s.io", `{spec: {tokenRequests: [{audience: a}], serviceAccountTokenInSecrets: false}}`, "", 36, ""},
		{"PodTemplate", armored, "", 30, "template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30"},
	} {
		got := textsOf(Request{Kind: kindOf(c.kind), Object: parse(t, c.object), Old: parse(t, c.old), Minor: c.minor})
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s on 1.%d, before %s: %q, want %q", c.kind, c.minor, c.old, got, c.want)
		}
	}
}

// TestPlaces finds the field of a warning in the object, also where the words do not
// begin with it.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ kind, object, want string }{
		{"Service", `{metadata: {annotations: {service.kubernetes.io/topology-aware-hints: auto}}}`, "metadata.annotations[service.kubernetes.io/topology-aware-hints]"},
		{"Service", `{spec: {type: ClusterIP, clusterIP: None, sessionAffinity: ClientIP}}`, "spec.sessionAffinity"},
		{"Secret", `{type: kubernetes.io/tls, data: {}}`, ""},
	} {
		for _, w := range For(Request{Kind: kindOf(c.kind), Object: parse(t, c.object), Minor: 36}, RulesOf(kindOf(c.kind))) {
			if got := w.Path.String(); got != c.want {
				t.Errorf("%s is said of %q, want %q", w.Unmasked(), got, c.want)
			}
		}
		if got := textsOf(Request{Kind: kindOf(c.kind), Object: parse(t, c.object), Minor: 36}); len(got) != 1 {
			t.Errorf("%s: %q, want one warning", c.object, got)
		}
	}
}

// TestKindsAreServed keeps the tables from naming what no server has.
func TestKindsAreServed(t *testing.T) {
	for kind := range lifecycles {
		if _, ok := schema.Builtin(kind); !ok {
			t.Errorf("%v has a lifecycle but is not served", kind)
		}
	}
}

// TestFirstMinor: what one minor says and the one before does not, or otherwise.
func TestFirstMinor(t *testing.T) {
	for _, c := range []struct {
		kind, object string
		first        int
	}{
		{"PersistentVolume", `{metadata: {annotations: {volume.beta.kubernetes.io/mount-options: ro}}, spec: {}}`, 31},
		{"Service", `{spec: {type: ClusterIP, externalIPs: [1.2.3.4]}}`, 36},
		{"Service", `{spec: {trafficDistribution: PreferClose}}`, 35},
		{"PodTemplate", `{template: {spec: {volumes: [{name: v, gitRepo: {}}]}}}`, 33},
		{"CSIDriver.storage.k8s.io", `{spec: {tokenRequests: [{audience: a}]}}`, 35},
		{"ServiceAccount", `{metadata: {annotations: {kubernetes.io/enforce-mountable-secrets: "true"}}}`, 32},
		{"MutatingWebhookConfiguration.admissionregistration.k8s.io", `{metadata: {name: a.static.k8s.io}}`, 36},
	} {
		at := func(minor int) []string {
			return textsOf(Request{Kind: kindOf(c.kind), Object: parse(t, c.object), Minor: minor})
		}
		if before, since := at(c.first-1), at(c.first); slices.Equal(before, since) || len(since) != 1 {
			t.Errorf("%s %s: 1.%d says %q, 1.%d %q", c.kind, c.object, c.first-1, before, c.first, since)
		}
	}
	pod := parse(t, `{metadata: {annotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}}, spec: {containers: [{name: a}]}}`)
	if got := Preparing(Request{Kind: kindOf("Pod"), Object: pod, Minor: 36}); len(got) != 1 {
		t.Errorf("of a new Pod: %q", got)
	}
	if got := Preparing(Request{Kind: kindOf("Pod"), Object: pod, Old: pod, Minor: 36}); got != nil {
		t.Errorf("of an update: %q", got)
	}
}
