package reference

import (
	"strings"
	"testing"

	"threeway/merge/impact/setting"
	"threeway/merge/kube/schema"
	"threeway/merge/manifest"
	"threeway/merge/tree"
)

// TestTable holds the fields of the table to the types of the built-in kinds.
func TestTable(t *testing.T) {
	known := map[string]bool{}
	for _, r := range schema.Resources() {
		known[r.GroupKind()] = true
		for _, f := range Table {
			for _, at := range setting.Places(f.From, r.Kind) {
				path := at + f.Field
				for _, below := range []string{"", f.Name, f.Part} {
					field := path
					if below != "" {
						field += "." + below
					}
					if at := schema.Lookup(r.Kind); at != nil && !reaches(at, field) {
						t.Errorf("%s has no %s", r.GroupKind(), field)
					}
				}
			}
		}
	}
	for _, f := range Table {
		if f.Effect == "" {
			t.Errorf("%s %s: no effect", f.From, f.Field)
		}
		if f.To != "" && f.To[0] != '.' && !known[f.To] && !strings.Contains(f.To, ".gateway.") && !strings.Contains(f.To, ".snapshot.") {
			t.Errorf("%s %s: no kind %s", f.From, f.Field, f.To)
		}
	}
}

// reaches reports whether a field of a type leads somewhere.
func reaches(at *schema.Type, field string) bool {
	for _, step := range strings.Split(strings.ReplaceAll(field, "[]", ".[]"), ".") {
		switch {
		case at == nil:
			return false
		case step == "[]":
			at = at.Elem
		default:
			f := at.Field(step)
			if f == nil {
				return false
			}
			at = f.Type
		}
	}
	return true
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		kind   schema.Kind
		object tree.Object
		want   string
	}{
		{schema.Kind{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"},
			tree.Object{"spec": tree.Object{"scaleTargetRef": tree.Object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}}, "shop/Deployment.apps/web"},
		{schema.Kind{Group: "keda.sh", Version: "v1alpha1", Kind: "ScaledObject"},
			tree.Object{"spec": tree.Object{"scaleTargetRef": tree.Object{"name": "web"}}}, "shop/Deployment.apps/web"},
		{schema.Kind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleBinding"},
			tree.Object{"roleRef": tree.Object{"kind": "ClusterRole", "name": "web"}}, "ClusterRole.rbac.authorization.k8s.io/web"},
		{schema.Kind{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRoute"},
			tree.Object{"spec": tree.Object{"parentRefs": []any{tree.Object{"name": "edge", "namespace": "infra"}, tree.Object{"kind": "Service", "group": "", "name": "mesh"}}}}, "infra/Gateway.gateway.networking.k8s.io/edge"},
		{schema.Kind{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRoute"},
			tree.Object{"spec": tree.Object{"rules": []any{tree.Object{"backendRefs": []any{tree.Object{"name": "web", "port": int64(80)}}}}}}, "shop/Service/web 80"},
		{schema.Kind{Group: "cert-manager.io", Version: "v1", Kind: "Certificate"},
			tree.Object{"spec": tree.Object{"issuerRef": tree.Object{"kind": "AWSPCAIssuer", "group": "awspca.cert-manager.io", "name": "ca"}}}, ""},
		{schema.Kind{Version: "v1", Kind: "Pod"},
			tree.Object{"spec": tree.Object{"volumes": []any{tree.Object{"secret": tree.Object{"secretName": "tls", "items": []any{tree.Object{"key": "a"}, tree.Object{"key": "b"}}}}}}},
			"shop/Secret/tls a, shop/Secret/tls b"},
		{schema.Kind{Group: "example.com", Version: "v1", Kind: "Bucket"}, tree.Object{"spec": tree.Object{"users": []any{tree.Object{"secret": "a"}, tree.Object{"secret": "b"}}}}, "shop/Secret/a, shop/Secret/b"},
	} {
		more := []Fact{{From: "Bucket.example.com", Field: "spec.users[].secret", To: "Secret"}}
		var got []string
		for _, r := range Of(c.kind, "shop", c.object, more) {
			text := r.To.String()
			switch part := r.Part.(type) {
			case string:
				text += " " + part
			case int64:
				text += " 80"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %q, want %q", c.kind.Kind, text, c.want)
		}
	}
}

// TestBuiltin: what every cluster has is no missing reference.
func TestBuiltin(t *testing.T) {
	for _, c := range []struct {
		kind, name string
		want       bool
	}{
		{"ConfigMap", "kube-root-ca.crt", true}, {"ConfigMap", "settings", false}, {"ServiceAccount", "default", true}, {"ServiceAccount", "web", false},
		{"PriorityClass.scheduling.k8s.io", "system-node-critical", true}, {"ClusterRole.rbac.authorization.k8s.io", "view", true}, {"Secret", "default", false},
	} {
		kind, group, _ := strings.Cut(c.kind, ".")
		if got := Builtin(manifest.Identity{Group: group, Kind: kind, Name: c.name}); got != c.want {
			t.Errorf("%s %s is in every cluster: %v", c.kind, c.name, got)
		}
	}
}
