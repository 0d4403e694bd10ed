package server_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/merge/kube/internal/server"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

// object reads YAML whose numbers are integers.
func object(t *testing.T, text string) tree.Object {
	t.Helper()
	var m tree.Object
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return whole(m).(tree.Object)
}

func whole(v any) any {
	switch v := v.(type) {
	case float64:
		return int64(v)
	case map[string]any:
		for k, x := range v {
			v[k] = whole(x)
		}
	case []any:
		for i, x := range v {
			v[i] = whole(x)
		}
	}
	return v
}

func normal(t *testing.T, text string) (tree.Object, []string, error) {
	t.Helper()
	obj := object(t, text)
	return server.Normal(obj, schema.ParseKind(tree.String(obj, "apiVersion"), tree.String(obj, "kind")), 36, false)
}

func TestNormal(t *testing.T) {
	for _, c := range []struct{ name, config, path, want string }{
		{"an image volume has a pull policy whatever the name sorts before it", "{apiVersion: v1, kind: Pod, spec: {volumes: [{name: a, image: {reference: x}, nfs: {server: b}}]}}", "spec volumes", "[{name: a, image: {reference: x, pullPolicy: Always}, nfs: {server: b, path: ''}}]"},
		{"a zero target port prints", "{apiVersion: v1, kind: Service, spec: {ports: [{}]}}", "spec ports", "[{port: 0, protocol: TCP, targetPort: 0}]"},
		{"a rolling update of another strategy is zero", "{apiVersion: apps/v1, kind: DaemonSet, spec: {updateStrategy: {type: OnDelete, rollingUpdate: {}}}}", "spec updateStrategy", "{type: OnDelete, rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}"},
		{"a negative grace period of a Pod is a second", "{apiVersion: v1, kind: Pod, spec: {terminationGracePeriodSeconds: -3}}", "spec terminationGracePeriodSeconds", "1"},
		{"a null value of a Secret is empty", "{apiVersion: v1, kind: Secret, data: {a: null}}", "data", "{a: ''}"},
		{"overhead is not rounded", "{apiVersion: node.k8s.io/v1, kind: RuntimeClass, handler: a, overhead: {podFixed: {cpu: 1u}}}", "overhead podFixed", "{cpu: 1u}"},
		{"the items of a JSON schema may hold anything", "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {versions: [{schema: {openAPIV3Schema: {items: {newkey: 1, type: a}}}}]}}", "spec versions", "[{name: '', served: false, storage: false, schema: {openAPIV3Schema: {items: {type: a}}}}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, unknown, err := normal(t, c.config)
			if err != nil || len(unknown) > 0 {
				t.Fatal(err, unknown)
			}
			got, _ := tree.Get(out, strings.Fields(c.path)...)
			if want := object(t, "{v: "+c.want+"}")["v"]; !tree.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestNormalErrors(t *testing.T) {
	for _, c := range []struct{ name, config, want string }{
		{"Go names embedded structs", "{apiVersion: v1, kind: Pod, spec: {volumes: [{configMap: a}]}}",
			"json: cannot unmarshal string into Go struct field Volume.spec.volumes.VolumeSource.configMap of type v1.ConfigMapVolumeSource"},
		{"a quantity ends decoding", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: 1, resources: {limits: {cpu: a}}}]}}",
			"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
		{"a field of another type does not", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: 1, image: 2}]}}",
			"json: cannot unmarshal number into Go struct field Container.spec.containers.image of type string"},
		{"an annotation that conversion reads", "{apiVersion: apps/v1, kind: Deployment, metadata: {annotations: {deprecated.deployment.rollback.to: x}}}",
			`failed to parse annotation[deprecated.deployment.rollback.to]=x as int64: strconv.ParseInt: parsing "x": invalid syntax`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := normal(t, c.config); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
