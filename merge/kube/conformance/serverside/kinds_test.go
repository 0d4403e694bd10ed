package serverside

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/kube-openapi/pkg/validation/spec"

	ours "threeway/merge/kube/internal/serverside"
	"threeway/merge/kube/schema"
	"threeway/merge/tree"
)

const minor = 37

// kind is one kind of object on both sides.
type kind struct {
	schema.Kind
	fields   *schema.Type
	manager  *ours.Manager
	upstream *managedfields.FieldManager
}

var apiVersions = map[string][]string{
	"v1":                           {"ConfigMap", "Secret", "Service", "Pod", "PersistentVolumeClaim", "ServiceAccount", "Node"},
	"apps/v1":                      {"Deployment", "StatefulSet", "DaemonSet"},
	"batch/v1":                     {"Job", "CronJob"},
	"networking.k8s.io/v1":         {"Ingress", "NetworkPolicy"},
	"autoscaling/v2":               {"HorizontalPodAutoscaler"},
	"policy/v1":                    {"PodDisruptionBudget"},
	"apiextensions.k8s.io/v1":      {"CustomResourceDefinition"},
	"rbac.authorization.k8s.io/v1": {"ClusterRole", "RoleBinding"},
}

// kinds are the kinds with a published schema; the test is skipped if there is
// none.
func kinds(t testing.TB) []*kind {
	t.Helper()
	list := allKinds()
	if len(list) == 0 {
		t.Skip("no OpenAPI documents: run go mod download k8s.io/kubernetes@v1.37.2, or set CONFORMANCE_OPENAPI")
	}
	return list
}

var allKinds = sync.OnceValue(func() []*kind {
	var list []*kind
	for apiVersion, names := range apiVersions {
		schemas := openAPI(apiVersion)
		if schemas == nil {
			continue
		}
		converter, err := managedfields.NewTypeConverter(schemas, false)
		if err != nil {
			panic(err)
		}
		for _, name := range names {
			k := schema.ParseKind(apiVersion, name)
			fields := schema.Lookup(k)
			own := ours.Builtin(fields, minor)
			list = append(list, &kind{k, fields, &ours.Manager{
				Kind:    k,
				Type:    func(string) (ours.Type, error) { return own, nil },
				Convert: func(obj tree.Object, _ string) (tree.Object, error) { return obj, nil },
				Reset:   func(string) []string { return nil },
			}, managedfieldstest.NewFakeFieldManager(converter, gvk.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind})})
		}
	}
	slices.SortFunc(list, func(a, b *kind) int { return strings.Compare(a.Kind.GroupKind(), b.Kind.GroupKind()) })
	return list
})

// openAPI reads the schemas of a group and version; nil if there are none.
func openAPI(apiVersion string) map[string]*spec.Schema {
	name := "apis__" + strings.Replace(apiVersion, "/", "__", 1) + "_openapi.json"
	if !strings.Contains(apiVersion, "/") {
		name = "api__" + apiVersion + "_openapi.json"
	}
	data, err := os.ReadFile(filepath.Join(openAPIDir(), name))
	if err != nil {
		return nil
	}
	var doc struct {
		Components struct {
			Schemas map[string]*spec.Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		panic(err)
	}
	return doc.Components.Schemas
}

var openAPIDir = sync.OnceValue(func() string {
	if dir := os.Getenv("CONFORMANCE_OPENAPI"); dir != "" {
		return dir
	}
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return ""
	}
	return filepath.Join(strings.TrimSpace(string(out)), "k8s.io/kubernetes@v1.37.2/api/openapi-spec/v3")
})
