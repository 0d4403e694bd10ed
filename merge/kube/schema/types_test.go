package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// directive spells the patch facts of a field.
func directive(f *Field) string {
	var words []string
	for word, on := range map[string]bool{"merge": f.Merge, "retainKeys": f.RetainKeys, "replace": f.Replace} {
		if on {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return strings.Join(words, ",") + " " + f.MergeKey
}

func field(t *testing.T, typ, name string) *Field {
	t.Helper()
	found := TypeNamed(typ)
	if found == nil {
		t.Fatalf("no type %s", typ)
	}
	f := found.Field(name)
	if f == nil {
		t.Fatalf("%s has no field %s", typ, name)
	}
	return f
}

func TestPatchDirectives(t *testing.T) {
	for _, test := range []struct{ typ, field, want string }{
		{"apps/v1.DeploymentSpec", "strategy", "retainKeys "},
		{"apps/v1.StatefulSetSpec", "updateStrategy", " "},
		{"apps/v1.DaemonSetSpec", "updateStrategy", " "},
		{"core/v1.PodSpec", "volumes", "merge,retainKeys name"},
		{"core/v1.PodSpec", "resourceClaims", "merge,retainKeys name"},
		{"core/v1.PodSpec", "containers", "merge name"},
		{"core/v1.PodSpec", "hostAliases", "merge ip"},
		{"core/v1.PodSpec", "topologySpreadConstraints", "merge topologyKey"},
		{"core/v1.PodSpec", "tolerations", " "},
		{"core/v1.Container", "ports", "merge containerPort"},
		{"core/v1.Container", "volumeMounts", "merge mountPath"},
		{"core/v1.Container", "envFrom", " "},
		{"core/v1.EphemeralContainer", "volumeDevices", "merge devicePath"},
		{"core/v1.ServiceSpec", "ports", "merge port"},
		{"core/v1.ServiceAccount", "secrets", "merge name"},
		{"core/v1.ServiceAccount", "imagePullSecrets", " "},
		{"core/v1.NodeSpec", "podCIDRs", "merge "},
		{"policy/v1.PodDisruptionBudgetSpec", "selector", "replace "},
		{"policy/v1beta1.PodDisruptionBudgetSpec", "selector", " "},
		{"networking/v1.IngressSpec", "rules", " "},
		{"meta/v1.ObjectMeta", "ownerReferences", "merge uid"},
		{"meta/v1.ObjectMeta", "finalizers", "merge "},
		{"apiextensions/v1.JSONSchemaProps", "x-kubernetes-validations", "merge rule"},
		{"apiregistration/v1.APIServiceStatus", "conditions", "merge type"},
	} {
		if got := directive(field(t, test.typ, test.field)); got != test.want {
			t.Errorf("%s.%s: patch %q, want %q", test.typ, test.field, got, test.want)
		}
	}
}

// walk calls f for each field of each struct that a root reaches.
func walk(seen map[*Type]bool, typ *Type, minor int, f func(*Type, *Field)) {
	if typ == nil || seen[typ] {
		return
	}
	seen[typ] = true
	walk(seen, typ.Elem, minor, f)
	for i := range typ.Fields {
		if field := &typ.Fields[i]; field.In(minor) {
			f(typ, field)
			walk(seen, field.Type, minor, f)
		}
	}
}

// The OpenAPI document of Kubernetes 1.37 has 92 properties with a patch
// strategy, 88 of them with a merge key.
func TestDirectives(t *testing.T) {
	count := map[string]int{}
	seen := map[*Type]bool{}
	for _, r := range Resources() {
		if !r.In(37) {
			continue
		}
		walk(seen, Lookup(r.Kind), 37, func(_ *Type, f *Field) {
			for word, on := range map[string]bool{
				"any": f.Merge || f.RetainKeys || f.Replace, "key": f.MergeKey != "", "retainKeys": f.RetainKeys, "replace": f.Replace,
				"set": f.ListType == "set", "map": f.ListType == "map", "map without keys": f.ListType == "map" && len(f.ListKeys) == 0,
			} {
				if on {
					count[word]++
				}
			}
		})
	}
	want := map[string]int{"any": 92, "key": 88, "retainKeys": 10, "replace": 1, "set": 26, "map": 108}
	if !maps.Equal(count, want) {
		t.Errorf("counted %v, want %v", count, want)
	}
}

func TestListAndMapTypes(t *testing.T) {
	for _, test := range []struct{ typ, field, list, keys, mapType string }{
		{"core/v1.Container", "ports", "map", "containerPort,protocol", ""},
		{"core/v1.PodSpec", "topologySpreadConstraints", "map", "topologyKey,whenUnsatisfiable", ""},
		{"core/v1.PodSpec", "tolerations", "atomic", "", ""},
		{"core/v1.PodSpec", "nodeSelector", "", "", "atomic"},
		{"core/v1.Container", "command", "atomic", "", ""},
		{"meta/v1.ObjectMeta", "finalizers", "set", "", ""},
		{"meta/v1.ObjectMeta", "labels", "", "", ""},
		{"core/v1.ResourceRequirements", "claims", "map", "name", ""},
	} {
		f := field(t, test.typ, test.field)
		if f.ListType != test.list || strings.Join(f.ListKeys, ",") != test.keys || f.MapType != test.mapType {
			t.Errorf("%s.%s: list %q by %v, map %q", test.typ, test.field, f.ListType, f.ListKeys, f.MapType)
		}
	}
	for typ, want := range map[string]string{
		"meta/v1.LabelSelector": "atomic", "core/v1.ObjectFieldSelector": "atomic", "rbac/v1.RoleRef": "atomic", "core/v1.PodSpec": "",
	} {
		if got := TypeNamed(typ).MapType; got != want {
			t.Errorf("%s: map type %q, want %q", typ, got, want)
		}
	}
}

func TestFieldFacts(t *testing.T) {
	for _, test := range []struct{ typ, field, want string }{
		{"core/v1.PodSpec", "seLinuxOptions", ""},
		{"core/v1.PodSecurityContext", "seLinuxOptions", "SELinuxOptions *v1.SELinuxOptions omitempty"},
		{"core/v1.PodSpec", "dnsPolicy", "DNSPolicy v1.DNSPolicy omitempty"},
		{"core/v1.PodSpec", "hostIPC", "HostIPC bool omitempty"},
		{"core/v1.PodSpec", "serviceAccount", "DeprecatedServiceAccount string omitempty"},
		{"core/v1.PodSpec", "containers", "Containers []v1.Container"},
		{"core/v1.PodSpec", "workloadRef", "WorkloadRef *v1.WorkloadReference omitempty 35-35"},
		{"core/v1.PodSpec", "hostnameOverride", "HostnameOverride *string omitempty 34-0"},
		{"core/v1.Volume", "configMap", "ConfigMap *v1.ConfigMapVolumeSource omitempty"},
		{"core/v1.ContainerPort", "protocol", `Protocol v1.Protocol omitempty ="TCP"`},
		{"core/v1.AzureDiskVolumeSource", "cachingMode", `CachingMode *v1.AzureDataDiskCachingMode omitempty ="ReadWrite"`},
		{"core/v1.ReplicationControllerSpec", "replicas", "Replicas *int32 omitempty =1"},
		{"core/v1.Secret", "data", "Data map[string][]uint8 omitempty"},
		{"core/v1.ResourceRequirements", "limits", "Limits v1.ResourceList omitempty"},
		{"core/v1.ServicePort", "targetPort", "TargetPort intstr.IntOrString omitempty"},
		{"core/v1.Container", "resources", "Resources v1.ResourceRequirements omitempty"},
		{"core/v1.PersistentVolumeClaimSpec", "resources", "Resources v1.VolumeResourceRequirements omitempty"},
		{"meta/v1.ObjectMeta", "creationTimestamp", "CreationTimestamp v1.Time omitempty omitzero"},
		{"meta/v1.ObjectMeta", "uid", "UID types.UID omitempty"},
		{"apps/v1.Deployment", "metadata", "ObjectMeta v1.ObjectMeta omitempty"},
		{"apps/v1.DeploymentSpec", "template", "Template v1.PodTemplateSpec"},
		{"admissionregistration/v1.ValidatingWebhook", "rules", "Rules []v1.RuleWithOperations omitempty"},
		{"apiextensions/v1.JSONSchemaProps", "$ref", "Ref *string omitempty"},
	} {
		f := TypeNamed(test.typ).Field(test.field)
		if got := facts(f); got != test.want {
			t.Errorf("%s.%s: %q, want %q", test.typ, test.field, got, test.want)
		}
	}
}

// facts spells a field as Go does, "" for nil.
func facts(f *Field) string {
	if f == nil {
		return ""
	}
	text := f.Go + " "
	if f.Pointer {
		text += "*"
	}
	text += f.Type.Go
	if f.OmitEmpty {
		text += " omitempty"
	}
	if f.OmitZero {
		text += " omitzero"
	}
	if f.Since != 0 || f.Until != 0 {
		text += fmt.Sprintf(" %d-%d", f.Since, f.Until)
	}
	if f.Default != "" {
		text += " =" + f.Default
	}
	return text
}

func TestForms(t *testing.T) {
	forms := map[string]Form{
		"core/v1.PodSpec": Struct, "core/v1.ResourceList": Map, "apiextensions/v1.ValidationRules": List, "core/v1.Protocol": String,
		"resource.Quantity": Quantity, "intstr.IntOrString": IntOrString, "meta/v1.Time": Time, "meta/v1.MicroTime": MicroTime,
		"runtime.RawExtension": Any, "meta/v1.FieldsV1": Any, "apiextensions/v1.JSON": Any,
		"apiextensions/v1.JSONSchemaPropsOrBool": SchemaOrBool, "apiextensions/v1.JSONSchemaPropsOrArray": SchemaOrArray,
		"apiextensions/v1.JSONSchemaPropsOrStringArray": SchemaOrStrings,
	}
	TypeNamed("apiextensions/v1.CustomResourceDefinition")
	for name, want := range forms {
		if got := TypeNamed(name); got == nil || got.Form != want || got.Name != name {
			t.Errorf("%s: got %+v, want form %d", name, got, want)
		}
	}
	props := TypeNamed("apiextensions/v1.JSONSchemaProps")
	for name, want := range map[string]Form{"minLength": Int, "maximum": Float, "nullable": Bool, "enum": List, "properties": Map, "items": SchemaOrArray} {
		if f := props.Field(name); f.Type.Form != want {
			t.Errorf("JSONSchemaProps.%s: form %d, want %d", name, f.Type.Form, want)
		}
	}
	if props.Field("items").Type.Elem != props || props.Field("properties").Type.Elem != props {
		t.Error("JSONSchemaProps does not refer to itself")
	}
	if f := TypeNamed("admissionregistration/v1.WebhookClientConfig").Field("caBundle"); f.Type.Form != Bytes {
		t.Errorf("caBundle: form %d", f.Type.Form)
	}
	for _, name := range []string{"core/v1.Nothing", "nothing/v1.Pod", "string", ""} {
		if got := TypeNamed(name); got != nil {
			t.Errorf("%q: got %+v", name, got)
		}
	}
}
