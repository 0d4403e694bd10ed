package yamltext

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"threeway/merge/tree"
)

func TestYAML(t *testing.T) {
	o := tree.Object{
		"apiVersion": "v1",
		"metadata":   tree.Object{"name": "x", "labels": tree.Object{"on": "off", "n2": "1", "n10": "x"}, "annotations": tree.Object{}},
		"spec": tree.Object{
			"list":  []any{int64(1), 1.5, true, nil, "null", []any{}, []any{"a", []any{"b"}}, tree.Object{"k": "v", "l": []any{"m"}}},
			"text":  "first\n  second\n",
			"tail":  "no newline\nat the end",
			"tabs":  "a\tb\nc",
			"long":  strings.Repeat("words and ", 10) + "end",
			"time":  "2024-01-01",
			"emoji": "🚀",
		},
	}
	want := `apiVersion: v1
metadata:
  annotations: {}
  labels:
    n2: "1"
    n10: x
    "on": "off"
  name: x
spec:
  emoji: "\U0001F680"
  list:
  - 1
  - 1.5
  - true
  - null
  - "null"
  - []
  - - a
    - - b
  - k: v
    l:
    - m
  long: words and words and words and words and words and words and words and words
    and words and words and end
  tabs: "a\tb\nc"
  tail: |-
    no newline
    at the end
  text: |
    first
      second
  time: "2024-01-01"
`
	if got := YAML(o); got != want {
		t.Errorf("%s", got)
	}
}

func TestYAMLOfNothing(t *testing.T) {
	for want, o := range map[string]tree.Object{
		"null\n":             nil,
		"{}\n":               {},
		"a: null\nb: null\n": {"a": tree.Object(nil), "b": []any(nil)},
	} {
		if got := YAML(o); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The library gives no text for these; kubectl fails. What is printed here
// reads back as the same string.
func TestYAMLOfWhatTheLibraryRefuses(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"a\x7fb", `"a\x7Fb"`},
		{"\u0080", `"\x80"`},
		{"\uffff", `"\uFFFF"`},
	} {
		o := tree.Object{"k": c.s}
		if _, err := yaml.Marshal(o); err == nil {
			t.Errorf("%q: the library takes it", c.s)
		}
		if got := YAML(o); got != "k: "+c.want+"\n" {
			t.Errorf("%q: %s", c.s, got)
		}
		var back tree.Object
		if err := yaml.Unmarshal([]byte(YAML(o)), &back); err != nil || back["k"] != c.s {
			t.Errorf("%q reads back as %q, %v", c.s, back["k"], err)
		}
	}
}

func TestNotAPlainValue(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an int is printed as something")
		}
	}()
	YAML(tree.Object{"a": 1})
}

// crd looks like a CustomResourceDefinition with so many fields.
func crd(fields int) tree.Object {
	properties := tree.Object{}
	for i := range fields {
		properties[fmt.Sprintf("field%d", i)] = tree.Object{
			"description": fmt.Sprintf("Field %d says what the controller does, and how often it does so, unless it is told otherwise.\nMore info: https://example.org/docs", i),
			"type":        "object", "x-kubernetes-preserve-unknown-fields": true,
			"properties": tree.Object{"name": tree.Object{"type": "string", "maxLength": int64(63), "pattern": "^[a-z]+$"}, "value": tree.Object{"type": "integer", "format": "int32"}},
			"required":   []any{"name", "value"},
		}
	}
	return tree.Object{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": tree.Object{"name": "things.example.org"},
		"spec": tree.Object{"group": "example.org", "versions": []any{tree.Object{"name": "v1", "schema": tree.Object{"openAPIV3Schema": tree.Object{"type": "object", "properties": properties}}}}}}
}

func deployment() tree.Object {
	container := tree.Object{"name": "web", "image": "nginx:1.14", "imagePullPolicy": "IfNotPresent", "ports": []any{tree.Object{"containerPort": int64(80), "protocol": "TCP"}},
		"resources": tree.Object{"limits": tree.Object{"cpu": "100m", "memory": "64Mi"}}, "terminationMessagePath": "/dev/termination-log", "env": []any{tree.Object{"name": "A", "value": "1"}}}
	return tree.Object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": tree.Object{"name": "web", "namespace": "shop", "creationTimestamp": "2024-01-01T00:00:00Z"},
		"spec": tree.Object{"replicas": int64(2), "selector": tree.Object{"matchLabels": tree.Object{"app": "web"}}, "template": tree.Object{"metadata": tree.Object{"labels": tree.Object{"app": "web"}}, "spec": tree.Object{"containers": []any{container}}}}}
}

func BenchmarkYAML(b *testing.B) {
	for name, o := range map[string]tree.Object{"crd": crd(400), "deployment": deployment()} {
		for printer, print := range map[string]func(tree.Object) string{
			"ours":    YAML,
			"library": func(o tree.Object) string { b, _ := yaml.Marshal(o); return string(b) },
		} {
			b.Run(name+"/"+printer, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(YAML(o))))
				for b.Loop() {
					print(o)
				}
			})
		}
	}
}
