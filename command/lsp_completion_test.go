package command

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// typed puts another text into the file of the shop, in which | is the cursor, and asks
// what can be typed there.
func (c *lspClient) typed(old, new string) (items []map[string]any) {
	c.t.Helper()
	before, after, found := cutLast(references, old)
	if !found {
		c.t.Fatalf("no %q", old)
	}
	head, tail, _ := strings.Cut(new, "|")
	c.edit(shopFile, before+head+tail+after)
	at := c.at(shopFile, 1)
	line := (before + head)[strings.LastIndex(before+head, "\n")+1:]
	at["position"] = map[string]any{"line": strings.Count(before+head, "\n"), "character": len(utf16.Encode([]rune(line)))}
	answer, _ := c.call("textDocument/completion", at).(map[string]any)
	list, _ := answer["items"].([]any)
	for _, item := range list {
		items = append(items, item.(map[string]any))
	}
	return items
}

// labels are those of completions, and what each of them inserts if that is something else.
func labels(items []map[string]any) (list []string) {
	for _, item := range items {
		text := item["label"].(string)
		if insert := item["textEdit"].(map[string]any)["newText"].(string); insert != text {
			text += "=>" + insert
		}
		list = append(list, text)
	}
	return list
}

func TestLSPCompletesNames(t *testing.T) {
	c := inShop(t, map[string]any{"besideYamlServer": true})
	for _, q := range []struct{ name, old, new, want string }{
		{"ConfigMaps of manifests", "        name: web\n", "        name: |\n", "settings web"},
		{"a name with a beginning", "        name: web\n", "        name: se|\n", "settings"},
		{"in the middle of a name", "        name: web\n", "        name: se|ttin\n", "settings"},
		{"in quotes", "        name: web\n", "        name: \"|\"\n", "settings web"},
		{"a key of a ConfigMap", "{name: settings, key: level}", "{name: settings, key: |}", "level tls.crt"},
		{"a name in braces", "{name: settings, key: level}", "{name: |, key: level}", "settings web"},
		{"Secrets of the snapshot, in the same namespace", "          name: database\n", "          name: |\n", "database"},
		{"keys of a Secret", "          key: password\n", "          key: |\n", "password user"},
		{"a Service", "            name: api\n            port", "            name: |\n            port", "api"},
		{"a port by name", "              name: http\n", "              name: |\n", "http"},
		{"a port by number", "              name: http\n", "              number: |\n", "80"},
		{"a ServiceAccount", "serviceAccountName: runner", "serviceAccountName: |", "runner"},
		{"a class", "ingressClassName: public", "ingressClassName: |", "public"},
		{"while another line is incomplete", "    envFrom:\n    - configMapRef:\n        name: web\n", "    envFrom:\n    - configMapRef:\n        name: |\n    volumes: [\n", "settings web"},
		{"a field that names nothing", "image: api:1", "image: |", ""},
		{"a field of a kind, which the other server knows", "serviceAccountName: runner\n", "serviceAccountName: runner\n  rest|\n", ""},
	} {
		if got := strings.Join(labels(c.typed(q.old, q.new)), " "); got != q.want {
			t.Errorf("%s: %q, want %q", q.name, got, q.want)
		}
	}
	items := c.typed("        name: web\n", "        name: s|\n")
	holds(t, "where it is", items, "ConfigMap at config/shop.yaml:1")
	c.end(0)
}

// TestLSPCompletesClaims: of claims, classes, and what has a key that is a number.
func TestLSPCompletesClaims(t *testing.T) {
	dir := inExample(t)
	save(t, "live.yaml", load(t, "live.yaml")+shopLive+`---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: shop, uid: "7"}}
---
{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast, uid: "8"}, provisioner: example.com/fast}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: numbers, namespace: shop, uid: "9"}, data: {"8080": a, "on": b, c: d, "e: f": g, "h\nx: y": i}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: "n\u202e", namespace: shop, uid: "10"}, data: {z: a}}
`)
	save(t, shopFile, references)
	c := lspIn(t, dir, nil)
	c.open(shopFile, references)
	for _, q := range []struct{ name, old, new, want string }{
		{"a claim", "  containers:\n  - name: api\n", "  volumes:\n  - name: x\n    persistentVolumeClaim: {claimName: |}\n  containers:\n  - name: api\n", "data"},
		{"a class", "apiVersion: v1\nkind: Pod\n", "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: b, namespace: shop}\nspec:\n  storageClassName: |\n---\napiVersion: v1\nkind: Pod\n", "fast"},
		{"who a binding is for", "apiVersion: v1\nkind: Pod\n", "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b, namespace: shop}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: a}\nsubjects:\n- kind: ServiceAccount\n  name: |\n  namespace: shop\n---\napiVersion: v1\nkind: Pod\n", "runner"},
		{"what an autoscaler scales", "apiVersion: v1\nkind: Pod\n", "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: b, namespace: shop}\nspec:\n  maxReplicas: 3\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: |\n---\napiVersion: v1\nkind: Pod\n", "web"},
		{"a namespace", "  name: api\n  namespace: shop\nspec:\n  serviceAccountName", "  name: api\n  namespace: |\nspec:\n  serviceAccountName", "shop"},
		{"keys that are numbers; none that would be more in YAML", "{name: settings, key: level}", "{name: numbers, key: |}", `8080=>"8080" c on=>"on"`},
	} {
		if got := strings.Join(labels(c.typed(q.old, q.new)), " "); got != q.want {
			t.Errorf("%s: %q, want %q", q.name, got, q.want)
		}
	}
	holds(t, "a name with a character that acts", c.typed("{name: settings, key: level}", `{name: "n\u202e", key: |}`), `in ConfigMap n\u202e in the snapshot`)
	c.end(0)
}

// TestLSPCompletesInJSON: within quotes only the word is inserted.
func TestLSPCompletesInJSON(t *testing.T) {
	dir := inExample(t)
	save(t, "live.yaml", load(t, "live.yaml")+shopLive)
	file, text := "config/pod.json", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"a\", \"namespace\": \"shop\"},\n\"spec\": {\"serviceAccountName\": \"\",\n\"restartPolicy\": \"\",\n\"hostNetwork\": true,\n\"containers\": [{\"name\": \"a\", \"image\": \"a\"}]}}\n"
	save(t, file, text)
	c := lspIn(t, dir, nil)
	c.open(file, text)
	for line, q := range map[int]struct {
		character int
		want      string
	}{1: {32, "runner"}, 2: {18, "Always"}, 3: {8, "hostNetwork"}} {
		at := c.at(file, line+1)
		at["position"] = map[string]any{"line": line, "character": q.character}
		answer, _ := c.call("textDocument/completion", at).(map[string]any)
		var items []map[string]any
		list, _ := answer["items"].([]any)
		for _, item := range list {
			items = append(items, item.(map[string]any))
		}
		if got := labels(items); !slices.Contains(got, q.want) {
			t.Errorf("line %d: no %q in %q", line, q.want, got)
		}
	}
	c.end(0)
}

func TestLSPCompletesFields(t *testing.T) {
	c := inShop(t, nil)
	for _, q := range []struct{ name, old, new, want, without string }{
		{"fields beside others", "serviceAccountName: runner\n", "serviceAccountName: runner\n  |\n", "restartPolicy=>restartPolicy: ;volumes=>volumes:;initContainers=>initContainers:", "serviceAccountName;containers;image"},
		{"a field that is begun", "serviceAccountName: runner\n", "serviceAccountName: runner\n  rest|\n", "restartPolicy=>restartPolicy: ", "containers"},
		{"a key with a value", "serviceAccountName: runner\n", "service|: runner\n", "serviceAccountName", "serviceAccountName=>serviceAccountName: "},
		{"the first field of an item", "    - configMapRef:\n        name: web\n", "    - |\n", "configMapRef=>configMapRef:;prefix=>prefix: ;secretRef=>secretRef:", ""},
		{"a field of an item", "    image: api:1\n", "    image: api:1\n    |\n", "imagePullPolicy=>imagePullPolicy: ", "image=>image: ;env=>env:"},
		{"the first field below another", "    image: api:1\n", "    image: api:1\n    livenessProbe:\n      |\n", "httpGet=>httpGet:;periodSeconds=>periodSeconds: ", "image"},
		{"fields of the object", "kind: Pod\n", "kind: Pod\nsp|\n", "", "status;spec"},
		{"metadata, without what the server writes", "  name: api\n  namespace: shop\nspec:\n  serviceAccountName", "  name: api\n  namespace: shop\n  |\nspec:\n  serviceAccountName", "labels=>labels:;annotations=>annotations:", "uid;managedFields;resourceVersion"},
		{"values of a field", "serviceAccountName: runner\n", "serviceAccountName: runner\n  restartPolicy: |\n", "Always;OnFailure;Never", "true"},
		{"values of a field of an item", "    image: api:1\n", "    image: api:1\n    imagePullPolicy: If|\n", "IfNotPresent;Always;Never", ""},
		{"true or false", "serviceAccountName: runner\n", "serviceAccountName: runner\n  hostNetwork: |\n", "true;false", ""},
		{"values in another kind", "pathType: Prefix", "pathType: |", "Exact;ImplementationSpecific;Prefix", ""},
		{"any text", "image: api:1", "image: |", "", "true;Always"},
	} {
		got := labels(c.typed(q.old, q.new))
		for _, want := range strings.Split(q.want, ";") {
			if want != "" && !slices.Contains(got, want) {
				t.Errorf("%s: no %q in %q", q.name, want, got)
			}
		}
		for _, label := range strings.Split(q.without, ";") {
			if slices.ContainsFunc(got, func(g string) bool {
				name, _, _ := strings.Cut(g, "=>")
				return label != "" && (name == label || g == label)
			}) && !strings.Contains(q.want, label) {
				t.Errorf("%s: %q in %q", q.name, label, got)
			}
		}
	}
	items := c.typed("    image: api:1\n", "    |\n")
	holds(t, "what a field holds", items, "list of ContainerPort", "ResourceRequirements")
	c.end(0)
}

// TestLSPCompletesCustomFields: those of a kind that the snapshot has the definition of.
func TestLSPCompletesCustomFields(t *testing.T) {
	dir := inExample(t)
	save(t, "live.yaml", load(t, "live.yaml")+shopLive+`---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: buckets.example.com, uid: "7"}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Bucket, plural: buckets, singular: bucket, listKind: BucketList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [region]
            properties:
              region: {type: string, enum: [north, south]}
              public: {type: boolean}
              users: {type: array, items: {type: object, properties: {name: {type: string}, role: {type: string}}}}
status: {acceptedNames: {kind: Bucket, plural: buckets, singular: bucket, listKind: BucketList}, storedVersions: [v1], conditions: [{type: Established, status: "True", reason: a, message: b, lastTransitionTime: "2026-01-01T00:00:00Z"}]}
`)
	save(t, shopFile, references)
	c := lspIn(t, dir, nil)
	c.open(shopFile, references)
	pod := "apiVersion: v1\nkind: Pod\n"
	bucket := "apiVersion: example.com/v1\nkind: Bucket\nmetadata: {name: b, namespace: shop}\nspec:\n"
	for _, q := range []struct{ name, new, want string }{
		{"fields", "  |\n", "public=>public:  region=>region:  users=>users:"},
		{"fields beside others", "  public: true\n  |\n", "region=>region:  users=>users:"},
		{"fields of an item", "  users:\n  - name: a\n    |\n", "role=>role: "},
		{"values", "  region: |\n", "north south"},
		{"true or false", "  public: |\n", "true false"},
	} {
		if got := strings.Join(labels(c.typed(pod, bucket+q.new+"---\n"+pod)), " "); got != q.want {
			t.Errorf("%s: %q, want %q", q.name, got, q.want)
		}
	}
	holds(t, "what a field holds", c.typed(pod, bucket+"  |\n---\n"+pod), "string, required", "array")
	c.end(0)
}
