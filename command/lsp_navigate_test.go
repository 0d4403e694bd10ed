package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shopFile has objects that refer to each other, to objects of the snapshot, and to none.
const shopFile = "config/shop.yaml"

const references = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data:
  level: info
  "tls.crt": x
---
apiVersion: v1
kind: Service
metadata:
  name: api
  namespace: shop
spec:
  selector: {app: api}
  ports:
  - name: http
    port: 80
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: api
  namespace: shop
spec:
  ingressClassName: public
  rules:
  - host: shop.example
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: api
            port:
              name: http
---
apiVersion: v1
kind: Pod
metadata:
  name: api
  namespace: shop
spec:
  serviceAccountName: runner
  containers:
  - name: api
    image: api:1
    env:
    - name: LEVEL
      valueFrom:
        configMapKeyRef: {name: settings, key: level}
    - name: PASSWORD
      valueFrom:
        secretKeyRef:
          name: database
          key: password
    envFrom:
    - configMapRef:
        name: web
`

const shopLive = `---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: shop, uid: "1"}
---
apiVersion: v1
kind: Secret
metadata: {name: database, namespace: shop, uid: "2"}
data: {password: c2VjcmV0LXZhbHVl, user: YWRtaW4=}
---
apiVersion: v1
kind: Secret
metadata: {name: elsewhere, namespace: other, uid: "3"}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: public, uid: "4"}
spec: {controller: example.com/public}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: shop, uid: "5"}
spec:
  schedule: "0 0 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: nightly
            image: nightly:1
            envFrom:
            - configMapRef:
                name: web
---
{apiVersion: v1, kind: ServiceList, items: []}
---
{apiVersion: v1, kind: PodList, items: []}
---
{apiVersion: networking.k8s.io/v1, kind: IngressList, items: []}
---
{apiVersion: v1, kind: NamespaceList, items: [{metadata: {name: shop, uid: "6"}}]}
`

// inShop opens an editor in the example, with the objects of the shop besides.
func inShop(t *testing.T, options any) *lspClient {
	dir := inExample(t)
	save(t, "live.yaml", load(t, "live.yaml")+shopLive)
	save(t, shopFile, references)
	c := lspIn(t, dir, options)
	c.open(shopFile, references)
	return c
}

// lineOf is the line of a file, from 1, that has a text, the last of several.
func (c *lspClient) lineOf(file, text string) int {
	c.t.Helper()
	before, _, found := cutLast(c.texts[file], text)
	if !found {
		c.t.Fatalf("%s has no %q", file, text)
	}
	return strings.Count(before, "\n") + 1
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// places are locations as FILE:LINE, from 1.
func (c *lspClient) places(answer any) (list []string) {
	locations, _ := answer.([]any)
	for _, l := range locations {
		l := l.(map[string]any)
		line := l["range"].(map[string]any)["start"].(map[string]any)["line"].(float64)
		list = append(list, fmt.Sprintf("%s:%v", strings.TrimPrefix(l["uri"].(string), c.uri("")+"/"), line+1))
	}
	slices.Sort(list)
	return list
}

func TestLSPNavigates(t *testing.T) {
	c := inShop(t, nil)
	live := load(t, "live.yaml")
	inLive := func(text string) string {
		before, _, _ := cutLast(live, text)
		return fmt.Sprintf("live.yaml:%d", strings.Count(before, "\n")+1)
	}
	here := func(text string) string { return fmt.Sprintf("%s:%d", shopFile, c.lineOf(shopFile, text)) }
	for _, q := range []struct {
		name, method string
		line         int
		want         []string
	}{
		{"a class of the snapshot", "definition", c.lineOf(shopFile, "ingressClassName"), []string{inLive("metadata: {name: public")}},
		{"a service account of the snapshot", "definition", c.lineOf(shopFile, "serviceAccountName"), []string{inLive("metadata: {name: runner")}},
		{"a Service of the manifests", "definition", c.lineOf(shopFile, "            name: api"), []string{fmt.Sprintf("%s:%d", shopFile, 11)}},
		{"a port by name", "definition", c.lineOf(shopFile, "name: http"), []string{shopFile + ":16"}},
		{"a key, the last on its line", "definition", c.lineOf(shopFile, "configMapKeyRef"), []string{here("level: info")}},
		{"a key of a Secret", "definition", c.lineOf(shopFile, "key: password"), []string{inLive("data: {password")}},
		{"a ConfigMap of another file", "definition", c.lineOf(shopFile, "name: web"), []string{"config/configmap.yaml:4"}},
		{"nothing", "definition", c.lineOf(shopFile, "image: api:1"), nil},
		{"uses of a key", "references", c.lineOf(shopFile, "level: info"), []string{here("configMapKeyRef")}},
		{"uses from the manifests and the snapshot", "references", c.lineOf(shopFile, "name: web"), []string{"config/deployment.yaml:26", here("name: web"), inLive("name: web")}},
		{"uses of a Service", "references", 11, []string{here("            name: api")}},
	} {
		if got := c.places(c.call("textDocument/"+q.method, c.at(shopFile, q.line))); !slices.Equal(got, q.want) {
			t.Errorf("%s: %q, want %q", q.name, got, q.want)
		}
	}
	at := c.at(shopFile, c.lineOf(shopFile, "name: web"))
	at["position"] = map[string]any{"line": c.lineOf(shopFile, "name: web") - 1, "character": 0}
	if got := c.places(c.call("textDocument/definition", at)); !slices.Equal(got, []string{"config/configmap.yaml:4"}) {
		t.Errorf("before the text of a line: %q", got)
	}
	at = c.at(shopFile, 11)
	at["context"] = map[string]any{"includeDeclaration": true}
	if got := c.places(c.call("textDocument/references", at)); !slices.Contains(got, shopFile+":11") || len(got) != 2 {
		t.Errorf("with the declaration: %q", got)
	}
	c.end(0)
}

// outline is a line for each symbol, indented as deep as it is.
func outline(symbols any, indent string) (text string) {
	list, _ := symbols.([]any)
	for _, s := range list {
		s := s.(map[string]any)
		r, chosen := s["range"].(map[string]any), s["selectionRange"].(map[string]any)
		start, end, at := r["start"].(map[string]any), r["end"].(map[string]any), chosen["start"].(map[string]any)
		text += fmt.Sprintf("%s%v %v-%v", indent, s["name"], start["line"], end["line"])
		before := func(a, b map[string]any) bool {
			return a["line"].(float64) < b["line"].(float64) || a["line"] == b["line"] && a["character"].(float64) <= b["character"].(float64)
		}
		if !before(start, at) || !before(at, end) || !before(chosen["end"].(map[string]any), end) {
			text += " (selection outside)"
		}
		text += "\n" + outline(s["children"], indent+" ")
	}
	return text
}

func TestLSPOutline(t *testing.T) {
	c := inShop(t, nil)
	want := `ConfigMap/settings 0-5
 metadata 2-2
  name 2-2
  namespace 2-2
 data 3-5
  level 4-4
  tls.crt 5-5
Service/api 7-16
 metadata 9-11
  name 10-10
  namespace 11-11
 spec 12-16
  selector 13-13
   app 13-13
  ports 14-16
   80 15-16
    name 15-15
    port 16-16
`
	got := outline(c.call("textDocument/documentSymbol", c.at(shopFile, 1)), "")
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "Ingress/api") || !strings.Contains(got, "Pod/api") {
		t.Errorf("the outline:\n%s\nwant\n%s", got, want)
	}
	if strings.Contains(got, "outside") {
		t.Errorf("a symbol is not where its field is:\n%s", got)
	}
	c.end(0)
}

// TestLSPBesideYAML: where a server for YAML answers too, what that one knows is left to it.
func TestLSPBesideYAML(t *testing.T) {
	c := inShop(t, map[string]any{"besideYamlServer": true})
	c.open(webFile, load(t, webFile))
	if got := c.call("textDocument/documentSymbol", c.at(webFile, 1)); inJSON(got) != "[]" {
		t.Errorf("symbols: %s", inJSON(got))
	}
	if got := c.call("textDocument/hover", c.at(webFile, 5)); got != nil {
		t.Errorf("a hover on what does not change: %s", inJSON(got))
	}
	holds(t, "a hover on what changes", c.call("textDocument/hover", c.at(webFile, 18)), "apply changes")
	if got := c.places(c.call("textDocument/definition", c.at(webFile, 26))); !slices.Equal(got, []string{"config/configmap.yaml:4"}) {
		t.Errorf("the definition: %q", got)
	}
	c.end(0)
}

func TestLSPLenses(t *testing.T) {
	c := inShop(t, nil)
	lenses := func(file string) (list []string) {
		answer, _ := c.call("textDocument/codeLens", c.at(file, 1)).([]any)
		for _, l := range answer {
			l := l.(map[string]any)
			command := l["command"].(map[string]any)
			list = append(list, fmt.Sprintf("%v %v", l["range"].(map[string]any)["start"].(map[string]any)["line"], command["title"]))
			if diff := c.call("workspace/executeCommand", command); !strings.Contains(inJSON(diff), "threeway:///shop/") {
				t.Errorf("the lens %v opens %s", command, inJSON(diff))
			}
		}
		return list
	}
	c.open(webFile, load(t, webFile))
	verdict := "0 Needs review: 5 to decide"
	for file, want := range map[string][]string{
		webFile:  {verdict, "1 rolling update of 3 pods (3 to 4 running) · 3 changes · 1 warning"},
		shopFile: {verdict, "0 created", "7 created · 1 warning", "18 created · requests to its hosts are served", "37 created · new pods act as the ServiceAccount runner"},
	} {
		if got := lenses(file); !slices.Equal(got, want) {
			t.Errorf("above %s: %q, want %q", file, got, want)
		}
	}
	diff := c.call("threeway/diff", c.at(webFile, 18)).(map[string]any)
	if live, result := diff["live"].(string), diff["result"].(string); !strings.Contains(live, "image: nginx:1.29\n") || !strings.Contains(result, "image: nginx:1.30\n") || strings.Contains(live+result, "managedFields") {
		t.Errorf("the texts to compare:\n%s\n%s", live, result)
	}
	page := c.call("workspace/executeCommand", map[string]any{"command": "threeway.page", "arguments": []any{c.at(webFile, 1)}})
	holds(t, "the page", page, "<!DOCTYPE html>", strings.TrimPrefix(verdict, "0 "))
	c.end(0)
}
