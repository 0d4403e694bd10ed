package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func internal(t *testing.T, typ, text string) string {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(Internal(typ, v))
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestInternal(t *testing.T) {
	for _, test := range []struct{ name, typ, in, want string }{
		{"Go names", "rbac/v1.RoleRef", "{apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}",
			`{"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"reader"}`},
		{"metav1 keeps its tags", "meta/v1.LabelSelector", "{matchLabels: {b: x, a: z}}", `{"matchLabels":{"a":"z","b":"x"}}`},
		{"zero values", "core/v1.ContainerPort", "{containerPort: 80}",
			`{"Name":"","HostPort":0,"ContainerPort":80,"Protocol":"","HostIP":""}`},
		{"absent is null, empty is not", "core/v1.Capabilities", "{add: []}", `{"Add":[],"Drop":null}`},
		{"values that versioned types point to", "apps/v1.RollingUpdateStatefulSetStrategy", "{}", `{"Partition":0,"MaxUnavailable":null}`},
		{"int or string", "core/v1.ServicePort", "{port: 80, targetPort: web}",
			`{"Name":"","Protocol":"","AppProtocol":null,"Port":80,"TargetPort":"web","NodePort":0}`},
		{"quantities, keys in order", "core/v1.ResourceRequirements", "{limits: {memory: 1Gi, cpu: 500m}}",
			`{"Limits":{"cpu":"500m","memory":"1Gi"},"Requests":null,"Claims":null}`},
		{"embedded handler", "core/v1.Probe", "{tcpSocket: {port: 1}, periodSeconds: 3}",
			`{"Exec":null,"HTTPGet":null,"TCPSocket":{"Port":1,"Host":""},"GRPC":null,"InitialDelaySeconds":0,"TimeoutSeconds":0,` +
				`"PeriodSeconds":3,"SuccessThreshold":0,"FailureThreshold":0,"TerminationGracePeriodSeconds":null}`},
		{"escaped as by encoding/json", "core/v1.EnvVar", `{name: A, value: "<&>"}`,
			`{"Name":"A","Value":"\u003c\u0026\u003e","ValueFrom":null}`},
		{"struct that the versioned type inlines", "admissionregistration/v1.NamedRuleWithOperations", "{resourceNames: [a], operations: [CREATE]}",
			`{"ResourceNames":["a"],"RuleWithOperations":{"Operations":["CREATE"],"APIGroups":null,"APIVersions":null,"Resources":null,"Scope":null}}`},
		{"list", "[]networking/v1.IngressTLS", "[{hosts: [a]}]", `[{"Hosts":["a"],"SecretName":""}]`},
		{"no list", "[]networking/v1.IngressTLS", "null", `null`},
		{"webhook of a definition", "apiextensions/v1.CustomResourceConversion", "{strategy: Webhook, webhook: {conversionReviewVersions: [v1]}}",
			`{"Strategy":"Webhook","WebhookClientConfig":null,"ConversionReviewVersions":["v1"]}`},
		{"what versions share is elsewhere", "[]apiextensions/v1.CustomResourceDefinitionVersion",
			"[{name: v1, served: true, schema: {openAPIV3Schema: {type: object}}}]",
			`[{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]`},
		{"schema or list", "apiextensions/v1.JSONSchemaPropsOrArray", "[]", `{"Schema":null,"JSONSchemas":[]}`},
		{"unknown types as they are", "example/v1.Thing", "{a: 1}", `{"a":1}`},
	} {
		TypeNamed("apiextensions/v1.CustomResourceDefinition")
		if got := internal(t, test.typ, test.in); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestInternalPodTemplate(t *testing.T) {
	got := internal(t, "core/v1.PodTemplateSpec", `
metadata: {labels: {app: web}, creationTimestamp: null}
spec:
  hostNetwork: true
  hostUsers: false
  serviceAccount: old
  securityContext: {runAsUser: 7}
  volumes: [{name: v, emptyDir: {}}]
  containers: []
`)
	for _, want := range []string{
		`{"labels":{"app":"web"},"Spec":{"Volumes":[{"Name":"v","HostPath":null,"EmptyDir":{"Medium":"","SizeLimit":null},`,
		`"InitContainers":null,"Containers":[],`,
		`"ServiceAccountName":"old","AutomountServiceAccountToken":null,`,
		`"SecurityContext":{"HostNetwork":true,"HostPID":false,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":false,"SELinuxOptions":null,`,
		`"RunAsUser":7,`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if !strings.HasSuffix(got, `"HostnameOverride":null,"SchedulingGroup":null}}`) || strings.Contains(got, "WorkloadRef") {
		t.Errorf("not the fields of 1.36: %s", got)
	}
}

// The input must come out of Internal as it went in.
func TestInternalLeavesItsInput(t *testing.T) {
	spec := map[string]any{"hostPID": true, "securityContext": map[string]any{"runAsUser": int64(1)}}
	if _, err := json.Marshal(Internal("core/v1.PodSpec", spec)); err != nil {
		t.Fatal(err)
	}
	if len(spec) != 2 || len(spec["securityContext"].(map[string]any)) != 1 {
		t.Errorf("changed to %v", spec)
	}
}
