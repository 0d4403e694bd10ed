package argocd

import (
	"fmt"
	"strings"
	"testing"

	"threeway/merge/manifest"
	"threeway/merge/text/source"
	"threeway/merge/tree"
)

func objects(t testing.TB, text string) *manifest.Set {
	t.Helper()
	set := manifest.ReadFiles([]manifest.File{{Name: "a.yaml", Data: []byte(text)}}, manifest.Limits{})
	if err := manifest.Err(set.Problems); err != nil {
		t.Fatal(err)
	}
	return set
}

// TestSteps: waves, kinds and names; a Namespace and a definition come before the first
// object that needs them, in its wave.
func TestSteps(t *testing.T) {
	set := objects(t, `{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}
---
{apiVersion: v1, kind: Service, metadata: {name: first, annotations: {argocd.argoproj.io/sync-wave: "-1"}}}
---
{apiVersion: example.com/v1, kind: Zoo, metadata: {name: z, annotations: {helm.sh/hook-weight: "2"}}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: zoos, annotations: {argocd.argoproj.io/sync-wave: "5"}}, spec: {group: example.com, names: {kind: Zoo}}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
`)
	var got []string
	for _, step := range Steps(set.Objects, "shop") {
		got = append(got, fmt.Sprintf("%s:%d", step.Object.Name, step.Wave))
	}
	if got, want := strings.Join(got, " "), "shop:-1 first:-1 a:0 b:0 d:0 zoos:2 z:2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPart: Argo CD's hooks go before Helm's, what it skips is no hook, and crd-install
// makes none.
func TestPart(t *testing.T) {
	set := objects(t, `{apiVersion: batch/v1, kind: Job, metadata: {name: argo, annotations: {argocd.argoproj.io/hook: "PreSync, PostSync", helm.sh/hook: post-install}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: helm, annotations: {helm.sh/hook: "pre-install,pre-upgrade,test", helm.sh/hook-weight: "-3"}}}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: odd, annotations: {argocd.argoproj.io/hook: Sometimes}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: skipped, annotations: {argocd.argoproj.io/hook: Skip}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: crd, annotations: {helm.sh/hook: crd-install}}}
`)
	rest, hooks, skipped := Part(set.Objects)
	if len(rest) != 1 || rest[0].Name != "crd" || len(skipped) != 1 || skipped[0].Name != "skipped" {
		t.Errorf("rest %v, skipped %v", rest, skipped)
	}
	if got, want := fmt.Sprint(hooks), "[{Job helm [PreSync] -3} {Job argo [PreSync PostSync] 0} {Job odd [] 0}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestExpressions: the paths of jq that are evaluated, and some that are not.
func TestExpressions(t *testing.T) {
	const object = `{"spec": {"replicas": 3, "a.b": 1, "list": [{"name": "x", "v": 1, "on": true}, {"name": "y", "v": 2}], "map": {"p": {"q": 1}}}}`
	for text, want := range map[string]string{
		`.spec.replicas`: `{"spec":{"a.b":1,"list":[{"name":"x","on":true,"v":1},{"name":"y","v":2}],"map":{"p":{"q":1}}}}`,
		`.spec["a.b"]`:   `{"spec":{"list":[{"name":"x","on":true,"v":1},{"name":"y","v":2}],"map":{"p":{"q":1}},"replicas":3}}`,
		`.spec.list[].v`: `{"spec":{"a.b":1,"list":[{"name":"x","on":true},{"name":"y"}],"map":{"p":{"q":1}},"replicas":3}}`,
		`.spec.list[]? | select(.name == "x") | .v`:       `{"spec":{"a.b":1,"list":[{"name":"x","on":true},{"name":"y","v":2}],"map":{"p":{"q":1}},"replicas":3}}`,
		`.spec.list[] | select(.on != true)`:              `{"spec":{"a.b":1,"list":[{"name":"x","on":true,"v":1}],"map":{"p":{"q":1}},"replicas":3}}`,
		`.spec.list[1]`:                                   `{"spec":{"a.b":1,"list":[{"name":"x","on":true,"v":1}],"map":{"p":{"q":1}},"replicas":3}}`,
		`.spec.map[].q`:                                   `{"spec":{"a.b":1,"list":[{"name":"x","on":true,"v":1},{"name":"y","v":2}],"map":{"p":{}},"replicas":3}}`,
		`.spec | keys`:                                    "",
		`.spec.list[] | select(.name | startswith("x"))`:  "",
		`.spec.list[-1]`:                                  "",
		`spec`:                                            "",
		`.spec.list[] | select(.name == "x" and .v == 1)`: "",
		`.`: "",
	} {
		e, ok := parseExpression(text)
		if !ok {
			if want != "" {
				t.Errorf("%s is not read", text)
			}
			continue
		}
		obj, err := source.Decode(object)
		if err != nil {
			t.Fatal(err)
		}
		got, err := tree.AppendJSON(nil, e.remove(obj))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, want %s (%v)", text, got, want, err)
		}
	}
}

// FuzzExpression: whatever the text is, it is read or not, and removing is safe.
func FuzzExpression(f *testing.F) {
	f.Add(`.spec.list[] | select(.name == "x") | .v`)
	f.Add(`.a["b"][0]?`)
	f.Fuzz(func(t *testing.T, text string) {
		if e, ok := parseExpression(text); ok {
			e.remove(tree.Object{"spec": tree.Object{"list": []any{tree.Object{"name": "x", "v": int64(1)}, "y"}}, "a": []any{}})
		}
	})
}

// TestStatusIgnored reads whose status is no difference: that of all objects unless
// argocd-cm says otherwise.
func TestStatusIgnored(t *testing.T) {
	for options, want := range map[string]string{
		"":                                 "all",
		"ignoreResourceStatusField: all":   "all",
		"ignoreResourceStatusField: crd":   "crd",
		"ignoreResourceStatusField: none":  "none",
		"ignoreResourceStatusField: off":   "none",
		"ignoreResourceStatusField: false": "none",
	} {
		c := compareOf(tree.Object{"resource.compareoptions": options})
		if c.Status != want {
			t.Errorf("%q: %s, want %s", options, c.Status, want)
		}
		ignores := map[string]int{"all": 1, "crd": 1, "none": 0}[want]
		if got := c.StatusIgnored(); len(got) != ignores {
			t.Errorf("%q: %v, want %d", options, got, ignores)
		}
	}
}
