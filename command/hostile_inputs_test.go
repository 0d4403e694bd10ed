package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"threeway/command/run"
	"threeway/fixtures/breadth"
)

// hostileShape puts a hostile text into the places of an input. It returns the
// objects of the manifests and of the snapshot, and the settings.
type hostileShape func(h string) (config, live []any, settings string)

type fields = map[string]any

var hostileShapes = map[string]hostileShape{
	"names": func(h string) ([]any, []any, string) {
		uid := "1c2f9a70-0000-4000-8000-000000000001"
		with := func(o fields, uid string) fields {
			data, _ := json.Marshal(o)
			var again fields
			_ = json.Unmarshal(data, &again)
			meta := again["metadata"].(fields)
			meta["uid"] = uid
			meta["annotations"] = fields{"kubectl.kubernetes.io/last-applied-configuration": string(data)}
			again["data"] = fields{"a": "live"}
			return again
		}
		named := fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": h, "namespace": "shop"}, "data": fields{"a": "b"}}
		spaced := fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "a", "namespace": h}, "data": fields{"a": "b"}}
		keyed := fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "keyed", "namespace": "shop"}, "data": fields{h: "b", "x": h}}
		gone := fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "gone" + h, "namespace": "shop", "labels": fields{"a": h}}, "data": fields{"a": "b"}}
		return []any{named, spaced, keyed}, []any{with(named, uid), with(spaced, uid[:35]+"2"), with(keyed, uid[:35]+"3"), with(gone, uid[:35]+"4")}, "version: 1\n"
	},
	"kinds": func(h string) ([]any, []any, string) {
		return []any{
			fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "a", "namespace": "shop"}},
			fields{"apiVersion": "example.com/v1", "kind": h, "metadata": fields{"name": "a", "namespace": "shop"}},
			fields{"apiVersion": h, "kind": "Widget", "metadata": fields{"name": "a", "namespace": "shop"}},
		}, []any{fields{"apiVersion": "example.com/v1", "kind": "W" + h, "metadata": fields{"name": "b", "namespace": "shop", "uid": "x"}}}, "version: 1\n"
	},
	"values": func(h string) ([]any, []any, string) {
		web := func(image, left string) fields {
			return fields{
				"apiVersion": "apps/v1", "kind": "Deployment", "metadata": fields{"name": "web", "namespace": "shop", "annotations": fields{"example.com/a": h + left}},
				"spec": fields{"selector": fields{"matchLabels": fields{"app": "web"}}, "template": fields{
					"metadata": fields{"labels": fields{"app": "web"}, "annotations": fields{"example.com/b": h + left}},
					"spec": fields{"containers": []any{fields{
						"name": "web", "image": image, "command": []any{h, left}, "env": []any{fields{"name": "A", "value": h + left}, fields{"name": "B", "valueFrom": fields{"configMapKeyRef": fields{"name": h, "key": h}}}},
						"resources": fields{"limits": fields{"memory": h}},
					}}},
				}},
			}
		}
		free := func(left string) fields {
			return fields{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": fields{"name": "w", "namespace": "shop"}, "spec": fields{"a" + h: "x" + left, "items": []any{fields{"name": h, "v": left}}, "text": h}}
		}
		labels := fields{"apiVersion": "v1", "kind": "Service", "metadata": fields{"name": "s", "namespace": "shop", "labels": fields{h: "x", "y": h}}, "spec": fields{"selector": fields{"app": h}, "ports": []any{fields{"name": h, "port": 80}}}}
		store := func(o fields, last any) fields {
			data, _ := json.Marshal(last)
			meta := o["metadata"].(fields)
			notes, _ := meta["annotations"].(fields)
			if notes == nil {
				notes = fields{}
			}
			notes["kubectl.kubernetes.io/last-applied-configuration"] = string(data)
			meta["annotations"], meta["uid"] = notes, "1c2f9a70-0000-4000-8000-000000000011"
			meta["managedFields"] = []any{
				fields{"manager": "kubectl-client-side-apply", "operation": "Update", "apiVersion": o["apiVersion"], "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": fields{"f:spec": fields{"f:replicas": fields{}}}},
				fields{"manager": h, "operation": "Update", "apiVersion": o["apiVersion"], "time": "2026-01-02T00:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": fields{"f:spec": fields{"f:paused": fields{}, "f:text": fields{}}, "f:metadata": fields{"f:annotations": fields{"f:example.com/a": fields{}}}}},
			}
			return o
		}
		// What the server accepts.
		plain := func(data fields) fields {
			return fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "plain", "namespace": "shop"}, "data": data}
		}
		return []any{web("x:1", ""), free(""), labels, plain(fields{"a": h})},
			[]any{store(web("x:2", "y"), web(h, "z")), store(free("y"), free("z")), store(plain(fields{"a": h + "y", "kept": h}), plain(fields{"a": h}))}, "version: 1\n"
	},
	"rules": func(h string) ([]any, []any, string) {
		object := func(uid string) fields {
			return fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "a", "namespace": "shop", "annotations": fields{"threeway.dev/ignore.says": h, "threeway.dev/ignore." + h: h}}, "data": fields{"x": h}}
		}
		return []any{object("")}, nil, "version: 1\npolicies: [own.yaml]\n"
	},
	"appliers": func(h string) ([]any, []any, string) {
		config := fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "a", "namespace": "shop"}, "data": fields{"x": "y"}}
		return []any{config}, []any{
			fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "a", "namespace": "shop", "uid": "1c2f9a70-0000-4000-8000-000000000021",
				"labels":      fields{"kustomize.toolkit.fluxcd.io/name": h, "kustomize.toolkit.fluxcd.io/namespace": "flux-system", "app.kubernetes.io/managed-by": "Helm"},
				"annotations": fields{"argocd.argoproj.io/tracking-id": h + ":/ConfigMap:shop/a", "meta.helm.sh/release-name": h, "meta.helm.sh/release-namespace": h}}, "data": fields{"x": "z"}},
			fields{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": fields{"name": h, "namespace": "argocd", "uid": "1c2f9a70-0000-4000-8000-000000000022"}, "spec": fields{"destination": fields{"namespace": "shop", "name": h}, "project": h}},
			fields{"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": fields{"name": h, "namespace": "flux-system", "uid": "1c2f9a70-0000-4000-8000-000000000023"}, "spec": fields{"prune": true, "suspend": true, "path": h, "targetNamespace": "shop"}},
		}, "version: 1\n"
	},
	// What the server accepts as any text, and says again.
	"accepted": func(h string) ([]any, []any, string) {
		name := func(n string) fields { return fields{"name": n, "namespace": "shop"} }
		live := func(o fields, uid string) fields {
			data, _ := json.Marshal(o)
			var again fields
			_ = json.Unmarshal(data, &again)
			again["metadata"].(fields)["uid"] = "1c2f9a70-0000-4000-8000-0000000000" + uid
			return again
		}
		role := func(verbs ...any) fields {
			return fields{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": name("r"), "rules": []any{fields{"apiGroups": []any{"", h}, "resources": []any{"secrets", h}, "resourceNames": []any{h}, "verbs": append(verbs, h)}}}
		}
		binding := fields{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": name("b"), "roleRef": fields{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "r"}, "subjects": []any{fields{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": h}}}
		ingress := func(paths ...any) fields {
			var list []any
			for _, p := range paths {
				list = append(list, fields{"path": p, "pathType": "ImplementationSpecific", "backend": fields{"service": fields{"name": "s", "port": fields{"number": 80}}}})
			}
			return fields{"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": name("i"), "spec": fields{"rules": []any{fields{"host": "example.com", "http": fields{"paths": list}}}}}
		}
		pods := func(image, path string) fields {
			return fields{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": name("d"), "spec": fields{"selector": fields{"matchLabels": fields{"app": "d"}}, "template": fields{
				"metadata": fields{"labels": fields{"app": "d"}},
				"spec": fields{"volumes": []any{fields{"name": "v", "hostPath": fields{"path": path}}}, "containers": []any{fields{"name": "c", "image": image, "args": []any{h}, "volumeMounts": []any{fields{"name": "v", "mountPath": path}},
					"livenessProbe": fields{"exec": fields{"command": []any{h}}}, "env": []any{fields{"name": "X", "value": h}}}}},
			}}}
		}
		definition := func(pattern string) fields {
			return fields{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": fields{"name": "widgets.example.com"}, "spec": fields{
				"group": "example.com", "scope": "Namespaced", "names": fields{"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
				"versions": []any{fields{"name": "v1", "served": true, "storage": true, "deprecated": true, "deprecationWarning": h, "schema": fields{"openAPIV3Schema": fields{"type": "object", "description": h, "properties": fields{"spec": fields{
					"type": "object", "description": h, "properties": fields{"a": fields{"type": "string", "enum": []any{h + "1"}}, "b": fields{"type": "string", "default": h}, h: fields{"type": "string", "default": "x"}, "p": fields{"type": "string", "pattern": pattern}},
					"x-kubernetes-validations": []any{fields{"rule": "self.a == 'x'", "message": strings.Join(strings.Fields("m "+h), " ")}, fields{"rule": "false", "messageExpression": "self.a"}},
				}}}}}},
			}}
		}
		policy := func(message string) []any {
			return []any{
				fields{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy", "metadata": fields{"name": "p", "uid": "p1"}, "spec": fields{"failurePolicy": "Fail",
					"matchConstraints": fields{"resourceRules": []any{fields{"apiGroups": []any{"*"}, "apiVersions": []any{"*"}, "operations": []any{"*"}, "resources": []any{"*"}}}},
					"validations":      []any{fields{"expression": "!has(object.data) || object.data.x != 'deny'", "message": message}, fields{"expression": "!has(object.data) || !has(object.data.y)", "messageExpression": "object.data.y"}}}},
				fields{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": fields{"name": "p", "uid": "p2"}, "spec": fields{"policyName": "p", "validationActions": []any{"Deny", "Audit"}}},
				fields{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": fields{"name": "w", "uid": "p3"}, "spec": fields{"policyName": "p", "validationActions": []any{"Warn"}}},
			}
		}
		data := func(n string, data fields) fields {
			return fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": name(n), "data": data}
		}
		widget := fields{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": name("w"), "spec": fields{"a": h, "p": h}}
		secret := fields{"apiVersion": "v1", "kind": "Secret", "metadata": name("s"), "type": "t" + h}
		called := func(verb string) fields { // its name is any part of a path
			o := role(verb)
			o["metadata"] = name(strings.NewReplacer("/", "_", "%", "_").Replace("r" + h))
			return o
		}
		return []any{role("get", "delete"), called("list"), binding, ingress("/a"+h, "/"+h), pods(h, "/"+h), definition("^x" + h), widget, secret, data("deny", fields{"x": "deny"}), data("says", fields{"x": "a", "y": h}), fields{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": fields{"name": "pc"}, "value": 1, "description": h}},
			append([]any{live(role("get"), "31"), live(called("get"), "36"), live(ingress("/a"+h, "/b"+h), "32"), live(pods("x:1", "/x"), "33"), live(definition("^y"), "34"), live(data("deny", fields{"x": h}), "35")}, policy(strings.Join(strings.Fields("m "+h), " "))...), "version: 1\n"
	},
	"files": func(h string) ([]any, []any, string) {
		return []any{fields{"apiVersion": "v1", "kind": "ConfigMap", "metadata": fields{"name": "a", "namespace": "shop"}, "data": "x"},
			fields{"apiVersion": "batch/v1", "kind": "Job", "metadata": fields{"name": "a", "namespace": "shop"}, "spec": fields{"x": 1}}}, nil, "version: 1\n"
	},
}

// hostileInput makes the input of a shape the working directory. The file of the
// manifests is named after the text.
func hostileInput(t *testing.T, shape hostileShape, h string) (manifests string) {
	t.Helper()
	t.Chdir(t.TempDir())
	config, live, settings := shape(h)
	name := strings.NewReplacer("/", "_", "\x00", "_").Replace(h)
	manifests = filepath.Join("m", name[:min(len(name), 200)]+".yaml")
	for _, dir := range []string{"m", "out"} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(file string, data []byte) {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".threeway.yaml", []byte(settings))
	quoted := inQuotes(strings.Join(strings.Fields("x "+strings.ToValidUTF8(h, "?")), " "))
	said := strings.Replace(PolicyNamed("own", "'false', message: "+quoted), "{name: own}", "{name: own, annotations: {kubernetes.io/description: "+quoted+"}}", 1)
	write("own.yaml", []byte(said+"---\n"+PolicyNamed("says", "'false', messageExpression: string(object.data.x)")))
	write(manifests, inDocuments(config))
	write("live.yaml", inDocuments(live))
	return manifests
}

func inDocuments(objects []any) []byte {
	var b strings.Builder
	for _, o := range objects {
		data, _ := json.Marshal(o)
		b.WriteString("---\n" + string(data) + "\n")
	}
	return []byte(b.String())
}

// TestPathsForgeNoLines: the name of a file or of a directory begins no line of an output.
func TestPathsForgeNoLines(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"d", "k\nFORGED", "c\nFORGED"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Skip(err) // where names have no line feeds
		}
	}
	for file, text := range map[string]string{
		"d/rejected\nFORGED\n.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"BAD NAME\"}\n",
		"d/unread\nFORGED\n.yaml":      "a: [",
		"d/live\nFORGED\n.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: b}\n",
		"k\nFORGED/kustomization.yaml": "resources: [\"a\\nFORGED\"]\n",
		"c\nFORGED/Chart.yaml":         "apiVersion: v2\nname: c\nversion: 1.0.0\n",
	} {
		save(t, file, text)
	}
	save(t, "settings.yaml", "version: 1\nmanifests: [d]\nkustomize: [\"k\\nFORGED\"]\n")
	for _, line := range []string{
		"lint -f d", "lint -f d -o json", "lint -f d -o brief", "lint -f d -o github", "lint -f d -o sarif", "lint --staged d", "lint -c settings.yaml",
		"review -f d", "review -f d -o markdown", "review -c settings.yaml", "diff -f d --live d", "diff -f d --empty-cluster", "diff -f d --empty-cluster -o fields",
		"merge -f d", "owners -f d --live d", "drift -f d --live d", "handover --to kubectl -f d --live d", "snapshot -f d", "adopt --live d",
	} {
		var out bytes.Buffer
		Run(context.Background(), append([]string{"threeway"}, strings.Fields(line)...), strings.NewReader(""), &out, &out)
		if said := out.String(); strings.Contains("\n"+said, "\nFORGED") || said == "" {
			t.Errorf("threeway %s says\n%s", line, said)
		}
	}
	if code := Run(context.Background(), []string{"threeway", "config", "init"}, strings.NewReader(""), io.Discard, io.Discard); code != 0 || strings.Contains(load(t, ".threeway.yaml"), "\nFORGED") {
		t.Errorf("config init exits with %d and writes\n%s", code, load(t, ".threeway.yaml"))
	}
}

// TestTextsForgeNoLines: no text of an input begins a line of what people read: of a
// report, a note, a warning or an error.
func TestTextsForgeNoLines(t *testing.T) {
	const h = "a\nFORGED b"
	formats := formatsOf("", newApp(&run.Program{}).Commands)
	for i, shape := range slices.Sorted(maps.Keys(hostileShapes)) {
		manifests := hostileInput(t, hostileShapes[shape], h)
		for command, list := range hostileCommands {
			for j, format := range formats[command] {
				if !breadth.Has(i+j, 4) || slices.Contains([]string{"yaml", "kyaml", "patch", "rbac", "json", "sarif", "junit", "gitlab", "html"}, format) {
					continue
				}
				for _, given := range list {
					args := strings.Fields("threeway " + command + " " + given)
					if format != "" {
						args = append(args, "-o", format)
					}
					for i := range args {
						args[i] = strings.NewReplacer("MANIFESTS", manifests, "HOSTILE", h).Replace(args[i])
					}
					var out bytes.Buffer
					Run(context.Background(), args, strings.NewReader(""), &out, &out)
					if at := strings.Index("\n"+out.String(), "\nFORGED"); at >= 0 {
						t.Errorf("%s: %q says %.400q", shape, args, out.String()[max(0, at-200):])
					}
				}
			}
		}
	}
}

// TestNamesForgeNoDiffs: a diff for git apply is of the file that it names, whatever the
// file is called.
func TestNamesForgeNoDiffs(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"x\n--- /dev/null\n+++ b/PWNED\n@@ -0,0 +1 @@\n+PWNED\n--- a/y.yaml", "a\tb.yaml", "a\r.yaml", `"q".yaml`, `back\134.yaml`, " a b.yaml", "ü\x01.yaml", "-x.yaml"} {
		t.Chdir(t.TempDir())
		file := "m/" + name
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Skip(err)
		}
		save(t, file, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  uid: b\n  namespace: shop\ndata: {a: b}\n")
		var out, messages bytes.Buffer
		Run(context.Background(), []string{"threeway", "lint", "-R", "-f", "m", "--fix=diff"}, strings.NewReader(""), &out, &messages)
		apply := exec.Command(git, "apply", "-")
		apply.Stdin = &out
		said, err := apply.CombinedOutput()
		if after := load(t, file); err != nil || strings.Contains(after, "uid") {
			t.Errorf("%q: %v: %s%s\n%s", name, err, said, &messages, after)
		}
		if made, err := filepath.Glob("PWNED*"); made != nil || err != nil {
			t.Errorf("%q makes %q", name, made)
		}
	}
}

// TestPathPart tests that no name of an object leads out of a directory.
func TestPathPart(t *testing.T) {
	for name, want := range map[string]string{"..": "%2E%2E", ".": "%2E", "../y": "..%2Fy", "shop:reader": "shop%3Areader", "a.b": "a.b"} {
		if got := pathPart(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
